import type { ArrayDType } from '../../src/array/dtype.ts';
import type { NDArray } from '../../src/array/ndarray.ts';
import * as xp from '../../src/array/public.ts';
import { Choices } from './random-view.ts';

/** An expression as a template has it, and what its operations give one by one. */
export interface RandomExpression {
  readonly strings: readonly string[];
  readonly values: readonly (NDArray | number)[];
  readonly eager: NDArray;
}

interface Part {
  /** Text and values in turns, text first and last. */
  readonly strings: readonly string[];
  readonly values: readonly (NDArray | number)[];
  /** An array, or a scalar. */
  readonly result: NDArray | number;
}

type Eager = (...operands: readonly (NDArray | number)[]) => NDArray;

const operators: Readonly<Record<string, Eager>> = {
  '+': xp.add as Eager,
  '-': xp.subtract as Eager,
  '*': xp.multiply as Eager,
  '<': xp.less as Eager,
  '==': xp.equal as Eager,
};
const functions: Readonly<Record<string, Eager>> = {
  maximum: xp.maximum as Eager,
  absolute: xp.abs as Eager,
  square: xp.square as Eager,
};

const DTYPES = ['f32', 'i32', 'u8', 'bool'] as const;

/**
 * A random expression of few operations whose results are exact: it is the same whatever is rounded in between.
 *
 * @param make - an array of nested numbers
 */
export function randomExpression(seed: number, make: (data: unknown, dtype: ArrayDType) => NDArray): RandomExpression {
  const choose = new Choices(seed);
  const leaves = DTYPES.map((dtype) => {
    const least = dtype === 'u8' || dtype === 'bool' ? 0 : -4;
    const rows = Array.from({ length: 4 }, () => Array.from({ length: 3 }, () => choose.between(least, 5)));
    const array = make(rows, dtype);
    // Few ways to walk, as each is a kernel for each operation.
    return [array.at('1:3'), array.at('3')];
  });
  const leaf = (): Part => {
    const array = choose.of(choose.of(leaves));
    return { strings: ['', ''], values: [array], result: array };
  };
  const operand = (depth: number): Part => {
    if (choose.below(4) > 0) return part(depth);
    const scalar = choose.between(0, 3);
    return choose.below(2) === 0
      ? { strings: ['', ''], values: [scalar], result: scalar }
      : { strings: [String(scalar)], values: [], result: scalar };
  };
  const part = (depth: number): Part => {
    if (depth === 0) return leaf();
    const first = part(depth - 1);
    const kind = choose.below(6);
    if (kind === 0) {
      const [yes, no] = [part(depth - 1), operand(depth - 1)];
      const result = xp.where(first.result, yes.result, no.result);
      return joined(['(', ' ? ', ' : ', ')'], [first, yes, no], result);
    }
    if (kind === 1) {
      const name = choose.of(Object.keys(functions));
      if (name === 'maximum') {
        const second = operand(depth - 1);
        const operands = choose.shuffled([first, second]);
        return joined([`${name}(`, ', ', ')'], operands, apply(functions, name, operands));
      }
      const isBool = (first.result as NDArray).dtype === 'bool';
      if (isBool && name === 'square') return first;
      return joined([`${name}(`, ')'], [first], apply(functions, name, [first]));
    }
    const operands = choose.shuffled([first, operand(depth - 1)]);
    const isBool = operands.every(({ result }) => typeof result !== 'number' && result.dtype === 'bool');
    const sign = choose.of(Object.keys(operators).filter((each) => each !== '-' || !isBool));
    return joined(['(', ` ${sign} `, ')'], operands, apply(operators, sign, operands));
  };
  const { strings, values, result } = part(3);
  return { strings, values, eager: result as NDArray };
}

function apply(table: Readonly<Record<string, Eager>>, name: string, operands: readonly Part[]): NDArray {
  const run = table[name] as Eager;
  return run(...operands.map(({ result }) => result));
}

/** Parts with text before, between and after them. */
function joined(texts: readonly string[], parts: readonly Part[], result: NDArray): Part {
  const strings: string[] = [texts[0] ?? ''];
  for (const [i, { strings: inner }] of parts.entries()) {
    extend(strings, inner[0]);
    strings.push(...inner.slice(1));
    extend(strings, texts[i + 1]);
  }
  return { strings, values: parts.flatMap(({ values }) => values), result };
}

function extend(strings: string[], text = ''): void {
  strings.push(`${strings.pop() ?? ''}${text}`);
}
