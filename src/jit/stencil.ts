import { Callable } from '../core/callable.ts';
import { checkOptions, nameOf } from '../core/check.ts';
import { jitVariable } from '../core/environment.ts';
import type { ArrayDType } from '../array/dtype.ts';
import type { Engine } from '../array/engine.ts';
import { NDArray, type OutOptions } from '../array/ndarray.ts';
import { kindOf, lookAt, releaseAll, type Given } from './argument.ts';
import { cSource } from './emit/c-source.ts';
import { checkConstants, type JitHalf } from './jit-function.ts';
import { checkDoubles } from './doubles.ts';
import { readText } from './read/function-text.ts';
import type { Source } from './read/source.ts';
import { readDevice, readKernel } from './read/kernel-tree.ts';
import { DEVICE, type ConstantSet, type DeviceText } from './read/reading.ts';
import { Simulation } from './simulate/simulation.ts';
import { launch, type Specialization } from './specialization.ts';
import { typeText, type ArrayType, type KernelType } from './kernel-type.ts';
import { placed, type HostElements } from './ufunc.ts';

/** The options of `stencil`. */
export interface StencilOptions<Constants extends ConstantSet = ConstantSet> {
  /** What the function's last parameter is. */
  readonly const?: Constants | undefined;
  /** The result where elements beyond the array would be read; 0 by default. */
  readonly cval?: number | undefined;
  /** How far elements are read along each axis, `[[-1, 1], [-1, 1]]`: indices that vary need it. */
  readonly neighborhood?: readonly (readonly [number, number])[] | undefined;
  /** Parameters whose indices are those of the array, not counted from the element. */
  readonly standardIndexing?: readonly string[] | undefined;
}

const OPTIONS = ['const', 'cval', 'neighborhood', 'standardIndexing'];
const MAX_RANK = 3;
/** Threads of a block by the rank, along x, y and z. */
const BLOCKS: Readonly<Record<number, readonly number[]>> = { 1: [256], 2: [32, 8], 3: [32, 4, 2] };
const AXES = ['x', 'y', 'z'];

/** Calls. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface StencilFunction {
  /**
   * Compute each element of the result from those around it.
   *
   * Host: does not block, but for the first call of each kind, which compiles.
   *
   * @param args - the first is an array, whose shape the result has; then, if there are any, options
   */
  (...args: readonly (NDArray | HostElements | number | bigint | boolean | OutOptions)[]): NDArray;
}

interface Built {
  readonly run: Specialization | Simulation;
  readonly result: ArrayDType;
}

