import type { DriverTable } from '../../cuda/sys/tables.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { decodeProgram } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import { emptyKernels } from './empty-ptx.ts';
import { bytesAt, putInt, putWide, textAddress } from '../abi/out.ts';
import type { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuLibraryLoadData'
  | 'cuLibraryUnload'
  | 'cuLibraryGetKernel'
  | 'cuLibraryGetKernelCount'
  | 'cuLibraryEnumerateKernels'
  | 'cuLibraryGetModule'
  | 'cuLibraryGetGlobal'
  | 'cuKernelGetFunction'
  | 'cuKernelGetAttribute'
  | 'cuKernelSetAttribute'
  | 'cuKernelGetName'
  | 'cuKernelGetParamInfo';
type ModuleNames =
  | 'cuModuleLoadData'
  | 'cuModuleLoadDataEx'
  | 'cuModuleGetFunction'
  | 'cuModuleGetGlobal'
  | 'cuFuncGetAttribute'
  | 'cuFuncSetAttribute';
type CUmodule = Opaque<'CUmodule'>;
type CUfunction = Opaque<'CUfunction'>;

interface CpuLibrary {
  readonly code: Uint8Array;
  /** The module of each context. */
  readonly modules: Map<CpuContext, number>;
  readonly kernels: readonly CpuLibraryKernel[];
}

interface CpuLibraryKernel {
  readonly handle: number;
  readonly symbol: string;
  readonly parameters: readonly { readonly offset: number; readonly size: number }[];
}

/** The libraries of a device, and the functions that load their code. */
export class LibraryScope {
  readonly state: DriverState;
  /** The functions that load a library's code into a context. */
  readonly table: Pick<DriverTable, ModuleNames>;
  readonly libraries: Map<number, CpuLibrary> = new Map();
  readonly kernels: Map<number, readonly [library: CpuLibrary, kernel: CpuLibraryKernel]> = new Map();

  constructor(state: DriverState, table: Pick<DriverTable, ModuleNames>) {
    this.state = state;
    this.table = table;
  }
}

/** Receives the handle that a function of the table writes; its reader takes the handle at once. */
const slot = new BigUint64Array(1);

/** A library is a module in each context that uses it. */
export const libraryFunctions: Rows<LibraryScope, DriverTable, Names> = {
  cuLibraryLoadData: (scope, out, code, options, values, count) => {
    // An address alone does not tell how many bytes may be read.
    if (typeof code === 'bigint') return Status.NOT_SUPPORTED;
    const bytes = bytesAt(code, 0).slice();
    const found = decodeProgram(bytes)?.kernels ?? emptyKernels(bytes);
    const context = scope.state.current;
    // The loading mode is eager: with a current context the code is loaded at once. The options hold its log.
    const status = context ? scope.table.cuModuleLoadDataEx(slot, bytes, count, options, values) : Status.SUCCESS;
    if (status !== 0) return status;
    if (!found) return Status.NO_BINARY_FOR_GPU;
    const made = found.map(({ symbol, parameters }) => ({ handle: scope.state.newHandle(), symbol, parameters }));
    const library: CpuLibrary = { code: bytes, modules: new Map(), kernels: made };
    if (context) keep(library, context);
    for (const kernel of made) scope.kernels.set(kernel.handle, [library, kernel]);
    const handle = scope.state.newHandle();
    scope.libraries.set(handle, library);
    return putWide(out, handle);
  },
  cuLibraryUnload: (scope, raw) =>
    withLibrary(scope, raw, (library) => {
      for (const module of library.modules.values()) scope.state.unload(module);
      for (const { handle } of library.kernels) scope.kernels.delete(handle);
      scope.libraries.delete(Number(raw));
      return Status.SUCCESS;
    }),
  cuLibraryGetKernel: (scope, out, raw, name) =>
    withLibrary(scope, raw, (library) => {
      const found = library.kernels.find(({ symbol }) => symbol === name);
      return found ? putWide(out, found.handle) : Status.NOT_FOUND;
    }),
  cuLibraryGetKernelCount: (scope, out, raw) =>
    withLibrary(scope, raw, (library) => putInt(out, library.kernels.length)),
  cuLibraryEnumerateKernels: (scope, out, count, raw) =>
    withLibrary(scope, raw, (library) => {
      const handles = library.kernels.slice(0, count).map(({ handle }) => BigInt(handle));
      const bytes = bytesAt(out, 8 * handles.length);
      bytes.set(new Uint8Array(BigUint64Array.from(handles).buffer).subarray(0, bytes.length));
      return Status.SUCCESS;
    }),
  cuLibraryGetModule: (scope, out, raw) =>
    withLibrary(scope, raw, (library) => withModule(scope, library, (module) => putWide(out, module))),
  cuLibraryGetGlobal: (scope, address, size, raw, name) =>
    withLibrary(scope, raw, (library) =>
      withModule(scope, library, (module) => scope.table.cuModuleGetGlobal(address, size, module, name)),
    ),
  cuKernelGetFunction: (scope, out, raw) => withFunction(scope, raw, (target) => putWide(out, target)),
  cuKernelGetAttribute: (scope, out, attribute, raw, device) =>
    device === 0
      ? withFunction(scope, raw, (target) => scope.table.cuFuncGetAttribute(out, attribute, target))
      : Status.INVALID_DEVICE,
  cuKernelSetAttribute: (scope, attribute, value, raw, device) =>
    device === 0
      ? withFunction(scope, raw, (target) => scope.table.cuFuncSetAttribute(target, attribute, value))
      : Status.INVALID_DEVICE,
  cuKernelGetName: (scope, out, raw) => withKernel(scope, raw, ({ symbol }) => putWide(out, textAddress(symbol))),
  cuKernelGetParamInfo: (scope, raw, index, offset, size) =>
    withKernel(scope, raw, ({ parameters }) => {
      const parameter = parameters[Number(index)];
      if (!parameter) return Status.INVALID_VALUE;
      putWide(offset, parameter.offset);
      return putWide(size, parameter.size);
    }),
};

function withLibrary(scope: LibraryScope, raw: bigint, run: (library: CpuLibrary) => number): number {
  const library = scope.libraries.get(Number(raw));
  return library ? run(library) : Status.INVALID_HANDLE;
}

function withKernel(
  scope: LibraryScope,
  raw: bigint,
  run: (kernel: CpuLibraryKernel, library: CpuLibrary) => number,
): number {
  const [library, kernel] = scope.kernels.get(Number(raw)) ?? [];
  return library && kernel ? run(kernel, library) : Status.INVALID_HANDLE;
}

function withModule(scope: LibraryScope, library: CpuLibrary, run: (module: CUmodule) => number): number {
  const context = scope.state.current;
  if (!context) return Status.INVALID_CONTEXT;
  const known = library.modules.get(context);
  if (known !== undefined && scope.state.modules.has(known)) return run(BigInt(known) as CUmodule);
  const status = scope.table.cuModuleLoadData(slot, library.code);
  return status === 0 ? run(keep(library, context)) : status;
}

function keep(library: CpuLibrary, context: CpuContext): CUmodule {
  const module = slot[0] as CUmodule;
  library.modules.set(context, Number(module));
  return module;
}

function withFunction(scope: LibraryScope, raw: bigint, run: (target: CUfunction) => number): number {
  return withKernel(scope, raw, ({ symbol }, library) =>
    withModule(scope, library, (module) => {
      const status = scope.table.cuModuleGetFunction(slot, module, symbol);
      return status === 0 ? run(slot[0] as CUfunction) : status;
    }),
  );
}
