import type { OpenCLBench } from './bench.ts';
import { arrayOf, FLOAT_TYPES, numbersOf, type FloatType } from './numbers.ts';

/** What a function takes and gives besides its first argument and its result. */
export interface MathShape {
  readonly name: string;
  /** Floating-point arguments. */
  readonly floats: 1 | 2 | 3;
  readonly integer?: boolean;
  /** A second result, behind a pointer. */
  readonly second?: 'float' | 'int';
}

/** Rows of each call: divisible by every width of a vector. */
export const ROWS = 240;
const WIDTHS = [2, 3, 4, 2, 8, 3, 4, 16];

/** Results of a function, with its second result or 0. */
export interface MathResults {
  readonly first: number[];
  readonly second: number[];
}

/** Whether a function is also called over vectors of a type: of each function one type must do. */
export function hasVectors(type: FloatType, which: number): boolean {
  return FLOAT_TYPES[which % 3] === type;
}

/** Kernels that call each function over scalars, and some that call it over vectors. */
export function mathSource(type: FloatType, shapes: readonly MathShape[]): string {
  return ['#pragma OPENCL EXTENSION cl_khr_fp16 : enable', ...kernelsOf(type, shapes), ''].join('\n');
}

function kernelsOf(type: FloatType, shapes: readonly MathShape[]): string[] {
  const head = (name: string): string =>
    `kernel void ${name}_${type}(global const ${type} *x, global const ${type} *y, global const ${type} *z,` +
    ` global const int *n, global ${type} *r, global ${type} *s, global int *k) { size_t i = get_global_id(0);`;
  const args = ({ floats, integer }: MathShape, of: (name: string) => string): string =>
    ['x', 'y', 'z']
      .slice(0, floats)
      .concat(integer === true ? ['n'] : [])
      .map(of)
      .join(', ');
  const scalar = (shape: MathShape): string => {
    const list = args(shape, (name) => `${name}[i]`);
    const { name, second } = shape;
    if (!second) return `r[i] = ${name}(${list});`;
    return `${second === 'int' ? 'int' : type} t; r[i] = ${name}(${list}, &t); ${second === 'int' ? 'k' : 's'}[i] = t;`;
  };
  const wide = (shape: MathShape, index: number): string => {
    const { name, second } = shape;
    // Halves take the most code.
    const width = Math.min(WIDTHS[index % WIDTHS.length] ?? 2, type === 'half' ? 4 : 16);
    const list = args(shape, (one) => `vload${width}(i, ${one})`);
    const result = (value: string): string => `if (i < ${ROWS / width}) { ${value} }`;
    if (!second) return result(`vstore${width}(${name}(${list}), i, r);`);
    const t = `${second === 'int' ? 'int' : type}${width} t; `;
    const end = `vstore${width}(t, i, ${second === 'int' ? 'k' : 's'});`;
    return result(`${t}vstore${width}(${name}(${list}, &t), i, r); ${end}`);
  };
  return shapes.flatMap((shape, i) => [
    `${head(`scalar_${shape.name}`)} ${scalar(shape)} }`,
    ...(hasVectors(type, i) ? [`${head(`vector_${shape.name}`)} ${wide(shape, i)} }`] : []),
  ]);
}

/** Call a function over {@link ROWS} rows of arguments; the last number of a row may be the integer. */
export function callMath(
  bench: OpenCLBench,
  kernel: 'scalar' | 'vector',
  type: FloatType,
  { name, floats, integer, second }: MathShape,
  rows: readonly (readonly number[])[],
): MathResults {
  const column = (i: number): number[] => Array.from({ length: ROWS }, (_, row) => rows[row]?.[i] ?? 1);
  const [x, y, z] = [0, 1, 2].map((i) => arrayOf(type, i < floats ? column(i) : []));
  const n = Int32Array.from(integer === true ? column(floats) : []);
  const results = arrayOf(type, new Array<number>(ROWS).fill(0));
  const others = arrayOf(type, new Array<number>(ROWS).fill(0));
  const integers = new Int32Array(ROWS);
  const args = [x, y, z, n, results, others, integers].map((one) => one ?? 0);
  bench.run(`${kernel}_${name}_${type}`, { global: [ROWS], local: [48] }, args);
  return { first: numbersOf(type, results), second: second === 'int' ? [...integers] : numbersOf(type, others) };
}
