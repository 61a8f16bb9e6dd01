import { NARROW } from '../layout.ts';
import { empty } from '../apply.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { ArrayMemory, DeviceFacts, Engine, Lane, LaunchArgument } from '../engine.ts';
import { kernelFor } from '../kernel-cache.ts';
import { memoryOf } from '../ndarray.ts';
import { panelProduct, panelTiles } from './panel-kernel.ts';
import { rowLayout, type Batch, type ProductLayout, type RowLayout } from './product-layout.ts';
import { BATCH_AXES, sumTypeOf, type ProductWork } from './product-text.ts';
import { ROW_THREADS, rowProduct, type RowForm } from './row-kernel.ts';
import { tiledProduct, tiledThreads, type Tiles } from './tiled-kernel.ts';

/** How a product is computed: tiles of a group, tiles of a thread, or row by row. */
type ProductForm = 'tiled' | 'panel' | RowForm;

/** The most parts that a contracted axis is cut into. */
const MAX_SPLITS = 256;

/** Products of matrices of given dtypes, with their kernels, each built when arrays first need it. */
export class Product {
  readonly work: ProductWork;
  readonly #key: string;

  constructor(work: ProductWork) {
    this.work = work;
    this.#key = keyOf(work);
  }

  /**
   * Compute products of matrices.
   *
   * @param memories - of the output and the operands
   * @param asked - the form, where it is known; the device decides by default
   */
  run(
    engine: Engine,
    lane: Lane,
    memories: readonly [ArrayMemory, ArrayMemory, ArrayMemory],
    layout: ProductLayout,
    asked?: ProductForm,
  ): void {
    const { facts } = engine;
    const rows = rowLayout(layout);
    const form = asked ?? formOf(facts, layout, rows?.[0]);
    if (rows && form !== 'tiled' && form !== 'panel') {
      const [swapped, isSwapped] = rows;
      const [out, left, right] = memories;
      const product = isSwapped ? this.#swapped() : this;
      product.runRows(engine, lane, isSwapped ? [out, right, left] : memories, swapped, form);
      return;
    }
    const { work } = this;
    const isPanel = form === 'panel' || form === 'alone';
    // A column is a row to the other order, whose neighbours are added up at once.
    if (isPanel && layout.columns === 1 && layout.rows > 1) {
      const [out, left, right] = memories;
      this.#swapped().run(engine, lane, [out, right, left], transposed(layout), form);
      return;
    }
    const tiles = isPanel ? panelTiles(work.result, layout.rows) : tilesOf(work.result, layout, facts);
    const groups = Math.ceil(layout.rows / tiles.rows) * Math.ceil(layout.columns / tiles.columns) * layout.batch.size;
    const splits = splitsOf(groups, layout.k, facts, 256);
    if (splits > 1 && layout.batch.shape.length < BATCH_AXES) {
      this.#runSplit(engine, lane, memories, layout, splits, form);
      return;
    }
    this.#runMatrix(engine, lane, memories, layout, tiles, isPanel, [1, 0]);
  }

