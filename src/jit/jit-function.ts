import { checkOptions, nameOf } from '../core/check.ts';
import type { Dims } from '../core/dims.ts';
import type { StructTypes } from '../core/struct.ts';
import { jitVariable } from '../core/environment.ts';
import { PublicObject } from '../core/public-object.ts';
import type { Engine, GridSizes, Lane, LaneOptions } from '../array/engine.ts';
import type { Creation } from '../array/creation/creation.ts';
import { isStructType, kernelStruct } from './described-struct.ts';
import { fitted, kindOf, lookAt, releaseAll, type Given, type Looking } from './argument.ts';
import { checkDoubles } from './doubles.ts';
import { cSource, type CSource } from './emit/c-source.ts';
import type { Words } from './emit/words.ts';
import type { CallPlace } from './place.ts';
import { readFunction } from './read/function-text.ts';
import type { Source } from './read/source.ts';
import { readKernel } from './read/kernel-tree.ts';
import { isDeviceText, type ConstantSet, type ConstantValue } from './read/reading.ts';
import type { SimulatedSizes } from './simulate/grid.ts';
import { Simulation } from './simulate/simulation.ts';
import { parseSignature, signatureText, structsOf } from './signature.ts';
import { RepeatedLaunch, testsOf } from './repeated-launch.ts';
import { launch, type Specialization } from './specialization.ts';
import type { KernelType } from './kernel-type.ts';

/** What a half gives to kernels in TypeScript. */
export interface JitHalf {
  readonly words: Words;
  /** Where arguments and launches are; the options have a stream or a queue. */
  readonly engineFor: (options: LaneOptions | undefined, args: readonly unknown[]) => Engine;
  /** How this half makes arrays. */
  readonly creation: Pick<Creation, 'asarray' | 'empty'>;
  /** Options of the compiler that make floats the same everywhere. */
  readonly exactOptions: readonly string[];
  /** Whether reports of this device name lines, so that the C has to say which of the function each is. */
  readonly hasLines: (engine: Engine) => boolean;
}

/** The options of {@link jit}. */
export interface JitOptions<Constants extends ConstantSet = ConstantSet> {
  /** What the function's last parameter is: numbers, lists of numbers, typed arrays, structs, functions of {@link device}. */
  readonly const?: Constants | undefined;
  /** The kernel's name, for profilers and errors; the function's own by default. */
  readonly name?: string | undefined;
  /** Structs by their names in the signature: those of `struct(…)`. */
  readonly types?: StructTypes | undefined;
  /** Whether a product and a sum may be rounded once: faster, and no longer the same on every device. */
  readonly fma?: boolean | undefined;
}

/** The options of a launch. */
export interface JitLaunchOptions extends LaneOptions {
  /** Bytes of a shared array whose length the kernel gives as 0. */
  readonly shared?: number | undefined;
}

const OPTIONS = ['const', 'name', 'types', 'fma'];
const LAUNCH_OPTIONS = ['stream', 'queue', 'shared'];
const SIMULATE_OPTIONS = ['shared'];
/** Threads of a block where no device says how many are usual. */
const SIMULATED_BLOCK = 256;
/** How many kinds of calls are compared with a new one before its arguments are looked at. */
const MAX_REPEATED = 4;
const FOR_ALL_OPTIONS = [...LAUNCH_OPTIONS, 'block'];

/** The options of {@link JitFunction.simulate}. */
export interface JitSimulateOptions {
  /** Bytes of a shared array whose length the kernel gives as 0. */
  readonly shared?: number | undefined;
}

/** Call it with the kernel's arguments. */
export type JitLaunch<Args extends readonly unknown[]> = (...args: Args) => void;

/** A kernel in TypeScript: made by {@link jit}. */
export class JitFunction<Args extends readonly unknown[] = readonly unknown[]> extends PublicObject {
  readonly name: string;
  readonly #half: JitHalf;
  readonly #source: Source;
  readonly #signature: readonly KernelType[] | undefined;
  readonly #types: ReadonlyMap<string, KernelType>;
  readonly #options: readonly string[];
  /** `RAWKERNEL_JIT=js`, as it was when the kernel was made. */
  readonly #isSimulated: boolean;
  readonly #simulations = new Map<string, Simulation>();
  readonly #built = new WeakMap<Engine, Map<string, Specialization>>();
  /** The kinds of the latest calls, the newest first. */
  readonly #repeated: RepeatedLaunch[] = [];
  #last: CSource | undefined;

  /** @internal */
  constructor(
    half: JitHalf,
    fn: unknown,
    signature: string | undefined,
    options: JitOptions,
    place: CallPlace | undefined,
  ) {
    super();
    checkOptions(options, OPTIONS, 'jit');
    const text = readFunction(fn, 'jit', place);
    this.name = nameFor(options.name, text.name);
    this.#half = half;
    this.#types = structsOf(options.types, 'jit');
    this.#source = { text: { ...text, name: this.name }, constants: checkConstants(options.const), isKernel: true };
    this.#signature = signature === undefined ? undefined : parseSignature(signature, 'jit', this.#types);
    this.#isSimulated = jitVariable() === 'js';
    this.#options = options.fma === true ? [] : half.exactOptions;
  }

