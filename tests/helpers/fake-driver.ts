import { hostBytes } from '../../src/core/host-memory.ts';
import { addressOf, viewOf } from '../../src/ffi/memory.ts';
import { parsePtx, type PtxEntry } from '../../src/cuda/compiler/ptx.ts';
import type { DriverTable } from '../../src/cuda/sys/tables.ts';
import { functions as prototypes } from '../../src/cuda/sys/driver.ts';
import { FunctionAttribute } from '../../src/cuda/sys/enums.ts';
import { ATTRIBUTES } from './fake-attributes.ts';
import { fakeArrays, type FakeObject } from './fake-arrays.ts';
import { fakeContexts } from './fake-contexts.ts';
import { fakeGraphs } from './fake-graphs.ts';
import { fakeGreen } from './fake-green.ts';
import { LIVE } from './fake-live.ts';
import { fakeLibraries } from './fake-library.ts';
import { fakeLinks } from './fake-links.ts';
import { fakeMemory } from './fake-memory.ts';
import { fakeOccupancy } from './fake-occupancy.ts';
import { fakeReferences, type FakeReference } from './fake-references.ts';
import { fakeStreams } from './fake-streams.ts';
import { strictTable } from './strict-table.ts';

/** One recorded launch: its geometry and its packed arguments. */
export interface FakeLaunch {
  readonly symbol: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly shared: number;
  readonly stream: bigint;
  /** The words of each launch attribute, up to the last that is not 0. */
  readonly attributes: readonly (readonly number[])[];
  readonly args: DataView;
}

/** A kernel in JavaScript: it gets the packed arguments and may read and write fake device memory. */
export type FakeKernel = (launch: FakeLaunch, memory: (address: bigint, byteLength: number) => Uint8Array) => void;

export interface FakeDriver {
  readonly table: DriverTable;
  readonly launches: FakeLaunch[];
  /** Objects alive on the driver's side. */
  readonly live: Record<(typeof LIVE)[number], number>;
  /** Symbol prefix → what a launch does. */
  readonly kernels: Map<string, FakeKernel>;
  /** Answer NOT_READY until cleared. */
  busy: boolean;
  /** Bytes that can still be allocated. */
  room: number;
  /** How many devices there are. */
  devices: number;
  /** Routine → the status that it answers, without doing anything. */
  readonly fail: Map<string, number>;
  /** The next handle that it gives out, as drivers give those of what is gone. */
  nextHandle: bigint | undefined;
  /** What the driver's compiler says about the next PTX. */
  jit: { readonly status: number; readonly info?: string; readonly error?: string } | undefined;
  /** Variable → its bytes, in every module. */
  readonly globals: Map<string, Uint8Array>;
  /** Textures and surfaces, by their numbers. */
  readonly objects: Map<bigint, FakeObject>;
  /** Texture and surface references, in every module. */
  readonly references: Map<string, FakeReference>;
  /** Told of each call: its name, its arguments, and the context that is current. */
  onCall: ((routine: string, args: readonly unknown[], context: bigint) => void) | undefined;
}

const SUCCESS = 0;
const INVALID_VALUE = 1;
const OUT_OF_MEMORY = 2;
const NOT_READY = 600;
const NOT_FOUND = 500;
const INVALID_HANDLE = 400;

function withoutEnd(words: Uint32Array): Uint32Array {
  return words.subarray(0, words.findLastIndex((word) => word !== 0) + 1);
}

