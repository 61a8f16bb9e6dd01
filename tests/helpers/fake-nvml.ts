import type { NvmlTable } from '../../src/nvml/sys/tables.ts';
import { functions } from '../../src/nvml/sys/nvml.ts';
import { structs } from '../../src/nvml/sys/structs.ts';
import { numbers, put, putList, putText, view, write32, write64, type Out } from './fake-nvml-answer.ts';
import { fakeGpu, type FakeGpu } from './fake-gpu.ts';
import { strictTable } from './strict-table.ts';

export interface FakeNvml {
  readonly table: NvmlTable;
  readonly gpus: readonly FakeGpu[];
  /** Routine → the status that it answers, without doing anything. */
  readonly fail: Map<string, number>;
  /** Routines in the order in which they were called. */
  readonly calls: string[];
  /** How often it was started and not ended. */
  started: number;
  /** Event sets that live, by their handles: what they collect. */
  readonly sets: Map<bigint, { readonly registered: [gpu: bigint, types: bigint][] }>;
  /** What comes next out of any set. */
  readonly events: { readonly gpu: bigint; readonly type: bigint; readonly data: bigint }[];
  /** What the processes are called. */
  readonly names: Map<number, string>;
}

const SUCCESS = 0;
const UNINITIALIZED = 1;
const INVALID_ARGUMENT = 2;
const NOT_SUPPORTED = 3;
const NOT_FOUND = 6;
const INSUFFICIENT_SIZE = 7;
const TIMEOUT = 10;
const NONE = 0xffff_ffff;
const VERSION_2 = structs.nvmlMemory_v2_t.size | (2 << 24);

