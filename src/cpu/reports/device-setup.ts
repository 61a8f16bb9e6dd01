import type { KernelReport } from '../../core/kernel-report.ts';
import type { Ending } from './device-reports.ts';

/** The setup of a device, for both APIs. */
export interface DeviceSetup {
  /** Threads that run kernels. */
  readonly workers: number;
  /** The time limit of a kernel in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
  /** Receives the reports that no call has thrown or returned. */
  readonly print: (report: KernelReport) => void;
  /** Register a function for the end of the process. */
  readonly atEnd: (end: () => Ending) => void;
}

/** The receiver of a device's reports, which also calls the device at the end of the process. See {@link SILENT}. */
export type DeviceHost = Pick<DeviceSetup, 'print' | 'atEnd'>;

/** A host that drops all reports and does not call the device at the end, for devices that a program makes itself. */
export const SILENT: DeviceHost = { print: () => undefined, atEnd: () => undefined };
