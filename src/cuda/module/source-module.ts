import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { checkOptions } from '../../core/check.ts';
import { pathOf } from '../../core/file-path.ts';
import { MAKER, type Maker } from '../../core/maker.ts';
import { parseDeclarations, type Declaration } from '../../core/signature.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes, NameOf, ShapeOf } from '../../core/typed/kernels.ts';
import type { Compiled } from '../compiler/compile-task.ts';
import { compile, compileLater } from '../compiler/compiler.ts';
import type { PchStatus } from '../compiler/precompiled-header.ts';
import { SOURCE_OPTIONS, type SourceOptions } from '../compiler/source-options.ts';
import { requireContext, inContext } from '../device/context.ts';
import { capabilityOf, currentCapability } from '../device/current-capability.ts';
import { describeEntries, type KernelEntry } from '../compiler/kernel-entry.ts';
import type { KernelFunction } from '../kernel/function.ts';
import type { CudaKernels } from '../kernel/typed-kernels.ts';
import { contextOf, Module } from './module.ts';
import { parsePtx } from '../compiler/ptx.ts';

/**
 * CUDA C++ source, compiled for the current device and loaded.
 *
 * Kernels keep their C++ linkage: no `extern "C"` is put around them, so templates, overloads and includes work; a
 * kernel that says `extern "C"` itself is fine too. Compiled code is kept on disk, keyed by everything that went into
 * it, headers included.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule(`
 *   template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
 * `);
 * const scale = module.getFunction('scale<float>');
 * ```
 * @see {@link https://docs.nvidia.com/cuda/nvrtc/index.html | NVRTC}
 */
export class SourceModule<const Source extends string = AnySource, Types extends StructTypes = AnyTypes> extends Module<
  Source,
  Types