/** NVML over a machine of two GPUs that are numbers in memory: what is set can be asked for. */
export function fakeNvml(): FakeNvml {
  const gpus = [fakeGpu(0), fakeGpu(1)];
  let next = 0x5000n;
  const fake: FakeNvml = {
    gpus,
    fail: new Map(),
    calls: [],
    started: 0,
    sets: new Map(),
    events: [],
    names: new Map([[100, '/usr/bin/train']]),
    table: undefined as unknown as NvmlTable,
  };

  /** The functions of a device: they get the device, and NVML's answer to a wrong handle is theirs. */
  const on =
    (call: (gpu: FakeGpu, ...args: never[]) => number) =>
    (raw: bigint, ...args: never[]): number => {
      const gpu = gpus.find(({ handle, parts }) => handle === raw || parts.some((part) => part.handle === raw));
      return gpu === undefined ? INVALID_ARGUMENT : call(gpu, ...args);
    };
  const get = (read: (gpu: FakeGpu) => number | bigint | undefined): ((raw: bigint, out: Out) => number) =>
    on((gpu, out: Out) => put([out, read(gpu)])) as (raw: bigint, out: Out) => number;
  const getText = (read: (gpu: FakeGpu) => string | undefined): ((raw: bigint, out: Out, length: number) => number) =>
    on((gpu, out: Out, length: number) => putText(out, length, read(gpu))) as never;
  const find = (out: Out, found: FakeGpu | undefined): number =>
    found === undefined ? NOT_FOUND : put([out, found.handle]);
  const set = <T>(write: (gpu: FakeGpu, ...values: T[]) => void): ((raw: bigint, ...values: T[]) => number) =>
    on((gpu, ...values: never[]) => {
      write(gpu, ...(values as T[]));
      return SUCCESS;
    }) as never;
  const processes = (kind: 'compute' | 'graphics' | 'mps'): unknown =>
    on((gpu, count: Uint32Array, out: Out) => {
      const { size, fields } = structs.nvmlProcessInfo_t;
      return putList(count, out, gpu.processes[kind], ({ pid, bytes }, i) => {
        write32(out, [
          [i * size + fields.pid, pid],
          [i * size + fields.gpuInstanceId, NONE],
          [i * size + fields.computeInstanceId, NONE],
        ]);
        write64(out, [[i * size + fields.usedGpuMemory, bytes ?? 0xffff_ffff_ffff_ffffn]]);
      });
    });

  const { nvmlMemory_v2_t: memory2, nvmlMemory_t: memory1, nvmlBAR1Memory_t: bar1, nvmlPciInfo_t: pci } = structs;
  const putPci = (out: Out, gpu: FakeGpu): number => {
    new Uint8Array(view(out).buffer).set(new TextEncoder().encode(gpu.busId), pci.fields.busId);
    return write32(out, [
      [pci.fields.bus, gpu.bus],
      [pci.fields.pciDeviceId, 0x233010de],
    ]);
  };

  const calls: Record<string, unknown> = {
    nvmlInitWithFlags: () => {
      fake.started++;
      return SUCCESS;
    },
    nvmlShutdown: () => {
      fake.started--;
      return SUCCESS;
    },
    nvmlSystemGetDriverVersion: (out: Out, length: number) => putText(out, length, '580.65.06'),
    nvmlSystemGetNVMLVersion: (out: Out, length: number) => putText(out, length, '13.580.65.06'),
    nvmlSystemGetCudaDriverVersion: (out: Out) => put([out, 13_010]),
    nvmlSystemGetProcessName: (pid: number, out: Out, length: number) =>
      fake.names.has(pid) ? putText(out, length, fake.names.get(pid)) : NOT_FOUND,

    nvmlDeviceGetCount: (out: Out) => put([out, gpus.length]),
    nvmlDeviceGetHandleByIndex: (index: number, out: Out) =>
      gpus[index] ? put([out, gpus[index].handle]) : INVALID_ARGUMENT,
    nvmlDeviceGetHandleBySerial: (serial: string, out: Out) =>
      find(
        out,
        gpus.find((gpu) => gpu.serial === serial),
      ),
    nvmlDeviceGetHandleByUUID: (uuid: string, out: Out) =>
      find(
        out,
        gpus.find((gpu) => gpu.uuid === uuid),
      ),
    nvmlDeviceGetHandleByPciBusId: (busId: string, out: Out) =>
      find(
        out,
        gpus.find((gpu) => gpu.busId.endsWith(busId.toUpperCase())),
      ),
    nvmlDeviceGetName: getText((gpu) => gpu.name),
    nvmlDeviceGetBrand: get(() => 14),
    nvmlDeviceGetIndex: get((gpu) => gpus.indexOf(gpu)),
    nvmlDeviceGetSerial: getText((gpu) => gpu.serial),
    nvmlDeviceGetUUID: getText((gpu) => gpu.uuid),
    nvmlDeviceGetMinorNumber: get((gpu) => gpus.indexOf(gpu)),
    nvmlDeviceGetBoardPartNumber: getText(() => '699-2G520'),
    nvmlDeviceGetVbiosVersion: getText(() => '96.00.74'),
    nvmlDeviceGetArchitecture: get((gpu) => gpu.architecture),
    nvmlDeviceGetCudaComputeCapability: on((_gpu, major: Out, minor: Out) => put([major, 9], [minor, 0])),
    nvmlDeviceGetNumGpuCores: get(() => 16_896),
    nvmlDeviceGetMemoryBusWidth: get(() => 5120),
    nvmlDeviceGetPciInfo: on((gpu, out: Out) => putPci(out, gpu)),

    nvmlDeviceGetMemoryInfo: on((gpu, out: Out) =>
      write64(out, [
        [memory1.fields.total, gpu.memory.total],
        [memory1.fields.free, gpu.memory.total - gpu.memory.used - gpu.memory.reserved],
        [memory1.fields.used, gpu.memory.used + gpu.memory.reserved],
      ]),
    ),
    nvmlDeviceGetMemoryInfo_v2: on((gpu, out: Out) =>
      view(out).getUint32(0, true) === VERSION_2
        ? write64(out, [
            [memory2.fields.total, gpu.memory.total],
            [memory2.fields.reserved, gpu.memory.reserved],
            [memory2.fields.free, gpu.memory.total - gpu.memory.used - gpu.memory.reserved],
            [memory2.fields.used, gpu.memory.used],
          ])
        : 25,
    ),
    nvmlDeviceGetBAR1MemoryInfo: on((_gpu, out: Out) =>
      write64(out, [
        [bar1.fields.bar1Total, 1000],
        [bar1.fields.bar1Free, 990],
        [bar1.fields.bar1Used, 10],
      ]),
    ),
    nvmlDeviceGetUtilizationRates: on((gpu, out: Out) =>
      write32(out, [
        [0, gpu.utilization.gpu],
        [4, gpu.utilization.memory],
      ]),
    ),
    nvmlDeviceGetEncoderUtilization: on((_gpu, used: Out, period: Out) => put([used, 5], [period, 167_000])),
    nvmlDeviceGetDecoderUtilization: on((_gpu, used: Out, period: Out) => put([used, 7], [period, 167_000])),
    nvmlDeviceGetEncoderStats: on((_gpu, sessions: Out, fps: Out, latency: Out) =>
      put([sessions, 2], [fps, 60], [latency, 900]),
    ),
    nvmlDeviceGetProcessUtilization: on((gpu, out: Out, count: Uint32Array, since: number) => {
      const { size, fields } = structs.nvmlProcessUtilizationSample_t;
      const samples = gpu.samples.filter(({ timeUs }) => timeUs === 0 || timeUs > since);
      if (samples.length === 0) return NOT_FOUND;
      return putList(count, out, samples, ({ pid, timeUs, sm }, i) => {
        write64(out, [[i * size + fields.timeStamp, timeUs]]);
        write32(out, [
          [i * size + fields.pid, pid],
          [i * size + fields.smUtil, sm],
          [i * size + fields.memUtil, 3],
          [i * size + fields.encUtil, 0],
          [i * size + fields.decUtil, 1],
        ]);
      });
    }),
    nvmlDeviceGetSamples: on((gpu, type: number, since: number, kind: Out, count: Uint32Array, out: Out) => {
      const { size, fields } = structs.nvmlSample_t;
      put([kind, 1]);
      if (type > 1) return NOT_SUPPORTED;
      const taken = gpu.samples.filter(({ timeUs }) => timeUs > since);
      if (taken.length === 0) return NOT_FOUND;
      if (typeof out === 'bigint') {
        // The room that there is, with success.
        count[0] = 120;
        return SUCCESS;
      }
      count[0] = taken.length;
      taken.forEach(({ timeUs, sm }, i) => {
        write64(out, [[i * size + fields.timeStamp, timeUs]]);
        write32(out, [[i * size + fields.sampleValue, type === 0 ? sm * 1000 : sm]]);
      });
      return SUCCESS;
    }),
    nvmlDeviceGetTemperature: on((gpu, sensor: number, out: Out) =>
      sensor === 0 ? put([out, gpu.celsius]) : INVALID_ARGUMENT,
    ),
    nvmlDeviceGetTemperatureThreshold: on((_gpu, threshold: number, out: Out) =>
      put([out, [95, 90, 105, 87][threshold]]),
    ),
    nvmlDeviceGetFanSpeed: on((gpu, fan: number, out: Out) =>
      fan < gpu.fans.length ? put([out, gpu.fans[fan]]) : INVALID_ARGUMENT,
    ),
    nvmlDeviceGetNumFans: get((gpu) => gpu.fans.length),
    nvmlDeviceGetPerformanceState: get((gpu) => gpu.performanceState),
    nvmlDeviceGetPowerUsage: get((gpu) => gpu.milliwatts),
    nvmlDeviceGetPowerManagementLimit: get((gpu) => gpu.limitMilliwatts),
    nvmlDeviceGetPowerManagementLimitConstraints: on((_gpu, min: Out, max: Out) => put([min, 200_000], [max, 700_000])),
    nvmlDeviceGetPowerManagementDefaultLimit: get(() => 700_000),
    nvmlDeviceGetEnforcedPowerLimit: get((gpu) => gpu.limitMilliwatts),
    nvmlDeviceGetTotalEnergyConsumption: get((gpu) => gpu.millijoules),
    nvmlDeviceGetClockInfo: on((gpu, type: number, out: Out) => put([out, gpu.clocks[type]])),
    nvmlDeviceGetMaxClockInfo: on((gpu, type: number, out: Out) => put([out, gpu.maxClocks[type]])),
    nvmlDeviceGetClock: on((gpu, type: number, id: number, out: Out) =>
      id === 1 ? put([out, gpu.applicationClocks[type]]) : id === 2 ? put([out, gpu.maxClocks[type]]) : NOT_SUPPORTED,
    ),
    nvmlDeviceGetApplicationsClock: on((gpu, type: number, out: Out) => put([out, gpu.applicationClocks[type]])),
    nvmlDeviceGetSupportedMemoryClocks: on((_gpu, count: Uint32Array, out: Out) => numbers(count, out, [2619, 1593])),
    nvmlDeviceGetSupportedGraphicsClocks: on((_gpu, memory: number, count: Uint32Array, out: Out) =>
      memory === 2619 ? numbers(count, out, [1980, 1965, 1950]) : NOT_FOUND,
    ),
    nvmlDeviceGetCurrentClocksThrottleReasons: get((gpu) => gpu.throttle),
    nvmlDeviceGetSupportedClocksThrottleReasons: get(() => 0x1ffn),
    nvmlDeviceGetCurrentClocksEventReasons: get((gpu) => gpu.throttle),
    nvmlDeviceGetSupportedClocksEventReasons: get(() => 0xffn),
    nvmlDeviceGetMaxPcieLinkGeneration: get(() => 5),
    nvmlDeviceGetMaxPcieLinkWidth: get(() => 16),
    nvmlDeviceGetCurrPcieLinkGeneration: get(() => 4),
    nvmlDeviceGetCurrPcieLinkWidth: get(() => 8),
    nvmlDeviceGetPcieThroughput: on((_gpu, counter: number, out: Out) => put([out, counter === 0 ? 100 : 200])),
    nvmlDeviceGetPcieReplayCounter: get(() => 2),
    nvmlDeviceGetEccMode: on((gpu, now: Out, later: Out) => put([now, gpu.ecc], [later, 1])),
    nvmlDeviceGetTotalEccErrors: on((gpu, error: number, counter: number, out: Out) =>
      put([out, gpu.errors[error * 2 + counter]]),
    ),
    nvmlDeviceGetMemoryErrorCounter: on((_gpu, _error: number, _counter: number, place: number, out: Out) =>
      place === 2 ? put([out, 3n]) : NOT_SUPPORTED,
    ),
    nvmlDeviceGetRetiredPages: on((_gpu, cause: number, count: Uint32Array, out: Out) =>
      numbers(count, out, cause === 1 ? [0x1000n, 0x7fff_ffff_f000n] : []),
    ),
    nvmlDeviceGetRetiredPagesPendingStatus: get(() => 0),
    nvmlDeviceGetRemappedRows: on((_gpu, corrected: Out, uncorrected: Out, pending: Out, failed: Out) =>
      put([corrected, 1], [uncorrected, 2], [pending, 1], [failed, 0]),
    ),
    nvmlDeviceGetComputeRunningProcesses: processes('compute'),
    nvmlDeviceGetGraphicsRunningProcesses: processes('graphics'),
    nvmlDeviceGetMPSComputeRunningProcesses: processes('mps'),
    nvmlDeviceGetPersistenceMode: get((gpu) => gpu.persistence),
    nvmlDeviceGetComputeMode: get((gpu) => gpu.computeMode),
    nvmlDeviceGetDisplayMode: get(() => 0),
    nvmlDeviceGetDisplayActive: get(() => 1),
    nvmlDeviceGetTopologyCommonAncestor: (_one: bigint, _other: bigint, out: Out) => put([out, 40]),
    nvmlDeviceGetP2PStatus: (_one: bigint, _other: bigint, index: number, out: Out) => put([out, index === 0 ? 0 : 1]),
    nvmlDeviceGetCpuAffinity: on((_gpu, size: number, out: Out) => {
      if (size < 2) return INSUFFICIENT_SIZE;
      return write64(out, [
        [0, 0b1011n],
        [8, 1n],
      ]);
    }),
    nvmlDeviceOnSameBoard: (one: bigint, other: bigint, out: Out) => put([out, one === other ? 1 : 0]),
    nvmlDeviceGetFieldValues: on((gpu, count: number, out: Out) => {
      const { size, fields } = structs.nvmlFieldValue_t;
      // As driver 580 does: behind the last one.
      view(out).setBigUint64(count * size, ~0n);
      for (let i = 0; i < count; i++) {
        const at = i * size;
        const [type, value] = gpu.fields.get(view(out).getUint32(at + fields.fieldId, true)) ?? [1, undefined];
        write64(out, [[at + fields.timestamp, 1_700_000_000_000_000]]);
        write32(out, [
          [at + fields.valueType, type],
          [at + fields.nvmlReturn, value === undefined ? NOT_SUPPORTED : SUCCESS],
        ]);
        if (value === undefined) continue;
        if (type === 0) view(out).setFloat64(at + fields.value, Number(value), true);
        else view(out).setBigInt64(at + fields.value, BigInt(value), true);
      }
      return SUCCESS;
    }),
    nvmlDeviceGetMigMode: on((gpu, now: Out, later: Out) =>
      put([now, gpu.parts.length > 0 ? 1 : 0], [later, gpu.parts.length > 0 ? 1 : 0]),
    ),
    nvmlDeviceGetMaxMigDeviceCount: get(() => 7),
    nvmlDeviceGetMigDeviceHandleByIndex: on((gpu, index: number, out: Out) => {
      const part = gpu.parts.find((each) => each.index === index);
      return part ? put([out, part.handle]) : NOT_FOUND;
    }),
    nvmlDeviceGetDeviceHandleFromMigDeviceHandle: (raw: bigint, out: Out) => {
      const parent = gpus.find(({ parts }) => parts.some(({ handle }) => handle === raw));
      return parent ? put([out, parent.handle]) : INVALID_ARGUMENT;
    },
    nvmlDeviceIsMigDeviceHandle: (raw: bigint, out: Out) =>
      put([out, gpus.some(({ handle }) => handle === raw) ? 0 : 1]),
    nvmlDeviceGetGpuInstanceId: on((gpu, out: Out) => (gpu.parts.length > 0 ? put([out, 4]) : INVALID_ARGUMENT)),
    nvmlDeviceGetComputeInstanceId: on((gpu, out: Out) => (gpu.parts.length > 0 ? put([out, 0]) : INVALID_ARGUMENT)),
    nvmlDeviceGetViolationStatus: on((_gpu, policy: number, out: Out) =>
      write64(out, [
        [0, 1_700_000_000_000_000],
        [8, policy === 1 ? 5000 : 0],
      ]),
    ),
    nvmlDeviceGetAccountingMode: get((gpu) => gpu.accounting),
    nvmlDeviceGetAccountingPids: on((_gpu, count: Uint32Array, out: Out) => numbers(count, out, [100])),
    nvmlDeviceGetAccountingStats: on((_gpu, pid: number, out: Out) => {
      const { fields } = structs.nvmlAccountingStats_t;
      if (pid !== 100) return NOT_FOUND;
      write32(out, [
        [fields.gpuUtilization, 55],
        [fields.memoryUtilization, NONE],
        [fields.isRunning, 1],
      ]);
      return write64(out, [
        [fields.maxMemoryUsage, 4096],
        [fields.startTime, 1_700_000_000_000_000],
      ]);
    }),

    nvmlDeviceGetNvLinkState: on((gpu, link: number, out: Out) =>
      link < gpu.links.length ? put([out, gpu.links[link]]) : INVALID_ARGUMENT,
    ),
    nvmlDeviceGetNvLinkVersion: on((_gpu, _link: number, out: Out) => put([out, 6])),
    nvmlDeviceGetNvLinkCapability: on((_gpu, _link: number, capability: number, out: Out) =>
      put([out, capability === 0 || capability === 5 ? 1 : 0]),
    ),
    nvmlDeviceGetNvLinkRemotePciInfo: on((gpu, _link: number, out: Out) => putPci(out, gpu)),
    nvmlDeviceGetNvLinkRemoteDeviceType: on((_gpu, _link: number, out: Out) => put([out, 2])),
    nvmlDeviceGetNvLinkErrorCounter: on((_gpu, _link: number, counter: number, out: Out) =>
      counter === 4 ? NOT_SUPPORTED : put([out, BigInt(counter)]),
    ),

    nvmlEventSetCreate: (out: Out) => {
      fake.sets.set((next += 0x10n), { registered: [] });
      return put([out, next]);
    },
    nvmlDeviceRegisterEvents: (raw: bigint, types: bigint, handle: bigint) => {
      if ((types & ~0x1fn) !== 0n) return NOT_SUPPORTED;
      fake.sets.get(handle)?.registered.push([raw, types]);
      return SUCCESS;
    },
    nvmlDeviceGetSupportedEventTypes: get(() => 0x1fn),
    nvmlEventSetWait: (handle: bigint, out: Out) => {
      if (!fake.sets.has(handle)) return INVALID_ARGUMENT;
      const event = fake.events.shift();
      if (!event) return TIMEOUT;
      const { fields } = structs.nvmlEventData_t;
      write32(out, [
        [fields.gpuInstanceId, NONE],
        [fields.computeInstanceId, NONE],
      ]);
      return write64(out, [
        [fields.device, event.gpu],
        [fields.eventType, event.type],
        [fields.eventData, event.data],
      ]);
    },
    nvmlEventSetFree: (handle: bigint) => (fake.sets.delete(handle) ? SUCCESS : INVALID_ARGUMENT),

    nvmlDeviceSetPersistenceMode: set<number>((gpu, mode = 0) => (gpu.persistence = mode)),
    nvmlDeviceSetComputeMode: set<number>((gpu, mode = 0) => (gpu.computeMode = mode)),
    nvmlDeviceSetPowerManagementLimit: on((gpu, limit: number) => {
      if (limit < 200_000 || limit > 700_000) return INVALID_ARGUMENT;
      gpu.limitMilliwatts = limit;
      return SUCCESS;
    }),
    nvmlDeviceSetGpuLockedClocks: set<number>((gpu, ...clocks) => (gpu.lockedGraphics = clocks)),
    nvmlDeviceResetGpuLockedClocks: set((gpu) => (gpu.lockedGraphics = [])),
    nvmlDeviceSetMemoryLockedClocks: set<number>((gpu, ...clocks) => (gpu.lockedMemory = clocks)),
    nvmlDeviceResetMemoryLockedClocks: set((gpu) => (gpu.lockedMemory = [])),
    nvmlDeviceSetApplicationsClocks: set<number>((gpu, memory = 0, graphics = 0) => {
      gpu.applicationClocks = [graphics, graphics, memory, graphics];
    }),
    nvmlDeviceResetApplicationsClocks: set((gpu) => (gpu.applicationClocks = gpu.maxClocks)),
    nvmlDeviceSetAccountingMode: set<number>((gpu, mode = 0) => (gpu.accounting = mode)),
    nvmlDeviceClearEccErrorCounts: set<number>((gpu, counter = 0) => {
      gpu.errors[counter] = 0n;
      gpu.errors[2 + counter] = 0n;
    }),
  };

  const table = strictTable(functions, calls as never, 'NVML', (routine, _args, go) => {
    fake.calls.push(routine);
    const failure = fake.fail.get(routine);
    if (failure !== undefined) return failure;
    return fake.started === 0 && routine !== 'nvmlInitWithFlags' ? UNINITIALIZED : go();
  });
  return Object.assign(fake, { table });
}
