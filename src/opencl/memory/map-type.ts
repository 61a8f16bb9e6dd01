import {
  arrayClass,
  dtypes,
  type ArrayOf,
  type DType,
  type DTypeInfo,
  type DTypes,
  type ElementType,
} from '../../core/dtype.ts';
import { tagOfType, tags, type ElementTag } from '../../core/element-tag.ts';
import type { VectorType } from '../../core/value.ts';

/** The element type of a mapped part: a dtype's name, a typed array's class, or a vector type such as `float4`. */
export type MapElement = ElementType | VectorType;

/** The array over a mapped part. Vectors lie in the array of their elements: a `float4` is four numbers of a Float32Array. */
export type MapArray<T extends MapElement> = T extends VectorType
  ? DTypes[DType]
  : T extends ElementType
    ? ArrayOf<T>
    : never;

/** The array class and the bytes that one element takes. */
export function mapClass(type: MapElement, what: string): { array: DTypeInfo['array']; bytes: number } {
  if (typeof type !== 'function' || !('lanes' in type)) return arrayClass(type, what);
  return { array: dtypes[type.dtype].array, bytes: type.byteLength };
}

/** The tag of the elements, for memory. */
export function tagOfMapped(type: MapElement): ElementTag {
  return typeof type === 'function' && 'lanes' in type ? tags[type.dtype] : tagOfType(type);
}
