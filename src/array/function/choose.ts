import { checkOptions } from '../../core/check.ts';
import { runInto } from '../apply.ts';
import { broadcastShapes } from '../broadcast.ts';
import type { ArrayDType, WeakScalar } from '../dtype.ts';
import type { LaunchArgument } from '../engine.ts';
import { call, type Node } from '../expression/node.ts';
import { NDArray, type Operand, type OutOptions } from '../ndarray.ts';
import { checkOpen, checkOperand, pushScalar, readArrays } from '../operand.ts';
import type { OperandType } from '../operation/operation.ts';
import { operations } from '../operation/table.ts';
import { commonDType, typingOf } from '../operation/typing.ts';
import { Program } from '../program.ts';
import { checkIndices } from '../selection.ts';
import { asList, listText } from '../shape.ts';

const OPTIONS = ['out', 'stream', 'queue'];
const programs = new Map<string, Program>();

/**
 * The elements of several arrays, each of the array whose number indices name at its place. All broadcast. An index out of range
 * is that of the first or the last array: a device does not raise.
 *
 * @param choices - arrays and numbers
 */
export function choose(indices: NDArray, choices: readonly (NDArray | WeakScalar)[], options?: OutOptions): NDArray {
  checkOpen(indices, 'choose', 'indices');
  checkIndices(indices, 'choose: indices');
  if (options !== undefined) checkOptions(options, OPTIONS, 'choose');
  const list = readOperands(choices, 'choose: choices');
  const parts = new Parts();
  const index = parts.add(indices, indices.dtype);
  const common = commonDType(list.map(typeOf));
  const nodes = list.map((operand) => parts.add(operand, common));
  const node = nodes.reduceRight((rest, choice, number) => {
    const at = parts.add(number, indices.dtype);
    const typing = typingOf(operations.lessEqual, [{ dtype: indices.dtype }, { scalar: number }]);
    return either(call(operations.lessEqual, [index, at], typing), choice, rest, common);
  });
  return parts.run('choose', node, common, options);
}

/**
 * The elements of several arrays, each of the first array whose condition holds at its place. All broadcast.
 *
 * @param conditions - arrays of truth values
 * @param choices - as many arrays and numbers
 * @param otherwise - where no condition holds
 */
export function select(
  conditions: readonly NDArray[],
  choices: readonly (NDArray | WeakScalar)[],
  otherwise: NDArray | WeakScalar = 0,
  options?: OutOptions,
): NDArray {
  const tests = readArrays(conditions, 'select: conditions');
  if (options !== undefined) checkOptions(options, OPTIONS, 'select');
  const list = readOperands(choices, 'select: choices');
  checkOperand(otherwise, 'select: otherwise');
  if (tests.length !== list.length) {
    throw new RangeError(`select: there must be one choice for each condition, got ${list.length} for ${tests.length}`);
  }
  const wrong = tests.find(({ dtype }) => dtype !== 'bool');
  if (wrong) throw new TypeError(`select: conditions must be arrays of bool, got ${wrong.dtype}; write notEqual(0)`);
  const parts = new Parts();
  const common = commonDType([...list, otherwise].map(typeOf));
  const holds = tests.map((test) => parts.add(test, 'bool'));
  const nodes = list.map((operand) => parts.add(operand, common));
  const node = holds.reduceRight(
    (rest, test, i) => either(test, nodes[i] as Node, rest, common),
    parts.add(otherwise, common),
  );
  return parts.run('select', node, common, options);
}

function either(condition: Node, first: Node, second: Node, dtype: ArrayDType): Node {
  return call(operations.where, [condition, first, second], { operands: ['bool', dtype, dtype], result: dtype });
}

function typeOf(operand: Operand): OperandType {
  return operand instanceof NDArray ? { dtype: operand.dtype } : { scalar: operand };
}

/** The arrays and numbers of one expression. */
class Parts {
  readonly #arrays: NDArray[] = [];
  readonly #scalars: WeakScalar[] = [];
  readonly #dtypes: ArrayDType[] = [];

  /** The node of an operand; a number is passed as the dtype. */
  add(operand: Operand, dtype: ArrayDType): Node {
    if (operand instanceof NDArray)
      return { kind: 'input', index: this.#arrays.push(operand) - 1, dtype: operand.dtype };
    this.#dtypes.push(dtype);
    return { kind: 'scalar', index: this.#scalars.push(operand) - 1, dtype };
  }

  run(what: string, node: Node, dtype: ArrayDType, options: OutOptions | undefined): NDArray {
    const inputs = this.#arrays.map((array) => array.dtype);
    const name = [what, ...inputs, ...this.#dtypes.map((each) => `s${each}`), dtype].join('_');
    let program = programs.get(name);
    if (program === undefined) {
      program = new Program({ name, inputs, scalars: this.#dtypes, outputs: [{ dtype, node }] });
      programs.set(name, program);
    }
    const scalars: LaunchArgument[] = [];
    for (const [i, scalar] of this.#scalars.entries()) pushScalar(scalars, scalar, this.#dtypes[i] as ArrayDType);
    const shape = broadcastShapes(this.#arrays.map((array) => array.shape));
    return runInto(program, dtype, shape, this.#arrays, scalars, options, what);
  }
}

function readOperands(values: unknown, what: string): Operand[] {
  const list = asList(values);
  if (!list || list.length === 0)
    throw new TypeError(`${what} must be a list of arrays and numbers, got ${listText(values)}`);
  return Array.from(list, (value, i) => {
    checkOperand(value, `${what}: ${i}`);
    if (value instanceof NDArray) value.use(what);
    return value;
  });
}
