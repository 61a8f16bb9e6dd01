import { nameOf } from '../core/check.ts';
import { DataType } from './sys/enums.ts';

/** The element types that NCCL moves and reduces. Complex numbers are pairs of their parts. */
export type NcclDType =
  'i8' | 'u8' | 'i32' | 'u32' | 'i64' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64' | 'c64' | 'c128' | 'f8e4m3' | 'f8e5m2';

/** How NCCL has an element type. */
export interface ElementRow {
  readonly name: NcclDType;
  /** NCCL's constant of a part. */
  readonly type: number;
  /** How many of these one element is. */
  readonly parts: 1 | 2;
  /** Bytes of one element. */
  readonly size: number;
}

function row(name: NcclDType, type: number, size: number, parts: 1 | 2 = 1): ElementRow {
  return { name, type, parts, size };
}

/** Every element type by name. */
export const elements: Readonly<Record<NcclDType, ElementRow>> = {
  i8: row('i8', DataType.INT8, 1),
  u8: row('u8', DataType.UINT8, 1),
  i32: row('i32', DataType.INT32, 4),
  u32: row('u32', DataType.UINT32, 4),
  i64: row('i64', DataType.INT64, 8),
  u64: row('u64', DataType.UINT64, 8),
  f16: row('f16', DataType.FLOAT16, 2),
  bf16: row('bf16', DataType.BFLOAT16, 2),
  f32: row('f32', DataType.FLOAT32, 4),
  f64: row('f64', DataType.FLOAT64, 8),
  c64: row('c64', DataType.FLOAT32, 8, 2),
  c128: row('c128', DataType.FLOAT64, 16, 2),
  f8e4m3: row('f8e4m3', DataType.FLOAT8E4M3, 1),
  f8e5m2: row('f8e5m2', DataType.FLOAT8E5M2, 1),
};

/** What to do about the dtypes of arrays that NCCL lacks. */
const ADVICE: Readonly<Record<string, string>> = {
  i16: "reduce x.astype('i32'), or move x.view('u8')",
  u16: "reduce x.astype('u32'), or move x.view('u8')",
  bool: "reduce x.astype('u8') with 'max' or 'min', or move x.view('u8')",
};

/**
 * How NCCL has the elements of a name.
 *
 * @throws TypeError it has none; the message says what to do
 */
export function readElement(name: unknown, what: string): ElementRow {
  if (typeof name === 'string') {
    if (Object.hasOwn(elements, name)) return elements[name as NcclDType];
    const advice = ADVICE[name];
    if (advice !== undefined) throw new TypeError(`${what}: NCCL has no elements of dtype ${name}; ${advice}`);
  }
  throw new TypeError(`${what}: dtype must be one of ${Object.keys(elements).join(', ')}, got ${nameOf(name)}`);
}
