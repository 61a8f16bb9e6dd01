import { readFileSync } from 'node:fs';
import { readLimits, withCompileScope } from '../../core/compile-scope.ts';
import { checkNumber, checkOptions } from '../../core/check.ts';
import { pathOf } from '../../core/file-path.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { handleOf } from '../../core/resource.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes, NoTypes } from '../../core/typed/kernels.ts';
import type { Value } from '../../core/value.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { buildHere, buildOnThread, cl, cleanup } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { openclError } from '../errors.ts';
import type { ForeignOptions } from '../foreign.ts';
import { BUILD_FAILURES, buildFailure, checkedLogs, readLogs, refusedByAssembler } from './build-log.ts';
import type { BuildSettings, CompileSettings } from './build-settings.ts';
import { joinOptions, withArgumentInfo } from './build-options.ts';
import { compileHere, compileOnThread } from './compile.ts';
import { foreignProgram } from './foreign-program.ts';
import { startCompilation } from './headers.ts';
import { Interruptible } from './interruptible.ts';
import { makingOf } from './making.ts';
import type { Plan } from './plan.ts';
import { planLink, type LinkSettings } from './link-plan.ts';
import { linkLater } from './linked.ts';
import type { NativeProgram } from './built-program.ts';
import { checkDevices, idsOf, ProgramBase } from './program-base.ts';
import type { RawProgram } from './raw-program.ts';
import { checkProgramOptions, splitSettings, type ProgramOptions } from './program-options.ts';
import { cachedBinaries, createFromBinaries, createFromSource, keepBuild } from './program-binary.ts';
import { buildBuiltIn, createBuiltIn, createFromIL, specialize } from './program-input.ts';

/** A program of the driver's object. */
export let adoptProgram: (context: Context, raw: RawProgram, devices: readonly Device[]) => Program;

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
export class Program<const Source extends string = AnySource, Types extends StructTypes = AnyTypes> extends ProgramBase<
  Source,
  Types
