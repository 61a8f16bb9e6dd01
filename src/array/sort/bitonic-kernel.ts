import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion, load } from '../kernel/conversion.ts';
import { registerType, storageType, type Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import { itemType } from '../kernel/item.ts';
import type { KernelText } from '../kernel/source.ts';

/** Elements that a group sorts in shared memory: a power of two. */
export const BITONIC_TILE = 1024;

/** What is sorted. */
export interface BitonicWork {
  /** The dtype of the keys. */
  readonly keys: ArrayDType;
  /** Bytes of an index that goes with each, if one does. */
  readonly indexBytes: number | undefined;
  readonly wide: boolean;
}

/**
 * The steps of a sorting network whose distances are within a tile, by a group in shared memory: K. E. Batcher, "Sorting networks
 * and their applications" (1968). Lines of `n` elements, a power of two, follow each other; those up to `size` that have been
 * sorted up and down by turns are merged to twice as many, from `first_size` on to `last_size`.
 */
export function bitonicTile(work: BitonicWork, threads: number): KernelText {
  const { index, item, type, hasIndex } = typesOf(work);
  const move = (to: string, from: string, indices: string): string =>
    `if (base + t < total) {\n  ${to} = ${from};\n${hasIndex ? `  ${indices};\n` : ''}}`;
  const eachPlace = (lines: string): string =>
    `for (u32 t = tid; t < ${BITONIC_TILE}; t += ${threads}) {\n${indent(lines)}\n}`;
  const body = `
SHARED ${type} tile[${BITONIC_TILE}];
${hasIndex ? `SHARED ${item} tile_indices[${BITONIC_TILE}];` : ''}
const u32 tid = LOCAL_ID(x);
const ${index} base = (${index})GROUP_ID(x) * ${BITONIC_TILE};
${eachPlace(move('tile[t]', 'keys[keys_at + base + t]', 'tile_indices[t] = indices[indices_at + base + t]'))}
for (${index} size = first_size; size <= last_size; size *= 2) {
  for (u32 by = (u32)(size < ${BITONIC_TILE} ? size : ${BITONIC_TILE}) / 2; by > 0; by /= 2) {
    BARRIER();
    for (u32 p = tid; p < ${BITONIC_TILE / 2}; p += ${threads}) {
      const u32 low = 2 * p - (p & (by - 1)), high = low + by;
      if (base + high < total) {
        const bool is_up = ((base + low) & (n - 1) & size) == 0;
        const ${type} a = tile[low], b = tile[high];
        if (is_up ? is_after(a, b) : is_after(b, a)) {
          tile[low] = b;
          tile[high] = a;
${hasIndex ? indent(indent(indent(indent(indent(swapText(item, 'tile_indices', 'low', 'high')))))) : ''}
        }
      }
    }
  }
}
BARRIER();
${eachPlace(move('keys[keys_at + base + t]', 'tile[t]', 'indices[indices_at + base + t] = tile_indices[t]'))}`;
  const parameters = [...parametersOf(work), ...numbers(['first_size', 'last_size'], index)];
  return { name: nameOf('tile', work), parameters, body, preamble: isAfter(work.keys), threads };
}

/** One step of the same for a distance, `by`, of a tile or more: a thread has a pair. */
export function bitonicStep(work: BitonicWork, threads: number): KernelText {
  const { index, item, type, hasIndex } = typesOf(work);
  const body = `
const ${index} p = (${index})GROUP_ID(x) * ${threads} + LOCAL_ID(x);
const ${index} low = 2 * p - (p & (by - 1)), high = low + by;
if (high < total) {
  const bool is_up = (low & (n - 1) & size) == 0;
  const ${type} a = keys[keys_at + low], b = keys[keys_at + high];
  if (is_up ? is_after(a, b) : is_after(b, a)) {
    keys[keys_at + low] = b;
    keys[keys_at + high] = a;
${hasIndex ? indent(indent(swapText(item, 'indices', 'indices_at + low', 'indices_at + high'))) : ''}
  }
}`;
  const parameters = [...parametersOf(work), ...numbers(['size', 'by'], index)];
  return { name: nameOf('step', work), parameters, body, preamble: isAfter(work.keys), threads };
}

function typesOf({ keys, indexBytes, wide }: BitonicWork): {
  readonly index: 'u32' | 'u64';
  readonly type: string;
  readonly item: string;
  readonly hasIndex: boolean;
} {
  const item = indexBytes === undefined ? '' : itemType(indexBytes);
  return { index: wide ? 'u64' : 'u32', type: storageType(keys), item, hasIndex: indexBytes !== undefined };
}

function numbers(names: readonly string[], dtype: ArrayDType): Parameter[] {
  return names.map((name) => ({ name, dtype, kind: 'number' }));
}

function parametersOf(work: BitonicWork): Parameter[] {
  const { index } = typesOf(work);
  const { keys, indexBytes } = work;
  const indices: Parameter[] =
    indexBytes === undefined ? [] : [{ name: 'indices', dtype: itemType(indexBytes), kind: 'output' }];
  const places = ['keys_at', ...(indexBytes === undefined ? [] : ['indices_at'])];
  return [{ name: 'keys', dtype: keys, kind: 'output' }, ...indices, ...numbers([...places, 'n', 'total'], index)];
}

function swapText(type: string, memory: string, one: string, other: string): string {
  return `
const ${type} index = ${memory}[${one}];
${memory}[${one}] = ${memory}[${other}];
${memory}[${other}] = index;`.trim();
}

/** Whether an element belongs behind another one. NaN is behind all numbers. */
function isAfter(dtype: ArrayDType): string {
  const type = storageType(dtype);
  const register = registerType(dtype);
  const isFloat = arrayDTypes[dtype].kind === 'float';
  const value = (name: string): string => conversion(load(dtype, name, '0'), dtype, dtype);
  const comparison = isFloat ? 'x > y || (x != x && y == y)' : 'x > y';
  return `
FN bool is_after(${type} a, ${type} b) {
  const ${type} one[1] = {a}, other[1] = {b};
  const ${register} x = ${value('one')}, y = ${value('other')};
  return ${comparison};
}

`.trimStart();
}

function nameOf(form: string, { keys, indexBytes, wide }: BitonicWork): string {
  const indices = indexBytes === undefined ? [] : ['by', itemType(indexBytes)];
  return ['bitonic', form, keys, ...indices, ...(wide ? ['wide'] : [])].join('_');
}
