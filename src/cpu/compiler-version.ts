import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIBRARY_FOLDER } from './compiler/headers.ts';
import { PEERS } from './compiler/toolchain.ts';
import { workerFile } from './worker-file.ts';

let version: string | undefined;

/** Tells one state of the compiler and its library from another. */
export function toolVersion(): string {
  const code = dirname(fileURLToPath(workerFile('compiler/worker')));
  version ??= `CPU device, ${PEERS}, ${digest([LIBRARY_FOLDER, code, fileURLToPath(workerFile('program'))])}`;
  return version;
}

/** A digest of files and folders: of a working copy, neither a version nor times tell the state. */
function digest(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:d\.ts|map)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
