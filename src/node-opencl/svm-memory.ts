import { claim, Handle } from '../core/handle.ts';
import { hostExtent, type HostMemory } from '../core/host-memory.ts';
import { Pages } from '../opencl/memory/pages.ts';
import { cl } from './call.ts';
import type { Raw } from './handle.ts';

/** The kind of the handles of shared virtual memory. */
export const SVM = 'SVM';

/** Shared virtual memory, as its ArrayBuffer owns it. */
export interface SvmMemory {
  readonly buffer: ArrayBuffer;
  readonly handle: Handle<bigint>;
  readonly context: Raw<'CLContext'>;
  /** A command frees the memory, or will free it: it must not be freed again. */
  readonly give: () => void;
  /** Release the memory, and take the bytes away from the buffer. */
  readonly close: () => void;
}

const known = new WeakMap<ArrayBufferLike, SvmMemory>();

/** Make the ArrayBuffer over shared virtual memory own it: the memory is freed with the collected buffer. */
export function ownSvm(
  owner: Raw<'CLContext'>,
  parent: Handle<bigint> | undefined,
  address: bigint,
  size: number,
): ArrayBuffer {
  const pages = new Pages(address, size);
  const { buffer } = pages;
  let given = false;
  const free = (pointer: bigint): void => {
    if (!given) cl.clSVMFree(owner, pointer);
  };
  const handle = new Handle(SVM, address, free, parent ? [parent] : []);
  const disown = claim(buffer, handle, true);
  const close = (): void => {
    known.delete(buffer);
    pages.end('shared memory', () => handle.retain());
    disown();
    handle.release();
  };
  known.set(buffer, { buffer, handle, context: owner, give: () => (given = true), close });
  return buffer;
}

/** The shared virtual memory that a buffer, or a view of one, is over. */
export function svmOf(value: HostMemory): SvmMemory | undefined {
  return known.get(hostExtent(value).buffer);
}
