import { provideAsync } from '../ffi/bind.ts';
import { addressOf, readText } from '../ffi/memory.ts';
import { nvrtcStatus } from '../cuda/sys/enums.ts';
import type { NvrtcTable } from '../cuda/sys/tables.ts';
import type { CompileAnswer, CompileRequest } from './compiler/request.ts';
import { bindRows, type Rows } from './abi/rows.ts';
import { encodeProgram, pseudoPtx, type CpuProgram } from './abi/program.ts';

/** The embedded compiler, blocking and not. */
export interface Compiler {
  readonly compile: (request: CompileRequest) => CompileAnswer;
  readonly compileLater: (request: CompileRequest) => Promise<CompileAnswer>;
}

interface Job {
  readonly source: string;
  readonly file: string;
  readonly expressions: string[];
  log: Uint8Array;
  ptx: Uint8Array | undefined;
  cubin: Uint8Array | undefined;
  readonly lowered: Map<string, Uint8Array>;
}

const [SUCCESS] = nvrtcStatus.NVRTC_SUCCESS;
const [INVALID_INPUT] = nvrtcStatus.NVRTC_ERROR_INVALID_INPUT;
const [INVALID_PROGRAM] = nvrtcStatus.NVRTC_ERROR_INVALID_PROGRAM;
const [INVALID_OPTION] = nvrtcStatus.NVRTC_ERROR_INVALID_OPTION;
const [COMPILATION_FAILED] = nvrtcStatus.NVRTC_ERROR_COMPILATION;
const [NAME_EXPRESSION_NOT_VALID] = nvrtcStatus.NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
const [NO_PCH_CREATE_ATTEMPTED] = nvrtcStatus.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
const NAMES: Readonly<Record<number, string>> = {
  [SUCCESS]: 'NVRTC_SUCCESS',
  [INVALID_INPUT]: 'NVRTC_ERROR_INVALID_INPUT',
  [INVALID_PROGRAM]: 'NVRTC_ERROR_INVALID_PROGRAM',
  [INVALID_OPTION]: 'NVRTC_ERROR_INVALID_OPTION',
  [COMPILATION_FAILED]: 'NVRTC_ERROR_COMPILATION',
  [NAME_EXPRESSION_NOT_VALID]: 'NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID',
  [NO_PCH_CREATE_ATTEMPTED]: 'NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED',
};
/** The architecture of programs for this device: they may use everything of compute capability 9.0. */
const ARCH = 90;
const VERSION = [12, 8] as const;

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);

/** The programs of a compiler, by their handles. */
class Compilations {
  readonly compiler: Compiler;
  /** Returns the checks of a program; called at each compilation. */
  readonly checks: () => CpuProgram['checked'];
  readonly jobs: Map<bigint, Job> = new Map();
  readonly #names = new Map<number, Uint8Array>();
  #next = 0x100n;

  constructor(compiler: Compiler, checks: () => CpuProgram['checked']) {
    this.compiler = compiler;
    this.checks = checks;
  }

  add(source: string, file: string): bigint {
    const program = this.#next++;
    this.jobs.set(program, {
      source,
      file,
      expressions: [],
      log: text(''),
      ptx: undefined,
      cubin: undefined,
      lowered: new Map(),
    });
    return program;
  }

  /** A status's name, with its NUL. The text stays alive, since callers get its address. */
  nameOf(status: number): Uint8Array {
    const known = this.#names.get(status) ?? text(NAMES[status] ?? `NVRTC_ERROR ${status}`);
    this.#names.set(status, known);
    return known;
  }
}

/**
 * NVRTC's functions over the embedded compiler: their programs run on the embedded device only.
 *
 * @param checks - returns the checks of a program; called at each compilation
 */
export function cpuNvrtc(compiler: Compiler, checks: () => CpuProgram['checked'] = () => false): NvrtcTable {
  const state = new Compilations(compiler, checks);
  const table = bindRows(state, rows);
  provideAsync(table.nvrtcCompileProgram, async (program, count, options) => {
    const job = state.jobs.get(program);
    return job ? settle(job, await compiler.compileLater(requestOf(state, job, count, options))) : INVALID_PROGRAM;
  });
  return table;
}

