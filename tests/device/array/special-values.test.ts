import { expect, test } from '@jest/globals';
import { applied } from '../../../src/array/applied.ts';
import { array } from '../../../src/array/create.ts';
import type { Complex } from '../../../src/array/dtype.ts';
import type { Engine } from '../../../src/array/engine.ts';
import type { FusedValue } from '../../../src/array/expression/fused-value.ts';
import { fuse } from '../../../src/array/function/fuse.ts';
import { scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import type { OperationName } from '../../../src/array/operation/table.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { complexSpecials } from '../../helpers/special-complex.ts';
import { isWord, numberOf, type Case, type Part } from '../../helpers/special-table.ts';
import { binarySpecials, unarySpecials } from '../../helpers/special-values.ts';

/** NaN with the sign bit, and without: JavaScript has one NaN, of which it does not say which. */
const QUIET = {
  f32: { 'nan': 0x7fc00000n, '-nan': 0xffc00000n },
  f64: { 'nan': 0x7ff8n << 48n, '-nan': 0xfff8n << 48n },
} as const;

/** An array of words. */
function arrayOf(engine: Engine, words: readonly string[], part: Part): NDArray {
  const numbers = words.map((word) => (word.endsWith('nan') ? NaN : numberOf(word, part)));
  if (part === 'f16') return array(engine, numbers, { dtype: 'f16' });
  const data = part === 'f32' ? Float32Array.from(numbers) : Float64Array.from(numbers);
  const bits = data instanceof Float32Array ? new Uint32Array(data.buffer) : new BigUint64Array(data.buffer);
  for (const [i, word] of words.entries()) {
    if (word !== 'nan' && word !== '-nan') continue;
    const value = QUIET[part][word];
    bits[i] = bits instanceof Uint32Array ? Number(value) : value;
  }
  return array(engine, data);
}

/** The operands of cases as arrays, the first of each, then the second of each. */
function operandsOf(engine: Engine, cases: readonly Case[], part: Part): NDArray[] {
  return (cases[0]?.operands ?? []).map((_, at) => arrayOf(engine, wordsAt(cases, at), part));
}

function wordsAt(cases: readonly Case[], at: number): string[] {
  return cases.map(({ operands }) => operands[at] ?? '');
}

/** The same of complex numbers. */
function complexOperandsOf(engine: Engine, cases: readonly Case[], dtype: 'c64' | 'c128'): NDArray[] {
  const part = dtype === 'c64' ? 'f32' : 'f64';
  return Array.from({ length: (cases[0]?.operands.length ?? 0) / 2 }, (_, at) => {
    const numbers = cases.map(({ operands }): Complex => {
      const [re = 0, im = 0] = operands.slice(at * 2).map((word) => numberOf(word, part));
      return { re, im };
    });
    return array(engine, numbers, { dtype });
  });
}

/** The elements as numbers, those of complex numbers in pairs. */
function elementsOf(result: NDArray): readonly (readonly number[])[] {
  const elements = result.toArray() as readonly (number | boolean | Complex)[];
  return elements.map((each) => (typeof each === 'object' ? [each.re, each.im] : [Number(each)]));
}

/** Sign bits, of f32 and f64. */
function signsOf(result: NDArray): readonly boolean[] | undefined {
  const data = result.get();
  if (data instanceof Float32Array) return Array.from(new Uint32Array(data.buffer), (bits) => bits >>> 31 === 1);
  if (data instanceof Float64Array) return Array.from(new BigUint64Array(data.buffer), (bits) => bits >> 63n === 1n);
  return undefined;
}

const text = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** What is not as it should be, a line each. */
function faults(what: string, cases: readonly Case[], result: NDArray, part: Part): string[] {
  const signs = result.dtype === part ? signsOf(result) : undefined;
  const elements = elementsOf(result);
  return cases.flatMap(({ operands, result: words, scale }, i) => {
    const got = elements[i] ?? [];
    const isRight =
      got.length === words.length && words.every((word, k) => isWord(got[k] ?? 0, word, part, scale, signs?.[i]));
    if (isRight) return [];
    return [`${what}(${operands.join(' ')}) must be ${words.join(' ')}, got ${got.map(text).join(' ')}`];
  });
}

/** All functions of a table in one kernel. */
function fusedFaults(engine: Engine, table: Readonly<Record<string, readonly Case[]>>, part: Part): string[] {
  // Conversions of halves need not keep the sign of NaN: those of NVIDIA's GPUs do not.
  const rows = Object.entries(table).map(
    ([name, cases]) => [name, cases.filter(({ operands }) => !operands.includes('-nan'))] as const,
  );
  const operands = operandsOf(
    engine,
    rows.flatMap(([, cases]) => cases),
    part,
  );
  const all = fuse((...values: readonly FusedValue[]) => {
    const results = rows.map(([name]) => applied[name as OperationName].run(values) as unknown as FusedValue);
    return results as [FusedValue, ...FusedValue[]];
  });
  const results = all(...(operands as never)) as readonly NDArray[];
  let from = 0;
  return rows.flatMap(([name, cases], i) => {
    const own = results[i]?.at(`${from}:${from + cases.length}`) as NDArray;
    from += cases.length;
    return faults(`${part} ${name}`, cases, own, part);
  });
}

describeArrays('special values', (engine) => {
  const parts = (): readonly ('f32' | 'f64')[] => (engine().facts.hasDoubles ? ['f32', 'f64'] : ['f32']);

  test.each(Object.entries({ ...unarySpecials, ...binarySpecials }))('of %s', (name, cases) => {
    const found = parts().flatMap((part) =>
      scope(() => {
        const result = applied[name as OperationName].run(operandsOf(engine(), cases, part));
        return faults(`${part} ${name}`, cases, result, part);
      }),
    );
    expect(found).toEqual([]);
  });

  test('of functions of halves', () => {
    expect(scope(() => fusedFaults(engine(), unarySpecials, 'f16'))).toEqual([]);
    expect(scope(() => fusedFaults(engine(), binarySpecials, 'f16'))).toEqual([]);
  });

  test.each(Object.entries(complexSpecials))('of %s of complex numbers', (name, cases) => {
    const found = parts().flatMap((part) =>
      scope(() => {
        const dtype = part === 'f32' ? 'c64' : 'c128';
        const result = applied[name as OperationName].run(complexOperandsOf(engine(), cases, dtype));
        return faults(`${dtype} ${name}`, cases, result, part);
      }),
    );
    expect(found).toEqual([]);
  });
});
