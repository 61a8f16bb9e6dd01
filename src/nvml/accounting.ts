import { PublicObject } from '../core/public-object.ts';
import { checkInteger } from '../core/check.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { list, record, uint, uintAt, wideAt, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { structs } from './sys/structs.ts';

/** What a process has used in its life. */
export interface AccountingStats {
  readonly pid: number;
  /** Undefined where the device does not measure it. */
  readonly gpuPercent: number | undefined;
  readonly memoryPercent: number | undefined;
  /** The most memory that it had at once, in bytes. */
  readonly maxMemoryBytes: number | undefined;
  /** How long it computed, in milliseconds; 0 while it runs. */
  readonly timeMs: number | undefined;
  /** When it began, in microseconds since 1970. */
  readonly startTimeUs: number | undefined;
  readonly running: boolean;
}

/**
 * What processes have used of a device, kept beyond their end: `device.accounting`. An administrator turns it on.
 *
 * Host: no call of it blocks.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * const { accounting } = new Device(0);
 * for (const pid of optional(() => accounting.pids()) ?? []) console.log(accounting.stats(pid));
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlAccountingStats.html | Accounting statistics}
 */
export class Accounting extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'Accounting', 'read device.accounting');
    super();
    this.#raw = raw;
  }

  /** Whether it is on. */
  get enabled(): boolean {
    return uint((out) => nv.nvmlDeviceGetAccountingMode(this.#raw, out)) === 1;
  }

  /** The processes of which something is known. */
  pids(): number[] {
    return list(
      'nvmlDeviceGetAccountingPids',
      4,
      (count, room) =>
        nv.nvmlDeviceGetAccountingPids(this.#raw, count, typeof room === 'bigint' ? room : new Uint32Array(room)),
      (view) => view.getUint32(0, true),
    );
  }

  /**
   * What is known of one.
   *
   * @throws {@link NvmlError} NVML_ERROR_NOT_FOUND: nothing
   */
  stats(pid: number): AccountingStats {
    const number = checkInteger(pid, 'Accounting.stats: pid', 0, 0xffff_ffff);
    const { fields } = structs.nvmlAccountingStats_t;
    const view = record(structs.nvmlAccountingStats_t, (out) =>
      nv.nvmlDeviceGetAccountingStats(this.#raw, number, out),
    );
    return {
      pid: number,
      gpuPercent: uintAt(view, fields.gpuUtilization),
      memoryPercent: uintAt(view, fields.memoryUtilization),
      maxMemoryBytes: wideAt(view, fields.maxMemoryUsage),
      timeMs: wideAt(view, fields.time),
      startTimeUs: wideAt(view, fields.startTime),
      running: view.getUint32(fields.isRunning, true) === 1,
    };
  }
}
