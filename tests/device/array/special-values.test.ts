import { expect, test } from '@jest/globals';
import { applied } from '../../../src/array/applied.ts';
import { array, empty } from '../../../src/array/create.ts';
import { arrayDTypes, type Complex } from '../../../src/array/dtype.ts';
import type { Engine } from '../../../src/array/engine.ts';
import type { FusedValue } from '../../../src/array/expression/fused-value.ts';
import { fuse } from '../../../src/array/function/fuse.ts';
import { stack } from '../../../src/array/function/join.ts';
import { scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import type { OperationName } from '../../../src/array/operation/table.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { complexBinarySpecials, complexSpecials } from '../../helpers/special-complex.ts';
import { isWord, numberOf, type Case, type Part } from '../../helpers/special-table.ts';
import {
  binarySpecials,
  complexReductionSpecials,
  reductionSpecials,
  unarySpecials,
  type ReductionName,
} from '../../helpers/special-values.ts';

type Special = 'f16' | 'f32' | 'f64' | 'c64' | 'c128';
/** Functions with their cases. */
type Rows = readonly (readonly [name: string, cases: readonly Case[]])[];

const MOST_IN_KERNEL = 17;

/** NaN with the sign bit, and without: JavaScript has one NaN, and does not say which. */
const NAN_BITS = {
  f32: { nan: 0x7fc00000n, '-nan': 0xffc00000n },
  f64: { nan: 0x7ff8n << 48n, '-nan': 0xfff8n << 48n },
} as const;

/** An array of words. */
function arrayOf(engine: Engine, words: readonly string[], part: Part): NDArray {
  const numbers = words.map((word) => numberOf(word, part));
  if (part === 'f16') return array(engine, numbers, { dtype: 'f16' });
  const data = part === 'f32' ? Float32Array.from(numbers) : Float64Array.from(numbers);
  const bits = data instanceof Float32Array ? new Uint32Array(data.buffer) : new BigUint64Array(data.buffer);
  for (const [i, word] of words.entries()) {
    if (word !== 'nan' && word !== '-nan') continue;
    const value = NAN_BITS[part][word];
    bits[i] = bits instanceof Uint32Array ? Number(value) : value;
  }
  return array(engine, data);
}

function complexArrayOf(engine: Engine, words: readonly (readonly string[])[], dtype: 'c64' | 'c128'): NDArray {
  const numbers = words.map((pair): Complex => {
    const [re = 0, im = 0] = pair.map((word) => numberOf(word, dtype === 'c64' ? 'f32' : 'f64'));
    return { re, im };
  });
  return array(engine, numbers, { dtype });
}

/** The operands of cases as arrays: the first of each, then the second of each. */
function operandsOf(engine: Engine, cases: readonly Case[], dtype: Special): NDArray[] {
  const words = cases.map(({ operands }) => operands);
  const count = words[0]?.length ?? 0;
  if (dtype === 'c64' || dtype === 'c128') {
    return Array.from({ length: count / 2 }, (_, at) =>
      complexArrayOf(
        engine,
        words.map((each) => each.slice(at * 2, at * 2 + 2)),
        dtype,
      ),
    );
  }
  return Array.from({ length: count }, (_, at) =>
    arrayOf(
      engine,
      words.map((each) => each[at] ?? ''),
      dtype,
    ),
  );
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

/** The parts of a list, each of which has one kernel: of many functions together that compiles in a fraction of the time. */
function grouped(table: Readonly<Record<string, readonly Case[]>>): readonly Rows[] {
  const rows = Object.entries(table);
  const size = Math.ceil(rows.length / Math.ceil(rows.length / MOST_IN_KERNEL));
  return rows.flatMap((_, i) => (i % size === 0 ? [rows.slice(i, i + size)] : []));
}

/** What functions of the same number of operands do wrong, all of them in one kernel. */
function fusedFaults(engine: Engine, rows: Rows, dtype: Special): string[] {
  const cases = rows.flatMap(([, own]) => own);
  const operands = operandsOf(engine, cases, dtype);
  const all = fuse((...values: readonly FusedValue[]) => {
    const results = rows.map(([name]) => applied[name as OperationName].run(values) as unknown as FusedValue);
    return results as [FusedValue, ...FusedValue[]];
  });
  const results = (all as unknown as (...operands: readonly NDArray[]) => readonly NDArray[])(...operands);
  let from = 0;
  return rows.flatMap(([name, own], i) => {
    const result = results[i]?.at(`${from}:${from + own.length}`) as NDArray;
    from += own.length;
    return faults(`${dtype} ${name}`, own, result, arrayDTypes[dtype].part as Part);
  });
}

/** Conversions of halves need not keep the sign of NaN: those of NVIDIA's GPUs do not. */
function withoutSigns(cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ operands }) => !operands.includes('-nan'));
}

