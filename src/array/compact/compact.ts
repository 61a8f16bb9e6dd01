import { copyInto, empty } from '../apply.ts';
import type { ArrayKernel, Engine, Lane, LaunchArgument } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { kernelFor, Kernels } from '../kernel-cache.ts';
import type { Dialect } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import { NARROW } from '../layout.ts';
import { memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { hasShuffles } from '../shuffles.ts';
import type { CompactText, CountType } from './compact-text.ts';
import { countSums } from './count-sums.ts';
import { compactChunks } from './serial-kernel.ts';
import { COMPACT_THREADS, compactTile, compactTiles, tileWords, type CompactMode } from './tile-kernel.ts';

type Language = Dialect['name'];

/** Elements that are worth a thread of their own, where threads run one after another. */
const MIN_CHUNK = 16_384;

/** What a compaction works on. */
export interface CompactData {
  readonly n: number;
  /** The memories that are read, and the text's numbers. */
  readonly inputs: readonly LaunchArgument[];
  readonly numbers: readonly LaunchArgument[];
  /** Whether the memory of bytes that decides can be read 16 bytes at once. */
  readonly packed?: boolean;
  /** The largest place in a memory. */
  readonly reach: number;
}

/**
 * The elements of a line that a condition holds for, in order: what is taken is counted first, part by part, so that each part knows
 * where it writes, and the host can make room for it.
 */
export class Compaction {
  readonly #textFor: (language: Language) => CompactText;
  readonly #kernels = new Kernels();

  /** @param textFor - the text in a language */
  constructor(textFor: (language: Language) => CompactText) {
    this.#textFor = textFor;
  }

  /** Count what is taken, part by part. Close it when it is done with. */
  count(engine: Engine, lane: Lane, data: CompactData): CountedParts {
    const isSerial = engine.facts.packBytes === 0;
    const packed = !isSerial && data.packed === true;
    const length = isSerial ? Math.max(MIN_CHUNK, Math.ceil(data.n / (4 * engine.facts.groups))) : compactTile(packed);
    const parts = Math.max(1, Math.ceil(data.n / length));
    using counts = empty(engine, [parts], 'u64', lane);
    const offsets = empty(engine, [parts + 1], 'u64', lane);
    let flags: NDArray<'u32'> | undefined;
    try {
      flags = isSerial ? undefined : empty(engine, [parts * tileWords(packed)], 'u32', lane);
      const outputs = flags === undefined ? [memoryOf(counts)] : [memoryOf(counts), memoryOf(flags)];
      const args = [...outputs, ...data.inputs];
      this.#launch(engine, lane, 'count', args, data, { parts, length, packed }, outputs.length);
      const shuffles = hasShuffles(engine);
      const sums = kernelFor(engine, `count sums ${isSerial} ${shuffles}`, () => countSums(isSerial, shuffles));
      sums.launch(lane, 1, isSerial ? 1 : COMPACT_THREADS, 1, [memoryOf(offsets), memoryOf(counts), parts], 1);
    } catch (error) {
      offsets.close();
      flags?.close();
      throw error;
    }
    return new CountedParts(offsets, flags, { parts, length, packed });
  }

  /** Write what has been counted. */
  write(
    engine: Engine,
    lane: Lane,
    outputs: readonly LaunchArgument[],
    data: CompactData,
    counted: CountedParts,
  ): void {
    const { offsets, flags, ways } = counted;
    const found = flags === undefined ? [memoryOf(offsets)] : [memoryOf(offsets), memoryOf(flags)];
    this.#launch(engine, lane, 'write', [...outputs, ...found, ...data.inputs], data, ways, outputs.length);
  }

  /** Count and write, where there is room for all. `taken` has the number of elements that were, of {@link countOf}. */
  run(engine: Engine, lane: Lane, outputs: readonly LaunchArgument[], taken: NDArray, data: CompactData): void {
    if (data.n === 0) {
      fill(taken, 0, lane);
      return;
    }
    using counted = this.count(engine, lane, data);
    this.write(engine, lane, outputs, data, counted);
    using total = viewOf(counted.offsets, { shape: [], strides: [], offset: counted.ways.parts });
    copyInto(taken, total, lane);
  }

  #launch(
    engine: Engine,
    lane: Lane,
    mode: CompactMode,
    args: LaunchArgument[],
    data: CompactData,
    { parts, length, packed }: Parts,
    written: number,
  ): void {
    const count = countOf(data);
    args.push(...data.numbers, data.n);
    if (engine.facts.packBytes === 0) {
      args.push(length);
      const kernel = this.#kernel(engine, `${mode} ${count} chunks`, (text) => compactChunks(text, mode, count));
      kernel.launch(lane, parts, 1, 1, args, written);
      return;
    }
    const votes = hasShuffles(engine);
    const kernel = this.#kernel(engine, `${mode} ${count} ${packed}`, (text) =>
      compactTiles(text, { mode, count, votes, packed }),
    );
    kernel.launch(lane, parts, COMPACT_THREADS, 1, args, written);
  }

  #kernel(engine: Engine, key: string, make: (text: CompactText) => KernelText): ArrayKernel {
    return this.#kernels.of(engine, key, () => make(this.#textFor(engine.dialect.name)));
  }
}

/** How elements are parted. */
interface Parts {
  readonly parts: number;
  /** Elements of a part. */
  readonly length: number;
  readonly packed: boolean;
}

/** What has been counted of each part. */
export class CountedParts {
  /** How many are taken before each part, and behind that how many of all: u64. */
  readonly offsets: NDArray<'u64'>;
  /** A bit for each element, where groups have noted them. */
  readonly flags: NDArray<'u32'> | undefined;
  readonly ways: Parts;

  constructor(offsets: NDArray<'u64'>, flags: NDArray<'u32'> | undefined, ways: Parts) {
    this.offsets = offsets;
    this.flags = flags;
    this.ways = ways;
  }

  /** How many are taken of all. Host: blocks. */
  total(engine: Engine, lane: Lane): number {
    const total = new BigUint64Array(1);
    engine.read(memoryOf(this.offsets), this.ways.parts * 8, new Uint8Array(total.buffer), lane);
    return Number(total[0]);
  }

  [Symbol.dispose](): void {
    this.offsets.close();
    this.flags?.close();
  }
}

/** The dtype of counts. */
export function countOf({ reach }: Pick<CompactData, 'reach'>): CountType {
  return reach > NARROW ? 'u64' : 'u32';
}
