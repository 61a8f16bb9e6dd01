import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseDiagnostics } from '../../core/diagnostics.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { addressOf, readText } from '../../ffi/memory.ts';
import { compileProgram, compileProgramOnWorker, destroyProgram, rtc, rtcSlotOf } from '../call.ts';
import type { Compiled, CompileTask } from './compile-task.ts';
import { CompileError, nvrtcError } from '../errors.ts';
import { missingNotes, providedHeaders } from './provided-headers.ts';
import { growPchHeap, inPchTurn, pchOutcome, usingPchHeap, wantsPch, type PchOutcome } from './precompiled-header.ts';
import { isEmbedded, isNativeNvrtc, nvrtcToolchain } from '../selection.ts';
import { nvrtcStatus } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type Program = Opaque<'nvrtcProgram'>;

const COMPILATION_FAILED = nvrtcStatus.NVRTC_ERROR_COMPILATION[0];
// What a worker thread reads must not be collected meanwhile.
const inUse = new Set<object>();
const programSlot = rtcSlotOf('nvrtcProgram');
const textSlot = slotOf('size_t');
const sizeSlot = slotOf('size_t');
const countSlot = slotOf('int');

/** The compute capabilities, ten times major plus minor, that NVRTC makes machine code for. */
function supportedArchs(): number[] {
  rtc.nvrtcGetNumSupportedArchs(countSlot);
  const archs = new Int32Array(Math.max(1, take(countSlot)));
  rtc.nvrtcGetSupportedArchs(archs);
  return [...archs];
}

/**
 * The targets that the compiler makes machine code for, the oldest first: what `arch` takes.
 *
 * Host: does not block. No device is asked.
 *
 * @throws {@link LibraryNotFoundError} no NVRTC is installed
 * @example
 * ```ts
 * import { supportedArchitectures } from 'rawkernel/cuda';
 *
 * supportedArchitectures().includes('sm_90'); // true
 * ```
 * @see {@link https://docs.nvidia.com/cuda/nvrtc/index.html | nvrtcGetSupportedArchs}
 */
export function supportedArchitectures(): string[] {
  return supportedArchs().map((arch) => `sm_${arch}`);
}

/**
 * The target for a device: its own machine code where NVRTC knows it, else the newest PTX that the driver can finish.
 *
 * @param capability - ten times major plus minor
 */
export function nvrtcTarget(capability: number): string {
  const archs = supportedArchs();
  if (archs.includes(capability)) return `sm_${capability}`;
  const below = archs.filter((arch) => arch < capability);
  return `compute_${below.length === 0 ? Math.min(...archs) : Math.max(...below)}`;
}

/** Where the toolkit's headers are (`cuda_fp16.h` …): next to NVRTC, else in an installed toolkit. */
export function toolkitIncludes(): string[] {
  const { path, homes } = nvrtcToolchain();
  const folder = path === undefined || path === basename(path) ? undefined : dirname(path);
  const beside = folder === undefined ? [] : [join(folder, '..'), join(folder, '..', '..', 'cuda_runtime')];
  const folders = [...beside, ...homes].map((home) => join(home, 'include'));
  const found = folders.find((folder) => existsSync(join(folder, 'cuda_fp16.h')));
  if (found === undefined) return [];
  // CUDA 13 keeps the C++ library, which other headers include, in a folder of its own.
  const library = join(found, 'cccl');
  return existsSync(library) ? [found, library] : [found];
}

/** Compile with NVRTC. Host: blocks. */
export function compileWithNvrtc(task: CompileTask): Compiled {
  const pch = wantsPch(task.options);
  const first = build(task, pch);
  return (first.outcome && growPchHeap(first.outcome) ? build(task, pch) : first).compiled;
}

/** Compile with NVRTC on a worker thread. NVRTC needs no context, so any thread will do. */
export async function compileWithNvrtcLater(task: CompileTask): Promise<Compiled> {
  if (!wantsPch(task.options)) return (await buildLater(task, false)).compiled;
  return inPchTurn(async () => {
    const first = await usingPchHeap(() => buildLater(task, true));
    const again = first.outcome !== undefined && growPchHeap(first.outcome);
    return (again ? await usingPchHeap(() => buildLater(task, true)) : first).compiled;
  });
}

interface Built {
  readonly compiled: Compiled;
  /** Of the precompiled header, where one was wanted. */
  readonly outcome: PchOutcome | undefined;
}

