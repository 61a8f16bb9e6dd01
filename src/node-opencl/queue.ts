import { MAKER } from '../core/maker.ts';
import { unpinLanded } from '../core/pin.ts';
import { QueueInfo } from '../opencl/sys/enums.ts';
import { array, context, device, queue as queueOf, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { forgetQueue, gatesBefore, refuseToHang } from './gate.ts';
import type { Raw } from './handle.ts';
import { asking, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { CLCommandQueue, retained, type CLContext, type CLDeviceId } from './objects.ts';

const READERS: Readers = readers(
  [QueueInfo.CONTEXT[0], wrapped(retained.context)],
  [QueueInfo.DEVICE[0], wrapped(retained.device)],
  [QueueInfo.DEVICE_DEFAULT[0], wrapped(retained.queue)],
);

/** A queue, by OpenCL 1's function: properties are bits of `cl.QUEUE_…`. */
export function createCommandQueue(
  ...args: [context: CLContext, device: CLDeviceId, properties: number | null | undefined]
): CLCommandQueue {
  expectArguments(args, 3);
  const [owner, runner, properties] = [context(args[0], 0), device(args[1], 1), uint(args[2] ?? 0, 2)];
  return made(cl.clCreateCommandQueue(owner, runner, properties));
}

/** A queue, by OpenCL 2's function: properties are names and values in turn, `[cl.QUEUE_PROPERTIES, bits]`. */
export function createCommandQueueWithProperties(
  ...args: [context: CLContext, device: CLDeviceId, properties: readonly number[] | null | undefined]
): CLCommandQueue {
  expectArguments(args, 3);
  const [owner, runner] = [context(args[0], 0), device(args[1], 1)];
  const list = numberPairs(args[2], 2);
  return made(cl.clCreateCommandQueueWithProperties(owner, runner, list));
}

function made(raw: Raw<'CLCommandQueue'>): CLCommandQueue {
  forgetQueue(raw);
  return new CLCommandQueue(MAKER, raw);
}

/** A property of a queue: `cl.QUEUE_DEVICE`. */
export const getCommandQueueInfo: GetInfo<CLCommandQueue> = asking(
  'CLCommandQueue',
  'clGetCommandQueueInfo',
  [QueueInfo],
  READERS,
);

/** Submit the enqueued commands to the device. */
export function flush(...args: [queue: CLCommandQueue]): 0 {
  expectArguments(args, 1);
  return cl.clFlush(queueOf(args[0], 0)) as 0;
}

/** Wait until all enqueued commands have ended. The call blocks; callbacks are called afterwards. */
export function finish(...args: [queue: CLCommandQueue]): 0 {
  expectArguments(args, 1);
  const queue = queueOf(args[0], 0);
  refuseToHang(gatesBefore(queue));
  cl.clFinish(queue);
  unpinLanded();
  return 0;
}

/** Names and numbers in turn, with a final 0; NULL for a missing list. */
function numberPairs(value: unknown, position: number): BigUint64Array | bigint {
  if (value === null || value === undefined) return 0n;
  const list = array(value, position);
  const bad = list.find(
    (entry) => typeof entry !== 'number' && typeof entry !== 'bigint' && typeof entry !== 'boolean',
  );
  if (bad !== undefined || (list.length % 2 !== 0 && list.at(-1) !== 0)) {
    throw failure('CL_INVALID_VALUE', new TypeError('Properties must be pairs of a name and a number'));
  }
  return BigUint64Array.from([...list, 0], (entry) => BigInt(uint(entry, position)));
}
