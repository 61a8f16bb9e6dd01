import type { FlightEntry, Transfers } from './flight-record.ts';

/** Calls of each rank in a report. */
export const MAX_TOLD = 32;
/** The same in a large job: each rank reads what all others write. */
const FEW_TOLD = 4;
const LARGE = 64;

/** What a rank publishes. */
export interface Head {
  /** Whether it is the answer to an alarm. */
  readonly isAnswer: boolean;
  readonly entries: readonly FlightEntry[];
  readonly waiting: string | undefined;
  readonly failed: string | undefined;
  readonly launched: string | undefined;
}

/** The last word of a rank that leaves a communicator: few bytes, since all ranks hear it of all. */
export interface Gone {
  readonly how: Leaving;
  /** The collectives that it has called. */
  readonly calls: number;
  /** The sends to and the recvs from each rank. */
  readonly transfers?: Transfers | undefined;
  readonly failed: string | undefined;
}

/** A rank is at its time limit; undefined: it knows of a rank that has left. */
export interface Alarm {
  readonly timeoutMs: number | undefined;
}

/** A process that has come as a rank. */
export interface Comer {
  /** Its rank in the job. */
  readonly job: number;
  /** How many ranks it believes that there are. */
  readonly size: number;
}

/** How a rank has left a communicator; `ended`: with its process, which has not failed. */
export type Leaving = 'closed' | 'aborted' | 'failed' | 'ended';

/** Whether it is one: other programs may write to a store, too. */
export function isComer(value: Partial<Comer> | null | undefined): value is Comer {
  return Number.isInteger(value?.job) && Number.isInteger(value?.size);
}

/** JSON of another rank. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not what a rank writes: as if it had said nothing.
    return undefined;
  }
}

/** How many of its calls a rank writes. */
export function toldOf(size: number): number {
  return size > LARGE ? FEW_TOLD : MAX_TOLD;
}
