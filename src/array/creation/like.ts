import { checkOptions } from '../../core/check.ts';
import { empty } from '../apply.ts';
import { CREATION_OPTIONS, filled, type ArrayOptions } from '../create.ts';
import { readDType, type ArrayDType, type WeakScalar } from '../dtype.ts';
import { engineOf, laneOf, type NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { readShape } from '../shape.ts';

/** A new array of the shape and the dtype of another one, or of those in the options; its elements are what the memory held. */
export function emptyLike<D extends ArrayDType, E extends ArrayDType = D>(
  like: NDArray<D>,
  options?: ArrayOptions<E>,
): NDArray<E> {
  return madeLike(like, options, 'emptyLike');
}

/** Zeros, as {@link emptyLike} makes them. */
export function zerosLike<D extends ArrayDType, E extends ArrayDType = D>(
  like: NDArray<D>,
  options?: ArrayOptions<E>,
): NDArray<E> {
  return filled(madeLike(like, options, 'zerosLike'), 0, 'zerosLike');
}

/** Ones, as {@link emptyLike} makes them. */
export function onesLike<D extends ArrayDType, E extends ArrayDType = D>(
  like: NDArray<D>,
  options?: ArrayOptions<E>,
): NDArray<E> {
  return filled(madeLike(like, options, 'onesLike'), 1, 'onesLike');
}

/**
 * One value, as {@link emptyLike} makes it.
 *
 * @throws RangeError the dtype does not hold the value
 */
export function fullLike<D extends ArrayDType, E extends ArrayDType = D>(
  like: NDArray<D>,
  value: WeakScalar,
  options?: ArrayOptions<E>,
): NDArray<E> {
  return filled(madeLike(like, options, 'fullLike'), value, 'fullLike');
}

function madeLike<D extends ArrayDType, E extends ArrayDType>(
  like: NDArray<D>,
  options: ArrayOptions<E> | undefined,
  what: string,
): NDArray<E> {
  checkArray(like, `${what}: the array`);
  const source = like as unknown as NDArray;
  source.use(what);
  if (options !== undefined) checkOptions(options, ['shape', ...CREATION_OPTIONS], what);
  const engine = engineOf(source);
  const dtype = options?.dtype === undefined ? source.dtype : readDType(options.dtype, `${what}: dtype`);
  const shape = options?.shape === undefined ? source.shape : readShape(options.shape, `${what}: shape`);
  return empty(engine, shape, dtype as E, engine.laneOf(options, what) ?? laneOf(source));
}
