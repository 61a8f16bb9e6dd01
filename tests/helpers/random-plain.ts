import type { JitProgram } from './jit-program-kernel.ts';
import { randomNumbers } from './random-jit-inputs.ts';
import { plainStatement } from './random-plain-statements.ts';

type PlainType = 'i32' | 'f64' | 'bool';

/**
 * Texts that mean in a kernel what they mean in JavaScript: floats of 64 bits, and integers that `| 0` wraps around, which takes the
 * sign of a 0, too. A quotient of two integers under `Math.floor` is one of integers, which has no infinity.
 */
const FORMS: Readonly<Record<PlainType, readonly string[]>> = {
  i32: [
    '(#i32 + #i32 | 0)', '(#i32 - #i32 | 0)', '(-#i32 | 0)', 'Math.imul(#i32, #i32)', '(#i32 & #i32)', '(#i32 | #i32)', '(#i32 ^ #i32)',
    '(~#i32)', '(#i32 << #i32)', '(#i32 >> #i32)', '(#i32 >>> #i32 | 0)', '(#i32 << 35)', 'Math.clz32(#i32)', 'Math.max(#i32, #i32)',
    'Math.min(#i32, #i32, #i32)', 'Math.abs(#i32 >> 1)', '(#bool ? #i32 : #i32)', '((#i32 >> 1) / (#i32 | 1) | 0)',
    '(Math.floor((#i32 >> 1) / (#i32 | 1)) | 0)', '((#i32 >> 1) % (#i32 | 1) | 0)', '(Math.max(-1e9, Math.min(1e9, isNaN(#f64) ? 3.5 : -2.5)) | 0)',
    '(~~(#i32 * 0.5))', '(#bool ^ #bool)', '((#i32 & 15) ** 3)',
  ],
  f64: [
    '(#f64 + #f64)', '(#f64 - #f64)', '(#f64 * #f64)', '(#f64 / #f64)', '(#f64 % #f64)', '(-#f64)', '(#f64 / #i32)', '(#f64 + #i32)',
    '(#i32 * 0.1)', '(#f64 * 3)', 'Math.sqrt(#f64)', 'Math.floor(#f64)', 'Math.ceil(#f64)', 'Math.trunc(#f64)', 'Math.round(#f64)',
    'Math.sign(#f64)', 'Math.abs(#f64)', 'Math.max(#f64, #f64)', 'Math.min(#f64, #i32, #f64)', '(Math.fround(#f64) - f64b[i])',
    '(#bool ? #f64 : #f64)', '(#bool ? #i32 : #f64)', '(#i32 >>> 0) * 0.5',
  ],
  bool: [
    '(#i32 < #i32)', '(#i32 >= #f64)', '(#f64 < #f64)', '(#f64 !== #f64)', '(#f64 === #i32)', '(#i32 === #i32)', '(!#bool)', '(!#f64)', '(!#i32)',
    '(#bool && #bool)', '(#bool || #bool)', 'Number.isNaN(#f64)', 'isFinite(#f64)', '(#bool === #bool)',
  ],
}; // prettier-ignore

const LEAVES: Readonly<Record<PlainType, readonly string[]>> = {
  i32: ['i32a[i]', 'i32b[i]', 'i'],
  // No constants alone: what is computed of constants is one, which takes the type of what it stands beside.
  f64: ['f64a[i]', 'f64b[i]', '(f64a[i] * 0.1)', '(-0.5 - f64b[i])'],
  bool: ['(i32a[i] > i32b[i])', '(f64a[i] <= f64b[i])'],
};

/** So many random programs that are JavaScript as they are. */
export function randomPlainPrograms(seed: number, count: number): readonly JitProgram[] {
  const number = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(number() * list.length)] as T;
  const expression = (
    type: PlainType,
    depth: number,
    scope: Readonly<Record<PlainType, readonly string[]>>,
  ): string => {
    if (depth <= 0) return pick([...scope[type], ...LEAVES[type]]);
    const inner = depth - 1 - Math.floor(number() * 2);
    const text = pick(FORMS[type]).replaceAll(/#(\w+)/g, (_, operand: PlainType) => expression(operand, inner, scope));
    return `(${text})`;
  };
  const empty = { i32: [], f64: [], bool: [] };
  const loop = (type: 'i32' | 'f64'): JitProgram => {
    const scope = { i32: ['s', 'k'], f64: ['t'], bool: [] };
    const x = (of: PlainType): string => expression(of, 2, scope);
    const before = `let s = i32a[i] | 0; let t = f64a[i]; for (let k = 0; k < 6; k++) { if (${x('bool')}) { s = ${x('i32')}; continue; } t = ${x('f64')}; if (${x('bool')} && (s = ${x('i32')}) > 9) break; t -= ${x('f64')}; s ^= k; }`;
    return { type, before, value: type === 'i32' ? 's' : 't' };
  };
  const parts = (type: 'i32' | 'f64'): JitProgram => {
    const scope = { i32: ['s'], f64: ['t'], bool: [] };
    const below = (most: number): number => Math.floor(number() * most);
    const writer = { pick, below, x: (of: PlainType): string => expression(of, 1, scope) };
    const list = Array.from({ length: 1 + below(3) }, () => plainStatement(writer));
    const before = `let s = i32a[i] | 0; let t = f64a[i]; ${list.join(' ')}`;
    return { type, before, value: type === 'i32' ? 's' : 't' };
  };
  return Array.from({ length: count }, (_, index) => {
    const type = pick(['i32', 'f64'] as const);
    if (index % 2 === 0) return parts(type);
    return index % 4 === 3 ? loop(type) : { type, value: expression(type, 3, empty) };
  });
}
