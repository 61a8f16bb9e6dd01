import { PublicObject } from '../core/public-object.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { pair, uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { fieldValueOf } from './field-values.ts';
import { FieldId } from './sys/enums.ts';

/**
 * What a device draws and may draw, in watts: `device.power`.
 *
 * Host: no call of it blocks.
 *
 * @example
 * ```ts
 * import { Device } from 'rawkernel/nvml';
 *
 * const { power } = new Device(0);
 * console.log(`${power.usageWatts} of ${power.enforcedLimitWatts} W`);
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html | Device queries}
 */
export class Power extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'Power', 'read device.power');
    super();
    this.#raw = raw;
  }

  /** What it draws; an average over a second on newer devices. */
  get usageWatts(): number {
    return watts((out) => nv.nvmlDeviceGetPowerUsage(this.#raw, out));
  }

  /** What it draws at this moment; since driver 530. */
  get instantWatts(): number {
    return fieldValueOf(this.#raw, FieldId.POWER_INSTANT).value / MILLI;
  }

  /** The limit that was set. */
  get limitWatts(): number {
    return watts((out) => nv.nvmlDeviceGetPowerManagementLimit(this.#raw, out));
  }

  /** The limit that holds: the lowest of those that anything has set. */
  get enforcedLimitWatts(): number {
    return watts((out) => nv.nvmlDeviceGetEnforcedPowerLimit(this.#raw, out));
  }

  /** The limit after a start of the machine. */
  get defaultLimitWatts(): number {
    return watts((out) => nv.nvmlDeviceGetPowerManagementDefaultLimit(this.#raw, out));
  }

  /** Between what the limit can be set. */
  get limitRangeWatts(): readonly [min: number, max: number] {
    const [min, max] = pair((first, second) =>
      nv.nvmlDeviceGetPowerManagementLimitConstraints(this.#raw, first, second),
    );
    return [min / MILLI, max / MILLI];
  }
}

const MILLI = 1000;

function watts(query: (out: Uint32Array) => unknown): number {
  return uint(query) / MILLI;
}
