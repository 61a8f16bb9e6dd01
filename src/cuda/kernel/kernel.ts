import { readConstant } from '../../core/choice.ts';
import { ClosedError } from '../../core/errors.ts';
import type { AnyHandle, Handle } from '../../core/handle.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { handleOf, type Resource } from '../../core/resource.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, cu, type Routine } from '../call.ts';
import { requireContext, currentDevice, deviceOf } from '../device/context.ts';
import { Device } from '../device/device.ts';
import { configure, KernelFunction, type KernelHome, type PreparedLaunch } from './function.ts';
import type { KernelArgument, KernelArguments } from './kernel-argument.ts';
import { KernelAttributes } from './kernel-attributes.ts';
import { entrySignature, type KernelEntry, type ParameterLayout } from '../compiler/kernel-entry.ts';
import type { LaunchOptions } from './launch-options.ts';
import { driverLayout } from './parameter-layout.ts';
import { FunctionAttribute } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUcontext = Opaque<'CUcontext'>;
type CUkernel = Opaque<'CUkernel'>;

/** The library of a kernel. */
export interface KernelLibrary extends Resource<Opaque<'CUlibrary'>> {
  /** Throw what a status means, 0 excepted. */
  expect(routine: Routine, status: number): void;
}

const slot = slotOf('CUfunction');
const intSlot = slotOf('int');

type Launch<S extends Shape> = {
  /**
   * Launch the kernel in the current context: its arguments, then block and grid. As {@link Function} does, which throws the
   * same.
   *
   * Host: does not block; with {@link In} or {@link Out} and no stream it waits for the kernel. Stream: ordered.
   *
   * @throws {@link CudaLogicError} no context is current
   */
  launch(...args: [...KernelArguments<S>, LaunchOptions]): void;
}['launch'];

export interface Kernel<S extends Shape = AnyShape> extends Launch<S> {}

/**
 * A kernel of a {@link Library}: of no context, launched in the current one. Its attributes are those on the device of
 * the current context; {@link Kernel.getAttribute} and {@link Kernel.setAttribute} take another one as well.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Program, toDevice } from 'rawkernel/cuda';
 *
 * using library = Program.compile('__global__ void set(int *x, int n) { *x = n; }').toLibrary();
 * using x = toDevice(new Int32Array(1));
 * const set = library.getKernel('set');
 * set(x, 3, { block: 1 });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html | Library management}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class Kernel<S extends Shape = AnyShape> extends KernelAttributes<S> {
  readonly #library: KernelLibrary;
  readonly #raw: CUkernel;
  readonly #entry: KernelEntry;
  readonly #functions = new WeakMap<Handle<CUcontext>, KernelFunction<S>>();

  /** @internal */
  constructor(maker: Maker, library: KernelLibrary, raw: CUkernel, entry: KernelEntry) {
    checkMade(maker === MAKER, 'Kernel', 'call library.getKernel(name)');
    const call = (...args: [...KernelArgument[], LaunchOptions]): void => {
      self.function(...args);
    };
    super(call, entry.base, {
      owner: (method) => handleOf(library, method),
      configured: (options, method) => configure(self.function, options, method),
      tryAttribute: (attribute) => {
        library.use('getAttributes');
        return attempt('cuKernelGetAttribute', intSlot, attribute, raw, currentDevice().raw) === 0
          ? take(intSlot)
          : undefined;
      },
    });
    const self = this as Kernel;
    this.#library = library;
    this.#raw = raw;
    this.#entry = entry;
  }

  /**
   * The function that it is in the current context: for occupancy, and for what takes a {@link Function}. Good while the
   * library and the context are.
   *
   * Host: may block; a lazy driver loads the library into the context now.
   *
   * @throws {@link CompileError} the PTX is wrong
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NO_BINARY_FOR_GPU: compiled for other devices only
   */
  get function(): KernelFunction<S> {
    this.#library.use(this.name);
    const context = requireContext('cuKernelGetFunction');
    let found = this.#functions.get(context);
    if (!found) {
      this.#library.expect('cuKernelGetFunction', attempt('cuKernelGetFunction', slot, this.#raw));
      const raw = take(slot);
      found = new KernelFunction<S>(MAKER, new LibraryHome(this.#library, context), raw, this.#entry);
      this.#functions.set(context, found);
    }
    return found;
  }

  /** Bring the kernel to the device of the current context now; see {@link KernelFunction.load}. Host: may block. */
  load(): void {
    this.function.load();
  }

  /** Whether the kernel is on the device of the current context. Host: may block; a lazy driver loads the library now. */
  isLoaded(): boolean {
    return this.function.isLoaded();
  }

  /** Fix block, grid, stream and shared memory for many launches in the context that is current now. */
  prepare(options: LaunchOptions): PreparedLaunch<S> {
    return this.function.prepare(options);
  }

  /** As far as it is known: `add(float *a, const float *b, int n)`. */
  get signature(): string {
    return entrySignature(this.#entry);
  }

  /** The name in the binary: `_Z3addPfPKfi`. */
  get symbol(): string {
    return this.#entry.symbol;
  }

  /** Where each parameter lies, in bytes; undefined where neither the driver nor PTX tells. */
  get parameters(): readonly ParameterLayout[] | undefined {
    this.#library.use('parameters');
    const { layout } = this.#entry;
    return (
      driverLayout('cuKernelGetParamInfo', this.#raw, layout?.length) ??
      layout?.map(({ offset, size }) => ({ offset, size }))
    );
  }

  /** An attribute of the kernel on a device, by default that of the current context. */
  override getAttribute(attribute: FunctionAttribute, device: Device = currentDevice()): number {
    this.#library.use('getAttribute');
    const number = readConstant(attribute, FunctionAttribute, 'FunctionAttribute');
    cu.cuKernelGetAttribute(intSlot, number, this.#raw, ordinalOf(device));
    return take(intSlot);
  }

  /**
   * Set an attribute on a device, by default that of the current context: for the functions that it is in all contexts of
   * that device.
   */
  override setAttribute(attribute: FunctionAttribute, value: number, device: Device = currentDevice()): void {
    this.#library.use('setAttribute');
    const checked = checkInteger(value, 'The attribute', -0x8000_0000, 0x7fff_ffff);
    const number = readConstant(attribute, FunctionAttribute, 'FunctionAttribute');
    cu.cuKernelSetAttribute(number, checked, this.#raw, ordinalOf(device));
  }

  /** The driver's `CUkernel`, borrowed: good until the library is closed. */
  get handle(): CUkernel {
    this.#library.use('handle');
    return this.#raw;
  }
}

function ordinalOf(device: unknown): Device['raw'] {
  if (device instanceof Device) return device.raw;
  throw new TypeError(`The device of a kernel's attributes must be a Device, got ${nameOf(device)}`);
}

/** A library as one context has it. */
class LibraryHome implements KernelHome {
  readonly device: Device;
  readonly #library: KernelLibrary;
  readonly #context: Handle<CUcontext>;

  constructor(library: KernelLibrary, context: Handle<CUcontext>) {
    this.device = deviceOf(context);
    this.#library = library;
    this.#context = context;
  }

  use(method: string): unknown {
    return this.owned(method);
  }

  owned(method: string): AnyHandle {
    // The library outlives the context; the kernel's function in that context does not.
    if (!this.#context.alive) throw new ClosedError('Context', method);
    return handleOf(this.#library, method);
  }

  context(method: string): Handle<CUcontext> {
    this.use(method);
    return this.#context;
  }
}
