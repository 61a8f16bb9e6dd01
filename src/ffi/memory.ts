import { closeSync, openSync, readSync } from 'node:fs';
import { constants } from 'node:buffer';
import { types } from 'node:util';
import { Script } from 'node:vm';
import koffi from 'koffi';
import { noteNative } from '../core/host-extent.ts';

const takesDataViews = takes(new DataView(new ArrayBuffer(1)));

/** Memory in a form that koffi takes: it knows no SharedArrayBuffer, only views of one, and under Deno no DataView. */
export function plainView(memory: ArrayBufferView | ArrayBufferLike): ArrayBufferView | ArrayBufferLike {
  if (!ArrayBuffer.isView(memory)) return types.isSharedArrayBuffer(memory) ? new Uint8Array(memory) : memory;
  if (takesDataViews || !types.isDataView(memory)) return memory;
  return new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
}

function takes(view: ArrayBufferView): boolean {
  try {
    koffi.address(view);
    return true;
  } catch {
    return false;
  }
}

/**
 * The address of a view's first byte. It is good for as long as the view's buffer lives and is not detached:
 * code that keeps the address keeps the view.
 */
export function addressOf(view: ArrayBufferView | ArrayBufferLike): bigint {
  return koffi.address(plainView(view));
}

/**
 * Refuse what no array of this runtime can have (4 GiB in Node.js 20): a view of it would end the process. Before anything
 * is allocated.
 *
 * @throws RangeError it is more than that
 */
export function checkViewBytes(byteLength: number, what: string): number {
  if (byteLength <= constants.MAX_LENGTH) return byteLength;
  throw new RangeError(
    `${what} must be at most ${constants.MAX_LENGTH} bytes, all that an array of this runtime can have; got ${byteLength}`,
  );
}

/**
 * An ArrayBuffer over native memory, without a copy. V8 counts the bytes as external memory, so this costs
 * microseconds for each MiB: make one view and keep it.
 */
export function viewOf(address: bigint, byteLength: number): ArrayBuffer {
  const buffer = koffi.view(address, checkViewBytes(byteLength, 'A view'));
  noteNative(buffer);
  return buffer;
}

/**
 * A copy of memory at an address that a caller gave. Linux reports unmapped memory, by the file of the process's own
 * memory; elsewhere a wrong address ends the process.
 *
 * @returns undefined where no memory is mapped
 */
export function copyOf(address: bigint, byteLength: number): ArrayBuffer | undefined {
  if (byteLength === 0) return new ArrayBuffer(0);
  if (process.platform !== 'linux') return viewOf(address, byteLength).slice(0);
  const copy = new Uint8Array(byteLength);
  const memory = openOwnMemory();
  if (memory === undefined) return viewOf(address, byteLength).slice(0);
  try {
    return readSync(memory, copy, 0, byteLength, address) === byteLength ? copy.buffer : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(memory);
  }
}

/** A process in a sandbox may have no such file. */
function openOwnMemory(): number | undefined {
  try {
    return openSync('/proc/self/mem', 'r');
  } catch {
    return undefined;
  }
}

/** The text at an address, up to its NUL; '' for NULL. */
export function readText(address: bigint): string {
  return address === 0n ? '' : (koffi.decode(address, 'char', -1) as string);
}

/**
 * Take the memory away from an ArrayBuffer: it and every view of it have length 0 from now on. Called before native
 * memory under a view is freed, so that a stale view reads nothing where it would have crashed the process. A second time
 * does nothing.
 */
export function detach(buffer: ArrayBuffer): void {
  const { detached } = buffer as ArrayBuffer & { detached?: boolean };
  // A second transfer throws.
  if (detached === true) return;
  if (transfer) transfer.call(buffer);
  else detacher()(buffer);
}

/** The runtime's own: a buffer may have a property of that name. */
const transfer = Reflect.get(ArrayBuffer.prototype, 'transfer') as ((this: ArrayBuffer) => ArrayBuffer) | undefined;

let detacher = (): ((buffer: ArrayBuffer) => void) => {
  // Node 20 has no ArrayBuffer.transfer, and structuredClone refuses to transfer external memory.
  const v8 = process.getBuiltinModule('node:v8');
  v8.setFlagsFromString('--allow-natives-syntax');
  const native = new Script('(buffer) => %ArrayBufferDetach(buffer)').runInThisContext() as (b: ArrayBuffer) => void;
  native(new ArrayBuffer(1));
  v8.setFlagsFromString('--no-allow-natives-syntax');
  detacher = () => native;
  return native;
};

/** MADV_HUGEPAGE. */
const HUGE_PAGES = 14;

/**
 * Ask for pages of 2 MiB in memory: a processor then looks up fewer addresses. On most distributions Linux gives them only
 * to those that ask; elsewhere, and where there are none, nothing happens.
 *
 * Source: madvise(2); the kernel's admin guide, "Transparent Hugepage Support".
 *
 * @param address - the first byte, at a page of the system
 */
export function adviseHugePages(address: bigint, byteLength: number): void {
  if (process.platform !== 'linux') return;
  try {
    const parameters = [koffi.types['uint64'], koffi.types['size_t'], koffi.types['int']];
    koffi.load(null).func('madvise', koffi.types['int'], parameters)(address, byteLength, HUGE_PAGES);
  } catch {
    // A C library without it.
  }
}
