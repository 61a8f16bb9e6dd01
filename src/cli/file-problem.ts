import { messageOf } from './output.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission is missing',
  EBUSY: 'another program has the file open',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would exceed the maximum size',
  EISDIR: 'this is a folder, not a file',
  ELOOP: 'its links form a cycle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'no device is connected to this file',
  // Windows says so of a file that is to be replaced while somebody has it open.
  EPERM: `permission is missing${process.platform === 'win32' ? ', or another program has the file open' : ''}`,
  EROFS: 'the file system is read-only',
  ETXTBSY: 'the program is running',
};

/** The reason of a file error in words, with the system's code. */
export function fileProblem(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const meaning = code === undefined ? undefined : MEANINGS[code];
  return meaning === undefined ? messageOf(error) : `${meaning} (${code})`;
}
