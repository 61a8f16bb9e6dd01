import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { storageType } from './dialect.ts';

/** The declarations of `f32x4` and the like: as many elements as a thread reads or writes at once. */
export function packTypes(dtypes: Iterable<ArrayDType>, lanes: number): string {
  const each = [...new Set(dtypes)].map((dtype) => {
    const bytes = Math.min(16, arrayDTypes[dtype].size * lanes);
    return `typedef struct ALIGNED(${bytes}) {\n  ${storageType(dtype)} v[${lanes}];\n} ${packType(dtype, lanes)};\n`;
  });
  return `${each.join('')}\n`;
}

/** The name of such a type. */
export function packType(dtype: ArrayDType, lanes: number): string {
  return `${dtype}x${lanes}`;
}
