import type { HostMemory } from '../../core/host-memory.ts';
import { Handle } from '../../core/handle.ts';
import { pin } from '../../core/pin.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { checkMade } from '../../core/maker.ts';
import { closeOnce, handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import type { Context } from '../device/context.ts';
import { OpenCLError } from '../errors.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import type { UseRecord } from '../queue/uses.ts';
import { MemFlags, MemInfo } from '../sys/enums.ts';

export type RawMemory = Opaque<'cl_mem'>;

/**
 * The base of buffers, images and pipes.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetMemObjectInfo.html | clGetMemObjectInfo}
 */
export abstract class MemoryObject extends Resource<RawMemory> {
  readonly context: Context;
  /** Bits of {@link MemFlags}. */
  readonly flags: number;
  /**
   * The commands that use the memory, where a pool or an array keeps a record of them.
   * @internal
   */
  readonly uses: UseRecord | undefined;
  readonly #host: HostMemory | undefined;

  /**
   * @param isQuiet - whether the collector may take it without a warning
   * @internal
   */
  constructor(
    handle: Handle<RawMemory>,
    context: Context,
    flags: number,
    uses?: UseRecord,
    host?: HostMemory,
    isQuiet = false,
  ) {
    checkMade(
      handle instanceof Handle,
      'MemoryObject',
      'write new Buffer(context, flags, size) or new Image(context, flags, format, size)',
    );
    super(handle, isQuiet);
    this.#host = (flags & MemFlags.USE_HOST_PTR) === 0 ? undefined : host;
    this.context = context;
    this.flags = flags;
    this.uses = uses;
  }

  /** The driver's `cl_mem`, borrowed: good until {@link MemoryObject.close}. */
  get handle(): Opaque<'cl_mem'> {
    return this.use('handle');
  }

  /**
   * The host array that is the memory itself, with `USE_HOST_PTR`; undefined of other memory. It shows the writes of
   * commands while the memory is mapped.
   */
  get hostArray(): HostMemory | undefined {
    handleOf(this, 'hostArray');
    return this.#host;
  }

  /**
   * Free the memory once no command uses it.
   *
   * @throws {@link ClosedError} it was released before; a second `close()` does nothing
   */
  release(): void {
    closeOnce(this, 'release');
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends MemInfo>(name: Name): InfoOf<typeof MemInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: MemInfo | number, kind?: InfoKind): InfoValue {
    const query = cl.clGetMemObjectInfo.bind(undefined, handleOf(this, 'getInfo').value);
    return readInfo(MemInfo, query, name, kind, this.constructor.name);
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }
}

/**
 * How to release a memory object. Commands in flight may still use host memory under it: then our reference and the memory
 * are released when ours is the last reference.
 */
export function releaser(kind: string, flags: number, host: HostMemory | undefined): (raw: RawMemory) => void {
  const release = (raw: RawMemory): void => cleanup(kind, () => cl.clReleaseMemObject(raw));
  if ((flags & MemFlags.USE_HOST_PTR) === 0) return release;
  const unpin = host && pin(host, 'object');
  // The host array stays referenced as long as the function that releases it.
  const held = { host, unpin };
  return (raw) =>
    whenLast(raw, () => {
      release(raw);
      held.unpin?.();
    });
}

/**
 * Run the release of a memory object when ours is its last reference: commands may have others. Where the driver cannot be
 * asked, it is asked again later.
 */
export function whenLast(raw: RawMemory, end: () => void): void {
  const count = new Uint32Array(1);
  const isLast = (): boolean => {
    cl.clGetMemObjectInfo(raw, MemInfo.REFERENCE_COUNT[0], 4, count, 0n);
    return (count[0] ?? 0) <= 1;
  };
  let isOver = false;
  try {
    isOver = isLast();
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
  }
  if (isOver) end();
  else holdUntil(isLast, end);
}
