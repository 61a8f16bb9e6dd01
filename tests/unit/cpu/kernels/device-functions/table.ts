/** The types of values that go into a kernel and out of it, by their names in CUDA. */
export interface Arrays {
  readonly int: typeof Int32Array;
  readonly unsigned: typeof Uint32Array;
  readonly 'long long': typeof BigInt64Array;
  readonly 'unsigned long long': typeof BigUint64Array;
  readonly float: typeof Float32Array;
  readonly double: typeof Float64Array;
  readonly 'unsigned short': typeof Uint16Array;
}
export const ARRAYS: Arrays = {
  int: Int32Array,
  unsigned: Uint32Array,
  'long long': BigInt64Array,
  'unsigned long long': BigUint64Array,
  float: Float32Array,
  double: Float64Array,
  'unsigned short': Uint16Array,
};

export type CudaType = keyof Arrays;
export type Value = number | bigint;

/** Expressions of the same inputs `a`, `b`, `c` and of one type of result, each with a reference for it. */
export interface FunctionGroup {
  readonly name: string;
  readonly include?: string;
  readonly inputs: readonly CudaType[];
  /** The values of each input; every combination is tried. */
  readonly values: readonly (readonly Value[])[];
  readonly output: CudaType;
  readonly rows: readonly FunctionRow[];
}

/** The expression in CUDA C++, and the same in JavaScript. */
export type FunctionRow = readonly [expression: string, reference: (...values: never[]) => Value];

/** All combinations of the values: for each input an array, all of the same length. */
export function combinations(values: readonly (readonly Value[])[]): Value[][] {
  return values
    .reduce<Value[][]>((tuples, next) => tuples.flatMap((tuple) => next.map((value) => [...tuple, value])), [[]])
    .reduce<Value[][]>(
      (columns, tuple) => {
        tuple.forEach((value, i) => columns[i]?.push(value));
        return columns;
      },
      values.map(() => []),
    );
}

/** The kernel of a group: each row writes a stretch of `count` results. */
export function kernelOf(group: FunctionGroup, symbol: string): string {
  const names = ['a', 'b', 'c'].slice(0, group.inputs.length);
  const parameters = names.map((name, i) => `const ${group.inputs[i] ?? ''} *${name}s`);
  return [
    ...(group.include === undefined ? [] : [`#include <${group.include}>`]),
    `extern "C" __global__ void ${symbol}(${[...parameters, `${group.output} *out`, 'int count'].join(', ')}) {`,
    '  int i = blockIdx.x * blockDim.x + threadIdx.x;',
    '  if (i >= count) return;',
    ...names.map((name, i) => `  ${group.inputs[i] ?? ''} ${name} = ${name}s[i];`),
    ...group.rows.map(([expression], row) => `  out[${String(row)} * count + i] = ${expression};`),
    '}',
  ].join('\n');
}

/** What the kernel of a group should write. */
function expectedOf(group: FunctionGroup, columns: readonly Value[][]): ArrayLike<Value> {
  const Results = ARRAYS[group.output];
  const count = columns[0]?.length ?? 0;
  const results = new Results(group.rows.length * count);
  group.rows.forEach(([, reference], row) => {
    for (let i = 0; i < count; i++) {
      const value = (reference as (...values: Value[]) => Value)(...columns.map((column) => column[i] ?? 0));
      results[row * count + i] = value;
    }
  });
  return results;
}

/** `__brev(a) of a = 5 is 7, not 8`, for each result that differs; NaN equals NaN, -0 is not 0. */
export function differences(group: FunctionGroup, columns: readonly Value[][], actual: ArrayLike<Value>): string[] {
  const expected = expectedOf(group, columns);
  const count = columns[0]?.length ?? 0;
  const found: string[] = [];
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(actual[i], expected[i])) continue;
    const inputs = columns.map((column, k) => `${'abc'[k] ?? ''} = ${String(column[i % count])}`).join(', ');
    const expression = group.rows[Math.floor(i / count)]?.[0] ?? '';
    found.push(`${expression} of ${inputs} is ${String(actual[i])}, not ${String(expected[i])}`);
  }
  return found;
}
