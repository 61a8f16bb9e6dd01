import { checkInteger, checkNumber, nameOf } from '../../core/check.ts';
import { hostByteLength, hostBytes, isHostMemory, type HostMemory } from '../../core/host-memory.ts';
import { tagOfArray, type ElementTag } from '../../core/element-tag.ts';
import { checkFixed } from '../../core/pin.ts';
import { hostOf, type RefValue } from '../../core/ref-value.ts';
import type { Content, ElementsIn, Known } from '../../core/typed/element.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import { cl, createBuffer, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { largestAllocation } from '../device/device-limits.ts';
import { externalProperties, type ExternalMemory } from './external-memory.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { memoryFacts } from './foreign-memory.ts';
import { checkMemFlags, KNOWN_FLAGS, wantsHost } from './mem-flags.ts';
import { MemoryObject, releaser, type RawMemory } from './memory-object.ts';
import type { UseRecord, Uses } from '../queue/uses.ts';
import { BufferCreateType, MemFlags, MemObjectType } from '../sys/enums.ts';

/** The place of a buffer's bytes, for a part of another buffer or for existing memory. */
export interface Region {
  readonly root: Buffer | undefined;
  /** Bytes from the root's first. */
  readonly offset: number;
  readonly handle: Handle<RawMemory>;
  readonly byteLength: number;
  readonly flags: number;
  readonly uses?: UseRecord | undefined;
  readonly host?: HostMemory | undefined;
  /** Whether another API has allocated it. */
  readonly external?: boolean;
  /** Whether the collector may take the object without a warning. */
  readonly isQuiet?: boolean;
}

let readExternal: (buffer: Buffer) => boolean;

function isRegion(given: number | Region): given is Region {
  return typeof given === 'object' && Handle.isOwnOf(given);
}

/**
 * Memory of a context's devices.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const mf = cl.MemFlags;
 * using ctx = cl.createSomeContext();
 * using a = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, Float32Array.of(1, 2, 3));
 * using b = new cl.Buffer<'f32'>(ctx, mf.WRITE_ONLY, a.byteLength);
 * ```
 * @typeParam Of - what it holds, for the type checker: an element's name, or the type of the host array
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateBuffer.html | clCreateBuffer}
 */
export class Buffer<Of extends Content = Content> extends MemoryObject {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<ElementsIn<Of>>;
  /** Bytes. */
  readonly byteLength: number;
  /** Bytes from the start of the buffer that this one is a part of; 0 for a whole buffer. */
  readonly offset: number;
  readonly #root: Buffer<Of> | undefined;
  readonly #external: boolean = false;
  #tag: ElementTag = 0;

  /**
   * Allocate memory, or memory with a host array's content.
   *
   * Host: copies with `COPY_HOST_PTR`, else may return before any memory is there.
   *
   * @param context - whose devices can use it
   * @param flags - bits of {@link MemFlags}; `COPY_HOST_PTR` or `USE_HOST_PTR` for a host array
   * @param source - a size in bytes, or a host array, which gives its size, content and element type: a kernel that takes
   * a pointer to another type refuses the buffer. A Uint8Array, a Buffer, a DataView and an ArrayBuffer are bytes, which fit
   * any type. With `USE_HOST_PTR` the array is the memory itself: it stays referenced, and must not be detached, until
   * the buffer and its commands have ended
   * @throws TypeError a host array without its flag, or the flag without a host array
   * @throws RangeError a size below 1 or above the devices' limit, or flags that exclude each other
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  constructor(context: Context, flags: number, source: Of | number | HostMemory | RefValue);
  /** @internal */
  constructor(context: Context, flags: number, byteLength: number, uses: Uses);
  /** @internal */
  constructor(context: Context, flags: Region);
  constructor(context: Context, flags: number | Region, given?: number | HostMemory | RefValue, uses?: Uses) {
    if (isRegion(flags)) {
      super(flags.handle, context, flags.flags, flags.uses, flags.host, flags.isQuiet);
      this.#root = flags.root as Buffer<Of> | undefined;
      this.offset = flags.offset;
      this.byteLength = flags.byteLength;
      this.#external = flags.external === true;
    } else {
      checkContext(context, 'Buffer');
      const owner = handleOf(context, 'Buffer');
      checkMemFlags(flags, 'Buffer');
      const source = hostOf(given);
      const byteLength = sizeOf(flags, source, context);
      const host = isHostMemory(source) ? source : undefined;
      const raw = host
        ? withReclaim(() => cl.clCreateBuffer(owner.value, flags, byteLength, host))
        : createBuffer(owner.value, flags, byteLength);
      super(new Handle('Buffer', raw, releaser('Buffer', flags, host), [owner]), context, flags, uses, host);
      this.offset = 0;
      this.byteLength = byteLength;
      this.#tag = tagOfArray(host);
    }
  }

  /**
   * Use memory of another allocator as a buffer. Call {@link enqueueAcquireExternal} before the first use.
   * Needs OpenCL 3.0 and `cl_khr_external_memory`.
   *
   * @param external - a file descriptor of the memory, and its length
   * @throws Error a device of the context does not have the extension
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: a device does not know that kind of descriptor
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateBuffer.html | clCreateBufferWithProperties}
   */
  static fromExternal(context: Context, external: ExternalMemory): Buffer {
    const what = 'Buffer.fromExternal';
    checkContext(context, what);
    const owner = handleOf(context, 'fromExternal');
    const properties = externalProperties(context, external, what);
    const { byteLength, flags = MemFlags.READ_WRITE } = external;
    checkMemFlags(flags, what);
    if (wantsHost(flags))
      throw new TypeError(`${what}: the memory exists already; pass flags without COPY_HOST_PTR and USE_HOST_PTR`);
    const raw = withReclaim(() => cl.clCreateBufferWithProperties(owner.value, properties, flags, byteLength, 0n));
    const handle = new Handle('Buffer', raw, releaser('Buffer', 0, undefined), [owner]);
    return new Buffer(context, { root: undefined, offset: 0, handle, byteLength, flags, external: true });
  }

