import { pathOf } from '../../core/file-path.ts';
import { nameOf } from '../../core/check.ts';
import { writeWhole } from '../../core/write-whole.ts';
import type { Dims } from '../../core/dims.ts';
import { checkQueue, type CommandQueue } from '../queue/queue.ts';
import { CapturedArguments } from './captured-arguments.ts';
import { factsOf } from './kernel-base.ts';
import { Kernel } from './kernel.ts';
import type { KernelArgument } from './kernel-arguments.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { CallArguments } from './typed-arguments.ts';

/**
 * Write a program that repeats one launch: its source, options, sizes and arguments, with the present content of its
 * memory. The program needs only this package, and is meant for a report of a fault in a compiler or a driver. The launch
 * itself does not happen.
 *
 * The program is TypeScript. It exports and prints the memory after the kernel. Parts of one buffer become
 * buffers of their own, and addresses that lie in memory mean nothing there.
 *
 * Host: blocks, until the memory is read.
 *
 * @param file - path of the file; an existing file is replaced
 * @param kernel - of a program that was built from source
 * @param queue - of the program's context; commands enqueued before come first
 * @param global - work-items, `[x, y, z]` or a number
 * @param local - work-items of a group; null lets the driver choose
 * @param args - as for the call, with its options at the end
 * @throws Error the program has no source: it was made of binaries or intermediate language, or linked
 * @throws TypeError an argument that no program can repeat: a pipe, a queue on the device, an image over a buffer
 * @example
 * ```ts
 * import { rmSync } from 'node:fs';
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using prg = new cl.Program(ctx, '__kernel void add(__global int *a, int x) { a[get_global_id(0)] += x; }').build();
 * using a = new cl.Buffer(ctx, cl.MemFlags.COPY_HOST_PTR, Int32Array.of(1, 2, 3));
 * cl.captureCall('captured.ts', prg.kernels.add, queue, 3, null, a, 5);
 * rmSync('captured.ts');
 * ```
 */
export function captureCall<S extends Shape = AnyShape>(
  file: string | URL,
  kernel: Kernel<S>,
  queue: CommandQueue,
  global: Dims,
  local: Dims | null,
  ...args: CallArguments<S>
): void {
  const what = 'captureCall';
  const path = pathOf(file);
  if (!(kernel instanceof Kernel)) {
    throw new TypeError(`${what} takes a Kernel after the file's name, got ${nameOf(kernel)}`);
  }
  checkQueue(queue, what);
  const { source } = factsOf(kernel);
  if (source === '') {
    throw new Error(
      `${what}: the program of ${kernel.name} has no source: it was made of binaries or intermediate language, or linked; build it from source`,
    );
  }
  const options = kernel.rehearse(queue, global, local, args);
  if (queue.outOfOrder) queue.finish();
  const captured = new CapturedArguments(queue, options.waitFor);
  const values = args
    .slice(0, kernel.parameterCount)
    .map((value, i) => captured.add(value as KernelArgument, kernel.parameters[i]));
  const offset = options.offset === undefined ? [] : [`{ offset: ${dimsText(options.offset)} }`];
  // A missing argument is null, as in a call of the kernel.
  const group = (local as Dims | null | undefined) ?? null;
  const sizes = ['queue', dimsText(global), group === null ? 'null' : dimsText(group)];
  const text = programText(kernel, queue, captured, [...sizes, ...values, ...offset].join(', '));
  writeWhole(path, Buffer.from(text));
}

function programText(kernel: Kernel, queue: CommandQueue, captured: CapturedArguments, call: string): string {
  const { platform, name, driverVersion } = queue.device;
  const { source, options } = factsOf(kernel);
  return `// One launch of the kernel ${kernel.name}, captured on ${oneLine(`${platform.name}, ${name}, driver ${driverVersion}`)}.
// RAWKERNEL_CTX chooses a device; compare the results with the expected ones, and report both.
import { inflateSync } from 'node:zlib';
import * as cl from 'rawkernel/opencl';

const source = ${templateText(source)};

function content(text: string): Uint8Array {
  return inflateSync(Buffer.from(text, 'base64'));
}

function read<A extends ArrayBufferView>(array: A, memory: cl.CopyEnd): A {
  cl.enqueueCopy(queue, array, memory);
  return array;
}

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(ctx, source).build(${JSON.stringify(options)});
${captured.declarations.join('\n')}
prg.kernel(${JSON.stringify(kernel.name)})(${call});

/** The memory after the kernel has ended. */
export const results = {
${captured.results.map((line) => `  ${line},\n`).join('')}};
console.log(results);
`;
}

/** Text between backticks. */
function templateText(text: string): string {
  return `\`${text.replace(/\\|`|\$\{/g, '\\$&').replaceAll('\r', '\\r')}\``;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function dimsText(dims: Dims): string {
  return typeof dims === 'number' ? String(dims) : `[${dims.join(', ')}]`;
}
