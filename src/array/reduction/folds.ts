import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { operations } from '../operation/table.ts';
import type { CountType, Fold } from './fold.ts';
import { highest, lowest, notANumber } from './limits.ts';

type Float = 'f32' | 'f64';

const isFloat = (t: ArrayDType): t is Float => arrayDTypes[t].kind === 'float';
const isComplex = (t: ArrayDType): boolean => arrayDTypes[t].kind === 'complex';
const same = (state: string): string => state;

/** The sum of numbers. */
export function sumFold(t: ArrayDType): Fold {
  const join = (a: string, b: string): string => (isFloat(t) ? `${a} + ${b}` : operations.add.text([a, b], t));
  const start = isComplex(t) ? `${t.toUpperCase()}(0, 0)` : '0';
  const isRounded = isFloat(t) || isComplex(t);
  return { fields: [{ name: 'sum', dtype: t, start }], state: t, isRounded, put: join, join, result: same, type: t };
}

/** The product of numbers. */
export function productFold(t: ArrayDType): Fold {
  const join = (a: string, b: string): string => (isFloat(t) ? `${a} * ${b}` : operations.multiply.text([a, b], t));
  const start = isComplex(t) ? `${t.toUpperCase()}(1, 0)` : '1';
  return { fields: [{ name: 'product', dtype: t, start }], state: t, put: join, join, result: same, type: t };
}

/** The sum by `divisor`, as another dtype. */
export function meanFold(t: ArrayDType, type: ArrayDType): Fold {
  const divisor = arrayDTypes[type].part as Float;
  const result = (sum: string): string => {
    if (isComplex(type)) return `${type.toUpperCase()}(${sum}.x / divisor, ${sum}.y / divisor)`;
    return t === type ? `${sum} / divisor` : `(${type})${sum} / divisor`;
  };
  return { ...sumFold(t), result, type, divisor };
}

/** The square root of the sum. */
export function rootFold(t: Float): Fold {
  return { ...sumFold(t), result: (sum) => `sqrt(${sum})` };
}

/** The greatest or the least number; NaN where there is one. */
export function extremeFold(t: ArrayDType, sign: '>' | '<'): Fold {
  const join = (a: string, b: string): string =>
    isFloat(t) ? `${b} ${sign} ${a} || ${b} != ${b} ? ${b} : ${a}` : `${b} ${sign} ${a} ? ${b} : ${a}`;
  const start = sign === '>' ? lowest(t) : highest(t);
  return { fields: [{ name: 'value', dtype: t, start }], state: t, put: join, join, result: same, type: t };
}

/** The greatest or the least of the numbers that are not NaN; NaN where all are. */
export function numberFold(t: ArrayDType, sign: '>' | '<'): Fold {
  if (!isFloat(t)) return extremeFold(t, sign);
  const join = (a: string, b: string): string => `${b} ${sign} ${a} || ${a} != ${a} ? ${b} : ${a}`;
  const start = notANumber(t);
  return { fields: [{ name: 'value', dtype: t, start }], state: t, put: join, join, result: same, type: t };
}

/** The difference of the greatest and the least number. */
export function rangeFold(t: ArrayDType): Fold {
  const [least, most] = [extremeFold(t, '<'), extremeFold(t, '>')];
  const state = `range_${t}`;
  return {
    fields: [
      { name: 'least', dtype: t, start: highest(t) },
      { name: 'most', dtype: t, start: lowest(t) },
    ],
    state,
    functions: `
FN ${state} range_put(${state} a, ${t} x) {
  a.least = ${least.put('a.least', 'x', '', true)};
  a.most = ${most.put('a.most', 'x', '', true)};
  return a;
}

FN ${state} range_join(${state} a, ${state} b) {
  a.least = ${least.join('a.least', 'b.least')};
  a.most = ${most.join('a.most', 'b.most')};
  return a;
}`,
    put: (a, x) => `range_put(${a}, ${x})`,
    join: (a, b) => `range_join(${a}, ${b})`,
    result: (a) => operations.subtract.text([`${a}.most`, `${a}.least`], t),
    type: t,
  };
}

/** Whether one, or every element is true. */
export function truthFold(sign: '|' | '&'): Fold {
  return {
    fields: [{ name: 'truth', dtype: 'i32', start: sign === '|' ? '0' : '1' }],
    state: 'i32',
    put: (a, x) => `${a} ${sign} (i32)${x}`,
    join: (a, b) => `${a} ${sign} ${b}`,
    result: (a) => `(${a} != 0)`,
    type: 'bool',
  };
}

