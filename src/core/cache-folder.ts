import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type * as EnvPaths from 'env-paths';
import { cacheFolderVariable } from './environment.ts';
import { warn } from './errors.ts';
import { requireModule } from './require-module.ts';

/** The cache's own folder inside the user's: files beside it are not the cache's. */
export const OWN_FOLDER = 'rawkernel-2';
/** Entries of the first format lay in the folder itself. They are left alone. */
const FIRST_FORMAT = /^[\da-f]{64}(?:\.\d+\.[\da-f]{8}\.tmp)?$/;
const OTHERS_WRITE = 0o022;

/** Where compiled kernels are kept: `RAWKERNEL_CACHE_DIR`, else the user's cache folder. */
export function cacheFolder(): string {
  const chosen = cacheFolderVariable();
  if (chosen !== undefined) return chosen;
  // Finding the package takes as long as loading all of this one's core: not before it is needed.
  const { default: envPaths } = requireModule(import.meta.url, 'env-paths') as typeof EnvPaths;
  return join(envPaths('rawkernel', { suffix: '' }).cache, 'kernels');
}

/**
 * The folder of the entries, if it can be trusted.
 *
 * @param make - make it where it is missing
 * @returns undefined without a folder, or where the folder is not safe; that gives a warning
 * @throws what the file system says
 */
export function entryFolder(make: boolean): string | undefined {
  const root = cacheFolder();
  const own = join(root, OWN_FOLDER);
  const strangers = make ? strangersIn(root) : undefined;
  if (strangers !== undefined) {
    sayDistrust(`${root} has files of others (${strangers})`, EMPTY);
    return undefined;
  }
  if (make) makeFolders(own);
  // The root may be a link, as caches on another disk are; the folder inside may not.
  const outer = fs.statSync(root, { throwIfNoEntry: false });
  const inner = fs.lstatSync(own, { throwIfNoEntry: false });
  if (!outer || !inner) return undefined;
  const [path, reason] = [
    [root, distrustOf(outer)],
    [own, distrustOf(inner) ?? (inner.isDirectory() ? undefined : 'is not a folder')],
  ].find((verdict) => verdict[1] !== undefined) ?? [own];
  if (reason === undefined) return own;
  sayDistrust(`${path} ${reason}`, 'take ownership and chmod go-w, or name another folder');
  return undefined;
}

/** Node's own recursive form does not end where an existing folder refuses new ones as if it did not exist, as /proc does. */
function makeFolders(path: string): void {
  const make = (): NodeJS.ErrnoException | undefined => {
    try {
      fs.mkdirSync(path, { mode: 0o700 });
      return undefined;
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      return failure.code === 'EEXIST' ? undefined : failure;
    }
  };
  let failure = make();
  if (failure?.code === 'ENOENT' && !fs.existsSync(dirname(path))) {
    makeFolders(dirname(path));
    failure = make();
  }
  if (failure) throw failure;
}

const EMPTY = 'name a folder that is empty or does not exist';

/** Some names in a folder that the cache has not used yet; undefined where all are its own. */
function strangersIn(root: string): string | undefined {
  if (!fs.statSync(root, { throwIfNoEntry: false })) return undefined;
  const names = fs.readdirSync(root);
  if (names.includes(OWN_FOLDER)) return undefined;
  const strangers = names.filter((name) => !FIRST_FORMAT.test(name));
  if (strangers.length === 0) return undefined;
  const [some, more] = [strangers.slice(0, 3).join(', '), strangers.length > 3 ? ', …' : ''];
  return `${some}${more}`;
}

/** Why something on disk may be another user's work; undefined where it is this user's, or the administrator's. */
export function distrustOf({ uid, mode }: Pick<fs.Stats, 'uid' | 'mode'>): string | undefined {
  // Windows keeps a user's folders to that user, and has no such numbers.
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return `belongs to another user (${uid})`;
  return (mode & OTHERS_WRITE) === 0 ? undefined : 'can be written by other users';
}

const told = new Set<string>();

/** Tell the user, once, why the cache is not used. */
export function sayDistrust(reason: string, advice: string): void {
  complain('trust', `The compile cache is not used: ${reason}; ${advice} by RAWKERNEL_CACHE_DIR`);
}

/** Say what keeps compiled kernels from being kept, once for each kind of reason. */
export function complain(kind: 'trust' | 'write', text: string): void {
  if (told.has(kind)) return;
  told.add(kind);
  warn(text, 'RAWKERNEL_CACHE');
}
