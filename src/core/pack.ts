import { dtypes, type DType } from './dtype.ts';
import { elementError, pointeeOf, type Pointee } from './element-check.ts';
import type { ElementTag } from './element-tag.ts';
import { nameOf } from './check.ts';
import { isHostMemory } from './host-memory.ts';
import { refBytes, refNumber } from './ref-value.ts';
import { parseType, type CType, type Dialect } from './signature.ts';
import { Struct } from './struct.ts';
import { Scalar, Value, Vector } from './value.ts';

/** One parameter of a kernel: where its bytes go and what it takes. */
export interface Slot {
  /** The kernel's name, for errors. */
  readonly kernel: string;
  /** Its position, from 0. */
  readonly index: number;
  /** Its name in the source, where that is known. */
  readonly name: string | undefined;
  /** Its C type; undefined where nothing but the layout is known. */
  readonly type: CType | undefined;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** The bytes of all arguments of one kernel, with a view of each width: typed-array stores allocate nothing. */
export class ArgumentBlock {
  readonly view: DataView<ArrayBuffer>;
  readonly i8: Int8Array<ArrayBuffer>;
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly i16: Int16Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly i64: BigInt64Array<ArrayBuffer>;
  readonly u64: BigUint64Array<ArrayBuffer>;
  readonly f32: Float32Array<ArrayBuffer>;
  readonly f64: Float64Array<ArrayBuffer>;
  /** Whether a pointer is missing that will be known later: see {@link PointerRules.isLater}. */
  waits = false;

