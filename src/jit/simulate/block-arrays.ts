import { sizeOf } from '../../array/shape.ts';
import type { Variable } from '../tree.ts';
import type { ArrayType, ElementType, StructType } from '../kernel-type.ts';
import { layoutOf } from '../struct-layout.ts';
import { newFlat, shaped, STORAGES, type Elements, type KernelView, type Storage } from './kernel-view.ts';
import { newRecords } from './record.ts';

/** The shared arrays of one block, each made when the first thread comes to it. */
export class BlockArrays {
  readonly #variables: readonly Variable[];
  readonly #bytes: number;
  readonly #made: (Elements | KernelView)[] = [];
  #dynamic: ArrayBuffer | undefined;

  /** @param bytes - of arrays of length 0 */
  constructor(variables: readonly Variable[], bytes: number) {
    this.#variables = variables;
    this.#bytes = bytes;
  }

  at(index: number): Elements | KernelView {
    const known = this.#made[index];
    if (known) return known;
    const { type, shape = [] } = this.#variables[index] as Variable;
    const { element } = type as ArrayType;
    const data = typeof element === 'string' ? this.#numbers(element, shape) : recordsOf(element, shape);
    const made = shaped(data, shape);
    this.#made[index] = made;
    return made;
  }

  #numbers(element: ElementType, shape: readonly number[]): Storage {
    return sizeOf(shape) === 0 ? this.#dynamicArray(element) : newFlat(element, shape);
  }

  /** All arrays of length 0 begin at one place, as in CUDA. */
  #dynamicArray(element: ElementType): Storage {
    this.#dynamic ??= new ArrayBuffer(this.#bytes);
    const Kind = STORAGES[element];
    return new Kind(this.#dynamic, 0, Math.floor(this.#bytes / Kind.BYTES_PER_ELEMENT));
  }
}

function recordsOf(element: StructType, shape: readonly number[]): Elements {
  return newRecords(layoutOf(element).size, sizeOf(shape));
}
