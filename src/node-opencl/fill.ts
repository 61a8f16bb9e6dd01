import type { HostMemory } from '../core/host-memory.ts';
import { array, bytesOf, mem, queue as queueOf, size, triple, uint, wantedHost } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject } from './handle.ts';
import type { CLCommandQueue, CLMem } from './objects.ts';
import { withRoom } from './short-memory.ts';
import { submit, type End, type EventOr0 } from './submit.ts';

/**
 * Fill a part of a buffer with a pattern: a whole number is an int, another number a double, an array gives its bytes.
 */
export function enqueueFillBuffer(
  ...args: [
    queue: CLCommandQueue,
    buffer: CLMem,
    pattern: number | HostMemory,
    offset: number,
    byteLength: number,
    ...End,
  ]
): EventOr0 {
  expectArguments(args, 5);
  const [queue, buffer] = [queueOf(args[0], 0), mem(args[1], 1)];
  const pattern = patternOf(args[2]);
  const [offset, byteLength] = [size(args[3], 3), size(args[4], 4)];
  return submit(queue, args.slice(5), 5, (...end) =>
    cl.clEnqueueFillBuffer(queue, buffer, pattern, pattern.length, offset, byteLength, ...end),
  );
}

/** Fill a region of an image with a colour: the 16 bytes of four floats, ints or unsigned ints. */
export function enqueueFillImage(
  ...args: [
    queue: CLCommandQueue,
    image: CLMem,
    color: HostMemory,
    origin: readonly number[],
    region: readonly number[],
    ...End,
  ]
): EventOr0 {
  expectArguments(args, 5);
  const [queue, image] = [queueOf(args[0], 0), mem(args[1], 1)];
  const color = withRoom(wantedHost(args[2], 2), COLOR_BYTES, 'enqueueFillImage');
  const [origin, region] = [triple(args[3], 3), triple(args[4], 4)];
  return submit(queue, args.slice(5), 5, (...end) =>
    cl.clEnqueueFillImage(queue, image, color, origin, region, ...end),
  );
}

/** Move memory objects to the queue's device, or to the host with `cl.MIGRATE_MEM_OBJECT_HOST`. */
export function enqueueMigrateMemObjects(
  ...args: [queue: CLCommandQueue, objects: readonly CLMem[], flags: number, ...End]
): EventOr0 {
  expectArguments(args, 3);
  const queue = queueOf(args[0], 0);
  const list = args[1] as readonly CLMem[] | null | undefined;
  if (list === null || list === undefined || array(list, 1).length === 0) throw failure('CL_INVALID_VALUE');
  const objects = BigUint64Array.from(list, (one) => CLObject.raw(one, 'CLMem'));
  const flags = uint(args[2], 2);
  return submit(queue, args.slice(3), 3, (...end) =>
    cl.clEnqueueMigrateMemObjects(queue, objects.length, objects, flags, ...end),
  );
}

const COLOR_BYTES = 16;

function patternOf(value: unknown): Uint8Array {
  if (typeof value !== 'number') return bytesOf(wantedHost(value, 2));
  const isInt = Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
  return new Uint8Array((isInt ? Int32Array.of(value) : Float64Array.of(value)).buffer);
}