  /**
   * Use a buffer that another library has made, by its `cl_mem`.
   *
   * @param context - the buffer's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it is not a buffer, or one of another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainMemObject.html | clRetainMemObject}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_mem'>, options: ForeignOptions = {}): Buffer {
    const what = 'Buffer.fromHandle';
    checkContext(context, what);
    const raw = foreignHandle(handle, options, what);
    const owner = handleOf(context, 'fromHandle');
    const { type, of, external, ...facts } = memoryFacts(raw);
    if (type !== MemObjectType.BUFFER) throw new TypeError(`${what}: the object must be a buffer`);
    checkForeignContext(of, context, what);
    if (options.retain !== false) cl.clRetainMemObject(raw);
    const record = new Handle('Buffer', raw, releaser('Buffer', 0, undefined), [owner]);
    return new Buffer(context, { root: undefined, handle: record, external, ...facts });
  }

  /**
   * A part of the buffer, as a buffer of its own that shares the bytes. A part of a part is a part of the whole.
   *
   * @param offset - bytes; the devices' `memBaseAddrAlign / 8` must divide it
   * @param byteLength - bytes; default: up to the end
   * @param flags - bits of {@link MemFlags}; default: as the whole's
   * @throws RangeError it does not lie within the buffer, or the offset is misaligned
   */
  subRegion(offset: number, byteLength?: number, flags = 0): Buffer<Of> {
    const what = 'Buffer.subRegion';
    const root = this.#root ?? this;
    handleOf(this, 'subRegion');
    const start = checkInteger(offset, `${what}: offset`, 0, this.byteLength - 1);
    const room = this.byteLength - start;
    const length = checkInteger(byteLength ?? room, `${what}: byteLength`, 1, room);
    checkNumber(flags, `${what}: flags`, 0, KNOWN_FLAGS);
    const origin = this.offset + start;
    const alignment = Math.min(...this.context.devices.map((device) => device.limits.subBufferAlignment));
    if (origin % alignment !== 0) {
      const whole = origin === start ? '' : ` (${origin} of the whole buffer)`;
      throw new RangeError(`${what}: offset must be a multiple of ${alignment} on this device, got ${start}${whole}`);
    }
    const owner = handleOf(root, 'subRegion');
    const region = new BigUint64Array([BigInt(origin), BigInt(length)]);
    const raw = withReclaim(() => cl.clCreateSubBuffer(owner.value, flags, BufferCreateType.REGION, region));
    const handle = new Handle('Buffer', raw, releaser('Buffer', 0, undefined), [owner]);
    const { uses, hostArray } = root;
    const host = hostArray && hostBytes(hostArray, `${what}: the host array`).subarray(origin, origin + length);
    // The part lies in the memory of the whole, also where its own flags differ.
    const own = (flags || this.flags) | (root.flags & MemFlags.USE_HOST_PTR);
    return new Buffer(this.context, { root, offset: origin, handle, byteLength: length, flags: own, uses, host });
  }

  /**
   * The element type of the host array that gave the content; a part has that of the whole.
   * @internal
   */
  get elementTag(): ElementTag {
    return this.root.#tag;
  }

  /** @internal */
  set elementTag(tag: ElementTag) {
    this.root.#tag = tag;
  }

  /** The whole that this is a part of, or the buffer itself. */
  get root(): Buffer<Of> {
    return this.#root ?? this;
  }

  static {
    readExternal = (buffer) => buffer.#external;
  }
}

/** Whether another API has allocated a memory object. */
export function isExternal(memory: MemoryObject): boolean {
  return memory instanceof Buffer && readExternal(memory as Buffer);
}

/** Refuse a value that is not a buffer of this context. The error names the method. */
export function checkBuffer(value: unknown, context: Context, what: string): asserts value is Buffer {
  if (!(value instanceof Buffer)) {
    const hint = isHostMemory(value) ? '; make one with COPY_HOST_PTR, or use enqueueCopy' : '';
    throw new TypeError(`${what} must be a Buffer, got ${nameOf(value)}${hint}`);
  }
  if (value.context.identity !== context.identity) throw new TypeError(`${what} belongs to another context`);
}

function sizeOf(flags: number, source: unknown, context: Context): number {
  const host = wantsHost(flags);
  let byteLength: number;
  if (isHostMemory(source)) {
    if (!host) throw new TypeError('Buffer: a host array needs the flag COPY_HOST_PTR or USE_HOST_PTR');
    byteLength = hostByteLength(source, 'Buffer: the host array');
    if ((flags & MemFlags.USE_HOST_PTR) !== 0) checkFixed(source, 'Buffer: the host array of USE_HOST_PTR');
  } else {
    if (typeof source !== 'number' && typeof source !== 'bigint') {
      throw new TypeError(`Buffer takes a size in bytes or a host array, got ${nameOf(source)}`);
    }
    byteLength = checkInteger(source, 'Buffer: the size in bytes', 1);
    if (host) throw new TypeError('Buffer: COPY_HOST_PTR and USE_HOST_PTR need a host array, got a size');
  }
  const limit = largestAllocation(context.devices);
  if (byteLength > limit) {
    throw new RangeError(`Buffer: ${byteLength} bytes are too many; the device allows ${limit} in one buffer`);
  }
  return byteLength;
}
