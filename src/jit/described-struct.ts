import { nameOf } from '../core/check.ts';
import { FIELDS } from '../core/struct-text.ts';
import { scalar, SCALARS, type KernelType, type ScalarName, type StructType } from './kernel-type.ts';

/** What a vector's type says of itself. */
interface VectorFacts {
  readonly name: string;
  readonly dtype: string;
  readonly lanes: number;
  readonly byteLength: number;
  readonly alignment: number;
}

const LANES = ['x', 'y', 'z', 'w'];
/** The vectors that kernels have: see `operation/value.ts`. */
const VECTOR = /^(?:float|double|int|uint)[24]$/;

/** Whether a value is what `struct(…)` gives. */
export function isStructType(value: unknown): value is { readonly [FIELDS]: Readonly<Record<string, unknown>> } {
  return typeof value === 'function' && FIELDS in value;
}

/**
 * A struct of `struct(…)` as a type of kernels.
 *
 * @throws TypeError a field that a kernel does not have
 */
export function kernelStruct(type: unknown, what: string): StructType {
  if (!isStructType(type)) throw new TypeError(`${what} must be a struct(…), got ${nameOf(type)}`);
  return {
    kind: 'struct',
    fields: Object.entries(type[FIELDS]).map(([name, field]) => [name, fieldType(field, `${what}.${name}`)] as const),
  };
}

function fieldType(field: unknown, what: string): KernelType {
  if (typeof field === 'string' && Object.hasOwn(SCALARS, field)) return scalar(field as ScalarName);
  if (isStructType(field)) return kernelStruct(field, what);
  const { name, dtype, lanes, byteLength, alignment } = field as VectorFacts;
  // Others have one layout in CUDA and another one in OpenCL.
  if (typeof field === 'function' && VECTOR.test(name) && byteLength === alignment) {
    const fields = LANES.slice(0, lanes).map((lane) => [lane, scalar(dtype as ScalarName)] as const);
    return { kind: 'struct', vector: name, fields };
  }
  throw new TypeError(
    `${what}: a struct in a kernel has numbers (${Object.keys(SCALARS).join(', ')}), structs, and vectors such as float2 and float4, got ${fieldText(field)}`,
  );
}

function fieldText(field: unknown): string {
  if (Array.isArray(field)) return 'an array; write a field for each of its numbers';
  if (field === 'f16' || field === 'bf16') return `${field}; store it as f32, or as u16 with its bits`;
  if (typeof field === 'function') return `${field.name}; write a struct of numbers`;
  return typeof field === 'string' ? field : nameOf(field);
}