> {
  /** The source, as it was given. */
  readonly source: Source;
  /** What the compiler said: warnings; often empty. */
  readonly log: string;
  /** The PTX that the source became. */
  readonly ptx: string;
  /** What became of the precompiled header that was to be made; undefined where none was asked for. */
  readonly pch: PchStatus | undefined;
  readonly #options: SourceOptions;
  readonly #declarations: readonly Declaration[];
  readonly #lowered: Readonly<Record<string, string>>;
  readonly #instances = new Map<string, { getFunction: () => KernelFunction; close: () => void }>();

  /**
   * Compile and load.
   *
   * Host: blocks while it compiles; {@link SourceModule.compile} does not.
   *
   * @throws {@link CompileError} the source is wrong; the message shows the line
   * @throws {@link LibraryNotFoundError} the compiler is not installed
   * @throws {@link CudaLogicError} no context is current
   */
  constructor(source: Source, options?: SourceOptions<Types>);
  /** @internal */
  constructor(source: Source, options: SourceOptions<Types>, maker: Maker, compiled: Compiled);
  constructor(source: Source, options: SourceOptions<Types> = {}, maker?: Maker, compiled?: Compiled) {
    const result = (maker === MAKER ? compiled : undefined) ?? compile(source, options, currentCapability);
    const declarations = parseDeclarations(source, 'cuda');
    super(MAKER, { code: result.code, entries: () => entriesOf(result, declarations) });
    this.source = source;
    this.log = result.log;
    this.ptx = result.ptx;
    this.pch = result.pch;
    // The signal of this compilation is not for the later ones of template instances.
    this.#options = Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'signal'));
    this.#lowered = result.lowered;
    this.#declarations = declarations;
  }

  /**
   * Compile a file and load it. Its folder is searched for headers, after `includeDirs`.
   *
   * Host: blocks while it compiles.
   *
   * @typeParam Source - the type in the declaration file that `npx rawkernel types` writes: the kernels are typed by it
   * @param file - a path, or a URL: `new URL('./saxpy.cu', import.meta.url)`
   * @throws what the constructor throws, and what reading the file throws
   * @example
   * ```ts
   * import { rmSync, writeFileSync } from 'node:fs';
   * import 'rawkernel/cuda/autoinit';
   * import { SourceModule } from 'rawkernel/cuda';
   *
   * writeFileSync('nothing.cu', '__global__ void nothing(int n) {}');
   * using module = SourceModule.fromFile('nothing.cu');
   * module.getFunction('nothing')(1, { block: 1 });
   * rmSync('nothing.cu');
   * ```
   */
  static fromFile<Source extends string = AnySource, Types extends StructTypes = AnyTypes>(
    file: string | URL,
    options: SourceOptions<Types> = {},
  ): SourceModule<Source, Types> {
    checkOptions(options, SOURCE_OPTIONS, 'SourceModule');
    const path = pathOf(file);
    const source = readFileSync(path, 'utf8') as Source;
    const { includeDirs = [] } = options;
    // What is no list is refused with the other options.
    const folders = Array.isArray(includeDirs) ? [...(includeDirs as readonly string[]), dirname(path)] : includeDirs;
    return new SourceModule(source, { fileName: basename(path), ...options, includeDirs: folders });
  }

  /**
   * Compile on a worker thread, then load into the context that is current now.
   *
   * Host: does not block while it compiles.
   */
  static async compile<const Source extends string, Types extends StructTypes = AnyTypes>(
    source: Source,
    options: SourceOptions<Types> = {},
  ): Promise<SourceModule<Source, Types>> {
    const context = requireContext('SourceModule.compile').retain();
    try {
      const compiled = await compileLater(source, options, currentCapability);
      return inContext(context, () => new SourceModule(source, options, MAKER, compiled));
    } finally {
      context.release();
    }
  }

  /**
   * Find a kernel; see {@link Module.getFunction}. An instance of a template that was not compiled yet is compiled
   * now, into a module of its own: it has its own copies of the source's `__device__` and `__constant__` variables.
   * Name it in `nameExpressions` to have it in this module.
   */
  override getFunction<const Name extends NameOf<CudaKernels<Source>>>(
    name: Name,
  ): KernelFunction<ShapeOf<CudaKernels<Source>, Name, Types>> {
    this.use('getFunction');
    const expression = this.#instanceOf(name);
    if (expression === undefined || this.hasFunction(name)) return super.getFunction(name);
    const symbol = this.#lowered[expression];
    const instance = symbol === undefined ? this.#instantiate(expression) : super.getFunction(symbol);
    return instance as KernelFunction<ShapeOf<CudaKernels<Source>, Name, Types>>;
  }

  /** The name expression of a template's instance: `ns::scale<float>` for `scale<float>`. */
  #instanceOf(name: unknown): string | undefined {
    if (typeof name !== 'string' || !name.includes('<')) return undefined;
    const open = name.indexOf('<');
    const base = name.slice(0, open).trim();
    const template = this.#declarations.find((d) => d.template && (d.name === base || d.name.endsWith(`::${base}`)));
    return template && `${template.name}${name.slice(open, name.lastIndexOf('>') + 1)}`;
  }

  #instantiate(expression: string): KernelFunction {
    const known = this.#instances.get(expression);
    if (known) return known.getFunction();
    const options = { ...this.#options, nameExpressions: [expression] };
    const compiled = compile(this.source, options, () => capabilityOf(this.device));
    const module = inContext(
      contextOf(this as Module, 'getFunction'),
      () => new Module(MAKER, { code: compiled.code, entries: () => entriesOf(compiled, this.#declarations) }),
    );
    const symbol = compiled.lowered[expression] ?? expression;
    const instance = { getFunction: () => module.getFunction(symbol), close: () => module.close() };
    this.#instances.set(expression, instance);
    return instance.getFunction();
  }

  override close(): void {
    for (const module of this.#instances.values()) module.close();
    super.close();
  }
}

function entriesOf(compiled: Compiled, declarations: readonly Declaration[]): KernelEntry[] {
  return describeEntries(parsePtx(compiled.ptx).entries, declarations);
}
