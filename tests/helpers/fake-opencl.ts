import { test } from '@jest/globals';
import { viewOf } from '../../src/ffi/memory.ts';
import type { OpenCLTable } from '../../src/opencl/sys/tables.ts';
import {
  ContextInfo,
  DeviceInfo,
  KernelArgInfo,
  KernelInfo,
  MemInfo,
  PlatformInfo,
  ProgramInfo,
  QueueInfo,
} from '../../src/opencl/sys/enums.ts';
import { functions as prototypes } from '../../src/opencl/sys/opencl.ts';
import { widesAt, type Pointer } from '../../src/ffi/pointer.ts';
import { numberOf } from '../../src/opencl/older/since.ts';
import { withOlderForms } from '../../src/opencl/older/table.ts';
import { oldTable, type Age } from './old-opencl.ts';
import { strictTable } from './strict-table.ts';

/** A platform of the fake: its name, and its devices' names and types. */
export interface FakePlatform {
  readonly name: string;
  readonly version?: string;
  readonly devices: readonly (readonly [name: string, type: number])[];
}

/** An argument that a kernel was given. */
export interface FakeArgument {
  readonly byteLength: number;
  /** The bytes; undefined for local memory. */
  readonly bytes: Uint8Array | undefined;
}

export interface FakeOpenCL {
  readonly table: OpenCLTable;
  platforms: readonly FakePlatform[];
  /** Routine → the statuses that its next calls answer, without doing anything. */
  readonly fail: Map<string, number[]>;
  /** Every call, in order. */
  readonly calls: string[];
  /** Objects alive on the driver's side, by kind. */
  readonly live: Map<string, number>;
  /** The parameters of the one kernel, `f`: type and name; undefined where the driver does not tell them. */
  parameters: readonly (readonly [type: string, name: string, space?: number])[];
  argumentInfo: boolean;
  readonly arguments: Map<number, FakeArgument>;
  /** What the compiler says to these options. */
  build: (options: string) => { readonly status: number; readonly log: string };
  /** The execution status of every event, or of each by its handle. */
  eventStatus: number | ((event: bigint) => number);
  /** Bytes: the largest buffer. */
  largest: number;
}

const INVALID_VALUE = -30;
const NOT_AVAILABLE = -19;
const PRIVATE = 0x119e;
const GLOBAL = 0x119b;
const LOCAL = 0x119c;
const CONSTANT = 0x119d;

let usualAge: Age | undefined;

/** Have all fakes of this file be as old as this, for suites that another file imports. */
export function makeFakesOld(age: Age): void {
  usualAge = age;
}

/** `test`; where they are older than this, one that skips. */
export function testSince(version: string): typeof test.skip {
  return usualAge && numberOf(usualAge.version) < numberOf(version) ? test.skip : test;
}

