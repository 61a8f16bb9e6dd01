import { readFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { wasm, type WasmModule } from '../abi/webassembly.ts';
import { headersOfClang, headersOfClangIn } from './headers-of-clang.ts';
import { keepInstancesOf, shareInstances } from './kept-instance.ts';
import { keepAdapterIn, makeHeapRoomy, type MemoryParts } from './roomy-heap.ts';

/**
 * Make the toolchain's package read each of its files in one piece. It fetches them as in a browser, piece by piece
 * through streams, which takes longer than the rest of its start. Only for a process that runs nothing else.
 */
export function readFilesDirectly(): void {
  Object.assign(promises, { readFile });
  syncBuiltinESMExports();
  Object.assign(globalThis, { Response: FileResponse });
  Object.assign(wasm, { compileStreaming });
  shareInstances();
}

type ReadFile = (file: unknown, options?: unknown) => Promise<unknown>;

const ownReadFile = promises.readFile as ReadFile;

/** Asynchronously, Node reads a file in pieces of half a megabyte, which takes twice as long for one of 75. */
function readFile(file: unknown, options?: unknown): Promise<unknown> {
  // Deno itself calls this with its handles, and the package has Deno's own function.
  if (!(file instanceof URL)) return ownReadFile(file, options);
  return Promise.resolve(file.pathname.endsWith('.tar') ? headersOfClangIn(file) : readFileSync(file));
}

/** As much of a `Response` as the package uses: it makes one of a file, and one of that one's body. */
class FileResponse {
  readonly #bytes: Uint8Array;

  constructor(from: Uint8Array) {
    this.#bytes = from;
  }

  get body(): { pipeThrough: () => Uint8Array } {
    return { pipeThrough: () => this.#bytes };
  }

  /** Asked of the archive of files only. */
  arrayBuffer(): Promise<ArrayBufferLike> {
    const { buffer, byteOffset, byteLength } = headersOfClang(this.#bytes);
    return Promise.resolve(buffer.slice(byteOffset, byteOffset + byteLength));
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** Of the core, which the package loads first. */
let parts: MemoryParts | undefined;

async function compileStreaming(response: FileResponse | Promise<FileResponse>): Promise<WasmModule> {
  const { bytes } = await response;
  const found = makeHeapRoomy(bytes);
  if (parts) keepAdapterIn(bytes, parts);
  parts ??= found;
  const module = new wasm.Module(bytes);
  if (found) keepInstancesOf(module, found);
  return module;
}
