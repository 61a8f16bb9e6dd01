import { DeviceInfo, QueueInfo } from '../opencl/sys/enums.ts';
import { cl } from './call.ts';
import { failure } from './failure.ts';
import type { Raw } from './handle.ts';
import type { CLKernel } from './objects.ts';

/** The sizes of local memory that a kernel was given, by the argument's position. */
const sizes = new WeakMap<CLKernel, Map<number, number>>();

/** Record the local memory of an argument; undefined where the argument is now of another kind. */
export function noteLocalMemory(kernel: CLKernel, index: number, byteLength: number | undefined): void {
  const known = sizes.get(kernel);
  if (byteLength === undefined) known?.delete(index);
  else if (known) known.set(index, byteLength);
  else sizes.set(kernel, new Map([[index, byteLength]]));
}

const slot = new BigUint64Array(1);

/** Refuse a launch with more local memory than the device has: not every driver checks it. */
export function checkLocalMemory(kernel: CLKernel, queue: Raw<'CLCommandQueue'>): void {
  const known = sizes.get(kernel);
  if (known === undefined || known.size === 0) return;
  const total = [...known.values()].reduce((sum, byteLength) => sum + byteLength, 0);
  cl.clGetCommandQueueInfo(queue, QueueInfo.DEVICE[0], 8, slot, 0n);
  cl.clGetDeviceInfo(slot[0] as Raw<'CLDeviceId'>, DeviceInfo.LOCAL_MEM_SIZE[0], 8, slot, 0n);
  const limit = Number(slot[0]);
  if (total <= limit) return;
  throw failure('CL_OUT_OF_RESOURCES', new RangeError(`The device has ${limit} bytes of local memory, got ${total}`));
}
