import type { Place, Reading } from './reading.ts';
import type { ReductionWalk } from './walk.ts';

/** The texts of indices of axes; the last axis comes first. */
export class AxesText {
  readonly index: 'u32' | 'u64';
  readonly step: 'i32' | 'i64';
  readonly #walk: ReductionWalk;
  readonly #reading: Reading;

  constructor(walk: ReductionWalk, reading: Reading) {
    this.#walk = walk;
    this.#reading = reading;
    this.index = walk.isWide ? 'u64' : 'u32';
    this.step = walk.isWide ? 'i64' : 'i32';
  }

  /** Lines that make the indices of the axes that stay, `r0` and so on, of `row`. */
  rows(): string[] {
    return this.#split('row', 'r', 'rows', 0, this.#walk.outer);
  }

  /** Lines that make the place of the first element of a row in each array: `in0_row`. */
  starts(column: string | undefined): string[] {
    const { outer, isUnit } = this.#walk;
    return this.#reading.arrays.map(({ name }) => {
      const terms = Array.from({ length: outer }, (_, i) => `(${this.step})r${i} * ${name}_row${i}`);
      if (column !== undefined) terms.push(`(${this.step})${column}${isUnit ? '' : ` * ${name}_column`}`);
      return `const ${this.step} ${name}_row = ${[`(${this.step})${name}_at`, ...terms].join(' + ')};`;
    });
  }

  /**
   * Lines that make indices of the reduced axes, `j0` and so on, of one over all of them, and the place that they give.
   *
   * @param j - the name of the index
   */
  place(j: string): [lines: string[], place: Place] {
    const { inner, geometry, isUnit } = this.#walk;
    if (inner === 1) {
      const step0 = (name: string): string => (geometry === 'rows' && isUnit ? '' : ` * ${name}_step0`);
      return [
        [],
        { arrays: this.#reading.arrays.map(({ name }) => `${name}_row + (${this.step})${j}${step0(name)}`), at: j },
      ];
    }
    return [this.#split(j, 'j', 'length', 0, inner), this.#sum('row', 0)];
  }

  /** Lines that make the place of the first element of a line, the elements of the first reduced axis: `in0_line`. */
  line(line: string): string[] {
    const { inner } = this.#walk;
    const { arrays, at } = this.#sum('row', 1);
    return [
      ...this.#split(line, 'j', 'length', 1, inner),
      ...this.#reading.arrays.map(({ name }, i) => `const ${this.step} ${name}_line = ${arrays[i] ?? ''};`),
      ...(this.#reading.hasPlaceSteps ? [`const ${this.index} line_place = ${at};`] : []),
    ];
  }

  /** The place of an element of a line. */
  placeInLine(i: string): Place {
    const { isUnit } = this.#walk;
    return {
      arrays: this.#reading.arrays.map(({ name }) => {
        return `${name}_line + (${this.step})${isUnit ? i : `${i} * ${name}_step0`}`;
      }),
      at: this.#reading.hasPlaceSteps ? `line_place + ${i} * place_step0` : i,
    };
  }

  #sum(base: string, from: number): Place {
    const { inner, geometry, isUnit } = this.#walk;
    const axes = Array.from({ length: inner - from }, (_, i) => from + i);
    return {
      arrays: this.#reading.arrays.map(({ name }) => {
        const terms = axes.map((axis) => {
          return `(${this.step})j${axis}${axis === 0 && geometry === 'rows' && isUnit ? '' : ` * ${name}_step${axis}`}`;
        });
        return [`${name}_${base}`, ...terms].join(' + ');
      }),
      at: this.#reading.hasPlaceSteps ? axes.map((axis) => `j${axis} * place_step${axis}`).join(' + ') : '0',
    };
  }

  /** Take an index apart, into those of axes from one to before another. */
  #split(of: string, name: string, length: string, from: number, end: number): string[] {
    const lines: string[] = [];
    let rest = of;
    for (let axis = from; axis < end - 1; axis++) {
      lines.push(
        `const ${this.index} ${name}${axis} = ${rest} % ${length}${axis}, ${name}${axis}_rest = ${rest} / ${length}${axis};`,
      );
      rest = `${name}${axis}_rest`;
    }
    if (end > from) lines.push(`const ${this.index} ${name}${end - 1} = ${rest};`);
    return lines;
  }
}

/** Lines of a block, two places to the right. */
function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** A loop or a branch. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...indent(lines), '}'];
}
