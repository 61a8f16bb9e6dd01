import { bits, pair, uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { attempt, NvmlError, nvmlError } from './errors.ts';
import { status } from './sys/enums.ts';

/** Whether a device is cut into parts, multi-instance GPU. */
export interface MigMode {
  readonly enabled: boolean;
  /** The same, after the next reset. */
  readonly pendingEnabled: boolean;
  /** The most parts that there can be. */
  readonly maxDeviceCount: number;
}

/** What nvmlDeviceGetMigMode says. */
export function migModeOf(device: RawDevice): MigMode {
  const [current, pending] = pair((now, later) => nv.nvmlDeviceGetMigMode(device, now, later));
  return { enabled: current === 1, pendingEnabled: pending === 1, maxDeviceCount: maxCount(device) };
}

/** The parts that there are. */
export function migDevicesOf(device: RawDevice): RawDevice[] {
  return Array.from({ length: maxCount(device) }, (_, index) =>
    // Numbers without a part lie between those with one.
    attempt(() => bits((out) => nv.nvmlDeviceGetMigDeviceHandleByIndex(device, index, out)) as RawDevice),
  ).filter((part) => part !== undefined);
}

const [INVALID_ARGUMENT] = status.NVML_ERROR_INVALID_ARGUMENT;
const [NOT_SUPPORTED] = status.NVML_ERROR_NOT_SUPPORTED;

/** What only a part has. Of a whole device drivers call the argument wrong. */
export function ofPart<T>(routine: string, query: () => T): T {
  try {
    return query();
  } catch (error) {
    if (!(error instanceof NvmlError) || error.status !== INVALID_ARGUMENT) throw error;
    throw nvmlError(routine, NOT_SUPPORTED, { reason: 'This is a whole device, not a part of one (MIG)' });
  }
}

function maxCount(device: RawDevice): number {
  return uint((out) => nv.nvmlDeviceGetMaxMigDeviceCount(device, out));
}
