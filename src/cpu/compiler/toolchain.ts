import { createRequire } from 'node:module';
import { LibraryNotFoundError } from '../../core/errors.ts';
import { withSink } from './tool-output.ts';
import type { Command, RunOptions, Tree } from '@yowasp/clang';

/** Files for a tool, by name; folders nest. */
export type Files = Tree;

/** The result of a tool. */
export interface ToolResult {
  readonly ok: boolean;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Its output. */
  readonly log: string;
}

/** LLVM, loaded. It runs inside this thread. */
export interface Toolchain {
  /**
   * Run one of LLVM's tools; the first argument is the tool's name. Its standard output becomes the file `out`, since
   * writing a file in small pieces would copy the file for each piece.
   */
  readonly run: (argv: readonly string[], files: Files) => ToolResult;
}

const PACKAGE = '@yowasp/clang';

/** The version that the compiler was made for: it reads LLVM's text, which changes between versions. */
export const PEERS: string = `${PACKAGE}@22.0.0-git20542-10`;

/** Whether the tools' package is installed, without loading it. */
export function hasToolchain(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch (error) {
    // Found, but not for `require`.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/**
 * Load the tools: some 80 MB of WebAssembly.
 *
 * @throws {@link LibraryNotFoundError} their package is not installed
 */
export async function loadToolchain(): Promise<Toolchain> {
  const { runLLVM } = await importPeer();
  // A call without arguments only loads the tools. Only loading is asynchronous.
  await runLLVM(null as unknown as undefined, {}, { fetchProgress: () => undefined });
  const run = (argv: readonly string[], files: Files): ToolResult => {
    const output = new Pieces();
    const log = new Pieces();
    const add = (bytes: Uint8Array | null): void => output.add(bytes);
    const options: RunOptions = {
      synchronously: true,
      stdout: add,
      stderr: (bytes) => log.add(bytes),
      decodeASCII: false,
    };
    try {
      const made = withSink(add, () => runLLVM([...argv], files, options)) as Record<string, Uint8Array>;
      return { ok: true, files: output.length > 0 ? { ...made, out: output.whole() } : made, log: log.text() };
    } catch (error) {
      // After an error clang may crash in its own clean-up; its messages are complete by then.
      if (log.text() === '') throw error;
      return { ok: false, files: {}, log: log.text() };
    }
  };
  return { run };
}

/** A buffer for bytes that arrive piece by piece; each piece is copied, since its memory is reused after the call. */
class Pieces {
  #bytes = Buffer.alloc(1 << 16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array | null): void {
    if (!piece) return;
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }
}

async function importPeer(): Promise<{ runLLVM: Command }> {
  try {
    return await import('@yowasp/clang');
  } catch (error) {
    throw toolchainMissing([error instanceof Error ? error.message : String(error)]);
  }
}

/** The error that says how to install the tools. */
export function toolchainMissing(tried: readonly string[]): LibraryNotFoundError {
  return new LibraryNotFoundError("the embedded CPU device's compiler", tried, [
    `npm install ${PEERS}`,
    'kernels in the compile cache run without it',
  ]);
}
