import * as cuda from '../../cuda/index.ts';
import { Closing } from '../closing.ts';
import type { CompiledFile, CompileOptions } from './compiled-file.ts';
import { readAssemblerLog, withoutAssemblerLog, type KernelRow } from './kernel-row.ts';
import { messageOf, UsageError, type IO } from '../output.ts';
import { progress } from '../progress.ts';
import { cudaOptions, type SourceFile } from '../source-file.ts';

/** The forms of compiled CUDA C++. */
export type CudaForm = 'ptx' | 'cubin' | 'lto-ir' | 'wasm';

/** Compile CUDA C++ for a GPU, or for the embedded device. */
export async function compileCuda(
  source: SourceFile,
  form: CudaForm | undefined,
  options: CompileOptions,
  rest: readonly string[],
  io: IO,
): Promise<CompiledFile> {
  const forGpu = form === undefined ? options.arch !== undefined || !new cuda.Device(0).isEmbedded : form !== 'wasm';
  const arch = forGpu ? architecture(options.arch, form) : 'sm_90';
  const { names: nameExpressions = [] } = options;
  const base = { ...cudaOptions(options, rest), fileName: source.path, arch, nameExpressions };
  const verbose = arch.startsWith('sm_') && forGpu && form !== 'lto-ir' ? { ptxasOptions: ['-v'] } : {};
  const output = form === 'lto-ir' ? 'ltoir' : 'code';
  const compile = (more: cuda.ProgramOptions): Promise<cuda.Program> =>
    progress(io, `compiling ${source.path}`, cuda.Program.compileLater(source.text, { ...base, ...more }));
  const program = await compile({ ...verbose, output });
  // LTO IR does not list its kernels; PTX does.
  const described = output === 'code' ? program : await compile({ arch: arch.replace('sm_', 'compute_') });
  const log = readAssemblerLog(program.log);
  const asked = attributes(program, forGpu);
  const kernels = described.kernels.map(({ symbol, signature }): KernelRow => {
    return { signature, symbol, ...asked.get(symbol), ...log.get(symbol) };
  });
  return {
    target: forGpu ? arch : 'the embedded CPU device',
    code: codeOf(program, form),
    kernels,
    log: withoutAssemblerLog(program.log),
  };
}

/** The architecture as the compiler takes it; PTX is for a virtual one, all else for a real one. */
function architecture(given: string | undefined, form: CudaForm | undefined): string {
  const text = given ?? capability();
  const digits = /^(?:sm_|compute_)?(\d{2,3}[af]?)$/.exec(text)?.[1];
  if (digits === undefined) throw new UsageError(`--arch ${text}: write sm_90, compute_90 or 90`);
  const [number = ''] = /^\d+/.exec(digits) ?? [];
  const known = cuda.supportedArchitectures();
  if (!known.includes(`sm_${number}`)) {
    const from = given === undefined ? 'The first GPU is' : '--arch';
    throw new UsageError(`${from} ${text}: this NVRTC compiles for ${known.join(', ')}`);
  }
  const isVirtual = form === 'ptx' || (form === undefined && text.startsWith('compute_'));
  return `${isVirtual ? 'compute' : 'sm'}_${digits}`;
}

function capability(): string {
  try {
    return new cuda.Device(0).computeCapability.join('');
  } catch (error) {
    throw new UsageError(`There is no GPU to compile for: give --arch sm_90\n${messageOf(error)}`, { cause: error });
  }
}

function codeOf(program: cuda.Program, form: CudaForm | undefined): Uint8Array | undefined {
  if (form === undefined) return undefined;
  if (form === 'ptx') return new TextEncoder().encode(program.ptx.replace(/\0+$/, ''));
  return form === 'wasm' ? program.wasm : program.code;
}

/** The driver's facts of the kernels, if one of its devices can run them. */
function attributes(program: cuda.Program, forGpu: boolean): ReadonlyMap<string, Partial<KernelRow>> {
  const found = new Map<string, Partial<KernelRow>>();
  if (program.kind !== 'cubin') return found;
  const closing = new Closing();
  try {
    closing.keep(new cuda.Context(new cuda.Device(0)));
    const module = closing.keep(program.toModule());
    for (const { symbol } of program.kernels) {
      const kernel = module.getFunction(symbol);
      const { sharedSizeBytes: sharedBytes, localSizeBytes: localBytes, maxThreadsPerBlock: maxThreads } = kernel;
      // The embedded device has no registers.
      const own = forGpu ? { registers: kernel.numRegs, localBytes } : {};
      found.set(symbol, { sharedBytes, maxThreads, ...own });
    }
  } catch {
    // No such device: the assembler's word is all there is.
  } finally {
    closing.close();
  }
  return found;
}
