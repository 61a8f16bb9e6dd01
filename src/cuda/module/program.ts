import { isNameIn } from '../../core/choice.ts';
import { checkPath } from '../../core/file-path.ts';
import { PublicObject } from '../../core/public-object.ts';
import { readFileSync } from 'node:fs';
import { checkOptions, nameOf } from '../../core/check.ts';
import { hostBytes, type HostMemory } from '../../core/host-memory.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { parseDeclarations, type Declaration } from '../../core/signature.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes } from '../../core/typed/kernels.ts';
import { writeWhole } from '../../core/write-whole.ts';
import type { CodeOutput, Compiled } from '../compiler/compile-task.ts';
import { compile, compileLater, type CodeForm } from '../compiler/compiler.ts';
import { currentCapability } from '../device/current-capability.ts';
import { cudaError } from '../errors.ts';
import { imageBytes, isText } from '../compiler/image.ts';
import type { JitOptions } from './jit-options.ts';
import { describeEntries, entrySignature, type KernelEntry } from '../compiler/kernel-entry.ts';
import { Library } from './library.ts';
import { Module } from './module.ts';
import { compileNvvm, type NvvmModule, type NvvmOptions } from '../compiler/nvvm.ts';
import type { PchStatus } from '../compiler/precompiled-header.ts';
import { packProgram, unpackProgram } from '../compiler/program-file.ts';
import { PROGRAM_KINDS, type ProgramKind, type ProgramParts } from '../compiler/program-parts.ts';
import { parsePtx } from '../compiler/ptx.ts';
import { isEmbedded, wasmOf } from '../selection.ts';
import type { SourceOptions } from '../compiler/source-options.ts';
import { status } from '../sys/enums.ts';

const LOADABLE: readonly ProgramKind[] = ['cubin', 'ptx', 'fatbin'];
const FORMS: Readonly<Record<Exclude<CodeOutput, 'code'>, string>> = { ltoir: 'LTO IR', optixir: 'OptiX IR' };
const NOT_SUPPORTED = status.CUDA_ERROR_NOT_SUPPORTED[0];

interface LoadableImage {
  readonly code: Uint8Array;
  readonly entries: () => readonly KernelEntry[];
  readonly declarations: readonly Declaration[];
}

/** How a program is compiled. */
export interface ProgramOptions<Types extends StructTypes = StructTypes> extends SourceOptions<Types> {
  /**
   * The output: machine code or PTX as `arch` says; LTO IR, which nvJitLink links and optimises; or OptiX IR, for
   * OptiX alone.
   */
  readonly output?: 'code' | 'ltoir' | 'optixir';
  /** Leave functions and variables open that a {@link Linker} finds in other programs. */
  readonly relocatable?: boolean;
}

/** A kernel of a program that is not loaded. */
export interface ProgramKernel {
  /** The name in the binary: `_Z3addPfPKfi`. */
  readonly symbol: string;
  /** As far as it is known: `add(float *a, const float *b, int n)`. */
  readonly signature: string;
}

let readParts: (program: Program) => ProgramParts;

/** All that is known of a program. */
export function partsOf(program: Program): ProgramParts {
  return readParts(program);
}

/**
 * Compiled code that is not loaded: bytes, which can be saved, loaded in another process, linked with others, and made a
 * {@link Module} of, in as many contexts as you like. It holds nothing of a device.
 *
 * Making one needs no device: with `arch` neither GPU nor driver is asked, and `RAWKERNEL_DEVICE=gpu` compiles for GPUs
 * where there is none.
 *
 * @example
 * ```ts
 * import { Program } from 'rawkernel/cuda';
 *
 * const program = Program.compile('template <int N> __global__ void set(int *x) { *x = N; }', {
 *   arch: 'compute_80',
 *   nameExpressions: ['set<3>'],
 * });
 * program.getLoweredName('set<3>'); // '_Z3setILi3EEvPi'
 * program.kind; // 'ptx'
 * ```
 * @see {@link https://docs.nvidia.com/cuda/nvrtc/index.html | NVRTC}
 */
export class Program<Source extends string = AnySource, Types extends StructTypes = AnyTypes> extends PublicObject {
  /** What its kernels are known by, for the type checker alone: no value has the property. */
  declare readonly '~source'?: Source;
  readonly kind: ProgramKind;
  /** The code itself. */
  readonly code: Uint8Array;
  /** What it is for: `'sm_90'`, `'compute_90'`; empty where it is not known. */
  readonly arch: string;
  /** The symbol of each name expression that it was compiled with. */
  readonly names: Readonly<Record<string, string>>;
  /** The PTX, where the compiler made some. */
  readonly ptx: string;
  /** What the compiler or the linker said; often empty. */
  readonly log: string;
  /** What became of the precompiled header that was to be made; undefined where none was asked for. */
  readonly pch: PchStatus | undefined;
  readonly #declarations: readonly Declaration[];

