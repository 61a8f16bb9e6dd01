import { Status } from '../abi/status.ts';
import { wasm } from '../abi/webassembly.ts';

/** The kinds of findings and faults, as kernels pass them to `rt.fault`. */
export const FaultKind = {
  OUT_OF_BOUNDS: 1,
  SHARED_RACE: 2,
  DIVERGENT_BARRIER: 3,
  WARP_DEADLOCK: 4,
  MISALIGNED: 5,
  UNINITIALIZED: 6,
  GLOBAL_RACE: 7,
  ASSERTION: 8,
  TRAP: 9,
  USE_AFTER_FREE: 10,
  NULL: 11,
  RECURSIVE_BARRIER: 12,
  SHIFT: 13,
  INDEX: 14,
  END: 15,
  UNSET: 16,
  THREAD_RACE: 17,
  SKIPPED_BARRIER: 18,
  IMAGE: 19,
  PEER: 20,
} as const;

/** What is wrong with the use of a texture or a surface: `Fault` of kernels/cpu/runtime/image-check.cc. */
export const ImageFault = {
  NO_OBJECT: 1,
  DESTROYED: 2,
  FREED_MEMORY: 3,
  WRONG_TYPE: 4,
  OUTSIDE: 5,
  WRONG_FORM: 6,
} as const;

/** The reasons of traps. */
export const Reason = {
  NONE: 0,
  ADDRESS: 1,
  TRAP: 2,
  ALIGNMENT: 3,
  POINTER: 4,
  STACK: 5,
} as const;

/** An exception that ends a kernel. It gives the context its status, unless findings are only collected. */
export class KernelFault extends Error {
  readonly status: number;
  readonly kind: number;

  constructor(status: number, kind: number) {
    super(`CUDA status ${status}`);
    this.status = status;
    this.kind = kind;
  }
}

/** An access of memory that the context may not reach. */
export class PeerFault extends Error {
  readonly address: number;

  constructor(address: number, options: ErrorOptions) {
    super('no peer access', options);
    this.address = address;
  }
}

/** The fault that an exception of a kernel stands for. */
export interface Fault {
  readonly status: number;
  readonly reason: number;
}

/** The fault that a trap of WebAssembly or another exception stands for. */
export function faultOf(error: unknown): Fault {
  const text = error instanceof wasm.RuntimeError ? error.message : '';
  // V8's words; there is nothing else to tell one trap from another by.
  if (/out of bounds/.test(text) && !/table/.test(text))
    return { status: Status.ILLEGAL_ADDRESS, reason: Reason.ADDRESS };
  if (text === 'unreachable') return { status: Status.LAUNCH_FAILED, reason: Reason.TRAP };
  if (/unaligned/.test(text)) return { status: Status.MISALIGNED_ADDRESS, reason: Reason.ALIGNMENT };
  if (/table|signature|null function/.test(text)) return { status: Status.INVALID_PC, reason: Reason.POINTER };
  const deep = error instanceof RangeError || /call stack/i.test(text);
  return { status: Status.LAUNCH_FAILED, reason: deep ? Reason.STACK : Reason.NONE };
}

/** The status that a kind of finding gives its context. */
export function statusOf(kind: number): number {
  switch (kind) {
    case FaultKind.OUT_OF_BOUNDS:
    case FaultKind.USE_AFTER_FREE:
    case FaultKind.NULL:
    case FaultKind.INDEX:
    case FaultKind.IMAGE:
    case FaultKind.PEER:
      return Status.ILLEGAL_ADDRESS;
    case FaultKind.MISALIGNED:
      return Status.MISALIGNED_ADDRESS;
    case FaultKind.ASSERTION:
      return Status.ASSERT;
    default:
      return Status.LAUNCH_FAILED;
  }
}

/** Whether a kernel can continue after a finding, for a list of all findings. */
export function goesOn(kind: number): boolean {
  return (
    kind !== FaultKind.WARP_DEADLOCK &&
    kind !== FaultKind.TRAP &&
    kind !== FaultKind.RECURSIVE_BARRIER &&
    kind !== FaultKind.END &&
    kind !== FaultKind.PEER
  );
}

/**
 * Whether the program itself has asked to fail, by an assertion or a trap: a list of findings does not replace that.
 */
export function isMeant(kind: number): boolean {
  return kind === FaultKind.ASSERTION || kind === FaultKind.TRAP;
}

/** Whether the address of a finding leads to the states of the threads of a block. */
export function hasStates(kind: number): boolean {
  return kind === FaultKind.DIVERGENT_BARRIER || kind === FaultKind.SKIPPED_BARRIER || kind === FaultKind.WARP_DEADLOCK;
}

/** Whether a finding has the address of an access. */
export function hasAddress(kind: number): boolean {
  switch (kind) {
    case FaultKind.OUT_OF_BOUNDS:
    case FaultKind.USE_AFTER_FREE:
    case FaultKind.NULL:
    case FaultKind.MISALIGNED:
    case FaultKind.UNINITIALIZED:
    case FaultKind.SHARED_RACE:
    case FaultKind.GLOBAL_RACE:
    case FaultKind.THREAD_RACE:
    case FaultKind.PEER:
      return true;
    default:
      return false;
  }
}
