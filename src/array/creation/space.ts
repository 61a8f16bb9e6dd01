import { checkInteger, nameOf } from '../../core/check.ts';
import { readCreation, type CreationOptions } from '../create.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine } from '../engine.ts';
import type { Node } from '../expression/node.ts';
import type { NDArray } from '../ndarray.ts';
import { checkNumbers, sequence, type Sequence, type SequenceText } from './sequence.ts';

/** The options of {@link linspace} and {@link geomspace}. */
export interface SpaceOptions<D extends ArrayDType = ArrayDType> extends CreationOptions<D> {
  /** How many numbers: 50. It may stand behind the stop as well. */
  readonly num?: number | undefined;
  /** Whether the last number is the stop: true. */
  readonly endpoint?: boolean | undefined;
}

/** The options of {@link logspace}. */
export interface LogspaceOptions<D extends ArrayDType = ArrayDType> extends SpaceOptions<D> {
  /** What is raised to the powers: 10. */
  readonly base?: number | undefined;
}

/**
 * Numbers at equal distances: `num` of them, the last of which is the stop.
 *
 * @throws RangeError a number that is not finite, or a negative count
 */
export function linspace<D extends ArrayDType = 'f32'>(
  engine: Engine,
  start: number,
  stop: number,
  num?: number | SpaceOptions<D>,
  options?: SpaceOptions<D>,
): NDArray<D> {
  return spaced(engine, 'linspace', start, stop, num, options);
}

/**
 * Powers of a base at equal distances of their exponents.
 *
 * @throws RangeError a number that is not finite, or a negative count
 */
export function logspace<D extends ArrayDType = 'f32'>(
  engine: Engine,
  start: number,
  stop: number,
  num?: number | LogspaceOptions<D>,
  options?: LogspaceOptions<D>,
): NDArray<D> {
  return spaced(engine, 'logspace', start, stop, num, options);
}

/**
 * Numbers at equal ratios, from the start to the stop.
 *
 * @throws RangeError a number that is 0 or not finite, two of different signs, or a negative count
 */
export function geomspace<D extends ArrayDType = 'f32'>(
  engine: Engine,
  start: number,
  stop: number,
  num?: number | SpaceOptions<D>,
  options?: SpaceOptions<D>,
): NDArray<D> {
  return spaced(engine, 'geomspace', start, stop, num, options);
}

type Kind = 'linspace' | 'logspace' | 'geomspace';

function spaced<D extends ArrayDType>(
  engine: Engine,
  what: Kind,
  start: number,
  stop: number,
  num: number | LogspaceOptions<D> | undefined,
  more: LogspaceOptions<D> | undefined,
): NDArray<D> {
  const options = typeof num === 'object' ? num : more;
  const names = ['num', 'endpoint', ...(what === 'logspace' ? ['base'] : [])];
  const { dtype, lane } = readCreation(engine, options, 'f32', what, names);
  checkNumbers(dtype, what);
  const count = checkInteger((typeof num === 'object' ? undefined : num) ?? options?.num ?? 50, `${what}: num`);
  const endpoint: unknown = options?.endpoint ?? true;
  if (typeof endpoint !== 'boolean') {
    throw new TypeError(`${what}: endpoint must be true or false, got ${nameOf(endpoint)}`);
  }
  const base = checkFinite(options?.base ?? 10, `${what}: base`);
  checkFinite(start, `${what}: start`);
  checkFinite(stop, `${what}: stop`);
  // The last place, whose number is the stop itself; none where that is not among them.
  const last = endpoint && count > 1 ? count - 1 : -1;
  const parts = endpoint ? count - 1 : count;
  const { kind } = arrayDTypes[dtype];
  const isWhole = kind === 'int' || kind === 'uint';
  const sequenceOf = isWhole ? WHOLE[what] : SPACES[what];
  return sequence(
    engine,
    [count],
    dtype as D,
    lane,
    sequenceOf,
    numbersOf(what, start, stop, Math.max(parts, 1), last, base),
  );
}

function numbersOf(
  what: Kind,
  start: number,
  stop: number,
  parts: number,
  last: number,
  base: number,
): readonly number[] {
  if (what === 'linspace') return [start, (stop - start) / parts, last, stop];
  if (what === 'logspace') return [start, (stop - start) / parts, last, stop, base];
  if (start === 0 || stop === 0 || start < 0 !== stop < 0) {
    throw new RangeError(
      `geomspace: start and stop must be of one sign and not 0, got ${start} and ${stop}; numbers at equal distances are linspace's`,
    );
  }
  // The exponents of 10 between them; both ends are given as they are.
  return [0, Math.log10(stop / start) / parts, last, stop, start, 10];
}

/** Start and step, but for the last place. */
function line(text: SequenceText): { readonly value: Node; readonly isLast: Node; readonly stop: Node } {
  const [start, step, last, stop] = [text.scalar(), text.scalar(), text.scalar(), text.scalar()];
  const value = text.apply('add', start, text.apply('multiply', text.place, step));
  return { value, isLast: text.apply('equal', text.place, last), stop };
}

const SPACES: Readonly<Record<Kind, Sequence>> = {
  linspace: {
    name: 'linspace',
    build: (text) => {
      const { value, isLast, stop } = line(text);
      return text.apply('where', isLast, stop, value);
    },
  },
  logspace: {
    name: 'logspace',
    build: (text) => {
      const { value, isLast, stop } = line(text);
      return text.apply('pow', text.scalar(), text.apply('where', isLast, stop, value));
    },
  },
  geomspace: {
    name: 'geomspace',
    build: (text) => {
      const { value, isLast, stop } = line(text);
      const [first, base] = [text.scalar(), text.scalar()];
      return text.apply('where', isLast, stop, text.apply('multiply', first, text.apply('pow', base, value)));
    },
  },
};

/** The same for integers: rounded down, as NumPy does. */
const WHOLE = Object.fromEntries(
  Object.entries(SPACES).map(([kind, { name, build }]) => [
    kind,
    { name: `${name}_floor`, inner: 'f64', build: (text: SequenceText) => text.apply('floor', build(text)) },
  ]),
) as unknown as Readonly<Record<Kind, Sequence>>;

function checkFinite(value: unknown, what: string): number {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, got ${nameOf(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`${what} must be a finite number, got ${value}`);
  return value;
}
