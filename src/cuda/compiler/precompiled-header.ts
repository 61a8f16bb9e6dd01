import type { Opaque } from '../../ffi/ctype.ts';
import { rtc } from '../call.ts';
import { nvrtcStatus } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/**
 * What became of a precompiled header that a build was to make. `'not-attempted'`: NVRTC saw no need, because one could
 * be used or the source begins with no header; the log says which.
 */
export type PchStatus = 'created' | 'not-attempted' | 'failed';

/** What became of it, and what to do. */
export interface PchOutcome {
  readonly status: PchStatus;
  /** What NVRTC's heap for precompiled headers needs, in bytes, where it was too small. */
  readonly heapBytes?: bigint;
}

const [NOT_ATTEMPTED] = nvrtcStatus.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
const [HEAP_EXHAUSTED] = nvrtcStatus.NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED;
const slot = slotOf('size_t');
let last: Promise<unknown> = Promise.resolve();
let underWay = 0;

/**
 * Whether a precompiled header is to be made or used.
 *
 * @throws {@link SymbolNotFoundError} NVRTC is older than 12.8
 */
export function wantsPch(options: readonly string[]): boolean {
  if (!options.some((option) => /^-?-(?:create-|use-)?pch(?:=|$)/.test(option))) return false;
  rtc.nvrtcGetPCHHeapSize(slot);
  return true;
}

/** Ask NVRTC what became of the header of a build that is over. */
export function pchOutcome(program: Opaque<'nvrtcProgram'>): PchOutcome {
  const status = rtc.nvrtcGetPCHCreateStatus(program);
  if (status === 0) return { status: 'created' };
  if (status === NOT_ATTEMPTED) return { status: 'not-attempted' };
  if (status !== HEAP_EXHAUSTED) return { status: 'failed' };
  rtc.nvrtcGetPCHHeapSizeRequired(program, slot);
  return { status: 'failed', heapBytes: take(slot) };
}

/**
 * Give NVRTC the heap that a build lacked, if it lacked one.
 *
 * @returns whether building again is worth while
 */
export function growPchHeap({ heapBytes }: PchOutcome): boolean {
  // NVRTC frees the old heap, which a build on a worker thread may be using.
  if (heapBytes === undefined || underWay > 0) return false;
  rtc.nvrtcGetPCHHeapSize(slot);
  if (heapBytes <= take(slot)) return false;
  rtc.nvrtcSetPCHHeapSize(heapBytes);
  return true;
}

/** Run builds with precompiled headers one after the other, where they do not block: they share the heap. */
export function inPchTurn<T>(build: () => Promise<T>): Promise<T> {
  const turn = last.then(build);
  last = turn.catch(() => undefined);
  return turn;
}

/** Wait for a worker thread that uses the heap. */
export async function usingPchHeap<T>(call: () => Promise<T>): Promise<T> {
  underWay++;
  try {
    return await call();
  } finally {
    underWay--;
  }
}
