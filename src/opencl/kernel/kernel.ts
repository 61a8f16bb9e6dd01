import type { Dims } from '../../core/dims.ts';
import { checkNumber } from '../../core/check.ts';
import { reclaim } from '../../core/handle.ts';
import { MAKER, type Maker } from '../../core/maker.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, withReclaim } from '../call.ts';
import type { Device } from '../device/device.ts';
import { isMemoryStatus, openclError, type OpenCLError } from '../errors.ts';
import { requireExtension, requireVersion } from '../device/requirement.ts';
import { extensionCalls } from '../extension.ts';
import type { ForeignOptions } from '../foreign.ts';
import type { BuiltProgram } from '../program/built-program.ts';
import { makeKernelsWith } from '../program/kernel-maker.ts';
import { isSVM, type SVMMemory } from '../memory/svm-memory.ts';
import { enqueueMarker } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, eventsOf, type CommandQueue } from '../queue/queue.ts';
import { Submission } from '../queue/submission.ts';
import { opencl } from '../select.ts';
import type { OpenCLTable } from '../sys/tables.ts';
import { CommandType, status as statuses } from '../sys/enums.ts';
import type { Binding, Setter } from './binding.ts';
import { argumentSetters, LocalMemory, type KernelArgument } from './kernel-arguments.ts';
import type { CallArguments, Enqueue, KernelArguments } from './typed-arguments.ts';
import type { Context } from '../device/context.ts';
import { createKernel } from './create-kernel.ts';
import { foreignKernel } from './foreign-kernel.ts';
import { setExecInfo, type KernelExecSettings } from './exec-info.ts';
import { structSize } from './struct-size.ts';
import type { RecordedLaunch } from './recorded-launch.ts';
import { callOptionsOf, type KernelCallOptions } from './call-options.ts';
import { factsOf, KernelBase, type KernelFacts } from './kernel-base.ts';
import { GLOBAL, globalText, hasSizes, isEmpty, LaunchSizes, LOCAL, localText, OFFSET } from './launch-sizes.ts';

export interface Kernel<S extends Shape = AnyShape> extends Enqueue<S> {}

const INVALID_KERNEL_ARGS = statuses.CL_INVALID_KERNEL_ARGS[0];
const SWITCHED =
  "NVIDIA's driver takes no Buffer where this kernel object was given shared memory once: give it to another, new Kernel(program, name)";

/** Launch groups in one dimension, with arguments that a kernel of this package is known to take. */
export let launchGroups: (
  kernel: Kernel,
  queue: CommandQueue,
  groups: number,
  width: number,
  height: number,
  args: readonly unknown[],
) => Event;

