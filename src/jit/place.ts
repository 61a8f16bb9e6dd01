import { findSourceMap } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileText } from '../core/file-text.ts';
import { align } from './alignment.ts';
import { mapOfFile } from './file-map.ts';
import { placeInText } from './text-place.ts';
import type { Place } from './tree.ts';

/** Where a function of the package is called: in the text that runs, which a compiler may have made. */
export interface CallPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** Where `callee` is called from; undefined where the runtime does not tell. */
export function placeOfCall(callee: (...args: never[]) => unknown): CallPlace | undefined {
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, callee);
    return placeOfSite(holder.stack as readonly NodeJS.CallSite[]);
  } catch {
    return undefined;
  } finally {
    // Bun sees no other change of the property than an assignment.
    Object.assign(Error, { prepareStackTrace: before?.value as unknown });
    if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
  }
}

/** Of the first frame that is of a file: Bun tells none of the fields of a class. */
function placeOfSite(sites: readonly NodeJS.CallSite[]): CallPlace | undefined {
  for (const site of sites) {
    const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
    if (typeof file !== 'string' || typeof line !== 'number' || typeof column !== 'number') continue;
    const path = pathOf(file);
    if (isAbsolute(path)) return { file: path, line, column: column - 1 };
  }
  return undefined;
}

/**
 * Finds the places of a function's text in the file that its author wrote.
 *
 * The text stands in that file as it is where no tool has changed it, or where a tool has written the file: then the file names a
 * source map. What a tool has changed on the fly is found by its tokens.
 *
 * @returns undefined where neither is so
 */
export function locatorOf(
  call: CallPlace | undefined,
  text: string,
): ((offset: number) => Place | undefined) | undefined {
  if (call === undefined) return undefined;
  let locate: Locate | undefined;
  return (offset) => {
    locate ??= locatorIn(call, text) ?? (() => undefined);
    return locate(offset);
  };
}

/** The offset of a place in a text. */
function offsetOf(text: string, { line, column }: CallPlace): number {
  let start = 0;
  for (let row = 1; row < line; row++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return start + column;
}

/** What of the package's call may stand before the function: `jit(`, a signature, blanks. */
const MAX_AHEAD = 400;

type Locate = (offset: number) => Place | undefined;

function locatorIn(call: CallPlace, text: string): Locate | undefined {
  return inMadeFile(call, text) ?? inWrittenFile(writtenPlace(call), text);
}

/** The file is one that a tool has written, and names its map: the runtime need not have read it. */
function inMadeFile(call: CallPlace, text: string): Locate | undefined {
  const { file } = call;
  const source = fileText(file);
  const original = source === undefined ? undefined : mapOfFile(file, source);
  if (source === undefined || original === undefined) return undefined;
  const start = startIn(source, offsetOf(source, call), text);
  if (start === undefined) return undefined;
  const verbatim = placesIn(file, source, (offset) => start + offset);
  return (offset) => {
    const made = verbatim(offset);
    return original(made.line - 1, made.column) ?? made;
  };
}

function inWrittenFile(call: CallPlace, text: string): Locate | undefined {
  const { file } = call;
  const source = fileText(file);
  if (source === undefined) return undefined;
  const at = offsetOf(source, call);
  const start = startIn(source, at, text);
  const isAhead = start !== undefined && start >= at && start <= at + MAX_AHEAD;
  const found = isAhead ? undefined : align(source, text, at);
  if (found) return placesIn(file, source, found.placeOf);
  return start === undefined ? undefined : placesIn(file, source, (offset) => start + offset);
}

/** Where a text is in a file; undefined where it is not there as it is, or cannot be told from another one. */
function startIn(source: string, call: number, text: string): number | undefined {
  const from = source.indexOf(text, call);
  const start = from < 0 ? source.indexOf(text) : from;
  // A text that is there twice, and not behind the call, may be the other one.
  return start < 0 || (from < 0 && source.includes(text, start + 1)) ? undefined : start;
}

/** A place as its author wrote it, where a tool has changed the file on the fly and gave Node a map. Other runtimes tell that one. */
function writtenPlace(call: CallPlace): CallPlace {
  const { bun, deno } = process.versions;
  if (bun !== undefined || deno !== undefined) return call;
  const { originalSource, originalLine, originalColumn }: Partial<Entry> =
    findSourceMap(call.file)?.findEntry(call.line - 1, call.column) ?? {};
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return call;
  return { file: pathOf(originalSource), line: originalLine + 1, column: originalColumn };
}

interface Entry {
  readonly originalSource: string;
  readonly originalLine: number;
  readonly originalColumn: number;
}

function placesIn(file: string, source: string, placeOf: (offset: number) => number): (offset: number) => Place {
  return (offset) => {
    const place = placeInText(source, placeOf(offset));
    return { file, ...place, text: source.split('\n')[place.line - 1] ?? '' };
  };
}

function pathOf(source: string): string {
  return source.startsWith('file:') ? fileURLToPath(source) : source;
}