/** An OpenCL implementation in JavaScript that computes nothing: for error paths and lifetimes. */
export function fakeOpenCL(age: Age | undefined = usualAge): FakeOpenCL {
  const parents = new Map<bigint, bigint>();
  let next = 0x1000n;
  const fresh = (kind: string): bigint => {
    fake.live.set(kind, (fake.live.get(kind) ?? 0) + 1);
    return (next += 0x10n);
  };
  const gone = (kind: string) => () => {
    fake.live.set(kind, (fake.live.get(kind) ?? 0) - 1);
    return 0;
  };
  const create =
    (kind: string) =>
    (...args: unknown[]): bigint => {
      const errcode = args.at(-1) as Int32Array;
      errcode[0] = 0;
      const made = fresh(kind);
      const [first] = kind === 'context' ? widesAt(args[2] as Pointer, 1) : [args[kind === 'queue' ? 1 : 0] as bigint];
      // A part of a buffer and a kernel are of the context of what they come from.
      parents.set(made, parents.has(first ?? 0n) && kind !== 'queue' && !isContext(first) ? up(first) : (first ?? 0n));
      if (kind === 'context') contexts.add(made);
      return made;
    };
  const contexts = new Set<bigint>();
  const isContext = (handle: bigint | undefined): boolean => contexts.has(handle ?? 0n);
  const up = (handle: bigint | undefined): bigint => parents.get(handle ?? 0n) ?? 0n;
  const parent =
    (wanted: readonly number[], rest?: (param: number) => Uint8Array | undefined) =>
    (handle: bigint, param: number, size: number, value: unknown, total: unknown): number => {
      const bytes = wanted.includes(param) ? word(up(handle)) : rest?.(param);
      return bytes ? answer(bytes, size, value, total) : INVALID_VALUE;
    };
  const enqueue = (...args: unknown[]): number => {
    const out = args.at(-1);
    if (out !== 0n) bytesOf(out, 8).set(bytesOf(new BigUint64Array([fresh('event')]), 8));
    return 0;
  };
  const platform = (i: number): bigint => BigInt(0x100 * (i + 1));
  const device = (i: number, j: number): bigint => platform(i) + BigInt(j + 1);

  let said = '';
  const fake: Omit<FakeOpenCL, 'table'> & { table?: OpenCLTable } = {
    platforms: [
      age?.missing === 'platform'
        ? { name: 'Fake', version: `OpenCL ${age.version} Fake`, devices: [['Fake CPU', 2]] }
        : { name: 'Fake', devices: [['Fake CPU', 2]] },
    ],
    fail: new Map(),
    calls: [],
    live: new Map(),
    parameters: [
      ['int*', 'a'],
      ['int', 'n'],
    ],
    argumentInfo: true,
    arguments: new Map(),
    build: () => ({ status: 0, log: '' }),
    eventStatus: 0,
    largest: 1 << 20,
  };

  const functions: Record<string, (...args: never[]) => unknown> = {
    clGetPlatformIDs: (count: number, ids: unknown, total: unknown) => {
      if (fake.platforms.length === 0) return -1001;
      return list(
        fake.platforms.map((_, i) => platform(i)),
        count,
        ids,
        total,
      );
    },
    clGetPlatformInfo: (id: bigint, param: number, size: number, value: unknown, total: unknown) => {
      const { name, version = 'OpenCL 3.0 Fake' } = fake.platforms[Number(id / 0x100n) - 1] as FakePlatform;
      const text = param === PlatformInfo.NAME[0] ? name : param === PlatformInfo.VERSION[0] ? version : undefined;
      return text === undefined ? INVALID_VALUE : answer(encode(text), size, value, total);
    },
    clGetDeviceIDs: (id: bigint, type: number, count: number, ids: unknown, total: unknown) => {
      const i = Number(id / 0x100n) - 1;
      const found = (fake.platforms[i] as FakePlatform).devices.flatMap(([, bits], j) =>
        bits & type ? [device(i, j)] : [],
      );
      return found.length === 0 ? -1 : list(found, count, ids, total);
    },
    clGetDeviceInfo: (id: bigint, param: number, size: number, value: unknown, total: unknown) => {
      const { devices, version = 'OpenCL 1.2 Fake' } = fake.platforms[Number(id / 0x100n) - 1] as FakePlatform;
      const [name, type] = devices[Number(id % 0x100n) - 1] as readonly [string, number];
      const known = new Map<number, Uint8Array>([
        [DeviceInfo.NAME[0], encode(name)],
        [DeviceInfo.TYPE[0], word(type)],
        [DeviceInfo.VENDOR[0], encode('Nobody')],
        [DeviceInfo.DRIVER_VERSION[0], encode('1')],
        [DeviceInfo.VERSION[0], encode(version)],
        [DeviceInfo.PLATFORM[0], word(id - (id % 0x100n))],
        [DeviceInfo.MAX_WORK_GROUP_SIZE[0], word(64)],
        [DeviceInfo.MAX_WORK_ITEM_SIZES[0], bytesOf(new BigUint64Array([64n, 32n, 16n]), 24)],
        [DeviceInfo.MAX_MEM_ALLOC_SIZE[0], word(fake.largest)],
        [DeviceInfo.LOCAL_MEM_SIZE[0], word(1024)],
        [DeviceInfo.MEM_BASE_ADDR_ALIGN[0], word(1024)],
        [DeviceInfo.SVM_CAPABILITIES[0], word(1)],
      ]);
      const bytes = known.get(param);
      return bytes ? answer(bytes, size, value, total) : INVALID_VALUE;
    },
    clCreateContext: create('context'),
    clReleaseContext: gone('context'),
    clGetContextInfo: parent([ContextInfo.DEVICES[0]]),
    clCreateCommandQueueWithProperties: create('queue'),
    clCreateCommandQueue: create('queue'),
    clReleaseCommandQueue: gone('queue'),
    clGetCommandQueueInfo: parent([QueueInfo.DEVICE[0], QueueInfo.CONTEXT[0]]),
    clCreateSampler: create('sampler'),
    clCreateSamplerWithProperties: create('sampler'),
    clReleaseSampler: gone('sampler'),
    clFinish: () => 0,
    clFlush: () => 0,
    clCreateBuffer: create('buffer'),
    clCreateSubBuffer: create('buffer'),
    clReleaseMemObject: gone('buffer'),
    clGetMemObjectInfo: parent([MemInfo.CONTEXT[0]], (param) =>
      param === MemInfo.SIZE[0] ? word(fake.largest) : undefined,
    ),
    clCreateImage2D: create('buffer'),
    clCreateImage3D: create('buffer'),
    clCreateProgramWithSource: create('program'),
    clReleaseProgram: gone('program'),
    clBuildProgram: (_p: bigint, _n: number, _d: unknown, options: string) => {
      const { status, log } = fake.build(options);
      said = log;
      return status;
    },
    clGetProgramBuildInfo: (_p: bigint, _d: bigint, _param: number, size: number, value: unknown, total: unknown) =>
      answer(encode(said), size, value, total),
    clGetProgramInfo: parent([ProgramInfo.CONTEXT[0]], (param) =>
      param === ProgramInfo.KERNEL_NAMES[0]
        ? encode('f')
        : param === ProgramInfo.NUM_KERNELS[0]
          ? word(1)
          : param === ProgramInfo.SOURCE[0]
            ? encode(fake.argumentInfo ? sourceOf(fake.parameters) : '')
            : undefined,
    ),
    clUnloadCompiler: () => 0,
    clUnloadPlatformCompiler: () => 0,
    clCreateKernelsInProgram: (program: bigint, count: number, out: unknown, total: unknown) => {
      if (count === 0) return list([0n], 0, 0n, total);
      return list([(functions['clCreateKernel'] as Make)(program, 'f', new Int32Array(1))], 1, out, total);
    },
    clCreateKernel: create('kernel'),
    clReleaseKernel: gone('kernel'),
    clGetKernelInfo: parent([KernelInfo.CONTEXT[0], KernelInfo.PROGRAM[0]], (param) =>
      param === KernelInfo.NUM_ARGS[0]
        ? bytesOf(Uint32Array.of(fake.parameters.length), 4)
        : param === KernelInfo.FUNCTION_NAME[0]
          ? encode('f')
          : undefined,
    ),
    clGetKernelArgInfo: (_k: bigint, index: number, param: number, size: number, value: unknown, total: unknown) => {
      if (!fake.argumentInfo) return NOT_AVAILABLE;
      const [type, name, space = type.endsWith('*') ? GLOBAL : PRIVATE] = fake.parameters[index] ?? ['', ''];
      const known = new Map<number, Uint8Array>([
        [KernelArgInfo.TYPE_NAME[0], encode(type)],
        [KernelArgInfo.NAME[0], encode(name)],
        [KernelArgInfo.TYPE_QUALIFIER[0], word(0)],
        [KernelArgInfo.ADDRESS_QUALIFIER[0], word(space)],
      ]);
      return answer(known.get(param) ?? new Uint8Array(8), size, value, total);
    },
    clGetKernelWorkGroupInfo: (_k: bigint, _d: bigint, _p: number, size: number, value: unknown, total: unknown) =>
      answer(bytesOf(new BigUint64Array([0n, 0n, 0n]), 24), size, value, total),
    clSetKernelArg: (_k: bigint, index: number, byteLength: number, value: unknown) => {
      const bytes = value === 0n ? undefined : Uint8Array.from(bytesOf(value, byteLength));
      fake.arguments.set(index, { byteLength, bytes });
      return 0;
    },
    clEnqueueNDRangeKernel: enqueue,
    clEnqueueMarkerWithWaitList: enqueue,
    clEnqueueBarrierWithWaitList: enqueue,
    clEnqueueMarker: enqueue,
    clEnqueueBarrier: () => 0,
    clEnqueueWaitForEvents: () => 0,
    clEnqueueCopyBuffer: enqueue,
    clEnqueueCopyBufferToImage: enqueue,
    clEnqueueMigrateMemObjects: enqueue,
    clEnqueueFillBuffer: enqueue,
    clEnqueueReadBuffer: enqueue,
    clEnqueueWriteBuffer: enqueue,
    clCreateUserEvent: create('event'),
    clSetUserEventStatus: () => 0,
    clReleaseEvent: gone('event'),
    clWaitForEvents: () => 0,
    clGetEventInfo: (event: bigint, _p: number, _size: number, value: unknown) => {
      const { eventStatus: status } = fake;
      bytesOf(value, 4).set(bytesOf(Int32Array.of(typeof status === 'number' ? status : status(event)), 4));
      return 0;
    },
  };

  const table = strictTable(prototypes, functions, 'OpenCL', (routine, args, call) => {
    fake.calls.push(routine);
    const status = fake.fail.get(routine)?.shift();
    if (status === undefined) return call();
    const errcode = args.at(-1);
    if (errcode instanceof Int32Array) {
      errcode[0] = status;
      return 0n;
    }
    return status;
  });
  return Object.assign(fake, { table: age ? withOlderForms(oldTable(table, age)) : table });
}

