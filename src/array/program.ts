import { arrayDTypes, type ArrayDType } from './dtype.ts';
import { collapse, type Iteration } from './collapse.ts';
import type { ArrayKernel, Engine, Lane, LaunchArgument } from './engine.ts';
import type { Elementwise, Node } from './expression/node.ts';
import { elementwiseKernel, type Walk } from './kernel/elementwise.ts';
import { sourceOf, type KernelText } from './kernel/source.ts';
import { broadcastTo } from './broadcast.ts';
import { PerEngine } from './kernel-cache.ts';
import { contiguous, NARROW, needsWide, strideAt, type Layout } from './layout.ts';
import { launchPlanned, type LaunchPlan } from './launch-plan.ts';
import { arrayOver, memoryOf, type NDArray } from './ndarray.ts';
import { fitsPack } from './pack-fit.ts';
import { pushLayout, Recent } from './recent.ts';
import { rowGrid, SERIAL_ROW, serialRowGrid } from './row-grid.ts';
import { sizeOf } from './shape.ts';

/** Elements of a row that a thread has at once, and the bytes of them: enough reads under way to hide how long each takes. */
const MAX_PER_THREAD = 8;
const REGISTER_BYTES = 64;
/** Threads that go along a row at least. */
const MIN_WIDTH = 32;
/** A row that is worth a loop of a thread, where threads run one after another. */
const MIN_SERIAL_ROW = 32;
/** Inputs that can be told to have one element for all: bits of a number. */
const MAX_SINGLE = 30;

/** The key of the plan that is looked for. */
const key: number[] = [];

/** An elementwise computation: its kernels, each built when arrays first need it. */
export class Program {
  readonly work: Elementwise;
  /** The source of the kernel that was built last. */
  source: string | undefined;
  readonly #kernels = new PerEngine(() => new Map<number, ArrayKernel>());
  readonly #plans = new PerEngine(() => new Recent<LaunchPlan>());
  readonly #maxItem: number;
  /** How many memories, from the first, are written. */
  readonly #written: number;
  /** Elements of a row that a thread has at once, at most. */
  readonly #perThread: number;

  constructor(work: Elementwise) {
    this.work = work;
    const all = [...work.outputs.map(({ dtype }) => dtype), ...work.inputs];
    this.#maxItem = Math.max(1, ...all.map((dtype) => arrayDTypes[dtype].size));
    this.#written = work.statement?.writesMemory === true ? Infinity : work.outputs.length;
    const read = work.inputs.reduce((bytes, dtype) => bytes + arrayDTypes[dtype].size, 0);
    this.#perThread =
      2 ** Math.floor(Math.log2(Math.min(MAX_PER_THREAD, Math.max(1, REGISTER_BYTES / Math.max(read, 1)))));
  }

  /**
   * Compute. The shapes of the outputs are the iteration's, to which those of the inputs broadcast.
   *
   * @param arrays - outputs, then inputs
   * @param scalars - numbers as the kernel takes them; before them, the memories and numbers of a statement
   * @param shape - of the iteration, where there is no output
   */
  run(
    engine: Engine,
    lane: Lane,
    arrays: readonly NDArray[],
    scalars: readonly LaunchArgument[],
    shape: readonly number[] = (arrays[0] as NDArray).shape,
  ): void {
    const size = sizeOf(shape);
    if (size === 0) return;
    let flat = size <= NARROW;
    for (let i = 0; i < arrays.length; i++) {
      const array = arrays[i] as NDArray;
      if (!array.isFlat || array.size !== size || array.offset + size > NARROW) {
        flat = false;
        break;
      }
    }
    if (flat) this.#runFlat(engine, lane, arrays, scalars, size, 0);
    else this.#runAny(engine, lane, arrays, scalars, shape);
  }

