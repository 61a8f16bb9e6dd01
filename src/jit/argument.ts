import { nameOf } from '../core/check.ts';
import { Scalar } from '../core/value.ts';
import { arrayDTypes, type ArrayDType } from '../array/dtype.ts';
import type { Adopted, ArrayMemory, Engine, Lane } from '../array/engine.ts';
import { contiguous, extentOf, isContiguous, NARROW, type Layout } from '../array/layout.ts';
import { memoryOf, NDArray } from '../array/ndarray.ts';
import { sizeOf } from '../array/shape.ts';
import { checkedValue } from './checked-value.ts';
import { elementOfView } from './read/constant-array.ts';
import {
  F32,
  F64,
  isSame,
  scalar,
  typeText,
  UNKNOWN,
  type ArrayType,
  type ElementType,
  type KernelType,
  keyOf,
} from './kernel-type.ts';
import { lengthOf, StructArray } from './struct-array.ts';

/** One argument of a call: its type, and what the launch takes. */
export type Given = GivenArray | GivenValue;

export interface GivenArray {
  readonly kind: 'array';
  readonly type: ArrayType;
  readonly layout: Layout;
  /** Memory of the device, which the call does not own; of a host array undefined. */
  readonly memory: ArrayMemory | undefined;
  /** A host array, which is copied there and, if it is written, back. */
  readonly host: ArrayBufferView | undefined;
  /** Gives up what the look at the argument has made. */
  readonly release: (() => void) | undefined;
}

export interface GivenValue {
  readonly kind: 'value';
  readonly type: KernelType;
  readonly value: unknown;
}

/** What arguments are looked at with. */
export interface Looking {
  readonly engine: Engine;
  readonly lane: Lane;
  /** The kernel's name, for errors. */
  readonly what: string;
}

const MAX_RANK = 4;
const MIN_INT = -(2 ** 31);
const MAX_INT = 2 ** 31 - 1;

/**
 * The types of arguments. A number is `i32` where it is an integer of 32 bits and `i64` where it is a larger one; with a fraction it
 * is `f32`, or `f64` where an array is, or where there is no array of floats.
 *
 * @throws TypeError something that a kernel cannot be given
 */
export function lookAt(args: readonly unknown[], looking: Looking): readonly Given[] {
  const given: Given[] = [];
  try {
    for (const [i, arg] of args.entries()) given.push(lookAtOne(arg, `${looking.what}: argument ${i + 1}`, looking));
  } catch (error) {
    releaseAll(given);
    throw error;
  }
  const elements = new Set(given.flatMap((one) => (one.kind === 'array' ? namesIn(one.type.element) : [])));
  const fraction = elements.has('f64') || !['f32', 'f16', 'bf16'].some((name) => elements.has(name)) ? F64 : F32;
  return given.map((one) => (one.kind === 'value' ? { ...one, type: withFraction(one.type, fraction) } : one));
}

export function releaseAll(given: readonly Given[]): void {
  for (const one of given) if (one.kind === 'array') one.release?.();
}

/** The types of the numbers that an array holds. */
function namesIn(element: ArrayType['element'] | KernelType): readonly string[] {
  if (typeof element === 'string') return [element];
  if (element.kind === 'struct') return element.fields.flatMap(([, field]) => namesIn(field));
  return element.kind === 'scalar' ? [element.name] : [];
}

/** Stands for the type of numbers with a fraction until all arguments are known. */
const FRACTION: KernelType = { kind: 'scalar', name: 'f64', weak: true };

function withFraction(type: KernelType, fraction: KernelType): KernelType {
  if (type === FRACTION) return fraction;
  if (type.kind === 'tuple') return { ...type, items: type.items.map((item) => withFraction(item, fraction)) };
  if (type.kind === 'struct')
    return { ...type, fields: type.fields.map(([name, field]) => [name, withFraction(field, fraction)] as const) };
  return type;
}

function lookAtOne(value: unknown, what: string, looking: Looking): Given {
  if (value instanceof NDArray) return arrayGiven(value as NDArray, what, looking);
  if (value instanceof StructArray) return structsGiven(value as StructArray, what, looking);
  const element = ArrayBuffer.isView(value) ? elementOfView(value) : undefined;
  if (element !== undefined) {
    const { length } = value as { readonly length: number };
    const type: ArrayType = { kind: 'array', element, rank: 1, space: 'global', isFlat: true };
    return {
      kind: 'array',
      type,
      layout: contiguous([length]),
      memory: undefined,
      host: value as ArrayBufferView,
      release: undefined,
    };
  }
  const type = typeOfValue(value, what);
  if (type !== undefined)
    return { kind: 'value', type, value: value instanceof Scalar ? (value as Scalar).value : value };
  return adopted(value, what, looking);
}

