import type { CheckMode } from '../../core/check-mode.ts';
import type { ContextReports } from '../reports/context-reports.ts';
import type { ContextFault } from '../runtime/context-fault.ts';
import type { ClDevice } from './device.ts';
import { ClObject } from './object.ts';

/** A native function of the user's with its data. */
export interface Callback {
  /** Its address. */
  readonly notify: bigint;
  readonly data: bigint;
}

/** A context. A kernel that fails ends it: no command of it runs any more. */
export class ClContext extends ClObject {
  readonly devices: readonly ClDevice[];
  /** As they were given, with the 0 at the end. */
  readonly properties: readonly bigint[];
  readonly notify: Callback | undefined;
  /** How the programs are checked that are compiled from now on. */
  check: CheckMode | undefined;
  /** What was found in its kernels. */
  readonly reports: ContextReports;
  readonly destructors: Callback[] = [];
  /** By which the engine knows it. */
  readonly index: number;
  /** What the engine said of it last, once it is closed. */
  fault: ContextFault | undefined;
  closed = false;
  /** Whether the user's function was told of the fault. */
  told = false;
  readonly #gone: (context: ClContext) => void;

  constructor(
    index: number,
    reports: ContextReports,
    devices: readonly ClDevice[],
    properties: readonly bigint[],
    notify: Callback | undefined,
    gone: (context: ClContext) => void,
  ) {
    super();
    this.index = index;
    this.reports = reports;
    this.devices = devices;
    this.properties = properties;
    this.notify = notify;
    this.#gone = gone;
    for (const device of devices) device.retain();
  }

  destroy(): void {
    this.#gone(this);
    for (const device of this.devices) device.release();
  }
}