/** A function of an element's surroundings that became one of arrays: made by `stencil`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class StencilFunction extends Callable {
  readonly #half: JitHalf;
  readonly #source: Source;
  readonly #options: StencilOptions;
  /** `RAWKERNEL_JIT=js`, as it was when the function was made. */
  readonly #isSimulated: boolean = jitVariable() === 'js';
  readonly #built = new WeakMap<Engine, Map<string, Built>>();

  /** @internal */
  constructor(half: JitHalf, text: Source['text'], options: StencilOptions) {
    checkOptions(options, OPTIONS, 'stencil');
    const constants = checkConstants(options.const);
    const count = text.parameters.length - (constants === undefined ? 0 : 1);
    const call = (...list: readonly unknown[]): NDArray => {
      if (list.length !== count && list.length !== count + 1)
        throw new TypeError(
          `${text.name} must be given ${count} argument${count === 1 ? '' : 's'}, got ${list.length}`,
        );
      return self.#run(list.slice(0, count), list[count] as OutOptions | undefined);
    };
    super(call, text.name);
    const self = this as StencilFunction;
    this.#half = half;
    this.#options = options;
    this.#source = { text, constants, isKernel: false };
  }

  #run(list: readonly unknown[], options: OutOptions | undefined): NDArray {
    const made: NDArray[] = [];
    let given: readonly Given[] = [];
    try {
      const args = placed(this.#half, list, options, made);
      const [first] = args;
      const { name } = this.#source.text;
      if (!(first instanceof NDArray))
        throw new TypeError(`${name}: the first argument must be an array, got ${nameOf(first)}`);
      const { shape, ndim } = first as NDArray;
      if (ndim < 1 || ndim > MAX_RANK)
        throw new RangeError(`${name}: the first argument must have 1 to ${MAX_RANK} axes, got ${ndim}`);
      const engine = this.#half.engineFor(options, args);
      const lane = engine.laneOf(options, name) ?? engine.defaultLane;
      given = lookAt(args, { engine, lane, what: name });
      const { run, result } = this.#builtFor(engine, given, ndim);
      const out = options?.out ?? this.#half.creation.empty(shape, { ...options, dtype: result });
      checkOut(out, shape, result, name);
      const block = BLOCKS[ndim] as readonly number[];
      const grid = block.map((size, i) => Math.ceil((shape[ndim - 1 - i] as number) / size));
      const all = [...given, ...lookAt([out], { engine, lane, what: name })];
      const sizes = { grid, block, shared: 0 };
      if (grid.includes(0)) return out;
      if (run instanceof Simulation) run.run(sizes, all, () => lane);
      else launch(run, engine, lane, sizes, all);
      return out;
    } finally {
      releaseAll(given);
      for (const array of made) array.close();
    }
  }

  #builtFor(engine: Engine, given: readonly Given[], rank: number): Built {
    const built = this.#built.get(engine) ?? new Map<string, Built>();
    this.#built.set(engine, built);
    const { key, types, isWide } = kindOf(given);
    const known = built.get(key);
    if (known) return known;
    const made = this.#build(engine, types, rank, isWide);
    built.set(key, made);
    return made;
  }

  #build(engine: Engine, types: readonly KernelType[], rank: number, isWide: boolean): Built {
    const { neighborhood, standardIndexing = [] } = this.#options;
    const { text } = this.#source;
    const places: KernelType[] = Array.from({ length: rank }, () => ({ kind: 'scalar', name: isWide ? 'i64' : 'i32' }));
    const source: Source = { ...this.#source, stencil: { rank, standard: new Set(standardIndexing), neighborhood } };
    const tree = readDevice(source, [...types, ...places]);
    checkDoubles(tree, engine.facts);
    if (tree.result.kind !== 'scalar')
      throw new TypeError(`stencil: ${text.name} must return a number, got ${typeText(tree.result)}`);
    const result = tree.result.name;
    const reach = places.map((_, axis): readonly [number, number] => {
      const all = tree.parameters.flatMap(({ relative }) =>
        relative ? [relative.reach[axis] as [number, number]] : [],
      );
      return [Math.min(0, ...all.map(([least]) => least)), Math.max(0, ...all.map(([, most]) => most))];
    });
    const device = { [DEVICE]: source } as unknown as DeviceText;
    const kernel = readText(`stencil_${text.name}`, kernelText(types.length, reach));
    const constants = { f: Object.assign(() => undefined, device), cval: this.#options.cval ?? 0 };
    const out: ArrayType = { kind: 'array', element: result, rank, space: 'global', isFlat: true };
    const whole = readKernel({ text: kernel, constants, isKernel: true }, [...types, out], isWide);
    if (this.#isSimulated) return { run: new Simulation(whole, text.name), result };
    const c = cSource(whole, this.#half.words, { isWide, hasLines: false });
    return { run: { source: c, kernel: engine.build(c.text, c.name, this.#half.exactOptions) }, result };
  }
}

/** The kernel around a stencil: a thread an element, and `cval` where elements beyond the array would be read. */
function kernelText(count: number, reach: readonly (readonly [number, number])[]): string {
  const rank = reach.length;
  const names = Array.from({ length: count }, (_, i) => `a${i}`);
  const axes = reach.map((_, axis) => AXES[rank - 1 - axis] ?? 'x');
  const indices = axes.map((axis) => `[${axis}]`).join('');
  const isInside = axes.map((axis, i) => `${axis} < out.shape[${i}]`).join(' && ');
  const isWhole = axes
    .flatMap((axis, i) => {
      const [least, most] = reach[i] as readonly [number, number];
      const test = [];
      if (least < 0) test.push(`${axis} >= ${-least}`);
      if (most > 0) test.push(`${axis} < out.shape[${i}] - ${most}`);
      return test;
    })
    .join(' && ');
  const places =
    rank === 1 ? 'const x = cuda.grid(1);' : `const [${AXES.slice(0, rank).join(', ')}] = cuda.grid(${rank});`;
  const value = `out${indices} = f(${[...names, ...axes].join(', ')});`;
  const body = isWhole === '' ? value : `if (${isWhole}) ${value} else out${indices} = cval;`;
  return `(${[...names, 'out'].join(', ')}, { f, cval }) => {\n  ${places}\n  if (${isInside}) { ${body} }\n}`;
}

function checkOut(out: NDArray, shape: readonly number[], dtype: ArrayDType, name: string): void {
  const isFit = out.dtype === dtype && out.ndim === shape.length && shape.every((length, i) => out.shape[i] === length);
  if (isFit && out.isFlat && out.offset === 0) return;
  throw new TypeError(
    `${name}: out must be an array of ${dtype} with the shape [${shape.join(', ')}] and no gaps, got ${out.dtype} with [${out.shape.join(', ')}]`,
  );
}
