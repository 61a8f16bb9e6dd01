import { messageOf } from './output.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission is missing',
  EBUSY: 'another program has it open',
  EDQUOT: 'the quota is used up',
  EFBIG: 'it would be larger than a file may be',
  EISDIR: 'this is a folder; name a file in it',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file',
  ENOSPC: 'no space is left there',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'nothing answers there',
  // Windows says so of a file that is to be replaced while somebody has it open.
  EPERM: `permission is missing${process.platform === 'win32' ? ', or another program has it open' : ''}`,
  EROFS: 'nothing can be written there',
  ETXTBSY: 'the program is running',
};

/** What went wrong with a file, in words, with the system's name for it. */
export function fileProblem(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const meaning = code === undefined ? undefined : MEANINGS[code];
  return meaning === undefined ? messageOf(error) : `${meaning} (${code})`;
}
