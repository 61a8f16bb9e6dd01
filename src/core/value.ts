import { isWhole, PublicObject } from './public-object.ts';
import { checkMade, MAKER, type Maker } from './maker.ts';
import { dtypes, type DType, type DTypeInfo, type Element } from './dtype.ts';
import { brand } from './errors.ts';

/**
 * A kernel argument whose C type is written down: a scalar, a vector or a struct, passed by value.
 */
export abstract class Value extends PublicObject {
  constructor() {
    super();
    checkMade(new.target !== Value, 'Value', "write int32(3), float32(0.5), a vector or a struct's type");
  }

  /** The C spelling, for errors. */
  abstract readonly typeName: string;
  /** Bytes that it takes. */
  abstract readonly byteLength: number;
  /** Its alignment in bytes. */
  abstract readonly alignment: number;
  /**
   * Write the bytes.
   * @internal
   */
  abstract writeTo(view: DataView, byteOffset: number): void;
}
brand(Value, 'Value', isWhole);

/** One number of a fixed C type. Made by `int32(3)`, `float32(0.5)` and similar functions. */
export class Scalar<D extends DType = DType> extends Value {
  readonly dtype: D;
  readonly value: Element;
  readonly typeName: string;
  readonly byteLength: number;
  readonly #info: DTypeInfo;

  /** @internal */
  constructor(maker: Maker, dtype: D, value: unknown) {
    checkMade(maker === MAKER, 'Scalar', 'write int32(3), float32(0.5) or similar');
    super();
    const info = dtypes[dtype];
    this.dtype = dtype;
    this.value = info.check(value, 'The value');
    this.typeName = info.c;
    this.byteLength = info.size;
    this.#info = info;
  }

  get alignment(): number {
    return this.byteLength;
  }

  /** `int32(3)` */
  override toString(): string {
    return `${this.typeName}(${this.value})`;
  }

  /** @internal */
  override writeTo(view: DataView, byteOffset: number): void {
    this.#info.write(view, byteOffset, this.value);
  }
}
brand(Scalar, 'Scalar', isWhole);

// `out`: the two types refer to each other, and TypeScript would find any vector good for any.
/** A short vector, `float4(1, 2, 3, 4)`, with its vendor's size and alignment. */
export class Vector<out D extends DType = DType, out N extends number = number> extends Value {
  readonly type: VectorType<D, N>;
  readonly values: readonly Element[];

  /** @internal */
  constructor(maker: Maker, type: VectorType<D, N>, values: readonly unknown[]) {
    checkMade(maker === MAKER, 'Vector', 'call its type: float4(1, 2, 3, 4)');
    super();
    if (values.length !== type.lanes) {
      throw new TypeError(`${type.name} takes ${type.lanes} numbers, got ${values.length}`);
    }
    const info = dtypes[type.dtype];
    this.type = type;
    this.values = values.map((value, i) => info.check(value, `Element ${i} of ${type.name}`));
  }

  get typeName(): string {
    return this.type.name;
  }

  /** `float4(1, 2, 3, 4)` */
  override toString(): string {
    return `${this.typeName}(${this.values.join(', ')})`;
  }

  get byteLength(): number {
    return this.type.byteLength;
  }

  get alignment(): number {
    return this.type.alignment;
  }

  /** @internal */
  override writeTo(view: DataView, byteOffset: number): void {
    const { size, write } = dtypes[this.type.dtype];
    this.values.forEach((value, i) => {
      write(view, byteOffset + i * size, value);
    });
  }
}
brand(Vector, 'Vector', isWhole);

/** A vector type: call it with its elements. */
export interface VectorType<out D extends DType = DType, out N extends number = number> {
  (...values: Element[]): Vector<D, N>;
  readonly name: string;
  readonly dtype: D;
  readonly lanes: N;
  readonly byteLength: number;
  readonly alignment: number;
}

/** Make a vector type with the given layout. The layouts differ between CUDA and OpenCL. */
export function vectorType<const D extends DType, const N extends number>(
  name: string,
  dtype: D,
  lanes: N,
  byteLength: number,
  alignment: number,
): VectorType<D, N> {
  const make = (...values: Element[]): Vector<D, N> => new Vector(MAKER, type, values);
  const type = Object.defineProperties(make, {
    name: { value: name },
    dtype: { value: dtype, enumerable: true },
    lanes: { value: lanes, enumerable: true },
    byteLength: { value: byteLength, enumerable: true },
    alignment: { value: alignment, enumerable: true },
  }) as unknown as VectorType<D, N>;
  return type;
}

/** An `int8_t`, by value. */
export const int8 = (value: number): Scalar<'i8'> => new Scalar(MAKER, 'i8', value);
/** A `uint8_t`, by value. */
export const uint8 = (value: number): Scalar<'u8'> => new Scalar(MAKER, 'u8', value);
/** An `int16_t`, by value. */
export const int16 = (value: number): Scalar<'i16'> => new Scalar(MAKER, 'i16', value);
/** A `uint16_t`, by value. */
export const uint16 = (value: number): Scalar<'u16'> => new Scalar(MAKER, 'u16', value);
/** An `int32_t`, by value. */
export const int32 = (value: number): Scalar<'i32'> => new Scalar(MAKER, 'i32', value);
/** A `uint32_t`, by value. */
export const uint32 = (value: number): Scalar<'u32'> => new Scalar(MAKER, 'u32', value);
/** An `int64_t`, by value. */
export const int64 = (value: number | bigint): Scalar<'i64'> => new Scalar(MAKER, 'i64', value);
/** A `uint64_t`, by value. */
export const uint64 = (value: number | bigint): Scalar<'u64'> => new Scalar(MAKER, 'u64', value);
/** A half float, by value. */
export const float16 = (value: number): Scalar<'f16'> => new Scalar(MAKER, 'f16', value);
/** A bfloat16 (`__nv_bfloat16`), by value. */
export const bfloat16 = (value: number): Scalar<'bf16'> => new Scalar(MAKER, 'bf16', value);
/** A `float`, by value. */
export const float32 = (value: number): Scalar<'f32'> => new Scalar(MAKER, 'f32', value);
/** A `double`, by value. */
export const float64 = (value: number): Scalar<'f64'> => new Scalar(MAKER, 'f64', value);
