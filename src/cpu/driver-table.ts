import type { DriverTable } from '../cuda/select.ts';
import { contextFunctions } from './driver/context.ts';
import { copyFunctions } from './driver/copy.ts';
import { deviceFunctions } from './driver/device.ts';
import { functionFunctions } from './driver/function.ts';
import { launchFunctions } from './driver/launch.ts';
import { memoryFunctions } from './driver/memory.ts';
import { moduleFunctions } from './driver/module.ts';
import { DriverState } from './driver/state.ts';
import { streamFunctions } from './driver/stream.ts';
import type { EngineFinding } from './runtime/finding.ts';
import { workerCount } from './runtime/pool.ts';

/** How a device is made; by default as the environment says. */
export interface CpuDriverOptions {
  /** Threads that run kernels; `RAWKERNEL_CPU_WORKERS`, else as many as there are cores. */
  readonly workers?: number;
  /** How long a kernel may run, 0 for ever; `RAWKERNEL_CPU_TIMEOUT_MS`, else for ever. */
  readonly timeoutMs?: number;
  /** Device memory in bytes; half of the machine's, up to 4 GiB. */
  readonly memoryBytes?: number;
  /** Whether kernels go on after a finding. */
  readonly report?: boolean;
}

/**
 * A CUDA driver whose one device is this machine's processor. Each call makes another device, with memory and threads
 * of its own, which it takes when they are first needed.
 */
export function cpuDriver(options: CpuDriverOptions = {}): DriverTable {
  const timeout = Number(process.env['RAWKERNEL_CPU_TIMEOUT_MS'] ?? 0);
  const state = new DriverState(
    {
      workers: options.workers ?? workerCount(),
      timeoutMs: options.timeoutMs ?? (timeout > 0 ? timeout : 0),
      report: options.report ?? false,
    },
    options.memoryBytes,
  );
  const table: DriverTable = {
    ...deviceFunctions(state),
    ...contextFunctions(state),
    ...memoryFunctions(state),
    ...copyFunctions(state),
    ...streamFunctions(state),
    ...moduleFunctions(state),
    ...functionFunctions(state),
    ...launchFunctions(state),
  };
  states.set(table, state);
  return table;
}

const states = new WeakMap<DriverTable, DriverState>();

/**
 * What kernels on a device have done wrong since the last time that somebody asked: traps, failed assertions, findings
 * of the checked mode, oldest first.
 *
 * @param table - of {@link cpuDriver}
 * @returns an empty list for a table of another kind
 */
export function takeFindings(table: DriverTable): readonly EngineFinding[] {
  return states.get(table)?.engine.takeFindings() ?? [];
}
