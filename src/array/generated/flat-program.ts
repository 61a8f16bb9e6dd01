import { checkOptions } from '../../core/check.ts';
import { arrayDTypes } from '../dtype.ts';
import type { ArrayKernel, Engine, LaneOptions, LaunchArgument } from '../engine.ts';
import { sourceOf } from '../kernel/source.ts';
import { PerEngine } from '../kernel-cache.ts';
import { flatKernel, type FlatWalk, type FlatWork } from './flat-kernel.ts';
import type { SliceRange } from '../slice.ts';
import type { Bound } from './kernel-arguments.ts';
import { rangeOf, type RangeOptions } from './index-range.ts';

/** The options of a call. */
export interface IndexCallOptions extends LaneOptions, RangeOptions {}

/** What a call comes to. */
interface Call {
  readonly engine: Engine;
  readonly walk: FlatWalk;
  readonly bound: Bound;
  readonly count: number;
  readonly range: SliceRange | undefined;
}

/** Bytes that a thread has under way, at most so many of its elements: enough to hide how long each read takes. */
const REGISTER_BYTES = 64;
const MAX_EACH = 8;
/** A text that is compiled several times over is to be short, and without a loop of its own. */
const MAX_REPEATED = 600;
const LOOP = /\b(?:for|while|goto)\b/;
/** The longest row of indices of a thread, where threads run one after another. */
const MAX_RUN = 32_768;
const OPTIONS = ['range', 'slice', 'stream', 'queue'];

/** An elementwise kernel of a text with an index: its kernels, each built when a call first needs it. */
export class FlatProgram {
  readonly #work: FlatWork;
  readonly #each: number;
  readonly #kernels = new PerEngine(() => new Map<number, ArrayKernel>());
  #last: (() => string) | undefined;
  #lastKernel: ArrayKernel | undefined;

  /** @param work - the texts, and the parameters that they use */
  constructor(work: FlatWork) {
    this.#work = work;
    const { parameters, operation } = work;
    const bytes = parameters.list.reduce((sum, { kind, dtype }) => {
      return kind === 'scalar' ? sum : sum + (typeof dtype === 'object' ? 16 : arrayDTypes[dtype].size);
    }, 0);
    const isRepeated = operation.length <= MAX_REPEATED && !LOOP.test(operation);
    const most = Math.min(MAX_EACH, Math.max(1, REGISTER_BYTES / Math.max(bytes, 1)));
    this.#each = isRepeated ? 2 ** Math.floor(Math.log2(most)) : 1;
  }

  get name(): string {
    return this.#work.name;
  }

  /** What the kernel of the last call was made of. */
  get source(): string | undefined {
    return this.#last?.();
  }

  /** What the kernel of a call is made of, without the call. */
  sourceFor(args: readonly unknown[]): string {
    const { engine, walk } = this.#plan(args);
    return this.#sourceOf(engine, walk);
  }

  run(args: readonly unknown[]): void {
    const { engine, walk, bound, count, range } = this.#plan(args);
    if (count === 0) return;
    const { width, each, isRange } = walk;
    const all: LaunchArgument[] = bound.memories;
    all.push(bound.length ?? count);
    if (isRange) all.push(count, range?.start ?? 0, range?.step ?? 1);
    const run = each === 0 ? runOf(engine, count) : 0;
    if (each === 0) all.push(run);
    for (let i = 0; i < bound.scalars.length; i++) all.push(bound.scalars[i] as LaunchArgument);
    const { written } = this.#work.parameters;
    const groups = each === 0 ? Math.ceil(count / run) : this.#groups(engine, count, walk);
    this.#kernel(engine, walk).launch(bound.lane, groups, each === 0 ? 1 : width, 1, all, written);
  }

  /** Threads that begin with something of their own have many indices each. */
  #groups({ facts }: Engine, count: number, { width, each }: FlatWalk): number {
    const { loopPrep, afterLoop } = this.#work;
    if (loopPrep === '' && afterLoop === '') return Math.ceil(count / (width * each));
    return Math.min(Math.ceil(count / width), facts.groups);
  }

  #plan(args: readonly unknown[]): Call {
    const { name, parameters } = this.#work;
    const arity = parameters.list.length;
    const hasOptions = args.length === arity + 1;
    const options = (hasOptions ? args[arity] : undefined) as IndexCallOptions | undefined;
    if (options !== undefined) checkOptions(options, OPTIONS, name);
    const isRange = options?.range !== undefined || options?.slice !== undefined;
    const bound = parameters.bind(hasOptions ? args.slice(0, arity) : args, { options, anyLength: isRange });
    const { engine } = bound;
    const range = isRange ? rangeOf(options, bound.length, name) : undefined;
    const { packBytes, groupSize } = engine.facts;
    const each = packBytes === 0 ? 0 : this.#each;
    const walk: FlatWalk = { each, width: groupSize, isRange, isApart: bound.isApart };
    return { engine, walk, bound, count: range?.count ?? bound.length ?? 0, range };
  }

  #sourceOf(engine: Engine, walk: FlatWalk): string {
    return sourceOf([flatKernel(this.#work, walk, engine.dialect.name)], engine.dialect);
  }

  #kernel(engine: Engine, walk: FlatWalk): ArrayKernel {
    const kernels = this.#kernels.of(engine);
    const key = ((walk.each * 2048 + walk.width) * 2 + Number(walk.isRange)) * 2 + Number(walk.isApart);
    let kernel = kernels.get(key);
    if (kernel === undefined) {
      const text = flatKernel(this.#work, walk, engine.dialect.name);
      kernel = engine.build(sourceOf([text], engine.dialect), text.name, this.#work.options);
      kernels.set(key, kernel);
    }
    if (this.#lastKernel !== kernel) {
      this.#lastKernel = kernel;
      this.#last = () => this.#sourceOf(engine, walk);
    }
    return kernel;
  }
}

/** So many indices that every processor has a few rows, and no row is too short for a launch. */
function runOf({ facts }: Engine, count: number): number {
  return Math.max(1, Math.min(MAX_RUN, Math.ceil(count / (4 * facts.groups))));
}
