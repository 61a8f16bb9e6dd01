import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Write all of a file, or leave what was there: a disk may be full.
 *
 * @throws what the file system says
 */
export function writeWhole(path: string, content: Uint8Array): void {
  // Devices and pipes are written to, and where a link leads nowhere it is followed.
  const there = statSync(path, { throwIfNoEntry: false });
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (there ? there.isFile() : !isLink) replaceFile(there ? realpathSync(path) : path, content, there?.mode);
  else writeFileSync(path, content);
}

/** By a file beside it that takes its name once it is whole. */
function replaceFile(path: string, content: Uint8Array, mode: number | undefined): void {
  const beside = join(dirname(path), `.rawkernel-${randomBytes(8).toString('hex')}`);
  try {
    const file = openSync(beside, 'wx');
    try {
      writeFileSync(file, content);
      if (mode !== undefined) fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
