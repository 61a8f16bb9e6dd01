import { PublicObject } from '../../core/public-object.ts';
import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { tagOfArray, tagOfType, type ElementTag } from '../../core/element-tag.ts';
import { checkInteger, checkNumber, checkOptions } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import type { ElementsOf, Known } from '../../core/typed/element.ts';
import { checkFixed } from '../../core/pin.ts';
import { Handle } from '../../core/handle.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { handleOf, closeOnce, Resource } from '../../core/resource.ts';
import { NULL } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { Pages } from './pages.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { largestAllocation } from '../device/device-limits.ts';
import { requireVersion } from '../device/requirement.ts';
import { openclError } from '../errors.ts';
import { foreignHandle } from '../foreign.ts';
import { unsupported } from '../extension.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { holdForEvent } from '../queue/hold-for-event.ts';
import { checkQueue, enqueueBarrierFor, submit, type CommandQueue } from '../queue/queue.ts';
import { Uses, type UseRecord } from '../queue/uses.ts';
import { DeviceSvmCapabilities, SvmMemFlags, status as statuses } from '../sys/enums.ts';
import { bufferOver } from './buffer-over.ts';
import type { Buffer } from './buffer.ts';
import { mapSVM, type SVMMap, type SVMMapOptions } from './svm-map.ts';
import { checkAlignment, checkCapabilities, checkFlags } from './svm-flags.ts';
import { brandSVM, type SVMMemory } from './svm-memory.ts';
import type { SVMState } from './svm-state.ts';

/** How an {@link SVMAllocation} is made. */
export interface SVMOptions<T extends ElementType> {
  /** Element type of its arrays: a dtype's name or a typed array's class. Default: `'u8'` */
  readonly type?: T;
  /** Bytes, a power of 2 up to 128. Default: the driver's choice. */
  readonly alignment?: number;
}

/** An existing allocation: a pool's. */
export interface Existing<T extends ElementType> extends Allocated {
  readonly byteLength: number;
  readonly options: SVMOptions<T>;
}

/** The handle and the flags of an allocation. */
export interface Allocated {
  readonly handle: Handle<SVMState>;
  readonly flags: number;
}

const ALLOCATION_FAILURE = statuses.CL_MEM_OBJECT_ALLOCATION_FAILURE[0];

/** Keeps an allocation for as long as any array over its memory is reachable. */
const keepers = new WeakMap<ArrayBuffer, object>();

/**
 * Shared virtual memory: host and device know it by the same address, so that it may hold pointers into itself. The host
 * uses coarse-grained memory between {@link SVMAllocation.map} and `unmap`, fine-grained memory at any time. OpenCL 2.0.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using prg = new cl.Program(ctx, '__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }').build();
 * if ((ctx.devices[0]?.svmCapabilities ?? 0) & cl.DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) {
 *   using a = cl.csvmEmpty(ctx, 100, 'f32');
 *   using map = a.map(queue, cl.MapFlags.WRITE);
 *   map.array.fill(1);
 *   map.unmap();
 *   prg.kernel('twice')(queue, 100, null, a);
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clSVMAlloc.html | clSVMAlloc}
 */
export class SVMAllocation<T extends ElementType = 'u8'> extends Resource<SVMState> implements SVMMemory {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<ElementsOf<ArrayOf<T>>>;
  readonly context: Context;
  /** Bytes; may be 0. */
  readonly byteLength: number;
  /** Bits of {@link SvmMemFlags}. */
  readonly flags: number;
  /** Element type of its arrays. */
  readonly type: T;
  /** @internal */
  elementTag: ElementTag;
  #pages: Pages | undefined;

  /**
   * Allocate shared memory.
   *
   * @param flags - bits of {@link SvmMemFlags}: how kernels access it, and `SVM_FINE_GRAIN_BUFFER`, `SVM_ATOMICS`
   * @param byteLength - bytes; 0 allocates nothing
   * @throws Error the platform is older than OpenCL 2.0
   * @throws RangeError a size above the devices' limit, or flags that exclude each other
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: no device of the context has such memory
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  constructor(context: Context, flags: number, byteLength: number, options?: SVMOptions<T>);
  /** @internal */
  constructor(context: Context, existing: Existing<T>);
  constructor(context: Context, given: number | Existing<T>, size = 0, settings: SVMOptions<T> = {}) {
    const existing = isExisting(given) ? given : undefined;
    const { byteLength, options } = existing ?? { byteLength: size, options: settings };
    checkContext(context, 'SVMAllocation');
    checkOptions(options, ['type', 'alignment'], 'SVMAllocation');
    const type = (options.type ?? 'u8') as T;
    const { bytes } = arrayClass(type, 'SVMAllocation: type');
    checkNumber(byteLength, 'SVMAllocation: byteLength', 0);
    if (byteLength % bytes !== 0) {
      throw new RangeError(`SVMAllocation: ${byteLength} bytes are not a multiple of the element size ${bytes}`);
    }
    const { handle, flags } = existing ?? allocateSVM(context, given as number, byteLength, options.alignment ?? 0);
    super(handle);
    this.context = context;
    this.byteLength = byteLength;
    this.flags = flags;
    this.type = type;
    this.elementTag = tagOfType(type);
  }

