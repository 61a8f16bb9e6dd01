import { beforeAll, expect, test } from '@jest/globals';
import { big } from '../../../helpers/exact-math.ts';
import { randomOf } from '../../../helpers/math-points.ts';
import type { OpenCLBench } from './bench.ts';
import { COMPILE_MS, openCLBench } from './compile.ts';
import { callMath, hasVectors, mathSource, ROWS, type MathShape } from './math-kernels.ts';
import { errorOf, FLOAT_TYPES, GREATEST, points, rounded, SHAPES, type FloatType } from './numbers.ts';
import { PARTS } from './parts-table.ts';
import { SEVERAL, type Several } from './several-table.ts';
import { UNARY, type Unary } from './unary-table.ts';
import { some } from '../../../helpers/full.ts';

const INF = Infinity;
const unary = some(Object.entries(UNARY), 4);
const several = some(Object.entries(SEVERAL), 4);
const parts = some(PARTS, 4);
const SHAPES_OF: readonly MathShape[] = [
  ...unary.map(([name]) => ({ name, floats: 1 }) as const),
  ...several.map(([name, { floats, integer }]) => ({ name, floats, integer: integer === true })),
  ...parts.map(({ name, floats, second }) => ({ name, floats, ...(second ? { second } : {}) })),
];

type Rows = readonly (readonly number[])[];

/** Call a function over rows, and see that it does the same over vectors. */
function call(bench: OpenCLBench, name: string, type: FloatType, rows: Rows): ReturnType<typeof callMath> {
  const which = SHAPES_OF.findIndex((shape) => shape.name === name);
  const shape = SHAPES_OF[which] as MathShape;
  const results = callMath(bench, 'scalar', type, shape, rows);
  if (hasVectors(type, which)) expect(callMath(bench, 'vector', type, shape, rows)).toEqual(results);
  return results;
}

/** What went wrong: results that miss the true value by more than `bound`, and edges that are not as they must be. */
function complaints(
  bench: OpenCLBench,
  name: string,
  type: FloatType,
  bound: number,
  rows: Rows,
  exact: (row: readonly number[]) => ReturnType<Several['exact']>,
  cases: Rows,
): string[] {
  const all = [...rows.slice(0, ROWS - cases.length), ...cases.map((row) => row.slice(0, -1))];
  const results = call(bench, name, type, all).first;
  return all.flatMap((row, i) => {
    const actual = results[i] ?? 0;
    const wanted = cases[i - (all.length - cases.length)]?.at(-1);
    const plain = wanted === undefined || !Number.isFinite(wanted) || Number.isInteger(8 * wanted);
    const error = errorOf(type, actual, wanted === undefined ? exact(row) : plain ? wanted : big(wanted));
    return error <= bound ? [] : [`${name}(${row.join(', ')}) = ${actual}, ${error} ulp`];
  });
}

const boundOf = ({ bounds }: Unary | Several, type: FloatType): number => bounds[FLOAT_TYPES.indexOf(type)] ?? 0;

/** Every mathematical function over numbers of a type, within OpenCL's bounds. */
export function describeMath(type: FloatType): void {
  let bench: OpenCLBench;
  beforeAll(async () => {
    bench = await openCLBench(mathSource(type, SHAPES_OF), '-cl-std=CL3.0');
  }, COMPILE_MS);

  test.each(unary)('%s', (name, of) => {
    const limit = GREATEST[type];
    const numbers = points(type, Math.max(of.low, -limit), Math.min(of.high, limit), 200);
    const rows = numbers.filter((x) => of.skipped?.(x) !== true).map((x) => [x]);
    const cases = [...of.cases, [NaN, NaN] as const];
    expect(
      complaints(bench, name, type, boundOf(of, type), rows, ([x = 0]) => of.exact(big(x)), cases).slice(0, 5),
    ).toEqual([]);
  });

  test.each(several)('%s', (name, of) => {
    const rows = argumentsFor(name, of, type);
    expect(rows.length).toBeGreaterThan(60);
    const cases = of.cases ?? [];
    const exact = (row: readonly number[]): ReturnType<Several['exact']> => of.exact(row, type);
    expect(complaints(bench, name, type, boundOf(of, type), rows, exact, cases).slice(0, 5)).toEqual([]);
  });

  test.each(parts)('$name', ({ name, floats, wanted }) => {
    const limit = GREATEST[type];
    const halves = [0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 4194303.5, 8388609, 0.9999999, -1e-30].map((x) =>
      rounded(type, x),
    );
    const edges = [0, -0, INF, -INF, NaN, ...halves];
    const many = points(type, -limit, limit, 150, 8);
    const few = points(type, -300, 300, 60, 9);
    const rows = floats === 1 ? [...edges, ...few, ...many].map((x) => [x]) : pairsOf(edges, few, many);
    const results = call(bench, name, type, rows.slice(0, ROWS));
    const wrong = rows.slice(0, ROWS).flatMap((row, i) => {
      const [first, second = 0] = wanted(row, type);
      const got = [results.first[i] ?? 0, results.second[i] ?? 0];
      const good = Object.is(got[0], first) && Object.is(got[1] || 0, second || 0);
      return good ? [] : [`${name}(${row.join(', ')}) = ${got.join(', ')}, not ${first}, ${second}`];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  });
}

/** Logarithm of the greatest number of a type. */
const RANGE = { half: 11, float: 88, double: 709 } as const;

/** Arguments of a function of several. */
function argumentsFor(name: string, of: Several, type: FloatType): number[][] {
  const limit = GREATEST[type];
  const random = randomOf(7);
  const columns = [2, 3, 4].map((seed) => points(type, -limit, limit, 320, seed));
  const near = points(type, -4, 4, 320, 5);
  const rows = (columns[0] ?? []).map((first, i) => {
    const x = i % 2 === 0 ? first : (near[i] ?? 1);
    const y = i % 5 === 0 ? x : i % 2 === 0 ? (columns[1]?.[i] ?? 1) : (near[i + 1] ?? 1);
    const spread = (random() * 2 - 1) * RANGE[type];
    const exponent = spread / Math.log(Math.abs(x));
    if (name === 'pow' || name === 'powr') return [x, rounded(type, exponent)];
    const whole = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.round(exponent)));
    if (name === 'pown') return [x, whole];
    if (name === 'rootn') return [x, Math.round(spread) || 3];
    if (of.integer === true)
      return [x, Math.round((random() * 2 - 1) * 1.1 * (SHAPES[type].most - SHAPES[type].least))];
    return of.floats === 2 ? [x, y] : [x, y, columns[2]?.[i] ?? 1];
  });
  return rows.filter((row) => row.every((x) => Number.isFinite(x)) && of.skipped?.(row) !== true);
}

function pairsOf(edges: readonly number[], few: readonly number[], many: readonly number[]): number[][] {
  const rows = edges.slice(0, 7).flatMap((x) => edges.slice(0, 7).map((y) => [x, y]));
  few.forEach((x, i) => rows.push([x, few[(i + 7) % few.length] ?? 1], [many[i] ?? 1, x]));
  return rows;
}
