import { PublicObject } from '../../core/public-object.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LibraryNotFoundError } from '../../core/errors.ts';
import { checkGiven, checkOptions, nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { SOURCE_OPTIONS, type SourceOptions } from '../compiler/source-options.ts';
import { Linker, type LinkerOptions } from './linker.ts';
import type { Module } from './module.ts';
import { Program } from './program.ts';
import type { ProgramKind } from '../compiler/program-parts.ts';
import { isEmbedded, nvrtcToolchain } from '../selection.ts';
import { toolkitLibraries } from '../toolkit.ts';

/** How the parts of a {@link DynamicModule} are compiled and linked. */
export interface DynamicModuleOptions extends Omit<SourceOptions, 'nameExpressions' | 'fileName'> {
  /** For the linker. */
  readonly link?: LinkerOptions;
}

const OPTIONS = [...SOURCE_OPTIONS.filter((name) => name !== 'nameExpressions' && name !== 'fileName'), 'link'];

/**
 * A module of several sources, objects and libraries, which may call each other's device functions, and launch kernels
 * from kernels with the device runtime (`addStdlib('cudadevrt')`).
 *
 * @example
 * ```ts
 * import { DynamicModule } from 'rawkernel/cuda';
 *
 * const parts = new DynamicModule({ arch: 'compute_80' });
 * parts.addSource('__device__ float twice(float x) { return 2 * x; }', { fileName: 'twice.cu' });
 * parts.linker.inputs[0]?.name; // 'twice.cu'
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-dynamic-parallelism | Dynamic parallelism}
 */
export class DynamicModule extends PublicObject {
  /** What has been added so far. */
  readonly linker: Linker;
  readonly #options: Omit<DynamicModuleOptions, 'link'>;

  /**
   * Begin with nothing.
   *
   * @throws TypeError an option is unknown
   */
  constructor(options: DynamicModuleOptions = {}) {
    super();
    checkOptions(options, OPTIONS, 'DynamicModule');
    const { link, ...rest } = options;
    this.linker = new Linker(link);
    this.#options = rest;
  }

  /**
   * Compile CUDA C++ to relocatable code and add it.
   *
   * Host: blocks while it compiles.
   *
   * @param options - on top of the module's
   * @throws {@link CompileError} the source is wrong
   */
  addSource(source: string, options: SourceOptions = {}): this {
    checkGiven(options, SOURCE_OPTIONS, 'DynamicModule.addSource');
    const { fileName = `source ${this.linker.inputs.length}.cu` } = options;
    const program = Program.compile(source, { ...this.#options, ...options, fileName, relocatable: true });
    this.linker.add(program, fileName);
    return this;
  }

  /** Add code; see {@link Linker.addData}. */
  addData(code: string | HostMemory, kind?: ProgramKind, name?: string): this {
    this.linker.addData(code, kind, name);
    return this;
  }

  /** Add a file; see {@link Linker.addFile}. */
  addFile(path: string): this {
    this.linker.addFile(path);
    return this;
  }

  /**
   * Add a library of the toolkit: `'cudadevrt'`, the device runtime.
   *
   * @throws {@link LibraryNotFoundError} no toolkit has it
   */
  addStdlib(name: string): this {
    if (typeof name !== 'string' || !/^\w+$/.test(name)) {
      throw new TypeError(`A library's name must be like 'cudadevrt', got ${nameOf(name)}`);
    }
    // The embedded device's own is a part of all relocatable code.
    if (!isEmbedded()) this.linker.addFile(findStdlib(name));
    return this;
  }

  /**
   * Link all and load it into the current context.
   *
   * Host: blocks.
   *
   * @throws {@link CompileError} it does not link
   * @throws {@link CudaLogicError} no context is current
   */
  link(): Module {
    return this.linker.link().toModule();
  }
}

/**
 * Load one source whose kernels may launch kernels: compiled to relocatable code and linked with the device runtime.
 *
 * Host: blocks.
 *
 * @throws what {@link DynamicModule.link} throws
 */
export function dynamicSourceModule(source: string, options: DynamicModuleOptions = {}): Module {
  return new DynamicModule(options).addSource(source).addStdlib('cudadevrt').link();
}

function findStdlib(name: string): string {
  const file = process.platform === 'win32' ? `${name}.lib` : `lib${name}.a`;
  const { path } = nvrtcToolchain();
  const folder = path === undefined || path === basename(path) ? [] : [dirname(path)];
  // Python's packages have it in the runtime's, beside NVRTC's.
  const beside = folder.flatMap((own) => [own, join(own, '..', '..', 'cuda_runtime', 'lib')]);
  const tried = [...toolkitLibraries(), ...beside].map((place) => join(place, file));
  const found = tried.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new LibraryNotFoundError(`the library ${name}`, tried.length === 0 ? ['no CUDA toolkit was found'] : tried, [
    'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) and set CUDA_HOME to its folder',
    'Python: pip install nvidia-cuda-runtime, and set CUDA_HOME to the folder above its lib',
  ]);
}
