import { checkOptions, nameOf } from '../core/host-memory.ts';
import { Handle } from '../core/handle.ts';
import { Resource } from '../core/resource.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { buildOnThread, buildHere, cl, cleanup } from './call.ts';
import { checkContext, type Context } from './context.ts';
import type { Device } from './device.ts';
import { openclError } from './errors.ts';
import { readInfo, type InfoKind, type InfoOf, type InfoValue } from './info.ts';
import { Kernel } from './kernel.ts';
import { buildFailure, readLogs } from './build-log.ts';
import { cachedBinaries, createFromBinaries, createFromSource, keepBinaries, readBinaries } from './program-binary.ts';
import type { KernelNames } from './kernel-names.ts';
import { ProgramInfo } from './sys/enums.ts';

/** How a {@link Program} is built. */
export interface BuildSettings {
  /** Default: all of the context's. */
  readonly devices?: readonly Device[];
  /** Whether the binaries are kept on disk and found there. Default: true */
  readonly cache?: boolean;
}

export type RawProgram = Opaque<'cl_program'>;

/** The kernels of a program as properties. Those that the source's text shows are known to the editor. */
export type Kernels<Source extends string> = { readonly [Name in KernelNames<Source>]: Kernel } & {
  readonly [name: string]: Kernel;
};

interface Native {
  raw: RawProgram | undefined;
}

interface Plan {
  readonly raw: RawProgram;
  readonly cached: boolean;
  readonly key: string | undefined;
  /** The key of the build that this one stands in for. */
  readonly instead?: string | undefined;
}

// Lets the compiler tell the names and types of a kernel's parameters.
const ARGUMENT_INFO = '-cl-kernel-arg-info';
const BUILD_FAILURES = [-11, -3, -43];
// Names that are asked of any object: by await, by printing, by test runners.
const PROBES = new Set([
  'then',
  'toJSON',
  'constructor',
  'toString',
  'valueOf',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
]);

/**
 * OpenCL C source, or binaries, and the kernels built from it.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 400);
 * using prg = new cl.Program(ctx, '__kernel void ones(__global float *a) { a[get_global_id(0)] = 1; }').build();
 * prg.kernels.ones(queue, [100], null, a);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clBuildProgram.html | clBuildProgram}
 */
export class Program<const Source extends string = string> extends Resource<Native> {
  readonly context: Context;
  /** The text; '' for a program of binaries. */
  readonly source: string;
  readonly #kernels = new Map<string, Kernel>();
  readonly #proxy: Kernels<Source>;
  #devices: readonly Device[];
  #built = false;
  #building = false;
  #addsInfo = true;
  #fromCache = false;
  #asked = '';
  #options = '';
  #names: readonly string[] | undefined;
  #logs: ReadonlyMap<string, string> = new Map();

  /**
   * Take a source along; {@link Program.build} compiles it.
   *
   * @param context - whose devices it is built for
   * @param source - OpenCL C
   */
  constructor(context: Context, source: Source) {
    checkContext(context, 'Program');
    if (typeof source !== 'string') throw new TypeError(`Program takes its source as a string; ${nameOf(source)} came`);
    const owner = context.owned('Program');
    const native: Native = { raw: undefined };
    const destroy = (): void => {
      const { raw } = native;
      if (raw !== undefined) cleanup('Program', () => cl.clReleaseProgram(raw));
    };
    super(new Handle('Program', native, destroy, [owner]));
    this.context = context;
    this.source = source;
    this.#devices = context.devices;
    this.#proxy = kernelsOf(this) as Kernels<Source>;
  }

