import { dtypes } from '../core/dtype.ts';

/** A dtype of real floats. */
export type FloatPart = 'f16' | 'bf16' | 'f32' | 'f64';

/** The decimal number d.ddd × 10^exponent, without trailing zeros. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** Where the digits of a {@link Decimal} end at the latest. */
export interface DecimalLimit {
  /** The most digits. */
  readonly digits?: number;
  /** The most digits after the point. */
  readonly fraction?: number;
  /** Go on to the limit, with the digits of the binary number itself, where fewer digits already name it. */
  readonly isExact?: boolean;
}

/** The bits of a float's fraction with the leading one, and the power of two of its least number. */
const LAYOUTS: Readonly<Record<FloatPart, { readonly bits: number; readonly least: number }>> = {
  f16: { bits: 11, least: -24 },
  bf16: { bits: 8, least: -133 },
  f32: { bits: 24, least: -149 },
  f64: { bits: 53, least: -1074 },
};

const ZERO: Decimal = { digits: '0', exponent: 0 };
const view = new DataView(new ArrayBuffer(8));

/** Whether a dtype is one of floats. */
export function isFloatPart(name: string): name is FloatPart {
  return Object.hasOwn(LAYOUTS, name);
}

/** The number of a dtype that is nearest to another. */
export function roundTo(part: FloatPart, value: number): number {
  dtypes[part].write(view, 0, value);
  return Number(dtypes[part].read(view, 0));
}

/**
 * The shortest decimal that no other number of the dtype is nearer to, or where that is longer than the limit, the nearest
 * decimal within it (halves to even). The value is a finite number of the dtype; its sign does not count.
 */
export function decimalOf(value: number, part: FloatPart, limit: DecimalLimit = {}): Decimal {
  const size = Math.abs(value);
  if (size === 0) return ZERO;
  return wholeDecimal(size, part, limit) ?? new DigitSequence(size, part).decimal(limit);
}

/** Integers whose neighbours are all floats need each of their digits: most arrays hold such numbers, and this is fast. */
function wholeDecimal(size: number, part: FloatPart, { digits = Infinity }: DecimalLimit): Decimal | undefined {
  if (!Number.isInteger(size) || size >= 2 ** LAYOUTS[part].bits) return undefined;
  const text = String(size);
  const short = text.replace(/0+$/, '');
  return short.length <= digits ? { digits: short, exponent: text.length - 1 } : undefined;
}

/**
 * The digits of a float one after the other, in exact integers: what is left of it is `rest / scale`, and the numbers that
 * round to it reach `below / scale` down and `above / scale` up.
 */
class DigitSequence {
  #rest: bigint;
  #scale: bigint;
  #below: bigint;
  #above: bigint;
  /** Whether a tie rounds to the float, as its fraction is even. */
  readonly #isEven: boolean;
  /** The power of ten of the next digit. */
  #position: number;

  constructor(size: number, part: FloatPart) {
    const { fraction, power, isPower } = split(size, part);
    // Below a power of two the numbers lie half as far apart.
    const above = isPower ? 2n : 1n;
    const up = BigInt(Math.max(power, 0));
    this.#rest = (fraction * 2n * above) << up;
    this.#scale = (2n * above) << BigInt(Math.max(-power, 0));
    this.#below = 1n << up;
    this.#above = above << up;
    this.#isEven = (fraction & 1n) === 0n;
    this.#position = Math.floor(Math.log10(size));
    this.#shift(this.#position);
    // The logarithm is rounded, and may be one off.
    if (this.#rest < this.#scale) this.#step(-1);
    else if (this.#rest >= 10n * this.#scale) this.#step(1);
  }

  decimal({ digits = Infinity, fraction = Infinity, isExact = false }: DecimalLimit): Decimal {
    const last = Math.max(-fraction, this.#position - digits + 1);
    // A number below the last place has a zero there, or is rounded up to a one.
    if (this.#position < last) this.#step(last - this.#position);
    const first = this.#position;
    let text = '';
    for (;;) {
      text += String(this.#rest / this.#scale);
      this.#rest %= this.#scale;
      const isAtEnd = this.#position === last;
      const [isLow, isHigh] = isExact && !isAtEnd ? [this.#rest === 0n, false] : this.#reached();
      if (isLow || isHigh || isAtEnd) return rounded(text, first, this.#roundsUp(text, isLow, isHigh));
      this.#rest *= 10n;
      this.#below *= 10n;
      this.#above *= 10n;
      this.#position--;
    }
  }

  /** Whether the digits so far name the number, as they are and with one more in the last place. */
  #reached(): [isLow: boolean, isHigh: boolean] {
    const gap = this.#scale - this.#rest;
    return this.#isEven
      ? [this.#rest <= this.#below, gap <= this.#above]
      : [this.#rest < this.#below, gap < this.#above];
  }

  #roundsUp(text: string, isLow: boolean, isHigh: boolean): boolean {
    if (isLow !== isHigh) return isHigh;
    const twice = 2n * this.#rest;
    return twice === this.#scale ? Number(text.at(-1)) % 2 === 1 : twice > this.#scale;
  }

  /** Let the next digit be places further up, or down. */
  #step(places: number): void {
    this.#shift(places);
    this.#position += places;
  }

  #shift(places: number): void {
    if (places >= 0) {
      this.#scale *= 10n ** BigInt(places);
      return;
    }
    const factor = 10n ** BigInt(-places);
    this.#rest *= factor;
    this.#below *= factor;
    this.#above *= factor;
  }
}

/** A float as an integer times a power of two. */
function split(size: number, part: FloatPart): { fraction: bigint; power: number; isPower: boolean } {
  const { bits, least } = LAYOUTS[part];
  view.setFloat64(0, size);
  const word = view.getBigUint64(0);
  const stored = Number(word >> 52n);
  const whole = (word & ((1n << 52n) - 1n)) | (stored === 0 ? 0n : 1n << 52n);
  const wholePower = Math.max(stored, 1) - 1075;
  const power = Math.max(wholePower + 53 - bits, least);
  const fraction = whole >> BigInt(power - wholePower);
  return { fraction, power, isPower: power > least && fraction === 1n << BigInt(bits - 1) };
}

function rounded(text: string, exponent: number, isUp: boolean): Decimal {
  const digits = (isUp ? String(BigInt(text) + 1n).padStart(text.length, '0') : text).replace(/0+$/, '');
  if (digits === '') return ZERO;
  return { digits, exponent: isUp && /^9+$/.test(text) ? exponent + 1 : exponent };
}
