import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DriverTable, NvrtcTable } from '../cuda/select.ts';
import { compileCuda, compileCudaLater } from './compiler/client.ts';
import { LIBRARY_FOLDER } from './compiler/headers.ts';
import { PEERS } from './compiler/toolchain.ts';
import { cpuDriver } from './driver-table.ts';
import { cpuNvrtc } from './nvrtc-table.ts';
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
  compiler ??= cpuNvrtc({ compile: compileCuda, compileLater: compileCudaLater });
  return compiler;
}

/** What decides how a source compiles besides its text and its options: the cache's key has it. */
export function compilerVersion(): string {
  const folders = [LIBRARY_FOLDER, dirname(fileURLToPath(workerFile('compiler/worker')))];
  return ['CPU device', JSON.stringify(PEERS), ...folders.flatMap(stampsOf)].join('\n');
}

/** What changes when a file of a folder does. */
function stampsOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
