import { empty } from '../apply.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { Kernels } from '../kernel-cache.ts';
import type { Dialect } from '../kernel/dialect.ts';
import { sourceOf, type KernelText } from '../kernel/source.ts';
import { NARROW } from '../layout.ts';
import { memoryOf } from '../ndarray.ts';
import { hasShuffles } from '../shuffles.ts';
import { itemScanOnce, itemScanParts, itemScanSerial, itemScanSums, itemsOfTile } from './item-scan-kernel.ts';
import type { ItemIndex, ItemScanMode, ItemScanText } from './item-scan-text.ts';
import { SCAN_THREADS } from './rows-kernel.ts';
import { stateWords } from './tile-state.ts';

type Language = Dialect['name'];

/** The most parts, so that one group goes over their sums in a few steps. */
const MAX_PARTS = 2048;
/** Items that are worth a thread of their own, where threads run one after another. */
const MIN_CHUNK = 16_384;

/** How far behind the last item the threads of a tile count. */
const MARGIN = 2 ** 20;

/** What a scan works on. */
export interface ItemScanData {
  /** How many items there are. */
  readonly n: number;
  readonly outputs: readonly LaunchArgument[];
  readonly inputs: readonly LaunchArgument[];
  /** The text's numbers. */
  readonly numbers: readonly LaunchArgument[];
}

/** A scan of items, with its kernels, each built when it is first needed. */
export class ItemScan {
  readonly #textFor: (language: Language) => ItemScanText;
  readonly #texts = new Map<Language, ItemScanText>();
  readonly #kernels: Kernels;

  /**
   * @param textFor - the text in a language
   * @param options - of the compiler, for what users have written
   */
  constructor(textFor: (language: Language) => ItemScanText, options?: readonly string[]) {
    this.#textFor = textFor;
    this.#kernels = new Kernels(options);
  }

  run(engine: Engine, lane: Lane, data: ItemScanData): void {
    const { n, outputs, inputs, numbers } = data;
    if (n === 0) return;
    const text = this.#text(engine.dialect.name);
    const index = n > NARROW - MARGIN ? 'i64' : 'i32';
    if (looksBack(engine, text)) {
      const { accumulator } = text;
      const tiles = Math.ceil(n / (SCAN_THREADS * itemsOfTile(accumulator, true)));
      using state = empty(engine, [1 + tiles * stateWords(accumulator)], 'u64', lane);
      fill(state, 0, lane);
      const kernel = this.#kernels.of(engine, `once ${index}`, () => textOf(engine, text, 'once', index));
      const args = [...outputs, memoryOf(state), ...inputs, n, ...numbers];
      kernel.launch(lane, tiles, SCAN_THREADS, 1, args, outputs.length + 1);
      return;
    }
    const isSerial = engine.facts.packBytes === 0;
    const { parts, length } = partsOf(engine, text, n);
    using sums = empty(engine, [parts * text.accumulator.size], 'u8', lane);
    const at = memoryOf(sums);
    const threads = isSerial ? 1 : SCAN_THREADS;
    if (parts > 1 || text.needsLast) {
      const reduce = this.#kernels.of(engine, `reduce ${index} ${isSerial}`, () =>
        textOf(engine, text, 'reduce', index),
      );
      reduce.launch(lane, parts, threads, 1, [at, ...outputs, ...inputs, n, length, parts, ...numbers], 1);
      const shuffles = hasShuffles(engine);
      const sum = this.#kernels.of(engine, `sums ${isSerial}`, () => itemScanSums(text, isSerial, shuffles));
      sum.launch(lane, 1, threads, 1, [at, parts], 1);
    }
    const write = this.#kernels.of(engine, `write ${index} ${isSerial}`, () => textOf(engine, text, 'write', index));
    const args = [...outputs, at, ...inputs, n, length, parts, ...numbers];
    write.launch(lane, parts, threads, 1, args, outputs.length);
  }

  /** The text in a language, which is made once: calls ask for it. */
  #text(language: Language): ItemScanText {
    let text = this.#texts.get(language);
    if (text === undefined) this.#texts.set(language, (text = this.#textFor(language)));
    return text;
  }

  /** The source of the kernel that writes the results. */
  source(engine: Engine): string {
    const text = this.#text(engine.dialect.name);
    return sourceOf([textOf(engine, text, looksBack(engine, text) ? 'once' : 'write', 'i32')], engine.dialect);
  }
}

function textOf(engine: Engine, text: ItemScanText, mode: ItemScanMode, index: ItemIndex): KernelText {
  if (mode === 'once') return itemScanOnce(text, index);
  if (engine.facts.packBytes === 0) return itemScanSerial(text, mode, index);
  return itemScanParts(text, mode, index, hasShuffles(engine));
}

/** Whether one pass will do: where groups may wait for those before them, and nobody asks for the end before it is there. */
function looksBack({ dialect, facts }: Engine, { needsLast }: ItemScanText): boolean {
  return dialect.name === 'cuda' && facts.promisesProgress && facts.packBytes > 0 && !needsLast;
}

function partsOf({ facts }: Engine, { accumulator }: ItemScanText, n: number): { parts: number; length: number } {
  const unit = facts.packBytes === 0 ? 1 : SCAN_THREADS * itemsOfTile(accumulator, false);
  const least = facts.packBytes === 0 ? MIN_CHUNK : 2 * unit;
  const most = facts.packBytes === 0 ? 4 * facts.groups : MAX_PARTS;
  const wanted = Math.max(1, Math.min(most, Math.floor(n / least)));
  const length = Math.ceil(n / wanted / unit) * unit;
  return { parts: Math.ceil(n / length), length };
}
