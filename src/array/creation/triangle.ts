import { checkInteger, checkOptions } from '../../core/check.ts';
import { empty } from '../apply.ts';
import { closeOnError, readCreation, type CreationOptions } from '../create.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Engine, LaneOptions, LaunchArgument } from '../engine.ts';
import { call, type Node } from '../expression/node.ts';
import { engineOf, laneOf, type NDArray } from '../ndarray.ts';
import { checkArray, pushScalar } from '../operand.ts';
import { operations } from '../operation/table.ts';
import { Program } from '../program.ts';
import { checkSize, shapeText } from '../shape.ts';
import { diagonalOf } from './diagonal.ts';
import { sequence, type Sequence } from './sequence.ts';

/** The options of {@link tril} and {@link triu}. */
export interface TriangleOptions extends LaneOptions {
  /** The diagonal at which it ends: 0 is the main one, positive ones lie above. */
  readonly k?: number | undefined;
}

/** The options of {@link tri}. */
export interface TriOptions<D extends ArrayDType = ArrayDType> extends CreationOptions<D> {
  /** The highest diagonal of ones: 0 is the main one, positive ones lie above. */
  readonly k?: number | undefined;
}

/** Of a place: whether its column is at most its row plus `k`. */
const LOWER: Sequence = {
  name: 'tri',
  inner: 'i64',
  build: (text) => {
    const [columns, k] = [text.scalar(), text.scalar()];
    const column = text.apply('remainder', text.place, columns);
    const row = text.apply('floorDivide', text.place, columns);
    return text.apply('lessEqual', column, text.apply('add', row, k));
  },
};

/** Ones at and below a diagonal, zeros above: `tri(rows, columns?, options?)`. */
export function tri<D extends ArrayDType = 'f32'>(
  engine: Engine,
  rows: number,
  columns?: number | TriOptions<D>,
  options?: TriOptions<D>,
): NDArray<D> {
  const given = typeof columns === 'object' ? columns : options;
  const { dtype, lane } = readCreation(engine, given, 'f32', 'tri', ['k']);
  const height = checkInteger(rows, 'tri: rows');
  const width = checkInteger((typeof columns === 'object' ? undefined : columns) ?? height, 'tri: columns');
  checkSize([height, width], 'tri: the result');
  return sequence(engine, [height, width], dtype as D, lane, LOWER, [width, diagonalOf(given?.k, 'tri')]);
}

/**
 * The lower triangle of each matrix in the last two axes: what is above a diagonal is 0.
 *
 * @throws RangeError fewer than two axes
 */
export function tril<D extends ArrayDType>(array: NDArray<D>, options?: number | TriangleOptions): NDArray<D> {
  return triangle(array, options, 'tril');
}

/**
 * The upper triangle of each matrix in the last two axes: what is below a diagonal is 0.
 *
 * @throws RangeError fewer than two axes
 */
export function triu<D extends ArrayDType>(array: NDArray<D>, options?: number | TriangleOptions): NDArray<D> {
  return triangle(array, options, 'triu');
}

function triangle<D extends ArrayDType>(
  given: NDArray<D>,
  options: number | TriangleOptions | undefined,
  what: 'tril' | 'triu',
): NDArray<D> {
  checkArray(given, `${what}: the array`);
  const array = given as unknown as NDArray;
  array.use(what);
  const read = typeof options === 'number' ? { k: options } : options;
  if (read !== undefined) checkOptions(read, ['k', 'stream', 'queue'], what);
  const { shape, dtype } = array;
  const [rows, columns] = shape.slice(-2);
  if (rows === undefined || columns === undefined) {
    throw new RangeError(`${what}: the array must have at least two axes, got shape ${shapeText(shape)}`);
  }
  const engine = engineOf(array);
  const lane = engine.laneOf(read, what) ?? laneOf(array);
  const made = empty(engine, shape, dtype as D, lane);
  return closeOnError(made, () => {
    const args: LaunchArgument[] = [columns, rows, diagonalOf(read?.k, what)];
    pushScalar(args, 0, dtype);
    triangleProgram(dtype, what).run(engine, lane, [made, array], args);
  });
}

const programs = new Map<string, Program>();

/** The element where the column is at most the row plus `k` (`tril`), or at least (`triu`), else 0. */
function triangleProgram(dtype: ArrayDType, what: 'tril' | 'triu'): Program {
  const name = `${what}_${dtype}`;
  const known = programs.get(name);
  if (known) return known;
  const [columns, rows, k] = [0, 1, 2].map((index): Node => ({ kind: 'scalar', index, dtype: 'i64' })) as [
    Node,
    Node,
    Node,
  ];
  const place: Node = { kind: 'index', dtype: 'i64' };
  const whole = { operands: ['i64', 'i64'], result: 'i64' } as const;
  const column = call(operations.remainder, [place, columns], whole);
  const line = call(operations.floorDivide, [place, columns], whole);
  const row = call(operations.remainder, [line, rows], whole);
  const edge = call(operations.add, [row, k], whole);
  const compare = what === 'tril' ? operations.lessEqual : operations.greaterEqual;
  const isKept = call(compare, [column, edge], { ...whole, result: 'bool' });
  const element: Node = { kind: 'input', index: 0, dtype };
  const none: Node = { kind: 'scalar', index: 3, dtype };
  const node = call(operations.where, [isKept, element, none], { operands: ['bool', dtype, dtype], result: dtype });
  const program = new Program({
    name,
    inputs: [dtype],
    scalars: ['i64', 'i64', 'i64', dtype],
    outputs: [{ dtype, node }],
  });
  programs.set(name, program);
  return program;
}
