import { findSourceMap } from 'node:module';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the program was. */
export interface HostTrace {
  readonly stack: string;
}

type Prepare = NonNullable<typeof Error.prepareStackTrace>;

const FRAMES = 30;
/** The package, from src/core as from dist/chunks. */
const PACKAGE = packageFolder();
/** The package's own code. Source maps name the sources of the built code. */
const OWN: readonly string[] = [`${PACKAGE}src${sep}`, `${PACKAGE}dist${sep}`];
const CLI: readonly string[] = OWN.map((folder) => `${folder}cli${sep}`);
const FRAME = /^\s*at (?:.*\()?((?:file:|\/|[A-Za-z]:[\\/]).*?):(\d+):\d+\)?$/;

/** In a CommonJS bundle there is no `import.meta.url`; the first module that needs a file says so. */
function packageFolder(): string {
  try {
    return fileURLToPath(new URL('../..', import.meta.url));
  } catch {
    return '\0';
  }
}

/**
 * Remember from where the package is being called: as text, since a trace that has not been written down keeps the objects that its
 * functions were called on from the collector.
 */
export function hostTrace(): HostTrace {
  return traceAbove(hostTrace, FRAMES);
}

/**
 * The same of one frame, the caller of a public function. It takes two or three microseconds; source maps, which take longer, are
 * looked at where the place is asked for.
 */
export function callerTrace(called: (...args: never[]) => unknown): HostTrace {
  const before = Reflect.get(Error, 'prepareStackTrace') as Prepare | undefined;
  // Tools that put their own function here, or around a realm where it is undefined then, know maps that Node does not: test runners.
  if (before?.name !== 'ErrorPrepareStackTrace') return traceAbove(called, 1);
  Error.prepareStackTrace = placeOfFirst;
  try {
    const { stack } = traceAbove(called, 1) as { readonly stack: unknown };
    return stack instanceof CallerTrace ? stack : { stack: '' };
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
  }
}

function placeOfFirst(_: Error, [site]: NodeJS.CallSite[]): CallerTrace | undefined {
  if (site === undefined) return undefined;
  return new CallerTrace(site.getFileName() ?? '', site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1);
}

/** A place in the text that runs, which a compiler may have made. */
class CallerTrace implements HostTrace {
  readonly #file: string;
  readonly #line: number;
  readonly #column: number;

  constructor(file: string, line: number, column: number) {
    this.#file = file;
    this.#line = line;
    this.#column = column;
  }

  get stack(): string {
    const entry = findSourceMap(this.#file)?.findEntry(this.#line - 1, this.#column - 1);
    // A place without an original has an entry without anything.
    if (entry === undefined || !('originalLine' in entry)) return `    at ${this.#file}:${this.#line}:${this.#column}`;
    return `    at ${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}

function traceAbove(called: (...args: never[]) => unknown, frames: number): HostTrace {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = frames;
  const trace: { readonly stack?: string } = {};
  Error.captureStackTrace(trace, called);
  Error.stackTraceLimit = before;
  return { stack: trace.stack ?? '' };
}

/** The line of the program that called the package: `program.ts:12`; undefined where no frame is the program's. */
export function hostPlace(trace: HostTrace | undefined): string | undefined {
  for (const line of (trace?.stack ?? '').split('\n')) {
    const [, where, row] = FRAME.exec(line) ?? [];
    const file = where === undefined ? undefined : pathOf(where);
    // The command line is not a user's program.
    if (isIn(CLI, file)) return undefined;
    if (file === undefined || isIn(OWN, file) || file.includes(`${sep}node_modules${sep}koffi${sep}`)) continue;
    const near = relative(process.cwd(), file);
    return `${near.startsWith('..') || isAbsolute(near) ? file : near}:${row}`;
  }
  return undefined;
}

function isIn(folders: readonly string[], file: string | undefined): boolean {
  return file !== undefined && folders.some((folder) => file.startsWith(folder));
}

function pathOf(where: string): string | undefined {
  if (!where.startsWith('file:')) return where;
  try {
    return fileURLToPath(where);
  } catch {
    return undefined;
  }
}
