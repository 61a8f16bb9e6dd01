import koffi from 'koffi';
import { viewOf } from './memory.ts';

interface Libc {
  readonly malloc: (byteLength: number) => bigint | null;
  readonly free: (address: bigint) => void;
  readonly freeAddress: bigint;
  readonly perrorAddress: bigint;
}

let known: Libc | undefined;

function libc(): Libc {
  if (known) return known;
  const library = koffi.load(process.platform === 'win32' ? 'ucrtbase.dll' : null);
  const pointer = koffi.pointer(koffi.types['void']);
  return (known = {
    malloc: library.func('malloc', pointer, [koffi.types['size_t']]) as Libc['malloc'],
    free: library.func('free', koffi.types['void'], [pointer]) as Libc['free'],
    freeAddress: koffi.address(library.symbol('free')),
    perrorAddress: koffi.address(library.symbol('perror')),
  });
}

/**
 * Native memory that its receiver frees with C's `free`.
 *
 * @throws RangeError no memory is left
 */
export function allocateNative(byteLength: number): { readonly address: bigint; readonly view: DataView } {
  const address = libc().malloc(byteLength);
  if (address === null || address === 0n) throw new RangeError(`There is no memory for ${byteLength} bytes`);
  const view = new DataView(viewOf(address, byteLength));
  for (let i = 0; i < byteLength; i++) view.setUint8(i, 0);
  return { address, view };
}

/** Free memory of {@link allocateNative}. */
export function freeNative(address: bigint): void {
  libc().free(address);
}

/** The address of C's `free`, for a struct that carries its own deleter: no JavaScript function may be one. */
export function freeFunction(): bigint {
  return libc().freeAddress;
}

/**
 * The address of C's `perror`, which prints the text that is its first argument on stderr: a callback that any thread of a
 * driver may call at any time. Further arguments do it no harm.
 */
export function perrorFunction(): bigint {
  return libc().perrorAddress;
}
