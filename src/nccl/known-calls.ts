import { NDArray } from '../cuda/array/ndarray.ts';
import type { CheckedCall } from './checked-call.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { isPointToPoint, type OperationName } from './flight-record.ts';

interface Known {
  readonly state: CommunicatorState;
  readonly call: CheckedCall;
  /** The array as errors name it. */
  readonly what: string;
  /** What it was given besides the stream. */
  readonly given: ReadonlyMap<string, unknown>;
}

/**
 * The last call of each array that was in place: programs repeat their calls, an array does not change, and the time between two
 * calls counts.
 */
const calls = new WeakMap<object, Known>();

/** The same call as one that was checked before; undefined where all is to be checked. */
export function findCall(
  state: CommunicatorState,
  name: OperationName,
  x: unknown,
  options: object | undefined,
): CheckedCall | undefined {
  const known = calls.get(x as NDArray);
  if (known?.state !== state || known.call.entry.name !== name || !isGiven(known.given, options)) return undefined;
  (x as NDArray).use(known.what);
  return known.call;
}

/** Note what was checked. Objects among the options, such as operators, are not kept: the collector may take them. */
export function noteCall(state: CommunicatorState, call: CheckedCall, x: unknown, options: object | undefined): void {
  const { send, recv } = call.parts;
  const isInPlace = send === recv || send === undefined || recv === undefined;
  if (!(x instanceof NDArray) || isPointToPoint(call.entry) || !isInPlace) return;
  const given = Object.entries(options ?? {}).filter(([key]) => key !== 'stream');
  if (given.some(([, value]) => typeof value === 'object')) return;
  calls.set(x, { state, call, what: `Communicator.${call.entry.name}: x`, given: new Map(given) });
}

function isGiven(given: ReadonlyMap<string, unknown>, options: object | undefined): boolean {
  if (options === undefined) return given.size === 0;
  if (typeof options !== 'object' || (options as unknown) === null) return false;
  let count = 0;
  // Without a list of the names. What an object inherits is not given, and differs in number then.
  for (const key in options) {
    if (key === 'stream') continue;
    if (!given.has(key) || given.get(key) !== (options as Readonly<Record<string, unknown>>)[key]) return false;
    count++;
  }
  return count === given.size;
}