  /**
   * Use shared memory that another library has allocated in this context. No driver reports its allocations, and
   * there is no count of references: the other library frees the memory, and not before this object is closed.
   *
   * @param address - of its first byte, from `clSVMAlloc`
   * @param byteLength - bytes
   * @param flags - the flags of its allocation
   * @param options - element type of its arrays
   * @throws TypeError the address is not a bigint
   * @throws RangeError no address, a size below 1, or not a multiple of the element size
   */
  static fromHandle<T extends ElementType = 'u8'>(
    context: Context,
    address: bigint,
    byteLength: number,
    flags: number = SvmMemFlags.READ_WRITE,
    options: Pick<SVMOptions<T>, 'type'> = {},
  ): SVMAllocation<T> {
    const what = 'SVMAllocation.fromHandle';
    checkContext(context, what);
    requireVersion(context.platform, 2, 0, what);
    const known = foreignHandle(address, {}, what);
    checkOptions(options, ['type'], what);
    checkNumber(byteLength, `${what}: byteLength`, 1);
    checkFlags(flags);
    const owner = handleOf(context, 'fromHandle');
    const state = { address: known, uses: new Uses(), freed: true, mapped: false };
    const handle = new Handle<SVMState>('SVMAllocation', state, undefined, [owner]);
    return new SVMAllocation<T>(context, { handle, flags, byteLength, options });
  }

  /** Whether the host may use it without mapping. */
  get fineGrain(): boolean {
    return (this.flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) !== 0;
  }

  /** The address of its first byte, for a pointer within shared memory; 0n where it has no bytes. Good until it is closed. */
  get address(): bigint {
    return handleOf(this, 'address').value.address;
  }

  /**
   * Fine-grained memory as a typed array: of length 0 once it is closed. Wait for commands that write to it.
   *
   * @throws Error coarse-grained memory: map it
   */
  get array(): ArrayOf<T> {
    const { address } = handleOf(this, 'array').value;
    if (!this.fineGrain)
      throw new Error('SVMAllocation.array: coarse-grained memory has an array only while it is mapped; call map()');
    return this.#over(address);
  }

  /**
   * Map the memory for the host until `unmap`, as a typed array over the memory itself. Fine-grained memory need not be mapped.
   *
   * Host: blocks, unless `blocking: false`; then wait for the map's `event`. Queue: ordered.
   *
   * @param flags - bits of {@link MapFlags}: what the host will do
   * @throws Error the memory is already mapped
   */
  map(queue: CommandQueue, flags: number, options: SVMMapOptions = {}): SVMMap<ArrayOf<T>> {
    checkQueue(queue, 'SVMAllocation.map');
    const pointer = this.pointer(queue.context, 'SVMAllocation.map');
    const { array: ArrayType } = arrayClass(this.type, 'SVMAllocation.map');
    return mapSVM(queue, handleOf(this, 'map'), pointer, this.byteLength, flags, options, (pages) => {
      return new ArrayType(pages) as ArrayOf<T>;
    });
  }

  /**
   * A {@link Buffer} over the same memory, for kernels and functions that take one.
   *
   * @param flags - bits of {@link MemFlags}; `USE_HOST_PTR` is added
   */
  asBuffer(flags = 0): Buffer<ArrayOf<T> & ArrayBufferView> {
    const { address } = handleOf(this, 'asBuffer').value;
    checkInteger(this.byteLength, 'SVMAllocation.asBuffer: byteLength', 1);
    const owner = handleOf(this, 'asBuffer');
    const buffer: Buffer<ArrayOf<T> & ArrayBufferView> = bufferOver(
      this.context,
      address,
      this.byteLength,
      flags,
      owner,
    );
    buffer.elementTag = this.elementTag;
    return buffer;
  }

  /**
   * Free the memory once no command that got it here uses it.
   *
   * @throws {@link ClosedError} it was released before; a second `close()` does nothing
   */
  release(): void {
    closeOnce(this, 'release');
  }

  /**
   * Have the queue free the memory in its order. The object is closed.
   *
   * Host: does not block. Queue: ordered; it waits for commands of other queues that use the memory.
   */
  enqueueRelease(queue: CommandQueue, options: EnqueueOptions = {}): Event {
    const what = 'SVMAllocation.enqueueRelease';
    checkQueue(queue, what);
    checkOptions(options, ['waitFor'], what);
    const { owns, value: state } = handleOf(this, 'enqueueRelease');
    if (!owns) throw new Error(`${what}: the memory belongs to the library that allocated it; call close()`);
    const pointer = this.pointer(queue.context, what);
    const list = new BigUint64Array([pointer]);
    queue.use(what);
    enqueueBarrierFor(queue, state.uses.events);
    const event = submit(queue, what, options.waitFor, [], (raw, count, waits, out) =>
      pointer === 0n
        ? cl.clEnqueueMarkerWithWaitList(raw, count, waits, out)
        : cl.clEnqueueSVMFree(raw, 1, list, NULL, 0n, count, waits, out),
    );
    // The list of addresses is the driver's until then.
    holdForEvent(event, list);
    state.freed = true;
    this.close();
    return event;
  }

