import type { DriverTable } from '../../cuda/sys/tables.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { decodeProgram } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import { emptyKernels } from './empty-ptx.ts';
import { bytesAt, putInt, putWide, textAddress } from '../abi/out.ts';
import type { CpuContext, DriverState } from './state.ts';

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
  /** What it is in each context. */
  readonly modules: Map<CpuContext, number>;
  readonly kernels: readonly CpuLibraryKernel[];
}

interface CpuLibraryKernel {
  readonly handle: number;
  readonly symbol: string;
  readonly parameters: readonly { readonly offset: number; readonly size: number }[];
}

/** A library is a module in each context that uses it. */
export function libraryFunctions(state: DriverState, table: Pick<DriverTable, ModuleNames>): Pick<DriverTable, Names> {
  const libraries = new Map<number, CpuLibrary>();
  const kernels = new Map<number, readonly [library: CpuLibrary, kernel: CpuLibraryKernel]>();
  const slot = new BigUint64Array(1);

  const withLibrary = (raw: bigint, run: (library: CpuLibrary) => number): number => {
    const library = libraries.get(Number(raw));
    return library ? run(library) : Status.INVALID_HANDLE;
  };
  const withKernel = (raw: bigint, run: (kernel: CpuLibraryKernel, library: CpuLibrary) => number): number => {
    const [library, kernel] = kernels.get(Number(raw)) ?? [];
    return library && kernel ? run(kernel, library) : Status.INVALID_HANDLE;
  };
  const withModule = (library: CpuLibrary, run: (module: CUmodule) => number): number => {
    const context = state.current;
    if (!context) return Status.INVALID_CONTEXT;
    const known = library.modules.get(context);
    if (known !== undefined && state.modules.has(known)) return run(BigInt(known) as CUmodule);
    const status = table.cuModuleLoadData(slot, library.code);
    return status === 0 ? run(keep(library, context)) : status;
  };
  const keep = (library: CpuLibrary, context: CpuContext): CUmodule => {
    const module = slot[0] as CUmodule;
    library.modules.set(context, Number(module));
    return module;
  };
  const withFunction = (raw: bigint, run: (target: CUfunction) => number): number =>
    withKernel(raw, ({ symbol }, library) =>
      withModule(library, (module) => {
        const status = table.cuModuleGetFunction(slot, module, symbol);
        return status === 0 ? run(slot[0] as CUfunction) : status;
      }),
    );

  return {
    cuLibraryLoadData: (out, code, options, values, count) => {
      // Of an address alone nobody knows how much may be read.
      if (typeof code === 'bigint') return Status.NOT_SUPPORTED;
      const bytes = bytesAt(code, 0).slice();
      const found = decodeProgram(bytes)?.kernels ?? emptyKernels(bytes);
      const context = state.current;
      // As the loading mode says: at once, where there is a context. The options have the log of it.
      const status = context ? table.cuModuleLoadDataEx(slot, bytes, count, options, values) : Status.SUCCESS;
      if (status !== 0) return status;
      if (!found) return Status.NO_BINARY_FOR_GPU;
      const made = found.map(({ symbol, parameters }) => ({ handle: state.newHandle(), symbol, parameters }));
      const library: CpuLibrary = { code: bytes, modules: new Map(), kernels: made };
      if (context) keep(library, context);
      for (const kernel of made) kernels.set(kernel.handle, [library, kernel]);
      const handle = state.newHandle();
      libraries.set(handle, library);
      return putWide(out, handle);
    },
    cuLibraryUnload: (raw) =>
      withLibrary(raw, (library) => {
        for (const module of library.modules.values()) state.unload(module);
        for (const { handle } of library.kernels) kernels.delete(handle);
        libraries.delete(Number(raw));
        return Status.SUCCESS;
      }),
    cuLibraryGetKernel: (out, raw, name) =>
      withLibrary(raw, (library) => {
        const found = library.kernels.find(({ symbol }) => symbol === name);
        return found ? putWide(out, found.handle) : Status.NOT_FOUND;
      }),
    cuLibraryGetKernelCount: (out, raw) => withLibrary(raw, (library) => putInt(out, library.kernels.length)),
    cuLibraryEnumerateKernels: (out, count, raw) =>
      withLibrary(raw, (library) => {
        const handles = library.kernels.slice(0, count).map(({ handle }) => BigInt(handle));
        const bytes = bytesAt(out, 8 * handles.length);
        bytes.set(new Uint8Array(BigUint64Array.from(handles).buffer).subarray(0, bytes.length));
        return Status.SUCCESS;
      }),
    cuLibraryGetModule: (out, raw) =>
      withLibrary(raw, (library) => withModule(library, (module) => putWide(out, module))),
    cuLibraryGetGlobal: (address, size, raw, name) =>
      withLibrary(raw, (library) =>
        withModule(library, (module) => table.cuModuleGetGlobal(address, size, module, name)),
      ),
    cuKernelGetFunction: (out, raw) => withFunction(raw, (target) => putWide(out, target)),
    cuKernelGetAttribute: (out, attribute, raw, device) =>
      device === 0
        ? withFunction(raw, (target) => table.cuFuncGetAttribute(out, attribute, target))
        : Status.INVALID_DEVICE,
    cuKernelSetAttribute: (attribute, value, raw, device) =>
      device === 0
        ? withFunction(raw, (target) => table.cuFuncSetAttribute(target, attribute, value))
        : Status.INVALID_DEVICE,
    cuKernelGetName: (out, raw) => withKernel(raw, ({ symbol }) => putWide(out, textAddress(symbol))),
    cuKernelGetParamInfo: (raw, index, offset, size) =>
      withKernel(raw, ({ parameters }) => {
        const parameter = parameters[Number(index)];
        if (!parameter) return Status.INVALID_VALUE;
        putWide(offset, parameter.offset);
        return putWide(size, parameter.size);
      }),
  };
}