/** How many elements are true. */
export function countFold(count: CountType, type: ArrayDType): Fold {
  return {
    fields: [{ name: 'count', dtype: count, start: '0' }],
    state: count,
    put: (a, x) => `${a} + (${count})${x}`,
    join: (a, b) => `${a} + ${b}`,
    result: (a) => `(${type})${a}`,
    type,
  };
}

/**
 * The place of the greatest or the least number; of the first NaN where there is one. Until a number exceeds the one that the
 * state begins with, it has a place that no element has: the result is then 0.
 */
export function placeFold(t: ArrayDType, sign: '>' | '<', count: CountType): Fold {
  const state = `place_${t}`;
  const nowhere = highest(count);
  const opposite = sign === '>' ? '<' : '>';
  const first = isFloat(t)
    ? `
  if (b.value ${sign} a.value) return b;
  if (a.value ${sign} b.value) return a;
  if (a.value != a.value || b.value != b.value) {
    if (a.value == a.value) return b;
    if (b.value == b.value) return a;
  }
  return b.at < a.at ? b : a;`
    : `
  if (b.value == a.value) return b.at < a.at ? b : a;
  return b.value ${sign} a.value ? b : a;`;
  // One comparison finds what exceeds the state, and NaN in either.
  const matters = (value: string, x: string): string =>
    isFloat(t) ? `!(${x} ${opposite}= ${value}) && ${value} == ${value}` : `${x} ${sign} ${value}`;
  return {
    fields: [
      { name: 'value', dtype: t, start: sign === '>' ? lowest(t) : highest(t) },
      { name: 'at', dtype: count, start: nowhere },
    ],
    state,
    functions: `
FN ${state} place_put(${state} a, ${t} x, ${count} at) {
  const bool isFurther = ${matters('a.value', 'x')};
  a.value = isFurther ? x : a.value;
  a.at = isFurther ? at : a.at;
  return a;
}

FN ${state} place_join(${state} a, ${state} b) {${first}
}

FN ${state} place_put_any(${state} a, ${t} x, ${count} at) {
  ${state} b;
  b.value = x;
  b.at = at;
  return place_join(a, b);
}`,
    isPlaced: true,
    scout: { fold: extremeFold(t, sign), matters },
    put: (a, x, at, isOrdered) => `${isOrdered ? 'place_put' : 'place_put_any'}(${a}, ${x}, ${at})`,
    join: (a, b) => `place_join(${a}, ${b})`,
    result: (a) => `${a}.at == ${nowhere} ? (i64)0 : (i64)${a}.at`,
    type: 'i64',
  };
}

/**
 * The variance in one pass: the mean and the sum of squares of differences from it, by B. P. Welford (1962); states are joined
 * by T. F. Chan, G. H. Golub, R. J. LeVeque (1979).
 */
export function momentsFold(t: ArrayDType, count: CountType, isRoot: boolean): Fold {
  const part = arrayDTypes[t].part as Float;
  const state = `moments_${t}`;
  const complex = isComplex(t);
  const start = complex ? `${t.toUpperCase()}(0, 0)` : '0';
  const each = (line: (of: string) => string): string => (complex ? `${line('.x')}\n  ${line('.y')}` : line(''));
  const dot = (a: string, b: string): string => (complex ? `(${a}.x * ${b}.x + ${a}.y * ${b}.y)` : `${a} * ${b}`);
  const difference = (a: string, b: string): string => (complex ? `complex_sub_${t}(${a}, ${b})` : `${a} - ${b}`);
  return {
    fields: [
      { name: 'mean', dtype: t, start },
      { name: 'squares', dtype: part, start: '0' },
      { name: 'count', dtype: count, start: '0' },
    ],
    state,
    functions: `
FN ${state} moments_put(${state} a, ${t} x) {
  a.count++;
  const ${t} d = ${difference('x', 'a.mean')};
  const ${part} share = 1 / (${part})a.count;
  ${each((of) => `a.mean${of} += d${of} * share;`)}
  const ${t} rest = ${difference('x', 'a.mean')};
  a.squares += ${dot('d', 'rest')};
  return a;
}

FN ${state} moments_join(${state} a, ${state} b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const ${part} share = (${part})b.count / (${part})(a.count + b.count);
  const ${t} d = ${difference('b.mean', 'a.mean')};
  ${each((of) => `a.mean${of} += d${of} * share;`)}
  a.squares += b.squares + ${dot('d', 'd')} * share * (${part})a.count;
  a.count += b.count;
  return a;
}`,
    put: (a, x) => `moments_put(${a}, ${x})`,
    join: (a, b) => `moments_join(${a}, ${b})`,
    result: (a) => (isRoot ? `sqrt(${a}.squares / divisor)` : `${a}.squares / divisor`),
    type: part,
    divisor: part,
  };
}
