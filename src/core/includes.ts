import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

// Editors on Windows begin files with a byte order mark: one character of a text, three bytes of a file.
const DIRECTIVE =
  /^(?:\uFEFF|\xEF\xBB\xBF)?[ \t]*#[ \t]*(?:include|import)(?:_next)?\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\S.*))?/gm;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

interface Scan {
  readonly modified: number;
  readonly size: number;
  readonly digest: string;
  readonly isMarked: boolean;
  readonly directives: readonly Directive[] | undefined;
}

interface Header {
  /** As it is spelled in the directive. */
  readonly name: string;
  readonly path: string;
  readonly scan: Scan;
}

interface Directive {
  readonly name: string;
  readonly quoted: boolean;
}

const SETTLED_MS = 1000;
const scans = new Map<string, Scan>();

/**
 * The content of every header that a source may reach, as lines of `path digest`, for the cache's key. Conditional
 * directives count as taken: a key that knows too much is only a miss too many. A header that is nowhere to be found is
 * the compiler's own or an error, either way no file of ours.
 *
 * @param source - the kernel's text
 * @param folders - include folders in search order
 * @param home - the source's own folder, where its quoted includes are looked for first
 * @returns undefined where an include is computed (`#include MACRO`), and its file unknown
 */
export function includedHeaders(source: string, folders: readonly string[], home?: string): string[] | undefined {
  const { headers, isWhole } = reach(source, folders, home);
  return isWhole ? headers.map(({ path, scan }) => `${path} ${scan.digest}`).sort() : undefined;
}

/** The headers that a source may reach and that begin with a byte order mark: by the names that includes give them, without it. */
export function markedHeaders(
  source: string,
  folders: readonly string[],
  home?: string,
): readonly { readonly name: string; readonly text: Buffer }[] {
  return reach(source, folders, home)
    .headers.filter(({ scan }) => scan.isMarked)
    .flatMap(({ name, path }) => {
      const bytes = bytesOf(path);
      return bytes ? [{ name, text: bytes.subarray(BYTE_ORDER_MARK.length) }] : [];
    });
}

/** The headers that are known to be reached, and whether these are all. */
function reach(
  source: string,
  folders: readonly string[],
  home: string | undefined,
): { readonly headers: readonly Header[]; readonly isWhole: boolean } {
  const seen = new Map<string, Header>();
  let isWhole = true;
  const queue: { directives: readonly Directive[]; folder: string | undefined }[] = [];
  const follow = (directives: readonly Directive[] | undefined, folder: string | undefined): void => {
    if (directives) queue.push({ directives, folder });
    else isWhole = false;
  };
  follow(directivesOf(source), home);
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const { name, quoted } of next.directives) {
      const first = quoted && next.folder !== undefined ? [next.folder] : [];
      const path = findHeader(name, [...first, ...folders]);
      if (path === undefined || seen.has(path)) continue;
      const scan = scanFile(path);
      if (scan) seen.set(path, { name, path, scan });
      follow(scan?.directives, dirname(path));
    }
  }
  return { headers: [...seen.values()], isWhole };
}

/**
 * What a text includes, in order.
 *
 * @returns undefined where an include is computed
 */
function directivesOf(text: string): Directive[] | undefined {
  if (!text.includes('include') && !text.includes('import')) return [];
  const found: Directive[] = [];
  for (const [, quoted, angled, computed] of text.matchAll(DIRECTIVE)) {
    const name = quoted ?? angled;
    if (name !== undefined) found.push({ name, quoted: quoted !== undefined });
    else if (computed !== undefined) return undefined;
  }
  return found;
}

/** The file that an `#include` means, in the first of some folders that has it. */
export function findHeader(name: string, folders: readonly string[]): string | undefined {
  const paths = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return paths.find((path) => statOf(path)?.isFile());
}

/** A name that the file system refuses is that of no file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function scanFile(path: string): Scan | undefined {
  const stat = statOf(path);
  if (!stat) return undefined;
  const known = scans.get(path);
  if (known?.modified === stat.mtimeMs && known.size === stat.size) return known;
  const bytes = bytesOf(path);
  if (!bytes) return undefined;
  const scan: Scan = {
    modified: stat.mtimeMs,
    size: stat.size,
    digest: createHash('sha256').update(bytes).digest('hex'),
    isMarked: bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK),
    directives: directivesOf(bytes.toString('latin1')),
  };
  // A file written just now may change again within one tick of the file system's clock.
  if (Date.now() - stat.mtimeMs > SETTLED_MS) scans.set(path, scan);
  return scan;
}

/** A header that cannot be read: the compiler will say so, if it gets that far. */
function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
