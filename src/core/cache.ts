import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { hasHeader, HEADER, packEntry, unpackEntry } from './cache-entry.ts';
import { complain, sayDistrust, distrustOf, entryFolder } from './cache-folder.ts';
import { cacheMaxBytesVariable, noCacheVariable } from './environment.ts';

const DEFAULT_MAX_BYTES = 512 * 2 ** 20;
const MAX_ENTRY_BYTES = 2 ** 30;
const STALE_MS = 60_000;
const ENTRY = /^[\da-f]{64}$/;
const TEMPORARY = /^[\da-f]{64}\.\d+\.[\da-f]{8}\.tmp$/;
// A link is not followed, and a pipe does not block. Windows has neither flag.
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
const SAFELY = process.platform === 'win32' ? 0 : fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

const brought: string[] = [];

/** Have {@link cacheRead} look into a folder of entries that came with the package. It is never written to. */
export function alsoReadFrom(folder: string): void {
  if (!brought.includes(folder)) brought.push(folder);
}

/** What decides whether two builds give the same binary. */
export type KeyParts = Readonly<Record<string, string | readonly string[]>>;

/**
 * Whether compiled kernels are kept: `RAWKERNEL_NO_CACHE=1` says no.
 *
 * @throws TypeError a variable of the cache has a value that it cannot have
 */
export function cacheEnabled(): boolean {
  // Before anything is compiled: afterwards is too late for an error.
  cacheMaxBytesVariable();
  return !noCacheVariable();
}

/** The key of a build: a digest of everything that goes into it. */
export function cacheKey(parts: KeyParts): string {
  const hash = createHash('sha256').update(HEADER);
  for (const name of Object.keys(parts).sort()) hash.update(`\0${name}\0`).update(JSON.stringify(parts[name]));
  return hash.digest('hex');
}

/**
 * What the cache has under a key: the parts that {@link cacheWrite} was given, or undefined. A damaged entry counts as
 * absent and is removed; an entry that another user could have written counts as absent.
 */
export function cacheRead(key: string): Buffer[] | undefined {
  if (!cacheEnabled()) return undefined;
  for (const folder of brought) {
    const bytes = attempt(() => fs.readFileSync(join(folder, key)));
    const parts = bytes && unpackEntry(key, bytes);
    if (parts) return parts;
  }
  try {
    const folder = entryFolder(false);
    if (folder === undefined) return undefined;
    const path = join(folder, key);
    const bytes = readEntry(path);
    const parts = bytes && unpackEntry(key, bytes);
    if (bytes && !parts && hasHeader(bytes)) fs.unlinkSync(path);
    return parts;
  } catch {
    // The reason does not matter: compiling gives the same.
    return undefined;
  }
}

/**
 * Keep the parts of a build under its key. Written to a file of its own and renamed, so that processes which compile
 * the same kernel at once both succeed. A cache that cannot be written warns once and is not used.
 */
export function cacheWrite(key: string, parts: readonly Uint8Array[]): void {
  if (!cacheEnabled()) return;
  try {
    const folder = entryFolder(true);
    if (folder === undefined) return;
    const path = join(folder, key);
    if (!isReplaceable(path)) return;
    const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      writeEntry(temporary, path, packEntry(key, parts));
    } catch (error) {
      if (!isHeld(error) || !hasEntry(key, path)) throw error;
    }
    trim(folder, cacheMaxBytesVariable() ?? DEFAULT_MAX_BYTES);
  } catch (error) {
    complain('write', `Compiled kernels are not kept: ${String(error)}; RAWKERNEL_NO_CACHE=1 silences this`);
  }
}

/** The bytes of a file that is not a link, a pipe or a folder, and that no other user can have written. */
function readEntry(path: string): Buffer | undefined {
  const file = fs.openSync(path, O_RDONLY | SAFELY);
  try {
    const stat = fs.fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_ENTRY_BYTES) return undefined;
    const distrust = distrustOf(stat);
    if (distrust !== undefined) {
      sayDistrust(`${path} ${distrust}`, 'remove it, or name another folder');
      return undefined;
    }
    const bytes = fs.readFileSync(file);
    markUsed(file, path);
    return bytes;
  } finally {
    fs.closeSync(file);
  }
}

/** What is read stays longest. Where that cannot be noted, it is read all the same. */
function markUsed(file: number, path: string): void {
  const now = new Date();
  try {
    // Windows dates no file by a descriptor that only reads, and has no links that another user could have put there.
    if (process.platform === 'win32') fs.utimesSync(path, now, now);
    else fs.futimesSync(file, now, now);
  } catch {
    // A read-only disk.
  }
}

/** Whether an entry may take this name: nothing has it, or a file of this user's. */
function isReplaceable(path: string): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  return !stat || (stat.isFile() && distrustOf(stat) === undefined);
}

/** Whether a name could not be taken since the file is open, which on Windows keeps it in its place. */
function isHeld(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'rename' && (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY');
}

/** Whether a file is a whole entry of this key: another process has kept the same. */
function hasEntry(key: string, path: string): boolean {
  const bytes = attempt(() => readEntry(path));
  return bytes !== undefined && unpackEntry(key, bytes) !== undefined;
}

function writeEntry(temporary: string, path: string, bytes: Uint8Array): void {
  const file = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | SAFELY, 0o600);
  try {
    try {
      fs.writeFileSync(file, bytes);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    attempt(() => fs.unlinkSync(temporary));
    throw error;
  }
}

/** Remove what dead processes left, and what was used longest ago until the rest fits. */
function trim(folder: string, limit: number): void {
  const names = attempt(() => fs.readdirSync(folder)) ?? [];
  const entries = names.flatMap((name) => {
    const temporary = TEMPORARY.test(name);
    if (!temporary && !ENTRY.test(name)) return [];
    const path = join(folder, name);
    const stat = attempt(() => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (!stat?.isFile() || distrustOf(stat) !== undefined) return [];
    // Another process is still writing a young temporary file.
    const young = temporary && Date.now() - stat.mtimeMs < STALE_MS;
    return young ? [] : [{ path, temporary, size: stat.size, used: stat.mtimeMs }];
  });
  let total = entries.reduce((sum, entry) => sum + entry.size, 0);
  for (const { path, temporary, size } of entries.sort((a, b) => a.used - b.used)) {
    if (!temporary && total <= limit) continue;
    // An entry that cannot be removed must not keep the others.
    const removed = attempt(() => (isOurs(path) ? (fs.unlinkSync(path), true) : false));
    if (removed === true) total -= size;
  }
}

/** Whether a file begins as those of the cache do. */
function isOurs(path: string): boolean {
  const file = fs.openSync(path, O_RDONLY | SAFELY);
  try {
    const start = Buffer.alloc(HEADER.length);
    return hasHeader(start.subarray(0, fs.readSync(file, start, 0, start.length, 0)));
  } finally {
    fs.closeSync(file);
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
