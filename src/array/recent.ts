import type { Layout } from './layout.ts';

/** How many are remembered: the layouts of a loop's body. */
const SIZE = 8;

/** What was made for the last few lists of numbers: most calls repeat an earlier one. */
export class Recent<T> {
  readonly #keys: (readonly number[])[] = [];
  readonly #values: T[] = [];
  #next = 0;

  find(key: readonly number[]): T | undefined {
    for (let i = 0; i < this.#keys.length; i++) {
      if (isEqual(this.#keys[i] as readonly number[], key)) return this.#values[i];
    }
    return undefined;
  }

  /** Remember it in the place of the oldest one. */
  add(key: readonly number[], value: T): void {
    this.#keys[this.#next] = [...key];
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % SIZE;
  }
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Add the numbers of a layout to a key. */
export function pushLayout(key: number[], { shape, strides, offset }: Layout): void {
  key.push(shape.length, offset);
  for (let axis = 0; axis < shape.length; axis++) key.push(shape[axis] as number, strides[axis] as number);
}
