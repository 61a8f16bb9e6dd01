import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf, UsageError } from './output.ts';

/** Options of commands that compile. */
export interface SourceFlags {
  readonly language?: 'cuda' | 'opencl';
  readonly define?: readonly string[];
  readonly include?: readonly string[];
  readonly std?: string;
}

/** A file with kernels. */
export interface SourceFile {
  readonly path: string;
  readonly language: 'cuda' | 'opencl';
  /** The bytes, where it holds compiled code. */
  readonly code: Uint8Array | undefined;
  readonly text: string;
}

const LANGUAGES: Readonly<Record<string, SourceFile['language']>> = {
  '.cu': 'cuda',
  '.cuh': 'cuda',
  '.cl': 'opencl',
  '.ocl': 'opencl',
  '.ptx': 'cuda',
  '.cubin': 'cuda',
  '.fatbin': 'cuda',
};
const COMPILED = ['.ptx', '.cubin', '.fatbin'];

/** Read a file of kernels; its suffix tells the language. */
export function readSource(path: string, { language }: SourceFlags): SourceFile {
  const suffix = extname(path);
  const known = language ?? LANGUAGES[suffix];
  if (known === undefined) {
    throw new UsageError(`${path}: the suffix is none of .cu, .cl; say --language cuda or --language opencl`);
  }
  try {
    const bytes = readFileSync(path);
    const isCode = language === undefined && COMPILED.includes(suffix);
    return { path, language: known, code: isCode ? bytes : undefined, text: isCode ? '' : bytes.toString('utf8') };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** Macros as CUDA's options take them. */
export function macros(define: readonly string[] = []): Record<string, string | true> {
  return Object.fromEntries(
    define.map((text) => {
      const at = text.indexOf('=');
      if (!/^[A-Za-z_]\w*(?:\([^)]*\))?(?:=|$)/.test(text)) throw new UsageError(`-D ${text}: that is no macro`);
      const macro: readonly [string, string | true] = at < 0 ? [text, true] : [text.slice(0, at), text.slice(at + 1)];
      return macro;
    }),
  );
}

/** The options for an OpenCL compiler. */
export function openclOptions({ define = [], include = [], std }: SourceFlags, rest: readonly string[]): string[] {
  macros(define);
  const standard = std === undefined ? [] : [`-cl-std=${std.replace(/^cl/, 'CL')}`];
  return [...standard, ...define.map((text) => `-D${text}`), ...include.map((folder) => `-I${folder}`), ...rest];
}

/** The options for a CUDA compiler. */
export function cudaOptions(
  { define = [], include = [], std }: SourceFlags,
  rest: readonly string[],
): {
  readonly defines: Record<string, string | true>;
  readonly includeDirs: readonly string[];
  readonly options: readonly string[];
  readonly std?: string;
} {
  return { defines: macros(define), includeDirs: include, options: rest, ...(std === undefined ? {} : { std }) };
}
