import { Callable } from '../core/callable.ts';
import { readDims, type Dims } from '../core/dims.ts';
import { ClosedError } from '../core/errors.ts';
import { checkOptions, nameOf } from '../core/host-memory.ts';
import { claim, Handle, reclaim } from '../core/handle.ts';
import { formatSignature } from '../core/signature.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { addressOf } from '../ffi/memory.ts';
import { cl, cleanup, withReclaim } from './call.ts';
import type { Device } from './device.ts';
import type { EnqueueOptions } from './enqueue.ts';
import { isMemoryStatus, openclError, type OpenCLError } from './errors.ts';
import type { Event } from './event.ts';
import { readInfo, type InfoKind, type InfoOf, type InfoProperties, type InfoValue } from './info.ts';
import {
  argumentSetters,
  kernelParameters,
  LocalMemory,
  type KernelArgument,
  type KernelParameter,
  type Setter,
} from './kernel-arguments.ts';
import type { Program } from './program.ts';
import { checkQueue, fillWaitList, track, waitList, type CommandQueue } from './queue.ts';
import { opencl, type OpenCLTable } from './select.ts';
import { KernelInfo, KernelWorkGroupInfo } from './sys/enums.ts';

/** What a kernel call takes after its arguments. */
export interface KernelCallOptions extends EnqueueOptions {
  /** Where the global ids begin, in work-items: `[x, y, z]`. Default: 0 */
  readonly offset?: Dims;
}

/** What a kernel needs of a device; sizes in work-items and bytes. */
export type WorkGroupInfo = Omit<InfoProperties<typeof KernelWorkGroupInfo>, 'globalWorkSize'>;

/** Enqueue the kernel: `k(queue, global, local, ...args, { waitFor, offset })`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- every instance is a function */
export interface Kernel {
  /**
   * Host: does not block. Queue: ordered.
   *
   * @param queue - of the program's context
   * @param global - work-items, `[x, y, z]` or a number
   * @param local - work-items of a group, as many sizes as `global` has; null lets the driver choose
   * @param args - one for each parameter; then, if you like, an object of {@link KernelCallOptions}
   * @throws TypeError a wrong count or kind of arguments
   * @throws RangeError a number that its parameter cannot hold, or sizes that the device does not allow
   */
  (queue: CommandQueue, global: Dims, local: Dims | null, ...args: (KernelArgument | KernelCallOptions)[]): Event;
}

