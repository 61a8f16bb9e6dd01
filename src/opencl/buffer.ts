import { checkInteger, hostByteLength, isHostMemory, nameOf, type HostMemory } from '../core/host-memory.ts';
import { Handle } from '../core/handle.ts';
import { holdUntil } from '../core/in-flight.ts';
import { closeOnce, Resource } from '../core/resource.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { cl, cleanup, withReclaim } from './call.ts';
import { checkContext, type Context } from './context.ts';
import { readInfo, type InfoKind, type InfoOf, type InfoValue } from './info.ts';
import { BufferCreateType, MemFlags, MemInfo } from './sys/enums.ts';

export type RawMemory = Opaque<'cl_mem'>;

const { READ_WRITE, READ_ONLY, WRITE_ONLY, USE_HOST_PTR, COPY_HOST_PTR, ALLOC_HOST_PTR } = MemFlags;
const { HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS } = MemFlags;
const KNOWN_FLAGS = Object.values(MemFlags).reduce((all, flag) => all | flag, 0);
const EXCLUSIVE = [
  [READ_WRITE, READ_ONLY, WRITE_ONLY],
  [HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS],
] as const;

/** Where a sub-buffer's bytes are. */
interface Region {
  readonly root: Buffer;
  /** Bytes from the root's first. */
  readonly offset: number;
  readonly handle: Handle<RawMemory>;
  readonly byteLength: number;
  readonly flags: number;
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
export class Buffer extends Resource<RawMemory> {
  readonly context: Context;
  /** Bytes. */
  readonly byteLength: number;
  /** Bits of {@link MemFlags}. */
  readonly flags: number;
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
  constructor(context: Context, flags: number, source: number | HostMemory);
  /** @internal */
  constructor(context: Context, flags: Region);
  constructor(context: Context, flags: number | Region, source?: number | HostMemory) {
    if (typeof flags === 'object') {
      super(flags.handle);
      this.#root = flags.root;
      this.offset = flags.offset;
      this.byteLength = flags.byteLength;
      this.flags = flags.flags;
    } else {
      checkContext(context, 'Buffer');
      const owner = context.owned('Buffer');
      checkFlags(flags);
      const byteLength = sizeOf(flags, source, context);
      const host = isHostMemory(source) ? source : undefined;
      const raw = withReclaim(() => cl.clCreateBuffer(owner.value, flags, byteLength, host ?? 0n));
      super(new Handle('Buffer', raw, (flags & USE_HOST_PTR) !== 0 ? releaseOver(host) : release, [owner]));
      this.offset = 0;
      this.byteLength = byteLength;
      this.flags = flags;
    }
    this.context = context;
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
    this.use('subRegion');
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
    const handle = new Handle('Buffer', raw, release, [owner]);
    return new Buffer(this.context, { root, offset: origin, handle, byteLength, flags: flags || this.flags });
  }

  /**
   * Free the memory, as soon as no command uses it.
   *
   * @throws {@link ClosedError} it was released before; `close()` does not mind
   */
  release(): void {
    closeOnce(this, 'release');
  }

  /** The whole that this is a part of, or the buffer itself. */
  get root(): Buffer {
    return this.#root ?? this;
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends MemInfo>(name: Name): InfoOf<typeof MemInfo, Name>;
  getInfo(param: number, kind: InfoKind): InfoValue;
  getInfo(name: MemInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(MemInfo, cl.clGetMemObjectInfo.bind(undefined, this.use('getInfo')), name, kind, 'Buffer');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
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

function checkFlags(flags: unknown): void {
  checkInteger(flags, 'Buffer: flags', 0, KNOWN_FLAGS);
  const bits = flags as number;
  if ((bits & ~KNOWN_FLAGS) !== 0) throw new RangeError(`Buffer: 0x${bits.toString(16)} has bits that are no MemFlags`);
  for (const group of EXCLUSIVE) {
    const given = group.filter((flag) => (bits & flag) !== 0);
    if (given.length > 1) throw new RangeError(`Buffer: ${given.map(nameOfFlag).join(' and ')} exclude each other`);
  }
  if ((bits & USE_HOST_PTR) !== 0 && (bits & (COPY_HOST_PTR | ALLOC_HOST_PTR)) !== 0) {
    throw new RangeError('Buffer: USE_HOST_PTR excludes COPY_HOST_PTR and ALLOC_HOST_PTR');
  }
}

function nameOfFlag(flag: number): string {
  return Object.entries(MemFlags).find(([, value]) => value === flag)?.[0] ?? String(flag);
}

function sizeOf(flags: number, source: unknown, context: Context): number {
  const wantsHost = (flags & (USE_HOST_PTR | COPY_HOST_PTR)) !== 0;
  let byteLength: number;
  if (isHostMemory(source)) {
    if (!wantsHost) throw new TypeError('Buffer: a host array needs the flag COPY_HOST_PTR or USE_HOST_PTR');
    byteLength = hostByteLength(source, 'Buffer: the host array');
  } else {
    if (typeof source !== 'number' && typeof source !== 'bigint') {
      throw new TypeError(`Buffer takes a size in bytes or a host array; ${nameOf(source)} came`);
    }
    byteLength = checkInteger(source, 'Buffer: the size in bytes', 1);
    if (wantsHost) throw new TypeError('Buffer: COPY_HOST_PTR and USE_HOST_PTR need a host array; a size came');
  }
  const limit = Math.max(...context.devices.map((device) => device.limits.allocation));
  if (byteLength > limit) {
    throw new RangeError(`Buffer: ${byteLength} bytes are too many; the device allows ${limit} in one buffer`);
  }
  return byteLength;
}

function release(raw: RawMemory): void {
  cleanup('Buffer', () => cl.clReleaseMemObject(raw));
}

/** Commands in flight may still use the host memory: our reference and the memory go when ours is the last. */
function releaseOver(host: HostMemory | undefined): (raw: RawMemory) => void {
  const held = { host, count: new Uint32Array(1) };
  return (raw) => {
    const isLast = (): boolean => {
      cl.clGetMemObjectInfo(raw, MemInfo.REFERENCE_COUNT[0], 4, held.count, 0n);
      return (held.count[0] ?? 0) <= 1;
    };
    if (isLast()) release(raw);
    else holdUntil(isLast, () => release(raw));
  };
}