  #runFlat(
    engine: Engine,
    lane: Lane,
    arrays: readonly NDArray[],
    scalars: readonly LaunchArgument[],
    size: number,
    single: number,
    layouts: readonly Layout[] = arrays,
  ): void {
    const written = this.work.outputs.length;
    const { packBytes, groupSize } = engine.facts;
    let lanes = packBytes > this.#maxItem ? packBytes / this.#maxItem : 1;
    let wide = size > NARROW;
    const args: LaunchArgument[] = [];
    for (let i = 0; i < arrays.length; i++) {
      args.push(memoryOf(arrays[i] as NDArray));
      const { offset } = layouts[i] as Layout;
      if (offset + size > NARROW) wide = true;
      const isSingle = i >= written && ((single >> (i - written)) & 1) === 1;
      if (lanes > 1 && !isSingle && !fitsPack(arrays[i] as NDArray, offset, lanes)) lanes = 1;
    }
    for (let i = 0; i < scalars.length; i++) args.push(scalars[i] as LaunchArgument);
    for (let i = 0; i < arrays.length; i++) args.push((layouts[i] as Layout).offset);
    args.push(size);
    const kernel = this.#kernel(engine, { lanes, rank: 0, wide, single, isSerial: false });
    kernel.launch(lane, Math.ceil(size / (groupSize * lanes)), groupSize, 1, args, this.#written);
  }

  #runAny(
    engine: Engine,
    lane: Lane,
    arrays: readonly NDArray[],
    scalars: readonly LaunchArgument[],
    shape: readonly number[],
  ): void {
    key.length = 0;
    for (let i = 0; i < arrays.length; i++) pushLayout(key, arrays[i] as NDArray);
    if (this.work.outputs.length === 0) key.push(...shape);
    const known = this.#plans.of(engine).find(key);
    if (known !== undefined) {
      const args: LaunchArgument[] = [];
      for (let i = 0; i < arrays.length; i++) args.push(memoryOf(arrays[i] as NDArray));
      for (let i = 0; i < scalars.length; i++) args.push(scalars[i] as LaunchArgument);
      launchPlanned(known, lane, args);
      return;
    }
    const written = this.work.outputs.length;
    const layouts = arrays.map((array, i) => (i < written ? array : broadcastTo(array, shape)));
    const walk = collapse(
      shape,
      layouts.map(({ strides }) => strides),
      { keepOrder: this.work.statement?.hasPlace === true },
    );
    const rank = walk.shape.length;
    if (rank <= 1) {
      const size = walk.shape[0] ?? 1;
      const single = size === 1 ? 0 : this.#single(walk);
      if (single !== undefined) {
        this.#runFlat(engine, lane, arrays, scalars, size, single, layouts);
        return;
      }
    }
    this.#runStrided(engine, lane, arrays, scalars, layouts, walk);
  }

  #runStrided(
    engine: Engine,
    lane: Lane,
    arrays: readonly NDArray[],
    scalars: readonly LaunchArgument[],
    layouts: readonly Layout[],
    walk: Iteration,
  ): void {
    const wide = needsWide(layouts) || sizeOf(walk.shape) > NARROW;
    const { facts } = engine;
    const rowLength = walk.shape.at(-1) ?? 1;
    const single = facts.packBytes === 0 && rowLength >= MIN_SERIAL_ROW ? this.#single(walk) : undefined;
    const isSerial = single !== undefined;
    const isLong = rowLength * 2 >= MIN_WIDTH * this.#perThread;
    const lanes = isSerial ? SERIAL_ROW : facts.packBytes > 0 && isLong ? this.#perThread : 1;
    const { groups, width, height, numbers } = isSerial
      ? serialRowGrid(walk.shape, walk.strides, facts.groups)
      : rowGrid(walk.shape, walk.strides, facts.groupSize, lanes);
    const all = [...layouts.map(({ offset }) => offset), ...numbers];
    const length = arrays.length + scalars.length + all.length;
    if (length * 8 > facts.parameterBytes && this.#parameterBytes(length, arrays.length, wide) > facts.parameterBytes) {
      this.#runCopied(engine, lane, arrays, scalars);
      return;
    }
    const kernel = this.#kernel(engine, { lanes, rank: walk.shape.length, wide, single: single ?? 0, isSerial });
    const plan = { kernel, groups, width, height, numbers: all, written: this.#written };
    this.#plans.of(engine).add(key, plan);
    launchPlanned(plan, lane, [...arrays.map((array) => memoryOf(array)), ...scalars]);
  }

  /** The inputs, as bits, that have one element for all of a row; undefined unless the others' elements follow each other there. */
  #single({ shape, strides }: Iteration): number | undefined {
    const written = this.work.outputs.length;
    let single = 0;
    for (let i = 0; i < strides.length; i++) {
      const step = strideAt(strides[i] ?? [], shape.length - 1);
      if (step === 0 && i >= written && i - written < MAX_SINGLE) single |= 1 << (i - written);
      else if (step !== 1) return undefined;
    }
    return single;
  }

  /** Bytes of a kernel's parameters. */
  #parameterBytes(count: number, memories: number, wide: boolean): number {
    const given = memories + this.work.scalars.length * 2;
    return given * 8 + Math.max(count - given, 0) * (wide ? 8 : 4);
  }

  /** With arrays without gaps, of which a kernel needs no strides: what has too many of them is copied. */
  #runCopied(engine: Engine, lane: Lane, arrays: readonly NDArray[], scalars: readonly LaunchArgument[]): void {
    const { shape } = arrays[0] as NDArray;
    const written = this.work.outputs.length;
    const copies: NDArray[] = [];
    try {
      const flat = arrays.map((array, i) => {
        if (array.isFlat && array.size === sizeOf(shape)) return array;
        const bytes = Math.ceil((sizeOf(shape) * array.itemsize) / 4) * 4;
        const copy = arrayOver(engine.allocate(bytes, lane), array.dtype, contiguous(shape));
        copies.push(copy);
        if (i >= written) copyProgram(array.dtype, array.dtype).run(engine, lane, [copy, array], []);
        return copy;
      });
      this.run(engine, lane, flat, scalars);
      for (let i = 0; i < written; i++) {
        const [out, copy] = [arrays[i] as NDArray, flat[i] as NDArray];
        if (out !== copy) copyProgram(out.dtype, out.dtype).run(engine, lane, [out, copy], []);
      }
    } finally {
      for (const copy of copies) copy.close();
    }
  }

  #checkDoubles(engine: Engine): void {
    if (engine.facts.hasDoubles || !needsDoubles(this.work)) return;
    throw new TypeError(
      `${this.work.name} must be computed in a dtype that ${engine.facts.name} has, got f64; it has no 64-bit floats; write astype('f32') before`,
    );
  }

  #kernel(engine: Engine, walk: Walk): ArrayKernel {
    const key =
      (((walk.single * 64 + walk.rank) * 8192 + walk.lanes) * 2 + Number(walk.wide)) * 2 + Number(walk.isSerial);
    const kernels = this.#kernels.of(engine);
    const known = kernels.get(key);
    if (known) return known;
    this.#checkDoubles(engine);
    const text = elementwiseKernel(this.work, walk);
    checkParameters(text, engine);
    const source = sourceOf([text], engine.dialect);
    const kernel = engine.build(source, text.name, this.work.statement?.options);
    this.source = source;
    kernels.set(key, kernel);
    return kernel;
  }
}

