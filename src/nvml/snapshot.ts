import { readFlag } from '../core/choice.ts';
import { checkOptions } from '../core/check.ts';
import type { ClockDomain, Clocks, ThrottleReason } from './clocks.ts';
import type { Ecc } from './ecc.ts';
import { attempt } from './errors.ts';
import type { MemoryInfo } from './memory.ts';
import type { MigMode } from './mig.ts';
import type { Pcie } from './pcie.ts';
import type { Power } from './power.ts';
import type { GpuProcess } from './processes.ts';
import type { CodecUtilization, Utilization } from './utilization.ts';

/** The facts that a monitor shows of a device. Undefined: the device, the driver or the user does not have it. */
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

/** What is asked of a device; a Device is one. */
interface Monitored {
  readonly index: number;
  readonly name: string;
  readonly uuid: string;
  readonly busId: string;
  readonly memory: MemoryInfo;
  readonly utilization: Utilization;
  readonly encoderUtilization: CodecUtilization;
  readonly decoderUtilization: CodecUtilization;
  readonly temperatureCelsius: number;
  readonly memoryTemperatureCelsius: number;
  readonly power: Power;
  readonly energyJoules: number;
  readonly performanceState: number | undefined;
  readonly clocks: Clocks;
  readonly pcie: Pcie;
  readonly ecc: Ecc;
  readonly persistenceMode: boolean;
  readonly computeMode: string;
  readonly mig: MigMode;
  fanSpeedPercent(): number;
  processes(): readonly GpuProcess[];
}

const DOMAINS: readonly ClockDomain[] = ['graphics', 'sm', 'memory', 'video'];

/** Ask a device everything: one sensor that fails is not a reason to see nothing of the others. */
export function snapshotOf(device: Monitored, options: SnapshotOptions): DeviceSnapshot {
  checkOptions(options, ['pcieThroughput'], 'Device.snapshot');
  const measured = readFlag(options.pcieThroughput, 'Device.snapshot: pcieThroughput');
  const { clocks, ecc, pcie, power } = device;
  const each = (query: (domain: ClockDomain) => number): Record<ClockDomain, number | undefined> =>
    Object.fromEntries(DOMAINS.map((domain) => [domain, attempt(() => query(domain))])) as Record<
      ClockDomain,
      number | undefined
    >;
  return {
    timeMs: Date.now(),
    index: attempt(() => device.index),
    name: attempt(() => device.name),
    uuid: attempt(() => device.uuid),
    busId: attempt(() => device.busId),
    memory: attempt(() => device.memory),
    utilization: attempt(() => device.utilization),
    encoderPercent: attempt(() => device.encoderUtilization.percent),
    decoderPercent: attempt(() => device.decoderUtilization.percent),
    temperatureCelsius: attempt(() => device.temperatureCelsius),
    memoryTemperatureCelsius: attempt(() => device.memoryTemperatureCelsius),
    fanSpeedPercent: attempt(() => device.fanSpeedPercent()),
    powerWatts: attempt(() => power.usageWatts),
    powerLimitWatts: attempt(() => power.enforcedLimitWatts),
    energyJoules: attempt(() => device.energyJoules),
    performanceState: attempt(() => device.performanceState),
    clocksMHz: each((domain) => clocks.currentMHz(domain)),
    maxClocksMHz: each((domain) => clocks.maxMHz(domain)),
    throttleReasons: attempt(() => clocks.throttleReasons),
    pcie: {
      generation: attempt(() => pcie.generation),
      width: attempt(() => pcie.width),
      maxGeneration: attempt(() => pcie.maxGeneration),
      maxWidth: attempt(() => pcie.maxWidth),
      txBytesPerSecond: measured ? attempt(() => pcie.throughputBytesPerSecond('tx')) : undefined,
      rxBytesPerSecond: measured ? attempt(() => pcie.throughputBytesPerSecond('rx')) : undefined,
    },
    ecc: {
      enabled: attempt(() => ecc.enabled),
      correctedErrors: attempt(() => ecc.errors('corrected', 'volatile')),
      uncorrectedErrors: attempt(() => ecc.errors('uncorrected', 'volatile')),
    },
    persistenceMode: attempt(() => device.persistenceMode),
    computeMode: attempt(() => device.computeMode),
    migEnabled: attempt(() => device.mig.enabled),
    processes: attempt(() => device.processes()),
  };
}
