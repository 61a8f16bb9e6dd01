import { nameOf } from '../core/check.ts';
import { hostBytes, isHostMemory } from '../core/host-memory.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import type { Fields, FieldValue, StructType as StructOf } from '../core/struct.ts';
import { kernelStruct } from './described-struct.ts';
import type { StructType } from './kernel-type.ts';

/** Structs one after another, as an argument of a kernel: made by {@link structArray}. */
export class StructArray<F extends Fields = Fields> extends PublicObject {
  /** The layout of an element. */
  readonly type: StructOf<F>;
  /** The bytes of the host, or the memory of the device, that the elements are in. */
  readonly memory: unknown;
  readonly #element: StructType;

  /** @internal */
  constructor(maker: Maker, type: StructOf<F>, memory: unknown) {
    checkMade(maker === MAKER, 'StructArray', 'write structArray(Point, bytes)');
    super();
    this.#element = kernelStruct(type, 'structArray: the type');
    this.type = type;
    this.memory = memory;
  }

  /** @internal */
  get element(): StructType {
    return this.#element;
  }
}

/**
 * An array of structs for a kernel: `a[i].x` in it is a field.
 *
 * @param type - what `struct(…)` gives
 * @param memory - the values; or bytes of the host, which the kernel changes in place; or memory of the device, as
 * `toDevice(Point.pack(values))`. `Point.unpack(bytes)` reads them again
 * @throws TypeError a struct with a field that kernels do not have; a value that is not memory
 * @throws RangeError bytes that are not a multiple of the struct's
 *
 * @example
 * ```ts
 * import { struct } from 'rawkernel/cuda';
 * import { cuda, jit, structArray, type Structs } from 'rawkernel/cuda/jit';
 * import 'rawkernel/cuda/autoinit';
 *
 * const Point = struct({ x: 'f32', y: 'f32' });
 * const move = jit((points: Structs<typeof Point>, by: number) => {
 *   const i = cuda.grid(1);
 *   if (i < points.length) points[i]!.x += by;
 * });
 * const bytes = Point.pack([{ x: 1, y: 2 }]);
 * move.forAll(1)(structArray(Point, bytes), 5);
 * Point.unpack(bytes); // [{ x: 6, y: 2 }]
 * ```
 */
export function structArray<F extends Fields>(
  type: StructOf<F>,
  memory: readonly { readonly [K in keyof F]: FieldValue }[] | ArrayBufferView | ArrayBufferLike | object,
): StructArray<F> {
  kernelStruct(type, 'structArray: the type');
  if (Array.isArray(memory)) return new StructArray(MAKER, type, type.pack(memory as never));
  if (typeof memory !== 'object' || (memory as unknown) === null)
    throw new TypeError(`structArray must be given values, bytes or memory of the device, got ${nameOf(memory)}`);
  if (!isHostMemory(memory)) return new StructArray(MAKER, type, memory);
  const bytes = hostBytes(memory, 'structArray: the memory');
  lengthOf(type.byteLength, bytes.byteLength, 'structArray: the memory');
  return new StructArray(MAKER, type, bytes);
}

/**
 * How many structs there are in so many bytes.
 *
 * @throws RangeError a rest
 */
export function lengthOf(size: number, byteLength: number, what: string): number {
  if (byteLength % size === 0) return byteLength / size;
  throw new RangeError(`${what} must be a multiple of ${size} bytes, the size of the struct, got ${byteLength}`);
}