  /** @internal */
  constructor(maker: Maker, parts: ProgramParts) {
    super();
    checkMade(
      maker === MAKER,
      'Program',
      'write Program.compile(source), or new SourceModule(source) to have it loaded as well',
    );
    this.kind = parts.kind;
    this.code = parts.code;
    this.arch = parts.arch;
    this.names = parts.names;
    this.ptx = parts.ptx;
    this.log = parts.log;
    this.pch = parts.pch;
    this.#declarations = parts.declarations;
  }

  /**
   * Compile CUDA C++.
   *
   * Host: blocks; {@link Program.compileLater} does not.
   *
   * @throws {@link CompileError} the source is wrong
   * @throws {@link LibraryNotFoundError} the compiler is not installed
   * @throws {@link CudaLogicError} no `arch` is given, and no context is current; or LTO IR on the embedded device
   * @throws {@link SymbolNotFoundError} an option needs a newer NVRTC: precompiled headers 12.8, LTO IR 12.0
   */
  static compile<const Source extends string, Types extends StructTypes = AnyTypes>(
    source: Source,
    options: ProgramOptions<Types> = {},
  ): Program<Source, Types> {
    const [rest, form] = splitOptions(options);
    return compiledProgram(source, form, compile(source, rest, currentCapability, form)) as Program<Source, Types>;
  }

  /** {@link Program.compile} on a worker thread. Host: does not block. */
  static async compileLater<const Source extends string, Types extends StructTypes = AnyTypes>(
    source: Source,
    options: ProgramOptions<Types> = {},
  ): Promise<Program<Source, Types>> {
    const [rest, form] = splitOptions(options);
    const compiled = await compileLater(source, rest, currentCapability, form);
    return compiledProgram(source, form, compiled) as Program<Source, Types>;
  }

  /**
   * Take code that another tool made: nvcc's cubins, fatbins, objects and libraries, PTX.
   *
   * @param code - text for PTX, else bytes; they are copied
   * @param kind - told from the code by default, for PTX, cubins and fatbins
   * @throws RangeError it is empty, or cut off
   * @throws TypeError neither text nor host memory, or an unknown kind
   */
  static fromBytes(code: string | HostMemory, kind?: ProgramKind, arch = ''): Program {
    const bytes =
      kind === undefined || LOADABLE.includes(kind) ? imageBytes(code) : hostBytes(code as HostMemory, 'The code');
    const found = kind ?? kindOf(bytes);
    if (!PROGRAM_KINDS.includes(found))
      throw new TypeError(`A program's kind must be one of ${PROGRAM_KINDS.join(', ')}, got ${nameOf(kind)}`);
    if (typeof arch !== 'string') throw new TypeError(`arch must be 'sm_NN' or 'compute_NN', got ${nameOf(arch)}`);
    const ptx = found === 'ptx' ? new TextDecoder().decode(bytes).replace(/\0$/, '') : '';
    return new Program(MAKER, { kind: found, code: bytes.slice(), arch, names: {}, ptx, log: '', declarations: [] });
  }

  /**
   * Compile NVVM IR, LLVM's language for GPUs, with libNVVM: to PTX, or to LTO IR.
   *
   * Host: blocks.
   *
   * @param ir - a module, or several that belong together: text, or bitcode
   * @throws {@link CompileError} it is wrong; the message has libNVVM's log
   * @throws {@link LibraryNotFoundError} libNVVM, or the requested libdevice, is not installed
   * @throws {@link CudaLogicError} no `arch` is given, and no context is current; or on the embedded device
   * @see {@link https://docs.nvidia.com/cuda/nvvm-ir-spec/index.html | NVVM IR}
   * @see {@link https://docs.nvidia.com/cuda/libnvvm-api/index.html | libNVVM}
   */
  static fromNvvm(ir: NvvmModule | readonly NvvmModule[], options: NvvmOptions = {}): Program {
    if (isEmbedded()) {
      const reason = 'NVVM IR becomes code for GPUs; the embedded CPU device compiles CUDA C++ alone';
      throw cudaError('Program.fromNvvm', NOT_SUPPORTED, { group: 'MODULE', reason });
    }
    const compiled = compileNvvm(ir, options);
    const ptx = compiled.kind === 'ptx' ? new TextDecoder().decode(compiled.code).replace(/\0$/, '') : '';
    return new Program(MAKER, { ...compiled, names: {}, ptx, declarations: [] });
  }

  /**
   * Read a program that {@link Program.save} has written, or code in a file as {@link Program.fromBytes} takes it.
   *
   * @throws RangeError the file is cut off, or damaged
   */
  static load(path: string): Program {
    checkPath(path);
    const bytes = readFileSync(path);
    const parts = unpackProgram(bytes);
    if (parts) return new Program(MAKER, parts);
    return Program.fromBytes(
      bytes,
      /\.(?:a|lib)$/.test(path) ? 'library' : /\.(?:o|obj)$/.test(path) ? 'object' : undefined,
    );
  }

