import type { ScalarType } from '../kernel-type.ts';
import type { Words } from './words.ts';

/** A constant in C. */
export function literalText(value: number | bigint | boolean, { name }: ScalarType, words: Words): string {
  if (name === 'bool') return words.truths[value === true || value === 1 ? 1 : 0];
  if (name === 'f32' || name === 'f64') return floatText(Number(value), name, words);
  const integer = BigInt(value);
  if (name === 'i32' && integer === -(2n ** 31n)) return '(-2147483647 - 1)';
  if (name === 'i64' && integer === -(2n ** 63n)) return `(-9223372036854775807${words.suffixes.i64 ?? ''} - 1)`;
  return `${integer}${words.suffixes[name] ?? ''}`;
}

function floatText(value: number, name: 'f32' | 'f64', words: Words): string {
  if (Number.isNaN(value)) return words.nan[name];
  if (!Number.isFinite(value)) return value > 0 ? words.infinity[name] : `-${words.infinity[name]}`;
  const text = Object.is(value, -0) ? '-0.0' : shortest(value, name);
  const dotted = /[.e]/.test(text) ? text : `${text}.0`;
  return name === 'f32' ? `${dotted}f` : dotted;
}

/** The shortest decimal that is this float: JavaScript has it for 64 bits. */
function shortest(value: number, name: 'f32' | 'f64'): string {
  if (name === 'f64') return String(value);
  const single = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = single.toPrecision(digits);
    if (Math.fround(Number(text)) === single) return String(Number(text));
  }
  return String(Number(single.toPrecision(9)));
}
