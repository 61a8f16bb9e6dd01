import { fileURLToPath } from 'node:url';
import { nameOf } from './check.ts';

/** Refuse what no file can be called. A number would be taken for an open file. */
export function checkPath(path: unknown): asserts path is string {
  if (typeof path !== 'string') throw new TypeError(`A path is a string, got ${nameOf(path)}`);
  if (path.includes('\0')) throw new TypeError(`A path has no NUL character, got ${nameOf(path)}`);
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
    throw new TypeError('The URL names no file of this machine', { cause });
  }
}
