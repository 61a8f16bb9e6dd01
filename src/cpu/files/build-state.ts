import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDER, LIBRARY_FOLDER } from './folders.ts';

const FILE = join(BUILD_FOLDER, 'cpu', 'build-state');

/** Declarations, source maps, and the last product of the build. */
const DERIVED = /\.d\.ts$|\.map$|^build-state$|^[\da-f]{64}$/;

let state: string | undefined;

/**
 * A digest of all files that affect the output of the device's compiler: neither the version nor file times identify a
 * working copy. The build stores the digest.
 */
export function buildState(): string {
  if (state !== undefined) return state;
  try {
    // Sources change between two builds.
    if (!import.meta.url.endsWith('.ts')) state = readFileSync(FILE, 'utf8');
  } catch {
    // The build is not complete.
  }
  return (state ??= digest());
}

/** Part of the package's build, after the code was written. */
export function writeBuildState(): void {
  writeFileSync(FILE, digest());
}

function digest(): string {
  const hash = createHash('sha256');
  const folders = [LIBRARY_FOLDER, join(BUILD_FOLDER, 'cpu'), join(BUILD_FOLDER, 'chunks')];
  for (const path of folders.flatMap(filesOf)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !DERIVED.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
