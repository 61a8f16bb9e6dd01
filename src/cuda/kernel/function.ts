import { constantName, readConstant } from '../../core/choice.ts';
import type { AnyHandle, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, callError, callWith, cu } from '../call.ts';
import { inContext } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { KernelAttributes } from './kernel-attributes.ts';
import type { KernelArguments } from './kernel-argument.ts';
import { entrySignature, parameterSlots, type KernelEntry } from '../compiler/kernel-entry.ts';
import {
  activeBlocks,
  activeClusters,
  availableShared,
  potentialBlockSize,
  potentialClusterSize,
  type BlockSize,
  type BlockSizeOptions,
  type OccupancyOptions,
  type SearchLimits,
} from './occupancy.ts';
import { checkLaunchOptions, Launcher, type LaunchLimits } from './launch.ts';
import type { LaunchOptions } from './launch-options.ts';
import { driverLayout } from './parameter-layout.ts';
import { recording } from '../captures.ts';
import { noteUse, noteUses } from '../lifetime/recording.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { type DeviceAttribute, FunctionAttribute, FunctionLoadingState, FuncCache, status } from '../sys/enums.ts';
import { withTransfers } from '../copy/launch-transfers.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUfunction = Opaque<'CUfunction'>;

/** A launch with its shape fixed: call it with the arguments. Made by {@link Function.prepare}. */
export type PreparedLaunch<S extends Shape = AnyShape> = {
  /** Launch it with these arguments; see {@link Function}. */
  launch(...args: KernelArguments<S>): void;
}['launch'];

/** What a kernel is part of: a module, or a library in one context. */
export interface KernelHome {
  readonly device: Device;
  use(method: string): unknown;
  owned(method: string): AnyHandle;
  context(method: string): Handle<Opaque<'CUcontext'>>;
}

const NOT_SUPPORTED = status.CUDA_ERROR_NOT_SUPPORTED[0];
/** Blocks of a cluster that every device with clusters can hold. */
const PORTABLE_CLUSTER = 8;
const intSlot = slotOf('int');
const loadingSlot = slotOf('CUfunctionLoadingState');

/** A launcher of a kernel that is configured, for what needs a configuration and launches nothing. */
export let configure: (kernel: KernelFunction, options: unknown, method: string) => Launcher;

// Declared as a method, whose parameters TypeScript compares in both directions: a kernel whose signature is known goes
// where any kernel does.
type Launch<S extends Shape> = {
  /**
   * Launch the kernel: its arguments, then block and grid. Where the source is a literal, the arguments are checked against
   * the kernel's own C parameters by the type checker too.
   *
   * Host: does not block; with {@link In} or {@link Out} and no stream it waits for the kernel. Stream: ordered.
   *
   * @throws TypeError an argument is missing, too many, or of the wrong kind; the message names the parameter
   * @throws RangeError a number does not fit its parameter, or the launch exceeds a limit of the device
   * @throws {@link CudaLaunchError} the driver refuses the launch, or an earlier kernel has failed
   */
  launch(...args: [...KernelArguments<S>, LaunchOptions]): void;
}['launch'];