const rows: Rows<Compilations, NvrtcTable> = {
  nvrtcGetErrorString: (state, status) => addressOf(state.nameOf(status)),
  nvrtcVersion: (_state, major, minor) => put(major, VERSION[0]) || put(minor, VERSION[1]),
  nvrtcGetNumSupportedArchs: (_state, out) => put(out, 1),
  nvrtcGetSupportedArchs: (_state, out) => put(out, ARCH),
  nvrtcCreateProgram: (state, out, source, file, headers) => {
    if (headers !== 0) return INVALID_INPUT;
    return put(out, state.add(source, file));
  },
  nvrtcDestroyProgram: (state, slot) => {
    const program = (slot as BigUint64Array)[0] ?? 0n;
    return state.jobs.delete(program) ? put(slot, 0n) : INVALID_PROGRAM;
  },
  nvrtcAddNameExpression: (state, program, expression) =>
    withJob(state, program, (job) => {
      job.expressions.push(expression);
      return SUCCESS;
    }),
  nvrtcCompileProgram: (state, program, count, options) =>
    withJob(state, program, (job) => settle(job, state.compiler.compile(requestOf(state, job, count, options)))),
  nvrtcGetPTXSize: (state, program, out) =>
    withJob(state, program, ({ ptx }) => made(ptx, (bytes) => put(out, BigInt(bytes.length)))),
  nvrtcGetPTX: (state, program, out) => withJob(state, program, ({ ptx }) => made(ptx, (bytes) => fill(out, bytes))),
  nvrtcGetCUBINSize: (state, program, out) =>
    withJob(state, program, ({ cubin }) => made(cubin, (bytes) => put(out, BigInt(bytes.length)))),
  nvrtcGetCUBIN: (state, program, out) =>
    withJob(state, program, ({ cubin }) => made(cubin, (bytes) => fill(out, bytes))),
  nvrtcGetLTOIRSize: () => INVALID_OPTION,
  nvrtcGetLTOIR: () => INVALID_OPTION,
  nvrtcGetOptiXIRSize: () => INVALID_OPTION,
  nvrtcGetOptiXIR: () => INVALID_OPTION,
  // The device's own headers are precompiled already; a program's are read as text each time.
  nvrtcGetPCHHeapSize: (_state, out) => put(out, 0n),
  nvrtcSetPCHHeapSize: () => SUCCESS,
  nvrtcGetPCHCreateStatus: (state, program) => withJob(state, program, () => NO_PCH_CREATE_ATTEMPTED),
  nvrtcGetPCHHeapSizeRequired: (state, program, out) => withJob(state, program, () => put(out, 0n)),
  nvrtcGetProgramLogSize: (state, program, out) => withJob(state, program, ({ log }) => put(out, BigInt(log.length))),
  nvrtcGetProgramLog: (state, program, out) => withJob(state, program, ({ log }) => fill(out, log)),
  nvrtcGetLoweredName: (state, program, expression, out) =>
    withJob(state, program, ({ lowered }) => {
      const name = lowered.get(expression);
      return name ? put(out, addressOf(name)) : NAME_EXPRESSION_NOT_VALID;
    }),
};

function put(out: unknown, value: bigint | number): number {
  (out as BigUint64Array)[0] = value as bigint;
  return SUCCESS;
}

function fill(out: unknown, bytes: Uint8Array): number {
  const target = out as ArrayBufferView;
  new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes);
  return SUCCESS;
}

/** Answer from the job of a program. */
function withJob({ jobs }: Compilations, program: bigint, answer: (job: Job) => number): number {
  const job = jobs.get(program);
  return job ? answer(job) : INVALID_PROGRAM;
}

function made(bytes: Uint8Array | undefined, answer: (bytes: Uint8Array) => number): number {
  return bytes ? answer(bytes) : INVALID_PROGRAM;
}

function requestOf({ checks }: Compilations, job: Job, count: number, list: unknown): CompileRequest {
  const addresses = ArrayBuffer.isView(list) ? (list as BigUint64Array) : new BigUint64Array();
  const options = [...addresses.subarray(0, count)].map(readText);
  const includes: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < options.length; i++) {
    const option = options[i] ?? '';
    const folder = /^(?:-I|--include-path=)(.+)$/.exec(option)?.[1];
    if (folder !== undefined) includes.push(folder);
    else if (option === '-I' || option === '--include-path') includes.push(options[++i] ?? '');
    else rest.push(option);
  }
  const { source, file, expressions } = job;
  return { source, file, options: rest, expressions, includes, checked: checks() };
}

function settle(job: Job, { program, log }: CompileAnswer): number {
  job.log = text(log);
  if (!program) return COMPILATION_FAILED;
  // For a virtual architecture, NVRTC makes PTX alone.
  job.cubin = program.arch.startsWith('sm_') ? encodeProgram(program) : new Uint8Array();
  job.ptx = text(pseudoPtx(program));
  for (const [expression, symbol] of Object.entries(program.lowered)) job.lowered.set(expression, text(symbol));
  return SUCCESS;
}
