import { empty } from '../apply.ts';
import { collapse, type Iteration } from '../collapse.ts';
import { arrayDTypes } from '../dtype.ts';
import type { ArrayKernel, Engine, Lane, LaunchArgument } from '../engine.ts';
import { sourceOf } from '../kernel/source.ts';
import { PerEngine } from '../kernel-cache.ts';
import { launchPlanned, type LaunchPlan } from '../launch-plan.ts';
import { contiguous, NARROW, needsWide, type Layout } from '../layout.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { fitsPack } from '../pack-fit.ts';
import { pushLayout, Recent } from '../recent.ts';
import { sizeOf } from '../shape.ts';
import { bytesOfField, type CountType, type Fold } from './fold.ts';
import { layOut, type Extent, type Geometry } from './geometry.ts';
import { reductionKernel } from './kernel.ts';
import { mappedText, type Reduction } from './reduction.ts';
import { walkKey, type ReductionWalk } from './walk.ts';

/** What one kernel goes over: the place of the first element in each memory, and the axes of all. */
interface Pass {
  readonly outputsAt: readonly number[];
  readonly inputsAt: readonly number[];
  readonly extent: Extent;
}

/** The launches for given layouts: one, or two where elements become states first. */
interface Plan {
  readonly first: LaunchPlan;
  readonly second: LaunchPlan | undefined;
  readonly stateBytes: number;
}

/** An array that is reduced or written, by the layout that is walked: its own, or that of a view. */
export interface Walked {
  readonly array: NDArray;
  readonly layout: Layout;
}

/** What kernels with a user's text are given beside the arrays that are walked. */
export interface MappedArguments {
  readonly memories: readonly LaunchArgument[];
  readonly numbers: readonly LaunchArgument[];
  /** The shape that is reduced, where no array has it. */
  readonly shape?: readonly number[];
}

const NO_ARGUMENTS: MappedArguments = { memories: [], numbers: [] };
/** More than a pack has: texts without arrays read none. */
const NO_PACK = 64;

/** The key of the plan that is looked for. */
const key: number[] = [];

/** A reduction: its kernels, each built when arrays first need it. */
export class Reducer {
  readonly work: Reduction;
  /** The source of the kernel that was built last. */
  source: string | undefined;
  readonly #kernels = new PerEngine(() => new Map<number, ArrayKernel>());
  readonly #plans = new PerEngine(() => new Recent<Plan>());
  readonly #folds = new Map<CountType, Fold>();
  readonly #maxItem: number;
  readonly #hasDivisor: boolean;

  constructor(work: Reduction) {
    this.work = work;
    this.#hasDivisor = this.#fold('u32').divisor !== undefined;
    this.#maxItem =
      work.inputs.length === 0 ? NO_PACK : Math.max(...work.inputs.map((dtype) => arrayDTypes[dtype].size));
  }

