import { checkInteger } from '../core/check.ts';
import { readChoice } from '../core/choice.ts';
import { list, uintAt, wideAt, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { attempt, isOneFailure } from './errors.ts';
import { structs } from './sys/structs.ts';
import { processName } from './system.ts';

/** What a process does with a device. `'mps'`: computes as a client of the MPS server. */
export type ProcessKind = 'compute' | 'graphics' | 'mps';

/** A process that uses a device. */
export interface GpuProcess {
  readonly pid: number;
  /** Its path and arguments; undefined where it is gone, or someone else's. */
  readonly name: string | undefined;
  readonly kinds: readonly ProcessKind[];
  /** Memory of the device in bytes; undefined where the driver cannot tell, as on Windows. */
  readonly usedBytes: number | undefined;
  /** On a device in MIG mode: the parts that it runs on. */
  readonly gpuInstanceId: number | undefined;
  readonly computeInstanceId: number | undefined;
}

/** What a process made of a device, in percent of a sampling period. */
export interface ProcessUtilization {
  readonly pid: number;
  /** When it was measured, in microseconds since 1970. */
  readonly timestampUs: number;
  readonly smPercent: number;
  readonly memoryPercent: number;
  readonly encoderPercent: number;
  readonly decoderPercent: number;
}

type Mutable = { -readonly [Key in keyof GpuProcess]: GpuProcess[Key] } & { kinds: ProcessKind[] };

const QUERIES = {
  compute: 'nvmlDeviceGetComputeRunningProcesses',
  graphics: 'nvmlDeviceGetGraphicsRunningProcesses',
  mps: 'nvmlDeviceGetMPSComputeRunningProcesses',
} as const;
const KINDS = { compute: 0, graphics: 1, mps: 2 };

/** Those of one kind, or of all kinds that the device knows. A process of several kinds is listed once. */
export function processesOf(device: RawDevice, kind?: ProcessKind): GpuProcess[] {
  if (kind !== undefined) readChoice(kind, KINDS, 'Device.processes: kind');
  const found = new Map<string, Mutable>();
  let refused: unknown;
  let answers = 0;
  for (const each of kind === undefined ? (Object.keys(QUERIES) as ProcessKind[]) : [kind]) {
    try {
      for (const process of ofKind(device, each)) merge(found, process);
      answers++;
    } catch (error) {
      if (!isOneFailure(error)) throw error;
      refused ??= error;
    }
  }
  if (answers === 0) throw refused;
  return [...found.values()].map((process) => ({ ...process, name: attempt(() => processName(process.pid)) }));
}

function ofKind(device: RawDevice, kind: ProcessKind): Mutable[] {
  const { size, fields } = structs.nvmlProcessInfo_t;
  return list(
    QUERIES[kind],
    size,
    (count, room) => nv[QUERIES[kind]](device, count, room),
    (view) => ({
      pid: view.getUint32(fields.pid, true),
      name: undefined,
      kinds: [kind],
      usedBytes: wideAt(view, fields.usedGpuMemory),
      gpuInstanceId: uintAt(view, fields.gpuInstanceId),
      computeInstanceId: uintAt(view, fields.computeInstanceId),
    }),
  );
}

function merge(found: Map<string, Mutable>, process: Mutable): void {
  const key = [process.pid, process.gpuInstanceId, process.computeInstanceId].join();
  const known = found.get(key);
  if (known === undefined) {
    found.set(key, process);
    return;
  }
  for (const kind of process.kinds) if (!known.kinds.includes(kind)) known.kinds.push(kind);
  // Each list has the whole of the process's memory.
  if (process.usedBytes !== undefined) known.usedBytes = Math.max(known.usedBytes ?? 0, process.usedBytes);
}

/** The samples that the driver has taken since a time; the newest of each process alone. */
export function processUtilizationOf(device: RawDevice, sinceUs: number): ProcessUtilization[] {
  const since = checkInteger(sinceUs, 'Device.processUtilization: sinceUs');
  const { size, fields } = structs.nvmlProcessUtilizationSample_t;
  const samples = list(
    'nvmlDeviceGetProcessUtilization',
    size,
    (count, room) => nv.nvmlDeviceGetProcessUtilization(device, room, count, since),
    (view) => ({
      pid: view.getUint32(fields.pid, true),
      timestampUs: Number(view.getBigUint64(fields.timeStamp, true)),
      smPercent: view.getUint32(fields.smUtil, true),
      memoryPercent: view.getUint32(fields.memUtil, true),
      encoderPercent: view.getUint32(fields.encUtil, true),
      decoderPercent: view.getUint32(fields.decUtil, true),
    }),
  );
  const newest = new Map<number, ProcessUtilization>();
  for (const sample of samples) {
    // The driver leaves room that it does not fill.
    if (sample.timestampUs === 0) continue;
    const known = newest.get(sample.pid);
    if (known === undefined || known.timestampUs < sample.timestampUs) newest.set(sample.pid, sample);
  }
  return [...newest.values()];
}
