import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the program was. */
export interface HostTrace {
  readonly stack: string;
}

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
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const trace: { readonly stack?: string } = {};
  Error.captureStackTrace(trace, hostTrace);
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