const copies = new Map<string, Program>();

/** The program that copies elements of one dtype to another. */
export function copyProgram(from: ArrayDType, to: ArrayDType): Program {
  const name = from === to ? `copy_${from}` : `convert_${from}_${to}`;
  let program = copies.get(name);
  if (program === undefined) {
    const node: Node = { kind: 'input', index: 0, dtype: from };
    program = new Program({ name, inputs: [from], scalars: [], outputs: [{ dtype: to, node }] });
    copies.set(name, program);
  }
  return program;
}

function needsDoubles({ inputs, scalars, outputs }: Elementwise): boolean {
  const isDouble = (dtype: ArrayDType): boolean => dtype === 'f64' || dtype === 'c128';
  const seen = new Set<Node>();
  const inNode = (node: Node): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    if (isDouble(node.dtype)) return true;
    return node.kind === 'call' && (node.typing.operands.some(isDouble) || node.operands.some(inNode));
  };
  return (
    [...inputs, ...scalars].some(isDouble) ||
    outputs.some(({ dtype, node }) => isDouble(dtype) || (node !== undefined && inNode(node)))
  );
}

/** Throw where a device does not take as many bytes of parameters. */
function checkParameters({ name, parameters }: KernelText, { facts }: Engine): void {
  let bytes = 0;
  for (const { kind, dtype } of parameters) {
    const size = kind === 'number' ? arrayDTypes[dtype].size : 8;
    bytes = Math.ceil(bytes / size) * size + size;
  }
  if (bytes <= facts.parameterBytes) return;
  throw new RangeError(
    `${name} must have at most ${facts.parameterBytes} bytes of arrays, strides and numbers on ${facts.name}, got ${bytes}; compute a part of it before, or of contiguous() arrays`,
  );
}
