import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverTable, NvrtcTable } from '../cuda/select.ts';
import { compileCuda, compileCudaLater } from './compiler/client.ts';
import { LIBRARY_FOLDER } from './compiler/headers.ts';
import { PEERS } from './compiler/toolchain.ts';
import { cpuDriver } from './driver-table.ts';
import { cpuNvrtc } from './nvrtc-table.ts';

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
  const names = readdirSync(LIBRARY_FOLDER, { recursive: true, encoding: 'utf8' }).sort();
  const stamps = names.map((name) => {
    const { size, mtimeMs } = statSync(join(LIBRARY_FOLDER, name));
    return `${name} ${size} ${mtimeMs}`;
  });
  return ['CPU device', JSON.stringify(PEERS), ...stamps].join('\n');
}