  /**
   * Write the program to a file, with all that is known of it: the whole, or what was there stays.
   *
   * @throws Error the file cannot be written; the message names it and says why, `cause` is the system's error
   */
  save(path: string): void {
    checkPath(path);
    try {
      writeWhole(path, packProgram(partsOf(this)));
    } catch (cause) {
      throw new Error(`Program.save could not write ${path}: ${(cause as Error).message}`, { cause });
    }
  }

  /**
   * The symbol of a name expression: `_Z5scaleIfEvPT_` for `scale<float>`.
   *
   * @throws RangeError it was not compiled with that expression
   */
  getLoweredName(expression: string): string {
    const name = isNameIn(this.names, expression) ? this.names[expression] : undefined;
    if (name !== undefined) return name;
    const there = Object.keys(this.names).join(', ');
    const known = there === '' ? 'it was compiled without nameExpressions' : `there is: ${there}`;
    throw new RangeError(
      `The program has no name expression ${typeof expression === 'string' ? `'${expression}'` : nameOf(expression)}; ${known}`,
    );
  }

  /** The kernels in it; empty without PTX: LTO IR, and machine code of another tool. */
  get kernels(): readonly ProgramKernel[] {
    return this.#entries().map((entry) => ({ symbol: entry.symbol, signature: entrySignature(entry) }));
  }

  /** The WebAssembly module that the embedded CPU device runs; undefined for code that is for GPUs. */
  get wasm(): Uint8Array | undefined {
    return wasmOf(this.code);
  }

  /**
   * Load it into the current context.
   *
   * Host: blocks; the driver compiles PTX.
   *
   * @param options - for the driver's compiler
   * @throws TypeError it is of a kind that has to be linked first
   * @throws {@link CompileError} the PTX is wrong
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NO_BINARY_FOR_GPU: compiled for other devices only
   */
  toModule(options?: JitOptions): Module<Source, Types> {
    return new Module(MAKER, { ...this.#image(), jit: options });
  }

  /**
   * Load it for all contexts in which its kernels will be used; no context need be current.
   *
   * Host: may block; a driver that is not lazy compiles PTX now.
   *
   * @param options - for the driver's compiler
   * @throws TypeError it is of a kind that has to be linked first
   * @throws {@link CompileError} the PTX is wrong
   * @throws {@link SymbolNotFoundError} the driver is older than CUDA 12.0
   */
  toLibrary(options?: JitOptions): Library<Source, Types> {
    return new Library(MAKER, { ...this.#image(), jit: options });
  }

  #image(): LoadableImage {
    if (!LOADABLE.includes(this.kind)) {
      throw new TypeError(
        `A program of the kind ${this.kind} is not loaded as it is: link it, new Linker().add(program).link()`,
      );
    }
    return { code: this.code, entries: () => this.#entries(), declarations: this.#declarations };
  }

  #entries(): KernelEntry[] {
    return this.ptx === '' ? [] : describeEntries(parsePtx(this.ptx).entries, this.#declarations);
  }

  static {
    readParts = (program) => {
      const { kind, code, arch, names, ptx, log } = program;
      return { kind, code, arch, names, ptx, log, declarations: program.#declarations };
    };
  }
}

function splitOptions(options: ProgramOptions): [SourceOptions, CodeForm] {
  if (typeof options !== 'object' || (options as unknown) === null) checkOptions(options, [], 'Program.compile');
  const { output = 'code', relocatable = false, ...rest } = options;
  if (output !== 'code' && !isNameIn(FORMS, output)) {
    throw new TypeError(`output must be one of code, ${Object.keys(FORMS).join(', ')}, got ${nameOf(output)}`);
  }
  if (typeof relocatable !== 'boolean') {
    throw new TypeError(`relocatable must be true or false, got ${nameOf(relocatable)}`);
  }
  if (output !== 'code') checkForm(FORMS[output], options);
  return [rest, { output, relocatable }];
}

function checkForm(form: string, { compiler }: ProgramOptions): void {
  if (compiler === 'nvcc') throw new TypeError(`${form} is NVRTC's: leave compiler: 'nvcc' out`);
  if (!isEmbedded()) return;
  const reason = `${form} is for GPUs; the embedded CPU device makes code that runs as it is`;
  throw cudaError('Program.compile', NOT_SUPPORTED, { group: 'MODULE', reason });
}

function compiledProgram(source: string, { output = 'code' }: CodeForm, compiled: Compiled): Program {
  const { code, ptx, target: arch, lowered: names, log, pch } = compiled;
  const kind = output !== 'code' ? output : arch.startsWith('sm_') ? 'cubin' : 'ptx';
  return new Program(MAKER, {
    kind,
    code,
    arch,
    names,
    ptx,
    log,
    pch,
    declarations: parseDeclarations(source, 'cuda'),
  });
}

function kindOf(code: Uint8Array): ProgramKind {
  return isText(code) ? 'ptx' : code[0] === 0x7f ? 'cubin' : 'fatbin';
}
