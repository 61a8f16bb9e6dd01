import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { readInputFile } from './input-file.ts';
import { UsageError } from './output.ts';

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
/** A larger file is not a source, and a compiler would take minutes. */
const MAX_TEXT = 2 ** 26;
const MAX_CODE = 2 ** 30;
const NEW_LINE = 10;

/** Read a file of kernels; the suffix decides the language. */
export function readSource(path: string, { language }: SourceFlags): SourceFile {
  // File names on Windows are case-insensitive.
  const suffix = extname(path).toLowerCase();
  const known = language ?? LANGUAGES[suffix];
  if (known === undefined) {
    throw new UsageError(`${path}: the suffix must be .cu or .cl; otherwise use --language cuda or --language opencl`);
  }
  if (language === undefined && COMPILED.includes(suffix)) {
    return { path, language: known, code: readInputFile(path, MAX_CODE, 'compiled kernels'), text: '' };
  }
  return { path, language: known, code: undefined, text: textOf(readInputFile(path, MAX_TEXT, 'a source'), path) };
}

/** Reject other encodings and NUL bytes: a compiler would read other characters, or stop in the middle. */
function textOf(bytes: Uint8Array, path: string): string {
  if (!isUtf8(bytes)) {
    const line = lineOf(bytes, (part) => !isUtf8(part));
    throw new UsageError(
      `${path}: line ${line} is not UTF-8: save the file as UTF-8; iconv -f latin1 -t utf-8 does that`,
    );
  }
  if (bytes.includes(0)) {
    throw new UsageError(`${path}: line ${lineOf(bytes, (part) => part.includes(0))} has a NUL byte: this is not text`);
  }
  return new TextDecoder().decode(bytes);
}

/** The number of the first line that satisfies a condition. */
function lineOf(bytes: Uint8Array, holds: (line: Uint8Array) => boolean): number {
  let start = 0;
  for (let number = 1; ; number++) {
    const end = bytes.indexOf(NEW_LINE, start);
    if (end < 0 || holds(bytes.subarray(start, end))) return number;
    start = end + 1;
  }
}

/** Macros as CUDA's options take them. */
function macros(define: readonly string[] = []): Record<string, string | true> {
  return Object.fromEntries(
    define.map((text) => {
      const at = text.indexOf('=');
      if (!/^[A-Za-z_]\w*(?:\([^)]*\))?(?:=|$)/.test(text)) throw new UsageError(`-D ${text}: that is not a macro`);
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
