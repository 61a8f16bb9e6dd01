import { sizeOf } from '../../array/shape.ts';
import type { Variable } from '../tree.ts';
import type { ArrayType, ElementType } from '../kernel-type.ts';
import { newFlat, shaped, STORAGES, type KernelView, type Storage } from './kernel-view.ts';

/** The shared arrays of one block, each made when the first thread comes to it. */
export class BlockArrays {
  readonly #variables: readonly Variable[];
  readonly #bytes: number;
  readonly #made: (Storage | KernelView)[] = [];
  #dynamic: ArrayBuffer | undefined;

  /** @param bytes - of arrays of length 0 */
  constructor(variables: readonly Variable[], bytes: number) {
    this.#variables = variables;
    this.#bytes = bytes;
  }

  at(index: number): Storage | KernelView {
    const known = this.#made[index];
    if (known) return known;
    const { type, shape = [] } = this.#variables[index] as Variable;
    const { element } = type as ArrayType;
    const data = sizeOf(shape) === 0 ? this.#dynamicArray(element) : newFlat(element, shape);
    const made = shaped(data, shape);
    this.#made[index] = made;
    return made;
  }

  /** All arrays of length 0 begin at one place, as in CUDA. */
  #dynamicArray(element: ElementType): Storage {
    this.#dynamic ??= new ArrayBuffer(this.#bytes);
    const Kind = STORAGES[element];
    return new Kind(this.#dynamic, 0, Math.floor(this.#bytes / Kind.BYTES_PER_ELEMENT));
  }
}