  #runMatrix(
    engine: Engine,
    lane: Lane,
    memories: readonly ArrayMemory[],
    layout: ProductLayout,
    tiles: Tiles,
    isPanel: boolean,
    [splits, outSplit]: readonly [number, number],
  ): void {
    const { rows, columns, k, batch, out, left, right, at, wide } = layout;
    const rowTiles = Math.ceil(rows / tiles.rows);
    const columnTiles = Math.ceil(columns / tiles.columns);
    const splitLength = Math.ceil(k / splits);
    const args: LaunchArgument[] = [...memories, ...at, rows, columns, k, rowTiles, columnTiles];
    args.push(splits, splitLength, outSplit, ...lengthsOf(batch));
    args.push(out.row, out.column, left.row, left.column, right.row, right.column, ...stepsOf(batch, 3));
    const groups = rowTiles * columnTiles * splits * batch.size;
    if (isPanel) {
      const kernel = kernelFor(engine, `${this.#key} panel ${tiles.threadRows} ${wide}`, () => {
        return panelProduct(this.work, tiles, wide);
      });
      kernel.launch(lane, groups, 1, 1, args, 1);
      return;
    }
    const leftByDepth = Math.abs(left.column) <= Math.abs(left.row) || rows === 1;
    const rightByDepth = Math.abs(right.row) < Math.abs(right.column);
    const key = `${this.#key} tiled ${tiles.rows} ${tiles.columns} ${leftByDepth} ${rightByDepth} ${wide}`;
    const kernel = kernelFor(engine, key, () => {
      return tiledProduct(this.work, { tiles, wide, leftByDepth, rightByDepth });
    });
    const [width, height] = tiledThreads(tiles);
    kernel.launch(lane, groups, width, height, args, 1);
  }

  /** Cut a long contracted axis into parts, and add up what they give. */
  #runSplit(
    engine: Engine,
    lane: Lane,
    memories: readonly [ArrayMemory, ArrayMemory, ArrayMemory],
    layout: ProductLayout,
    splits: number,
    form: ProductForm,
  ): void {
    const { rows, columns, batch, out, at } = layout;
    const size = rows * columns * batch.size;
    const parts = this.#parts();
    using sums = empty(engine, [splits, size], parts.work.output, lane);
    const [, ...steps] = batch.steps;
    const own: Batch = { ...batch, steps: [stepsWithoutGaps(batch.shape, rows * columns), ...steps] };
    const into = { ...layout, batch: own, out: { row: columns, column: 1 }, at: [0, at[1], at[2]] as const };
    const isPanel = form === 'panel' || form === 'alone';
    const tiles = isPanel ? panelTiles(this.work.result, rows) : tilesOf(this.work.result, layout, engine.facts);
    const wide = layout.wide || splits * size > NARROW;
    parts.#runMatrix(engine, lane, [memoryOf(sums), memories[1], memories[2]], { ...into, wide }, tiles, isPanel, [
      splits,
      size,
    ]);
    // What is left is a sum for each element of the output: its columns are rows here, its rows a batch.
    const sumBatch: Batch = {
      shape: [...batch.shape, rows],
      size: batch.size * rows,
      steps: [
        [...(batch.steps[0] ?? []), out.row],
        [...stepsWithoutGaps(batch.shape, rows * columns), columns],
      ],
    };
    const sumLayout: RowLayout = {
      rows: columns,
      k: splits,
      batch: sumBatch,
      outStep: out.column,
      left: [1, size],
      right: [0, 0],
      at: [at[0], 0, 0],
      wide,
    };
    this.#sums().runRows(engine, lane, [memories[0], memoryOf(sums)], sumLayout, 'across');
  }

  /** Compute row by row; without a right operand sums of rows. */
  runRows(
    engine: Engine,
    lane: Lane,
    memories: readonly ArrayMemory[],
    layout: RowLayout,
    form: RowForm = rowFormOf(engine.facts, layout),
  ): void {
    const { rows, k, batch, at } = layout;
    const { facts } = engine;
    const [width, height] = rowThreads(facts, form, layout);
    const rowsOfGroup = form === 'along' ? height : width;
    const rowGroups = Math.ceil(rows / rowsOfGroup);
    const splits = splitsOf(rowGroups * batch.size, k, facts, facts.packBytes > 0 ? 4096 : 65536);
    if (splits === 1) {
      this.#launchRows(engine, lane, memories, layout, form, [width, height, rowGroups], [1, 0]);
      return;
    }
    const size = rows * batch.size;
    const parts = this.#parts();
    using sums = empty(engine, [splits, size], parts.work.output, lane);
    const own: Batch = { ...batch, steps: [stepsWithoutGaps(batch.shape, rows), ...batch.steps.slice(1)] };
    const into: RowLayout = { ...layout, batch: own, outStep: 1, at: [0, at[1], at[2]] };
    const place = [width, height, rowGroups] as const;
    parts.#launchRows(engine, lane, [memoryOf(sums), ...memories.slice(1)], into, form, place, [splits, size]);
    const sumLayout: RowLayout = {
      rows,
      k: splits,
      batch: { ...batch, steps: [batch.steps[0] ?? [], stepsWithoutGaps(batch.shape, rows)] },
      outStep: layout.outStep,
      left: [1, size],
      right: [0, 0],
      at: [at[0], 0, 0],
      wide: layout.wide,
    };
    this.#sums().runRows(engine, lane, [memories[0] as ArrayMemory, memoryOf(sums)], sumLayout, 'across');
  }

  #launchRows(
    engine: Engine,
    lane: Lane,
    memories: readonly ArrayMemory[],
    { rows, k, batch, outStep, left, right, at, wide }: RowLayout,
    form: RowForm,
    [width, height, rowGroups]: readonly [number, number, number],
    [splits, outSplit]: readonly [number, number],
  ): void {
    const hasRight = this.work.right !== undefined;
    const args: LaunchArgument[] = [...memories, ...at.slice(0, hasRight ? 3 : 2), rows, k, rowGroups];
    args.push(splits, Math.ceil(k / splits), outSplit, ...lengthsOf(batch), outStep, ...left);
    if (hasRight) args.push(...right);
    args.push(...stepsOf(batch, hasRight ? 3 : 2));
    const kernel = kernelFor(engine, `${this.#key} ${form} ${wide}`, () => rowProduct(this.work, form, wide));
    kernel.launch(lane, rowGroups * splits * batch.size, width, height, args, 1);
  }

  #swapped(): Product {
    const { left, right, result, output } = this.work;
    return productOf({ left: right ?? left, right: left, result, output });
  }

  /** Sums of parts, which are added up later. */
  #parts(): Product {
    return productOf({ ...this.work, output: partsType(this.work.result) });
  }

  /** The sums of such parts. */
  #sums(): Product {
    const { result, output } = this.work;
    return productOf({ left: partsType(result), right: undefined, result, output });
  }
}

