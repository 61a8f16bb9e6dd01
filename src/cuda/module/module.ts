import { readFileSync } from 'node:fs';
import { checkPath } from '../../core/file-path.ts';
import { SymbolNotFoundError } from '../../core/errors.ts';
import { Handle, type AnyHandle } from '../../core/handle.ts';
import { nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { parseDiagnostics } from '../../core/diagnostics.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Declaration } from '../../core/signature.ts';
import type { StructTypes } from '../../core/struct.ts';
import type { AnySource, AnyTypes, NameOf, ShapeOf } from '../../core/typed/kernels.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { readText } from '../../ffi/memory.ts';
import { attempt, callError, cu, type Routine } from '../call.ts';
import { requireContext, destroyIn, deviceOf } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import type { DeviceSlice } from '../memory/memory.ts';
import { CompileError } from '../errors.ts';
import { imageBytes, isElf, isText } from '../compiler/image.ts';
import { KernelFunction, type KernelHome } from '../kernel/function.ts';
import { encodeForCall, type JitOptions } from './jit-options.ts';
import { describeEntries, entrySignature, findEntry, type KernelEntry } from '../compiler/kernel-entry.ts';
import { KernelList } from '../kernel/kernel-list.ts';
import type { CudaKernels } from '../kernel/typed-kernels.ts';
import { ModuleReferences } from './module-references.ts';
import { readVariable, type FindVariable } from './module-variable.ts';
import { parsePtx } from '../compiler/ptx.ts';
import { status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';
import { ReferenceSources } from '../texture/reference-sources.ts';
import type { SurfaceReference } from '../texture/surface-reference.ts';
import type { TextureReference } from '../texture/texture-reference.ts';

type CUmodule = Opaque<'CUmodule'>;
type CUcontext = Opaque<'CUcontext'>;
type CUfunction = Opaque<'CUfunction'>;

/** What a module is loaded from. */
export interface ModuleImage {
  /** PTX text with its NUL, a cubin or a fatbin. */
  readonly code: Uint8Array;
  /** Asked when they are first wanted. */
  readonly entries: () => readonly KernelEntry[];
  /** Of the source, for the names of parameters where the entries are asked of the driver. */
  readonly declarations?: readonly Declaration[];
  readonly jit?: JitOptions | undefined;
  /** Adopted handle; its owner unloads it. */
  readonly adopted?: Handle<CUmodule>;
  /** Of an adopted handle, which has them as a parent. */
  readonly sources?: ReferenceSources;
}

interface Birth {
  readonly handle: Handle<CUmodule>;
  readonly context: Handle<CUcontext>;
  readonly device: Device;
  readonly jitLog: string;
}

const NOT_FOUND = statuses.CUDA_ERROR_NOT_FOUND[0];
const JIT_FAILURES: readonly number[] = [
  statuses.CUDA_ERROR_INVALID_IMAGE[0],
  statuses.CUDA_ERROR_NO_BINARY_FOR_GPU[0],
  statuses.CUDA_ERROR_INVALID_PTX[0],
  statuses.CUDA_ERROR_UNSUPPORTED_PTX_VERSION[0],
];
const functionSlot = slotOf('CUfunction');
const textSlot = slotOf('size_t');
const moduleSlot = slotOf('CUmodule');

let homeOf: (module: Module) => KernelHome;

/**
 * Compiled kernels, loaded into the current context.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html | Module management}
 */
export class Module<
  Source extends string = AnySource,
  Types extends StructTypes = AnyTypes,
> extends Resource<CUmodule> {
  /** The device that it is loaded on. */
  readonly device: Device;
  /** What the driver's compiler said while it loaded PTX; empty where the driver had the result in its own cache. */
  readonly jitLog: string;
  readonly #home: KernelHome;
  readonly #functions = new Map<string, KernelFunction>();
  readonly #list: KernelList;
  readonly #references: ModuleReferences;

  /** @internal */
  constructor(maker: Maker, image: ModuleImage) {
    checkMade(
      maker === MAKER,
      'Module',
      'write new SourceModule(source), moduleFromBuffer(image) or moduleFromFile(path)',
    );
    const sources = image.sources ?? new ReferenceSources();
    const birth = image.adopted ? adopt(image.adopted) : load(image.code, image.jit, sources);
    super(birth.handle);
    this.#home = new ModuleHome(this, birth.device, birth.context);
    this.device = birth.device;
    this.jitLog = birth.jitLog;
    this.#list = new KernelList(image.entries, image.declarations ?? []);
    this.#references = new ModuleReferences({ use: (method) => this.use(method), sources });
  }

  /**
   * Find a kernel: `'add'`, one overload as `'add(float*, int)'`, a template's instance as `'scale<float>'`, or the
   * name in the binary.
   *
   * @throws TypeError there are several of that name; the message lists them
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND: the message lists what there is
   */
  getFunction<const Name extends NameOf<CudaKernels<Source>>>(
    name: Name,
  ): KernelFunction<ShapeOf<CudaKernels<Source>, Name, Types>> {
    return this.#find(name) as KernelFunction<ShapeOf<CudaKernels<Source>, Name, Types>>;
  }

  #find(name: string): KernelFunction {
    const module = this.use('getFunction');
    const known = this.#functions.get(name);
    if (known) return known;
    const entry = this.#list.find(name, this.#symbols);
    if (!entry) throw this.#noSuchKernel(name);
    const sibling = this.#functions.get(entry.symbol);
    if (sibling) return sibling;
    const status = attempt('cuModuleGetFunction', functionSlot, module, entry.symbol);
    if (status === NOT_FOUND) throw this.#noSuchKernel(name);
    if (status !== 0) throw callError('cuModuleGetFunction', status);
    const found = new KernelFunction(MAKER, this.#home, take(functionSlot), entry);
    this.#functions.set(name, found);
    this.#functions.set(entry.symbol, found);
    return found;
  }

  /** Whether {@link Module.getFunction} would find exactly one kernel of that name. */
  hasFunction(name: string): boolean {
    this.use('hasFunction');
    if (typeof name !== 'string') throw new TypeError(`A kernel's name must be a string, got ${nameOf(name)}`);
    return findEntry(this.#list.all(this.#symbols), name) !== undefined;
  }

  /** The signatures of the kernels in it, as far as they are known. */
  get kernels(): string[] {
    this.use('kernels');
    return this.#list.all(this.#symbols).map(entrySignature);
  }

  /**
   * A `__constant__` or `__device__` variable, to copy to and from. Good until the module is closed.
   *
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND
   */
  getGlobal(name: string): DeviceSlice {
    const module = this.use('getGlobal');
    if (typeof name !== 'string') throw new TypeError(`A variable's name must be a string, got ${nameOf(name)}`);
    const find: FindVariable = (...out) => attempt('cuModuleGetGlobal', ...out, module, name);
    return readVariable('cuModuleGetGlobal', find, name, () => handleOf(this, 'getGlobal'));
  }

  /**
   * A `texture<…>` variable of a source for CUDA 11 or older, to bind to an array or memory. Good until the module is closed.
   *
   * @param name - as in the source; the mangled name of a variable in a namespace
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_FOUND
   */
  getTextureReference(name: string): TextureReference {
    return this.#references.texture(this.use('getTextureReference'), name);
  }

  /** A `surface<void, …>` variable of such a source, to bind to an array; see {@link Module.getTextureReference}. */
  getSurfaceReference(name: string): SurfaceReference {
    return this.#references.surface(this.use('getSurfaceReference'), name);
  }

  /** The driver's `CUmodule`, borrowed: good until {@link Module.close}. */
  get handle(): CUmodule {
    return this.use('handle');
  }

  static {
    homeOf = (module) => module.#home;
  }

  readonly #symbols = (): string[] | undefined => listSymbols(this.use('kernels'));

  #noSuchKernel(name: string): Error {
    return this.#list.missing(name, 'module', 'cuModuleGetFunction');
  }
}

/** The context that a module was loaded into. */
export function contextOf(module: Module, method: string): Handle<CUcontext> {
  return homeOf(module).context(method);
}

/** A module, for its kernels. */
class ModuleHome implements KernelHome {
  readonly device: Device;
  readonly #module: Module;
  readonly #context: Handle<CUcontext>;

  constructor(module: Module, device: Device, context: Handle<CUcontext>) {
    this.device = device;
    this.#module = module;
    this.#context = context;
  }

  use(method: string): unknown {
    return this.#module.use(method);
  }

  owned(method: string): AnyHandle {
    return handleOf(this.#module, method);
  }

  context(method: string): Handle<CUcontext> {
    this.use(method);
    return this.#context;
  }
}

/**
 * When the kernels of a module reach the device: at once, or `'lazy'`, when each is first used. The environment variable
 * `CUDA_MODULE_LOADING` (`EAGER`, `LAZY`) decides, before the driver starts.
 *
 * @throws {@link SymbolNotFoundError} drivers before CUDA 11.7 cannot tell
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html | cuModuleGetLoadingMode}
 */
export function moduleLoadingMode(): 'eager' | 'lazy' {
  const mode = slotOf('CUmoduleLoadingMode');
  cu.cuModuleGetLoadingMode(mode);
  return take(mode) === LAZY ? 'lazy' : 'eager';
}

const LAZY = 2;

/** The kernels of a loaded binary; drivers before CUDA 12.4 cannot tell. */
function listSymbols(module: CUmodule): string[] | undefined {
  try {
    const counter = slotOf('unsigned int');
    if (attempt('cuModuleGetFunctionCount', counter, module) !== 0) return undefined;
    const functions = new BigUint64Array(Math.max(1, take(counter)));
    cu.cuModuleEnumerateFunctions(functions, take(counter), module);
    return [...functions].slice(0, take(counter)).map((raw) => {
      cu.cuFuncGetName(textSlot, raw as CUfunction);
      return readText(take(textSlot));
    });
  } catch (error) {
    if (error instanceof SymbolNotFoundError) return undefined;
    throw error;
  }
}

function adopt(handle: Handle<CUmodule>): Birth {
  const context = requireContext('cuLibraryGetModule');
  return { handle, context, device: deviceOf(context), jitLog: '' };
}

function load(code: Uint8Array, jit: JitOptions | undefined, sources: ReferenceSources): Birth {
  const context = requireContext('cuModuleLoadDataEx');
  const { count, keys, values, info, errors } = encodeForCall(jit, 'A module');
  const device = deviceOf(context);
  const status = attempt('cuModuleLoadDataEx', moduleSlot, code, count, keys, values);
  if (status !== 0) throw loadError('cuModuleLoadDataEx', status, code, errors());
  const module = take(moduleSlot);
  const destroy = (raw: CUmodule): void => {
    destroyIn(context, 'cuModuleUnload', raw);
  };
  const handle = new Handle('Module', module, destroy, [context, sources]);
  return { handle, context, device, jitLog: info() };
}

/** Why code does not load: with the log of the driver's compiler, where it was about the code. */
export function loadError(routine: Routine, status: number, code: Uint8Array, log: string): Error {
  // Machine code is not compiled: what a driver says of it is about the machine.
  if (log === '' || isElf(code) || !JIT_FAILURES.includes(status)) {
    return callError(routine, status, log === '' ? {} : { facts: { log } });
  }
  const source = isText(code) ? new TextDecoder().decode(code).replace(/\0$/, '') : '';
  return new CompileError("The driver's compiler refused the PTX", {
    log,
    source,
    file: 'ptx',
    options: [],
    diagnostics: parseDiagnostics(log, source),
  });
}

/**
 * Load a module from memory: PTX text, a cubin, a fatbin.
 *
 * Host: blocks; the driver compiles PTX.
 *
 * @param options - for the driver's compiler; {@link Module.jitLog} has what it says
 * @throws {@link CompileError} the PTX is wrong; it has the driver's log
 * @throws {@link CudaRuntimeError} CUDA_ERROR_NO_BINARY_FOR_GPU: compiled for other devices only
 */
export function moduleFromBuffer(image: string | HostMemory, options?: JitOptions): Module {
  const code = imageBytes(image);
  return new Module(MAKER, { code, entries: entriesOf(code), jit: options });
}

/** What the text of an image says of its kernels; of machine code the driver knows them. */
export function entriesOf(code: Uint8Array): () => readonly KernelEntry[] {
  if (!isText(code)) return () => [];
  // Now: the caller may write over the bytes.
  const text = new TextDecoder().decode(code);
  return () => describeEntries(parsePtx(text).entries, []);
}

/** Load a module from a file; see {@link moduleFromBuffer}. */
export function moduleFromFile(path: string, options?: JitOptions): Module {
  checkPath(path);
  return moduleFromBuffer(readFileSync(path), options);
}
