import { cpuDevicesVariable } from '../core/environment.ts';
import type { DriverTable, NvrtcTable } from '../cuda/sys/tables.ts';
import { bringKernels } from './files/brought-kernels.ts';
import { buildState } from './files/build-state.ts';
import { compileCuda, compileCudaLater } from './compiler/client.ts';
import { PEERS } from './compiler/toolchain.ts';
import { cpuDriver, currentCheckMode } from './driver-table.ts';
import { cpuNvrtc } from './nvrtc-table.ts';
import { PROCESS } from './reports/process-end.ts';
import { orderSeed } from './abi/order.ts';
import { decodeProgram, type CpuProgram } from './abi/program.ts';

let device: DriverTable | undefined;
let compiler: NvrtcTable | undefined;

/** The CUDA driver of this process's embedded device. */
export function driver(): DriverTable {
  device ??= cpuDriver({ host: PROCESS });
  return device;
}

/** NVRTC for the embedded device. */
export function nvrtc(): NvrtcTable {
  bringKernels();
  compiler ??= cpuNvrtc({ compile: compileCuda, compileLater: compileCudaLater }, checks);
  return compiler;
}

/** The checks of programs that are compiled now. */
function checks(): CpuProgram['checked'] {
  return currentCheckMode(driver())?.checks ?? false;
}

/** A part of the cache key: everything that affects a compilation besides source and options. */
export function compilerVersion(): string {
  const order = orderSeed() === undefined ? '' : ', shuffled';
  const peers = cpuDevicesVariable() > 1 ? ', peers' : '';
  return `CPU device, ${PEERS}, ${buildState()}, checks: ${checks()}${order}${peers}`;
}

/** The WebAssembly in a program's image; undefined for a relocatable program and for any other image. */
export function wasmOf(image: Uint8Array): Uint8Array | undefined {
  const code = decodeProgram(image)?.wasm;
  return code?.length === 0 ? undefined : code;
}
