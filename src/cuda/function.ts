import { Callable } from '../core/callable.ts';
import { SymbolNotFoundError } from '../core/errors.ts';
import { checkInteger, checkOptions, nameOf } from '../core/host-memory.ts';
import type { AddressHolder } from '../core/struct.ts';
import type { Value } from '../core/value.ts';
import { NULL, type Opaque } from '../ffi/ctype.ts';
import { attempt, cu } from './call.ts';
import { inContext } from './context.ts';
import { entrySignature, parameterSlots, type KernelEntry, type ParameterLayout } from './kernel-entry.ts';
import { Launcher, type LaunchLimits, type LaunchOptions } from './launch.ts';
import type { Module } from './module.ts';
import { streamHandle } from './stream.ts';
import { type DeviceAttribute, FunctionAttribute, type FuncCache } from './sys/enums.ts';
import { hasTransfers, withTransfers, type Transfer } from './transfer.ts';

type CUfunction = Opaque<'CUfunction'>;

/** What a kernel takes: device memory, numbers, typed values, structs, host arrays in {@link In} or {@link Out}. */
export type KernelArgument = AddressHolder | bigint | number | boolean | null | Value | Transfer;

/** A launch with its shape fixed: call it with the arguments. Made by {@link KernelFunction.prepare}. */
export type PreparedLaunch = (...args: KernelArgument[]) => void;

const PAST_THE_END = 1;
const intSlot = new Int32Array(1);
const intSlots = new Int32Array(2);
const sizeSlots = new BigUint64Array(2);

/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface KernelFunction {
  /**
   * Launch the kernel: its arguments, then block and grid.
   *
   * Host: does not block; with {@link In} or {@link Out} and no stream it waits for the kernel. Stream: ordered.
   *
   * @throws TypeError an argument is missing, too many, or of the wrong kind; the message names the parameter
   * @throws RangeError a number does not fit its parameter, or the launch exceeds a limit of the device
   * @throws {@link CudaLaunchError} the driver refuses the launch, or an earlier kernel has failed
   */
  (...args: [...KernelArgument[], LaunchOptions]): void;
}