  constructor(byteLength: number) {
    const buffer = new ArrayBuffer(Math.max(8, Math.ceil(byteLength / 8) * 8));
    this.view = new DataView(buffer);
    this.i8 = new Int8Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

/** Check one argument and write its bytes. */
export type Writer = (block: ArgumentBlock, value: unknown) => void;

/** What a half knows of its own memory objects. */
export interface PointerRules {
  /** The address behind a memory object, or undefined for any other value. */
  readonly address: (value: unknown) => bigint | undefined;
  /** The number behind an object that kernels take as a 64-bit integer, or undefined for any other value. */
  readonly object?: (value: unknown) => bigint | undefined;
  /** Whether memory will be made for a value: until then its pointer is missing. */
  readonly isLater?: (value: unknown) => boolean;
  /** What the elements of memory are, and of what memory will be made for; 0 where that is not known. */
  readonly elements: (value: unknown) => ElementTag;
  /** The host array that memory will be made for. */
  readonly hostArray?: (value: unknown) => unknown;
  /** How the C types of the parameters are to be read. */
  readonly dialect: Dialect;
  /** How memory of a known type is passed as bytes. */
  readonly bytesAdvice: string;
  /** What to pass where a pointer belongs: 'a device allocation (memAlloc, toDevice), …'. */
  readonly wanted: string;
  /** What to do with a host array in a pointer's place. */
  readonly hostAdvice: string;
}

/** Name a parameter in an error: `add: argument 2 (const float *b)`. */
export function describeSlot(slot: Slot): string {
  const { type, name } = slot;
  const which = `${slot.kernel}: argument ${slot.index}`;
  if (!type) return name === undefined ? which : `${which} (${name})`;
  const star = type.text.endsWith('*') ? '' : ' ';
  return `${which} (${name === undefined ? type.text : `${type.text}${star}${name}`})`;
}

/** The writer of a parameter, chosen once, when the kernel is first prepared. */
export function writerFor(slot: Slot, pointers: PointerRules): Writer {
  const { type } = slot;
  if (!type) return layoutWriter(slot, pointers);
  switch (type.kind) {
    case 'pointer':
      return pointerWriter(slot, pointers);
    case 'int':
    case 'float': {
      const dtype = dtypeOf(type, slot.byteLength);
      return dtype ? numberWriter(slot, dtype, pointers) : layoutWriter(slot, pointers);
    }
    case 'bool':
      return boolWriter(slot);
    case 'vector':
      return vectorWriter(slot, type);
    case 'named':
      return layoutWriter(slot, pointers);
    default:
      return type.kind satisfies never;
  }
}

function dtypeOf(type: CType, size: number): DType | undefined {
  if (type.text.includes('bfloat16')) return size === dtypes.bf16.size ? 'bf16' : undefined;
  const name = `${type.kind === 'float' ? 'f' : type.signed ? 'i' : 'u'}${size * 8}`;
  return Object.hasOwn(dtypes, name) ? (name as DType) : undefined;
}

function numberWriter(slot: Slot, dtype: DType, pointers: PointerRules): Writer {
  const { check, write, kind } = dtypes[dtype];
  const at = slot.byteOffset;
  const code = CODES[dtype] ?? 0;
  const what = describeSlot(slot);
  // Signed and unsigned integers take each other's values; of floats two have the same size.
  const fits = (given: DType): boolean =>
    given === dtype || (kind === 'int' && dtypes[given].kind === 'int' && dtypes[given].size === slot.byteLength);
  // A struct of one number may arrive in a register, as an enum does: only the name tells that it could be one.
  const maybeStruct = slot.type !== undefined && parseType(slot.type.text, pointers.dialect).kind === 'named';
  const slow = (block: ArgumentBlock, value: unknown): void => {
    if (value instanceof Value) {
      if (maybeStruct && value instanceof Struct && value.byteLength === slot.byteLength) {
        value.writeTo(block.view, at);
        return;
      }
      if (!(value instanceof Scalar) || !fits(value.dtype as DType)) {
        throw new TypeError(`${what} does not take ${value.typeName}; pass a plain number or ${dtypes[dtype].c}(…)`);
      }
      write(block.view, at, check(value.value, what));
      return;
    }
    const own = refNumber(value);
    if (own?.kind === kind && own.bytes.length === slot.byteLength) {
      block.u8.set(own.bytes, at);
      return;
    }
    const object = dtype === 'u64' ? pointers.object?.(value) : undefined;
    if (object !== undefined) {
      block.u64[at >> 3] = object;
      return;
    }
    write(block.view, at, check(value, what));
  };
  return (block, value) => {
    if (typeof value !== 'number' || !storeNumber(code, block, at, value)) slow(block, value);
  };
}

/** How {@link storeNumber} writes a parameter; 0 where it does not. */
export function storeCode({ type, byteLength }: Slot): number {
  if (type?.kind !== 'int' && type?.kind !== 'float') return 0;
  const dtype = dtypeOf(type, byteLength);
  return dtype === undefined ? 0 : (CODES[dtype] ?? 0);
}

const I32 = 1;
const U32 = 2;
const F32 = 3;
const F64 = 4;
const WIDE = 5;
const CODES: Readonly<Partial<Record<DType, number>>> = {
  i32: I32,
  u32: U32,
  f32: F32,
  f64: F64,
  i64: WIDE,
  u64: WIDE,
};

/**
 * Write a number of a common type. It is on the launch path.
 *
 * @param at - the parameter's offset in bytes
 * @returns false for a value that the full check has to look at
 */
export function storeNumber(code: number, block: ArgumentBlock, at: number, value: number): boolean {
  const i = at >> 2;
  switch (code) {
    case I32:
      block.i32[i] = value;
      return block.i32[i] === value;
    case U32:
      block.u32[i] = value;
      return block.u32[i] === value;
    case F32:
      block.f32[i] = value;
      return true;
    case F64:
      block.f64[at >> 3] = value;
      return true;
    case WIDE:
      if (!Number.isSafeInteger(value) || value < 0) return false;
      block.u32[i] = value;
      block.u32[i + 1] = value / 0x1_0000_0000;
      return true;
    default:
      return false;
  }
}

function boolWriter(slot: Slot): Writer {
  const what = describeSlot(slot);
  return (block, value) => {
    const own = typeof value === 'object' ? refNumber(value) : undefined;
    if (own?.kind === 'int' && own.bytes.length === 1) {
      block.u8[slot.byteOffset] = own.bytes[0] === 0 ? 0 : 1;
      return;
    }
    if (typeof value !== 'boolean' && value !== 0 && value !== 1) {
      throw new TypeError(`${what} takes true or false, got ${nameOf(value)}`);
    }
    block.u8[slot.byteOffset] = value ? 1 : 0;
  };
}

function pointerWriter(slot: Slot, pointers: PointerRules): Writer {
  const i = slot.byteOffset >> 3;
  const { address } = pointers;
  const checkElements = elementChecker(slot, pointers);
  return (block, value) => {
    const pointer = address(value);
    if (pointer === undefined && pointers.isLater?.(value) !== true) throw pointerError(slot, pointers, value);
    checkElements?.(value);
    if (pointer === undefined) block.waits = true;
    else block.u64[i] = pointer;
  };
}

/**
 * What refuses memory whose elements are not those of the parameter.
 *
 * @returns undefined where nothing is compared
 */
export function elementChecker(slot: Slot, pointers: PointerRules): ((value: unknown) => void) | undefined {
  const pointee = pointeeOf(slot.type, pointers.dialect);
  if (!pointee) return undefined;
  return (value) => {
    const tag = pointers.elements(value);
    if ((tag & pointee.refused) !== 0) throw refusal(slot, pointee, tag, value, pointers);
  };
}

function refusal(slot: Slot, pointee: Pointee, tag: ElementTag, value: unknown, pointers: PointerRules): TypeError {
  const given = pointers.hostArray?.(value) ?? value;
  return elementError(describeSlot(slot), pointee, tag, given, pointers.bytesAdvice);
}

/** The error of a value that is not a pointer where one belongs. */
export function pointerError(slot: Slot, pointers: PointerRules, value: unknown): TypeError {
  const what = describeSlot(slot);
  if (isHostMemory(value)) {
    return new TypeError(`${what} is a pointer to device memory, got a host array: ${pointers.hostAdvice}`);
  }
  return new TypeError(`${what} is a pointer: pass ${pointers.wanted}, got ${nameOf(value)}`);
}

function vectorWriter(slot: Slot, type: CType): Writer {
  const what = describeSlot(slot);
  return (block, value) => {
    const vector = value instanceof Vector ? (value as Vector) : undefined;
    if (!vector || vector.type.lanes !== type.lanes || !sameElement(vector, type)) {
      const came = value instanceof Value ? value.typeName : nameOf(value);
      throw new TypeError(`${what} takes a ${type.text}(…), got ${came}`);
    }
    vector.writeTo(block.view, slot.byteOffset);
  };
}

const FLOATS: Readonly<Record<string, DType>> = {
  float: 'f32',
  double: 'f64',
  half: 'f16',
  __half: 'f16',
  __nv_bfloat16: 'bf16',
};

function sameElement({ type: { dtype }, byteLength }: Vector, type: CType): boolean {
  if (byteLength !== type.size) return false;
  const wanted = FLOATS[type.element ?? ''];
  return wanted === undefined ? dtypes[dtype].kind === 'int' && dtypes[dtype].signed === type.signed : dtype === wanted;
}

/** A struct, an enum, a foreign kernel: only the size is known, so only what states its own type is taken. */
function layoutWriter(slot: Slot, pointers: PointerRules): Writer {
  const what = describeSlot(slot);
  const bytes = slot.byteLength;
  return (block, value) => {
    if (value instanceof Value) {
      if (value.byteLength !== bytes) {
        throw new TypeError(`${what} has ${bytes} bytes; the ${value.typeName} has ${value.byteLength}`);
      }
      value.writeTo(block.view, slot.byteOffset);
      return;
    }
    const own = refBytes(value) ?? refNumber(value)?.bytes;
    if (own) {
      if (own.length !== bytes) throw new TypeError(`${what} has ${bytes} bytes; ${nameOf(value)} has ${own.length}`);
      block.u8.set(own, slot.byteOffset);
      return;
    }
    const pointer =
      bytes === 8 && typeof value === 'object' ? (pointers.object?.(value) ?? pointers.address(value)) : undefined;
    if (pointer === undefined && bytes === 8 && pointers.isLater?.(value) === true) {
      block.waits = true;
      return;
    }
    if (pointer === undefined) {
      const wanted = 'pass a struct(…) value or a typed scalar such as int32(…)';
      throw new TypeError(`${what} has ${bytes} bytes: ${wanted}, got ${nameOf(value)}`);
    }
    block.u64[slot.byteOffset >> 3] = pointer;
  };
}
