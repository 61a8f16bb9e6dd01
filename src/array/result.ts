import { checkCast, checkEngine, checkOut, writtenAside } from './apply.ts';
import type { ArrayDType } from './dtype.ts';
import type { Lane } from './engine.ts';
import { engineOf, laneOf, type NDArray, type OutOptions } from './ndarray.ts';
import { checkArray } from './operand.ts';
import { sharesElements } from './sharing.ts';

/** What an operation that is no elementwise one results in. */
export interface ResultKind<D extends ArrayDType> {
  readonly shape: readonly number[];
  readonly dtype: D;
  /** What is read. The lane is that of the first one, unless options name another. */
  readonly operands: readonly NDArray[];
  readonly options: OutOptions | undefined;
}

/**
 * The array that an operation writes: a new one, or the one that was given. Where that shares elements with an operand, or has
 * another dtype, the result is made elsewhere and copied.
 *
 * @param what - the operation, for errors
 * @param write - sets every element of an array that shares none with the operands
 */
export function resultOf<D extends ArrayDType>(
  what: string,
  { shape, dtype, operands, options }: ResultKind<D>,
  write: (out: NDArray, lane: Lane) => void,
): NDArray<D> {
  const first = operands[0] as NDArray;
  const engine = engineOf(first);
  for (const operand of operands) checkEngine(operand, engine, what);
  const lane = engine.laneOf(options, what) ?? laneOf(first);
  const out = options?.out;
  if (out !== undefined) {
    checkArray(out, `${what}: out`);
    checkOut(out, shape, engine, what);
    checkCast(dtype, out.dtype, what);
  }
  if (out?.dtype === dtype && !operands.some((operand) => sharesElements(out, operand))) {
    write(out, lane);
    return out as unknown as NDArray<D>;
  }
  return writtenAside({ engine, shape, dtype }, out, lane, (made) => {
    write(made, lane);
  }) as unknown as NDArray<D>;
}
