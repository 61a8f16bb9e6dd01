import { provideAsync } from '../ffi/bind.ts';
import { addressOf, readText } from '../ffi/memory.ts';
import { nvrtcStatus } from '../cuda/sys/enums.ts';
import type { NvrtcTable } from '../cuda/sys/tables.ts';
import type { CompileAnswer, CompileRequest } from './compiler/request.ts';
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
/** What programs for this device are called: they use what compute capability 9.0 has. */
const ARCH = 90;
const VERSION = [12, 8] as const;

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);

/**
 * NVRTC's functions over the embedded compiler: what they make runs on the embedded device only.
 *
 * @param checks - asked at each compilation: what the program is to look for as it runs
 */
export function cpuNvrtc(compiler: Compiler, checks: () => CpuProgram['checked'] = () => false): NvrtcTable {
  const jobs = new Map<bigint, Job>();
  const names = new Map<number, Uint8Array>();
  let next = 0x100n;

  const put = (out: unknown, value: bigint | number): number => {
    (out as BigUint64Array)[0] = value as bigint;
    return SUCCESS;
  };
  const fill = (out: unknown, bytes: Uint8Array): number => {
    const target = out as ArrayBufferView;
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes);
    return SUCCESS;
  };
  const nameOf = (status: number): Uint8Array => {
    const known = names.get(status) ?? text(NAMES[status] ?? `NVRTC_ERROR ${status}`);
    names.set(status, known);
    return known;
  };
  /** Answer with something of a program; where it was never compiled, as NVRTC does. */
  const of = (program: bigint, answer: (job: Job) => number): number => {
    const job = jobs.get(program);
    return job ? answer(job) : INVALID_PROGRAM;
  };
  const made = (bytes: Uint8Array | undefined, answer: (bytes: Uint8Array) => number): number =>
    bytes ? answer(bytes) : INVALID_PROGRAM;

  const requestOf = (job: Job, count: number, list: unknown): CompileRequest => {
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
  };
  const settle = (job: Job, { program, log }: CompileAnswer): number => {
    job.log = text(log);
    if (!program) return COMPILATION_FAILED;
    // Of an architecture that is none of a device, NVRTC makes PTX alone.
    job.cubin = program.arch.startsWith('sm_') ? encodeProgram(program) : new Uint8Array();
    job.ptx = text(pseudoPtx(program));
    for (const [expression, symbol] of Object.entries(program.lowered)) job.lowered.set(expression, text(symbol));
    return SUCCESS;
  };

  const table: NvrtcTable = {
    nvrtcGetErrorString: (status) => addressOf(nameOf(status)),
    nvrtcVersion: (major, minor) => put(major, VERSION[0]) || put(minor, VERSION[1]),
    nvrtcGetNumSupportedArchs: (out) => put(out, 1),
    nvrtcGetSupportedArchs: (out) => put(out, ARCH),
    nvrtcCreateProgram: (out, source, file, headers) => {
      if (headers !== 0) return INVALID_INPUT;
      const program = next++;
      jobs.set(program, {
        source,
        file,
        expressions: [],
        log: text(''),
        ptx: undefined,
        cubin: undefined,
        lowered: new Map(),
      });
      return put(out, program);
    },
    nvrtcDestroyProgram: (slot) => {
      const program = (slot as BigUint64Array)[0] ?? 0n;
      return jobs.delete(program) ? put(slot, 0n) : INVALID_PROGRAM;
    },
    nvrtcAddNameExpression: (program, expression) =>
      of(program, (job) => {
        job.expressions.push(expression);
        return SUCCESS;
      }),
    nvrtcCompileProgram: (program, count, options) =>
      of(program, (job) => settle(job, compiler.compile(requestOf(job, count, options)))),
    nvrtcGetPTXSize: (program, out) => of(program, ({ ptx }) => made(ptx, (bytes) => put(out, BigInt(bytes.length)))),
    nvrtcGetPTX: (program, out) => of(program, ({ ptx }) => made(ptx, (bytes) => fill(out, bytes))),
    nvrtcGetCUBINSize: (program, out) =>
      of(program, ({ cubin }) => made(cubin, (bytes) => put(out, BigInt(bytes.length)))),
    nvrtcGetCUBIN: (program, out) => of(program, ({ cubin }) => made(cubin, (bytes) => fill(out, bytes))),
    nvrtcGetLTOIRSize: () => INVALID_OPTION,
    nvrtcGetLTOIR: () => INVALID_OPTION,
    nvrtcGetOptiXIRSize: () => INVALID_OPTION,
    nvrtcGetOptiXIR: () => INVALID_OPTION,
    // The device's own headers are precompiled already; a program's are read as text each time.
    nvrtcGetPCHHeapSize: (out) => put(out, 0n),
    nvrtcSetPCHHeapSize: () => SUCCESS,
    nvrtcGetPCHCreateStatus: (program) => of(program, () => NO_PCH_CREATE_ATTEMPTED),
    nvrtcGetPCHHeapSizeRequired: (program, out) => of(program, () => put(out, 0n)),
    nvrtcGetProgramLogSize: (program, out) => of(program, ({ log }) => put(out, BigInt(log.length))),
    nvrtcGetProgramLog: (program, out) => of(program, ({ log }) => fill(out, log)),
    nvrtcGetLoweredName: (program, expression, out) =>
      of(program, ({ lowered }) => {
        const name = lowered.get(expression);
        return name ? put(out, addressOf(name)) : NAME_EXPRESSION_NOT_VALID;
      }),
  };
  provideAsync(table.nvrtcCompileProgram, async (program, count, options) => {
    const job = jobs.get(program);
    return job ? settle(job, await compiler.compileLater(requestOf(job, count, options))) : INVALID_PROGRAM;
  });
  return table;
}
