import { readFileSync } from 'node:fs';
import { checkPath } from '../../core/file-path.ts';
import { ClosedError, SymbolNotFoundError } from '../../core/errors.ts';
import { Handle } from '../../core/handle.ts';
import { nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Declaration } from '../../core/signature.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { readText } from '../../ffi/memory.ts';
import { attempt, cleanup, cu, type Routine } from '../call.ts';
import { requireContext } from '../device/context.ts';
import { imageBytes } from '../compiler/image.ts';
import { encodeJitOptions, type EncodedOptions, type JitOptions } from './jit-options.ts';
import { entrySignature, findEntry, type KernelEntry } from '../compiler/kernel-entry.ts';
import { KernelList } from '../kernel/kernel-list.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes, NameOf, ShapeOf } from '../../core/typed/kernels.ts';
import type { CudaKernels } from '../kernel/typed-kernels.ts';
import type { DeviceSlice } from '../memory/memory.ts';
import { readVariable, type FindVariable } from './module-variable.ts';
import { entriesOf, loadError, Module } from './module.ts';
import { status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';
import { ReferenceSources } from '../texture/reference-sources.ts';

type CUlibrary = Opaque<'CUlibrary'>;
type CUcontext = Opaque<'CUcontext'>;
type CUkernel = Opaque<'CUkernel'>;

/** What a library is loaded from. */
interface LibraryImage {
  readonly code: Uint8Array;
  readonly entries: () => readonly KernelEntry[];
  readonly declarations: readonly Declaration[];
  readonly jit: JitOptions | undefined;
}

const NOT_FOUND = statuses.CUDA_ERROR_NOT_FOUND[0];
const kernelSlot = slotOf('CUkernel');
const moduleSlot = slotOf('CUmodule');
const librarySlot = slotOf('CUlibrary');
const textSlot = slotOf('size_t');
// A driver may compile for a later context, and writes its logs then.
const written = new Set<EncodedOptions>();

/**
 * Compiled kernels that belong to no context: the driver loads them into each context in which they are used. Made by
 * {@link libraryFromBuffer}, {@link libraryFromFile} and {@link Program.toLibrary}; needs a driver of CUDA 12.0.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html | Library management}
 */
export class Library<
  Source extends string = AnySource,
  Types extends StructTypes = AnyTypes,
> extends Resource<CUlibrary> {
  readonly #code: Uint8Array;
  readonly #options: EncodedOptions;
  readonly #list: KernelList;
  readonly #kernels = new Map<string, Kernel>();

  /** @internal */
  constructor(maker: Maker, image: LibraryImage) {
    checkMade(
      maker === MAKER,
      'Library',
      'write libraryFromBuffer(image), libraryFromFile(path) or program.toLibrary()',
    );
    const options = encodeJitOptions(image.jit, 'The options of a library');
    super(load(image.code, options));
    this.#code = image.code;
    this.#options = options;
    this.#list = new KernelList(image.entries, image.declarations);
  }

  /**
   * Find a kernel, by the names that {@link Module.getFunction} knows.
   *
   * @throws TypeError there are several of that name; the message lists them
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND: the message lists what there is
   */
  getKernel<const Name extends NameOf<CudaKernels<Source>>>(
    name: Name,
  ): Kernel<ShapeOf<CudaKernels<Source>, Name, Types>> {
    return this.#find(name) as Kernel<ShapeOf<CudaKernels<Source>, Name, Types>>;
  }

  #find(name: string): Kernel {
    const library = this.use('getKernel');
    const known = this.#kernels.get(name);
    if (known) return known;
    const entry = this.#list.find(name, this.#symbols);
    const sibling = entry && this.#kernels.get(entry.symbol);
    if (sibling) return sibling;
    const status = entry ? attempt('cuLibraryGetKernel', kernelSlot, library, entry.symbol) : NOT_FOUND;
    if (!entry || status === NOT_FOUND) throw this.#list.missing(name, 'library', 'cuLibraryGetKernel');
    this.expect('cuLibraryGetKernel', status);
    const found = new Kernel(MAKER, this, take(kernelSlot), entry);
    this.#kernels.set(name, found);
    this.#kernels.set(entry.symbol, found);
    return found;
  }

  /** Whether {@link Library.getKernel} would find exactly one kernel of that name. */
  hasKernel(name: string): boolean {
    this.use('hasKernel');
    if (typeof name !== 'string') throw new TypeError(`A kernel's name must be a string, got ${nameOf(name)}`);
    return findEntry(this.#list.all(this.#symbols), name) !== undefined;
  }

  /** The signatures of the kernels in it, as far as they are known. */
  get kernels(): string[] {
    this.use('kernels');
    return this.#list.all(this.#symbols).map(entrySignature);
  }

  /**
   * A `__constant__` or `__device__` variable as the current context has it. Good until the library or the context is closed.
   *
   * Host: may block; a lazy driver loads the library into the context now.
   *
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND, or no context is current
   */
  getGlobal(name: string): DeviceSlice {
    const library = this.use('getGlobal');
    const context = requireContext('cuLibraryGetGlobal');
    const find: FindVariable = (...out) => attempt('cuLibraryGetGlobal', ...out, library, name);
    return readVariable('cuLibraryGetGlobal', find, name, () => this.#in(context, 'getGlobal'));
  }

  /**
   * A `__managed__` variable: one for all contexts, and the host reads and writes it at the same address.
   *
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND, or no context is current; CUDA_ERROR_NOT_SUPPORTED on the embedded
   * CPU device
   */
  getManaged(name: string): DeviceSlice {
    const library = this.use('getManaged');
    requireContext('cuLibraryGetManaged');
    // The variable is there once a context has the library.
    this.expect('cuLibraryGetModule', attempt('cuLibraryGetModule', moduleSlot, library));
    const find: FindVariable = (...out) => attempt('cuLibraryGetManaged', ...out, library, name);
    return readVariable('cuLibraryGetManaged', find, name, () => handleOf(this, 'getManaged'));
  }

  /**
   * The module that it is in the current context. The library owns it, and is not unloaded
   * before the module is closed.
   *
   * Host: may block; a lazy driver loads the library into the context now.
   *
   * @throws {@link CompileError} the PTX is wrong
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NO_BINARY_FOR_GPU: compiled for other devices only
   */
  getModule(): Module {
    const owner = handleOf(this, 'getModule');
    const context = requireContext('cuLibraryGetModule');
    this.expect('cuLibraryGetModule', attempt('cuLibraryGetModule', moduleSlot, owner.value));
    const sources = new ReferenceSources();
    const adopted = new Handle('Module', take(moduleSlot), undefined, [owner, context, sources]);
    try {
      // Now: the library may be closed before the module.
      const entries = this.#list.all(this.#symbols);
      return new Module(MAKER, { code: this.#code, entries: () => entries, adopted, sources });
    } catch (error) {
      adopted.release();
      throw error;
    }
  }

  /** What the driver's compiler has said so far; empty where the driver had the result in its own cache. */
  get jitLog(): string {
    this.use('jitLog');
    return this.#options.info();
  }

  /** The driver's `CUlibrary`, borrowed: good until {@link Library.close}. */
  get handle(): CUlibrary {
    return this.use('handle');
  }

  /**
   * Throw what a status means: a lazy driver compiles when a context first uses the library.
   * @internal
   */
  expect(routine: Routine, status: number): void {
    if (status !== 0) throw loadError(routine, status, this.#code, this.#options.errors());
  }

  #in(context: Handle<CUcontext>, method: string): Handle<CUlibrary> {
    if (!context.alive) throw new ClosedError('Context', method);
    return handleOf(this, method);
  }

  readonly #symbols = (): string[] | undefined => listSymbols(this.use('kernels'));
}

function load(code: Uint8Array, options: EncodedOptions): Handle<CUlibrary> {
  const { count, keys, values } = options;
  const status = attempt('cuLibraryLoadData', librarySlot, code, keys, values, count, 0n, 0n, 0);
  if (status !== 0) throw loadError('cuLibraryLoadData', status, code, options.errors());
  written.add(options);
  return new Handle('Library', take(librarySlot), (library) => {
    cleanup('cuLibraryUnload', library);
    written.delete(options);
  });
}

/** The kernels of a library; drivers before CUDA 12.4 cannot tell. */
function listSymbols(library: CUlibrary): string[] | undefined {
  try {
    const counter = slotOf('unsigned int');
    if (attempt('cuLibraryGetKernelCount', counter, library) !== 0) return undefined;
    const kernels = new BigUint64Array(Math.max(1, take(counter)));
    cu.cuLibraryEnumerateKernels(kernels, take(counter), library);
    return [...kernels].slice(0, take(counter)).map((raw) => {
      cu.cuKernelGetName(textSlot, raw as CUkernel);
      return readText(take(textSlot));
    });
  } catch (error) {
    if (error instanceof SymbolNotFoundError) return undefined;
    throw error;
  }
}

/**
 * Load a library from memory: PTX text, a cubin, a fatbin. No context need be current.
 *
 * Host: may block; a driver that is not lazy compiles PTX now.
 *
 * @param options - for the driver's compiler; {@link Library.jitLog} has what it says
 * @throws {@link CompileError} the PTX is wrong; it has the driver's log
 * @throws {@link SymbolNotFoundError} the driver is older than CUDA 12.0
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { libraryFromBuffer, Program } from 'rawkernel/cuda';
 *
 * const program = Program.compile('extern "C" __global__ void nothing() {}');
 * using library = libraryFromBuffer(program.code);
 * const nothing = library.getKernel('nothing');
 * nothing({ block: 32 });
 * ```
 */
export function libraryFromBuffer(image: string | HostMemory, options?: JitOptions): Library {
  const code = imageBytes(image);
  return new Library(MAKER, { code, entries: entriesOf(code), declarations: [], jit: options });
}

/** Load a library from a file; see {@link libraryFromBuffer}. */
export function libraryFromFile(path: string, options?: JitOptions): Library {
  checkPath(path);
  return libraryFromBuffer(readFileSync(path), options);
}
