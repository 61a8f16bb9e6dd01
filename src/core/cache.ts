import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as EnvPaths from 'env-paths';
import { warn } from './errors.ts';
import { requireModule } from './require-module.ts';

const FORMAT = 'rawkernel-cache-1';
const DEFAULT_MAX_BYTES = 512 * 2 ** 20;
const DIGEST_BYTES = 32;
const STALE_MS = 60_000;

/** What decides whether two builds give the same binary. */
export type KeyParts = Readonly<Record<string, string | readonly string[]>>;

/** Where compiled kernels are kept: `RAWKERNEL_CACHE_DIR`, else the user's cache folder. */
export function cacheFolder(): string {
  const override = process.env['RAWKERNEL_CACHE_DIR'];
  if (override) return override;
  // Finding the package takes as long as loading all of this one's core: not before it is needed.
  const { default: envPaths } = requireModule(import.meta.url, 'env-paths') as typeof EnvPaths;
  return join(envPaths('rawkernel', { suffix: '' }).cache, 'kernels');
}

/** Whether compiled kernels are kept: `RAWKERNEL_NO_CACHE=1` says no. */
export function cacheEnabled(): boolean {
  return !/^(1|true|yes)$/i.test(process.env['RAWKERNEL_NO_CACHE'] ?? '');
}

/** The key of a build: a digest of everything that goes into it. */
export function cacheKey(parts: KeyParts): string {
  const hash = createHash('sha256').update(FORMAT);
  for (const name of Object.keys(parts).sort()) hash.update(`\0${name}\0`).update(JSON.stringify(parts[name]));
  return hash.digest('hex');
}

/**
 * What the cache has under a key: the parts that {@link cacheWrite} was given, or undefined. A damaged entry counts as
 * absent and is removed.
 */
export function cacheRead(key: string): Buffer[] | undefined {
  if (!cacheEnabled()) return undefined;
  const path = join(cacheFolder(), key);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const parts = unpack(bytes);
  if (!parts) {
    discard(path);
    return undefined;
  }
  touch(path);
  return parts;
}

/**
 * Keep the parts of a build under its key. Written to a file of its own and renamed, so that processes which compile
 * the same kernel at once both succeed. A cache that cannot be written warns once and is not used.
 */
export function cacheWrite(key: string, parts: readonly Uint8Array[]): void {
  if (!cacheEnabled()) return;
  const folder = cacheFolder();
  const temporary = join(folder, `${key}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, pack(parts), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, join(folder, key));
    trim(folder);
  } catch (error) {
    discard(temporary);
    if (complained) return;
    complained = true;
    warn(`Compiled kernels are not kept: ${String(error)}; RAWKERNEL_NO_CACHE=1 silences this`, 'RAWKERNEL_CACHE');
  }
}

let complained = false;

function pack(parts: readonly Uint8Array[]): Buffer {
  const sizes = Buffer.from(`${JSON.stringify(parts.map((part) => part.byteLength))}\n`);
  const body = Buffer.concat([sizes, ...parts]);
  return Buffer.concat([createHash('sha256').update(body).digest(), body]);
}

function unpack(bytes: Buffer): Buffer[] | undefined {
  const body = bytes.subarray(DIGEST_BYTES);
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  const end = body.indexOf('\n');
  let at = end + 1;
  return (JSON.parse(body.toString('utf8', 0, end)) as number[]).map((size) => body.subarray(at, (at += size)));
}

/** Remove a file if that is possible: in a folder that nobody can write to it is not. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays, and counts as absent.
  }
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Another process may have trimmed it meanwhile: the bytes are in hand.
  }
}

function maxBytes(): number {
  const text = process.env['RAWKERNEL_CACHE_MAX_BYTES'];
  const value = Number(text);
  return text && Number.isFinite(value) && value >= 0 ? value : DEFAULT_MAX_BYTES;
}

/** Remove what was used longest ago until the rest fits. */
function trim(folder: string): void {
  const entries = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    // Another process is still writing a young temporary file.
    const foreign = name.endsWith('.tmp') && stat !== undefined && Date.now() - stat.mtimeMs < STALE_MS;
    return stat && !foreign ? [{ path, size: stat.size, used: stat.mtimeMs }] : [];
  });
  let total = entries.reduce((sum, entry) => sum + entry.size, 0);
  const limit = maxBytes();
  if (total <= limit) return;
  for (const entry of entries.sort((a, b) => a.used - b.used)) {
    rmSync(entry.path, { force: true });
    total -= entry.size;
    if (total <= limit) return;
  }
}