  /**
   * Compute.
   *
   * @param out - what is written; its shape is that of the axes that stay, in order
   * @param arrays - what is read, by layouts of one shape
   * @param axes - the axes that are reduced, counted from the first
   * @param divisor - the number of that name, where the fold has one
   * @param mapped - of a user's text
   */
  run(
    engine: Engine,
    lane: Lane,
    out: Walked,
    arrays: readonly Walked[],
    axes: readonly number[],
    divisor?: number,
    mapped: MappedArguments = NO_ARGUMENTS,
  ): void {
    if (sizeOf(out.layout.shape) === 0) return;
    const { first, second, stateBytes } = this.#plan(engine, out.layout, arrays, axes, mapped.shape);
    const { memories, numbers } = mapped;
    if (second === undefined) {
      const args: LaunchArgument[] = [memoryOf(out.array)];
      for (let i = 0; i < arrays.length; i++) args.push(memoryOf((arrays[i] as Walked).array));
      for (let i = 0; i < memories.length; i++) args.push(memories[i] as LaunchArgument);
      if (this.#hasDivisor) args.push(divisor ?? 1);
      for (let i = 0; i < numbers.length; i++) args.push(numbers[i] as LaunchArgument);
      launchPlanned(first, lane, args);
      return;
    }
    using states = empty(engine, [stateBytes], 'u8', lane);
    const parts = Array.from({ length: first.written }, () => memoryOf(states));
    launchPlanned(first, lane, [...parts, ...arrays.map(({ array }) => memoryOf(array)), ...memories, ...numbers]);
    const joined: LaunchArgument[] = [memoryOf(out.array), ...parts, ...memories];
    if (this.#hasDivisor) joined.push(divisor ?? 1);
    joined.push(...numbers);
    launchPlanned(second, lane, joined);
  }

  #plan(
    engine: Engine,
    out: Layout,
    arrays: readonly Walked[],
    axes: readonly number[],
    shape: readonly number[] = [],
  ): Plan {
    key.length = 0;
    pushLayout(key, out);
    for (let axis = 0; axis < shape.length; axis++) key.push(shape[axis] as number);
    for (let i = 0; i < arrays.length; i++) {
      const { array, layout } = arrays[i] as Walked;
      pushLayout(key, layout);
      key.push(memoryOf(array).alignment);
    }
    for (let i = 0; i < axes.length; i++) key.push(axes[i] as number);
    const recent = this.#plans.of(engine);
    let plan = recent.find(key);
    if (plan === undefined) {
      plan = this.#lay(engine, out, arrays, axes, arrays[0]?.layout.shape ?? shape);
      recent.add(key, plan);
    }
    return plan;
  }

  #lay(
    engine: Engine,
    out: Layout,
    arrays: readonly Walked[],
    axes: readonly number[],
    shape: readonly number[],
  ): Plan {
    const layouts = arrays.map(({ layout }) => layout);
    const isWide = needsWide([out, ...layouts]) || sizeOf(shape) > NARROW;
    const fold = this.#fold(isWide ? 'u64' : 'u32');
    const { extent, offsets } = extentOfAll(shape, out, layouts, axes, fold.isPlaced === true);
    const pass: Pass = { outputsAt: [out.offset], inputsAt: offsets, extent };
    const perPack = Math.max(Math.floor(engine.facts.packBytes / this.#maxItem), 1);
    const isAligned = arrays.every(({ array }, i) => fitsPack(array, offsets[i] ?? 0, perPack));
    const facts = {
      inputs: arrays.length,
      perPack,
      isAligned,
      fields: fold.fields.length,
      stateBytes: bytesOfState(fold),
      laneBytes: bytesOfState(fold.scout?.fold ?? fold),
      isJoin: false,
    };
    const geometry = layOut(extent, facts, engine.facts);
    if (geometry.chunks === 1) {
      const first = this.#launch(engine, geometry, pass, isWide, 'elements', 'results');
      return { first, second: undefined, stateBytes: 0 };
    }
    const { rows, columns, chunks } = geometry;
    const count = rows * columns * chunks;
    const places = placesOfFields(fold, count);
    const begin: Pass = { ...pass, outputsAt: places };
    const join: Pass = { ...pass, inputsAt: places, extent: joinExtent(extent, geometry, fold) };
    const joined = layOut(join.extent, { ...facts, inputs: places.length, isJoin: true }, engine.facts);
    return {
      first: this.#launch(engine, geometry, begin, isWide, 'elements', 'states'),
      second: this.#launch(engine, joined, join, isWide, 'states', 'results'),
      stateBytes: count * facts.stateBytes,
    };
  }

  #launch(
    engine: Engine,
    geometry: Geometry,
    { outputsAt, inputsAt, extent: { kept, reduced } }: Pass,
    isWide: boolean,
    from: ReductionWalk['from'],
    to: ReductionWalk['to'],
  ): LaunchPlan {
    const isColumns = geometry.geometry === 'columns';
    const { isSerial, isUnit } = geometry;
    const keptRank = kept.shape.length;
    const outer = isColumns ? keptRank - 1 : keptRank;
    const inner = reduced.shape.length;
    const walk: ReductionWalk = { ...geometry, outer, inner, isWide, from, to };
    const numbers = [...outputsAt, ...inputsAt, sizeOf(reduced.shape)];
    if (to === 'states') numbers.push(geometry.chunk, geometry.chunks);
    if (isColumns) numbers.push(geometry.columns, geometry.columnPieces);
    if (!isColumns || isSerial) numbers.push(geometry.rows * geometry.chunks * (isColumns ? geometry.columnPieces : 1));
    for (let axis = outer - 1; axis > 0; axis--) numbers.push(kept.shape[axis] ?? 1);
    for (let i = 0; i < inputsAt.length; i++) {
      const [stays = [], goes = []] = [kept.strides[i], reduced.strides[i]];
      for (let axis = outer - 1; axis >= 0; axis--) numbers.push(stays[axis] ?? 0);
      if (isColumns && !isUnit) numbers.push(stays[outer] ?? 0);
      for (let axis = inner - (isUnit && !isColumns ? 2 : 1); axis >= 0; axis--) numbers.push(goes[axis] ?? 0);
    }
    for (let axis = inner - 1; axis > 0; axis--) numbers.push(reduced.shape[axis] ?? 1);
    if (to === 'results') {
      const steps = kept.strides[inputsAt.length] ?? [];
      for (let axis = outer - 1; axis >= 0; axis--) numbers.push(steps[axis] ?? 0);
      if (isColumns) numbers.push(steps[outer] ?? 0);
    }
    const places = reduced.strides[inputsAt.length];
    if (from === 'elements' && places !== undefined && inner > 1) {
      for (let axis = inner - 1; axis >= 0; axis--) numbers.push(places[axis] ?? 0);
    }
    const { groups, width, height } = geometry;
    return { kernel: this.#kernel(engine, walk), groups, width, height, numbers, written: outputsAt.length };
  }

  #kernel(engine: Engine, walk: ReductionWalk): ArrayKernel {
    const kernels = this.#kernels.of(engine);
    const key = walkKey(walk);
    const known = kernels.get(key);
    if (known) return known;
    const text = reductionKernel(this.work, walk);
    const source = sourceOf([text], engine.dialect);
    const kernel = engine.build(source, text.name, mappedText(this.work)?.options);
    this.source = source;
    kernels.set(key, kernel);
    return kernel;
  }

  #fold(count: CountType): Fold {
    let fold = this.#folds.get(count);
    if (fold === undefined) {
      fold = this.work.fold(count);
      this.#folds.set(count, fold);
    }
    return fold;
  }
}

