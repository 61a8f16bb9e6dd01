import { checkCast, checkEngine, checkOut, copyInto, empty, duplicate } from './apply.ts';
import { arrayDTypes, type ArrayDType, type WeakScalar } from './dtype.ts';
import type { Engine, Lane, LaneOptions } from './engine.ts';
import { fill } from './function/transfer.ts';
import type { IndexedAction } from './kernel/indexed.ts';
import { engineOf, laneOf, memoryOf, NDArray, viewOf } from './ndarray.ts';
import { checkOperand } from './operand.ts';
import { NUMBERS, REAL_OR_BOOL } from './operation/operation.ts';
import { checkKind } from './operation/typing.ts';
import { sharesElements } from './sharing.ts';
import { checkSelection, indicesFor, runSelection, type Selection } from './selection.ts';

/**
 * Assign to what indices choose of an array, or combine it with values, as if indices and values were read first.
 *
 * @param indices - arrays of integers
 * @param values - an array whose shape broadcasts to the selection's, or a number
 * @param select - the selection of an array, by indices as kernels take them
 */
export function scatterInto(
  what: string,
  action: IndexedAction,
  x: NDArray,
  indices: readonly NDArray[],
  values: NDArray | WeakScalar,
  options: LaneOptions | undefined,
  select: (into: NDArray, indices: readonly NDArray[]) => Selection,
): void {
  const engine = engineOf(x);
  checkOut(x, x.shape, engine, what);
  checkAction(what, action, x.dtype, engine);
  for (const each of indices) checkEngine(each, engine, what);
  const lane = engine.laneOf(options, what) ?? laneOf(x);
  const opened: NDArray[] = [];
  const keep = (array: NDArray): NDArray => {
    opened.push(array);
    return array;
  };
  try {
    const arrays = indices.map((each) => keep(indicesFor(each, lane, x)));
    const into = keep(action === 'set' || isWhole(x) ? viewOf(x, x) : duplicate(x, lane));
    const selection = select(into, arrays);
    checkSelection(selection, x, what);
    const value = keep(valueFor(what, x, values, lane));
    if (action === 'set') runSelection(action, selection, into, value, lane);
    else runSelection(action, selection, into, value, lane, x.dtype === 'bool' ? 'u8' : x.dtype);
    if (memoryOf(into) !== memoryOf(x)) copyInto(x, into, lane);
  } finally {
    for (const array of opened) array.close();
  }
}

/** The values in the dtype of an array, sharing none of its elements. */
function valueFor(what: string, x: NDArray, values: NDArray | WeakScalar, lane: Lane): NDArray {
  checkOperand(values, `${what}: values`);
  if (values instanceof NDArray) {
    const array = values;
    array.use(what);
    checkEngine(array, engineOf(x), what);
    checkCast(array.dtype, x.dtype, what);
    return array.dtype === x.dtype && !sharesElements(x, array)
      ? viewOf(array, array)
      : duplicate(array, lane, x.dtype);
  }
  const made = empty(engineOf(x), [], x.dtype, lane);
  try {
    fill(made, values, lane);
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

/** Whether each element is in a word of the memory that can be compared and swapped. Memory of others may end within one. */
function isWhole(x: NDArray): boolean {
  const { byteLength, alignment } = memoryOf(x);
  return x.itemsize >= 4 || (byteLength % 4 === 0 && alignment % 4 === 0);
}

function checkAction(what: string, action: IndexedAction, dtype: ArrayDType, engine: Engine): void {
  if (action === 'set') return;
  checkKind(what, dtype, action === 'add' ? NUMBERS : REAL_OR_BOOL);
  if (engine.facts.hasWideAtomics || !isWide(dtype)) return;
  const allowed = Object.values(arrayDTypes).filter(({ name, kind }) => {
    return !isWide(name) && (action === 'add' ? NUMBERS : REAL_OR_BOOL).includes(kind);
  });
  throw new TypeError(
    `${what} must be given elements of ${allowed.map(({ name }) => name).join(', ')}, got ${dtype}; ${engine.facts.name} has no 64-bit atomic operations`,
  );
}

function isWide(dtype: ArrayDType): boolean {
  const { kind, size } = arrayDTypes[dtype];
  return (kind === 'complex' ? size / 2 : size) === 8;
}