export interface KernelFunction<S extends Shape = AnyShape> extends Launch<S> {}

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
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class KernelFunction<S extends Shape = AnyShape> extends KernelAttributes<S> {
  readonly #home: KernelHome;
  readonly #raw: CUfunction;
  readonly #entry: KernelEntry;
  #launcher: Launcher | undefined;

  /** @internal */
  constructor(maker: Maker, home: KernelHome, raw: CUfunction, entry: KernelEntry) {
    checkMade(maker === MAKER, 'Function', 'call module.getFunction(name)');
    const call = (...args: unknown[]): void => {
      self.#call(args);
    };
    super(call, entry.base, {
      owner: (method) => home.owned(method),
      configured: (options, method) => self.#configured(options, method),
      tryAttribute: (attribute) => {
        home.use('getAttributes');
        return attempt('cuFuncGetAttribute', intSlot, attribute, raw) === 0 ? take(intSlot) : undefined;
      },
    });
    const self = this as KernelFunction;
    this.#home = home;
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
  prepare(options: LaunchOptions): PreparedLaunch<S> {
    checkLaunchOptions(options, this.name);
    const launcher = this.#makeLauncher('prepare');
    const { stream } = options;
    launcher.configure(options, streamHandle(stream, 'prepare'));
    return (...args) => {
      this.#home.use(this.name);
      // A closed stream or event must not reach the driver.
      if (stream) stream.use(this.name);
      if (launcher.hasAttributes) launcher.checkEvents(this.name);
      this.#launch(launcher, args, args.length, stream);
    };
  }

  #call(args: readonly unknown[]): void {
    this.#home.use(this.name);
    const launcher = (this.#launcher ??= this.#makeLauncher('call'));
    const count = args.length - 1;
    const options = args[count];
    checkLaunchOptions(options, this.name);
    launcher.configure(options, streamHandle(options.stream, this.name));
    this.#launch(launcher, args, count, options.stream);
  }

  /** With the first `count` of the arguments. */
  #launch(launcher: Launcher, args: readonly unknown[], count: number, stream: Stream | null | undefined): void {
    if (!launcher.pack(args, count)) {
      withTransfers(args.slice(0, count), stream, (placed) => {
        this.#launch(launcher, placed, count, stream);
      });
      return;
    }
    launcher.launch();
    if (recording.active > 0) this.#note(args);
  }

  /** A graph that is being captured keeps what its kernels use. */
  #note(args: readonly unknown[]): void {
    noteUse(this.#home.owned(this.name));
    noteUses(args);
  }

  #makeLauncher(method: string): Launcher {
    this.#home.use(method);
    const slots = parameterSlots(
      this.#entry,
      driverLayout('cuFuncGetParamInfo', this.#raw, this.#entry.layout?.length),
    );
    if (!slots) {
      throw new TypeError(
        `The parameters of ${this.name} are not known: this driver cannot tell, and there is no PTX and no source`,
      );
    }
    // Not the kernel itself: the list of recent launches would keep its module alive.
    return new Launcher({ name: this.name }, this.#raw, slots, this.signature, this.#limits());
  }

  #limits(): LaunchLimits {
    const { device } = this.#home;
    const attribute = (name: keyof typeof DeviceAttribute): number => device.getAttribute(name);
    let allowed = 0;
    let largestCluster = PORTABLE_CLUSTER;
    return {
      threadsPerBlock: this.maxThreadsPerBlock,
      // A GPU counts blocks along each axis alone.
      blocks: device.isEmbedded ? 0x7fff_ffff : Infinity,
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
      allowCluster: (blocks) => {
        if (attribute('CLUSTER_LAUNCH') === 0) {
          const reason = 'This device has no thread-block clusters: they need compute capability 9.0';
          throw callError('cuLaunchKernelEx', NOT_SUPPORTED, { reason });
        }
        if (blocks <= largestCluster) return;
        this.setAttribute(FunctionAttribute.NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
        largestCluster = Infinity;
      },
    };
  }

  override getAttribute(attribute: FunctionAttribute): number {
    this.#home.use('getAttribute');
    const number = readConstant(attribute, FunctionAttribute, 'FunctionAttribute');
    const facts = { attribute: constantName(number, FunctionAttribute) };
    callWith(facts, 'cuFuncGetAttribute', intSlot, number, this.#raw);
    return take(intSlot);
  }

  override setAttribute(attribute: FunctionAttribute, value: number): void {
    this.#home.use('setAttribute');
    const number = readConstant(attribute, FunctionAttribute, 'FunctionAttribute');
    const checked = checkInteger(value, 'The attribute', -0x8000_0000, 0x7fff_ffff);
    const facts = { attribute: constantName(number, FunctionAttribute), asked: String(checked) };
    callWith(facts, 'cuFuncSetAttribute', this.#raw, number, checked);
  }

  /** Prefer L1 cache or shared memory for this kernel. */
  setCacheConfig(config: FuncCache): void {
    this.#home.use('setCacheConfig');
    const number = readConstant(config, FuncCache, 'FuncCache');
    callWith({ asked: constantName(number, FuncCache) }, 'cuFuncSetCacheConfig', this.#raw, number);
  }

  /**
   * Bring the kernel to the device now, where modules are loaded lazily ({@link moduleLoadingMode}): its first launch, or one
   * that is captured or timed, need not do it then.
   *
   * Host: may block.
   *
   * @throws {@link SymbolNotFoundError} the driver is older than CUDA 12.4
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html | cuFuncLoad}
   */
  load(): void {
    inContext(this.#home.context('load'), () => cu.cuFuncLoad(this.#raw));
  }

  /** Whether the kernel is on the device; see {@link Function.load}. Host: does not block. */
  isLoaded(): boolean {
    inContext(this.#home.context('isLoaded'), () => cu.cuFuncIsLoaded(loadingSlot, this.#raw));
    return take(loadingSlot) === FunctionLoadingState.LOADED;
  }

  /**
   * How many blocks of this kernel a multiprocessor holds at once.
   *
   * @param blockSize - threads of a block
   * @param sharedBytes - dynamic shared memory of a block, in bytes
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html | Occupancy}
   */
  maxActiveBlocksPerMultiprocessor(blockSize: number, sharedBytes = 0, options: OccupancyOptions = {}): number {
    const context = this.#home.context('maxActiveBlocksPerMultiprocessor');
    return inContext(context, () => activeBlocks(this.#raw, blockSize, sharedBytes, options));
  }

  /**
   * The block size that fills the device best, and the least grid that does.
   *
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { SourceModule } from 'rawkernel/cuda';
   *
   * using module = new SourceModule('__global__ void nothing() {}');
   * const nothing = module.getFunction('nothing');
   * const { blockSize, gridSize } = nothing.maxPotentialBlockSize({ sharedBytes: (threads) => 4 * threads });
   * ```
   */
  maxPotentialBlockSize(options: BlockSizeOptions = {}): BlockSize {
    const { device } = this.#home;
    const limits = (): SearchLimits => ({
      maxThreads: this.maxThreadsPerBlock,
      warpSize: device.warpSize,
      multiprocessors: device.multiprocessorCount,
      threadsPerMultiprocessor: device.maxThreadsPerMultiprocessor,
    });
    const context = this.#home.context('maxPotentialBlockSize');
    return inContext(context, () => potentialBlockSize(this.#raw, options, limits));
  }

  /**
   * Dynamic shared memory that each block can have when a multiprocessor is to hold this many of them, in bytes; of a GPU
   * less what it reserves in each block (1 KiB), which NVIDIA's driver leaves out of account.
   *
   * @param blocks - blocks on one multiprocessor
   * @param blockSize - threads of a block
   */
  availableDynamicSharedBytes(blocks: number, blockSize: number): number {
    const context = this.#home.context('availableDynamicSharedBytes');
    return inContext(context, () => availableShared(this.#raw, blocks, blockSize));
  }

  /**
   * The largest cluster, in blocks, that a launch of this shape can have. Its `cluster` is not looked at.
   *
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED: the device has no clusters
   */
  maxPotentialClusterSize(options: LaunchOptions): number {
    const config = this.#configured(options, 'maxPotentialClusterSize').configAddress;
    const context = this.#home.context('maxPotentialClusterSize');
    return inContext(context, () => potentialClusterSize(this.#raw, config));
  }

  /**
   * How many clusters of a launch of this shape the device holds at once.
   *
   * @throws TypeError there is no `cluster`
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED: the device has no clusters
   */
  maxActiveClusters(options: LaunchOptions): number {
    if ((options as Partial<LaunchOptions> | undefined)?.cluster === undefined) {
      throw new TypeError('maxActiveClusters: the launch options need a cluster');
    }
    const config = this.#configured(options, 'maxActiveClusters').configAddress;
    const context = this.#home.context('maxActiveClusters');
    return inContext(context, () => activeClusters(this.#raw, config));
  }

  #configured(options: unknown, method: string): Launcher {
    checkLaunchOptions(options, method);
    const launcher = this.#makeLauncher(method);
    launcher.configure(options, streamHandle(options.stream, method));
    return launcher;
  }

  static {
    configure = (kernel, options, method) => kernel.#configured(options, method);
  }

  /** The driver's `CUfunction`, borrowed: good until its module is closed. */
  get handle(): CUfunction {
    this.#home.use('handle');
    return this.#raw;
  }
}

Object.defineProperty(KernelFunction, 'name', { value: 'Function' });