// Offset, global and local size: three size_t each, written by their low words.
const dims = new Float64Array(9);
const words = new Uint32Array(18);
const OFFSET = addressOf(words);
const GLOBAL = OFFSET + 24n;
const LOCAL = OFFSET + 48n;
const eventSlot = new BigUint64Array(1);
const EVENT = addressOf(eventSlot);
const CALL_OPTIONS = ['waitFor', 'offset'];

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
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Kernel extends Callable implements Disposable {
  declare readonly name: string;
  /** Parameter names and types, where they are known. */
  readonly parameters: readonly KernelParameter[];
  readonly #table: OpenCLTable;
  readonly #context: bigint;
  readonly #setters: readonly Setter[];
  readonly #locals: readonly number[];
  readonly #devices: readonly Device[];
  #handle: Handle<Opaque<'cl_kernel'>> | undefined;
  readonly #disown: () => void;
  #limits: Limits | undefined;
  readonly #limitsOf = new Map<Device, Limits>();

  /**
   * @param program - a built program
   * @param name - the kernel's
   * @throws {@link OpenCLLogicError} CL_INVALID_KERNEL_NAME: it has no such kernel; the message lists those it has
   */
  constructor(program: Program, name: string) {
    const owner = program.owned('kernel');
    program.checkKernel(name);
    const self = (queue: CommandQueue, global: Dims, local: Dims | null, ...args: unknown[]): Event =>
      (self as unknown as Kernel).#launch(queue, global, local, args);
    super(self, name);
    const raw = withReclaim(() => cl.clCreateKernel(program.raw('Kernel'), name));
    this.#handle = new Handle('Kernel', raw, release, [owner]);
    this.#disown = claim(this, this.#handle, true);
    this.#table = opencl();
    this.#context = program.context.identity;
    this.#devices = program.devices;
    const count = this.getInfo('NUM_ARGS');
    this.parameters = kernelParameters(raw, name, count, program.source);
    this.#locals = this.parameters.flatMap(({ type }, i) => (type === undefined || type.space === 'local' ? [i] : []));
    const { context } = program;
    this.#setters = argumentSetters(this.parameters, { table: this.#table, kernel: raw, name, context });
  }

  /** How many parameters it has. */
  get parameterCount(): number {
    return this.#setters.length;
  }

  /** `add(const float *a, const float *b, float *c)` */
  get signature(): string {
    return signatureOf(this.name, this.parameters);
  }

  /**
   * What the kernel needs of a device, and allows there.
   *
   * @param device - default: the program's first
   */
  workGroupInfo(device: Device | undefined = this.#devices[0]): WorkGroupInfo {
    const raw = this.#use('workGroupInfo');
    if (!device || !this.#devices.includes(device)) {
      throw new TypeError(`Kernel.workGroupInfo takes a device of the program; ${nameOf(device)} came`);
    }
    const query = cl.clGetKernelWorkGroupInfo.bind(undefined, raw, device.raw);
    const ask = <Name extends KernelWorkGroupInfo>(name: Name): InfoOf<typeof KernelWorkGroupInfo, Name> =>
      readInfo(KernelWorkGroupInfo, query, name, undefined, 'Kernel') as InfoOf<typeof KernelWorkGroupInfo, Name>;
    return {
      workGroupSize: ask('WORK_GROUP_SIZE'),
      compileWorkGroupSize: ask('COMPILE_WORK_GROUP_SIZE'),
      localMemSize: ask('LOCAL_MEM_SIZE'),
      preferredWorkGroupSizeMultiple: ask('PREFERRED_WORK_GROUP_SIZE_MULTIPLE'),
      privateMemSize: ask('PRIVATE_MEM_SIZE'),
    };
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends KernelInfo>(name: Name): InfoOf<typeof KernelInfo, Name>;
  getInfo(param: number, kind: InfoKind): InfoValue;
  getInfo(name: KernelInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(KernelInfo, cl.clGetKernelInfo.bind(undefined, this.#use('getInfo')), name, kind, 'Kernel');
  }

  /** Whether {@link Kernel.close} was called. */
  get closed(): boolean {
    return this.#handle === undefined;
  }

  /** Let go of the kernel. Launches go on. A second call does nothing. */
  close(): void {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = undefined;
    this.#disown();
    handle.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #use(method: string): Opaque<'cl_kernel'> {
    if (this.#handle === undefined) throw new ClosedError('Kernel', method);
    return this.#handle.value;
  }

  #launch(queue: CommandQueue, global: Dims, local: Dims | null, args: unknown[]): Event {
    const { name } = this;
    const kernel = this.#use(name);
    checkQueue(queue, name);
    const rawQueue = queue.use(name);
    if (queue.context.identity !== this.#context) throw new TypeError(`${name}: the queue belongs to another context`);
    const setters = this.#setters;
    const options = args.length === setters.length + 1 ? optionsOf(args[setters.length], name) : undefined;
    if (args.length !== setters.length && options === undefined) throw this.#wrongCount(args);

    const dimensions = readDims(global, 'The global size', dims, 3);
    readSizes(local, 'The local size', 6, dimensions, 1);
    readSizes(options?.offset, 'The offset', 0, dimensions, 0);
    for (let i = 0; i < 9; i++) words[2 * i] = dims[i] ?? 0;
    this.#checkSizes(queue.device, dimensions, hasSizes(local));
    if (this.#locals.length > 0) this.#checkLocalMemory(queue.device, args);
    for (let i = 0; i < setters.length; i++) {
      const status = (setters[i] as Setter)(args[i]);
      if (status !== 0) throw this.#failure('clSetKernelArg', status, i);
    }

    const waitFor = options?.waitFor;
    const count = waitFor === undefined ? 0 : fillWaitList(waitFor, queue, name);
    const waits = count === 0 ? 0n : waitList();
    const offset = hasSizes(options?.offset) ? OFFSET : 0n;
    const group = hasSizes(local) ? LOCAL : 0n;
    const { clEnqueueNDRangeKernel: enqueue } = this.#table;
    let status = enqueue(rawQueue, kernel, dimensions, offset, GLOBAL, group, count, waits, EVENT);
    if (status !== 0 && isMemoryStatus(status)) {
      reclaim();
      status = enqueue(rawQueue, kernel, dimensions, offset, GLOBAL, group, count, waits, EVENT);
    }
    if (status !== 0) throw this.#failure('clEnqueueNDRangeKernel', status);
    return track(queue, eventSlot[0] as Opaque<'cl_event'>, waitFor);
  }

  /** Say with numbers what the driver would say without. */
  #checkSizes(device: Device, dimensions: number, hasLocal: boolean): void {
    let limits = this.#limits;
    if (limits?.device !== device) limits = this.#limits = this.#limitsFor(device);
    const { required } = limits;
    if (!hasLocal) return;
    let total = 1;
    for (let i = 0; i < dimensions; i++) {
      const size = dims[6 + i] ?? 1;
      total *= size;
      const most = limits.workItemSizes[i] ?? 1;
      if (size > most) {
        throw new RangeError(
          this.#sizes(`local size ${i} is ${size}; the device allows ${most}`, dimensions, hasLocal),
        );
      }
      if (limits.uniformGroups && (dims[3 + i] ?? 1) % size !== 0) {
        const text = `global size ${dims[3 + i]} is no multiple of local size ${size}, which OpenCL 1.x wants`;
        throw new RangeError(this.#sizes(text, dimensions, hasLocal));
      }
      if (required && size !== required[i]) {
        const text = `the kernel asks for the local size [${required.join(', ')}]`;
        throw new RangeError(this.#sizes(text, dimensions, hasLocal));
      }
    }
    if (total > limits.workGroupSize) {
      const text = `a group of ${total} work-items is too large; this kernel may have ${limits.workGroupSize} on the device`;
      throw new RangeError(this.#sizes(text, dimensions, hasLocal));
    }
  }

  #limitsFor(device: Device): Limits {
    const known = this.#limitsOf.get(device);
    if (known) return known;
    const info = this.workGroupInfo(device);
    const required = info.compileWorkGroupSize;
    const limits = {
      device,
      workGroupSize: info.workGroupSize,
      required: (required[0] ?? 0) > 0 ? required : undefined,
      workItemSizes: device.limits.workItemSizes,
      uniformGroups: device.limits.uniformGroups,
    };
    this.#limitsOf.set(device, limits);
    return limits;
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

  #wrongCount(args: readonly unknown[]): TypeError {
    const count = this.#setters.length;
    return new TypeError(
      `${this.signature} takes ${count} argument${count === 1 ? '' : 's'}; ${args.length} came (after queue, global and local)`,
    );
  }

  #failure(routine: string, status: number, index?: number): OpenCLError {
    const sizes = routine === 'clEnqueueNDRangeKernel';
    return openclError(routine, status, {
      facts: {
        kernel: this.signature,
        argument: index === undefined ? undefined : String(index),
        global: sizes ? list(3) : undefined,
        local: sizes && dims[6] !== 0 ? list(6) : undefined,
      },
    });
  }

  #sizes(text: string, dimensions: number, hasLocal: boolean): string {
    const local = hasLocal ? ` local [${list(6, dimensions)}]` : '';
    return `${this.name}: ${text}\n  global [${list(3, dimensions)}]${local}`;
  }
}

// Not a closure in the constructor: it would keep the kernel alive that it waits for.
function release(raw: Opaque<'cl_kernel'>): void {
  cleanup('Kernel', () => cl.clReleaseKernel(raw));
}

interface Limits {
  readonly device: Device;
  readonly workGroupSize: number;
  /** The local size that the source asks for. */
  readonly required: readonly number[] | undefined;
  readonly workItemSizes: readonly number[];
  readonly uniformGroups: boolean;
}

function hasSizes(sizes: unknown): boolean {
  return sizes !== null && sizes !== undefined;
}

function readSizes(sizes: unknown, what: string, at: number, dimensions: number, min: number): void {
  if (!hasSizes(sizes)) {
    dims[at] = dims[at + 1] = dims[at + 2] = 0;
    return;
  }
  const count = readDims(sizes, what, dims, at, min);
  if (count !== dimensions) {
    throw new TypeError(`${what} has ${count} dimension${count === 1 ? '' : 's'}, the global size ${dimensions}`);
  }
}

function list(at: number, dimensions = 3): string {
  return Array.from(dims.subarray(at, at + dimensions)).join(', ');
}

function optionsOf(value: unknown, name: string): KernelCallOptions | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Plain objects may come from another realm, whose Object.prototype is not ours.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  if (prototype !== null && !Object.hasOwn(prototype, 'hasOwnProperty')) return undefined;
  checkOptions(value, CALL_OPTIONS, name);
  return value;
}

function signatureOf(name: string, parameters: readonly KernelParameter[]): string {
  const known = parameters.flatMap(({ name: parameter, type }) => (type ? [{ name: parameter, type }] : []));
  return known.length === parameters.length ? formatSignature(name, known) : `${name}(${parameters.length} parameters)`;
}
