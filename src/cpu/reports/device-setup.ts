import type { KernelReport } from '../../core/kernel-report.ts';
import type { Ending } from './device-reports.ts';

/** What a device is made of, whichever functions lead to it. */
export interface DeviceSetup {
  /** Threads that run kernels. */
  readonly workers: number;
  /** How long a kernel may run; 0 for ever. */
  readonly timeoutMs: number;
  /** Gets the reports that no call has thrown and nobody has asked for. */
  readonly print: (report: KernelReport) => void;
  /** Have something called at the end of the process. */
  readonly atEnd: (end: () => Ending) => void;
}

/** How a device hears of the end of the process; one that is made for itself does not. */
export type DeviceHost = Pick<DeviceSetup, 'print' | 'atEnd'>;

/** The host of a device of which nobody is to hear. */
export const SILENT: DeviceHost = { print: () => undefined, atEnd: () => undefined };
