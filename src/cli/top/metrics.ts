import type { DeviceSnapshot } from '../../nvml/index.ts';
import { bytes } from '../table.ts';

/** The metrics with a line and a history in the view. */
export interface Metric {
  readonly label: string;
  readonly text: (of: DeviceSnapshot) => string | undefined;
  /** 0 to 1, of the most that there is. */
  readonly part: (of: DeviceSnapshot) => number | undefined;
  /** The shares from which a value is high, and too high. */
  readonly much?: readonly [yellow: number, red: number];
}

const HOTTEST = 100;

export const METRICS: readonly Metric[] = [
  {
    label: 'load',
    text: ({ utilization }) => utilization && `${utilization.gpuPercent} %`,
    part: ({ utilization }) => utilization && utilization.gpuPercent / 100,
  },
  {
    label: 'mem',
    text: ({ memory }) => memory && `${bytes(memory.usedBytes)} / ${bytes(memory.totalBytes)}`,
    part: ({ memory }) => ratio(memory?.usedBytes, memory?.totalBytes),
    much: [0.8, 0.95],
  },
  {
    label: 'temp',
    text: ({ temperatureCelsius: celsius }) => (celsius === undefined ? undefined : `${celsius} °C`),
    part: ({ temperatureCelsius }) => ratio(temperatureCelsius, HOTTEST),
    much: [0.75, 0.85],
  },
  {
    label: 'power',
    text: ({ powerWatts, powerLimitWatts }) => ofMost(powerWatts, powerLimitWatts, 'W'),
    part: ({ powerWatts, powerLimitWatts }) => ratio(powerWatts, powerLimitWatts),
    much: [0.9, 1.01],
  },
  {
    label: 'clock',
    text: ({ clocksMHz, maxClocksMHz }) => ofMost(clocksMHz.sm, maxClocksMHz.sm, 'MHz'),
    part: ({ clocksMHz, maxClocksMHz }) => ratio(clocksMHz.sm, maxClocksMHz.sm),
  },
];

function ratio(value: number | undefined, most: number | undefined): number | undefined {
  return value === undefined || most === undefined || most === 0 ? undefined : value / most;
}

function ofMost(value: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (value === undefined) return undefined;
  return most === undefined ? `${Math.round(value)} ${unit}` : `${Math.round(value)} / ${Math.round(most)} ${unit}`;
}