/** tanh() of PoCL (3.1 and newer) never reaches 1 in f32: of infinity it is the number before it, where C99 and OpenCL have 1. */
function withoutLimit(rows: Rows): Rows {
  const isLimit = ({ result: [word] }: Case): boolean => word === '1' || word === '-1';
  return rows.map(([name, cases]) => [name, name === 'tanh' ? cases.filter((each) => !isLimit(each)) : cases]);
}

const reals = [...grouped(unarySpecials), ...grouped(binarySpecials)];
const complexes = [...grouped(complexSpecials), ...grouped(complexBinarySpecials)];
const kernels = [
  ...reals.map((rows) => ['f16', rows.map(([name, cases]) => [name, withoutSigns(cases)] as const)] as const),
  ...(['f32', 'f64'] as const).flatMap((dtype) => reals.map((rows) => [dtype, rows] as const)),
  ...(['c64', 'c128'] as const).flatMap((dtype) => complexes.map((rows) => [dtype, rows] as const)),
].map(([dtype, rows]) => [dtype, rows.map(([name]) => name).join(', '), rows] as const);
const reductionKernels = [
  ...(['f32', 'f64'] as const).flatMap((dtype) =>
    Object.entries(reductionSpecials).map(([name, cases]) => [dtype, name as ReductionName, cases] as const),
  ),
  ...Object.entries(complexReductionSpecials).map(([name, cases]) => ['c64', name as ReductionName, cases] as const),
];

describeArrays('special values', (engine) => {
  const isOfDevice = (dtype: Special): boolean => engine().facts.hasDoubles || (dtype !== 'f64' && dtype !== 'c128');

  test.each(kernels)('in %s of %s', (dtype, _, rows) => {
    if (!isOfDevice(dtype)) return;
    const isPoCL = /^(?:pthread|cpu)-/.test(engine().facts.name);
    const own = isPoCL && dtype === 'f32' ? withoutLimit(rows) : rows;
    expect(scope(() => fusedFaults(engine(), own, dtype))).toEqual([]);
  });

  test.each(reductionKernels)('in %s of %s', (dtype, name, cases) => {
    if (!isOfDevice(dtype)) return;
    const part = arrayDTypes[dtype].part as Part;
    const found = scope(() => {
      const x = stack(operandsOf(engine(), cases, dtype), { axis: 1 });
      const own = faults(`${dtype} ${name}`, cases, x[name]({ axis: 1 }), part);
      if (name !== 'var') return own;
      // As many elements as the correction, or fewer.
      const none = cases.map(({ operands }) => ({ operands, result: ['nan'] }));
      const corrected = [3, 4].flatMap((correction) => {
        return faults(`${dtype} var -${correction}`, none, x.var({ axis: 1, correction }), part);
      });
      return [...own, ...corrected];
    });
    expect(found).toEqual([]);
  });

  test.each(['f64', 'c64'] as const)('in %s of reductions of no element', (dtype) => {
    if (!isOfDevice(dtype)) return;
    scope(() => {
      const x = empty(engine(), [2, 0], { dtype });
      const each = (value: number): unknown => {
        return [0, 1].map(() => (dtype === 'c64' ? { re: value, im: Number.isNaN(value) ? NaN : 0 } : value));
      };
      expect(x.sum({ axis: 1 }).toArray()).toEqual(each(0));
      expect(x.prod({ axis: 1 }).toArray()).toEqual(each(1));
      expect(x.mean({ axis: 1 }).toArray()).toEqual(each(NaN));
      if (dtype === 'f64') expect(x.var({ axis: 1 }).toArray()).toEqual([NaN, NaN]);
      // The standard leaves it open.
      for (const name of dtype === 'c64' ? [] : (['max', 'min'] as const)) {
        expect(() => x[name]({ axis: 1 })).toThrow(RangeError);
      }
    });
  });
});
