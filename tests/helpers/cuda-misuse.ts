import util from 'node:util';
import { GpuError, ClosedError } from '../../src/core/errors.ts';
import { struct } from '../../src/core/struct.ts';
import * as cuda from '../../src/cuda/index.ts';
import { graphEntries } from './cuda-misuse-graphs.ts';
import { interopEntries } from './cuda-misuse-interop.ts';
import { memoryEntries } from './cuda-misuse-memory.ts';
import { textureEntries } from './cuda-misuse-textures.ts';

/** One call that must not succeed. */
export interface Misuse {
  readonly name: string;
  readonly run: () => unknown;
}

type Call = (...args: never[]) => unknown;

/** A function, arguments that are right, and for each what kind of value it is. */
interface Entry {
  readonly name: string;
  readonly call: Call;
  readonly args: readonly unknown[];
  readonly kinds: readonly Kind[];
}

/** What is wrong in a place: one of the lists, or nothing. */
export type Kind =
  | 'size'
  | 'offset'
  | 'integer'
  | 'device'
  | 'host'
  | 'stream'
  | 'event'
  | 'options'
  | 'launch'
  | 'text'
  | 'type'
  | 'amount'
  | 'length'
  | 'object'
  | 'which'
  | 'attribute'
  | 'image'
  | 'pointer'
  | 'scalar'
  | 'any';

/** Add a function with arguments that are right, and for each what kind of value it is. */
export type AddEntry = (name: string, call: Call, ...pairs: (readonly [unknown, Kind])[]) => void;

