import { fileURLToPath } from 'node:url';
import { nameOf } from './check.ts';

/** Refuse what no file can be called. A number would be taken for an open file. */
export function checkPath(path: unknown): asserts path is string {
  if (typeof path !== 'string') throw new TypeError(`A path must be a string, got ${nameOf(path)}`);
  if (path.includes('\0')) throw new TypeError(`A path must not contain a NUL character, got ${nameOf(path)}`);
}

/** The path that a path or a URL is. */
export function pathOf(file: unknown): string {
  const path = file instanceof URL ? pathOfUrl(file) : file;
  checkPath(path);
  return path;
}

function pathOfUrl(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new TypeError('The URL does not name a file of this machine', { cause });
  }
}