function arrayGiven(array: NDArray, what: string, { engine, what: name }: Looking): GivenArray {
  array.use(name);
  const memory = memoryHere(array, engine, what);
  const { dtype, shape, strides, offset } = array;
  return { ...described(dtype, { shape, strides, offset }, what), memory, host: undefined, release: undefined };
}

function memoryHere(array: NDArray, engine: Engine, what: string): ArrayMemory {
  const memory = memoryOf(array);
  if (memory.engine === engine) return memory;
  throw new TypeError(
    `${what} must be an array of the current context, got one of another context; copy it with get()`,
  );
}

/** Structs: bytes of the host, or memory of the device, whatever elements that has. */
function structsGiven({ type: { byteLength }, memory, element }: StructArray, what: string, looking: Looking): Given {
  const arrayOf = (bytes: number): Pick<GivenArray, 'kind' | 'type' | 'layout'> => ({
    kind: 'array',
    type: { kind: 'array', element, rank: 1, space: 'global', isFlat: true },
    layout: contiguous([lengthOf(byteLength, bytes, what)]),
  });
  if (ArrayBuffer.isView(memory))
    return { ...arrayOf(memory.byteLength), memory: undefined, host: memory, release: undefined };
  const bytes =
    memory instanceof NDArray
      ? ofNDArray(memory as NDArray, what, looking)
      : looking.engine.adopt?.(memory, { dtype: 'u8', shape: undefined, lane: looking.lane }, what);
  if (bytes === undefined)
    throw new TypeError(`${what} must be structs in bytes or in memory of the device, got ${nameOf(memory)}`);
  const release = memory instanceof NDArray ? undefined : (): void => bytes.memory.handle.release();
  try {
    if (bytes.layout.offset !== 0 || !isContiguous(bytes.layout))
      throw new TypeError(`${what} must be structs in memory without gaps, got a part of an array; copy it first`);
    const size = sizeOf(bytes.layout.shape) * arrayDTypes[bytes.dtype].size;
    return { ...arrayOf(size), memory: bytes.memory, host: undefined, release };
  } catch (error) {
    release?.();
    throw error;
  }
}

function ofNDArray(array: NDArray, what: string, { engine, what: name }: Looking): Adopted {
  array.use(name);
  const { dtype, shape, strides, offset } = array;
  return { memory: memoryHere(array, engine, what), dtype, layout: { shape, strides, offset } };
}

function described(
  dtype: ArrayDType,
  layout: Layout,
  what: string,
): { kind: 'array'; type: ArrayType; layout: Layout } {
  if (arrayDTypes[dtype].kind === 'complex')
    throw new TypeError(
      `${what} must be an array of numbers that are not complex, got ${dtype}; pass its real and imag`,
    );
  const rank = layout.shape.length;
  if (rank > MAX_RANK) throw new RangeError(`${what} must have 0 to ${MAX_RANK} axes, got ${rank}; write reshape()`);
  // A single value is an array of length 1.
  const whole = rank === 0 ? { shape: [1], strides: [1], offset: layout.offset } : layout;
  const isFlat = whole.offset === 0 && isContiguous(whole);
  const element = dtype as ElementType;
  return {
    kind: 'array',
    type: { kind: 'array', element, rank: whole.shape.length, space: 'global', isFlat },
    layout: whole,
  };
}

/** The memory of other objects: allocations, buffers, arrays of other libraries. */
function adopted(value: unknown, what: string, { engine, lane }: Looking): GivenArray {
  const found = engine.adopt?.(value, { dtype: undefined, shape: undefined, lane }, what);
  if (found === undefined) {
    throw new TypeError(
      `${what} must be a typed array, device memory, a number, a truth value, or an object or a list of these, got ${nameOf(value)}`,
    );
  }
  const { memory, dtype, layout } = found;
  const release = (): void => memory.handle.release();
  try {
    return { ...described(dtype, layout, what), memory, host: undefined, release };
  } catch (error) {
    release();
    throw error;
  }
}

