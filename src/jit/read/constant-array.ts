import { nameOf } from '../../core/check.ts';
import type { Variable } from '../tree.ts';
import type { ElementType } from '../kernel-type.ts';
import type { ConstantValue } from './reading.ts';

const ELEMENTS: Readonly<Record<string, ElementType>> = {
  Int8Array: 'i8',
  Uint8Array: 'u8',
  Uint8ClampedArray: 'u8',
  Int16Array: 'i16',
  Uint16Array: 'u16',
  Int32Array: 'i32',
  Uint32Array: 'u32',
  BigInt64Array: 'i64',
  BigUint64Array: 'u64',
  Float16Array: 'f16',
  Float32Array: 'f32',
  Float64Array: 'f64',
};

/** The element type of a typed array; undefined for other views. */
export function elementOfView(view: ArrayBufferView): ElementType | undefined {
  // By its name: a test runner's arrays are of another realm.
  const tag = (view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
  return ELEMENTS[tag];
}

type Values = Pick<Variable, 'type' | 'values' | 'shape'>;

/** An array of constants: a typed array, or a list of numbers, or of lists of one length. */
export function arrayOfConstants(
  value: ArrayBufferView | readonly ConstantValue[],
  fail: (reason: string) => never,
): Values {
  const [element, shape, values] = ArrayBuffer.isView(value) ? typed(value, fail) : listed(value, fail);
  return { type: { kind: 'array', element, rank: shape.length, space: 'constant', isFlat: true }, shape, values };
}

type Parts = readonly [element: ElementType, shape: readonly number[], values: readonly (number | bigint)[]];

function typed(value: ArrayBufferView, fail: (reason: string) => never): Parts {
  const element = elementOfView(value);
  if (element === undefined) return fail(`constants must be a typed array or a list of numbers, got ${nameOf(value)}`);
  const values = [...(value as unknown as Iterable<number | bigint>)];
  if (values.length === 0) return fail('an array of constants must have a value');
  // The numbers of halves: f32 holds each.
  return [element === 'f16' ? 'f32' : element, [values.length], values];
}

function listed(value: readonly ConstantValue[], fail: (reason: string) => never): Parts {
  const shape: number[] = [];
  for (
    let level: ConstantValue | undefined = value;
    Array.isArray(level);
    level = (level as readonly ConstantValue[])[0]
  )
    shape.push(level.length);
  const values = flatten(value, shape, 0, fail);
  if (values.length === 0) return fail('an array of constants must have a value');
  const isWhole = values.every((one) => Number.isInteger(one) && Math.abs(one) < 2 ** 31);
  return [isWhole ? 'i32' : 'f64', shape, values];
}

function flatten(
  list: readonly ConstantValue[],
  shape: readonly number[],
  depth: number,
  fail: (reason: string) => never,
): number[] {
  if (list.length !== shape[depth])
    return fail(`the lists of an array of constants must be of one length, ${shape[depth] ?? 0}`);
  return list.flatMap((item) => {
    if (Array.isArray(item)) return flatten(item as readonly ConstantValue[], shape, depth + 1, fail);
    if (typeof item === 'number' && depth === shape.length - 1) return [item];
    return fail(`an array of constants must have numbers, got ${nameOf(item)}`);
  });
}
