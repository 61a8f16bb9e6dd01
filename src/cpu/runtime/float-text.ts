interface Decimal {
  /** The requested number of digits, without a point. */
  readonly digits: string;
  /** The power of ten of the first digit. */
  readonly exponent: number;
}

const words = new DataView(new ArrayBuffer(8));

/** A finite number from 0 up as an integer times a power of two. */
function exact(value: number): readonly [integer: bigint, exponent: number] {
  words.setFloat64(0, value);
  const bits = words.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0 ? [fraction, -1074] : [fraction | (1n << 52n), biased - 1075];
}

/** The integer nearest to `value * 10^power`; of two that are as near, the even one, as C does. */
function scaled(value: number, power: number): bigint {
  const [integer, exponent] = exact(value);
  let over = integer;
  let under = 1n;
  if (power >= 0) over *= 10n ** BigInt(power);
  else under *= 10n ** BigInt(-power);
  if (exponent >= 0) over <<= BigInt(exponent);
  else under <<= BigInt(-exponent);
  const quotient = over / under;
  const twice = 2n * (over - quotient * under);
  const up = twice > under || (twice === under && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

function decimal(value: number, count: number): Decimal {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  // From below: an exponent that is too small gives a digit too many, and so does rounding up to the next power.
  for (let exponent = Math.floor(Math.log10(value)) - 1; ; exponent++) {
    const digits = scaled(value, count - 1 - exponent).toString();
    if (digits.length <= count) return { digits, exponent };
  }
}

function point(whole: string, fraction: string, always: boolean): string {
  return fraction === '' && !always ? whole : `${whole}.${fraction}`;
}

/** `%f` of a finite number from 0 up. */
export function fixedText(value: number, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  const at = digits.length - precision;
  return point(digits.slice(0, at), digits.slice(at), alternate);
}

/** `%e` of a finite number from 0 up. */
export function exponentText(value: number, precision: number, alternate: boolean): string {
  const { digits, exponent } = decimal(value, precision + 1);
  return point(digits.slice(0, 1), digits.slice(1), alternate) + exponentPart(exponent);
}

/** `%g` of a finite number from 0 up. */
export function generalText(value: number, precision: number, alternate: boolean): string {
  const count = Math.max(1, precision);
  const { digits, exponent } = decimal(value, count);
  if (exponent < -4 || exponent >= count) {
    const fraction = alternate ? digits.slice(1) : stripped(digits.slice(1));
    return point(digits.slice(0, 1), fraction, alternate) + exponentPart(exponent);
  }
  const text = fixedText(value, count - 1 - exponent, alternate);
  if (alternate || !text.includes('.')) return text;
  const [whole = '', fraction = ''] = text.split('.');
  return point(whole, stripped(fraction), false);
}

/** `%a` of a finite number from 0 up, without its `0x`. */
export function hexFloatText(value: number, precision: number | undefined, alternate: boolean): string {
  if (value === 0) return `${point('0', '0'.repeat(precision ?? 0), alternate)}p+0`;
  words.setFloat64(0, value);
  const bits = words.getBigUint64(0);
  const biased = Number(bits >> 52n);
  let mantissa = (bits & 0xf_ffff_ffff_ffffn) | (biased === 0 ? 0n : 1n << 52n);
  const exponent = biased === 0 ? -1022 : biased - 1023;
  let fraction: string;
  if (precision === undefined || precision >= 13) {
    fraction = (mantissa & 0xf_ffff_ffff_ffffn).toString(16).padStart(13, '0');
    fraction = precision === undefined ? stripped(fraction) : fraction.padEnd(precision, '0');
  } else {
    const drop = BigInt(4 * (13 - precision));
    const rest = mantissa & ((1n << drop) - 1n);
    const half = 1n << (drop - 1n);
    mantissa >>= drop;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa++;
    mantissa <<= drop;
    fraction = (mantissa & 0xf_ffff_ffff_ffffn).toString(16).padStart(13, '0').slice(0, precision);
  }
  const sign = exponent < 0 ? '-' : '+';
  return `${point((mantissa >> 52n).toString(16), fraction, alternate)}p${sign}${Math.abs(exponent)}`;
}

function exponentPart(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function stripped(digits: string): string {
  return digits.replace(/0+$/, '');
}
