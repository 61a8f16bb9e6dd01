import { empty } from '../apply.ts';
import { collapse, type Iteration } from '../collapse.ts';
import { arrayDTypes } from '../dtype.ts';
import type { ArrayKernel, Engine, Lane, LaunchArgument } from '../engine.ts';
import { sourceOf } from '../kernel/source.ts';
import { KernelsByEngine } from '../kernel-cache.ts';
import { contiguous, extentOf, type Layout } from '../layout.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { sizeOf } from '../shape.ts';
import type { CountType, Fold } from './fold.ts';
import { layOut, type Extent, type Geometry } from './geometry.ts';
import { reductionKernel } from './kernel.ts';
import type { Reduction } from './reduction.ts';
import { walkKey, type ReductionWalk } from './walk.ts';

/** Beyond this, places need 64 bits. */
const NARROW = 0x7fff_ffff;

/** What is read or written by one kernel: memories, the place of the first element in each, and the axes of all. */
interface Pass {
  readonly outputs: readonly LaunchArgument[];
  readonly inputs: readonly LaunchArgument[];
  readonly outputsAt: readonly number[];
  readonly inputsAt: readonly number[];
  readonly extent: Extent;
}

/** A reduction: its kernels, each built when arrays first need it. */
export class Reducer {
  readonly work: Reduction;
  readonly #kernels = new KernelsByEngine<number>();
  readonly #folds = new Map<CountType, Fold>();
  readonly #maxItem: number;

  constructor(work: Reduction) {
    this.work = work;
    this.#maxItem = Math.max(...work.inputs.map((dtype) => arrayDTypes[dtype].size));
  }

