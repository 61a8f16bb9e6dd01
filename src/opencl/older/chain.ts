import { warn } from '../../core/errors.ts';
import { bytesAt, type Pointer } from '../../ffi/pointer.ts';
import { MemFlags, MemInfo, QueueInfo, status } from '../sys/enums.ts';
import type { OpenCLTable } from '../sys/tables.ts';

type Queue = Parameters<OpenCLTable['clEnqueueCopyBuffer']>[0];
type Memory = Parameters<OpenCLTable['clEnqueueCopyBuffer']>[1];
type Context = Parameters<OpenCLTable['clCreateBuffer']>[0];
type Enqueue = (count: number, list: Pointer, event: BigUint64Array) => number;

const SUCCESS = status.CL_SUCCESS[0];

/** A chain of commands: each waits for its predecessor, the first for the caller's list. The last event is the caller's. */
export class Chain {
  readonly #cl: OpenCLTable;
  readonly #event: Pointer;
  #waits: readonly [count: number, list: Pointer];
  #last = 0n;
  #answer: number = SUCCESS;

  constructor(cl: OpenCLTable, count: number, list: Pointer, event: Pointer) {
    this.#cl = cl;
    this.#waits = [count, list];
    this.#event = event;
  }

  /** Enqueue another command; does nothing once a command has failed. */
  add(enqueue: Enqueue): void {
    if (this.#answer !== SUCCESS) return;
    const slot = new BigUint64Array(1);
    this.#answer = enqueue(...this.#waits, slot);
    if (this.#answer !== SUCCESS) return;
    this.#release();
    this.#last = slot[0] ?? 0n;
    this.#waits = [1, slot];
  }

  /** The status of the first command that failed, or success. */
  end(): number {
    if (this.#answer === SUCCESS && this.#event !== 0n) {
      bytesAt(this.#event, 8).set(new Uint8Array(BigUint64Array.of(this.#last).buffer));
    } else {
      this.#release();
    }
    return this.#answer;
  }

  #release(): void {
    if (this.#last === 0n) return;
    const released = this.#cl.clReleaseEvent(this.#last as never);
    if (released !== SUCCESS) warn(`clReleaseEvent of a part of a command failed: ${released}`, 'RAWKERNEL_CLEANUP');
    this.#last = 0n;
  }
}

/** Run commands over a buffer with these bytes, of the context of a memory object. */
export function withBytesBeside(
  cl: OpenCLTable,
  beside: Memory,
  bytes: Uint8Array,
  run: (source: Memory) => number,
): number {
  const context = new BigUint64Array(1);
  const told = cl.clGetMemObjectInfo(beside, MemInfo.CONTEXT[0], 8, context, 0n);
  return told === SUCCESS ? withBytes(cl, context[0] as Context, bytes, run) : told;
}

/** The driver keeps the buffer until the commands have ended. */
function withBytes(cl: OpenCLTable, context: Context, bytes: Uint8Array, run: (source: Memory) => number): number {
  const errcode = new Int32Array(1);
  const flags = MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR;
  const source = cl.clCreateBuffer(context, flags, bytes.length, bytes, errcode);
  const [answer = SUCCESS] = errcode;
  if (answer !== SUCCESS) return answer;
  try {
    return run(source);
  } finally {
    const released = cl.clReleaseMemObject(source);
    if (released !== SUCCESS) warn(`clReleaseMemObject of a copy's source failed: ${released}`, 'RAWKERNEL_CLEANUP');
  }
}

/**
 * Enqueue a command that does nothing but wait for a wait list: a copy within a private buffer.
 * `clEnqueueWaitForEvents` has no event, holds back all later commands, and some newer drivers crash in it.
 */
export function enqueueNothing(cl: OpenCLTable, queue: Queue, count: number, list: Pointer, event: Pointer): number {
  const context = new BigUint64Array(1);
  const told = cl.clGetCommandQueueInfo(queue, QueueInfo.CONTEXT[0], 8, context, 0n);
  if (told !== SUCCESS) return told;
  return withBytes(cl, context[0] as Context, new Uint8Array(2), (buffer) =>
    cl.clEnqueueCopyBuffer(queue, buffer, buffer, 0, 1, 1, count, list, event as BigUint64Array | bigint),
  );
}

/** A repeated pattern. */
export function repeated(unit: Uint8Array, byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  bytes.set(unit.subarray(0, byteLength));
  for (let done = unit.length; done < byteLength; done *= 2)
    bytes.copyWithin(done, 0, Math.min(done, byteLength - done));
  return bytes;
}
