import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseDiagnostics } from '../../core/diagnostics.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { addressOf, readText } from '../../ffi/memory.ts';
import { compileProgram, compileProgramOnWorker, rtc } from '../call.ts';
import type { Compiled, CompileTask } from './compiler.ts';
import { CompileError, nvrtcError } from '../errors.ts';
import { nvrtcToolchain } from '../select.ts';

type Program = Opaque<'nvrtcProgram'>;

const COMPILATION_FAILED = 6;
// What a worker thread reads must not be collected meanwhile.
const inUse = new Set<object>();
const slot = new BigUint64Array(1);
const intSlots = new Int32Array(2);

/** The compute capabilities, ten times major plus minor, that NVRTC makes machine code for. */
function supportedArchs(): number[] {
  rtc.nvrtcGetNumSupportedArchs(intSlots);
  const archs = new Int32Array(Math.max(1, intSlots[0] ?? 0));
  rtc.nvrtcGetSupportedArchs(archs);
  return [...archs];
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
  const program = createProgram(task);
  try {
    const { options, count } = pointers(task.options);
    const status = compileProgram(program, count, options);
    return collect(program, task, status);
  } finally {
    destroy(program);
  }
}

/** Compile with NVRTC on a worker thread. NVRTC needs no context, so any thread will do. */
export async function compileWithNvrtcLater(task: CompileTask): Promise<Compiled> {
  const program = createProgram(task);
  try {
    const packed = pointers(task.options);
    inUse.add(packed);
    const status = await compileProgramOnWorker(program, packed.count, packed.options).finally(() =>
      inUse.delete(packed),
    );
    return collect(program, task, status);
  } finally {
    destroy(program);
  }
}

function createProgram({ source, file, expressions }: CompileTask): Program {
  rtc.nvrtcCreateProgram(slot, source, file, 0, NULL, NULL);
  const program = (slot[0] ?? 0n) as Program;
  try {
    for (const expression of expressions) rtc.nvrtcAddNameExpression(program, expression);
  } catch (error) {
    destroy(program);
    throw error;
  }
  return program;
}

function destroy(program: Program): void {
  slot[0] = program;
  rtc.nvrtcDestroyProgram(slot);
}

function pointers(options: readonly string[]): { options: BigUint64Array | bigint; count: number; texts: Buffer[] } {
  const texts = options.map((option) => Buffer.from(`${option}\0`));
  return { options: texts.length === 0 ? 0n : BigUint64Array.from(texts, addressOf), count: texts.length, texts };
}

function collect(program: Program, task: CompileTask, status: number): Compiled {
  const log = readLog(program);
  if (status === COMPILATION_FAILED) throw compileError(task, log);
  if (status !== 0) {
    if (log === '') throw nvrtcError('nvrtcCompileProgram', status);
    throw compileError(task, log);
  }
  const ptx = task.lto ? Buffer.alloc(0) : readBytes(program, 'PTX');
  const code = task.lto
    ? readBytes(program, 'LTOIR')
    : task.target.startsWith('sm_')
      ? readBytes(program, 'CUBIN')
      : ptx;
  const lowered: Record<string, string> = {};
  for (const expression of task.expressions) {
    rtc.nvrtcGetLoweredName(program, expression, slot);
    lowered[expression] = readText(slot[0] ?? 0n);
  }
  return { code, ptx: ptx.toString('utf8').replace(/\0$/, ''), target: task.target, lowered, log };
}

function compileError({ source, file, options }: CompileTask, log: string): CompileError {
  return new CompileError(`NVRTC could not compile ${file}`, {
    log,
    source,
    file,
    options,
    diagnostics: parseDiagnostics(log, source),
  });
}

function readLog(program: Program): string {
  rtc.nvrtcGetProgramLogSize(program, slot);
  if (slot[0] === 0n) return '';
  const log = Buffer.alloc(Number(slot[0]));
  rtc.nvrtcGetProgramLog(program, log);
  return log.toString('utf8').replace(/\0.*$/s, '').trim();
}

const READERS = {
  PTX: [rtc.nvrtcGetPTXSize, rtc.nvrtcGetPTX],
  CUBIN: [rtc.nvrtcGetCUBINSize, rtc.nvrtcGetCUBIN],
  LTOIR: [rtc.nvrtcGetLTOIRSize, rtc.nvrtcGetLTOIR],
} as const;

function readBytes(program: Program, what: keyof typeof READERS): Buffer {
  const [size, read] = READERS[what];
  size(program, slot);
  const bytes = Buffer.alloc(Number(slot[0]));
  read(program, bytes);
  return bytes;
}
