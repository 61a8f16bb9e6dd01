import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Helper } from './helper-definition.ts';
import { registerType, storageType } from './dialect.ts';

/** What a combination makes of `element` and `value`. */
type Combine = (t: ArrayDType) => string;

const sum: Combine = (t) => {
  if (arrayDTypes[t].kind === 'float') return 'element + value';
  // Signed integers wrap around, too.
  return t === 'i32' || t === 'i64'
    ? `(${t})((u${t.slice(1)})element + (u${t.slice(1)})value)`
    : `(${t})(element + value)`;
};
const extreme =
  (name: 'max' | 'min'): Combine =>
  (t) => {
    if (arrayDTypes[t].kind === 'float') return `float_${name}_${registerType(t)}(element, value)`;
    return `element ${name === 'max' ? '>' : '<'} value ? element : value`;
  };

/**
 * Atomic combinations of an element of memory with a value, by comparing and swapping the word that has it: `cas_u32` and
 * `cas_u64` are each language's own, as are the combinations that it has itself. A swap of 0 for 0 is an atomic read.
 */
export const atomicHelpers: Readonly<Record<string, Helper>> = {
  scatter_add: (t) => (arrayDTypes[t].kind === 'complex' ? parts(t) : combination('add', t, sum)),
  scatter_max: (t) => combination('max', t, extreme('max')),
  scatter_min: (t) => combination('min', t, extreme('min')),
  shared_add: (t) => sharedSum(t),
  // Modes: 0 counts from the end below 0, and ends at the last element; 1 ends at both; 2 goes around.
  index_in: (t) => `
FN ${t} index_in_${t}(${t} index, ${t} length, u32 mode) {
  if (mode == 2) {
    index %= length;
    return index < 0 ? index + length : index;
  }
  if (mode == 0 && index < 0) index += length;
  return index < 0 ? 0 : index >= length ? length - 1 : index;
}`,
};

/** The sum of floats in shared memory, for languages that have none themselves. */
function sharedSum(t: ArrayDType): string {
  const word = arrayDTypes[t].size === 8 ? 'u64' : 'u32';
  return `
FN void shared_add_${t}(SHARED_POINTER ${t} *memory, u32 place, ${t} value) {
  SHARED_POINTER ${word} *at = (SHARED_POINTER ${word} *)memory + place;
  ${word} seen = shared_cas_${word}(at, 0, 0);
  for (;;) {
    const ${word} old = seen;
    const ${word} next = BITS_${t.toUpperCase()}(${fromWord(t)} + value);
    if (next == old) return;
    seen = shared_cas_${word}(at, old, next);
    if (seen == old) return;
  }
}`;
}

/** The parts of a complex number are added one by one. */
function parts(t: ArrayDType): string {
  const { part } = arrayDTypes[t];
  return `
FN void scatter_add_${t}(GLOBAL ${t} *memory, u64 place, ${t} value) {
  scatter_add_${part}((GLOBAL ${part} *)memory, 2 * place, value.x);
  scatter_add_${part}((GLOBAL ${part} *)memory, 2 * place + 1, value.y);
}`;
}

function combination(name: string, t: ArrayDType, combine: Combine): string {
  const { size } = arrayDTypes[t];
  const word = size === 8 ? 'u64' : 'u32';
  const head = `
FN void scatter_${name}_${t}(GLOBAL ${storageType(t)} *memory, u64 place, ${registerType(t)} value) {
  GLOBAL ${word} *at = (GLOBAL ${word} *)memory + ${size < 4 ? `place / ${4 / size}` : 'place'};`;
  const shift = `
  const u32 shift = (u32)(place % ${4 / size}) * ${8 * size};`;
  return `${head}${size < 4 ? shift : ''}
  ${word} seen = cas_${word}(at, 0, 0);
  for (;;) {
    const ${word} old = seen;
    const ${registerType(t)} element = ${fromWord(t)};
    const ${word} next = ${toWord(t, combine(t))};
    if (next == old) return;
    seen = cas_${word}(at, old, next);
    if (seen == old) return;
  }
}`;
}

function fromWord(t: ArrayDType): string {
  const { size, kind } = arrayDTypes[t];
  if (kind === 'float' && size >= 4) return t === 'f64' ? 'FLOAT_U64(old)' : 'FLOAT_U32(old)';
  if (size >= 4) return `(${t})old`;
  const bits = `(${storageType(t)})(old >> shift)`;
  return kind === 'float' ? `${t}_to_f32(${bits})` : bits;
}

function toWord(t: ArrayDType, result: string): string {
  const { size, kind } = arrayDTypes[t];
  if (kind === 'float' && size >= 4) return `BITS_${t.toUpperCase()}(${result})`;
  if (size >= 4) return `(u${size * 8})(${result})`;
  const bits = kind === 'float' ? `f32_to_${t}(${result})` : `(u${size * 8})(${result})`;
  return `(old & ~(${size === 1 ? '0xffu' : '0xffffu'} << shift)) | ((u32)${bits} << shift)`;
}