/** The memory at an address, or of an array. */
function bytesOf(memory: unknown, byteLength: number): Uint8Array {
  if (typeof memory === 'bigint') return new Uint8Array(viewOf(memory, byteLength));
  const view = memory as ArrayBufferView;
  return new Uint8Array(view.buffer, view.byteOffset, byteLength);
}

function list(values: readonly bigint[], count: number, ids: unknown, total: unknown): number {
  if (count > 0) (ids as BigUint64Array).set(values.slice(0, count));
  if (total !== 0n) (total as Uint32Array)[0] = values.length;
  return 0;
}

function answer(bytes: Uint8Array, size: number, value: unknown, total: unknown): number {
  if (total !== 0n) (total as BigUint64Array)[0] = BigInt(bytes.length);
  if (value === 0n) return 0;
  if (size < bytes.length) return INVALID_VALUE;
  bytesOf(value, bytes.length).set(bytes);
  return 0;
}

/** What an old driver tells of a kernel's parameters: the source. */
function sourceOf(parameters: FakeOpenCL['parameters']): string {
  const word = (type: string, space?: number): string =>
    !type.endsWith('*') ? '' : space === LOCAL ? '__local ' : space === CONSTANT ? '__constant ' : '__global ';
  const list = parameters.map(([type, name, space]) => `${word(type, space)}${type} ${name}`);
  return `__kernel void f(${list.join(', ')}) {}`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

type Make = (...args: unknown[]) => bigint;

function word(value: number | bigint): Uint8Array {
  return bytesOf(new BigUint64Array([BigInt(value)]), 8);
}
