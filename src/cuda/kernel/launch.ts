import { readDims } from '../../core/dims.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { ArgumentPacker } from '../../core/argument-packer.ts';
import type { PointerRules, Slot } from '../../core/pack.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { SymbolNotFoundError } from '../../core/errors.ts';
import { callError } from '../call.ts';
import { deviceAddress, deviceElements } from '../memory/device-pointer.ts';
import { ATTRIBUTE_OPTIONS, LaunchAttributes } from './launch-attributes.ts';
import type { LaunchOptions } from './launch-options.ts';
import type { ConfiguredLaunch } from '../lifetime/kernel-inner.ts';
import { objectHandle } from '../lifetime/launch-object.ts';
import { Transfer } from '../copy/transfer.ts';
import { rememberLaunch } from '../recent-launches.ts';
import { driver } from '../select.ts';
import { countWork } from '../stream-work.ts';
import type { DriverTable } from '../sys/tables.ts';
import { structs } from '../sys/structs.ts';

type CUfunction = Opaque<'CUfunction'>;
type CUstream = Opaque<'CUstream'>;

/** What limits the launches of one kernel on its device. */
export interface LaunchLimits {
  readonly threadsPerBlock: number;
  /** Blocks in all. */
  readonly blocks: number;
  readonly block: readonly [number, number, number];
  readonly grid: readonly [number, number, number];
  /** Allow a block this much dynamic shared memory, in bytes. */
  readonly allowShared: (bytes: number) => void;
  /** Allow clusters of this many blocks. */
  readonly allowCluster: (blocks: number) => void;
}

const POINTERS: PointerRules = {
  address: deviceAddress,
  object: objectHandle,
  isLater: (value) => value instanceof Transfer,
  elements: deviceElements,
  hostArray: (value) => (value instanceof Transfer ? value.array : undefined),
  dialect: 'cuda',
  bytesAdvice: 'its address, memory.ptr',
  wanted: 'device memory (memAlloc, toDevice, a slice), an address or null',
  hostAdvice: 'wrap it in cuda.In(…), cuda.Out(…) or cuda.InOut(…), or copy it with toDevice(…)',
};

const PARAM_END = 0n;
const PARAM_BUFFER_POINTER = 1n;
const PARAM_BUFFER_SIZE = 2n;
const FREE_SHARED = 48 * 1024;
const OPTIONS: readonly string[] = ['block', 'grid', 'stream', 'shared', ...ATTRIBUTE_OPTIONS];
const fields = structs.CUlaunchConfig.fields;
const GRID = fields.gridDimX / 4;
const BLOCK = fields.blockDimX / 4;
const SHARED = fields.sharedMemBytes / 4;
const STREAM = fields.hStream / 8;
const ATTRIBUTES = fields.attrs / 8;
const ATTRIBUTE_COUNT = fields.numAttrs / 4;

const nodeLaunchers = new WeakMap<ArrayBuffer, Launcher>();

let asked: DriverTable | undefined;
let hasEx = false;

/** cuLaunchKernelEx takes its configuration from memory: half the FFI cost, in drivers since 11.8. */
function hasLaunchEx(table: DriverTable): boolean {
  if (table === asked) return hasEx;
  try {
    hasEx = typeof table.cuLaunchKernelEx === 'function';
  } catch (error) {
    if (!(error instanceof SymbolNotFoundError)) throw error;
    hasEx = false;
  }
  asked = table;
  return hasEx;
}

/**
 * Everything that one kernel's launches share: the packed arguments, the configuration and their addresses, laid out
 * once. A launch writes numbers into them and makes one call.
 */
export class Launcher implements ConfiguredLaunch {
  readonly #kernel: { readonly name: string };
  readonly #function: CUfunction;
  readonly #limits: LaunchLimits;
  readonly #signature: string;
  readonly #packer: ArgumentPacker;
  readonly #config: Uint32Array<ArrayBuffer> = new Uint32Array(structs.CUlaunchConfig.size / 4);
  readonly #stream: BigUint64Array<ArrayBuffer> = new BigUint64Array(this.#config.buffer);
  readonly #extra: BigUint64Array<ArrayBuffer> = new BigUint64Array(6);
  readonly #configAddress: bigint = addressOf(this.#config);
  readonly #extraAddress: bigint;
  #attributes: LaunchAttributes | undefined;

