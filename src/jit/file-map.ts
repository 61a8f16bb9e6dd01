import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileText } from '../core/file-text.ts';

/** A place in a file that a tool was given. */
export interface OriginalPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  /** The line. */
  readonly text: string;
}

const LINK = /^[ \t]*\/[/*][#@] ?sourceMappingURL=([^\s'"*]+)/gm;
const INLINE = /^data:application\/json[^,]*?(;base64)?,/;

/**
 * The source map that the text of a file names: in itself, or in a file beside it. The runtime reads them only where it is told to.
 *
 * @returns where a place of the file comes from, the line from 0; undefined where the file has no map that can be read
 */
export function mapOfFile(
  file: string,
  text: string,
): ((line: number, column: number) => OriginalPlace | undefined) | undefined {
  const link = [...text.matchAll(LINK)].at(-1)?.[1];
  if (link === undefined) return undefined;
  try {
    const inline = INLINE.exec(link);
    const where = inline ? file : resolve(dirname(file), decodeURIComponent(link));
    const json = inline ? decoded(link.slice(inline[0].length), inline[1] !== undefined) : readFileSync(where, 'utf8');
    return placesOf(JSON.parse(json) as SourceMapPayload, where);
  } catch {
    return undefined;
  }
}

function decoded(text: string, isBase64: boolean): string {
  return isBase64 ? Buffer.from(text, 'base64').toString('utf8') : decodeURIComponent(text);
}

function placesOf(
  payload: SourceMapPayload,
  where: string,
): (line: number, column: number) => OriginalPlace | undefined {
  const map = new SourceMap(payload);
  const { sources } = payload;
  // What tools leave out, whatever the types say.
  const sourceRoot = (payload.sourceRoot as string | undefined) ?? '';
  const contents = payload.sourcesContent as readonly (string | null)[] | undefined;
  const base = pathToFileURL(where);
  const lines = new Map<string, readonly string[]>();
  return (row, at) => {
    const entry = map.findEntry(row, at) as Partial<ReturnType<SourceMap['findEntry']> & { originalLine: number }>;
    const { originalLine, originalColumn, originalSource } = entry as Record<string, unknown>;
    if (typeof originalLine !== 'number' || typeof originalSource !== 'string') return undefined;
    const root = sourceRoot === '' || sourceRoot.endsWith('/') ? sourceRoot : `${sourceRoot}/`;
    const url = new URL(root + originalSource, base);
    const name = url.protocol === 'file:' ? fileURLToPath(url) : originalSource;
    const known = lines.get(name) ?? (contents?.[sources.indexOf(originalSource)] ?? fileText(name) ?? '').split('\n');
    lines.set(name, known);
    return { file: name, line: originalLine + 1, column: Number(originalColumn), text: known[originalLine] ?? '' };
  };
}
