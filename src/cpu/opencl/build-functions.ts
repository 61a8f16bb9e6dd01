import { provideAsync } from '../../ffi/bind.ts';
import { readText } from '../../ffi/memory.ts';
import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { BuildStatus, ProgramBinaryType } from '../../opencl/sys/enums.ts';
import type { OpenCLRequest } from '../compiler/opencl/request.ts';
import type { CompileAnswer } from '../compiler/request.ts';
import { putInt, type Out } from '../abi/out.ts';
import type { CpuProgram } from '../abi/program.ts';
import type { Loaded } from '../runtime/loader.ts';
import { Code } from './code.ts';
import { isUniform, type OpenCLOptions } from './compiler.ts';
import type { Callback, ClContext } from './context.ts';
import type { ClDevice } from './device.ts';
import { addressAt, widesAt } from './pointer.ts';
import { NO_BUILD, type Build, type ClProgram } from './program.ts';
import type { OpenCLState } from './state.ts';
import { bindRows, type AsyncRows, type Rows } from '../abi/rows.ts';

type Names = 'clBuildProgram' | 'clCompileProgram' | 'clLinkProgram';

/** A build, a compilation or a link. */
interface Job {
  readonly program: ClProgram;
  readonly devices: readonly ClDevice[];
  readonly options: string;
  readonly parsed: OpenCLOptions;
  /** Undefined for a program from binaries. */
  readonly request: OpenCLRequest | undefined;
  /** The statuses of a failure and of wrong options. */
  readonly failure: number;
  readonly refusal: number;
  readonly notify: Callback | undefined;
}

/** The file name of source texts in messages. */
const FILE = '<kernel>';

/** Building, compiling and linking. */
export const buildFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clBuildProgram: (state, handle, count, list, options, notify, data) => {
    const job = build(state, handle, count, list, options, notify, data);
    return typeof job === 'number' ? job : run(state, job);
  },
  clCompileProgram: (state, handle, count, list, options, headerCount, programs, names, notify, data) => {
    const job = compile(state, handle, count, list, options, [headerCount, programs, names], notify, data);
    return typeof job === 'number' ? job : run(state, job);
  },
  clLinkProgram: (state, context, count, list, options, inputCount, inputs, notify, data, errcode) => {
    const job = link(state, context, count, list, options, inputCount, inputs, notify, data);
    putInt(errcode, typeof job === 'number' ? job : run(state, job));
    return made(job);
  },
};

/** Give the build functions of a table their forms that do not block. */
export function provideAsyncBuilds(state: OpenCLState, table: Pick<OpenCLTable, Names>): void {
  const forms = bindRows(state, asyncBuildFunctions);
  provideAsync(table.clBuildProgram, forms.clBuildProgram);
  provideAsync(table.clCompileProgram, forms.clCompileProgram);
  provideAsync(table.clLinkProgram, forms.clLinkProgram);
}

const asyncBuildFunctions: AsyncRows<OpenCLState, OpenCLTable, Names> = {
  clBuildProgram: async (state, handle, count, list, options, notify, data) => {
    const job = build(state, handle, count, list, options, notify, data);
    if (typeof job === 'number') return job;
    return job.notify ? run(state, job) : await runLater(state, job);
  },
  clCompileProgram: async (state, handle, count, list, options, headerCount, programs, names, notify, data) => {
    const job = compile(state, handle, count, list, options, [headerCount, programs, names], notify, data);
    if (typeof job === 'number') return job;
    return job.notify ? run(state, job) : await runLater(state, job);
  },
  clLinkProgram: async (state, context, count, list, options, inputCount, inputs, notify, data, errcode) => {
    const job = link(state, context, count, list, options, inputCount, inputs, notify, data);
    putInt(errcode, typeof job === 'number' ? job : await runLater(state, job));
    return made(job);
  },
};

/** The devices of a build: the given ones, else all of the program's. */
function devicesOf(state: OpenCLState, program: ClProgram, count: number, list: Out): readonly ClDevice[] | number {
  if ((count === 0) !== (list === 0n)) return Code.INVALID_VALUE;
  if (count === 0) return program.devices;
  const devices = state.devicesAt(list, count);
  if (typeof devices === 'number') return devices;
  return devices.every((device) => program.devices.includes(device)) ? devices : Code.INVALID_DEVICE;
}

