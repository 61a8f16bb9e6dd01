/** The measurements of one device: copies in GB/s, launches in microseconds. */
export interface Measured {
  readonly hostToDevice: number;
  readonly hostToDevicePinned: number;
  readonly deviceToHost: number;
  readonly deviceToHostPinned: number;
  /** Bytes read and bytes written, both counted. */
  readonly deviceToDevice: number;
  /** Until the call returns. */
  readonly launchUs: number;
  /** Until the kernel has ended. */
  readonly launchAndWaitUs: number;
}

/** How many things are measured on a device. */
export const MEASUREMENTS = 7;