/** The iteration over all arrays. Offsets are those of inputs, whose reduced axes may run the other way. */
function extentOfAll(
  shape: readonly number[],
  out: Layout,
  inputs: readonly Layout[],
  axes: readonly number[],
  isPlaced: boolean,
): { extent: Extent; offsets: number[] } {
  const offsets = inputs.map(({ offset }) => offset);
  const goes = { shape: [] as number[], strides: inputs.map((): number[] => []) };
  const stays = { shape: [] as number[], strides: inputs.map((): number[] => []) };
  for (let axis = 0; axis < shape.length; axis++) {
    const isReduced = axes.includes(axis);
    const { shape: lengths, strides } = isReduced ? goes : stays;
    const length = shape[axis] ?? 1;
    // The order of what is reduced does not matter, unless places do: memory is read forwards.
    const isFlipped = isReduced && !isPlaced && length > 0 && (inputs[0]?.strides[axis] ?? 0) < 0;
    lengths.push(length);
    for (let i = 0; i < inputs.length; i++) {
      const stride = inputs[i]?.strides[axis] ?? 0;
      strides[i]?.push(isFlipped ? 0 - stride : stride);
      if (isFlipped) offsets[i] = (offsets[i] ?? 0) + (length - 1) * stride;
    }
  }
  const places = isPlaced ? [contiguous(goes.shape).strides] : [];
  const reduced = collapse(goes.shape, [...goes.strides, ...places]);
  const kept = collapse(stays.shape, [...stays.strides, out.strides]);
  return { extent: { kept, reduced: reduced.shape.length === 0 ? single(reduced) : reduced }, offsets };
}

/** One axis where there is none. */
function single({ strides }: Iteration): Iteration {
  return { shape: [1], strides: strides.map(() => [1]) };
}

/** The iteration that joins states: those of a result follow each other, or are a row of columns apart. */
function joinExtent({ kept }: Extent, { geometry, columns, chunks }: Geometry, fold: Fold): Extent {
  const last = kept.shape.length - 1;
  const strides: number[] = [];
  let stride = columns * chunks;
  for (let axis = geometry === 'columns' ? last - 1 : last; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= kept.shape[axis] ?? 1;
  }
  if (geometry === 'columns') strides[last] = 1;
  const out = kept.strides.at(-1) ?? [];
  return {
    kept: { shape: kept.shape, strides: [...fold.fields.map(() => strides), out] },
    reduced: { shape: [chunks], strides: fold.fields.map(() => [columns]) },
  };
}

function bytesOfState({ fields }: Fold): number {
  return fields.reduce((bytes, field) => bytes + bytesOfField(field), 0);
}

/** Where fields are in one piece of memory, in their elements: the longest come first, so that each fits its place. */
function placesOfFields({ fields }: Fold, count: number): number[] {
  const bySize = [...fields].sort((a, b) => bytesOfField(b) - bytesOfField(a));
  let bytes = 0;
  const places = new Map<string, number>();
  for (const field of bySize) {
    const size = bytesOfField(field);
    places.set(field.name, bytes / size);
    bytes += count * size;
  }
  return fields.map(({ name }) => places.get(name) ?? 0);
}