> {
  #addsInfo = true;
  #asked = '';

  /**
   * Make a program of a source; {@link Program.build} compiles it.
   *
   * @param context - whose devices it is built for
   * @param source - OpenCL C
   * @param options - structs that its kernels take
   */
  constructor(context: Context, source: Source, options: ProgramOptions<Types> = {}) {
    checkProgramOptions(options);
    super(context, source);
  }

  /**
   * Compile for the devices, or take an earlier build from the disk. A program that does not build is closed, so
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
    this.checkFresh('build');
    try {
      const scope = readLimits(settings, 'Program.build', true);
      const run = ({ raw }: Plan): number =>
        withCompileScope(scope, () => buildHere(raw, idsOf(this.devices), this.options));
      let plan: Plan | undefined = this.#plan(options, settings);
      while (plan) plan = this.#conclude(plan, run(plan), settings);
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Compile to an object for {@link linkProgram}, with headers that are programs or texts. A program that does not
   * compile is closed.
   *
   * Host: blocks; {@link Program.compileObject} does not.
   *
   * @param options - the compiler's: a string as it is, or a list of single options
   * @param settings - devices and headers
   * @returns the program itself
   * @throws {@link BuildError} it does not compile
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using ctx = cl.createSomeContext();
   * const source = '#include "n.h"\n__kernel void f(__global int *a) { a[0] = N; }';
   * using object = new cl.Program(ctx, source).compile('', { headers: { 'n.h': '#define N 3' } });
   * using prg = cl.linkProgram(ctx, [object]);
   * ```
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCompileProgram.html | clCompileProgram}
   */
  compile(options: string | readonly string[] = '', settings: CompileSettings = {}): this {
    this.checkFresh('compile');
    try {
      const scope = readLimits(settings, 'Program.compile', true);
      const { raw, ids, headers } = startCompilation(this, options, settings);
      try {
        return this.#endCompile(
          raw,
          withCompileScope(scope, () => compileHere(raw, ids, this.options, headers)),
        );
      } finally {
        headers.release();
      }
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
  static async compile<const Source extends string, Types extends StructTypes = NoTypes>(
    context: Context,
    source: Source,
    options: string | readonly string[] = '',
    settings: BuildSettings & ProgramOptions<Types> = {},
  ): Promise<Program<Source, Types>> {
    const limits = readLimits(settings, 'Program.compile', false);
    const [made, own] = splitSettings(settings);
    const program = new Program(context, source, made);
    const driver = new Interruptible(program, limits, 'clBuildProgram');
    try {
      let plan: Plan | undefined = program.#plan(options, own);
      while (plan) {
        const { raw } = plan;
        const status = await driver.run(() => buildOnThread(raw, idsOf(program.devices), program.options));
        plan = program.#conclude(plan, status, own);
      }
      return program;
    } catch (error) {
      driver.close();
      throw error;
    }
  }

  /**
   * Compile to an object without blocking: `new Program` and its method `compile` in one.
   *
   * Host: does not block.
   *
   * @throws {@link BuildError} it does not compile
   */
  static async compileObject<const Source extends string, Types extends StructTypes = NoTypes>(
    context: Context,
    source: Source,
    options: string | readonly string[] = '',
    settings: CompileSettings & ProgramOptions<Types> = {},
  ): Promise<Program<Source, Types>> {
    const limits = readLimits(settings, 'Program.compileObject', false);
    const [made, own] = splitSettings(settings);
    const program = new Program(context, source, made);
    const driver = new Interruptible(program, limits, 'clCompileProgram');
    try {
      const { raw, ids, headers } = startCompilation(program, options, own);
      const compile = (): Promise<number> =>
        compileOnThread(raw, ids, program.options, headers).finally(() => headers.release());
      return program.#endCompile(raw, await driver.run(compile));
    } catch (error) {
      driver.close();
      throw error;
    }
  }

  /**
   * Link without blocking: {@link linkProgram} as a promise.
   *
   * Host: does not block.
   *
   * @throws {@link BuildError} a function is missing or defined twice, or the link took longer than `timeoutMs`
   */
  static async link(
    context: Context,
    programs: readonly ProgramBase[],
    options: string | readonly string[] = '',
    settings: LinkSettings = {},
  ): Promise<Program> {
    const plan = planLink(context, programs, options, settings, 'Program.link');
    return linkLater(plan, readLimits(settings, 'Program.link', false), (raw) =>
      Program.#adopt(context, raw, plan.devices),
    );
  }

  /**
   * Make a program of a file; {@link Program.build} compiles it.
   *
   * @typeParam Source - the type in the declaration file that `npx rawkernel types` writes: the kernels are typed by it
   * @param file - a path, or a URL: `new URL('./add.cl', import.meta.url)`
   * @throws what reading the file throws
   */
  static fromFile<Source extends string = AnySource, Types extends StructTypes = AnyTypes>(
    context: Context,
    file: string | URL,
    options: ProgramOptions<Types> = {},
  ): Program<Source, Types> {
    return new Program(context, readFileSync(pathOf(file), 'utf8') as Source, options);
  }

  /**
   * Make a program of {@link Program.binaries}; build it before use.
   *
   * @param binaries - one for each device
   * @param devices - default: the context's
   * @throws {@link OpenCLLogicError} CL_INVALID_BINARY: a binary is for another device or driver, or damaged. The code
   * in it is not checked: a binary is as trusted as a program
   */
  static fromBinaries(context: Context, binaries: readonly Uint8Array[], devices?: readonly Device[]): Program {
    checkContext(context, 'Program.fromBinaries');
    const list = devices ?? context.devices;
    return Program.#adopt(context, createFromBinaries(context, list, binaries), list);
  }

  /**
   * Make a program of intermediate language, such as SPIR-V; build it before use.
   *
   * @param il - a module
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: no device takes it; CL_INVALID_VALUE: it is not a module
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateProgramWithIL.html | clCreateProgramWithIL}
   */
  static fromIL(context: Context, il: Uint8Array): Program {
    checkContext(context, 'Program.fromIL');
    const program = Program.#adopt(context, createFromIL(context, il), context.devices);
    makingOf(program).isIL = true;
    return program;
  }

  /**
   * Use the built-in kernels of the devices: `device.builtInKernels` names them. They need no build.
   *
   * Host: blocks while the driver builds them.
   *
   * @param names - of the kernels
   * @param devices - default: the context's
   * @throws RangeError a device has no such kernel
   * @throws {@link BuildError} the driver cannot build the kernels that it names
   */
  static fromBuiltInKernels(context: Context, names: readonly string[], devices?: readonly Device[]): Program {
    checkContext(context, 'Program.fromBuiltInKernels');
    const targets = checkDevices(context, devices ?? context.devices, 'Program.fromBuiltInKernels');
    const program = Program.#adopt(context, createBuiltIn(context, names, targets), targets);
    try {
      buildBuiltIn(program.native('build'), targets);
    } catch (error) {
      program.close();
      throw error;
    }
    makingOf(program).stage = 'executable';
    return program;
  }

  /**
   * Use a program that another library has made, by its `cl_program`: a built one is used as it is, another one can be built here.
   *
   * @param context - the program's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it belongs to another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainProgram.html | clRetainProgram}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_program'>, options: ForeignOptions = {}): Program {
    const { raw, source, ...facts } = foreignProgram(context, handle, options, 'Program.fromHandle');
    const program = Program.#adopt(context, raw, facts.devices, source);
    Object.assign(makingOf(program), facts);
    return program;
  }

  /**
   * Set a specialization constant of a program of intermediate language, before it is built.
   *
   * @param id - its number
   * @param value - typed: `int32(3)`, or a boolean
   * @returns the program itself
   * @throws {@link OpenCLLogicError} CL_INVALID_SPEC_ID: the module has no such constant; CL_INVALID_PROGRAM: the program
   * was not made by {@link Program.fromIL}
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clSetProgramSpecializationConstant.html | clSetProgramSpecializationConstant}
   */
  setSpecializationConstant(id: number, value: Value | HostMemory | boolean): this {
    const what = 'setSpecializationConstant';
    this.checkFresh(what);
    checkNumber(id, `Program.${what}: id`, 0, 0xffff_ffff);
    specialize(this, id, value);
    return this;
  }

  static {
    adoptProgram = (context, raw, devices) => Program.#adopt(context, raw, devices);
  }

  static #adopt(context: Context, raw: RawProgram, devices: readonly Device[], source = ''): Program {
    const program = new Program<string>(context, source);
    handleOf(program, 'adopt').value.raw = raw;
    makingOf(program).devices = devices;
    return program;
  }

  #endCompile(raw: RawProgram, status: number): this {
    makingOf(this).busy = false;
    handleOf(this, 'compile');
    makingOf(this).logs = checkedLogs('clCompileProgram', raw, status, this);
    makingOf(this).stage = 'object';
    return this;
  }

  #plan(options: string | readonly string[], settings: BuildSettings): Plan {
    const native = handleOf(this, 'build').value;
    checkOptions(settings, ['devices', 'cache', 'timeoutMs', 'signal'], 'Program.build');
    const text = joinOptions(options, 'Program.build');
    const devices = checkDevices(this.context, settings.devices ?? this.devices, 'Program.build');
    this.#asked = text;
    makingOf(this).devices = devices;
    const addsInfo = this.#addsInfo && this.context.platform.atLeast(1, 2);
    makingOf(this).options = addsInfo ? withArgumentInfo(text) : text;
    makingOf(this).busy = true;
    if (native.raw !== undefined) return { raw: native.raw, cached: false, key: undefined };
    const entry =
      settings.cache === false ? undefined : cachedBinaries(this.context, devices, this.source, this.options);
    const raw = entry?.raw ?? createFromSource(this.context, this.source);
    native.raw = raw;
    return { raw, cached: entry?.raw !== undefined, key: entry?.key, attributes: entry?.attributes };
  }

  /** Take the result of a build: the plan of the next attempt, or undefined where the build succeeded. */
  #conclude(plan: Plan, status: number, settings: BuildSettings): Plan | undefined {
    makingOf(this).busy = false;
    const native = handleOf(this, 'build').value;
    if (status !== 0 && plan.cached) {
      // The driver accepted the binary but cannot link it: build from the source.
      this.#discard(plan, native);
      return { ...this.#plan(this.#asked, { ...settings, cache: false }), instead: plan.instead };
    }
    const logs = readLogs(plan.raw, this.devices);
    if (status !== 0) {
      this.#discard(plan, native);
      if (this.source !== '' && this.options !== this.#asked && refusedByAssembler(logs)) {
        // The parameters are then read from the source alone.
        this.#addsInfo = false;
        return { ...this.#plan(this.#asked, settings), instead: plan.key };
      }
      if (logs.size === 0 && !BUILD_FAILURES.includes(status)) throw openclError('clBuildProgram', status);
      throw buildFailure('clBuildProgram', status, logs, this.source, this.options);
    }
    makingOf(this).logs = logs;
    makingOf(this).stage = 'executable';
    makingOf(this).fromCache = plan.cached;
    makingOf(this).attributes = keepBuild(plan, this);
    return undefined;
  }

  #discard({ raw }: Plan, native: NativeProgram): void {
    cleanup('Program', () => cl.clReleaseProgram(raw));
    native.raw = undefined;
  }
}