  /**
   * Compute.
   *
   * @param out - what is written; its shape is that of the axes that stay, in order
   * @param arrays - what is read, by layouts of one shape
   * @param axes - the axes that are reduced, counted from the first
   * @param divisor - the number of that name, where the fold has one
   */
  run(
    engine: Engine,
    lane: Lane,
    out: { readonly array: NDArray; readonly layout: Layout },
    arrays: readonly { readonly array: NDArray; readonly layout: Layout }[],
    axes: readonly number[],
    divisor?: number,
  ): void {
    if (sizeOf(out.layout.shape) === 0) return;
    const layouts = arrays.map(({ layout }) => layout);
    const isWide = [out.layout, ...layouts].some((layout) => needsWide(layout));
    const fold = this.#fold(isWide ? 'u64' : 'u32');
    const { extent, offsets } = extentOfAll(out.layout, layouts, axes, fold.isPlaced === true);
    const pass: Pass = {
      outputs: [memoryOf(out.array)],
      outputsAt: [out.layout.offset],
      inputs: arrays.map(({ array }) => memoryOf(array)),
      inputsAt: offsets,
      extent,
    };
    const isAligned = arrays.every(({ array }, i) => isPackAligned(array, offsets[i] ?? 0, this.#maxItem));
    const facts = {
      inputs: arrays.length,
      perPack: Math.max(Math.floor(engine.facts.packBytes / this.#maxItem), 1),
      isAligned,
      fields: fold.fields.length,
      stateBytes: bytesOfState(fold),
      isJoin: false,
    };
    const geometry = layOut(extent, facts, engine.facts);
    if (geometry.chunks === 1) {
      this.#launch(engine, lane, geometry, pass, isWide, 'elements', 'results', divisor);
      return;
    }
    const { rows, columns, chunks } = geometry;
    const count = rows * columns * chunks;
    using states = empty(engine, [count * facts.stateBytes], 'u8', lane);
    const memory = memoryOf(states);
    const places = placesOfFields(fold, count);
    const memories = fold.fields.map(() => memory);
    const first: Pass = { ...pass, outputs: memories, outputsAt: places };
    this.#launch(engine, lane, geometry, first, isWide, 'elements', 'states', divisor);
    const second: Pass = { ...pass, inputs: memories, inputsAt: places, extent: joinExtent(extent, geometry, fold) };
    const joined = layOut(second.extent, { ...facts, inputs: memories.length, isJoin: true }, engine.facts);
    this.#launch(engine, lane, joined, second, isWide, 'states', 'results', divisor);
  }

  #launch(
    engine: Engine,
    lane: Lane,
    geometry: Geometry,
    { outputs, inputs, outputsAt, inputsAt, extent: { kept, reduced } }: Pass,
    isWide: boolean,
    from: ReductionWalk['from'],
    to: ReductionWalk['to'],
    divisor: number | undefined,
  ): void {
    const isColumns = geometry.geometry === 'columns';
    const { isSerial, isUnit } = geometry;
    const keptRank = kept.shape.length;
    const outer = isColumns ? keptRank - 1 : keptRank;
    const inner = reduced.shape.length;
    const walk: ReductionWalk = { ...geometry, outer, inner, isWide, from, to };
    const args: LaunchArgument[] = [...outputs, ...inputs];
    if (to === 'results' && this.#fold(isWide ? 'u64' : 'u32').divisor !== undefined) args.push(divisor ?? 1);
    args.push(...outputsAt, ...inputsAt, sizeOf(reduced.shape));
    if (to === 'states') args.push(geometry.chunk, geometry.chunks);
    if (isColumns) args.push(geometry.columns, geometry.columnPieces);
    if (!isColumns || isSerial) args.push(geometry.rows * geometry.chunks * (isColumns ? geometry.columnPieces : 1));
    for (let axis = outer - 1; axis > 0; axis--) args.push(kept.shape[axis] ?? 1);
    for (let i = 0; i < inputs.length; i++) {
      const [stays = [], goes = []] = [kept.strides[i], reduced.strides[i]];
      for (let axis = outer - 1; axis >= 0; axis--) args.push(stays[axis] ?? 0);
      if (isColumns && !isUnit) args.push(stays[outer] ?? 0);
      for (let axis = inner - (isUnit && !isColumns ? 2 : 1); axis >= 0; axis--) args.push(goes[axis] ?? 0);
    }
    for (let axis = inner - 1; axis > 0; axis--) args.push(reduced.shape[axis] ?? 1);
    if (to === 'results') {
      const steps = kept.strides[inputs.length] ?? [];
      for (let axis = outer - 1; axis >= 0; axis--) args.push(steps[axis] ?? 0);
      if (isColumns) args.push(steps[outer] ?? 0);
    }
    const places = reduced.strides[inputs.length];
    if (from === 'elements' && places !== undefined && inner > 1) {
      for (let axis = inner - 1; axis >= 0; axis--) args.push(places[axis] ?? 0);
    }
    const kernel = this.#kernel(engine, walk);
    kernel.launch(lane, geometry.groups, geometry.width, geometry.height, args, outputs.length);
  }

  #kernel(engine: Engine, walk: ReductionWalk): ArrayKernel {
    const kernels = this.#kernels.of(engine);
    const key = walkKey(walk);
    const known = kernels.get(key);
    if (known) return known;
    const text = reductionKernel(this.work, walk);
    const kernel = engine.build(sourceOf([text], engine.dialect), text.name);
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

function needsWide(layout: Layout): boolean {
  return sizeOf(layout.shape) > NARROW || (extentOf(layout)?.[1] ?? 0) > NARROW;
}

/** Whether packs of an array's elements fit its memory and its first element. */
function isPackAligned(array: NDArray, offset: number, maxItem: number): boolean {
  const bytes = Math.floor(16 / maxItem) * array.itemsize;
  return (offset * array.itemsize) % bytes === 0 && memoryOf(array).alignment % bytes === 0;
}

/** The iteration over all arrays. Offsets are those of inputs, whose reduced axes may run the other way. */
function extentOfAll(
  out: Layout,
  inputs: readonly Layout[],
  axes: readonly number[],
  isPlaced: boolean,
): { extent: Extent; offsets: number[] } {
  const shape = inputs[0]?.shape ?? [];
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
  return fields.reduce((bytes, { dtype }) => bytes + arrayDTypes[dtype].size, 0);
}

/** Where fields are in one piece of memory, in their elements: the longest come first, so that each fits its place. */
function placesOfFields({ fields }: Fold, count: number): number[] {
  const bySize = [...fields].sort((a, b) => arrayDTypes[b.dtype].size - arrayDTypes[a.dtype].size);
  let bytes = 0;
  const places = new Map<string, number>();
  for (const { name, dtype } of bySize) {
    const { size } = arrayDTypes[dtype];
    places.set(name, bytes / size);
    bytes += count * size;
  }
  return fields.map(({ name }) => places.get(name) ?? 0);
}