/** A CUDA driver over host memory. Copies, fills and lifetimes are real; kernels are recorded, or run in JavaScript. */
export function fakeDriver(): FakeDriver {
  const memory = new Map<bigint, Uint8Array>();
  const modules = new Map<bigint, readonly PtxEntry[]>();
  const functions = new Map<bigint, PtxEntry>();
  const loaded = new Set<bigint>();
  const events = new Map<bigint, boolean>();
  const contexts = new Set<bigint>();
  const streamContexts = new Map<bigint, bigint>();
  const memoryDevices = new Map<bigint, number>();
  const stack: bigint[] = [];
  let next = 0x1000n;
  const fresh = (): bigint => {
    const given = fake.nextHandle;
    fake.nextHandle = undefined;
    return given ?? (next += 0x10n);
  };
  const live = (kind: (typeof LIVE)[number], by: number): number => (fake.live[kind] += by);
  const texts = new Map<string, bigint>();
  const kept: Uint8Array[] = [];

  const find = (address: bigint, byteLength: number): Uint8Array | undefined => {
    for (const [base, bytes] of memory) {
      const offset = Number(address - base);
      if (offset >= 0 && offset + byteLength <= bytes.length) return bytes.subarray(offset, offset + byteLength);
    }
    return undefined;
  };
  const openEvent = (out: unknown): number => {
    const event = fresh();
    events.set(event, false);
    live('event', 1);
    return put(out, event);
  };
  const blockAt = (address: bigint): readonly [base: bigint, byteLength: number] | undefined => {
    for (const [base, { length }] of memory)
      if (address >= base && address < base + BigInt(length)) return [base, length];
    return undefined;
  };
  const bytesOf = (value: unknown): Uint8Array => hostBytes(value as ArrayBuffer, 'The array');
  const put = (out: unknown, value: bigint | number): number => {
    (out as BigUint64Array)[0] = value as bigint;
    return SUCCESS;
  };
  const putText = (out: unknown, text: string): number => {
    bytesOf(out).set(new TextEncoder().encode(`${text}\0`));
    return SUCCESS;
  };
  const copy = (to: Uint8Array | undefined, from: Uint8Array | undefined): number => {
    if (!to || !from) return INVALID_VALUE;
    to.set(from);
    return SUCCESS;
  };
  const allocate = (out: unknown, size: number, kind: 'memory' | 'host'): number => {
    if (size > fake.room) return OUT_OF_MEMORY;
    fake.room -= size;
    const bytes = new Uint8Array(size);
    const address = addressOf(bytes);
    memory.set(address, bytes);
    memoryDevices.set(address, contextFunctions.device());
    fake.live[kind]++;
    return put(out, address);
  };
  const release = (address: bigint, kind: 'memory' | 'host'): number => {
    const bytes = memory.get(address);
    if (!bytes) return INVALID_VALUE;
    // Views made of it stay readable: a test must see wrong use as an error, not as a crash.
    kept.push(bytes);
    memory.delete(address);
    fake.room += bytes.length;
    fake.live[kind]--;
    return SUCCESS;
  };
  const textAddress = (text: string): bigint => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(`${text}\0`);
    kept.push(bytes);
    texts.set(text, addressOf(bytes));
    return addressOf(bytes);
  };
  const entriesOf = (code: unknown): readonly PtxEntry[] => {
    const bytes = Buffer.from(bytesOf(code));
    if (bytes[0] !== 0x7f) return parsePtx(bytes.toString()).entries;
    const names = [...bytes.toString('latin1').matchAll(/\.text\.(\w+)/g)].map((match) => match[1] ?? '');
    return [...new Set(names)].map((symbol) => ({ symbol, parameters: [] }));
  };
  const compile = (code: unknown, values: BigUint64Array): readonly PtxEntry[] | number => {
    const { status = SUCCESS, info = '', error = '' } = fake.jit ?? {};
    fake.jit = undefined;
    putText(viewOf(values[0] ?? 0n, Number(values[1])), info);
    putText(viewOf(values[2] ?? 0n, Number(values[3])), error);
    return status === SUCCESS ? entriesOf(code) : status;
  };
  const openModule = (entries: readonly PtxEntry[]): bigint => {
    const module = fresh();
    modules.set(module, entries);
    return module;
  };
  const openFunction = (entry: PtxEntry): bigint => {
    const raw = fresh();
    functions.set(raw, entry);
    return raw;
  };
  const getGlobal = (address: unknown, size: unknown, _module: bigint, name: string): number => {
    const bytes = fake.globals.get(name);
    if (!bytes) return NOT_FOUND;
    memory.set(addressOf(bytes), bytes);
    return put(address, addressOf(bytes)) || put(size, BigInt(bytes.length));
  };
  const parameterInfo = (entry: PtxEntry | undefined, index: number, offset: unknown, size: unknown): number => {
    if (!entry || entry.parameters.length === 0) return 801;
    const parameter = entry.parameters[index];
    if (!parameter) return INVALID_VALUE;
    put(size, BigInt(parameter.size));
    return put(offset, BigInt(parameter.offset));
  };
  const run = (
    raw: bigint,
    config: Uint32Array,
    stream: bigint,
    extra: bigint,
    attributes: readonly (readonly number[])[] = [],
  ): number => {
    const entry = functions.get(raw);
    if (!entry) return INVALID_HANDLE;
    const words = new BigUint64Array(viewOf(extra, 48).slice(0));
    const args = new DataView(viewOf(words[1] ?? 0n, Number(words[5])).slice(0));
    const [gx = 0, gy = 0, gz = 0, bx = 0, by = 0, bz = 0, shared = 0] = config;
    const launch = { symbol: entry.symbol, grid: [gx, gy, gz], block: [bx, by, bz], shared, stream, attributes, args };
    fake.launches.push(launch);
    for (const [prefix, kernel] of fake.kernels) {
      if (!entry.symbol.includes(prefix)) continue;
      kernel(launch, (address, byteLength) => {
        const bytes = find(address, byteLength);
        if (!bytes) throw new Error(`The fake kernel ${entry.symbol} reads beyond memory`);
        return bytes;
      });
    }
    return SUCCESS;
  };

  const contextFunctions = fakeContexts({ contexts, stack, fresh, put, live });
  const streams = fakeStreams({ live, fresh, put, bytesOf, busy: () => fake.busy });
  const arrays = fakeArrays({ live, bytesOf, fresh, put });
  const references = fakeReferences(put, bytesOf);
  const table = {
    ...fakeGraphs(fresh, live),
    ...arrays.functions,
    ...references.functions,
    ...fakeMemory({
      arrays: arrays.arrays,
      live,
      bytesOf,
      openEvent,
      find,
      blockAt,
      deviceAt: (base) => memoryDevices.get(base) ?? 0,
      fresh,
      put,
      allocate,
      release,
    }),
    ...fakeLibraries({
      live: (kind, by) => (fake.live[kind] += by),
      fresh,
      put,
      textAddress,
      current: () => stack.at(-1) ?? 0n,
      compile,
      openModule,
      openFunction,
      getGlobal,
      parameterInfo,
    }),
    cuInit: () => SUCCESS,
    cuGetErrorName: (_status: number, out: unknown) => put(out, textAddress('CUDA_ERROR_FAKE')),
    cuGetErrorString: (_status: number, out: unknown) => put(out, textAddress('fake')),
    cuDriverGetVersion: (out: unknown) => put(out, 12040),
    cuDeviceGetCount: (out: unknown) => put(out, fake.devices),
    cuDeviceGet: (out: unknown, ordinal: number) => put(out, ordinal),
    cuDeviceGetByPCIBusId: (out: unknown, id: string) => (id === '0000:01:00.0' ? put(out, 0) : INVALID_VALUE),
    cuDeviceGetPCIBusId: (out: unknown) => putText(out, '0000:01:00.0'),
    cuDeviceGetName: (out: unknown) => putText(out, 'Fake GPU'),
    cuDeviceGetUuid: (out: unknown) => copy(bytesOf(out).subarray(0, 16), new Uint8Array(16).fill(0xab)),
    cuDeviceTotalMem: (out: unknown) => put(out, 1n << 30n),
    cuDeviceGetAttribute: (out: unknown, attribute: number) => {
      const value = ATTRIBUTES[attribute];
      return value === undefined ? INVALID_VALUE : put(out, value);
    },
    ...contextFunctions.functions,
    cuCtxSynchronize: () => SUCCESS,
    cuCtxGetLimit: (out: unknown) => put(out, 1024n),
    cuCtxSetLimit: () => SUCCESS,
    cuCtxGetCacheConfig: (out: unknown) => put(out, 0),
    cuCtxSetCacheConfig: () => SUCCESS,
    cuCtxGetStreamPriorityRange: (least: unknown, greatest: unknown) => put(least, 0) || put(greatest, -5),
    cuModuleLoadDataEx: (out: unknown, code: unknown, _count: number, _options: unknown, values: BigUint64Array) => {
      const entries = compile(code, values);
      if (typeof entries === 'number') return entries;
      fake.live.module++;
      return put(out, openModule(entries));
    },
    cuModuleUnload: (module: bigint) => {
      fake.live.module--;
      return modules.delete(module) ? SUCCESS : INVALID_HANDLE;
    },
    cuModuleGetFunction: (out: unknown, module: bigint, name: string) => {
      const entry = modules.get(module)?.find(({ symbol }) => symbol === name);
      if (!entry) return NOT_FOUND;
      return put(out, openFunction(entry));
    },
    cuModuleGetGlobal: getGlobal,
    cuModuleGetLoadingMode: (out: unknown) => put(out, 2),
    cuModuleGetFunctionCount: (out: unknown, module: bigint) => put(out, modules.get(module)?.length ?? 0),
    cuModuleEnumerateFunctions: (out: BigUint64Array, _count: number, module: bigint) => {
      modules.get(module)?.forEach((entry, i) => {
        out[i] = openFunction(entry);
      });
      return SUCCESS;
    },
    cuFuncGetName: (out: unknown, raw: bigint) => put(out, textAddress(functions.get(raw)?.symbol ?? '')),
    cuFuncGetParamInfo: (raw: bigint, index: number, offset: unknown, size: unknown) =>
      parameterInfo(functions.get(raw), index, offset, size),
    cuFuncGetAttribute: (out: unknown, attribute: number) =>
      put(out, attribute === FunctionAttribute.MAX_THREADS_PER_BLOCK ? 1024 : 0),
    cuFuncSetAttribute: () => SUCCESS,
    cuFuncSetCacheConfig: () => SUCCESS,
    cuFuncIsLoaded: (out: unknown, raw: bigint) => put(out, loaded.has(raw) ? 1 : 0),
    cuFuncLoad: (raw: bigint) => (functions.has(raw) ? (loaded.add(raw), SUCCESS) : INVALID_HANDLE),
    cuLaunchKernelEx: (config: bigint, raw: bigint, _params: unknown, extra: bigint) => {
      const words = viewOf(config, 56).slice(0);
      const [stream = 0n, at = 0n, count = 0n] = new BigUint64Array(words, 32, 3);
      const attributes = Array.from({ length: Number(count & 0xffff_ffffn) }, (_, i) => [
        ...withoutEnd(new Uint32Array(viewOf(at + BigInt(72 * i), 72).slice(0))),
      ]);
      return run(raw, new Uint32Array(words, 0, 7), stream, extra, attributes);
    },
    cuLaunchKernel: (raw: bigint, ...rest: unknown[]) =>
      run(raw, Uint32Array.from(rest.slice(0, 7) as number[]), rest[7] as bigint, rest[9] as bigint),
    ...fakeOccupancy(put),
    ...fakeLinks({ live, fresh, put }),
    ...streams.functions,
    cuStreamCreateWithPriority: (out: unknown, flags: number, priority: number) => {
      const code = streams.open(out, flags, priority);
      streamContexts.set((out as BigUint64Array)[0] ?? 0n, stack.at(-1) ?? 0n);
      return code;
    },
    cuStreamGetCtx: (stream: bigint, out: unknown) => {
      const context = streamContexts.get(stream) ?? stack.at(-1);
      return context === undefined ? INVALID_HANDLE : put(out, context);
    },
    ...fakeGreen({ live, fresh, put, contexts, openStream: streams.open }),
    cuProfilerStart: () => SUCCESS,
    cuProfilerStop: () => SUCCESS,
    cuMemGetInfo: (free: unknown, total: unknown) => put(free, BigInt(fake.room)) || put(total, 1n << 30n),
    cuMemAlloc: (out: unknown, size: number) => allocate(out, size, 'memory'),
    cuMemAllocPitch: (out: unknown, pitch: unknown, width: number, height: number) => {
      const row = Math.ceil(width / 512) * 512;
      put(pitch, BigInt(row));
      return allocate(out, row * height, 'memory');
    },
    cuMemFree: (address: bigint) => release(address, 'memory'),
    cuMemHostAlloc: (out: unknown, size: number) => allocate(out, size, 'host'),
    cuMemFreeHost: (address: bigint) => release(address, 'host'),
    cuMemHostGetDevicePointer: (out: unknown, address: bigint) => put(out, address),
    cuEventCreate: openEvent,
    cuEventRecord: (event: bigint) => (events.has(event) ? (events.set(event, true), SUCCESS) : INVALID_HANDLE),
    cuEventQuery: () => (fake.busy ? NOT_READY : SUCCESS),
    cuEventSynchronize: () => SUCCESS,
    cuEventDestroy: (event: bigint) => {
      fake.live.event--;
      return events.delete(event) ? SUCCESS : INVALID_HANDLE;
    },
    cuEventElapsedTime: (out: unknown, start: bigint, end: bigint) => {
      if (!events.get(start) || !events.get(end)) return INVALID_HANDLE;
      return fake.busy ? NOT_READY : put(out, 1.5);
    },
  };
  const fake: FakeDriver = {
    table: strictTable(prototypes, table, 'driver', (routine, args, next) => {
      fake.onCall?.(routine, args, stack.at(-1) ?? 0n);
      return fake.fail.get(routine) ?? next();
    }),
    launches: [],
    live: Object.fromEntries(LIVE.map((kind) => [kind, 0])) as FakeDriver['live'],
    kernels: new Map(),
    busy: false,
    room: 1 << 30,
    devices: 1,
    fail: new Map(),
    nextHandle: undefined,
    jit: undefined,
    globals: new Map(),
    objects: arrays.objects,
    references: references.references,
    onCall: undefined,
  };
  return fake;
}
