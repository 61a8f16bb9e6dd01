import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileProblem } from './file-problem.ts';
import { UsageError } from './output.ts';
import { bytes as shown } from './table.ts';

/** The first piece of a file without a size. */
const PIECE = 2 ** 16;
/** The largest read of Node.js. */
const MAX_AT_ONCE = 2 ** 30;

/**
 * Read a whole file, or what comes through a pipe.
 *
 * @param most - the maximum size in bytes
 * @param what - the kind of file, for errors: `'a source'`
 * @throws UsageError it is a folder, a device, too large, or cannot be read
 */
export function readInputFile(path: string, most: number, what: string): Uint8Array<ArrayBuffer> {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return contentOf(file, path, most, what);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${fileProblem(error)}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function contentOf(file: number, path: string, most: number, what: string): Uint8Array<ArrayBuffer> {
  const about = fstatSync(file);
  if (about.isCharacterDevice() || about.isBlockDevice()) throw new UsageError(`${path}: this is a device, not a file`);
  const tooLarge = (size: string): UsageError =>
    new UsageError(`${path}: ${size} are too many for ${what}, at most ${shown(most)}`);
  if (about.size > most) throw tooLarge(shown(about.size));
  // Files that the system makes up have no size.
  const known = about.isFile() && about.size > 0;
  let content = room(known ? about.size : PIECE, path);
  let length = 0;
  for (;;) {
    const count = readSync(file, content, length, Math.min(content.length - length, MAX_AT_ONCE), null);
    length += count;
    if (count === 0 || (known && length === content.length)) return content.subarray(0, length);
    if (length > most) throw tooLarge(`more than ${shown(most)}`);
    if (length < content.length) continue;
    const larger = room(2 * length, path);
    larger.set(content);
    content = larger;
  }
}

function room(size: number, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (error) {
    throw new UsageError(`${path}: there is no memory for ${shown(size)}`, { cause: error });
  }
}