function build(task: CompileTask, pch: boolean): Built {
  const program = createProgram(task);
  try {
    const { options, count } = pointers(task.options);
    const status = compileProgram(program, count, options);
    return collect(program, task, status, pch);
  } finally {
    destroy(program);
  }
}

async function buildLater(task: CompileTask, pch: boolean): Promise<Built> {
  const program = createProgram(task);
  try {
    const packed = pointers(task.options);
    inUse.add(packed);
    const status = await compileProgramOnWorker(program, packed.count, packed.options).finally(() =>
      inUse.delete(packed),
    );
    return collect(program, task, status, pch);
  } finally {
    destroy(program);
  }
}

function createProgram(task: CompileTask): Program {
  const { source, file, expressions } = task;
  // The embedded compiler has headers of its own.
  const { count, texts, names } = isNativeNvrtc() ? providedHeaders(task, toolkitIncludes()) : NO_HEADERS;
  rtc.nvrtcCreateProgram(programSlot, source, file, count, texts, names);
  const program = take(programSlot);
  try {
    for (const expression of expressions) rtc.nvrtcAddNameExpression(program, expression);
  } catch (error) {
    destroy(program);
    throw error;
  }
  return program;
}

const NO_HEADERS = { count: 0, texts: NULL, names: NULL } as const;

function destroy(program: Program): void {
  programSlot[0] = program;
  destroyProgram(programSlot);
}

function pointers(options: readonly string[]): { options: BigUint64Array | bigint; count: number; texts: Buffer[] } {
  const texts = options.map((option) => Buffer.from(`${option}\0`));
  return { options: texts.length === 0 ? 0n : BigUint64Array.from(texts, addressOf), count: texts.length, texts };
}

function collect(program: Program, task: CompileTask, status: number, pch: boolean): Built {
  const log = readLog(program);
  if (status === COMPILATION_FAILED) throw compileError(task, log);
  if (status !== 0) {
    if (log === '') throw nvrtcError('nvrtcCompileProgram', status);
    throw compileError(task, log);
  }
  const { target } = task;
  const ptx = task.output === 'code' ? readBytes(program, 'ptx') : Buffer.alloc(0);
  const code =
    task.output === 'code'
      ? target.startsWith('sm_')
        ? readBytes(program, 'cubin')
        : ptx
      : readBytes(program, task.output);
  const lowered: Record<string, string> = {};
  for (const expression of task.expressions) {
    rtc.nvrtcGetLoweredName(program, expression, textSlot);
    lowered[expression] = readText(take(textSlot));
  }
  const outcome = pch ? pchOutcome(program) : undefined;
  const compiled = { code, ptx: ptx.toString('utf8').replace(/\0$/, ''), target, lowered, log, pch: outcome?.status };
  return { compiled, outcome };
}

/** The error of a source that does not compile. */
export function compileError({ source, file, options }: CompileTask, said: string): CompileError {
  const compiler = isEmbedded() ? 'The embedded CPU device' : 'NVRTC';
  const log = isEmbedded() ? said : `${said}${missingNotes(said)}`;
  return new CompileError(`${compiler} could not compile ${file}`, {
    log,
    source,
    file,
    options,
    diagnostics: parseDiagnostics(log, source),
  });
}

function readLog(program: Program): string {
  rtc.nvrtcGetProgramLogSize(program, sizeSlot);
  if (take(sizeSlot) === 0n) return '';
  const log = Buffer.alloc(Number(take(sizeSlot)));
  rtc.nvrtcGetProgramLog(program, log);
  return log.toString('utf8').replace(/\0.*$/s, '').trim();
}

const READERS = {
  ptx: [rtc.nvrtcGetPTXSize, rtc.nvrtcGetPTX],
  cubin: [rtc.nvrtcGetCUBINSize, rtc.nvrtcGetCUBIN],
  ltoir: [rtc.nvrtcGetLTOIRSize, rtc.nvrtcGetLTOIR],
  optixir: [rtc.nvrtcGetOptiXIRSize, rtc.nvrtcGetOptiXIR],
} as const;

function readBytes(program: Program, what: keyof typeof READERS): Buffer {
  const [size, read] = READERS[what];
  size(program, sizeSlot);
  const bytes = Buffer.alloc(Number(take(sizeSlot)));
  read(program, bytes);
  return bytes;
}
