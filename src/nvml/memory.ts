import { record, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { orElse } from './errors.ts';
import { structs, structVersions } from './sys/structs.ts';

/** The memory of a device, in bytes. */
export interface MemoryInfo {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Allocated; without what the driver keeps for itself, where that is known. */
  readonly usedBytes: number;
  /** What the driver and the firmware keep for themselves; undefined before driver 510. */
  readonly reservedBytes: number | undefined;
}

/** The memory of a device that the host can address, in bytes. */
export interface Bar1MemoryInfo {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly usedBytes: number;
}

const v2 = structs.nvmlMemory_v2_t;
const v1 = structs.nvmlMemory_t;

/** What nvmlDeviceGetMemoryInfo says, in the newest version that the driver has. */
export function memoryInfo(device: RawDevice): MemoryInfo {
  return orElse(
    () => memoryInfoV2(device),
    () => memoryInfoV1(device),
  );
}

function memoryInfoV2(device: RawDevice): MemoryInfo {
  const view = record(v2, (out) => {
    out.setUint32(v2.fields.version, structVersions.nvmlMemory_v2, true);
    nv.nvmlDeviceGetMemoryInfo_v2(device, out);
  });
  const { total, free, used, reserved } = v2.fields;
  return { ...read(view, total, free, used), reservedBytes: at(view, reserved) };
}

function memoryInfoV1(device: RawDevice): MemoryInfo {
  const view = record(v1, (out) => nv.nvmlDeviceGetMemoryInfo(device, out));
  const { total, free, used } = v1.fields;
  return { ...read(view, total, free, used), reservedBytes: undefined };
}

/** What nvmlDeviceGetBAR1MemoryInfo says. */
export function bar1MemoryInfo(device: RawDevice): Bar1MemoryInfo {
  const { bar1Total, bar1Free, bar1Used } = structs.nvmlBAR1Memory_t.fields;
  const view = record(structs.nvmlBAR1Memory_t, (out) => nv.nvmlDeviceGetBAR1MemoryInfo(device, out));
  return read(view, bar1Total, bar1Free, bar1Used);
}

function read(view: DataView, total: number, free: number, used: number): Bar1MemoryInfo {
  return { totalBytes: at(view, total), freeBytes: at(view, free), usedBytes: at(view, used) };
}

function at(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}