/**
 * A kernel. Call it with its arguments and `{ block, grid }`. Plain numbers are packed as the parameter's own C type,
 * after a range check.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule('__global__ void fill(float *p, float x, int n) { if (threadIdx.x < n) p[threadIdx.x] = x; }');
 * using p = memAlloc(4 * 32);
 * const fill = module.getFunction('fill');
 * fill(p, 0.5, 32, { block: 32 });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html | Execution control}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class KernelFunction extends Callable {
  readonly #module: Module;
  readonly #raw: CUfunction;
  readonly #entry: KernelEntry;
  #launcher: Launcher | undefined;

  /** @internal */
  constructor(module: Module, raw: CUfunction, entry: KernelEntry) {
    const call = (...args: unknown[]): void => {
      self.#call(args);
    };
    super(call, entry.base);
    const self = this as KernelFunction;
    this.#module = module;
    this.#raw = raw;
    this.#entry = entry;
  }

  /** As far as it is known: `add(float *a, const float *b, int n)`. */
  get signature(): string {
    return entrySignature(this.#entry);
  }

  /** The name in the binary: `_Z3addPfPKfi`. */
  get symbol(): string {
    return this.#entry.symbol;
  }

  /**
   * Fix block, grid, stream and shared memory once, for a launch that happens often.
   *
   * @throws RangeError the launch exceeds a limit of the device
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { SourceModule } from 'rawkernel/cuda';
   *
   * using module = new SourceModule('__global__ void nothing(int n) {}');
   * const launch = module.getFunction('nothing').prepare({ block: 32 });
   * for (let i = 0; i < 10; i++) launch(i);
   * ```
   */
  prepare(options: LaunchOptions): PreparedLaunch {
    checkLaunchOptions(options, this.name);
    const launcher = this.#makeLauncher('prepare');
    const { stream } = options;
    launcher.configure(options, streamHandle(stream, 'prepare'));
    return (...args) => {
      this.#module.use(this.name);
      // A closed stream must not reach the driver.
      if (stream) stream.use(this.name);
      if (hasTransfers(args)) {
        withTransfers(args, stream, (placed) => {
          launcher.pack(placed, placed.length);
          launcher.launch();
        });
        return;
      }
      launcher.pack(args, args.length);
      launcher.launch();
    };
  }

  #call(args: readonly unknown[]): void {
    this.#module.use(this.name);
    const launcher = (this.#launcher ??= this.#makeLauncher('call'));
    const count = args.length - 1;
    const options = args[count];
    checkLaunchOptions(options, this.name);
    launcher.configure(options, streamHandle(options.stream, this.name));
    if (hasTransfers(args)) {
      withTransfers(args.slice(0, count), options.stream, (placed) => {
        launcher.pack(placed, count);
        launcher.launch();
      });
      return;
    }
    launcher.pack(args, count);
    launcher.launch();
  }

  #makeLauncher(method: string): Launcher {
    this.#module.use(method);
    const slots = parameterSlots(this.#entry, this.#driverLayout(this.#entry.layout?.length));
    if (!slots) {
      throw new TypeError(
        `The parameters of ${this.name} are not known: this driver cannot tell, and there is no PTX and no source`,
      );
    }
    // Not the kernel itself: the list of recent launches would keep its module alive.
    return new Launcher({ name: this.name }, this.#raw, slots, this.signature, this.#limits());
  }

  /**
   * The driver's own word on where each parameter lies; drivers before CUDA 12.4 do not know. Asking past the end is
   * an error to whoever watches the driver, compute-sanitizer for one: where the count is known, nobody asks.
   */
  #driverLayout(count = Infinity): ParameterLayout[] | undefined {
    const layout: ParameterLayout[] = [];
    const size = sizeSlots.subarray(1);
    try {
      while (layout.length < count) {
        const status = attempt('cuFuncGetParamInfo', this.#raw, layout.length, sizeSlots, size);
        if (status === PAST_THE_END) return layout;
        if (status !== 0) return undefined;
        layout.push({ offset: Number(sizeSlots[0]), size: Number(sizeSlots[1]) });
      }
      return layout;
    } catch (error) {
      if (error instanceof SymbolNotFoundError) return undefined;
      throw error;
    }
  }

  #limits(): LaunchLimits {
    const { device } = this.#module;
    const attribute = (name: keyof typeof DeviceAttribute): number => device.getAttribute(name);
    let allowed = 0;
    return {
      threadsPerBlock: this.maxThreadsPerBlock,
      block: [attribute('MAX_BLOCK_DIM_X'), attribute('MAX_BLOCK_DIM_Y'), attribute('MAX_BLOCK_DIM_Z')],
      grid: [attribute('MAX_GRID_DIM_X'), attribute('MAX_GRID_DIM_Y'), attribute('MAX_GRID_DIM_Z')],
      allowShared: (bytes) => {
        if (bytes <= allowed) return;
        const most = attribute('MAX_SHARED_MEMORY_PER_BLOCK_OPTIN') - this.sharedSizeBytes;
        if (bytes > most) {
          throw new RangeError(`shared is ${bytes} bytes; a block of ${this.name} can have ${most} on this device`);
        }
        this.setAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
        allowed = bytes;
      },
    };
  }

  /** An attribute of the kernel on its device; {@link FunctionAttribute} has their numbers. */
  getAttribute(attribute: FunctionAttribute): number {
    this.#module.use('getAttribute');
    cu.cuFuncGetAttribute(intSlot, attribute, this.#raw);
    return intSlot[0] ?? 0;
  }

  /** Set an attribute: dynamic shared memory limit, shared memory carve-out. */
  setAttribute(attribute: FunctionAttribute, value: number): void {
    this.#module.use('setAttribute');
    cu.cuFuncSetAttribute(this.#raw, attribute, checkInteger(value, 'The attribute', -0x8000_0000, 0x7fff_ffff));
  }

  /** Prefer L1 cache or shared memory for this kernel. */
  setCacheConfig(config: FuncCache): void {
    this.#module.use('setCacheConfig');
    cu.cuFuncSetCacheConfig(this.#raw, config);
  }

  /** Registers that a thread uses. */
  get numRegs(): number {
    return this.getAttribute(FunctionAttribute.NUM_REGS);
  }

  /** Static shared memory of a block, in bytes. */
  get sharedSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.SHARED_SIZE_BYTES);
  }

  /** Local memory of a thread, in bytes: spilled registers and arrays. */
  get localSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.LOCAL_SIZE_BYTES);
  }

  /** Constant memory that the module's user allocated, in bytes. */
  get constSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.CONST_SIZE_BYTES);
  }

  /** Threads that a block of this kernel can have on its device. */
  get maxThreadsPerBlock(): number {
    return this.getAttribute(FunctionAttribute.MAX_THREADS_PER_BLOCK);
  }

  /** The PTX version that it was compiled for, 10 × major + minor. */
  get ptxVersion(): number {
    return this.getAttribute(FunctionAttribute.PTX_VERSION);
  }

  /** The machine code's version, 10 × major + minor. */
  get binaryVersion(): number {
    return this.getAttribute(FunctionAttribute.BINARY_VERSION);
  }

  /** Dynamic shared memory that a launch may ask for, in bytes. Set by itself when a launch asks for more. */
  get maxDynamicSharedSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES);
  }

  set maxDynamicSharedSizeBytes(bytes: number) {
    this.setAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }

  /**
   * How many blocks of this kernel a multiprocessor holds at once.
   *
   * @param blockSize - threads of a block
   * @param sharedBytes - dynamic shared memory of a block, in bytes
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html | Occupancy}
   */
  maxActiveBlocksPerMultiprocessor(blockSize: number, sharedBytes = 0): number {
    const threads = checkInteger(blockSize, 'blockSize', 1, 0x7fff_ffff);
    const bytes = checkInteger(sharedBytes, 'sharedBytes');
    inContext(this.#module.context('maxActiveBlocksPerMultiprocessor'), () =>
      cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(intSlot, this.#raw, threads, bytes),
    );
    return intSlot[0] ?? 0;
  }

  /**
   * The block size that fills the device best, and the least grid that does.
   *
   * @param options - `sharedBytes`: dynamic shared memory of a block; `blockSizeLimit`: threads, 0 for no limit
   */
  maxPotentialBlockSize(options: { readonly sharedBytes?: number; readonly blockSizeLimit?: number } = {}): {
    readonly gridSize: number;
    readonly blockSize: number;
  } {
    checkOptions(options, ['sharedBytes', 'blockSizeLimit'], 'maxPotentialBlockSize');
    const bytes = checkInteger(options.sharedBytes ?? 0, 'sharedBytes');
    const limit = checkInteger(options.blockSizeLimit ?? 0, 'blockSizeLimit', 0, 0x7fff_ffff);
    inContext(this.#module.context('maxPotentialBlockSize'), () =>
      cu.cuOccupancyMaxPotentialBlockSize(intSlots, intSlots.subarray(1), this.#raw, NULL, bytes, limit),
    );
    return { gridSize: intSlots[0] ?? 0, blockSize: intSlots[1] ?? 0 };
  }

  /** The driver's `CUfunction`, borrowed: good until the module is closed. */
  get handle(): CUfunction {
    this.#module.use('handle');
    return this.#raw;
  }
}

function checkLaunchOptions(options: unknown, name: string): asserts options is LaunchOptions {
  if (typeof options === 'object' && options !== null && 'block' in options) return;
  throw new TypeError(
    `${name}: the last argument must be the launch options, { block, grid }; ${nameOf(options)} came`,
  );
}

Object.defineProperty(KernelFunction, 'name', { value: 'Function' });
