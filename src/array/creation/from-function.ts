import { nameOf } from '../../core/check.ts';
import { closeOnError, readCreation, type CreationOptions } from '../create.ts';
import { empty } from '../apply.ts';
import { isWeakScalar, readDType, type ArrayDType, type WeakScalar } from '../dtype.ts';
import type { Engine } from '../engine.ts';
import { dtypeOfElements, ofElements, type DTypeOfFill } from '../host-elements.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { readShape, sizeOf } from '../shape.ts';

/**
 * A new array of what a function returns for the index of each element. The function runs on the host, in row-major order.
 *
 * @throws TypeError it returns something else than elements
 * @throws RangeError it returns what the dtype does not hold
 */
export function fromFunction<V extends WeakScalar, D extends ArrayDType = DTypeOfFill<V>>(
  engine: Engine,
  shape: number | readonly number[],
  element: (...index: number[]) => V,
  options?: CreationOptions<D>,
): NDArray<D> {
  const what = 'fromFunction';
  if (typeof element !== 'function') {
    throw new TypeError(`${what}: the function must be one of indices, got ${nameOf(element)}`);
  }
  const lengths = readShape(shape, `${what}: shape`);
  const asked = options?.dtype === undefined ? undefined : readDType(options.dtype, `${what}: dtype`);
  const elements: WeakScalar[] = [];
  const index = new Array<number>(lengths.length).fill(0);
  for (let left = sizeOf(lengths); left > 0; left--) {
    const value: unknown = element(...index);
    if (!isWeakScalar(value)) {
      throw new TypeError(
        `${what}: the function must return numbers, bigints, booleans or { re, im }, got ${nameOf(value)}`,
      );
    }
    elements.push(value);
    advance(index, lengths);
  }
  const { dtype, lane } = readCreation(engine, options, asked ?? dtypeOfElements(elements), what);
  const { bytes } = ofElements(elements, lengths, dtype, what);
  const made = empty(engine, lengths, dtype as D, lane);
  return closeOnError(made, () => {
    if (bytes.length > 0) engine.write(memoryOf(made), 0, bytes, lane);
  });
}

/** The next index in row-major order. */
function advance(index: number[], shape: readonly number[]): void {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const next = (index[axis] as number) + 1;
    if (next < (shape[axis] as number)) {
      index[axis] = next;
      return;
    }
    index[axis] = 0;
  }
}