const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }
`;

function detached(): Uint8Array {
  const array = new Uint8Array(16);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

const JUNK = [undefined, true, {}, [], () => 1, Symbol('junk')];
const NUMBERS = [NaN, Infinity, -1, 0.5, 2 ** 53, -1n, 2n ** 64n, '8', null, ...JUNK];
const forged = { byteLength: 16, [Symbol.toStringTag]: 'ArrayBuffer' };

/** What is wrong in the place of each kind of value. */
const WRONG: Readonly<Record<Exclude<Kind, 'any'>, readonly unknown[]>> = {
  size: [0, ...NUMBERS],
  offset: [...NUMBERS, 2 ** 40],
  integer: [NaN, Infinity, 0.5, 2 ** 53, '8', null, ...JUNK],
  device: [null, 0n, -1n, 2n ** 64n, 16, NaN, 'x', new Uint8Array(16), forged, { ptr: 5 }, ...JUNK],
  host: [null, 5, 5n, 'bytes', new Uint8Array(0), new ArrayBuffer(0), detached(), forged, ...JUNK],
  stream: [5, 5n, 'x', new Uint8Array(4), ...JUNK.slice(1)],
  event: [5, 5n, null, 'x', ...JUNK],
  options: [
    null,
    5,
    'x',
    { misspelt: 1 },
    ...JUNK.filter((value) => !Array.isArray(value) && value !== undefined && Object.keys(value).length > 0),
  ],
  launch: [
    null,
    5,
    { grid: 1 },
    { block: 0 },
    { block: NaN },
    { block: 1, misspelt: 1 },
    { block: 1, stream: 5 },
    ...JUNK,
  ],
  text: [null, 5, 5n, 'a\0b', ...JUNK],
  type: [null, 5, 'float', 'toString', ...JUNK],
  amount: NUMBERS,
  length: NUMBERS.filter((value) => value !== undefined),
  object: [null, 5, 'x', ...JUNK.slice(1)],
  which: [-1, 0.5, NaN, 5n, null, 'a\\0b', ...JUNK.slice(1)],
  attribute: [null, 'warpSize', 'toString', NaN, 0.5, ...JUNK],
  image: [null, 5, '', ...JUNK, new Uint8Array(0), detached()],
  pointer: [5, 'x', new Uint8Array(4), ...JUNK],
  scalar: ['x', null, ...JUNK],
};

/** The public functions and methods with arguments that work, in the context that is current. */
function entries(): Entry[] {
  const memory = cuda.memAlloc(64);
  const host = new Uint8Array(16);
  const stream = new cuda.Stream();
  const library = cuda.libraryFromBuffer(PTX);
  const kernel = library.getKernel('add');
  const event = new cuda.Event().record();
  const module = cuda.moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  const pinned = cuda.pagelockedEmpty(16, 'f32');
  const context = cuda.Context.current as cuda.Context;
  const device = context.device;
  const all: Entry[] = [];
  const entry: AddEntry = (name, call, ...pairs) => {
    all.push({ name, call, args: pairs.map(([arg]) => arg), kinds: pairs.map(([, kind]) => kind) });
  };
  graphEntries(entry, { memory, host, stream, event, add });
  memoryEntries(entry, { memory, host, stream, device });
  interopEntries(entry, memory);
  textureEntries(entry, memory, stream);
  entry('memAlloc', cuda.memAlloc, [16, 'size']);
  entry('memAllocPitch', cuda.memAllocPitch, [16, 'size'], [2, 'size']);
  entry('memcpyHtoD', cuda.memcpyHtoD, [memory, 'device'], [host, 'host']);
  entry('memcpyDtoH', cuda.memcpyDtoH, [host, 'host'], [memory, 'device']);
  entry('memcpyDtoD', cuda.memcpyDtoD, [memory, 'device'], [memory, 'device']);
  entry('memcpyHtoDAsync', cuda.memcpyHtoDAsync, [memory, 'device'], [host, 'host'], [stream, 'stream']);
  entry('memcpyDtoHAsync', cuda.memcpyDtoHAsync, [host, 'host'], [memory, 'device'], [stream, 'stream']);
  entry(
    'memcpyDtoDAsync',
    cuda.memcpyDtoDAsync,
    [memory, 'device'],
    [memory, 'device'],
    [8, 'any'],
    [stream, 'stream'],
  );
  for (const name of ['memsetD8', 'memsetD16', 'memsetD32'] as const) {
    entry(name, cuda[name], [memory, 'device'], [1, 'offset'], [4, 'size']);
    entry(`${name}Async`, cuda[`${name}Async`], [memory, 'device'], [1, 'offset'], [4, 'size'], [stream, 'stream']);
  }
  entry('toDevice', cuda.toDevice, [host, 'host']);
  entry('fromDevice', cuda.fromDevice, [memory, 'device'], ['u8', 'type']);
  entry('pagelockedEmpty', cuda.pagelockedEmpty, [4, 'size'], ['f32', 'type']);
  entry('pagelockedZeros', cuda.pagelockedZeros, [4, 'size'], ['f32', 'type']);
  entry('pagelockedFree', cuda.pagelockedFree, [pinned, 'host']);
  entry('getDevicePointer', cuda.getDevicePointer, [pinned, 'host']);
  entry('In', cuda.In, [host, 'host']);
  entry('Out', cuda.Out, [host, 'host']);
  entry('InOut', cuda.InOut, [host, 'host']);
  entry('struct', struct, [{ a: 'i32' }, 'type']);
  entry('moduleFromBuffer', cuda.moduleFromBuffer, [PTX, 'image']);
  entry('moduleFromFile', cuda.moduleFromFile, ['x', 'text']);
  entry(
    'new SourceModule',
    (...args: never[]) => new cuda.SourceModule(...(args as unknown as [string])),
    ['', 'text'],
    [{}, 'options'],
  );
  entry(
    'SourceModule.fromFile',
    (...args: never[]) => cuda.SourceModule.fromFile(...(args as unknown as [string])),
    ['nowhere.cu', 'text'],
    [{}, 'options'],
  );
  entry('new Stream', (options: never) => new cuda.Stream(options), [{}, 'options']);
  entry('new Event', (options: never) => new cuda.Event(options), [{}, 'options']);
  entry(
    'new Context',
    (...args: never[]) => new cuda.Context(...(args as unknown as [])),
    [device, 'object'],
    [{}, 'options'],
  );
  entry('new Device', (which: never) => new cuda.Device(which), [0, 'which']);
  entry('Stream.fromHandle', (handle: never) => cuda.Stream.fromHandle(handle), [stream.handle, 'integer']);
  entry('DeviceAllocation.slice', (at: never, length: never) => memory.slice(at, length), [0, 'offset'], [8, 'length']);
  entry(
    'Stream.setAttributes',
    (attributes: never) => {
      stream.setAttributes(attributes);
    },
    [{}, 'options'],
  );
  entry(
    'Stream.copyAttributes',
    (from: never) => {
      stream.copyAttributes(from);
    },
    [stream, 'event'],
  );
  entry(
    'Stream.waitForEvent',
    (value: never) => {
      stream.waitForEvent(value);
    },
    [event, 'event'],
  );
  entry('Event.record', (value: never) => event.record(value), [stream, 'stream']);
  entry('Event.timeSince', (value: never) => event.timeSince(value), [event, 'event']);
  entry('Event.timeTill', (value: never) => event.timeTill(value), [event, 'event']);
  entry('Device.getAttribute', (value: never) => device.getAttribute(value), ['WARP_SIZE', 'attribute']);
  entry('Device.canAccessPeer', (value: never) => device.canAccessPeer(value), [device, 'event']);
  entry('Context.getLimit', (value: never) => context.getLimit(value), [0, 'integer']);
  entry(
    'Context.setLimit',
    (limit: never, value: never) => {
      context.setLimit(limit, value);
    },
    [0, 'integer'],
    [1024, 'amount'],
  );
  entry(
    'Context.cacheConfig',
    (value: never) => {
      context.cacheConfig = value;
    },
    [0, 'integer'],
  );
  entry('libraryFromBuffer', (image: never) => cuda.libraryFromBuffer(image), [PTX, 'image']);
  entry('libraryFromFile', (path: never) => cuda.libraryFromFile(path), ['nowhere.ptx', 'text']);
  entry('Library.getKernel', (name: never) => library.getKernel(name), ['add', 'text']);
  entry('Library.getGlobal', (name: never) => library.getGlobal(name), ['x', 'text']);
  entry('Library.getManaged', (name: never) => library.getManaged(name), ['x', 'text']);
  entry('Kernel', (options: never) => kernel(memory, 1, options), [{ block: 1 }, 'launch']);
  entry('Kernel.prepare', (options: never) => kernel.prepare(options), [{ block: 1 }, 'launch']);
  entry('Module.getTextureReference', (name: never) => module.getTextureReference(name), ['t', 'text']);
  entry('Module.getSurfaceReference', (name: never) => module.getSurfaceReference(name), ['s', 'text']);
  entry('Module.getFunction', (name: never) => module.getFunction(name), ['add', 'text']);
  entry(
    'Module.hasFunction',
    (name: never) => {
      if (!module.hasFunction(name)) throw new TypeError('no');
    },
    ['add', 'text'],
  );
  entry('Module.getGlobal', (name: never) => module.getGlobal(name), ['x', 'text']);
  entry('Function', add, [memory, 'pointer'], [1, 'integer'], [{ block: 1 }, 'launch']);
  entry('Function.prepare', (options: never) => add.prepare(options), [{ block: 1 }, 'launch']);
  entry('PreparedLaunch', add.prepare({ block: 1 }), [memory, 'pointer'], [1, 'integer']);
  entry('Function.getAttribute', (value: never) => add.getAttribute(value), [0, 'integer']);
  entry(
    'Function.setAttribute',
    (name: never, value: never) => {
      add.setAttribute(name, value);
    },
    [8, 'integer'],
    [0, 'integer'],
  );
  entry(
    'Function.setCacheConfig',
    (value: never) => {
      add.setCacheConfig(value);
    },
    [0, 'integer'],
  );
  entry(
    'Function.maxActiveBlocksPerMultiprocessor',
    (size: never, shared: never) => add.maxActiveBlocksPerMultiprocessor(size, shared),
    [32, 'size'],
    [0, 'any'],
  );
  entry('Function.maxPotentialBlockSize', (options: never) => add.maxPotentialBlockSize(options), [{}, 'options']);
  for (const name of [
    'int8',
    'uint8',
    'int16',
    'uint16',
    'int32',
    'uint32',
    'int64',
    'uint64',
    'float16',
    'bfloat16',
    'float32',
    'float64',
  ] as const) {
    entry(name, cuda[name], [1, 'scalar']);
  }
  entry('float4', cuda.float4, [1, 'scalar'], [2, 'scalar'], [3, 'scalar'], [4, 'scalar']);
  return all;
}

/** Objects that were closed, and every use of one. */
function closedUses(): Misuse[] {
  const memory = cuda.memAlloc(16);
  const slice = memory.slice(4);
  const stream = new cuda.Stream();
  const event = new cuda.Event();
  const module = cuda.moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  const launch = add.prepare({ block: 1 });
  const pinned = cuda.pagelockedEmpty(4, 'f32');
  for (const object of [memory, stream, event, module]) object.close();
  cuda.pagelockedFree(pinned);
  const live = cuda.memAlloc(16);
  const uses: Readonly<Record<string, () => unknown>> = {
    'free() twice': () => {
      memory.free();
    },
    'ptr of freed memory': () => memory.ptr,
    'slice of freed memory': () => slice.ptr,
    'copy to freed memory': () => {
      cuda.memcpyHtoD(memory, new Uint8Array(4));
    },
    'copy from a freed slice': () => {
      cuda.memcpyDtoH(new Uint8Array(4), slice);
    },
    'fill of freed memory': () => {
      cuda.memsetD8(memory, 0, 4);
    },
    'copy to a freed array': () => {
      cuda.memcpyDtoH(pinned, live);
    },
    'pagelockedFree() twice': () => {
      cuda.pagelockedFree(pinned);
    },
    'device pointer of a freed array': () => cuda.getDevicePointer(pinned),
    'synchronize a closed stream': () => {
      stream.synchronize();
    },
    'copy on a closed stream': () => {
      cuda.memcpyHtoDAsync(live, new Uint8Array(4), stream);
    },
    'record a closed event': () => event.record(),
    'getFunction of a closed module': () => module.getFunction('add'),
    'launch of a closed module': () => {
      add(live, 1, { block: 1 });
    },
    'prepared launch of a closed module': () => {
      launch(live, 1);
    },
    'new DeviceAllocation': () => new (cuda.DeviceAllocation as unknown as new () => unknown)(),
    'new Stream of a handle': () => new (cuda.Stream as unknown as new (...args: unknown[]) => unknown)({}, 5),
  };
  return Object.entries(uses).map(([name, run]) => ({ name, run }));
}

/** Every misuse: each argument of each function replaced by each wrong value, missing arguments, closed objects. */
export function misuses(): Misuse[] {
  const found: Misuse[] = [];
  for (const { name, call, args, kinds } of entries()) {
    const invoke = (values: readonly unknown[]) => (): unknown => call(...(values as never[]));
    kinds.forEach((kind, i) => {
      if (kind === 'any') return;
      for (const value of WRONG[kind]) {
        found.push({ name: `${name}, argument ${i} = ${show(value)}`, run: invoke(args.with(i, value)) });
      }
    });
  }
  return [...found, ...closedUses()];
}

function show(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}[${value.byteLength}]`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'bigint' ? `${value}n` : typeof value === 'string' ? JSON.stringify(value) : String(value);
}

const ENGINE =
  /Cannot (read|set|convert|mix|destructure)|is not (a function|iterable|a constructor)|Invalid (array|typed)/;

/** What is wrong with how a misuse ended; undefined when it threw one of our errors. */
export function complaint({ name, run }: Misuse): string | undefined {
  try {
    run();
  } catch (error) {
    const builtIn = error instanceof Error || util.types.isNativeError(error) ? error.name : '';
    const ours = error instanceof ClosedError || error instanceof GpuError;
    if (!ours && builtIn !== 'TypeError' && builtIn !== 'RangeError') return `${name}: ${String(error)}`;
    return ENGINE.test((error as Error).message) ? `${name}: not our words: ${(error as Error).message}` : undefined;
  }
  return `${name}: nothing was thrown`;
}
