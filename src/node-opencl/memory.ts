import { MAKER } from '../core/maker.ts';
import { isFixed, pin } from '../core/pin.ts';
import { holdUntil } from '../core/in-flight.ts';
import { isHostMemory, type HostMemory } from '../core/host-memory.ts';
import { BufferCreateType, MemFlags, MemInfo } from '../opencl/sys/enums.ts';
import { context, host, mem, size, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import type { Ownership, Raw } from './handle.ts';
import { asking, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { CLMem, retained, type CLContext } from './objects.ts';
import { withRoom } from './short-memory.ts';

const { USE_HOST_PTR, COPY_HOST_PTR } = MemFlags;

const READERS: Readers = readers(
  [MemInfo.HOST_PTR[0], () => undefined],
  [MemInfo.CONTEXT[0], wrapped(retained.context)],
  [MemInfo.ASSOCIATED_MEMOBJECT[0], wrapped(retained.mem)],
);

/** A buffer of so many bytes. With `MEM_USE_HOST_PTR` the array is its memory, and stays referenced as long as the buffer. */
export function createBuffer(
  ...args: [context: CLContext, flags: number, byteLength: number, array?: HostMemory | null]
): CLMem {
  expectArguments(args, 3);
  const [owner, flags, byteLength] = [context(args[0], 0), uint(args[1], 1), size(args[2], 2)];
  const memory = hostFor(args[3], 3, flags, byteLength, 'createBuffer');
  return new CLMem(MAKER, cl.clCreateBuffer(owner, flags, byteLength, memory ?? 0n), ownershipOver(memory, flags));
}

/** A part of a buffer. */
export function createSubBuffer(
  ...args: [buffer: CLMem, flags: number, type: number, region: { readonly origin: number; readonly size: number }]
): CLMem {
  expectArguments(args, 4);
  const [buffer, flags, type] = [mem(args[0], 0), uint(args[1], 1), uint(args[2], 2)];
  const region = args[3] as { readonly origin?: number; readonly size?: number } | null | undefined;
  if (type !== BufferCreateType.REGION || typeof region !== 'object') throw failure('CL_INVALID_VALUE');
  const [origin, byteLength] = [size(region?.origin, 3), size(region?.size, 3)];
  const whole = new BigUint64Array(1);
  cl.clGetMemObjectInfo(buffer, MemInfo.SIZE[0], 8, whole, 0n);
  // Not every driver checks whether a part lies inside.
  if (origin + byteLength > Number(whole[0])) throw failure('CL_INVALID_VALUE');
  return new CLMem(
    MAKER,
    cl.clCreateSubBuffer(buffer, flags, type, BigUint64Array.of(BigInt(origin), BigInt(byteLength))),
  );
}

/** A property of a buffer, an image or a pipe: `cl.MEM_SIZE`. */
export const getMemObjectInfo: GetInfo<CLMem> = asking('CLMem', 'clGetMemObjectInfo', [MemInfo], READERS);

/** The array that a memory object is made with; undefined without one. */
export function hostFor(
  value: unknown,
  position: number,
  flags: number,
  byteLength: number,
  what: string,
): HostMemory | undefined {
  if (value === null || value === undefined) return undefined;
  const memory = host(value, position);
  if ((flags & USE_HOST_PTR) !== 0 && !isFixed(memory)) {
    throw failure('CL_INVALID_HOST_PTR', new TypeError('MEM_USE_HOST_PTR needs memory of a fixed length'));
  }
  return (flags & (USE_HOST_PTR | COPY_HOST_PTR)) === 0 ? memory : withRoom(memory, byteLength, what);
}

/** How to release an object whose memory may be a host array: not before its last command has ended. */
export function ownershipOver(memory: HostMemory | undefined, flags: number): Ownership {
  if ((flags & USE_HOST_PTR) === 0 || !isHostMemory(memory)) return { owns: true };
  const held = { memory, count: new Uint32Array(1) };
  const unpin = pin(memory, 'object');
  const destroy = (value: bigint): void => {
    const raw = value as Raw<'CLMem'>;
    const isLast = (): boolean => {
      cl.clGetMemObjectInfo(raw, MemInfo.REFERENCE_COUNT[0], 4, held.count, 0n);
      return (held.count[0] ?? 0) <= 1;
    };
    const end = (): void => {
      cl.clReleaseMemObject(raw);
      unpin();
    };
    if (isLast()) end();
    else holdUntil(isLast, end);
  };
  return { owns: true, destroy };
}
