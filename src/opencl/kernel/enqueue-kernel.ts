import type { Dims } from '../../core/dims.ts';
import { nameOf } from '../../core/check.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, type CommandQueue } from '../queue/queue.ts';
import type { KernelCallOptions } from './call-options.ts';
import { Kernel } from './kernel.ts';

/**
 * Enqueue a kernel with the arguments that {@link Kernel.setArg} and {@link Kernel.setArgs} have set. A call,
 * `kernel(queue, global, local, ...args)`, does both in one.
 *
 * Host: does not block. Queue: ordered.
 *
 * @param queue - of the program's context
 * @param global - work-items, `[x, y, z]` or a number
 * @param local - work-items of a group, as many sizes as `global` has; null lets the driver choose
 * @throws TypeError an argument is not set
 * @throws RangeError sizes that the device does not allow
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using prg = new cl.Program(ctx, '__kernel void add(__global int *a, int x) { a[get_global_id(0)] += x; }').build();
 * using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 400);
 * cl.enqueueFill(queue, a, 0);
 * const add = prg.kernels.add.setArgs(a, 1);
 * for (let i = 0; i < 3; i++) cl.enqueueNDRangeKernel(queue, add.setArg(1, i), 100, null);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueNDRangeKernel.html | clEnqueueNDRangeKernel}
 */
export function enqueueNDRangeKernel(
  queue: CommandQueue,
  kernel: Kernel,
  global: Dims,
  local: Dims | null,
  options?: KernelCallOptions,
): Event {
  checkQueue(queue, 'enqueueNDRangeKernel');
  if (!(kernel instanceof Kernel)) {
    throw new TypeError(`enqueueNDRangeKernel takes a Kernel after the queue, got ${nameOf(kernel)}`);
  }
  return kernel.launchSet(queue, global, local, options);
}
