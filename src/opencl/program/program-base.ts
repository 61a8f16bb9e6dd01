import { nameOf } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes, NameOf, ShapeOf } from '../../core/typed/kernels.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { openclError } from '../errors.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { OpenCLKernels } from '../kernel/typed-kernels.ts';
import { ProgramBuildInfo, ProgramInfo, status } from '../sys/enums.ts';
import type { BuiltProgram, NativeProgram } from './built-program.ts';
import { beginMaking, makingOf } from './making.ts';
import { createFromSource, readBinaries } from './program-binary.ts';
import { kernelsOf, makeKernel, namesInProgram } from './program-kernels.ts';
import { programQuery } from './program-query.ts';
import type { RawProgram } from './raw-program.ts';

/** The kernels of a program as properties. Those that the source's text shows are known to the editor. */
export type Kernels<Source extends string, Types extends StructTypes = AnyTypes> = {
  readonly [Name in Known<OpenCLKernels<Source>> & string]: Kernel<ShapeOf<OpenCLKernels<Source>, Name, Types>>;
} & { readonly [name: string]: Kernel };

/** The names of kernels; none where nothing is known of them. */
type Known<Kernels> = string extends keyof Kernels ? never : keyof Kernels;

const INVALID_KERNEL_NAME = status.CL_INVALID_KERNEL_NAME[0];

/**
 * The queries and the kernels of a program, however it was made. {@link Program} adds the ways to make one. The two are apart
 * because the steps of a build take programs as their input, below the class that runs the steps.
 */