  constructor(
    kernel: { readonly name: string },
    raw: CUfunction,
    slots: readonly Slot[],
    signature: string,
    limits: LaunchLimits,
  ) {
    this.#kernel = kernel;
    this.#function = raw;
    this.#limits = limits;
    this.#signature = signature;
    const packer = (this.#packer = new ArgumentPacker(slots, POINTERS));
    const extra = this.#extra;
    this.#extraAddress = addressOf(extra);
    extra[0] = PARAM_BUFFER_POINTER;
    extra[1] = addressOf(packer.block.view);
    extra[2] = PARAM_BUFFER_SIZE;
    extra[3] = this.#extraAddress + 40n;
    extra[4] = PARAM_END;
    extra[5] = BigInt(packer.byteLength);
  }

  /** How many arguments a launch takes. */
  get arity(): number {
    return this.#packer.arity;
  }

  /** Set block, grid, shared memory and stream; checked against the device's limits. */
  configure(options: LaunchOptions, stream: CUstream): void {
    const config = this.#config;
    const plain = checkKeys(options);
    readDims(options.block, 'block', config, BLOCK);
    readDims(options.grid ?? 1, 'grid', config, GRID);
    this.#checkLimits();
    const { shared = 0 } = options;
    config[SHARED] = shared === 0 ? 0 : checkInteger(shared, 'shared', 0, 0xffff_ffff);
    if (shared > FREE_SHARED) this.#limits.allowShared(shared);
    this.#stream[STREAM] = stream;
    config[ATTRIBUTE_COUNT] = 0;
    this.#stream[ATTRIBUTES] = 0n;
    if (!plain) this.#configureAttributes(options);
  }

  #configureAttributes(options: LaunchOptions): void {
    const attributes = (this.#attributes ??= new LaunchAttributes());
    attributes.write(options);
    if (attributes.count === 0) return;
    this.#config[ATTRIBUTE_COUNT] = attributes.count;
    this.#stream[ATTRIBUTES] = attributes.address;
    const { cluster } = attributes;
    if (cluster[0] === 0) return;
    let blocks = 1;
    for (let i = 0; i < 3; i++) {
      const size = cluster[i] ?? 1;
      blocks *= size;
      if ((this.#config[GRID + i] ?? 0) % size !== 0) {
        const grid = this.#dims(GRID);
        throw new RangeError(
          `Grid ${grid} is not a multiple of the cluster [${cluster.join(', ')}] along ${'xyz'[i]}; it counts blocks`,
        );
      }
    }
    this.#limits.allowCluster(blocks);
  }

  /**
   * Set groups of threads in one dimension and the stream, of a launcher that was configured without attributes. Nothing is
   * checked: it is for kernels of the package's own.
   */
  shape(blocks: number, width: number, height: number, stream: CUstream): void {
    const config = this.#config;
    config[GRID] = blocks;
    config[BLOCK] = width;
    config[BLOCK + 1] = height;
    this.#stream[STREAM] = stream;
  }

  /** Whether the configuration has an attribute. */
  get hasAttributes(): boolean {
    return this.#config[ATTRIBUTE_COUNT] !== 0;
  }

  /** The attributes of the configuration; none where {@link Launcher.hasAttributes} is false. */
  get attributes(): LaunchAttributes | undefined {
    return this.hasAttributes ? this.#attributes : undefined;
  }

  /** Refuse to launch with an event that was closed since {@link Launcher.configure}. */
  checkEvents(method: string): void {
    if (this.#config[ATTRIBUTE_COUNT] === 0) return;
    for (const event of this.#attributes?.events ?? []) event.use(method);
  }

  /** The same, as the CUDA_KERNEL_NODE_PARAMS of a graph's kernel: good until the next configuration. */
  nodeParams(): Uint8Array<ArrayBuffer> {
    const node = structs.CUDA_KERNEL_NODE_PARAMS;
    const view = new DataView(new ArrayBuffer(node.size));
    view.setBigUint64(node.fields.func, this.#function, true);
    for (let i = 0; i < 7; i++) view.setUint32(node.fields.gridDimX + 4 * i, this.#config[i] ?? 0, true);
    if (this.arity > 0) view.setBigUint64(node.fields.extra, this.#extraAddress, true);
    // Its `extra` points into this launcher.
    nodeLaunchers.set(view.buffer, this);
    return new Uint8Array(view.buffer);
  }

  /** Where the CUlaunchConfig is, as it was configured last. */
  get configAddress(): bigint {
    return this.#configAddress;
  }

  #checkLimits(): void {
    const config = this.#config;
    const limits = this.#limits;
    let threads = 1;
    let all = 1;
    for (let i = 0; i < 3; i++) {
      const size = config[BLOCK + i] ?? 0;
      const blocks = config[GRID + i] ?? 0;
      threads *= size;
      all *= blocks;
      if (size > (limits.block[i] ?? 0)) throw this.#tooMany('Block', BLOCK, i, limits.block);
      if (blocks > (limits.grid[i] ?? 0)) throw this.#tooMany('Grid', GRID, i, limits.grid);
    }
    if (all > limits.blocks) {
      throw new RangeError(`Grid ${this.#dims(GRID)} has ${all} blocks; the device allows ${limits.blocks} in all`);
    }
    if (threads > limits.threadsPerBlock) {
      const block = this.#dims(BLOCK);
      throw new RangeError(
        `Block ${block} has ${threads} threads; ${this.#signature} allows ${limits.threadsPerBlock} on this device`,
      );
    }
  }

  #tooMany(what: string, at: number, axis: number, most: readonly number[]): RangeError {
    const dims = this.#dims(at);
    return new RangeError(
      `${what} ${dims} has ${this.#config[at + axis]} along ${'xyz'[axis]}; the device allows ${most[axis]}`,
    );
  }

  #dims(at: number): string {
    return `[${this.#config.subarray(at, at + 3).join(', ')}]`;
  }

  /**
   * Check and write the arguments: `count` of them, from the start of `args`.
   *
   * @returns whether all are there; false where some are {@link Transfer}s, which need device memory first
   */
  pack(args: readonly unknown[], count: number): boolean {
    if (count !== this.#packer.arity) throw this.#wrongCount(args, count);
    return this.#packer.pack(args);
  }

  #wrongCount(args: readonly unknown[], count: number): TypeError {
    const { arity } = this.#packer;
    const came = args.slice(0, count).map(nameOf).join(', ');
    return new TypeError(
      `${this.#signature} takes ${arity} argument${arity === 1 ? '' : 's'}, got ${count}${count === 0 ? '' : ` (${came})`}`,
    );
  }

  /** Enqueue the kernel as configured and packed. Host: does not block. Stream: ordered. */
  launch(): void {
    countWork();
    const table = driver();
    const config = this.#config;
    // Only with it there are attributes: a driver that lacks it will say so.
    const ex = config[ATTRIBUTE_COUNT] !== 0 || hasLaunchEx(table);
    const status = ex
      ? table.cuLaunchKernelEx(this.#configAddress, this.#function, NULL, this.#extraAddress)
      : this.#launchPlain(table);
    if (status !== 0) this.#fail(ex ? 'cuLaunchKernelEx' : 'cuLaunchKernel', status);
    rememberLaunch(this.#kernel, config);
  }

  #launchPlain(table: DriverTable): number {
    const c = this.#config as unknown as readonly [number, number, number, number, number, number, number];
    const stream = this.#stream[STREAM] as CUstream;
    return table.cuLaunchKernel(
      this.#function,
      c[0],
      c[1],
      c[2],
      c[3],
      c[4],
      c[5],
      c[6],
      stream,
      NULL,
      this.#extraAddress,
    );
  }

  #fail(routine: string, status: number): never {
    const facts = {
      kernel: this.#signature,
      grid: this.#dims(GRID),
      block: `${this.#dims(BLOCK)}   shared ${this.#config[SHARED]} B`,
    };
    throw callError(routine, status, { facts });
  }
}

/** The last argument of a launch. */
export function checkLaunchOptions(options: unknown, name: string): asserts options is LaunchOptions {
  if (typeof options === 'object' && options !== null && 'block' in options) return;
  if (isPlain(options)) {
    const keys = Object.keys(options).map((key) => `'${key}'`);
    const there = keys.length === 0 ? 'they are empty' : `there is ${keys.slice(0, 5).join(', ')}`;
    throw new TypeError(`${name}: the launch options, { block, grid }, have no block; ${there}`);
  }
  throw new TypeError(`${name}: the last argument must be the launch options, { block, grid }, got ${nameOf(options)}`);
}

/** No array and no instance of a class, such as memory. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Refuse unknown options; true where none is an attribute's. */
function checkKeys(options: object): boolean {
  let plain = true;
  for (const key in options) {
    // Compared one by one: a search of a list takes ten times as long.
    if (key === 'block' || key === 'grid' || key === 'stream' || key === 'shared') continue;
    if (!OPTIONS.includes(key)) throw new TypeError(`A launch has no option '${key}'; it knows ${OPTIONS.join(', ')}`);
    plain = false;
  }
  return plain;
}
