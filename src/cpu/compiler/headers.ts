import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, resolve } from 'node:path';
import { findHeader } from '../../core/includes.ts';
import { LIBRARY_FOLDER } from '../files/folders.ts';
import type { Files, Toolchain, ToolResult } from './toolchain.ts';

/** The folder in which clang sees the built-in headers. */
export const HEADER_FOLDER = 'rawkernel-include';

const DIRECTIVE = /^\uFEFF?[ \t]*#[ \t]*(?:include|import)(?:_next)?\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;
/** An `#include` of a macro, and a file's name in it: `#include PATH(gpu/types.h)`. */
const COMPUTED = /^[ \t]*#[ \t]*include\b[ \t]*[A-Za-z_][^\n]*?([\w-]+\.\w+)/gm;
/** What clang says of a header that it does not see, and where. */
const NOT_FOUND = /^(.+?):\d+:\d+: fatal error: '([^'\n]+)' file not found$/m;
const OVERLAY = 'headers.yaml';
/** The folder of headers that the program gives as texts. */
const GIVEN = '/given';

/** A folder of files as a tree. */
export function readTree(folder: string): Files {
  const tree: Files = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    tree[entry.name] = entry.isDirectory() ? readTree(path) : readFileSync(path);
  }
  return tree;
}

/** Where a source's headers are. */
export interface HeaderPlaces {
  readonly source: string;
  /** The source's name; quoted includes are searched in its folder first. */
  readonly file: string;
  readonly folders: readonly string[];
  /** Headers that are not on disk, by the names that includes give them. */
  readonly given?: Readonly<Record<string, string>>;
}

/** Run clang with the user's headers; again for each header that only clang's complaint names. */
export function runWithHeaders(
  toolchain: Toolchain,
  headers: UserHeaders,
  argvOf: (flags: readonly string[]) => readonly string[],
  files: Files,
): ToolResult {
  for (;;) {
    const result = toolchain.run(argvOf(headers.flags), { ...files, ...headers.files() });
    const [, includer, name] = (result.ok ? undefined : NOT_FOUND.exec(result.log)) ?? [];
    if (includer === undefined || name === undefined || !headers.add(name, includer)) return result;
  }
}

/**
 * The headers that clang sees. It sees no disk: it gets the headers that the text names, whether or not its conditions hold, under
 * their own paths, by a file system overlay. Those that a macro names are added when clang does not find them.
 */
export class UserHeaders {
  /** Texts by the paths that clang sees. */
  readonly #texts = new Map<string, Uint8Array>();
  readonly #folders: readonly string[];
  readonly #home: string;
  /** Names of files in includes of macros. */
  readonly #computed = new Set<string>();

  constructor({ source, file, folders, given = {} }: HeaderPlaces) {
    this.#folders = folders.map((folder) => resolve(folder));
    this.#home = resolve(dirname(file));
    for (const [name, text] of Object.entries(given)) {
      this.#texts.set(posix.join(GIVEN, name), Buffer.from(text));
    }
    for (const text of [source, ...Object.values(given)]) this.#follow(text, this.#home);
  }

  /** Clang's options for all folders. Names with a drive are no absolute paths for clang: it finds them from its root. */
  get flags(): readonly string[] {
    const folders = [GIVEN, ...this.#folders.map(virtual), ...(process.platform === 'win32' ? ['/'] : [])];
    return ['-ivfsoverlay', OVERLAY, '-iquote', virtual(this.#home), ...folders.flatMap((folder) => ['-I', folder])];
  }

  /** Clang's files for the headers. */
  files(): Files {
    const contents: Files = {};
    const roots = Array.from(this.#texts, ([path, text], i) => {
      contents[String(i)] = text;
      const file = { type: 'file', name: posix.basename(path), 'external-contents': `/headers/${i}` };
      return { type: 'directory', name: posix.dirname(path), contents: [file] };
    });
    // Clang leaves out folders that it does not see, also where a path goes on to another one: `folder/../header.h`.
    const folders = [this.#home, ...this.#folders].map((one) => {
      return { type: 'directory', name: virtual(one), contents: [] };
    });
    const overlay = {
      ...{ version: 0, 'case-sensitive': 'true', 'use-external-names': false },
      roots: [...roots, ...folders],
    };
    return { headers: contents, [OVERLAY]: JSON.stringify(overlay) };
  }

  /** Add a header by the name in a directive; false if it is seen already, or is not on disk. */
  add(name: string, includer: string): boolean {
    const path = this.#find(name, isAbsolute(includer) ? dirname(includer) : this.#home);
    // Headers whose names are computed tend to be in one folder. Each one that is there already saves a run of clang.
    if (path !== undefined) for (const other of this.#computed) this.#find(join(dirname(path), other));
    return path !== undefined;
  }

  /** Whether the text of a header has a property. */
  some(property: (text: string) => boolean): boolean {
    return [...this.#texts.values()].some((bytes) => property(Buffer.from(bytes).toString('latin1')));
  }

  /** Put other texts in the place of headers, where a function has one. */
  replace(other: (text: string, path: string) => string | undefined): void {
    for (const [path, bytes] of this.#texts) {
      const text = other(Buffer.from(bytes).toString('utf8'), path);
      if (text !== undefined) this.#texts.set(path, Buffer.from(text));
    }
  }

  #follow(text: string, home: string): void {
    for (const [, quoted, angled] of text.matchAll(DIRECTIVE)) {
      if (quoted !== undefined) this.#find(quoted, home);
      else if (angled !== undefined) this.#find(angled);
    }
    for (const [, name = ''] of text.matchAll(COMPUTED)) this.#computed.add(name);
  }

  /** The path of a header that was not seen before. */
  #find(name: string, home?: string): string | undefined {
    const beside = home === undefined ? undefined : findHeader(name, [home]);
    // The toolkit's own headers are for its own compiler.
    const found = beside ?? (isBuiltIn(name) ? undefined : findHeader(name, this.#folders));
    const path = found === undefined ? undefined : resolve(found);
    if (path === undefined || this.#texts.has(virtual(path))) return undefined;
    const bytes = readFileSync(path);
    this.#texts.set(virtual(path), bytes);
    this.#follow(bytes.toString('utf8'), dirname(path));
    return path;
  }
}

function isBuiltIn(name: string): boolean {
  return existsSync(join(LIBRARY_FOLDER, 'include', name));
}

/** A path as clang sees it, for which paths begin with a slash: `/C:/include/a.h`. */
function virtual(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}
