import { checkInteger, checkOptions, nameOf } from '../core/check.ts';
import { Buffer } from './buffer.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { readElement, type ElementRow } from './elements.ts';
import type { OperationName } from './flight-record.ts';
import { limitedMs } from './time-limit.ts';

const COMMON = ['stream', 'count', 'dtype', 'timeoutMs'];
/** What each operation may be given. */
const OPTIONS: Readonly<Record<OperationName, readonly string[]>> = {
  allReduce: [...COMMON, 'op', 'out'],
  reduce: [...COMMON, 'op', 'out', 'root'],
  broadcast: [...COMMON, 'out', 'root'],
  allGather: [...COMMON, 'out'],
  reduceScatter: [...COMMON, 'op', 'out'],
  allToAll: [...COMMON, 'out'],
  gather: [...COMMON, 'out', 'root'],
  scatter: [...COMMON, 'out', 'root'],
  send: COMMON,
  recv: COMMON,
};
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;

/** Reads and checks the arguments of one call. */
export class CallArguments {
  readonly state: CommunicatorState;
  readonly name: OperationName;
  /** `Communicator.allReduce`. */
  readonly what: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  #element: ElementRow | undefined;

  constructor(state: CommunicatorState, name: OperationName, options: unknown) {
    this.state = state;
    this.name = name;
    this.what = `Communicator.${name}`;
    checkOptions(options, OPTIONS[name], this.what);
    this.options = (options ?? {}) as Readonly<Record<string, unknown>>;
    const { timeoutMs } = this.options;
    this.timeoutMs =
      timeoutMs === undefined
        ? state.facts.timeoutMs
        : limitedMs(checkInteger(timeoutMs, `${this.what}: timeoutMs`, 1, MAX_TIMEOUT_MS));
  }

  get size(): number {
    return this.state.facts.size;
  }

  get rank(): number {
    return this.state.facts.rank;
  }

  /** An argument that is memory. */
  buffer(value: unknown, name: string): Buffer {
    return new Buffer(value, `${this.what}: ${name}`, this.state);
  }

  /** A rank among the options, 0 by default. */
  root(): number {
    return this.peer(this.options['root'] ?? 0, 'root');
  }

  /** A rank. */
  peer(value: unknown, name: string): number {
    return checkInteger(value, `${this.what}: ${name}`, 0, this.size - 1);
  }

  /** The elements' type: of the option, or what the memory says of itself. All of the call's memory must agree. */
  element(...buffers: readonly (Buffer | undefined)[]): ElementRow {
    if (this.#element) return this.#element;
    const asked = this.options['dtype'];
    const known = buffers.filter((buffer) => buffer?.dtype !== undefined) as readonly Buffer[];
    const [first] = known;
    if (asked === undefined && first === undefined) {
      throw new TypeError(`${this.what}: nothing tells what the memory holds; give dtype, such as { dtype: 'f32' }`);
    }
    const element = readElement(asked ?? first?.dtype, this.what);
    for (const { dtype, what, size } of known) {
      // Memory that remembers what was copied there may hold something else by now; an array may not.
      if (dtype === element.name || (size === undefined && asked !== undefined)) continue;
      throw new TypeError(`${what} must have elements of dtype ${element.name}, got ${dtype}`);
    }
    return (this.#element = element);
  }

  /**
   * How many elements each rank gives or gets.
   *
   * @param buffer - memory whose size tells it
   * @param share - how many times the count the memory has
   */
  count(buffer: Buffer, share: number, element: ElementRow): number {
    const asked = this.options['count'];
    if (asked !== undefined) return checkInteger(asked, `${this.what}: count`);
    const { room, what } = buffer;
    if (room === undefined) throw new TypeError(`${what} is an address, whose size nothing tells; give { count }`);
    const elements = room / element.size;
    if (!Number.isInteger(elements)) {
      throw new RangeError(
        `${what} has ${room} bytes, which must be a multiple of ${element.size}, the size of ${element.name}; give { count }`,
      );
    }
    if (elements % share !== 0) {
      throw new RangeError(
        `${what} has ${elements} elements, which must be a multiple of ${share}, the number of ranks`,
      );
    }
    return elements / share;
  }

  /** Check that memory has room for so many elements; an array without a given count must have them exactly. */
  checkRoom(buffer: Buffer, elements: number, element: ElementRow): void {
    const { room, what, size } = buffer;
    const bytes = elements * element.size;
    if (room !== undefined && room < bytes) {
      throw new RangeError(
        `${what} must have ${elements} elements (${bytes} bytes), got ${Math.floor(room / element.size)} (${room} bytes)`,
      );
    }
    if (size !== undefined && size !== elements && this.options['count'] === undefined) {
      throw new RangeError(`${what} must have ${elements} elements, got ${size}; give { count } to use a part`);
    }
  }

  /** An option that is missing though the operation cannot do without it. */
  missing(name: string, why: string): TypeError {
    return new TypeError(`${this.what}: ${name} must be given, got ${nameOf(this.options[name])}: ${why}`);
  }
}

/**
 * Check that two pieces of memory do not overlap, other than as NCCL's in-place rule has it.
 *
 * @param inPlace - where the second lies in the first, or the first in the second, in bytes; undefined: nowhere
 */
export function checkOverlap(
  send: Buffer,
  sendBytes: number,
  recv: Buffer,
  recvBytes: number,
  inPlace: { readonly of: 'send' | 'recv'; readonly offset: number; readonly rule: string } | undefined,
): void {
  const [from, to] = [send.address, recv.address];
  if (sendBytes === 0 || recvBytes === 0) return;
  if (from + BigInt(sendBytes) <= to || to + BigInt(recvBytes) <= from) return;
  if (inPlace !== undefined) {
    const place = inPlace.of === 'recv' ? from - to : to - from;
    if (place === BigInt(inPlace.offset)) return;
  }
  const rule = inPlace === undefined ? 'they must not overlap' : `they may overlap in place only: ${inPlace.rule}`;
  throw new RangeError(
    `${recv.what} (${recvBytes} bytes at 0x${to.toString(16)}) overlaps with what is sent (${sendBytes} bytes at 0x${from.toString(16)}): ${rule}`,
  );
}
