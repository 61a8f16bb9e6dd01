import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EMBEDDED_PLATFORM } from '../../../src/core/embedded-handle.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import * as cl from '../../../src/node-opencl/index.ts';
import { onePlatform } from '../../../src/node-opencl/one-platform.ts';
import { useOpenCL } from '../../../src/opencl/select.ts';
import type { OpenCLTable } from '../../../src/opencl/sys/tables.ts';
import { functions } from '../../../src/opencl/sys/opencl.ts';
import { ContextInfo, ContextProperty, DeviceInfo, MemInfo, QueueInfo } from '../../../src/opencl/sys/enums.ts';
import type { Bench as Whole } from '../../helpers/node-opencl.ts';

type Bench = Omit<Whole, 'platform'> & { readonly memory: cl.CLMem };

// Two drivers behind a loader: an object's hundreds tell whose it is, its units what it is.
const PLATFORM = 1n;
const DEVICE = 2n;
const CONTEXT = 3n;
const QUEUE = 4n;
const MEMORY = 5n;

let platforms: bigint[];
let calls: string[];
/** Gives back what a test has made. */
let releases: (() => unknown)[];

const ownerOf = (handle: bigint): bigint => handle - (handle % 100n);
const answering =
  (answers: Readonly<Record<number, bigint>>) =>
  (handle: bigint, param: number, _size: number, out: BigUint64Array): number => {
    const kind = answers[param];
    if (kind === undefined) return -30;
    out[0] = ownerOf(handle) + kind;
    return 0;
  };
const making =
  (name: string, kind: bigint, from: (args: readonly unknown[]) => bigint) =>
  (...args: unknown[]): bigint => {
    calls.push(name);
    (args.at(-1) as Int32Array)[0] = 0;
    return ownerOf(from(args)) + kind;
  };
const counted = (name: string) => (): number => {
  calls.push(name);
  return 0;
};

const table = {
  clGetPlatformIDs: (count: number, list: BigUint64Array, total: Uint32Array | bigint) => {
    if (count > 0) list.set(platforms);
    if (typeof total !== 'bigint') total[0] = platforms.length;
    return 0;
  },
  clGetDeviceIDs: (
    platform: bigint,
    _type: number,
    count: number,
    list: BigUint64Array,
    total: Uint32Array | bigint,
  ) => {
    if (count > 0) list[0] = ownerOf(platform) + DEVICE;
    if (typeof total !== 'bigint') total[0] = 1;
    return 0;
  },
  clGetDeviceInfo: answering({ [DeviceInfo.PLATFORM[0]]: PLATFORM }),
  clGetContextInfo: answering({ [ContextInfo.DEVICES[0]]: DEVICE }),
  clGetCommandQueueInfo: answering({ [QueueInfo.CONTEXT[0]]: CONTEXT }),
  clGetMemObjectInfo: answering({ [MemInfo.CONTEXT[0]]: CONTEXT }),
  clCreateContext: making('clCreateContext', CONTEXT, (args) => (args[2] as BigUint64Array)[0] ?? 0n),
  clCreateCommandQueue: making('clCreateCommandQueue', QUEUE, ([context]) => context as bigint),
  clCreateCommandQueueWithProperties: making(
    'clCreateCommandQueueWithProperties',
    QUEUE,
    ([context]) => context as bigint,
  ),
  clCreateBuffer: making('clCreateBuffer', MEMORY, ([context]) => context as bigint),
  clEnqueueMigrateMemObjects: counted('clEnqueueMigrateMemObjects'),
  clEnqueueCopyBuffer: counted('clEnqueueCopyBuffer'),
  clReleaseContext: () => 0,
  clReleaseCommandQueue: () => 0,
  clReleaseMemObject: () => 0,
} as unknown as OpenCLTable;

beforeEach(() => {
  platforms = [100n + PLATFORM, 200n + PLATFORM];
  calls = [];
  releases = [];
  useOpenCL({ ...table });
});
afterEach(() => {
  for (const release of releases) release();
  useOpenCL(undefined);
});

/** A context, a queue and a buffer of each platform. */
function both(): Bench[] {
  return cl.getPlatformIDs().map((platform) => {
    const [device] = cl.getDeviceIDs(platform) as [cl.CLDeviceId];
    const context = cl.createContext([cl.CONTEXT_PLATFORM, platform], [device]);
    const queue = cl.createCommandQueue(context, device, 0);
    const memory = cl.createBuffer(context, 0, 64);
    releases.push(
      () => cl.releaseMemObject(memory),
      () => cl.releaseCommandQueue(queue),
      () => cl.releaseContext(context),
    );
    return { device, context, queue, memory };
  });
}

test('objects of two installed platforms never reach one driver', () => {
  const [one, two] = both() as [Bench, Bench];
  const [, other] = cl.getPlatformIDs() as [cl.CLPlatformId, cl.CLPlatformId];
  calls = [];
  expect(() => cl.createContext(null, [one.device, two.device])).toThrow('Invalid device');
  expect(() => cl.createContext([cl.CONTEXT_PLATFORM, other], [one.device])).toThrow('Invalid device');
  expect(() => cl.createCommandQueue(one.context, two.device, 0)).toThrow('Invalid device');
  expect(() => cl.createCommandQueueWithProperties(one.context, two.device, null)).toThrow('Invalid device');
  expect(() => cl.enqueueMigrateMemObjects(one.queue, [one.memory, two.memory], 0)).toThrow('Invalid memory object');
  expect(() => cl.enqueueCopyBuffer(one.queue, one.memory, two.memory, 0, 0, 4)).toThrow('Invalid memory object');
  expect(calls).toEqual([]);
  cl.enqueueCopyBuffer(two.queue, two.memory, two.memory, 0, 32, 4);
  cl.enqueueMigrateMemObjects(two.queue, [two.memory], 0);
  expect(calls).toEqual(['clEnqueueCopyBuffer', 'clEnqueueMigrateMemObjects']);
});

test('with one installed platform the table is as it was', () => {
  platforms = [100n + PLATFORM, EMBEDDED_PLATFORM];
  expect(onePlatform(table, functions)).toBe(table);
});

test('a function is looked up at each call, for a table may change', () => {
  const changing = { ...table };
  const checked = onePlatform(changing, functions);
  const before = checked.clEnqueueCopyBuffer;
  expect(checked.clEnqueueCopyBuffer).toBe(before);
  changing.clEnqueueCopyBuffer = () => -7;
  const args = [100n + QUEUE, 100n + MEMORY, 100n + MEMORY, 0, 0, 4, 0, 0n, 0n] as unknown as Parameters<typeof before>;
  expect([before(...args), checked.clEnqueueCopyBuffer(...args)]).toEqual([0, -7]);
});

test('properties that are an address are read too', () => {
  const properties = BigUint64Array.of(BigInt(ContextProperty.PLATFORM), 200n + PLATFORM, 0n);
  const answer = new Int32Array(1);
  const list = BigUint64Array.of(100n + DEVICE);
  const none = 0n as never;
  expect(onePlatform(table, functions).clCreateContext(addressOf(properties), 1, list, none, 0n, answer)).toBe(0n);
  expect([answer[0], calls]).toEqual([-33, []]);
});
