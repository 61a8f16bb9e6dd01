import { nameOf } from '../../core/check.ts';
import { readCreation, type CreationOptions } from '../create.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine } from '../engine.ts';
import type { NDArray } from '../ndarray.ts';
import { checkSize } from '../shape.ts';
import { checkEnds, checkNumbers, sequence, type Sequence } from './sequence.ts';

/** A number of a sequence. */
export type SequenceNumber = number | bigint;

/** The dtype of a sequence of numbers, where none is asked for. */
export type DTypeOfSequence<N> = [N] extends [bigint] ? 'i64' : 'f32';

/** Start and step of elements at their places. */
const ARITHMETIC: Sequence = {
  name: 'arange',
  build: (text) => {
    const [start, step] = [text.scalar(), text.scalar()];
    return text.apply('add', start, text.apply('multiply', text.place, step));
  },
};

/**
 * Numbers from a start up to, without it, a stop: `arange(stop)`, `arange(start, stop)`, `arange(start, stop, step)`, each with
 * options behind. Without a dtype, numbers are f32 and bigints i64.
 *
 * @throws RangeError a step of 0, more elements than can be counted, a fraction among integers, or numbers that the dtype does
 * not hold
 */
export function arange<N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
  engine: Engine,
  stop: N,
  options?: CreationOptions<D>,
): NDArray<D>;
export function arange<N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
  engine: Engine,
  start: N,
  stop: N,
  options?: CreationOptions<D>,
): NDArray<D>;
export function arange<N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
  engine: Engine,
  start: N,
  stop: N,
  step: N,
  options?: CreationOptions<D>,
): NDArray<D>;
export function arange(engine: Engine, ...args: readonly unknown[]): NDArray {
  const { numbers, options } = readArguments(args);
  const isBig = numbers.every((number) => typeof number === 'bigint');
  const { dtype, lane } = readCreation(engine, options, isBig ? 'i64' : 'f32', 'arange');
  checkNumbers(dtype, 'arange');
  const [first, second, third] = numbers;
  const start = second === undefined ? (isBig ? 0n : 0) : (first as SequenceNumber);
  const stop = (second ?? first) as SequenceNumber;
  const step = third ?? (isBig ? 1n : 1);
  const { kind } = arrayDTypes[dtype];
  const isWhole = kind === 'int' || kind === 'uint';
  if (isWhole) {
    for (const number of [start, step]) {
      if (typeof number === 'number' && !Number.isSafeInteger(number)) {
        throw new RangeError(
          `arange: start and step must be integers within 2^53 for elements of ${dtype}, got ${number}`,
        );
      }
    }
  }
  const count = countOf(start, stop, step);
  if (isWhole && count > 0) {
    const last = BigInt(start) + BigInt(count - 1) * BigInt(step);
    checkEnds(dtype, [start, last]);
  }
  return sequence(engine, [count], dtype, lane, ARITHMETIC, [start, step]);
}

function readArguments(args: readonly unknown[]): {
  readonly numbers: readonly SequenceNumber[];
  readonly options: CreationOptions | undefined;
} {
  const numbers: SequenceNumber[] = [];
  let at = 0;
  for (; at < args.length && at < 3; at++) {
    const number = args[at];
    if (typeof number !== 'number' && typeof number !== 'bigint') break;
    numbers.push(number);
  }
  if (numbers.length === 0) throw new TypeError(`arange: stop must be a number, got ${nameOf(args[0])}`);
  const options = args.slice(at).find((each) => each !== undefined);
  if (options !== undefined && typeof options !== 'object') {
    throw new TypeError(`arange must be given at most three numbers and options, got ${nameOf(options)}`);
  }
  return { numbers, options: options as CreationOptions | undefined };
}

/** How many numbers there are. */
function countOf(start: SequenceNumber, stop: SequenceNumber, step: SequenceNumber): number {
  if (Number(step) === 0) throw new RangeError('arange: step must not be 0, got 0');
  let count: number;
  if (typeof start === 'bigint' && typeof stop === 'bigint' && typeof step === 'bigint') {
    const distance = step > 0n ? stop - start : start - stop;
    const size = step > 0n ? step : -step;
    count = distance <= 0n ? 0 : Number((distance + size - 1n) / size);
  } else {
    count = Math.ceil((Number(stop) - Number(start)) / Number(step));
  }
  if (Number.isNaN(count) || count === Infinity) {
    throw new RangeError(
      `arange: start, stop and step must be finite numbers, got ${String(start)}, ${String(stop)} and ${String(step)}`,
    );
  }
  const shape = [Math.max(count, 0) + 0];
  checkSize(shape, 'arange: the result');
  return shape[0] as number;
}