  /**
   * The kernel for launches of this shape: Numba's `kernel[grid, block, stream, shared]`.
   *
   * @param grid - blocks: one number, or x, y and z
   * @param block - threads of a block
   * @returns a function of the kernel's arguments. Typed arrays of the host are copied to the device before, and back where the
   * kernel writes them; then the call blocks. With memory of the device it does not, but for the first call of each kind, which
   * compiles
   * @throws {@link JitError} the function has what no kernel has; the message shows the line
   */
  at(grid: Dims, block: Dims, options: JitLaunchOptions = {}): JitLaunch<Args> {
    checkOptions(options, LAUNCH_OPTIONS, `${this.name}.at`);
    const { shared = 0 } = options;
    const sizes: GridSizes = { grid, block, shared };
    const sizesFor = (): GridSizes => sizes;
    return (...args) => {
      if (this.#isSimulated) this.#simulate(args, sizes, options);
      else this.#run(args, options, sizesFor);
    };
  }

  /**
   * The kernel in JavaScript, in this process, without a device: a breakpoint in the function stops inside of the kernel, with the
   * thread's variables. Threads run one after another, and each access, conversion and sum is looked at. With `RAWKERNEL_JIT=js`
   * all launches are so.
   *
   * Host: blocks until all threads have run.
   *
   * @param grid - blocks: one number, or x, y and z
   * @param block - threads of a block
   * @returns a function of the kernel's arguments. Memory of a device is copied to the host before, and back afterwards
   * @throws {@link JitError} the function has what no kernel has
   * @throws {@link SimulationError} a thread does something wrong; the message shows the thread and the line
   */
  simulate(grid: Dims, block: Dims, options: JitSimulateOptions = {}): JitLaunch<Args> {
    checkOptions(options, SIMULATE_OPTIONS, `${this.name}.simulate`);
    const { shared = 0 } = options;
    return (...args) => {
      this.#simulate(args, { grid, block, shared }, {});
    };
  }

  /**
   * The kernel for at least `n` threads in one dimension; it has to test its index. For 0 nothing is launched.
   *
   * @param n - threads
   * @param options - `block` is the size of a block, 256 by default
   */
  forAll(n: number, options: JitLaunchOptions & { readonly block?: number | undefined } = {}): JitLaunch<Args> {
    checkOptions(options, FOR_ALL_OPTIONS, `${this.name}.forAll`);
    if (!Number.isSafeInteger(n) || n < 0)
      throw new RangeError(`${this.name}.forAll must be given a number of threads, got ${nameOf(n)}`);
    const { shared = 0, block } = options;
    const sizesIn = (size: number): GridSizes | undefined =>
      n === 0 ? undefined : { grid: Math.ceil(n / size), block: size, shared };
    const sizesFor = (engine: Engine): GridSizes | undefined => sizesIn(block ?? engine.facts.groupSize);
    return (...args) => {
      if (!this.#isSimulated) {
        this.#run(args, options, sizesFor);
        return;
      }
      const sizes = sizesIn(block ?? SIMULATED_BLOCK);
      if (sizes) this.#simulate(args, sizes, options);
    };
  }

  /**
   * The C that the function became: for such arguments, or for those of the last call.
   *
   * @throws TypeError no call was made, no arguments are given, and there is no signature
   */
  inspect(...args: Args | []): string {
    if (args.length === 0 && this.#signature === undefined) {
      if (this.#last) return this.#last.text;
      throw new TypeError(
        `${this.name}.inspect must be given arguments before the first call: a kernel has the types of its arguments`,
      );
    }
    if (args.length === 0) return this.#textFor(this.#signature ?? [], false);
    const engine = this.#half.engineFor(undefined, args);
    const given = this.#lookAt(args, { engine, lane: engine.defaultLane, what: this.name });
    try {
      const { types, isWide } = kindOf(given);
      return this.#textFor(types, isWide);
    } finally {
      releaseAll(given);
    }
  }

  /**
   * The C for a signature: `'void(f32[], f32[], i32)'`. Nothing is launched.
   */
  specialize(signature: string): string {
    return this.#textFor(parseSignature(signature, `${this.name}.specialize`, this.#types), false);
  }

  #simulate(args: readonly unknown[], sizes: SimulatedSizes, options: JitLaunchOptions): void {
    const half = this.#half;
    const { name } = this;
    // Only what is in a device's memory needs a device.
    const looking = {
      what: name,
      get engine(): Engine {
        return half.engineFor(options, args);
      },
      get lane(): Lane {
        return this.engine.laneOf(options, name) ?? this.engine.defaultLane;
      },
    };
    const given = this.#lookAt(args, looking);
    try {
      this.#simulation(given).run(sizes, given, () => looking.lane);
    } finally {
      releaseAll(given);
    }
  }

  #simulation(given: readonly Given[]): Simulation {
    const { key, types, isWide } = kindOf(given);
    const known = this.#simulations.get(key) ?? new Simulation(readKernel(this.#source, types, isWide), this.name);
    this.#simulations.set(key, known);
    return known;
  }

