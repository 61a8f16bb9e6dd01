import type { PtxEntry } from '../../src/cuda/compiler/ptx.ts';

/** What the fake driver lends to its functions for libraries. */
export interface FakeLibraryTools {
  readonly live: (kind: 'library', by: number) => void;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
  readonly textAddress: (text: string) => bigint;
  readonly current: () => bigint;
  /** Read code with the options of the driver's compiler: its kernels, or why not. */
  readonly compile: (code: unknown, values: BigUint64Array) => readonly PtxEntry[] | number;
  readonly openModule: (entries: readonly PtxEntry[]) => bigint;
  readonly openFunction: (entry: PtxEntry) => bigint;
  readonly getGlobal: (address: unknown, size: unknown, module: bigint, name: string) => number;
  readonly parameterInfo: (entry: PtxEntry | undefined, index: number, offset: unknown, size: unknown) => number;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_CONTEXT = 201;
const INVALID_HANDLE = 400;
const NOT_FOUND = 500;

/** The fake driver's functions for libraries and kernels of no context. */
export function fakeLibraries(tools: FakeLibraryTools): Functions {
  const { live, fresh, put, textAddress, current, compile, openModule, openFunction, getGlobal } = tools;
  const libraries = new Map<bigint, Map<bigint, PtxEntry>>();
  const kernels = new Map<bigint, PtxEntry>();
  const attributes = new Map<string, number>();
  const inContext = (run: () => number): number => (current() === 0n ? INVALID_CONTEXT : run());
  const withLibrary = (raw: bigint, run: (library: Map<bigint, PtxEntry>) => number): number => {
    const library = libraries.get(raw);
    return library ? run(library) : INVALID_HANDLE;
  };

  return {
    cuLibraryLoadData: (out: unknown, code: unknown, _options: unknown, values: BigUint64Array) => {
      const entries = compile(code, values);
      if (typeof entries === 'number') return entries;
      const library = new Map(entries.map((entry) => [fresh(), entry] as const));
      for (const [raw, entry] of library) kernels.set(raw, entry);
      const raw = fresh();
      libraries.set(raw, library);
      live('library', 1);
      return put(out, raw);
    },
    cuLibraryUnload: (raw: bigint) =>
      withLibrary(raw, (library) => {
        for (const kernel of library.keys()) kernels.delete(kernel);
        libraries.delete(raw);
        live('library', -1);
        return SUCCESS;
      }),
    cuLibraryGetKernel: (out: unknown, raw: bigint, name: string) =>
      withLibrary(raw, (library) => {
        for (const [kernel, { symbol }] of library) if (symbol === name) return put(out, kernel);
        return NOT_FOUND;
      }),
    cuLibraryGetKernelCount: (out: unknown, raw: bigint) => withLibrary(raw, ({ size }) => put(out, size)),
    cuLibraryEnumerateKernels: (out: BigUint64Array, _count: number, raw: bigint) =>
      withLibrary(raw, (library) => {
        out.set([...library.keys()]);
        return SUCCESS;
      }),
    cuLibraryGetModule: (out: unknown, raw: bigint) =>
      withLibrary(raw, (library) => inContext(() => put(out, openModule([...library.values()])))),
    cuLibraryGetGlobal: (address: unknown, size: unknown, raw: bigint, name: string) =>
      withLibrary(raw, () => inContext(() => getGlobal(address, size, raw, name))),
    cuLibraryGetManaged: (address: unknown, size: unknown, raw: bigint, name: string) =>
      withLibrary(raw, () => getGlobal(address, size, raw, name)),
    cuKernelGetFunction: (out: unknown, raw: bigint) => {
      const entry = kernels.get(raw);
      return entry ? inContext(() => put(out, openFunction(entry))) : INVALID_HANDLE;
    },
    cuKernelGetAttribute: (out: unknown, attribute: number, raw: bigint, device: number) =>
      put(out, attributes.get(`${attribute} ${raw} ${device}`) ?? 0),
    cuKernelSetAttribute: (attribute: number, value: number, raw: bigint, device: number) => {
      attributes.set(`${attribute} ${raw} ${device}`, value);
      return SUCCESS;
    },
    cuKernelGetName: (out: unknown, raw: bigint) => put(out, textAddress(kernels.get(raw)?.symbol ?? '')),
    cuKernelGetParamInfo: (raw: bigint, index: number, offset: unknown, size: unknown) =>
      tools.parameterInfo(kernels.get(raw), index, offset, size),
  };
}
