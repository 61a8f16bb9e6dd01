import { checkInteger, hostByteLength, isHostMemory, nameOf, type HostMemory } from '../../core/host-memory.ts';
import { hostOf, type RefValue } from '../../core/ref-value.ts';
import { Handle } from '../../core/handle.ts';
import { cl, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { externalProperties, type ExternalMemory } from '../external/external-memory.ts';
import { checkMemFlags, KNOWN_FLAGS, wantsHost } from './mem-flags.ts';
import { MemoryObject, releaser, type RawMemory } from './memory-object.ts';
import type { Uses } from '../queue/uses.ts';
import { BufferCreateType, MemFlags } from '../sys/enums.ts';

/** Where the bytes of a buffer are that is made of another one, or of memory that is there. */
export interface Region {
  readonly root: Buffer | undefined;
  /** Bytes from the root's first. */
  readonly offset: number;
  readonly handle: Handle<RawMemory>;
  readonly byteLength: number;
  readonly flags: number;
  readonly uses?: Uses | undefined;
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
 * using b = new cl.Buffer(ctx, mf.WRITE_ONLY, a.byteLength);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateBuffer.html | clCreateBuffer}
 */
export class Buffer extends MemoryObject {
  /** Bytes. */
  readonly byteLength: number;
  /** Bytes from the start of the buffer that this one is a part of; 0 for a whole buffer. */
  readonly offset: number;
  readonly #root: Buffer | undefined;

  /**
   * Allocate memory, or take a host array's content along.
   *
   * Host: copies with `COPY_HOST_PTR`, else may return before any memory is there.
   *
   * @param context - whose devices can use it
   * @param flags - bits of {@link MemFlags}; `COPY_HOST_PTR` or `USE_HOST_PTR` for a host array
   * @param source - a size in bytes, or a host array, which gives its size and content. With `USE_HOST_PTR` it is the
   * memory itself: it stays referenced, and must not be detached, until the buffer and its commands have ended
   * @throws TypeError a host array without its flag, or the flag without a host array
   * @throws RangeError a size below 1 or above the devices' limit, or flags that exclude each other
   * @throws {@link OpenCLMemoryError} CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  constructor(context: Context, flags: number, source: number | HostMemory | RefValue);
  /** @internal */
  constructor(context: Context, flags: number, byteLength: number, uses: Uses);
  /** @internal */
  constructor(context: Context, flags: Region);
  constructor(context: Context, flags: number | Region, given?: number | HostMemory | RefValue, uses?: Uses) {
    if (typeof flags === 'object') {
      super(flags.handle, context, flags.flags, flags.uses);
      this.#root = flags.root;
      this.offset = flags.offset;
      this.byteLength = flags.byteLength;
    } else {
      checkContext(context, 'Buffer');
      const owner = context.owned('Buffer');
      checkMemFlags(flags, 'Buffer');
      const source = hostOf(given);
      const byteLength = sizeOf(flags, source, context);
      const host = isHostMemory(source) ? source : undefined;
      const raw = withReclaim(() => cl.clCreateBuffer(owner.value, flags, byteLength, host ?? 0n));
      super(new Handle('Buffer', raw, releaser('Buffer', flags, host), [owner]), context, flags, uses);
      this.offset = 0;
      this.byteLength = byteLength;
    }
  }

  /**
   * Memory that somebody else has allocated, as a buffer. {@link enqueueAcquireExternal} comes before its first use.
   * Wants OpenCL 3.0 and `cl_khr_external_memory`.
   *
   * @param external - a file descriptor of the memory, and how long that is
   * @throws Error a device of the context has not the extension
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: it does not know that kind of descriptor
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateBuffer.html | clCreateBufferWithProperties}
   */
  static fromExternal(context: Context, external: ExternalMemory): Buffer {
    const what = 'Buffer.fromExternal';
    checkContext(context, what);
    const owner = context.owned('fromExternal');
    const properties = externalProperties(context, external, what);
    const { byteLength, flags = MemFlags.READ_WRITE } = external;
    checkMemFlags(flags, what);
    if (wantsHost(flags)) throw new TypeError(`${what}: the memory is there already: no host array can be its content`);
    const raw = withReclaim(() => cl.clCreateBufferWithProperties(owner.value, properties, flags, byteLength, 0n));
    const handle = new Handle('Buffer', raw, releaser('Buffer', 0, undefined), [owner]);
    return new Buffer(context, { root: undefined, offset: 0, handle, byteLength, flags });
  }

  /**
   * A part of the buffer, as a buffer of its own that shares the bytes. A part of a part is a part of the whole.
   *
   * @param offset - bytes; the devices' `memBaseAddrAlign / 8` must divide it
   * @param byteLength - bytes; default: up to the end
   * @param flags - bits of {@link MemFlags}; default: as the whole's
   * @throws RangeError it does not lie within the buffer, or the offset is misaligned
   */
  subRegion(offset: number, byteLength: number = this.byteLength - offset, flags = 0): Buffer {
    const what = 'Buffer.subRegion';
    const root = this.#root ?? this;
    this.owned('subRegion');
    checkInteger(offset, `${what}: offset`, 0, this.byteLength - 1);
    checkInteger(byteLength, `${what}: byteLength`, 1, this.byteLength - offset);
    checkInteger(flags, `${what}: flags`, 0, KNOWN_FLAGS);
    const origin = this.offset + offset;
    const alignment = Math.min(...this.context.devices.map((device) => device.limits.subBufferAlignment));
    if (origin % alignment !== 0) {
      const whole = origin === offset ? '' : ` (${origin} of the whole buffer)`;
      throw new RangeError(`${what}: offset must be a multiple of ${alignment} on this device; ${offset}${whole} came`);
    }
    const owner = root.owned('subRegion');
    const region = new BigUint64Array([BigInt(origin), BigInt(byteLength)]);
    const raw = withReclaim(() => cl.clCreateSubBuffer(owner.value, flags, BufferCreateType.REGION, region));
    const handle = new Handle('Buffer', raw, releaser('Buffer', 0, undefined), [owner]);
    const { uses } = root;
    return new Buffer(this.context, { root, offset: origin, handle, byteLength, flags: flags || this.flags, uses });
  }

  /** The whole that this is a part of, or the buffer itself. */
  get root(): Buffer {
    return this.#root ?? this;
  }
}

/** Refuse what is no buffer of this context. The method is named in the error. */
export function checkBuffer(value: unknown, context: Context, what: string): asserts value is Buffer {
  if (!(value instanceof Buffer)) {
    const hint = isHostMemory(value) ? '; make one with COPY_HOST_PTR, or use enqueueCopy' : '';
    throw new TypeError(`${what} must be a Buffer; ${nameOf(value)} came${hint}`);
  }
  if (value.context.identity !== context.identity) throw new TypeError(`${what} belongs to another context`);
}

function sizeOf(flags: number, source: unknown, context: Context): number {
  const host = wantsHost(flags);
  let byteLength: number;
  if (isHostMemory(source)) {
    if (!host) throw new TypeError('Buffer: a host array needs the flag COPY_HOST_PTR or USE_HOST_PTR');
    byteLength = hostByteLength(source, 'Buffer: the host array');
  } else {
    if (typeof source !== 'number' && typeof source !== 'bigint') {
      throw new TypeError(`Buffer takes a size in bytes or a host array; ${nameOf(source)} came`);
    }
    byteLength = checkInteger(source, 'Buffer: the size in bytes', 1);
    if (host) throw new TypeError('Buffer: COPY_HOST_PTR and USE_HOST_PTR need a host array; a size came');
  }
  const limit = Math.max(...context.devices.map((device) => device.limits.allocation));
  if (byteLength > limit) {
    throw new RangeError(`Buffer: ${byteLength} bytes are too many; the device allows ${limit} in one buffer`);
  }
  return byteLength;
}