/** The status of a program that cannot be built again. */
function refuse(program: ClProgram, notify: bigint, data: Out): number {
  if (notify === 0n && data !== 0n) return Code.INVALID_VALUE;
  const running = [...program.builds.values()].some(({ status }) => status === BuildStatus.IN_PROGRESS);
  return running || program.kernels > 0 ? Code.INVALID_OPERATION : Code.SUCCESS;
}

function record(job: Job, build: Partial<Build>): void {
  const { program, devices, options, parsed } = job;
  for (const device of devices) {
    program.builds.set(device, { ...NO_BUILD, options, uniform: isUniform(parsed), ...build });
  }
}

/** Unload the programs of earlier builds. */
function forget(state: OpenCLState, { program, devices }: Job): void {
  const loaded = new Set(devices.map((device) => program.buildFor(device).loaded));
  for (const one of loaded) if (one) state.loader.unload(one);
}

function fail(state: OpenCLState, job: Job, status: number, log: string): number {
  forget(state, job);
  record(job, { status: BuildStatus.ERROR, log });
  return status;
}

/** Load a program onto the device. */
function load(state: OpenCLState, job: Job, program: CpuProgram, log: string, uniform: boolean): number {
  const loaded = state.loader.load(program, { context: job.program.context });
  if ('reason' in loaded) {
    const status = loaded.reason === 'memory' ? Code.OUT_OF_RESOURCES : job.failure;
    return fail(state, job, status, `${log}\n${loaded.log}`.trim());
  }
  forget(state, job);
  const type = ProgramBinaryType.EXECUTABLE;
  record(job, { status: BuildStatus.SUCCESS, log, type, program, loaded: loaded satisfies Loaded, uniform });
  return Code.SUCCESS;
}

function settle(state: OpenCLState, job: Job, answer: CompileAnswer): number {
  const { program, object, log, refused } = answer;
  if (program) return load(state, job, program, log, isUniform(job.parsed));
  if (!object) return fail(state, job, refused === true ? job.refusal : job.failure, log);
  forget(state, job);
  const type = job.parsed.library ? ProgramBinaryType.LIBRARY : ProgramBinaryType.COMPILED_OBJECT;
  record(job, { status: BuildStatus.SUCCESS, log, type, object });
  return Code.SUCCESS;
}

/** End a job whose compiler has failed. */
function giveUp(state: OpenCLState, job: Job, error: unknown): number {
  return fail(state, job, Code.COMPILER_NOT_AVAILABLE, error instanceof Error ? error.message : String(error));
}

/** Load the binaries of a program. */
function loadBinaries(state: OpenCLState, job: Job): number {
  const { program, devices } = job;
  const builds = devices.map((device) => program.buildFor(device));
  if (builds.some((build) => !build.program)) return Code.INVALID_BINARY;
  const [first] = builds;
  if (!first?.program) return Code.INVALID_BINARY;
  return load(state, job, first.program, '', first.uniform);
}

function start(state: OpenCLState, job: Job): number | undefined {
  const { errors } = job.parsed;
  if (errors.length > 0) return fail(state, job, job.refusal, errors.join('\n'));
  return job.request ? undefined : loadBinaries(state, job);
}

async function runLater(state: OpenCLState, job: Job): Promise<number> {
  const known = start(state, job);
  if (known !== undefined || !job.request) return known ?? Code.SUCCESS;
  record(job, { status: BuildStatus.IN_PROGRESS });
  // The program may be released while the compilation runs.
  job.program.retain();
  try {
    return settle(state, job, await state.compiler.compileLater(job.request));
  } catch (error) {
    return giveUp(state, job, error);
  } finally {
    job.program.release();
  }
}

function run(state: OpenCLState, job: Job): number {
  const { notify, program } = job;
  if (notify) {
    void runLater(state, job).then(() => state.notify('cl_program_notify', notify, program.handle));
    return Code.SUCCESS;
  }
  const known = start(state, job);
  if (known !== undefined || !job.request) return known ?? Code.SUCCESS;
  try {
    return settle(state, job, state.compiler.compile(job.request));
  } catch (error) {
    return giveUp(state, job, error);
  }
}

function requestOf(context: ClContext, source: string, options: string, result: 'program' | 'object'): OpenCLRequest {
  return {
    language: 'opencl',
    source,
    file: FILE,
    options,
    headers: {},
    objects: [],
    result,
    checked: context.check?.checks ?? false,
  };
}

