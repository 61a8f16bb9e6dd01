import { decimalOf, roundTo, type Decimal, type FloatPart } from './decimal.ts';
import type { PrintOptions } from './print-options.ts';

/** How the numbers of one column are written. */
export interface FloatStyle {
  readonly part: FloatPart;
  readonly options: PrintOptions;
  /** Whether positive numbers have a sign too: an imaginary part follows its real part. */
  readonly plus: boolean;
}

/** From which size on numbers of an array have an exponent: a narrow dtype does not tell the integers above apart. */
const LARGE: Readonly<Record<FloatPart, number>> = { f16: 1e3, bf16: 1e2, f32: 1e6, f64: 1e8 };
/** The same of a number alone. */
const LARGE_ALONE: Readonly<Record<FloatPart, number>> = { ...LARGE, f64: 1e16 };
const SMALL = 1e-4;
const WIDE_RANGE = 1000;
const NAN = 'nan';

/** Text in front of the point, and from the point on. */
type Written = readonly [integer: string, fraction: string];

/** The texts of numbers, all of one width and with their points below each other. */
export function formatFloats(values: readonly number[], style: FloatStyle): string[] {
  const numbers = values.map((value) => roundTo(style.part, value));
  const finite = numbers.filter(Number.isFinite);
  const written = isScientific(finite, style) ? scientific(finite, style) : positional(finite, style);
  const right = longest(written.map(([, fraction]) => fraction));
  let left = longest(written.map(([integer]) => integer));
  if (finite.length < numbers.length) {
    const isSigned = style.plus || numbers.includes(-Infinity);
    left = Math.max(left, NAN.length + Number(isSigned) - right);
  }
  const width = left + right;
  let next = 0;
  return numbers.map((number) => {
    if (!Number.isFinite(number)) return special(number, style.plus).padStart(width);
    const [integer, fraction] = written[next++] ?? ['', ''];
    return integer.padStart(left) + fraction.padEnd(right);
  });
}

/** The text of a number that stands alone, with as many digits as it needs: `0.1`, `3.0`, `1e+16`. */
export function formatFloat(value: number, part: FloatPart): string {
  const text = formatPlain(value, part);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The same without a fraction where there is none, as a part of a complex number has it: `3`. */
export function formatPlain(value: number, part: FloatPart): string {
  const number = roundTo(part, value);
  if (!Number.isFinite(number)) return special(number, false);
  const size = Math.abs(number);
  const decimal = decimalOf(number, part);
  const isPlain = size === 0 || (size >= SMALL && size < LARGE_ALONE[part]);
  const [integer, fraction] = isPlain ? inFull(decimal) : [decimal.digits.slice(0, 1), decimal.digits.slice(1)];
  const text = signOf(number, false) + integer + (fraction === '' ? '' : `.${fraction}`);
  return isPlain ? text : text + exponentOf(decimal, 2);
}

/** NumPy's rule: an exponent where numbers are large, small, or of very different sizes; computed in the dtype. */
function isScientific(finite: readonly number[], { part, options }: FloatStyle): boolean {
  let max = 0;
  let min = Infinity;
  for (const value of finite) {
    const size = Math.abs(value);
    if (size > max) max = size;
    if (size > 0 && size < min) min = size;
  }
  if (max === 0) return false;
  if (max >= LARGE[part]) return true;
  return !options.suppress && (min < roundTo(part, SMALL) || roundTo(part, max / min) > WIDE_RANGE);
}

function positional(finite: readonly number[], { part, options, plus }: FloatStyle): Written[] {
  return finite.map((value) => {
    const [integer, fraction] = inFull(decimalOf(value, part, { fraction: options.precision }));
    return [signOf(value, plus) + integer, `.${fraction}`];
  });
}

/** All with as many digits as the number that needs most. */
function scientific(finite: readonly number[], { part, options, plus }: FloatStyle): Written[] {
  const shortest = finite.map((value) => decimalOf(value, part, { digits: options.precision + 1 }));
  const digits = longest(shortest.map((decimal) => decimal.digits));
  const width = shortest.reduce((most, { exponent }) => Math.max(most, String(Math.abs(exponent)).length), 2);
  return finite.map((value) => {
    const decimal = decimalOf(value, part, { digits, isExact: true });
    const fraction = decimal.digits.slice(1).padEnd(digits - 1, '0');
    return [signOf(value, plus) + decimal.digits.slice(0, 1), `.${fraction}${exponentOf(decimal, width)}`];
  });
}

/** The digits before and after the point. */
function inFull({ digits, exponent }: Decimal): Written {
  if (exponent < 0) return ['0', '0'.repeat(-exponent - 1) + digits];
  return [digits.slice(0, exponent + 1).padEnd(exponent + 1, '0'), digits.slice(exponent + 1)];
}

function exponentOf({ exponent }: Decimal, width: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(width, '0')}`;
}

function special(value: number, plus: boolean): string {
  return Number.isNaN(value) ? `${plus ? '+' : ''}${NAN}` : `${signOf(value, plus)}inf`;
}

function signOf(value: number, plus: boolean): string {
  if (value < 0 || Object.is(value, -0)) return '-';
  return plus ? '+' : '';
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
