import { checkInteger, checkObject, nameOf } from '../../core/check.ts';
import { philox } from './philox.ts';

/** Where a generator is, as JSON has it. */
export interface GeneratorState {
  readonly algorithm: 'philox4x32-10';
  /** The key of 64 bits, in hexadecimal digits: the seed, but for generators that were split off. */
  readonly key: string;
  /** The number of the next block of four words. */
  readonly counter: string;
  /** The highest word of the counter: jumps of 2^96 blocks. */
  readonly jumps: number;
  /** Generators that were split off. */
  readonly children: number;
}

/** The counter and key of a block. */
export interface Position {
  readonly counter: bigint;
  readonly jumps: number;
  readonly key: readonly [number, number];
}

const WORD = 2 ** 32;
/** The third word of the counters that keys of other generators are made of; those of numbers are counted up from 0. */
const SPLIT = WORD - 1;
const ALGORITHM = 'philox4x32-10';

/** The words of a key, one after another: what a generator counts. */
export class PhiloxStream {
  #key: readonly [number, number];
  #counter = 0n;
  #jumps = 0;
  #children = 0;

  constructor(key: bigint) {
    this.#key = wordsOf(key);
  }

  /** The position of the next block; so many are used up. */
  take(blocks: number): Position {
    const position = { counter: this.#counter, jumps: this.#jumps, key: this.#key };
    this.skip(BigInt(blocks));
    return position;
  }

  /** Go on by a number of blocks, or back. */
  skip(blocks: bigint): void {
    this.#counter = BigInt.asUintN(64, this.#counter + blocks);
  }

  jump(count: number): void {
    this.#jumps = (this.#jumps + count) % WORD;
  }

  /** The keys of other streams: blocks of counters that no number is made of. */
  split(count: number): bigint[] {
    return Array.from({ length: count }, () => {
      const child = this.#children++;
      const [low, high] = philox([child % WORD, Math.floor(child / WORD), SPLIT, this.#jumps], this.#key);
      return (BigInt(high) << 32n) | BigInt(low);
    });
  }

  get state(): GeneratorState {
    const [low, high] = this.#key;
    const key = (BigInt(high) << 32n) | BigInt(low);
    return {
      algorithm: ALGORITHM,
      key: `0x${key.toString(16).padStart(16, '0')}`,
      counter: String(this.#counter),
      jumps: this.#jumps,
      children: this.#children,
    };
  }

  set state(value: unknown) {
    checkObject(value, 'Generator: state');
    const { algorithm, key, counter, jumps, children } = value as Partial<GeneratorState>;
    if (algorithm !== ALGORITHM) {
      throw new TypeError(`Generator: state must be one of '${ALGORITHM}', got algorithm ${nameOf(algorithm)}`);
    }
    const words = wordsOf(readBits(key, 'state.key'));
    const blocks = readBits(counter, 'state.counter');
    const jumped = checkInteger(jumps, 'Generator: state.jumps', 0, WORD - 1);
    const split = checkInteger(children, 'Generator: state.children');
    [this.#key, this.#counter, this.#jumps, this.#children] = [words, blocks, jumped, split];
  }
}

function wordsOf(key: bigint): [number, number] {
  return [Number(key & 0xffff_ffffn), Number(key >> 32n)];
}

function readBits(value: unknown, what: string): bigint {
  if (typeof value === 'string' && /^(?:0x[\da-f]{1,16}|\d{1,20})$/i.test(value)) {
    const bits = BigInt(value);
    if (BigInt.asUintN(64, bits) === bits) return bits;
  }
  throw new TypeError(`Generator: ${what} must be the digits of an integer from 0 below 2^64, got ${nameOf(value)}`);
}
