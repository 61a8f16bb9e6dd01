import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { NDArray } from '../ndarray.ts';
import { sizeOf } from '../shape.ts';
import { draw, unitsOf } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';

/** The dtypes of words. */
const WORDS: readonly ArrayDType[] = ['u32', 'u64', 'u8', 'u16', 'i8', 'i16', 'i32', 'i64'];

/** The text of two words as one, the first one lower. */
export function wideWord(k: number): string {
  return `((u64)w.v[${2 * k + 1}] << 32 | w.v[${2 * k}])`;
}

/** A text of the words of the blocks, or of their highest bits. */
export function wordsText(dtype: ArrayDType): DrawText {
  const bytes = arrayDTypes[dtype].size;
  const lanes = bytes === 8 ? 2 : 4;
  const values = Array.from({ length: lanes }, (_, k) => {
    const text = bytes === 8 ? wideWord(k) : bytes === 4 ? `w.v[${k}]` : `(w.v[${k}] >> ${32 - 8 * bytes})`;
    return `value[${k}] = (${dtype})${text};`;
  });
  return {
    name: `words_${dtype}`,
    dtype,
    lanes,
    numbers: [],
    lines: `const words w = DRAW(0);\n${values.join('\n')}`,
  };
}

/** The words of a generator. */
export function words(find: FindEngine, stream: PhiloxStream, options: RandomOptions | undefined): NDArray {
  const target = targetOf(find, 'bits', options, WORDS);
  const text = wordsText(target.dtype);
  return draw(target, text, stream.take(unitsOf(sizeOf(target.shape), text)), []);
}
