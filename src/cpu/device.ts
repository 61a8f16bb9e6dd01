import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DriverTable, NvrtcTable } from '../cuda/select.ts';
import { compileCuda, compileCudaLater } from './compiler/client.ts';
import { LIBRARY_FOLDER } from './compiler/headers.ts';
import { PEERS } from './compiler/toolchain.ts';
import { cpuDriver, currentCheckMode } from './driver-table.ts';
import { cpuNvrtc } from './nvrtc-table.ts';
import type { CpuProgram } from './program.ts';
import { workerFile } from './worker-file.ts';

let device: DriverTable | undefined;
let compiler: NvrtcTable | undefined;

/** The CUDA driver of this process's embedded device. */
export function driver(): DriverTable {
  device ??= cpuDriver();
  return device;
}

/** NVRTC for the embedded device. */
export function nvrtc(): NvrtcTable {
  compiler ??= cpuNvrtc({ compile: compileCuda, compileLater: compileCudaLater }, checks);
  return compiler;
}

/** What programs that are compiled now look for. */
function checks(): CpuProgram['checked'] {
  return currentCheckMode(driver())?.checks ?? false;
}

let version: string | undefined;

/** What decides how a source compiles besides its text and its options: the cache's key has it. */
export function compilerVersion(): string {
  const code = dirname(fileURLToPath(workerFile('compiler/worker')));
  version ??= `CPU device, ${PEERS}, ${digest([LIBRARY_FOLDER, code, fileURLToPath(workerFile('program'))])}`;
  return `${version}, checks: ${checks()}`;
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
