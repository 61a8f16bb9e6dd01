import { checkNumber } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { requireVersion } from '../device/requirement.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { checkMemFlags } from './mem-flags.ts';
import { MemoryObject, releaser, type RawMemory } from './memory-object.ts';
import { MemFlags, MemInfo, MemObjectType, PipeInfo } from '../sys/enums.ts';

const { READ_WRITE, HOST_NO_ACCESS } = MemFlags;

/**
 * A queue of packets that one kernel writes and another one reads. Few devices have them: see `device.pipeSupport`.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * if (cl.Pipe.isSupported(ctx)) {
 *   using pipe = new cl.Pipe(ctx, 4, 1024);
 *   console.log(pipe.maxPackets);
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreatePipe.html | clCreatePipe}
 */
export class Pipe extends MemoryObject {
  /** Bytes of a packet. */
  readonly packetSize: number;
  readonly maxPackets: number;

  /**
   * @param context - whose kernels use it
   * @param packetSize - bytes of a packet
   * @param maxPackets - how many packets it holds
   * @param flags - `READ_WRITE` and `HOST_NO_ACCESS` of {@link MemFlags}, the default
   * @throws Error the platform is older than OpenCL 2.0, or none of the devices has pipes
   * @throws RangeError a size that the devices do not allow
   */
  constructor(context: Context, packetSize: number, maxPackets: number, flags?: number);
  /** @internal */
  constructor(context: Context, existing: ExistingPipe);
  constructor(
    context: Context,
    packetSize: number | ExistingPipe,
    maxPackets = 0,
    flags: number = READ_WRITE | HOST_NO_ACCESS,
  ) {
    if (isExisting(packetSize)) {
      super(packetSize.handle, context, packetSize.flags);
      this.packetSize = packetSize.packetSize;
      this.maxPackets = packetSize.maxPackets;
      return;
    }
    checkContext(context, 'Pipe');
    const owner = handleOf(context, 'Pipe');
    checkMemFlags(flags, 'Pipe');
    if ((flags & ~(READ_WRITE | HOST_NO_ACCESS)) !== 0) {
      throw new RangeError('Pipe: the flags must be READ_WRITE and HOST_NO_ACCESS of MemFlags');
    }
    checkNumber(packetSize, 'Pipe: packetSize', 1, 0xffff_ffff);
    checkNumber(maxPackets, 'Pipe: maxPackets', 1, 0xffff_ffff);
    requireVersion(context.platform, 2, 0, 'Pipe');
    const limit = largestPacket(context);
    if (limit === 0) throw new Error(`Pipe: ${context.devices[0]?.name ?? 'the device'} has no pipes (pipeSupport)`);
    if (packetSize > limit) {
      throw new RangeError(`Pipe: packets of ${packetSize} bytes are too large; the device allows ${limit}`);
    }
    const raw = withReclaim(() => cl.clCreatePipe(owner.value, flags, packetSize, maxPackets, 0n));
    super(new Handle('Pipe', raw, releaser('Pipe', 0, undefined), [owner]), context, flags);
    this.packetSize = packetSize;
    this.maxPackets = maxPackets;
  }

  /**
   * Use a pipe that another library has made, by its `cl_mem`. OpenCL 2.0.
   *
   * @param context - the pipe's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it is not a pipe, or one of another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainMemObject.html | clRetainMemObject}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_mem'>, options: ForeignOptions = {}): Pipe {
    const what = 'Pipe.fromHandle';
    checkContext(context, what);
    const raw = foreignHandle(handle, options, what);
    const owner = handleOf(context, 'fromHandle');
    const memory = (name: MemInfo): unknown =>
      readInfo(MemInfo, cl.clGetMemObjectInfo.bind(undefined, raw), name, undefined, 'Pipe');
    const pipe = (name: PipeInfo): number =>
      readInfo(PipeInfo, cl.clGetPipeInfo.bind(undefined, raw), name, undefined, 'Pipe') as number;
    if (memory('TYPE') !== MemObjectType.PIPE) throw new TypeError(`${what}: the object must be a pipe`);
    checkForeignContext(memory('CONTEXT'), context, what);
    const facts = { flags: Number(memory('FLAGS')), packetSize: pipe('PACKET_SIZE'), maxPackets: pipe('MAX_PACKETS') };
    if (options.retain !== false) cl.clRetainMemObject(raw);
    return new Pipe(context, { ...facts, handle: new Handle('Pipe', raw, releaser('Pipe', 0, undefined), [owner]) });
  }

  /** Whether a device of the context has pipes. */
  static isSupported(context: Context): boolean {
    checkContext(context, 'Pipe.isSupported');
    return context.platform.atLeast(2, 0) && largestPacket(context) > 0;
  }

  /** Ask the driver for a property of pipes, by its name or by any number with the kind of the answer. */
  getPipeInfo<Name extends PipeInfo>(name: Name): InfoOf<typeof PipeInfo, Name>;
  getPipeInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getPipeInfo(name: PipeInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(PipeInfo, cl.clGetPipeInfo.bind(undefined, this.use('getPipeInfo')), name, kind, 'Pipe');
  }
}

/** An existing pipe. */
interface ExistingPipe {
  readonly handle: Handle<RawMemory>;
  readonly flags: number;
  readonly packetSize: number;
  readonly maxPackets: number;
}

function isExisting(given: number | ExistingPipe): given is ExistingPipe {
  return typeof given === 'object' && Handle.isOwnOf(given);
}

/** Bytes; 0 where the device has no pipes. PIPE_SUPPORT is a query of OpenCL 3.0. */
function largestPacket({ devices, platform }: Context): number {
  const able = devices.filter((device) => !platform.atLeast(3, 0) || device.pipeSupport);
  return Math.max(0, ...able.map((device) => device.pipeMaxPacketSize));
}