  override close(): void {
    if (!this.closed) this.#pages?.end('an SVMAllocation', () => handleOf(this, 'close').retain());
    this.#pages = undefined;
    super.close();
  }

  /**
   * Throws: code that could write to the record could have memory freed twice.
   * @internal
   */
  override use(method: string): never {
    handleOf(this, method);
    throw new TypeError('An SVMAllocation has no raw value: read its address');
  }

  /** @internal */
  pointer(context: Context, what: string): bigint {
    if (this.context.identity !== context.identity)
      throw new TypeError(`${what}: the memory must belong to this context, got an SVMAllocation of another context`);
    return handleOf(this, what).value.address;
  }

  /** @internal */
  get uses(): Uses {
    return handleOf(this, 'uses').value.uses;
  }

  #over(address: bigint): ArrayOf<T> {
    const { array: ArrayType } = arrayClass(this.type, 'SVMAllocation');
    let pages = this.#pages;
    if (!pages) {
      pages = new Pages(address, this.byteLength);
      keepers.set(pages.buffer, this);
      this.#pages = pages;
    }
    return new ArrayType(pages.buffer) as ArrayOf<T>;
  }
}
brandSVM(SVMAllocation);

/** Allocate, or throw the reason. */
function isExisting<T extends ElementType>(given: number | Existing<T>): given is Existing<T> {
  return typeof given === 'object' && Handle.isOwnOf(given);
}

export function allocateSVM(context: Context, flags: number, byteLength: number, alignment: number): Allocated {
  const what = 'SVMAllocation';
  requireVersion(context.platform, 2, 0, what);
  checkFlags(flags);
  checkAlignment(alignment, what);
  const limit = largestAllocation(context.devices);
  if (byteLength > limit) {
    throw new RangeError(`${what}: ${byteLength} bytes are too many; the device allows ${limit} in one piece`);
  }
  checkCapabilities(context, flags);
  const owner = handleOf(context, what);
  const state: SVMState = { address: 0n, uses: new Uses(), freed: false, mapped: false };
  if (byteLength === 0) return { flags, handle: new Handle(what, state, () => undefined, [owner]) };
  const address = withReclaim(() => {
    // Koffi gives null for NULL.
    const found = cl.clSVMAlloc(owner.value, flags, byteLength, alignment) as bigint | null;
    if (found !== null && found !== 0n) return found;
    throw openclError('clSVMAlloc', ALLOCATION_FAILURE, { facts: { asked: `${byteLength} bytes` } });
  });
  const free = (given: SVMState): void => {
    if (given.freed) return;
    const release = (): void => {
      cleanup(what, () => cl.clSVMFree(owner.value, address));
    };
    if (!given.uses.pending) {
      release();
      return;
    }
    owner.retain();
    holdUntil(
      () => !given.uses.pending,
      () => {
        release();
        owner.release();
      },
    );
  };
  return { flags, handle: new Handle(what, { ...state, address }, free, [owner]) };
}

/**
 * Host memory as a kernel argument, on devices that share all of it: fine-grained system memory. It stays referenced,
 * and must not be detached, until the commands that use it have ended.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const shared = new cl.SVM(new Float32Array(100));
 * console.log(shared.byteLength); // 400
 * ```
 */
export class SVM<A extends HostMemory = HostMemory> extends PublicObject implements SVMMemory {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<ElementsOf<A>>;
  readonly array: A;
  /**
   * Host memory has one owner, and stays referenced while a command uses it.
   * @internal
   */
  readonly uses: UseRecord;
  /** @internal */
  elementTag: ElementTag;

  /** @throws TypeError it is not a host memory */
  constructor(array: A) {
    super();
    hostByteLength(array, 'SVM: the array');
    checkFixed(array, 'SVM: the array');
    this.array = array;
    this.uses = { earlierThan: () => [], add: (event) => holdForEvent(event, array) };
    this.elementTag = tagOfArray(array);
  }

  /** Bytes. */
  get byteLength(): number {
    return this.array.byteLength;
  }

  /** @internal */
  pointer(context: Context, what: string): bigint {
    hostByteLength(this.array, `${what}: the array in SVM`);
    const { FINE_GRAIN_SYSTEM } = DeviceSvmCapabilities;
    const { platform, devices } = context;
    const has =
      platform.atLeast(2, 0) && devices.every((one) => (one.getInfo('SVM_CAPABILITIES') & FINE_GRAIN_SYSTEM) !== 0);
    if (has) return addressOf(this.array);
    throw unsupported(
      what,
      `${devices.map(({ name }) => name).join(', ')}: does not share the host's memory (FINE_GRAIN_SYSTEM); use fsvmEmpty or csvmEmpty`,
    );
  }
}
brandSVM(SVM);
