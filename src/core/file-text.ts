import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** Sources that people write are shorter. */
const MOST_BYTES: number = 4 << 20;

/** The text of a source file, for a report that shows a line of it; undefined where it cannot be read. */
export function fileText(path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
  try {
    const about = statSync(path);
    return about.isFile() && about.size <= MOST_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
