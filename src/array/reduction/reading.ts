import type { ArrayDType } from '../dtype.ts';
import { BodyText } from '../expression/body.ts';
import { load } from '../kernel/conversion.ts';
import { registerType, storageType } from '../kernel/dialect.ts';
import { packType, packTypes } from '../kernel/pack.ts';
import type { Node } from '../expression/node.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { fieldOf, type Field, type Fold } from './fold.ts';
import { mappedText, type Reduction } from './reduction.ts';
import type { ReductionWalk } from './walk.ts';

/** An array of a kernel. */
export interface KernelArray {
  readonly name: string;
  readonly dtype: ArrayDType;
  readonly type?: Parameter['type'];
}

/** An array of a field of states. */
export function arrayOfField({ name, dtype, struct }: Field, prefix: string): KernelArray {
  const array = { name: `${prefix}_${name}`, dtype };
  return struct === undefined ? array : { ...array, type: { cuda: struct.name, opencl: struct.name } };
}

/** Where an element is: its place in each array, and among the reduced ones. */
export interface Place {
  readonly arrays: readonly string[];
  readonly at: string;
  /** The pointers that `arrays` count from, where those are not the arrays' own. */
  readonly pointers?: readonly string[];
}

/** The texts that read elements, or states that another kernel left, into a state. */
export class Reading {
  readonly arrays: readonly KernelArray[];
  /** Types of as many elements as are read at once. */
  readonly packs: string;
  /** Whether the place of an element has a step for each reduced axis: one axis alone needs none. */
  readonly hasPlaceSteps: boolean;
  readonly #work: Reduction;
  readonly #walk: ReductionWalk;
  readonly #fold: Fold;
  readonly #lines: readonly string[];
  readonly #value: (elements: readonly string[], at: string) => string;

  constructor(work: Reduction, walk: ReductionWalk, fold: Fold) {
    this.#work = work;
    this.#walk = walk;
    this.#fold = fold;
    const isElements = walk.from === 'elements';
    this.arrays = isElements
      ? work.inputs.map((dtype, i) => ({ name: `in${i}`, dtype }))
      : fold.fields.map((field) => arrayOfField(field, 'in'));
    this.hasPlaceSteps = isElements && fold.isPlaced === true && walk.inner > 1;
    const body = new BodyText();
    const mapped = mappedText(work);
    const value = mapped === undefined && isElements ? body.converted(work.value as Node, work.element) : '';
    this.#value = mapped === undefined ? () => value : mapped.text;
    this.#lines = body.lines;
    this.packs = walk.isPacked
      ? packTypes(
          this.arrays.map(({ dtype }) => dtype),
          walk.lanes,
        )
      : '';
  }

  /** The same elements, for another fold. */
  by(fold: Fold): Reading {
    return new Reading(this.#work, this.#walk, fold);
  }

  /** Lines that take an element, or a state, into a state. */
  take(state: string, { arrays, at, pointers }: Place): string[] {
    const fold = this.#fold;
    if (this.#walk.from === 'states') {
      const name = fold.fields.length === 1 ? 'other' : `other.`;
      const reads = this.arrays.map((array, i) => {
        const field = fold.fields.length === 1 ? `const ${fold.state} ${name}` : `${name}${fold.fields[i]?.name ?? ''}`;
        return `${field} = ${pointers?.[i] ?? array.name}[${arrays[i] ?? ''}];`;
      });
      const declaration = fold.fields.length === 1 ? [] : [`${fold.state} other;`];
      return [...declaration, ...reads, `${state} = ${fold.join(state, 'other')};`];
    }
    return this.#put(
      state,
      this.arrays.map(({ name, dtype }, i) => load(dtype, pointers?.[i] ?? name, arrays[i] ?? '')),
      at,
    );
  }

  /**
   * Lines that make pointers to elements at a place, and the place of others near them. An index of 32 bits may wrap around between
   * two elements, as far as a compiler knows, so that it does not read them together; behind a pointer it does.
   *
   * @param step - by how much the others are further on in an array
   * @param at - their place among the reduced elements
   */
  pointers({ arrays }: Place, step: (name: string) => string, at: string): [lines: string[], place: Place] {
    const names = this.arrays.map(({ name }) => `${name}_here`);
    const lines = this.arrays.map(({ name, dtype, type }, i) => {
      return `GLOBAL const ${type?.cuda ?? storageType(dtype)} *${names[i] ?? ''} = ${name} + (${arrays[i] ?? ''});`;
    });
    return [lines, { arrays: this.arrays.map(({ name }) => step(name)), at, pointers: names }];
  }

  /** Lines that read as many elements as a thread has at once, and those that take each, `k`, into a state. */
  takePack(state: string, { arrays }: Place, at: string): [reads: string[], each: string[]] {
    const { lanes } = this.#walk;
    const reads = this.arrays.map(({ name, dtype }, i) => {
      const pack = packType(dtype, lanes);
      return `const ${pack} ${name}_pack = *(GLOBAL const ${pack} *)(${name} + ${arrays[i] ?? ''});`;
    });
    const elements = this.arrays.map(({ name, dtype }) => load(dtype, `${name}_pack.v`, 'k'));
    return [reads, this.#put(state, elements, at)];
  }

  #put(state: string, elements: readonly string[], at: string): string[] {
    const reads = elements.map((text, i) => {
      return `const ${registerType(this.arrays[i]?.dtype ?? 'f32')} x${i} = ${text};`;
    });
    // Where several axes are walked in the order of memory, places do not ascend.
    const value = this.#value(
      elements.map((_, i) => `x${i}`),
      at,
    );
    const put = this.#fold.put(state, value, at, this.#walk.inner === 1);
    return [...reads, ...this.#lines, `${state} = ${put};`];
  }

  /** The text of a field of a state. */
  field(state: string, name: string): string {
    return fieldOf(this.#fold, state, name);
  }
}