export abstract class ProgramBase<const Source extends string = AnySource, Types extends StructTypes = AnyTypes>
  extends Resource<NativeProgram>
  implements BuiltProgram
{
  readonly context: Context;
  /** The source text; '' for a program that was not made of source. */
  readonly source: string;
  readonly #kernels = new Map<string, Kernel>();
  readonly #proxy: Kernels<Source, Types>;
  #names: readonly string[] | undefined;

  /** @internal */
  constructor(context: Context, source: Source) {
    checkContext(context, 'Program');
    if (typeof source !== 'string') throw new TypeError(`Program takes its source as a string, got ${nameOf(source)}`);
    const owner = handleOf(context, 'Program');
    const native: NativeProgram = { raw: undefined };
    const destroy = (): void => {
      const { raw } = native;
      if (raw !== undefined) cleanup('Program', () => cl.clReleaseProgram(raw));
    };
    super(new Handle('Program', native, destroy, [owner]));
    this.context = context;
    this.source = source;
    beginMaking(this, context.devices, source);
    this.#proxy = kernelsOf(this) as Kernels<Source, Types>;
  }

  /**
   * The kernels by name: `prg.kernels.add(queue, …)`. One kernel object for each name.
   *
   * @throws {@link OpenCLLogicError} CL_INVALID_KERNEL_NAME: there is no such kernel; the message lists the kernels of the program
   */
  get kernels(): Kernels<Source, Types> {
    handleOf(this, 'kernels');
    return this.#proxy;
  }

  /** The kernel of a name: the same as `kernels`, for names that are not known beforehand. */
  kernel<const Name extends NameOf<OpenCLKernels<Source>>>(
    name: Name,
  ): Kernel<ShapeOf<OpenCLKernels<Source>, Name, Types>> {
    handleOf(this, 'kernel');
    let kernel = this.#kernels.get(name);
    if (!kernel || kernel.closed) this.#kernels.set(name, (kernel = makeKernel(this, name)));
    return kernel as Kernel<ShapeOf<OpenCLKernels<Source>, Name, Types>>;
  }

  /** The names of its kernels. */
  get kernelNames(): readonly string[] {
    const raw = this.raw('kernelNames');
    if (!this.context.platform.atLeast(1, 2)) return (this.#names ??= namesInProgram(raw));
    return (this.#names ??= this.getInfo('KERNEL_NAMES')
      .split(';')
      .filter((name) => name !== ''));
  }

  /** The driver's `cl_program`, borrowed: good until {@link ProgramBase.close}. */
  get handle(): Opaque<'cl_program'> {
    return this.native('handle');
  }

  /** The devices that it is built for. */
  get devices(): readonly Device[] {
    return makingOf(this).devices;
  }

  /** The compiler's log by the device's name, warnings of a good build included. */
  get logs(): ReadonlyMap<string, string> {
    return makingOf(this).logs;
  }

  /** The options that the compiler was given. */
  get options(): string {
    return makingOf(this).options;
  }

  /** Whether the build found its binaries on disk. */
  get fromCache(): boolean {
    return makingOf(this).fromCache;
  }

  /** The binary for each of the devices. */
  get binaries(): Uint8Array<ArrayBuffer>[] {
    return readBinaries(this.made('binaries'), this.devices.length);
  }

  /**
   * Ask the driver for a property, by its name or by any number with the kind of the answer. `SOURCE` is the text that
   * the program was made of, even if the build came from the cache.
   */
  getInfo<Name extends ProgramInfo>(name: Name): InfoOf<typeof ProgramInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: ProgramInfo | number, kind?: InfoKind): InfoValue {
    const raw = this.made('getInfo');
    if (name === 'BINARIES') return this.binaries;
    const isSource = name === 'SOURCE' || (name === ProgramInfo.SOURCE[0] && kind === 'string');
    if (isSource && this.fromCache) return this.source.trim();
    return readInfo(ProgramInfo, programQuery(cl.clGetProgramInfo.bind(undefined, raw)), name, kind, 'Program');
  }

  /**
   * Ask the driver for a property of the build for a device, by its name or by any number with the kind of the answer.
   *
   * @param device - default: the program's first
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetProgramBuildInfo.html | clGetProgramBuildInfo}
   */
  getBuildInfo<Name extends ProgramBuildInfo>(name: Name, device?: Device): InfoOf<typeof ProgramBuildInfo, Name>;
  getBuildInfo<Kind extends InfoKind>(param: number, kind: Kind, device?: Device): InfoKinds[Kind];
  getBuildInfo(name: ProgramBuildInfo | number, second?: InfoKind | Device, third?: Device): InfoValue {
    const [kind, device] = typeof name === 'number' ? [second as InfoKind, third] : [undefined, second];
    const raw = this.made('getBuildInfo');
    const id = this.#deviceOf(device, 'getBuildInfo').raw;
    return readInfo(ProgramBuildInfo, cl.clGetProgramBuildInfo.bind(undefined, raw, id), name, kind, 'Program');
  }

  /**
   * Throws: code that could write the record's raw value could have any object released.
   * @internal
   */
  override use(method: string): never {
    handleOf(this, method);
    throw new TypeError('A Program has no raw value before it is built: read its handle');
  }

  /**
   * The program; throws unless its kernels can be called.
   * @internal
   */
  raw(method: string): RawProgram {
    const { raw } = handleOf(this, method).value;
    const { stage } = makingOf(this);
    if (raw !== undefined && stage === 'executable') return raw;
    const advice = stage === 'object' ? 'link it with linkProgram' : 'build() the program';
    throw new Error(`Program.${method}: ${advice} first`);
  }

  /**
   * The program; throws unless it is an object, a library or an executable.
   * @internal
   */
  made(method: string): RawProgram {
    const { raw } = handleOf(this, method).value;
    if (raw !== undefined && makingOf(this).stage !== 'nothing') return raw;
    throw new Error(`Program.${method}: build() the program first`);
  }

  /**
   * The driver's program; it is made from the source where there is none yet.
   * @internal
   */
  native(method: string): RawProgram {
    const native = handleOf(this, method).value;
    return (native.raw ??= createFromSource(this.context, this.source));
  }

  /** @internal */
  checkFresh(method: string): void {
    handleOf(this, method);
    const { stage, busy } = makingOf(this);
    if (stage === 'nothing' && !busy) return;
    const state = stage === 'object' ? 'compiled' : 'built';
    throw new Error(`Program.${method}: the program is already ${state}; make a new Program`);
  }

  #deviceOf(device: unknown, method: string): Device {
    const found = device ?? this.devices[0];
    const known = this.devices.find((one) => one === found);
    if (known) return known;
    throw new TypeError(`Program.${method}: device must be one of the program's, got ${nameOf(device)}`);
  }

  /**
   * Refuse a name that is not a kernel's.
   * @internal
   */
  checkKernel(name: string): void {
    if (this.kernelNames.includes(name)) return;
    const there = this.kernelNames.length > 0 ? `its kernels are ${this.kernelNames.join(', ')}` : 'it has no kernels';
    throw openclError('clCreateKernel', INVALID_KERNEL_NAME, {
      reason: `The program has no kernel ${typeof name === 'string' ? `'${name}'` : `named by ${nameOf(name)}`}; ${there}`,
    });
  }
}

/** A list of at least one device of a context. */
export function checkDevices(context: Context, devices: readonly Device[], what: string): readonly Device[] {
  if (!(Array.isArray as (value: unknown) => boolean)(devices)) {
    throw new TypeError(`${what} takes a list of Devices, got ${nameOf(devices)}`);
  }
  const foreign = devices.findIndex((device) => !context.devices.includes(device));
  if (foreign >= 0 || devices.length === 0) {
    throw new TypeError(
      `${what}: devices must be the context's, got ${nameOf(foreign >= 0 ? devices[foreign] : devices)}`,
    );
  }
  return devices;
}

/** Their raw handles. */
export function idsOf(devices: readonly Device[]): BigUint64Array {
  return new BigUint64Array(devices.map(({ raw }) => raw));
}