function build(
  state: OpenCLState,
  handle: bigint,
  count: number,
  list: Out,
  options: string,
  notify: bigint,
  data: Out,
): Job | number {
  const program = state.programs.find(handle);
  if (!program) return Code.INVALID_PROGRAM;
  const devices = devicesOf(state, program, count, list);
  if (typeof devices === 'number') return devices;
  const refused = refuse(program, notify, data);
  if (refused !== Code.SUCCESS) return refused;
  const { source } = program;
  const job: Job = {
    program,
    devices,
    options,
    parsed: state.compiler.options(options),
    request: source === undefined ? undefined : requestOf(program.context, source, options, 'program'),
    failure: Code.BUILD_PROGRAM_FAILURE,
    refusal: Code.INVALID_BUILD_OPTIONS,
    notify: notify === 0n ? undefined : { notify, data: addressAt(data) },
  };
  return job;
}

/** Header texts by their names, or a status. */
function headersOf(state: OpenCLState, count: number, programs: Out, names: Out): Record<string, string> | number {
  if ((count === 0) !== (programs === 0n) || (count === 0) !== (names === 0n)) return Code.INVALID_VALUE;
  const headers: Record<string, string> = {};
  if (count === 0) return headers;
  const addresses = widesAt(names, count);
  for (const [i, raw] of [...widesAt(programs, count)].entries()) {
    const source = state.programs.find(raw)?.source;
    if (source === undefined) return Code.INVALID_PROGRAM;
    headers[readText(addresses[i] ?? 0n)] = source;
  }
  return headers;
}

function link(
  state: OpenCLState,
  handle: bigint,
  count: number,
  list: Out,
  options: string,
  inputCount: number,
  inputs: Out,
  notify: bigint,
  data: Out,
): Job | number {
  const context = state.contexts.find(handle);
  if (!context) return Code.INVALID_CONTEXT;
  if ((count === 0) !== (list === 0n) || inputCount === 0 || inputs === 0n) return Code.INVALID_VALUE;
  if (notify === 0n && data !== 0n) return Code.INVALID_VALUE;
  const devices = count === 0 ? context.devices : state.devicesAt(list, count);
  if (typeof devices === 'number') return devices;
  if (devices.some((device) => !context.devices.includes(device))) return Code.INVALID_DEVICE;
  const objects: Uint8Array[] = [];
  for (const raw of widesAt(inputs, inputCount)) {
    const input = state.programs.find(raw);
    if (input?.context !== context) return Code.INVALID_PROGRAM;
    const [device] = devices;
    const object = device && input.buildFor(device).object;
    if (!object) return Code.INVALID_OPERATION;
    objects.push(object);
  }
  const parsed = state.compiler.options(options);
  const program = state.programs.find(state.addProgram(context, devices, undefined));
  if (!program) return Code.OUT_OF_HOST_MEMORY;
  return {
    program,
    devices,
    options,
    parsed,
    request: { ...requestOf(context, '', options, parsed.library ? 'object' : 'program'), objects },
    failure: Code.LINK_PROGRAM_FAILURE,
    refusal: Code.INVALID_LINKER_OPTIONS,
    notify: notify === 0n ? undefined : { notify, data: addressAt(data) },
  };
}

function compile(
  state: OpenCLState,
  handle: bigint,
  count: number,
  list: Out,
  options: string,
  [headerCount, programs, names]: readonly [number, Out, Out],
  notify: bigint,
  data: Out,
): Job | number {
  const job = build(state, handle, count, list, options, notify, data);
  if (typeof job === 'number') return job;
  const headers = headersOf(state, headerCount, programs, names);
  if (typeof headers === 'number') return headers;
  const { source } = job.program;
  if (source === undefined) return Code.INVALID_OPERATION;
  return {
    ...job,
    request: { ...requestOf(job.program.context, source, options, 'object'), headers },
    failure: Code.COMPILE_PROGRAM_FAILURE,
    refusal: Code.INVALID_COMPILER_OPTIONS,
  };
}

/** The program of a link job. A failed link has a program too, for its log. */
function made(job: Job | number): ReturnType<OpenCLTable['clLinkProgram']> {
  return (typeof job === 'number' ? 0n : job.program.handle) as ReturnType<OpenCLTable['clLinkProgram']>;
}
