import { hostPlace, type HostTrace } from '../core/host-place.ts';

/** The operations between ranks. */
export type OperationName =
  | 'allReduce'
  | 'reduce'
  | 'broadcast'
  | 'allGather'
  | 'reduceScatter'
  | 'allToAll'
  | 'gather'
  | 'scatter'
  | 'send'
  | 'recv';

/** One call, as a rank notes it. */
export interface FlightEntry {
  /** The number of the collective on its communicator, from 1; of a send or recv the number among those with its peer. */
  readonly sequence: number;
  readonly name: OperationName;
  readonly dtype: string;
  /** Elements, as the user counts them. */
  readonly count: number;
  /** The reduction; undefined for operations without one. */
  readonly op: string | undefined;
  /** The root, or the peer of send and recv; -1: neither. */
  readonly peer: number;
  /** Whether NCCL has put it on its stream. */
  readonly isTaken: boolean;
  /** Whether the device has finished it. */
  readonly isDone: boolean;
  /** The line of the program: `train.ts:30`. */
  readonly place: string | undefined;
}

/** The numbers of sends and recvs, by the other rank. */
export type Transfers = Readonly<Record<number, readonly [sends: number, recvs: number]>>;

/** Whether a call is one of two ranks alone. */
export function isPointToPoint({ name }: Pick<FlightEntry, 'name'>): boolean {
  return name === 'send' || name === 'recv';
}

/** What is noted of a call when it is given to NCCL. */
export interface NewEntry {
  readonly name: OperationName;
  readonly dtype: string;
  readonly count: number;
  readonly op: string | undefined;
  readonly peer: number;
}

interface Slot {
  sequence: number;
  call: NewEntry;
  trace: HostTrace | undefined;
}

/** As many as torch's flight recorder keeps. */
export const MAX_ENTRIES = 1000;

/** The last calls of one rank on one communicator, in a ring: noting one stores three references. */
export class FlightRecord {
  readonly #ring: Slot[] = [];
  readonly #sends: Uint32Array;
  readonly #recvs: Uint32Array;
  #collectives = 0;
  #noted = 0;
  #taken = 0;
  #done = 0;

  /** @param size - the number of ranks */
  constructor(size: number) {
    this.#sends = new Uint32Array(size);
    this.#recvs = new Uint32Array(size);
  }

  /** How many calls were given to NCCL. */
  get noted(): number {
    return this.#noted;
  }

  /** The number of the last collective. */
  get collectives(): number {
    return this.#collectives;
  }

  /** How many sends to and recvs from each rank there were; undefined where there were none. */
  get transfers(): Transfers | undefined {
    const transfers: Record<number, readonly [number, number]> = {};
    this.#sends.forEach((sends, rank) => {
      const recvs = this.#recvs[rank] ?? 0;
      if (sends + recvs > 0) transfers[rank] = [sends, recvs];
    });
    return Object.keys(transfers).length === 0 ? undefined : transfers;
  }

  /** How many calls NCCL has put on their streams. */
  get taken(): number {
    return this.#taken;
  }

  /** How many calls the device has finished. */
  get done(): number {
    return this.#done;
  }

  /** Note a call that is given to NCCL now, and the line of the program where it is known. */
  note(call: NewEntry, trace?: HostTrace): void {
    const slot = (this.#ring[this.#noted % MAX_ENTRIES] ??= { sequence: 0, call, trace });
    slot.sequence = this.#next(call);
    slot.call = call;
    slot.trace = trace;
    this.#noted++;
  }

  /** Note the line of the call that was noted last. */
  traceLast(trace: HostTrace): void {
    const slot = this.#ring[(this.#noted - 1) % MAX_ENTRIES];
    if (slot !== undefined) slot.trace = trace;
  }

  /** NCCL has put all that were noted on their streams. */
  markTaken(): void {
    this.#taken = this.#noted;
  }

  /** The device has finished so many calls. */
  markDone(count: number): void {
    if (count > this.#done) this.#done = count;
  }

  /** The first call that the device has not finished; undefined where there is none. */
  head(): FlightEntry | undefined {
    return this.#done < this.#noted ? this.#entry(this.#done) : undefined;
  }

  /** The calls around the first that is not finished: at most so many, in their order. */
  tail(count: number): FlightEntry[] {
    const end = Math.min(this.#noted, this.#done + Math.ceil(count / 2));
    const start = Math.max(0, end - Math.min(count, MAX_ENTRIES), this.#noted - MAX_ENTRIES);
    return Array.from({ length: Math.max(end - start, 0) }, (_, i) => this.#entry(start + i)).filter(
      (entry) => entry !== undefined,
    );
  }

  #next({ name, peer }: NewEntry): number {
    if (name !== 'send' && name !== 'recv') return ++this.#collectives;
    const counts = name === 'send' ? this.#sends : this.#recvs;
    counts[peer] = (counts[peer] ?? 0) + 1;
    return counts[peer];
  }

  #entry(index: number): FlightEntry | undefined {
    // A newer call is in the place of one that is too old.
    if (index < this.#noted - MAX_ENTRIES) return undefined;
    const slot = this.#ring[index % MAX_ENTRIES];
    if (slot === undefined) return undefined;
    const { sequence, call, trace } = slot;
    const { name, dtype, count, op, peer } = call;
    const isTaken = index < this.#taken;
    return { sequence, name, dtype, count, op, peer, isTaken, isDone: index < this.#done, place: hostPlace(trace) };
  }
}

/** An entry in words: `allReduce #41 f32 x 1024 sum (train.ts:30)`. */
export function describeEntry(entry: FlightEntry, withPlace = true): string {
  const { name, sequence, dtype, count, op, place } = entry;
  const end = op === undefined ? peerText(entry) : `${op}${peerText(entry)}`;
  const text = `${name} #${sequence} ${dtype} x ${count}${end === '' ? '' : ` ${end.trimStart()}`}`;
  return withPlace && place !== undefined ? `${text} (${place})` : text;
}

function peerText({ name, peer }: FlightEntry): string {
  if (peer < 0) return '';
  return name === 'broadcast' || name === 'scatter' || name === 'recv' ? ` from rank ${peer}` : ` to rank ${peer}`;
}
