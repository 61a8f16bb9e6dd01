import { memoryOf, type NDArray } from './ndarray.ts';

/** Whether packs of so many elements begin at places of the memory that fit them, from the given one on. */
export function fitsPack(array: NDArray, offset: number, lanes: number): boolean {
  const bytes = Math.min(16, array.itemsize * lanes);
  return (offset * array.itemsize) % bytes === 0 && memoryOf(array).alignment % bytes === 0;
}