function typeOfValue(value: unknown, what: string): KernelType | undefined {
  if (typeof value === 'boolean') return scalar('bool');
  if (typeof value === 'number') return typeOfNumber(value);
  if (typeof value === 'bigint') return scalar(value > 2n ** 63n - 1n ? 'u64' : 'i64');
  if (value instanceof Scalar) {
    const { dtype } = value as Scalar;
    return scalar(dtype === 'f16' || dtype === 'bf16' ? 'f32' : dtype);
  }
  if (Array.isArray(value))
    return { kind: 'tuple', items: (value as readonly unknown[]).map((item) => partType(item, what)) };
  if (isPlain(value)) {
    const fields = Object.entries(value).map(([name, field]) => [name, partType(field, what)] as const);
    if (fields.length > 0) return { kind: 'struct', fields };
  }
  return undefined;
}

function partType(value: unknown, what: string): KernelType {
  const type = typeOfValue(value, what);
  if (type !== undefined) return type;
  throw new TypeError(
    `${what} must have numbers and truth values inside, got ${nameOf(value)}; pass arrays by themselves`,
  );
}

function typeOfNumber(value: number): KernelType {
  if (isFraction(value)) return FRACTION;
  return scalar(fitsInt(value) ? 'i32' : 'i64');
}

/** Whether a value is a number that has to be a float in a kernel: the sign of -0 would be lost, too. */
export function isFraction(value: unknown): value is number {
  return typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0));
}

/** Whether a value is a number that is an `i32` in a kernel. */
export function fitsInt(value: unknown): value is number {
  return typeof value === 'number' && value >= MIN_INT && value <= MAX_INT && !isFraction(value);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has a prototype without one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether places in an array need 64 bits. */
function needsWideIndex(given: readonly Given[]): boolean {
  return given.some(
    (one) => one.kind === 'array' && (sizeOf(one.layout.shape) > NARROW || (extentOf(one.layout)?.[1] ?? 0) > NARROW),
  );
}

/** What a kernel is translated for: calls of one key share it. */
export interface Kind {
  readonly key: string;
  readonly types: readonly KernelType[];
  /** Whether lengths and indices have 64 bits. */
  readonly isWide: boolean;
}

export function kindOf(given: readonly Given[]): Kind {
  const isWide = needsWideIndex(given);
  const types = given.map(({ type }) => type);
  return { key: `${isWide ? 'wide' : ''}${types.map(keyOf).join(';')}`, types, isWide };
}

/** Whether an array has elements of a type. Halves of the host may be given as their bits. */
function holds({ type, host }: GivenArray, element: ArrayType['element']): boolean {
  if (type.element === element) return true;
  if (typeof element !== 'string') return typeof type.element !== 'string' && isSame(type.element, element);
  return host !== undefined && type.element === 'u16' && (element === 'f16' || element === 'bf16');
}

/** Fit arguments to the types of a signature: layouts stay those of the arguments. */
export function fitted(given: readonly Given[], types: readonly KernelType[], what: string): readonly Given[] {
  if (given.length !== types.length) {
    throw new TypeError(
      `${what} must be given ${types.length} argument${types.length === 1 ? '' : 's'}, got ${given.length}`,
    );
  }
  return given.map((one, i) => {
    const type = types[i] as KernelType;
    const isFit =
      one.kind === 'array'
        ? type.kind === 'array' && holds(one, type.element) && type.rank === one.type.rank
        : isLike(one.type, type);
    if (!isFit) throw new TypeError(`${what}: argument ${i + 1} must be ${typeText(type)}, got ${typeText(one.type)}`);
    if (one.kind === 'array') return { ...one, type: { ...one.type, element: (type as ArrayType).element } };
    return { ...one, type, value: checkedValue(one.value, type, `${what}: argument ${i + 1}`) };
  });
}

/** Whether a value may be given for a number or a struct of a signature. */
function isLike(given: KernelType, type: KernelType): boolean {
  if (type.kind !== 'struct') return type.kind === 'scalar' && given.kind === 'scalar';
  if (given.kind !== 'struct' || given.fields.length !== type.fields.length) return false;
  const fields = new Map(given.fields);
  return type.fields.every(([name, field]) => isLike(fields.get(name) ?? UNKNOWN, field));
}
