import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import koffi from 'koffi';

/**
 * The address of a view's first byte. It is good for as long as the view's buffer lives and is not detached:
 * whoever keeps the address keeps the view.
 */
export function addressOf(view: ArrayBufferView | ArrayBufferLike): bigint {
  // Koffi knows no SharedArrayBuffer, only views of one.
  return koffi.address(ArrayBuffer.isView(view) ? view : new Uint8Array(view));
}

/**
 * An ArrayBuffer over native memory, without a copy. V8 counts the bytes as external memory, so this costs
 * microseconds for each MiB: make one view and keep it.
 */
export function viewOf(address: bigint, byteLength: number): ArrayBuffer {
  return koffi.view(address, byteLength);
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
  const { transfer, detached } = buffer as ArrayBuffer & { transfer?: () => ArrayBuffer; detached?: boolean };
  // A second transfer throws.
  if (detached === true) return;
  if (transfer) transfer.call(buffer);
  else detacher()(buffer);
}

let detacher = (): ((buffer: ArrayBuffer) => void) => {
  // Node 20 has no ArrayBuffer.transfer, and structuredClone refuses to transfer external memory.
  setFlagsFromString('--allow-natives-syntax');
  const native = new Script('(buffer) => %ArrayBufferDetach(buffer)').runInThisContext() as (b: ArrayBuffer) => void;
  native(new ArrayBuffer(1));
  setFlagsFromString('--no-allow-natives-syntax');
  detacher = () => native;
  return native;
};
