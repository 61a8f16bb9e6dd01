import type { ArrayDType } from '../dtype.ts';
import { conversion, stored } from '../kernel/conversion.ts';
import { registerType } from '../kernel/dialect.ts';
import { fieldOf, type Fold } from './fold.ts';
import { arrayOfField, type KernelArray } from './reading.ts';
import type { Reduction } from './reduction.ts';
import type { ReductionWalk } from './walk.ts';

/** The texts that write a result, or a state for another kernel. */
export class Writing {
  readonly arrays: readonly KernelArray[];
  readonly #walk: ReductionWalk;
  readonly #fold: Fold;
  readonly #result: ArrayDType;
  readonly #struct: string | undefined;

  constructor(work: Reduction, walk: ReductionWalk, fold: Fold) {
    this.#walk = walk;
    this.#fold = fold;
    this.#result = work.result;
    this.#struct = work.resultStruct;
    const out = { name: 'out', dtype: work.result };
    this.arrays =
      walk.to === 'results'
        ? [this.#struct === undefined ? out : { ...out, type: { cuda: this.#struct, opencl: this.#struct } }]
        : fold.fields.map((field) => arrayOfField(field, 'out'));
  }

  /**
   * Lines that write a state, or what comes of it.
   *
   * @param column - the text of the column
   * @param item - the place of the state among all
   */
  lines(state: string, column: string | undefined, item: string): string[] {
    const fold = this.#fold;
    if (this.#walk.to === 'states') {
      return fold.fields.map(({ name }) => `out_${name}[out_${name}_at + ${item}] = ${fieldOf(fold, state, name)};`);
    }
    const step = this.#walk.isWide ? 'i64' : 'i32';
    const terms = Array.from({ length: this.#walk.outer }, (_, i) => `(${step})r${i} * out_row${i}`);
    if (column !== undefined) terms.push(`(${step})${wrapped(column)} * out_column`);
    const place = terms.length === 0 ? 'out_at' : `(${step})out_at + ${terms.join(' + ')}`;
    if (this.#struct !== undefined) return [`out[${place}] = ${fold.result(state)};`];
    const value = conversion('value', fold.type, this.#result);
    return [
      `const ${registerType(fold.type)} value = ${fold.result(state)};`,
      `out[${place}] = ${stored(this.#result, value)};`,
    ];
  }
}

function wrapped(text: string): string {
  return /^\w+$/.test(text) ? text : `(${text})`;
}
