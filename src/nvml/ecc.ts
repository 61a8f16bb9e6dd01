import { PublicObject } from '../core/public-object.ts';
import { readChoice } from '../core/choice.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { list, pair, uint, wide, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { byName, type NamesOf } from './names.ts';
import { EccCounterType, MemoryErrorType, MemoryLocation, PageRetirementCause } from './sys/enums.ts';

/** Whether an error was corrected. */
export type MemoryErrorName = NamesOf<typeof MemoryErrorType>;

/** Since when errors are counted: since the driver was loaded, or for the life of the device. */
export type EccCounterName = 'volatile' | 'aggregate';

/** Where in the device. */
export type MemoryLocationName = NamesOf<typeof MemoryLocation>;

/** Why a page was retired. */
export type RetirementCause = NamesOf<typeof PageRetirementCause>;

/** Rows of memory that spare rows stand in for. */
export interface RemappedRows {
  /** After errors that were corrected. */
  readonly corrected: number;
  /** After errors that were not. */
  readonly uncorrected: number;
  /** Some more will be at the next reset. */
  readonly pending: boolean;
  /** No spare row was left. */
  readonly failed: boolean;
}

const ERRORS = byName(MemoryErrorType);
const COUNTERS: Readonly<Record<EccCounterName, number>> = {
  volatile: EccCounterType.VOLATILE_ECC,
  aggregate: EccCounterType.AGGREGATE_ECC,
};
const LOCATIONS = byName(MemoryLocation);
const CAUSES = byName(PageRetirementCause);

/**
 * Errors of a device's memory: `device.ecc`.
 *
 * Host: no call of it blocks.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * const { ecc } = new Device(0);
 * console.log(optional(() => ecc.enabled), optional(() => ecc.errors('uncorrected', 'aggregate')));
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html | Device queries}
 */
export class Ecc extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'Ecc', 'read device.ecc');
    super();
    this.#raw = raw;
  }

  /** Whether errors are found and corrected. */
  get enabled(): boolean {
    return this.#mode()[0] === 1;
  }

  /** The same, after the next reset. */
  get pendingEnabled(): boolean {
    return this.#mode()[1] === 1;
  }

  /**
   * How many errors there were.
   *
   * @param location - without it, all over the device
   */
  errors(error: MemoryErrorName, counter: EccCounterName, location?: MemoryLocationName): number {
    const type = readChoice(error, ERRORS, 'Ecc.errors: error');
    const since = readChoice(counter, COUNTERS, 'Ecc.errors: counter');
    if (location === undefined) return wide((out) => nv.nvmlDeviceGetTotalEccErrors(this.#raw, type, since, out));
    const place = readChoice(location, LOCATIONS, 'Ecc.errors: location');
    return wide((out) => nv.nvmlDeviceGetMemoryErrorCounter(this.#raw, type, since, place, out));
  }

  /** The addresses of pages that are not used any more. Devices since Ampere remap rows instead. */
  retiredPages(cause: RetirementCause): bigint[] {
    const number = readChoice(cause, CAUSES, 'Ecc.retiredPages: cause');
    return list(
      'nvmlDeviceGetRetiredPages',
      8,
      (count, room) =>
        nv.nvmlDeviceGetRetiredPages(
          this.#raw,
          number,
          count,
          typeof room === 'bigint' ? room : new BigUint64Array(room),
        ),
      (view) => view.getBigUint64(0, true),
    );
  }

  /** Whether pages wait to be retired at the next reset. */
  get retiredPagesPending(): boolean {
    return uint((out) => nv.nvmlDeviceGetRetiredPagesPendingStatus(this.#raw, out)) === 1;
  }

  /** Rows that were remapped; on devices since Ampere. */
  get remappedRows(): RemappedRows {
    const slots = Array.from({ length: 4 }, () => new Uint32Array(1));
    const [corrected, uncorrected, pending, failed] = slots as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
    nv.nvmlDeviceGetRemappedRows(this.#raw, corrected, uncorrected, pending, failed);
    return {
      corrected: corrected[0] ?? 0,
      uncorrected: uncorrected[0] ?? 0,
      pending: pending[0] !== 0,
      failed: failed[0] !== 0,
    };
  }

  #mode(): readonly [number, number] {
    return pair((current, pending) => nv.nvmlDeviceGetEccMode(this.#raw, current, pending));
  }
}
