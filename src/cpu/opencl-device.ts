import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compileOpenCL, compileOpenCLLater } from './compiler/client.ts';
import { OPENCL_EXTENSIONS, OPENCL_FEATURES } from './compiler/opencl/features.ts';
import { openCLOptions } from './compiler/opencl/options.ts';
import { bringKernels } from './files/brought-kernels.ts';
import { buildState } from './files/build-state.ts';
import { environmentCheckMode } from '../core/check-mode.ts';
import { hasToolchain, PEERS } from './compiler/toolchain.ts';
import { PACKAGE_FILE } from './files/folders.ts';
import { withCache } from './opencl/cached-compiler.ts';
import { PROCESS } from './reports/process-end.ts';
import { orderSeed } from './abi/order.ts';
import { cpuOpenCL, type CheckedOpenCL } from './opencl-table.ts';

let table: CheckedOpenCL | undefined;

/** The OpenCL functions of this process's embedded platform. */
export function opencl(): CheckedOpenCL {
  bringKernels();
  table ??= cpuOpenCL({
    host: PROCESS,
    compiler: withCache({
      version: driverVersion,
      available: hasToolchain,
      extensions: OPENCL_EXTENSIONS,
      features: OPENCL_FEATURES,
      options: openCLOptions,
      compile: compileOpenCL,
      compileLater: compileOpenCLLater,
    }),
  });
  return table;
}

/** The package's version, with a digest of the compiler and its settings: a binary is valid for one of them only. */
function driverVersion(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string };
  const order = orderSeed() === undefined ? '' : ', shuffled';
  const state = `${PEERS}, ${buildState()}, checks: ${environmentCheckMode()?.checks ?? 'none'}${order}`;
  return `${version} (${createHash('sha256').update(state).digest('hex').slice(0, 12)})`;
}
