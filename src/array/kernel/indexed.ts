import type { ArrayDType } from '../dtype.ts';
import { load } from './conversion.ts';
import type { Parameter } from './dialect.ts';
import { lengthType, placeType, walkLines, walkParameters, type RowWalk } from './row-walk.ts';
import type { KernelText } from './source.ts';

/** What is done with the chosen elements: they are read, written, or combined with others by atomic operations. */
export type IndexedAction = 'get' | 'set' | 'add' | 'max' | 'min';

/** What an indexed kernel works on. */
export interface IndexedWork extends RowWalk {
  readonly action: IndexedAction;
  /** The dtype of the elements; for `get` and `set` the one that stands for all of its size. */
  readonly dtype: ArrayDType;
  /** The dtypes of the index arrays: i32 or i64. */
  readonly indices: readonly ArrayDType[];
}

/**
 * A kernel that goes over what index arrays choose of an array, `chosen`, and an array of the same shape, `other`: the result
 * of a gathering, the values of a scattering. Its parameters: what is written, what is read, the index arrays, the numbers of
 * the walk, the length and stride of each indexed axis, how indices out of range are read.
 */
export function indexedKernel(work: IndexedWork): KernelText {
  const { action, dtype, indices } = work;
  const isGet = action === 'get';
  const place = placeType(work);
  const names = ['other', 'chosen', ...indices.map((_, i) => `index${i}`)];
  const memories: Parameter[] = [
    isGet ? { name: 'other', dtype, kind: 'output' } : { name: 'chosen', dtype, kind: 'output' },
    isGet ? { name: 'chosen', dtype, kind: 'input' } : { name: 'other', dtype, kind: 'input' },
    ...indices.map((each, i) => ({ name: `index${i}`, dtype: each, kind: 'input' }) as const),
  ];
  const parameters: Parameter[] = [
    ...memories,
    ...walkParameters(names, work),
    ...indices.flatMap((_, i): Parameter[] => [
      { name: `length${i}`, dtype: place, kind: 'number' },
      { name: `stride${i}`, dtype: place, kind: 'number' },
    ]),
    { name: 'mode', dtype: 'u32', kind: 'number' },
  ];
  const terms = indices.map((each, i) => {
    const type = work.wide ? 'i64' : each;
    return `(${place})index_in_${type}(index${i}[index${i}_i], length${i}, mode) * stride${i}`;
  });
  const at = ['chosen_i', ...terms].join('\n  + ');
  const body = `
${walkLines(names, work)}
const ${place} at = ${at};
${isGet ? 'other[other_i] = chosen[at];' : scatter(action, dtype)}`;
  const types = indices.map((each) => `_${each}`).join('');
  const name = `${isGet ? 'gather' : `scatter_${action}`}_${dtype}${types}_${work.rank}d${lengthType(work) === 'u64' ? '_wide' : ''}`;
  return { name: `indexed_${name}`, parameters, body };
}

function scatter(action: IndexedAction, dtype: ArrayDType): string {
  if (action === 'set') return 'chosen[at] = other[other_i];';
  return `scatter_${action}_${dtype}(chosen, (u64)at, ${load(dtype, 'other', 'other_i')});`;
}
