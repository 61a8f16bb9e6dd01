import { readFlag } from '../core/choice.ts';
import { checkOptions } from '../core/host-memory.ts';
import type { ClockDomain, ThrottleReason } from './clocks.ts';
import type { Device } from './device.ts';
import { isLost, NvmlError } from './errors.ts';
import type { MemoryInfo } from './memory.ts';
import type { GpuProcess } from './processes.ts';
import type { Utilization } from './utilization.ts';

/** What a monitor wants to know of a device. Undefined is what the device, the driver or the user does not have. */
export interface DeviceSnapshot {
  /** When it was taken, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly index: number | undefined;
  readonly name: string | undefined;
  readonly uuid: string | undefined;
  readonly busId: string | undefined;
  readonly memory: MemoryInfo | undefined;
  readonly utilization: Utilization | undefined;
  readonly encoderPercent: number | undefined;
  readonly decoderPercent: number | undefined;
  readonly temperatureCelsius: number | undefined;
  readonly memoryTemperatureCelsius: number | undefined;
  readonly fanSpeedPercent: number | undefined;
  readonly powerWatts: number | undefined;
  readonly powerLimitWatts: number | undefined;
  readonly energyJoules: number | undefined;
  /** 0 is the fastest state, 15 the slowest. */
  readonly performanceState: number | undefined;
  readonly clocksMHz: Readonly<Record<ClockDomain, number | undefined>>;
  readonly maxClocksMHz: Readonly<Record<ClockDomain, number | undefined>>;
  readonly throttleReasons: readonly ThrottleReason[] | undefined;
  readonly pcie: {
    readonly generation: number | undefined;
    readonly width: number | undefined;
    readonly maxGeneration: number | undefined;
    readonly maxWidth: number | undefined;
    /** Undefined unless it was asked for. */
    readonly txBytesPerSecond: number | undefined;
    readonly rxBytesPerSecond: number | undefined;
  };
  readonly ecc: {
    readonly enabled: boolean | undefined;
    /** Errors since the driver was loaded. */
    readonly correctedErrors: number | undefined;
    readonly uncorrectedErrors: number | undefined;
  };
  readonly persistenceMode: boolean | undefined;
  readonly computeMode: string | undefined;
  readonly migEnabled: boolean | undefined;
  readonly processes: readonly GpuProcess[] | undefined;
}

/** What else a snapshot is to have. */
export interface SnapshotOptions {
  /** Measure what goes over PCIe too: takes 40 ms more. */
  readonly pcieThroughput?: boolean | undefined;
}

const DOMAINS: readonly ClockDomain[] = ['graphics', 'sm', 'memory', 'video'];

/** Ask a device everything, and take no answer for an answer. */
export function snapshotOf(device: Device, options: SnapshotOptions): DeviceSnapshot {
  checkOptions(options, ['pcieThroughput'], 'Device.snapshot');
  const measured = readFlag(options.pcieThroughput, 'Device.snapshot: pcieThroughput');
  const { clocks, ecc, pcie, power } = device;
  const each = (query: (domain: ClockDomain) => number): Record<ClockDomain, number | undefined> =>
    Object.fromEntries(DOMAINS.map((domain) => [domain, ask(() => query(domain))])) as Record<
      ClockDomain,
      number | undefined
    >;
  return {
    timeMs: Date.now(),
    index: ask(() => device.index),
    name: ask(() => device.name),
    uuid: ask(() => device.uuid),
    busId: ask(() => device.busId),
    memory: ask(() => device.memory),
    utilization: ask(() => device.utilization),
    encoderPercent: ask(() => device.encoderUtilization.percent),
    decoderPercent: ask(() => device.decoderUtilization.percent),
    temperatureCelsius: ask(() => device.temperatureCelsius),
    memoryTemperatureCelsius: ask(() => device.memoryTemperatureCelsius),
    fanSpeedPercent: ask(() => device.fanSpeedPercent()),
    powerWatts: ask(() => power.usageWatts),
    powerLimitWatts: ask(() => power.enforcedLimitWatts),
    energyJoules: ask(() => device.energyJoules),
    performanceState: ask(() => device.performanceState),
    clocksMHz: each((domain) => clocks.currentMHz(domain)),
    maxClocksMHz: each((domain) => clocks.maxMHz(domain)),
    throttleReasons: ask(() => clocks.throttleReasons),
    pcie: {
      generation: ask(() => pcie.generation),
      width: ask(() => pcie.width),
      maxGeneration: ask(() => pcie.maxGeneration),
      maxWidth: ask(() => pcie.maxWidth),
      txBytesPerSecond: measured ? ask(() => pcie.throughputBytesPerSecond('tx')) : undefined,
      rxBytesPerSecond: measured ? ask(() => pcie.throughputBytesPerSecond('rx')) : undefined,
    },
    ecc: {
      enabled: ask(() => ecc.enabled),
      correctedErrors: ask(() => ecc.errors('corrected', 'volatile')),
      uncorrectedErrors: ask(() => ecc.errors('uncorrected', 'volatile')),
    },
    persistenceMode: ask(() => device.persistenceMode),
    computeMode: ask(() => device.computeMode),
    migEnabled: ask(() => device.mig.enabled),
    processes: ask(() => device.processes()),
  };
}

/** More than `optional` lets pass: one sensor that fails is no reason to see nothing of the others. */
function ask<T>(query: () => T): T | undefined {
  try {
    return query();
  } catch (error) {
    if (error instanceof NvmlError && !isLost(error)) return undefined;
    throw error;
  }
}
