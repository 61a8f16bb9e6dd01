import type * as CodeFrame from '@babel/code-frame';
import { requireModule } from './require-module.ts';

/** The part of `@babel/code-frame` that is used: a user's type check does not have its types. */
interface SourceFrames {
  readonly codeFrameColumns: (
    source: string,
    location: { readonly start: { readonly line: number; readonly column?: number } },
    options: { readonly linesAbove: number; readonly linesBelow: number },
  ) => string;
}

/** One message of a compiler. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly file: string | undefined;
  /** From 1, in the source as it was given. */
  readonly line: number | undefined;
  /** From 1; undefined where the compiler does not tell. */
  readonly column: number | undefined;
}

const MAX_FRAMES = 3;
let frames: SourceFrames | undefined;

// nvcc and NVRTC: `kernel.cu(3): error: …`; also `kernel.cu(3): error #20: …`, `catastrophic error`.
const EDG = /^(.+?)\((\d+)\): (?:catastrophic )?(error|warning|note|remark)(?: #[\w-]+)?: (.*)$/;
// clang and its descendants (PoCL, NVIDIA's OpenCL): `<kernel>:4:7: error: …`.
const CLANG = /^(.+?):(\d+):(\d+): (?:fatal )?(error|warning|note): (.*)$/;
// The driver's JIT and nvcc's assembler: `ptxas application ptx input, line 12; error   : …`.
const PTXAS = /^ptxas (.+?), line (\d+); (error|fatal|warning)\s*: (.*)$/;
// `error: …`, `nvrtc: error: …`, `nvcc fatal   : …`.
const BARE = /^(?:\w+:? )?(?:fatal )?(error|fatal|warning)(?: \S+)?\s*: (.*)$/i;
// What the embedded device's compiler says of the whole.
const REMARK = /^note: (.*)$/;
const OWN_PTX = 'application ptx input';
const CARET = /^(\s*)\^/;

/**
 * Read a compiler's log. Lines that are not messages are passed over; a caret below a quoted source line gives the
 * column where the message itself has none.
 */
export function parseDiagnostics(log: string, source: string): Diagnostic[] {
  const lines = log.split(/\r?\n/);
  const sourceLines = source.split('\n');
  const found: Diagnostic[] = [];
  lines.forEach((line, i) => {
    const clang = CLANG.exec(line);
    if (clang) {
      const [, file, row, column, severity, message] = clang;
      found.push(diagnostic(severity, message, file, Number(row), Number(column)));
      return;
    }
    const edg = EDG.exec(line);
    if (edg) {
      const [, file, row, severity, message] = edg;
      const column = caretColumn(lines, i, sourceLines[Number(row) - 1]);
      found.push(
        diagnostic(severity, message, file, Number(row), column ?? quotedColumn(message, sourceLines[Number(row) - 1])),
      );
      return;
    }
    const ptxas = PTXAS.exec(line);
    if (ptxas) {
      const [, file, row, severity, message] = ptxas;
      found.push(diagnostic(severity, message, file === OWN_PTX ? undefined : file, Number(row), undefined));
      return;
    }
    const bare = BARE.exec(line);
    if (bare) found.push(diagnostic(bare[1], bare[2], undefined, undefined, undefined));
    const remark = REMARK.exec(line);
    if (remark) found.push(diagnostic('note', remark[1], undefined, undefined, undefined));
  });
  return found;
}

function diagnostic(
  severity: string | undefined,
  message: string | undefined,
  file: string | undefined,
  line: number | undefined,
  column: number | undefined,
): Diagnostic {
  const level = severity?.toLowerCase();
  return {
    severity: level === 'error' || level === 'fatal' ? 'error' : level === 'warning' ? 'warning' : 'note',
    message: message ?? '',
    file,
    line,
    column,
  };
}

/** The compiler may print the source line, indented its own way, and a caret below it. */
function caretColumn(lines: readonly string[], at: number, sourceLine: string | undefined): number | undefined {
  const printed = lines[at + 1];
  const caret = CARET.exec(lines[at + 2] ?? '');
  if (!caret || printed === undefined || sourceLine === undefined) return undefined;
  const indent = printed.length - printed.trimStart().length;
  const own = sourceLine.length - sourceLine.trimStart().length;
  return Math.max(1, (caret[1]?.length ?? 0) - indent + own + 1);
}

/** `identifier "x" is undefined` tells where to look when nothing else does. */
function quotedColumn(message: string | undefined, sourceLine: string | undefined): number | undefined {
  const quoted = /"([^"]+)"/.exec(message ?? '')?.[1];
  if (quoted === undefined || sourceLine === undefined) return undefined;
  const escaped = quoted.replace(/\W/g, '\\$&');
  const match = new RegExp(`(?<!\\w)${escaped}(?!\\w)`).exec(sourceLine);
  return match ? match.index + 1 : undefined;
}

/**
 * The errors as text: each with its source line and a caret, the first few in full, then what is said of the whole.
 *
 * @param diagnostics - of one log
 * @param source - the text that was compiled
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], source: string, file: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const blocks = errors.slice(0, MAX_FRAMES).map((error) => formatOne(error, source, file));
  if (errors.length > MAX_FRAMES) blocks.push(`… and ${errors.length - MAX_FRAMES} more; see the log`);
  for (const { severity, message, line } of errors.length > 0 ? diagnostics : []) {
    if (severity === 'note' && line === undefined) blocks.push(message);
  }
  if (errors.some((error) => isBrokenString(error, source))) blocks.push(RAW_HINT);
  return blocks.join('\n');
}

const RAW_HINT =
  'A \\n in a JavaScript template literal is a line break already: write String.raw`…` for the source, or \\\\n';

/** Whether an error is about a string literal that its line does not end: `printf("%d` and a line break. */
function isBrokenString({ message, line }: Diagnostic, source: string): boolean {
  if (
    line === undefined ||
    !/missing (?:terminating|closing)|newline in (?:string|character)|unterminated/i.test(message)
  )
    return false;
  const quotes = (source.split('\n')[line - 1] ?? '').replace(/\\./g, '').match(/"/g)?.length ?? 0;
  return quotes % 2 === 1;
}

function formatOne({ message, line, column, file: at }: Diagnostic, source: string, file: string): string {
  if (line === undefined) return `error: ${message}`;
  const where = `${at ?? file}:${line}${column === undefined ? '' : `:${column}`}: ${message}`;
  if (at !== undefined && at !== file && !at.startsWith('<')) return where;
  return `${where}\n${sourceFrame(source, line, column)}`;
}

/** A line of a source between its neighbours, with a caret where the column is known. */
export function sourceFrame(source: string, line: number, column: number | undefined, around = 1): string {
  const start = column === undefined ? { line } : { line, column };
  const { codeFrameColumns } = loadSourceFrames();
  return codeFrameColumns(source, { start }, { linesAbove: around, linesBelow: around });
}

/**
 * Load what shows source lines. It waits for an error that is formatted: a program that compiles should not pay for it at
 * start. Code that may print diagnostics at the end of the process calls this before: a test runner has removed its modules then.
 */
export function loadSourceFrames(): SourceFrames {
  return (frames ??= requireModule(import.meta.url, '@babel/code-frame') as typeof CodeFrame);
}