  /**
   * Compile for the devices, or take what an earlier build left on disk. A program that does not build is closed, so
   * that `new Program(…).build()` leaves nothing behind.
   *
   * Host: blocks.
   *
   * @param options - the compiler's: a string as it is, or a list of single options
   * @param settings - devices and cache
   * @returns the program itself
   * @throws {@link BuildError} it does not compile; the message shows the first errors with their source lines
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using ctx = cl.createSomeContext();
   * const source = '__kernel void f(__global int *a) { a[0] = N; }';
   * using prg = new cl.Program(ctx, source).build(['-DN=3', '-Werror']);
   * ```
   */
  build(options: string | readonly string[] = '', settings: BuildSettings = {}): this {
    this.use('build');
    if (this.#built || this.#building) throw new Error('Program.build: it is built already; make a new Program');
    try {
      let plan: Plan | undefined = this.#plan(options, settings);
      while (plan) plan = this.#conclude(plan, buildHere(plan.raw, this.#ids(), this.#options), settings);
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Compile without blocking, on a thread of the runtime: `new Program` and `build` in one.
   *
   * Host: does not block.
   *
   * @throws {@link BuildError} it does not compile
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using ctx = cl.createSomeContext();
   * using prg = await cl.Program.compile(ctx, '__kernel void f(__global int *a) { a[0] = 1; }');
   * ```
   */
  static async compile<const Source extends string>(
    context: Context,
    source: Source,
    options: string | readonly string[] = '',
    settings: BuildSettings = {},
  ): Promise<Program<Source>> {
    const program = new Program(context, source);
    try {
      let plan: Plan | undefined = program.#plan(options, settings);
      while (plan) {
        const status = await buildOnThread(plan.raw, program.#ids(), program.#options);
        plan = program.#conclude(plan, status, settings);
      }
      return program;
    } catch (error) {
      program.close();
      throw error;
    }
  }

  /**
   * Make a program of binaries that {@link Program.binaries} gave; build it before use.
   *
   * @param binaries - one for each device
   * @param devices - default: the context's
   * @throws {@link OpenCLLogicError} CL_INVALID_BINARY: a binary is for another device or driver
   */
  static fromBinaries(
    context: Context,
    binaries: readonly Uint8Array[],
    devices: readonly Device[] = context.devices,
  ): Program {
    const program = new Program(context, '');
    try {
      program.owned('fromBinaries').value.raw = createFromBinaries(context, devices, binaries);
    } catch (error) {
      program.close();
      throw error;
    }
    program.#devices = devices;
    return program;
  }

  /**
   * The kernels by name: `prg.kernels.add(queue, …)`. One kernel object for each name.
   *
   * @throws {@link OpenCLLogicError} CL_INVALID_KERNEL_NAME: there is no such kernel; the message lists those there are
   */
  get kernels(): Kernels<Source> {
    this.use('kernels');
    return this.#proxy;
  }

  /** The kernel of a name: what `kernels` gives, for names that are not known beforehand. */
  kernel(name: string): Kernel {
    this.use('kernel');
    let kernel = this.#kernels.get(name);
    if (!kernel || kernel.closed) this.#kernels.set(name, (kernel = new Kernel(this, name)));
    return kernel;
  }

  /** The names of its kernels. */
  get kernelNames(): readonly string[] {
    this.raw('kernelNames');
    return (this.#names ??= this.getInfo('KERNEL_NAMES')
      .split(';')
      .filter((name) => name !== ''));
  }

  /** The devices that it is built for. */
  get devices(): readonly Device[] {
    return this.#devices;
  }

  /** What the compiler said, by the device's name, warnings of a good build included. */
  get logs(): ReadonlyMap<string, string> {
    return this.#logs;
  }

  /** The options that the compiler was given. */
  get options(): string {
    return this.#options;
  }

  /** Whether the build found its binaries on disk. */
  get fromCache(): boolean {
    return this.#fromCache;
  }

  /** The binary for each of the devices. */
  get binaries(): Uint8Array<ArrayBuffer>[] {
    return readBinaries(this.raw('binaries'), this.#devices.length);
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends ProgramInfo>(name: Name): InfoOf<typeof ProgramInfo, Name>;
  getInfo(param: number, kind: InfoKind): InfoValue;
  getInfo(name: ProgramInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(ProgramInfo, cl.clGetProgramInfo.bind(undefined, this.raw('getInfo')), name, kind, 'Program');
  }

  /**
   * The built program.
   * @internal
   */
  raw(method: string): RawProgram {
    const { raw } = this.use(method);
    if (raw === undefined || !this.#built) throw new Error(`Program.${method}: build() the program first`);
    return raw;
  }

  /**
   * Refuse a name that no kernel has.
   * @internal
   */
  checkKernel(name: string): void {
    if (this.kernelNames.includes(name)) return;
    const there = this.kernelNames.length > 0 ? `its kernels are ${this.kernelNames.join(', ')}` : 'it has no kernels';
    throw openclError('clCreateKernel', INVALID_KERNEL_NAME, {
      reason: `The program has no kernel ${typeof name === 'string' ? `'${name}'` : `named by ${nameOf(name)}`}; ${there}`,
    });
  }

  #ids(): BigUint64Array {
    return new BigUint64Array(this.#devices.map((device) => device.raw));
  }

  #plan(options: string | readonly string[], settings: BuildSettings): Plan {
    const native = this.use('build');
    checkOptions(settings, ['devices', 'cache'], 'Program.build');
    const text = joinOptions(options);
    const { devices = this.#devices } = settings;
    const foreign = devices.find((device) => !this.context.devices.includes(device));
    if (foreign !== undefined || devices.length === 0) {
      throw new TypeError(`Program.build: devices must be the context's; ${nameOf(foreign ?? devices)} came`);
    }
    this.#devices = devices;
    this.#asked = text;
    this.#options = this.#addsInfo && !text.includes(ARGUMENT_INFO) ? `${text} ${ARGUMENT_INFO}`.trim() : text;
    this.#building = true;
    if (native.raw !== undefined) return { raw: native.raw, cached: false, key: undefined };
    const entry =
      settings.cache === false ? undefined : cachedBinaries(this.context, devices, this.source, this.#options);
    const raw = entry?.raw ?? createFromSource(this.context, this.source);
    native.raw = raw;
    return { raw, cached: entry?.raw !== undefined, key: entry?.key };
  }

  /** Take what a build made: the plan of the next one to try, or nothing where this one is good. */
  #conclude(plan: Plan, status: number, settings: BuildSettings): Plan | undefined {
    this.#building = false;
    const native = this.use('build');
    if (status !== 0 && plan.cached) {
      // The driver took the binary but cannot link it: what it was made from can.
      this.#discard(plan, native);
      return { ...this.#plan(this.#asked, { ...settings, cache: false }), instead: plan.instead };
    }
    const logs = readLogs(plan.raw, this.#devices);
    if (status !== 0) {
      this.#discard(plan, native);
      if (this.#options !== this.#asked && refusedByAssembler(logs)) {
        // What a kernel takes is then read from its source alone.
        this.#addsInfo = false;
        return { ...this.#plan(this.#asked, settings), instead: plan.key };
      }
      if (logs.size === 0 && !BUILD_FAILURES.includes(status)) throw openclError('clBuildProgram', status);
      throw buildFailure(status, logs, this.source, this.#options);
    }
    this.#logs = logs;
    this.#built = true;
    this.#fromCache = plan.cached;
    if (plan.key !== undefined && !plan.cached) keepBinaries(plan.key, this.binaries);
    if (plan.instead !== undefined) keepBinaries(plan.instead, this.binaries);
    return undefined;
  }

  #discard({ raw }: Plan, native: Native): void {
    cleanup('Program', () => cl.clReleaseProgram(raw));
    native.raw = undefined;
  }
}

/** NVIDIA's compiler, asked for argument info, writes PTX for a kernel without parameters that its assembler refuses. */
function refusedByAssembler(logs: ReadonlyMap<string, string>): boolean {
  return [...logs.values()].some((log) => log.includes('ptxas'));
}

const INVALID_KERNEL_NAME = -46;

function kernelsOf(program: Program): unknown {
  return new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (typeof name !== 'string') return undefined;
      if (PROBES.has(name) && !program.kernelNames.includes(name)) return undefined;
      return program.kernel(name);
    },
    has: (_, name) => typeof name === 'string' && program.kernelNames.includes(name),
    ownKeys: () => [...program.kernelNames],
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string' && program.kernelNames.includes(name)
        ? { configurable: true, enumerable: true, value: program.kernel(name) }
        : undefined,
  });
}

function joinOptions(options: unknown): string {
  if (typeof options === 'string') return options.trim();
  if (!Array.isArray(options) || !options.every((option): option is string => typeof option === 'string')) {
    throw new TypeError(`Program.build takes its options as a string or a list of strings; ${nameOf(options)} came`);
  }
  return options.map(quoted).join(' ');
}

/** One option of a list: what has spaces in it is quoted, without a `-D` or `-I` that stands apart. */
function quoted(option: string): string {
  const text = option.trim();
  const [, flag, value] = /^(-[DI])\s+(\S.*)$/s.exec(text) ?? [];
  if (flag !== undefined && value !== undefined) return `${flag} ${quoted(value)}`;
  return /\s/.test(text) && !text.includes('"') ? `"${text}"` : text;
}
