import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { CHECKS } from '../core/kernel-report.ts';
import { withChecks } from '../ffi/bind.ts';
import type { OpenCLTable } from '../opencl/select.ts';
import { functions } from '../opencl/sys/opencl.ts';
import { compileOpenCL, compileOpenCLLater } from './compiler/client.ts';
import { OPENCL_EXTENSIONS, OPENCL_FEATURES } from './compiler/opencl/features.ts';
import { openCLOptions } from './compiler/opencl/options.ts';
import { environmentCheckMode } from './check-mode.ts';
import { toolVersion } from './compiler-version.ts';
import { isEmbeddedHandle } from './opencl/object.ts';
import { mergedTable } from './opencl/router.ts';
import { cpuOpenCL, type CheckedOpenCL } from './opencl-table.ts';

export { isEmbeddedHandle };

let table: CheckedOpenCL | undefined;

/**
 * The OpenCL functions of this process's embedded platform.
 *
 * @param hot - functions whose callers check the arguments
 */
export function opencl(hot: readonly string[]): CheckedOpenCL {
  if (table) return table;
  const raw = cpuOpenCL({
    compiler: {
      version: driverVersion,
      extensions: OPENCL_EXTENSIONS,
      features: OPENCL_FEATURES,
      options: openCLOptions,
      compile: compileOpenCL,
      compileLater: compileOpenCLLater,
    },
  });
  return (table = Object.assign(withChecks(functions, raw, hot), { [CHECKS]: raw[CHECKS] }));
}

/** The installed implementations, and the embedded platform behind them. */
export function openclBehind(native: OpenCLTable, hot: readonly string[]): CheckedOpenCL {
  const embedded = opencl(hot);
  return Object.assign(mergedTable(native, embedded), { [CHECKS]: embedded[CHECKS] });
}

/** The package's version, and what tells one compiler from another: binaries are good for one. */
function driverVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };
  const state = `${toolVersion()}, checks: ${environmentCheckMode()?.checks ?? 'none'}`;
  return `${version} (${createHash('sha256').update(state).digest('hex').slice(0, 12)})`;
}