  #lookAt(args: readonly unknown[], looking: Looking): readonly Given[] {
    const given = lookAt(args, looking);
    if (this.#signature === undefined) return given;
    try {
      return fitted(given, this.#signature, this.name);
    } catch (error) {
      releaseAll(given);
      throw error;
    }
  }

  #run(args: readonly unknown[], options: JitLaunchOptions, sizesFor: (engine: Engine) => GridSizes | undefined): void {
    const engine = this.#half.engineFor(options, args);
    const lane = engine.laneOf(options, this.name) ?? engine.defaultLane;
    for (const repeated of this.#repeated) {
      if (!repeated.fits(engine, args)) continue;
      const sizes = sizesFor(engine);
      this.#last = repeated.specialization.source;
      if (sizes) repeated.launch(lane, sizes, args);
      return;
    }
    const given = this.#lookAt(args, { engine, lane, what: this.name });
    try {
      const specialization = this.#specialization(engine, given);
      this.#remember(specialization, engine, args, given);
      const sizes = sizesFor(engine);
      if (sizes) launch(specialization, engine, lane, sizes, given);
    } finally {
      releaseAll(given);
    }
  }

  #remember(specialization: Specialization, engine: Engine, args: readonly unknown[], given: readonly Given[]): void {
    const tests = testsOf(engine, args, given, this.#signature !== undefined);
    if (tests === undefined) return;
    const repeated = new RepeatedLaunch(specialization, engine, tests);
    // Arrays whose places need 64 bits, and numbers beyond their type, are looked at each time.
    if (!repeated.fits(engine, args)) return;
    this.#repeated.unshift(repeated);
    if (this.#repeated.length > MAX_REPEATED) this.#repeated.pop();
  }

  #specialization(engine: Engine, given: readonly Given[]): Specialization {
    const built = this.#built.get(engine) ?? new Map<string, Specialization>();
    this.#built.set(engine, built);
    const { key, types, isWide } = kindOf(given);
    const known = built.get(key);
    if (known) {
      this.#last = known.source;
      return known;
    }
    const tree = readKernel(this.#source, types, isWide);
    checkDoubles(tree, engine.facts);
    const { words } = this.#half;
    const source = cSource(tree, words, { isWide, hasLines: false });
    const compiled = this.#half.hasLines(engine) ? cSource(tree, words, { isWide, hasLines: true }) : source;
    const made = { source, kernel: engine.build(compiled.text, source.name, this.#options) };
    built.set(key, made);
    this.#last = source;
    return made;
  }

  /** The C for these types. */
  #textFor(types: readonly KernelType[], isWide: boolean): string {
    return cSource(readKernel(this.#source, types, isWide), this.#half.words, { isWide, hasLines: false }).text;
  }

  /** `add(f32[], f32[])`, as far as the signature says it. */
  override toString(): string {
    return `JitFunction(${this.name}${this.#signature ? signatureText(this.#signature) : ''})`;
  }
}

function nameFor(given: unknown, own: string): string {
  if (given === undefined) return own;
  if (typeof given === 'string' && /^[A-Za-z_]\w*$/.test(given)) return given;
  throw new TypeError(`jit: name must be letters, digits and _, got ${nameOf(given)}`);
}

/** @throws TypeError something that a kernel cannot have as a constant */
export function checkConstants(constants: unknown): ConstantSet | undefined {
  if (constants === undefined) return undefined;
  if (typeof constants !== 'object' || constants === null || Array.isArray(constants))
    throw new TypeError(`const must be an object of constants by name, got ${nameOf(constants)}`);
  for (const [name, value] of Object.entries(constants)) checkConstant(value, `const.${name}`);
  return constants as ConstantSet;
}

function checkConstant(value: unknown, what: string): asserts value is ConstantValue {
  if (['number', 'bigint', 'boolean', 'string'].includes(typeof value)) return;
  if (typeof value === 'function') {
    if (isDeviceText(value)) return;
    if (isStructType(value)) return void kernelStruct(value, what);
    throw new TypeError(`${what} must be a device function, got ${nameOf(value)}; write device(${value.name || 'fn'})`);
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return;
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) checkConstant(inner, `${what}.${name}`);
    return;
  }
  throw new TypeError(
    `${what} must be a number, a list of numbers, a typed array or a device function, got ${nameOf(value)}`,
  );
}