/**
 * A kernel of a {@link Program}: call it. It checks each argument against its parameter and packs plain numbers as the
 * parameter's own type.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using prg = new cl.Program(ctx, '__kernel void fill(__global float *a, float x) { a[get_global_id(0)] = x; }').build();
 * using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 400);
 * const fill = prg.kernel('fill');
 * fill(queue, [100], null, a, 0.5).wait();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueNDRangeKernel.html | clEnqueueNDRangeKernel}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class Kernel<S extends Shape = AnyShape> extends KernelBase {
  readonly #table: OpenCLTable;
  readonly #context: bigint;
  readonly #binding: Binding;
  readonly #setters: readonly Setter[];
  readonly #locals: readonly number[];
  #indirect: readonly SVMMemory[] | undefined;
  readonly #sizes = new LaunchSizes(this);
  readonly #set = new Map<number, unknown>();
  readonly #submission = new Submission();

  /**
   * @param program - a built program
   * @param name - the kernel's name
   * @throws {@link OpenCLLogicError} CL_INVALID_KERNEL_NAME: the program has no such kernel; the message lists its kernels
   */
  constructor(program: BuiltProgram, name: string);
  /** @internal */
  constructor(maker: Maker, facts: KernelFacts);
  constructor(program: BuiltProgram | Maker, given: string | KernelFacts) {
    const facts = program === MAKER ? (given as KernelFacts) : createKernel(program, given as string);
    const { name } = facts;
    const self = (queue: CommandQueue, global: Dims, local: Dims | null, ...args: unknown[]): Event =>
      (self as unknown as Kernel).#launch(queue, global, local, args);
    super(self, facts);
    const { raw, context, parameters } = facts;
    this.#table = opencl();
    this.#context = context.identity;
    this.#locals = parameters.flatMap(({ type }, i) => (type === undefined || type.space === 'local' ? [i] : []));
    const isForeign = facts.isForeign === true;
    const sizeOf = (type: string): number | undefined => structSize(facts, type);
    const submission = this.#submission;
    this.#binding = { submission, table: this.#table, kernel: raw, name, context, isForeign, structSize: sizeOf };
    this.#setters = argumentSetters(parameters, this.#binding);
  }

  /**
   * Use a kernel that another library has made, by its `cl_kernel`. Arguments that the other library sets are not known here.
   *
   * @param context - the kernel's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it belongs to another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainKernel.html | clRetainKernel}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_kernel'>, options: ForeignOptions = {}): Kernel {
    return new Kernel(MAKER, foreignKernel(context, handle, options));
  }

  /**
   * A second kernel object with the same arguments: for another thread, or a driver's tool. Plain calls do not need
   * it, since each sets all arguments. OpenCL 2.1.
   *
   * @throws Error the platform is older
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCloneKernel.html | clCloneKernel}
   */
  clone(): Kernel<S> {
    const raw = this.use('clone');
    requireVersion(factsOf(this).context.platform, 2, 1, 'Kernel.clone');
    const kernel = new Kernel<S>(MAKER, {
      ...factsOf(this),
      isForeign: false,
      raw: withReclaim(() => cl.clCloneKernel(raw)),
    });
    for (const [index, value] of this.#set) kernel.#set.set(index, value);
    return kernel;
  }

  /**
   * Tell the driver which memory the kernel reaches without having it as an argument: shared memory to which other
   * memory has pointers. The settings hold for all later launches, until they are replaced.
   *
   * @param info - the memory, and whether kernels follow pointers to any host memory (devices with FINE_GRAIN_SYSTEM)
   * @throws Error the platform is older than OpenCL 2.0
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clSetKernelExecInfo.html | clSetKernelExecInfo}
   */
  setExecInfo(info: KernelExecSettings): this {
    this.#indirect = setExecInfo(this.use('setExecInfo'), factsOf(this).context, info, `${this.name}.setExecInfo`);
    return this;
  }

  /**
   * The local size that the driver would choose where none is given, for these arguments. Needs
   * `cl_khr_suggested_local_work_size`.
   *
   * Host: does not block.
   *
   * @param global - work-items, `[x, y, z]` or a number
   * @param args - as for a call
   * @returns as many sizes as `global` has
   * @throws Error the device does not have the extension
   */
  suggestedLocalSize(queue: CommandQueue, global: Dims, ...args: CallArguments<S>): number[] {
    const kernel = this.use('suggestedLocalSize');
    checkQueue(queue, 'suggestedLocalSize');
    const rawQueue = queue.use('suggestedLocalSize');
    requireExtension(queue.device, 'cl_khr_suggested_local_work_size', 'Kernel.suggestedLocalSize');
    const options = this.#setOnly(queue, args);
    const dimensions = this.#sizes.read(queue.device, global, null, options?.offset, 1);
    const found = new BigUint64Array(3);
    const offset = hasSizes(options?.offset) ? OFFSET : 0n;
    const { clGetKernelSuggestedLocalWorkSizeKHR: suggest } = extensionCalls(queue.context.platform.raw);
    suggest(rawQueue, kernel, dimensions, offset, GLOBAL, found);
    return Array.from(found.subarray(0, dimensions), Number);
  }

  /**
   * Check and set the arguments of a recorded launch, and record it.
   * @internal
   */
  record(
    queue: CommandQueue,
    global: Dims,
    local: Dims | null,
    args: readonly unknown[],
    issue: (launch: RecordedLaunch) => void,
  ): void {
    const kernel = this.use(this.name);
    try {
      const options = this.#setAll(queue, args);
      const dimensions = this.#sizes.read(queue.device, global, local, options?.offset, 1);
      issue({
        kernel,
        dimensions,
        offset: hasSizes(options?.offset) ? OFFSET : 0n,
        global: GLOBAL,
        local: hasSizes(local) ? LOCAL : 0n,
        waitFor: options?.waitFor,
        shared: [...args.filter(isSVM), ...(this.#indirect ?? [])],
        uses: this.#submission.uses,
      });
    } finally {
      this.#submission.clear();
    }
  }

  /**
   * Set one argument for {@link enqueueNDRangeKernel}, which keeps it referenced; calls of the kernel set their own.
   *
   * @param index - of the parameter, from 0
   * @throws TypeError a value that is not of the parameter's kind
   * @throws RangeError there is no such parameter, or it cannot hold the number
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clSetKernelArg.html | clSetKernelArg}
   */
  setArg(index: number, value: KernelArgument): this {
    this.use('setArg');
    checkNumber(index, `${this.name}.setArg: index`, 0, this.#setters.length - 1);
    try {
      this.#setOne(index, value);
    } finally {
      this.#submission.clear();
    }
    this.#set.set(index, value);
    return this;
  }

  /**
   * Set all arguments for {@link enqueueNDRangeKernel}.
   *
   * @throws TypeError a wrong count or kind of arguments
   * @throws RangeError a number that its parameter cannot hold
   */
  setArgs(...args: KernelArguments<S>): this {
    this.use('setArgs');
    if (args.length !== this.#setters.length) throw this.#wrongCount(args, '');
    for (const [i, value] of args.entries()) this.setArg(i, value);
    return this;
  }

  /**
   * Launch with the arguments that were set.
   * @internal
   */
  launchSet(queue: CommandQueue, global: Dims, local: Dims | null, options: KernelCallOptions | undefined): Event {
    const args: unknown[] = [];
    for (let i = 0; i < this.#setters.length; i++) {
      const value = this.#set.get(i);
      if (value === undefined) {
        throw new TypeError(`${this.signature}: argument ${i} is not set; set it with setArg or setArgs`);
      }
      args.push(value);
    }
    if (options !== undefined) args.push(options);
    return this.#launch(queue, global, local, args);
  }

  /**
   * Check a call and set its arguments, without the launch.
   *
   * @returns the options behind the arguments
   * @internal
   */
  rehearse(queue: CommandQueue, global: Dims, local: Dims | null, args: readonly unknown[]): KernelCallOptions {
    this.use(this.name);
    const options = this.#setOnly(queue, args) ?? {};
    this.#sizes.read(queue.device, global, local, options.offset, options.allowEmpty === true ? 0 : 1);
    return options;
  }

  #launch(queue: CommandQueue, global: Dims, local: Dims | null, args: unknown[]): Event {
    try {
      return this.#enqueue(queue, global, local, args);
    } finally {
      this.#submission.clear();
    }
  }

  #enqueue(queue: CommandQueue, global: Dims, local: Dims | null, args: unknown[]): Event {
    this.use(this.name);
    checkQueue(queue, this.name);
    queue.use(this.name);
    const options = this.#setAll(queue, args);
    const least = options?.allowEmpty === true ? 0 : 1;
    const dimensions = this.#sizes.read(queue.device, global, local, options?.offset, least);
    if (least === 0 && isEmpty(dimensions)) return enqueueMarker(queue, { waitFor: options?.waitFor ?? [] });
    const offset = hasSizes(options?.offset) ? OFFSET : 0n;
    return this.#issue(queue, dimensions, offset, hasSizes(local) ? LOCAL : 0n, options?.waitFor);
  }

  /** Enqueue the kernel with the arguments that are set and the sizes that are written. */
  #issue(queue: CommandQueue, dimensions: number, offset: bigint, group: bigint, waitFor?: readonly Event[]): Event {
    const { name } = this;
    const [rawQueue, kernel] = [queue.use(name), this.use(name)];
    const submission = this.#submission;
    const list = eventsOf(queue);
    const count = submission.order(list, waitFor, name);
    const [waits, event] = [count === 0 ? 0n : submission.slots, submission.outAddress];
    const { clEnqueueNDRangeKernel: enqueue } = this.#table;
    let status = enqueue(rawQueue, kernel, dimensions, offset, GLOBAL, group, count, waits, event);
    if (status !== 0 && isMemoryStatus(status)) {
      reclaim();
      status = enqueue(rawQueue, kernel, dimensions, offset, GLOBAL, group, count, waits, event);
    }
    if (status !== 0) throw this.#failure('clEnqueueNDRangeKernel', status);
    return submission.accept(list, CommandType.NDRANGE_KERNEL);
  }

  /** Check and set the arguments of a command that is not enqueued; returns the options behind them. */
  #setOnly(queue: CommandQueue, args: readonly unknown[]): KernelCallOptions | undefined {
    try {
      return this.#setAll(queue, args);
    } finally {
      this.#submission.clear();
    }
  }

  /** Check the arguments, give them to the driver and record their memory; returns the options behind them. */
  #setAll(queue: CommandQueue, args: readonly unknown[]): KernelCallOptions | undefined {
    const setters = this.#setters;
    if (this.#indirect) {
      for (const memory of this.#indirect) {
        memory.pointer(queue.context, this.name);
        this.#submission.use(memory.uses);
      }
    }
    if (queue.context.identity !== this.#context) {
      throw new TypeError(`${this.name}: the queue belongs to another context`);
    }
    const options = args.length === setters.length + 1 ? callOptionsOf(args[setters.length], this.name) : undefined;
    if (args.length !== setters.length && options === undefined) throw this.#wrongCount(args);
    if (this.#locals.length > 0) this.#checkLocalMemory(queue.device, args);
    for (let i = 0; i < setters.length; i++) this.#setOne(i, args[i]);
    return options;
  }

  #setOne(index: number, value: unknown): void {
    const status = (this.#setters[index] as Setter)(value);
    if (status === 0) return;
    const { routine = 'clSetKernelArg' } = this.#binding;
    this.#binding.routine = undefined;
    throw this.#failure(routine, status, index);
  }

  #checkLocalMemory(device: Device, args: readonly unknown[]): void {
    let total = 0;
    for (const i of this.#locals) {
      const value = args[i];
      if (value instanceof LocalMemory) total += value.byteLength;
    }
    const limit = device.limits.localMemory;
    if (total > limit) {
      throw new RangeError(`${this.name}: ${total} bytes of local memory are too many; the device has ${limit}`);
    }
  }

  #wrongCount(args: readonly unknown[], after = ' (after queue, global and local)'): TypeError {
    const count = this.#setters.length;
    return new TypeError(
      `${this.signature} takes ${count} argument${count === 1 ? '' : 's'}, got ${args.length}${after}`,
    );
  }

  #failure(routine: string, status: number, index?: number): OpenCLError {
    const sizes = routine === 'clEnqueueNDRangeKernel';
    const switched = status === INVALID_KERNEL_ARGS && this.#binding.hadSVM === true;
    return openclError(routine, status, {
      ...(switched ? { reason: SWITCHED } : {}),
      facts: {
        kernel: this.signature,
        argument: index === undefined ? undefined : String(index),
        global: sizes ? globalText() : undefined,
        local: sizes ? localText() : undefined,
      },
    });
  }

  static {
    launchGroups = (kernel, queue, groups, width, height, args) => {
      try {
        for (let i = 0; i < args.length; i++) kernel.#setOne(i, args[i]);
        kernel.#sizes.write(queue.device, groups, width, height);
        return kernel.#issue(queue, 2, 0n, LOCAL);
      } finally {
        kernel.#submission.clear();
      }
    };
  }
}

makeKernelsWith((program, name) => new Kernel(program, name));
