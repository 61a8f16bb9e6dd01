import { addressOf } from '../ffi/memory.ts';

/** Memory of 8 bytes that stays where it is: NCCL writes some results after the call has returned. */
export class Cell {
  // The buffer of its own lies outside of the collector's heap, which moves small arrays.
  readonly #words = new BigUint64Array(new ArrayBuffer(8));

  get address(): bigint {
    return addressOf(this.#words);
  }

  /** All 8 bytes. */
  get wide(): bigint {
    return this.#words[0] ?? 0n;
  }

  /** The first 4 bytes. */
  get int(): number {
    return Number(BigInt.asUintN(32, this.wide));
  }
}
