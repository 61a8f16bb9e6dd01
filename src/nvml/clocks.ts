import { PublicObject } from '../core/public-object.ts';
import { readChoice } from '../core/choice.ts';
import { checkInteger } from '../core/check.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { bits, list, record, uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { orElse } from './errors.ts';
import { bitNamesIn, byName, type BitNamesOf, type NamesOf } from './names.ts';
import { ClockId, ClocksThrottleReason, ClockType, PerfPolicy } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

/** A clock of a device. */
export type ClockDomain = 'graphics' | 'sm' | 'memory' | 'video';

/** Why clocks are lower than they could be. */
export type ThrottleReason = BitNamesOf<typeof ClocksThrottleReason>;

/** What may hold clocks down. */
export type PerfPolicyName = NamesOf<typeof PerfPolicy>;

/** How long something held clocks down. */
export interface Violation {
  /** When this was read, in microseconds since 1970. */
  readonly timestampUs: number;
  /** In nanoseconds, since the driver was loaded. */
  readonly violatedNs: number;
}

const DOMAINS: Readonly<Record<ClockDomain, number>> = {
  graphics: ClockType.GRAPHICS,
  sm: ClockType.SM,
  memory: ClockType.MEM,
  video: ClockType.VIDEO,
};
const POLICIES = byName(PerfPolicy);

type BitsQuery = Parameters<typeof bits>[0];

/**
 * The clocks of a device: `device.clocks`.
 *
 * Host: no call of it blocks.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * const { clocks } = new Device(0);
 * console.log(clocks.currentMHz('sm'), 'of', clocks.maxMHz('sm'), 'MHz');
 * console.log(optional(() => clocks.throttleReasons));
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html | Device queries}
 */
export class Clocks extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'Clocks', 'read device.clocks');
    super();
    this.#raw = raw;
  }

  /** The clock now, in MHz. */
  currentMHz(domain: ClockDomain): number {
    const type = readChoice(domain, DOMAINS, 'Clocks.currentMHz: domain');
    return uint((out) => nv.nvmlDeviceGetClockInfo(this.#raw, type, out));
  }

  /** The highest that it can be, in MHz. */
  maxMHz(domain: ClockDomain): number {
    const type = readChoice(domain, DOMAINS, 'Clocks.maxMHz: domain');
    return uint((out) => nv.nvmlDeviceGetMaxClockInfo(this.#raw, type, out));
  }

  /** What applications get if nothing holds the clock down, in MHz. */
  applicationMHz(domain: ClockDomain): number {
    return this.#clock(domain, ClockId.APP_CLOCK_TARGET, 'Clocks.applicationMHz: domain');
  }

  /** What {@link Clocks.applicationMHz} is unless it was set, in MHz. */
  defaultApplicationMHz(domain: ClockDomain): number {
    return this.#clock(domain, ClockId.APP_CLOCK_DEFAULT, 'Clocks.defaultApplicationMHz: domain');
  }

  /** The highest that the board's maker allows, in MHz. */
  boostMaxMHz(domain: ClockDomain): number {
    return this.#clock(domain, ClockId.CUSTOMER_BOOST_MAX, 'Clocks.boostMaxMHz: domain');
  }

  /** The memory clocks that applications can be given, in MHz. */
  get supportedMemoryMHz(): number[] {
    return list(
      'nvmlDeviceGetSupportedMemoryClocks',
      4,
      (count, room) => nv.nvmlDeviceGetSupportedMemoryClocks(this.#raw, count, clocksIn(room)),
      firstUint,
    );
  }

  /** The graphics clocks that applications can be given beside a memory clock, in MHz. */
  supportedGraphicsMHz(memoryMHz: number): number[] {
    const memory = checkInteger(memoryMHz, 'Clocks.supportedGraphicsMHz: memoryMHz', 0, 0xffff_ffff);
    return list(
      'nvmlDeviceGetSupportedGraphicsClocks',
      4,
      (count, room) => nv.nvmlDeviceGetSupportedGraphicsClocks(this.#raw, memory, count, clocksIn(room)),
      firstUint,
    );
  }

  /** What holds the clocks down now. `'gpuIdle'`: nothing runs. */
  get throttleReasons(): ThrottleReason[] {
    return reasons(
      (out) => nv.nvmlDeviceGetCurrentClocksThrottleReasons(this.#raw, out),
      (out) => nv.nvmlDeviceGetCurrentClocksEventReasons(this.#raw, out),
    );
  }

  /** The reasons that this device can give. */
  get supportedThrottleReasons(): ThrottleReason[] {
    return reasons(
      (out) => nv.nvmlDeviceGetSupportedClocksThrottleReasons(this.#raw, out),
      (out) => nv.nvmlDeviceGetSupportedClocksEventReasons(this.#raw, out),
    );
  }

  /** How long a policy has held the clocks down. */
  violation(policy: PerfPolicyName): Violation {
    const number = readChoice(policy, POLICIES, 'Clocks.violation: policy');
    const { referenceTime, violationTime } = structs.nvmlViolationTime_t.fields;
    const view = record(structs.nvmlViolationTime_t, (out) => nv.nvmlDeviceGetViolationStatus(this.#raw, number, out));
    return {
      timestampUs: Number(view.getBigUint64(referenceTime, true)),
      violatedNs: Number(view.getBigUint64(violationTime, true)),
    };
  }

  #clock(domain: ClockDomain, id: number, what: string): number {
    const type = readChoice(domain, DOMAINS, what);
    return uint((out) => nv.nvmlDeviceGetClock(this.#raw, type, id, out));
  }
}

/** The function has another name since driver 535, which will outlive the older one. */
function reasons(older: BitsQuery, newer: BitsQuery): ThrottleReason[] {
  const set = orElse(
    () => bits(older),
    () => bits(newer),
  );
  return bitNamesIn(ClocksThrottleReason, set);
}

function clocksIn(room: bigint | ArrayBuffer): bigint | Uint32Array {
  return typeof room === 'bigint' ? room : new Uint32Array(room);
}

function firstUint(view: DataView): number {
  return view.getUint32(0, true);
}
