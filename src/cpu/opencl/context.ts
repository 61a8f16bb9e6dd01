import type { CheckMode } from '../../core/check-mode.ts';
import type { ContextReports } from '../reports/context-reports.ts';
import type { ContextFault } from '../runtime/context-fault.ts';
import type { ClDevice } from './device.ts';
import { ClObject } from './object.ts';

/** A native callback of the user's, with its data. */
export interface Callback {
  /** Its address. */
  readonly notify: bigint;
  readonly data: bigint;
}

/** A context. A failed kernel ends it: none of its later commands runs. */
export class ClContext extends ClObject {
  readonly devices: readonly ClDevice[];
  /** The given list, with the 0 at its end. */
  readonly properties: readonly bigint[];
  readonly notify: Callback | undefined;
  /** The check mode of later compilations. */
  check: CheckMode | undefined;
  /** The findings in its kernels. */
  readonly reports: ContextReports;
  readonly destructors: Callback[] = [];
  /** The engine's number of the context. */
  readonly index: number;
  /** The fault at the time of closing; undefined while it is open. */
  fault: ContextFault | undefined;
  closed = false;
  /** Whether the user's callback has received the fault. */
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
