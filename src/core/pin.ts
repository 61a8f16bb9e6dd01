import { types } from 'node:util';
import { Script } from 'node:vm';
import { markAsUntransferable } from 'node:worker_threads';
import { sweepFlights } from './in-flight.ts';
import { isNative } from './host-extent.ts';
import { v8 } from './runtime-process.ts';
import { nameOf } from './check.ts';
import { hostExtent, type HostMemory } from './host-memory.ts';

/** How long an array is held: until a command has ended, or as long as an object of the user's is open. */
export type PinTime = 'command' | 'object';

// The runtime's own getter, which an older one has not: a property of that name on a buffer hides it.
const resizable = Reflect.get(Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'resizable') ?? {}, 'get') as
  ((this: unknown) => unknown) | undefined;
const KEY = Symbol('in use by a device');

/** How often each buffer is held. */
const counts = new WeakMap<ArrayBuffer, number>();
/** Buffers that were found to be transferable: to ask takes longer than a small copy. */
const transferables = new WeakSet<ArrayBuffer>();
let held = 0;

/** Release the arrays of finished commands; for code that has just seen one finish. */
export function unpinLanded(): void {
  if (held > 0) sweepFlights();
}

/**
 * Refuse memory that can shrink while a device uses it: the pages behind the new end go at once.
 *
 * @throws TypeError the buffer is resizable
 */
export function checkFixed(memory: HostMemory, what: string): void {
  if (isFixed(memory)) return;
  throw new TypeError(
    `${what} must have a buffer of a fixed length, got ${nameOf(memory)} over a resizable one; pass a copy: slice()`,
  );
}

/** Whether memory keeps its length. What is shared only grows. */
export function isFixed(memory: HostMemory): boolean {
  const { buffer } = hostExtent(memory);
  return types.isSharedArrayBuffer(buffer) || resizable?.call(buffer) !== true;
}

/**
 * Keep the memory of a host array where it is while a device uses it: a reference to the array keeps an empty husk once
 * its buffer was transferred. What happens to a transfer meanwhile depends on the runtime: from Node 24 on it throws, on
 * Node 20 it copies, and from then on always. On Node 21 to 23 only an array that is held by an object is kept, by a
 * DataCloneError, for ever.
 *
 * @returns lets go; a second call does nothing
 */
export function pin(memory: HostMemory, time: PinTime): () => void {
  const { buffer } = hostExtent(memory);
  // Shared memory is neither transferred nor does it shrink.
  if (!types.isArrayBuffer(buffer) || isNative(buffer)) return none;
  const own: ArrayBuffer = buffer;
  const lock = locker();
  if (!lock) {
    if (time === 'object' || MARKED_IS_COPIED) markAsUntransferable(own);
    return none;
  }
  const count = counts.get(own) ?? 0;
  if (count === 0 && !transferables.has(own)) {
    if (!isTransferable(own)) return none;
    transferables.add(own);
  }
  if (count === 0) lock(own, KEY);
  counts.set(own, count + 1);
  held++;
  let done = false;
  return () => {
    if (done) return;
    done = true;
    held--;
    const left = (counts.get(own) ?? 1) - 1;
    counts.set(own, left);
    if (left === 0) lock(own, undefined);
  };
}

/**
 * Have every transfer of a buffer of native memory throw, from Node 24 on. No other code of this package holds it.
 *
 * @returns lets go; undefined where the runtime has no such lock
 */
export function lockBuffer(buffer: ArrayBuffer): (() => void) | undefined {
  const lock = locker();
  lock?.(buffer, KEY);
  return lock && (() => lock(buffer, undefined));
}

type Lock = (buffer: ArrayBuffer, key: symbol | undefined) => void;

const none = (): void => undefined;
const NODE = Number(process.versions.node.split('.')[0]);
const MARKED_IS_COPIED = NODE <= 20;
/** Before, V8 and Node end the process where a key does not match. */
const FIRST_WITH_KEYS = 24;

let locker = (): Lock | undefined => {
  const lock = NODE >= FIRST_WITH_KEYS ? compileLock() : undefined;
  locker = () => lock;
  return lock;
};

function compileLock(): Lock | undefined {
  try {
    v8().setFlagsFromString('--allow-natives-syntax');
    const lock = new Script('(buffer, key) => %ArrayBufferSetDetachKey(buffer, key)').runInThisContext() as Lock;
    lock(new ArrayBuffer(1), undefined);
    return lock;
  } catch {
    // Another engine, or a runtime whose flags cannot be set.
    return undefined;
  } finally {
    try {
      v8().setFlagsFromString('--no-allow-natives-syntax');
    } catch {
      // As above.
    }
  }
}

/** A buffer of WebAssembly's is never transferred, and V8 does not expect a key there when the memory grows. */
function isTransferable(buffer: ArrayBuffer): boolean {
  try {
    structuredClone(0, { transfer: [buffer, buffer] });
  } catch (error) {
    return String(error).includes('duplicate');
  }
  return false;
}
