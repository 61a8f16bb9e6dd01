import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { findHeader } from '../../core/includes.ts';
import { LIBRARY_FOLDER } from '../files/folders.ts';
import type { Files } from './toolchain.ts';

/** The folder in which clang sees the built-in headers. */
export const HEADER_FOLDER = 'rawkernel-include';

const DIRECTIVE = /^\uFEFF?[ \t]*#[ \t]*(?:include|import)(?:_next)?\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;
const USER = 'user';

/** Headers for clang, which sees no disk: a tree of files, and the folders to search. */
export interface Headers {
  readonly files: Files;
  readonly flags: readonly string[];
}

/** A folder of files as a tree. */
export function readTree(folder: string): Files {
  const tree: Files = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    tree[entry.name] = entry.isDirectory() ? readTree(path) : readFileSync(path);
  }
  return tree;
}

/**
 * The user's headers that a source may include, in the same folders as on disk. Conditional directives count as taken.
 *
 * @param file - the source's name; quoted includes are searched in its folder first
 */
export function userHeaders(source: string, file: string, folders: readonly string[]): Headers {
  const roots = [dirname(file), ...folders];
  const names = roots.map((_, i) => `${USER}${i}`);
  const files: Files = {};
  const seen = new Set<string>();
  const visit = (text: string, home: string): void => {
    for (const [, quoted, angled] of text.matchAll(DIRECTIVE)) {
      const name = quoted ?? angled ?? '';
      const beside = quoted === undefined ? undefined : findHeader(name, [home]);
      // The toolkit's own headers are for its own compiler.
      const path = beside ?? (isBuiltIn(name) ? undefined : findHeader(name, folders));
      if (path === undefined || seen.has(path)) continue;
      seen.add(path);
      const bytes = readFileSync(path);
      for (const [i, root] of roots.entries()) {
        const inside = relative(root, path);
        if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside))
          place(files, [names[i] ?? '', ...parts(inside)], bytes);
      }
      visit(bytes.toString('utf8'), dirname(path));
    }
  };
  visit(source, dirname(file));
  const [own = '', ...rest] = names;
  return {
    files,
    flags: [
      ...(own in files ? ['-iquote', own] : []),
      ...rest.filter((name) => name in files).flatMap((name) => ['-I', name]),
    ],
  };
}

function isBuiltIn(name: string): boolean {
  return existsSync(join(LIBRARY_FOLDER, 'include', name));
}

function place(files: Files, path: readonly string[], bytes: Uint8Array): void {
  let folder = files;
  for (const name of path.slice(0, -1)) folder = (folder[name] ??= {}) as Files;
  folder[path.at(-1) ?? ''] = bytes;
}

function parts(path: string): string[] {
  return normalize(path).split(/[\\/]/);
}