/** The dtype of sums of parts: truth values stay such, so that they are joined by `or`. */
function partsType(result: ArrayDType): ArrayDType {
  return result === 'bool' ? 'bool' : sumTypeOf(result);
}

/** The tiles that suit a GPU. */
function tilesOf(result: ArrayDType, { rows, columns, batch }: ProductLayout, facts: DeviceFacts): Tiles {
  const { size } = arrayDTypes[sumTypeOf(result)];
  const groups = (length: number): number => Math.ceil(rows / length) * Math.ceil(columns / length) * batch.size;
  if (rows <= 16 && columns <= 16) return square(16, 16, 1);
  if (size > 8 || Math.min(rows, columns) <= 32) return square(32, 16, 2);
  // Twice as much work for each element read, where there is enough of it for every processor.
  if (size === 4 && Math.min(rows, columns) > 64 && groups(128) * 8 >= facts.groups) return square(128, 8, 8);
  return square(64, 16, 4);
}

function square(length: number, depth: number, own: number): Tiles {
  return { rows: length, columns: length, depth, threadRows: own, threadColumns: own };
}

/** Parts of a contracted axis, where there are fewer groups than the device runs. */
function splitsOf(groups: number, k: number, { groups: most }: DeviceFacts, least: number): number {
  const wanted = Math.min(MAX_SPLITS, Math.floor(most / groups), Math.floor(k / least));
  if (wanted <= 1) return 1;
  // No part is empty.
  return Math.ceil(k / Math.ceil(k / wanted));
}

/** The form that suits a device. */
function formOf(facts: DeviceFacts, { rows, columns }: ProductLayout, vectors: RowLayout | undefined): ProductForm {
  if (facts.packBytes > 0) return vectors ? rowFormOf(facts, vectors) : 'tiled';
  // Tiles put neighbours together that lie along different rows.
  if (!vectors || (rows * columns > 1 && rowFormOf(facts, vectors) !== 'alone')) return 'panel';
  return rowFormOf(facts, vectors);
}

function rowFormOf({ packBytes }: DeviceFacts, { rows, left, right, k }: RowLayout): RowForm {
  const isAlong = Math.abs(left[1]) <= Math.abs(left[0]) || k === 1 || rows === 1;
  if (packBytes > 0) return isAlong ? 'along' : 'across';
  return left[1] === 1 && (right[1] === 1 || right[1] === 0) ? 'alone' : 'across';
}

/** The sides of a group: as many threads share a row as it has work for. */
function rowThreads({ packBytes, groups }: DeviceFacts, form: RowForm, layout: RowLayout): readonly [number, number] {
  const { rows, k, batch } = layout;
  if (packBytes === 0) {
    const width = Math.max(1, Math.min(16, Math.floor((rows * batch.size) / groups)));
    return form === 'along' ? [1, width] : [width, 1];
  }
  if (form === 'along') {
    let width = rows * batch.size < groups * 8 && k >= 2048 ? ROW_THREADS : 32;
    while (width > 1 && width >= k * 2) width /= 2;
    return [width, ROW_THREADS / width];
  }
  let height = rows * batch.size >= groups * ROW_THREADS ? 1 : 8;
  while (height > 1 && height >= k * 2) height /= 2;
  return [ROW_THREADS / height, height];
}

/** Lengths of the first axes of batches, the innermost one first. */
function lengthsOf({ shape }: Batch): [number, number] {
  return [shape[shape.length - 1] ?? 1, shape[shape.length - 2] ?? 1];
}

/** Steps of the operands along the axes of batches, the innermost one first. */
function stepsOf({ shape, steps }: Batch, operands: number): number[] {
  const all: number[] = [];
  for (let i = 0; i < operands; i++) {
    for (let axis = 1; axis <= BATCH_AXES; axis++) all.push(steps[i]?.[shape.length - axis] ?? 0);
  }
  return all;
}

/** Steps along axes of batches that follow each other. */
function stepsWithoutGaps(shape: readonly number[], each: number): number[] {
  const steps = new Array<number>(shape.length);
  let step = each;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    steps[axis] = step;
    step *= shape[axis] as number;
  }
  return steps;
}

function transposed(layout: ProductLayout): ProductLayout {
  const { rows, columns, batch, out, left, right, at } = layout;
  const swap = ({ row, column }: ProductLayout['out']): ProductLayout['out'] => ({ row: column, column: row });
  return {
    ...layout,
    rows: columns,
    columns: rows,
    out: swap(out),
    left: swap(right),
    right: swap(left),
    at: [at[0], at[2], at[1]],
    batch: { ...batch, steps: [0, 2, 1].map((i) => batch.steps[i] ?? []) },
  };
}

const products = new Map<string, Product>();

/** The product of given dtypes: the same for the same ones. */
export function productOf(work: ProductWork): Product {
  const key = keyOf(work);
  let product = products.get(key);
  if (product === undefined) products.set(key, (product = new Product(work)));
  return product;
}

function keyOf({ left, right, result, output }: ProductWork): string {
  return ['product', left, right, result, output].join(' ');
}
