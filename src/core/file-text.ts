import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** The text of a source file, for a message that shows a line of it; undefined where it cannot be read. */
export function fileText(path: string): string | undefined {
  if (!isAbsolute(path)) return undefined;
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
