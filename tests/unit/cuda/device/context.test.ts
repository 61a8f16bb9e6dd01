import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { Context, requireContext, currentDevice, inContext } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CudaLogicError, CudaMemoryError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import { memAlloc, memGetInfo } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { FuncCache, Limit } from '../../../../src/cuda/sys/enums.ts';
import { fakeDriver, type FakeDriver } from '../../../helpers/fake-driver.ts';
import { collect } from '../../../helpers/until.ts';

let fake: FakeDriver;

beforeEach(() => {
  fake = fakeDriver();
  useTables({ driver: fake.table });
});
afterEach(() => {
  expect(fake.live).toMatchObject({ memory: 0, stream: 0, event: 0, module: 0, primary: 0, context: 0 });
});

function current(): bigint {
  const slot = new BigUint64Array(1);
  fake.table.cuCtxGetCurrent(slot);
  return slot[0] ?? 0n;
}

const own = (): Context => new Context(new Device(0), { own: true });

test('new Context() retains the primary context and makes it current', () => {
  using context = new Context();
  expect([context.primary, fake.live.primary, current() === context.handle]).toEqual([true, 1, true]);
  expect(Context.current).toBe(context);
  expect(context.device.ordinal).toBe(0);
});

test('new Context({ own: true }) creates one of its own', () => {
  using context = own();
  expect([context.primary, fake.live.context, fake.live.primary]).toEqual([false, 1, 0]);
  expect(current()).toBe(context.handle);
});

test('close() releases it, and none is current', () => {
  const context = new Context();
  context.close();
  context.close();
  expect([fake.live.primary, current(), Context.current]).toEqual([0, 0n, undefined]);
});

test('close() of a context that is not current leaves the current one', () => {
  using first = own();
  const second = own();
  first.makeCurrent();
  second.close();
  expect(Context.current).toBe(first);
});

test('close() leaves no context of earlier below it', () => {
  const first = new Context();
  const second = own();
  first.makeCurrent();
  second.close();
  first.close();
  expect(current()).toBe(0n);
});

test('two wrappers of the primary context count', () => {
  const first = new Context();
  const second = new Context();
  second.close();
  expect(fake.live.primary).toBe(1);
  first.makeCurrent();
  const memory = memAlloc(16);
  first.close();
  expect(fake.live.primary).toBe(1);
  memory.free();
  expect(fake.live.primary).toBe(0);
});

test('a context that is closed first lives until what was made in it is gone', () => {
  const context = own();
  const memory = memAlloc(16);
  const stream = new Stream();
  context.close();
  expect(fake.live.context).toBe(1);
  memory.free();
  stream.close();
  expect(fake.live.context).toBe(0);
});

test('objects are destroyed in the context that they were made in, and the current one is restored', () => {
  using first = own();
  const made = [memAlloc(16), new Stream(), new Event()];
  using second = own();
  const seen: unknown[] = [];
  fake.onCall = (routine, _args, context) => {
    if (/^cu(MemFree|StreamDestroy|EventDestroy)$/.test(routine)) seen.push(context === first.handle);
  };
  for (const object of made) object.close();
  fake.onCall = undefined;
  expect(seen).toEqual([true, true, true]);
  expect(current()).toBe(second.handle);
});

test('objects are destroyed when no context is current', () => {
  const context = own();
  const memory = memAlloc(16);
  context.close();
  expect(current()).toBe(0n);
  memory.free();
  expect([fake.live.memory, current()]).toEqual([0, 0n]);
});

test('a method of a context runs in it, and the current one is restored', () => {
  using first = own();
  using second = own();
  let seen: bigint | undefined;
  fake.onCall = (routine, _args, context) => {
    if (routine === 'cuCtxSynchronize') seen = context;
  };
  first.synchronize();
  expect([seen, current()]).toEqual([first.handle, second.handle]);
});

test('the current context is restored when a method throws', () => {
  using first = own();
  using second = own();
  fake.fail.set('cuCtxSetLimit', 215);
  expect(() => {
    first.setLimit(Limit.STACK_SIZE, 1024);
  }).toThrow(/CUDA_ERROR_UNSUPPORTED_LIMIT/);
  expect(current()).toBe(second.handle);
});

test('a foreign context that is current is used, and never destroyed', () => {
  const slot = new BigUint64Array(1);
  fake.table.cuCtxCreate(slot, 0, 0);
  const raw = slot[0] as never;
  expect(Context.current).toBeUndefined();
  const memory = memAlloc(16);
  memory.free();
  expect(fake.live.context).toBe(1);
  fake.table.cuCtxDestroy(raw);
});

test('a foreign context that is gone took along what was made in it', () => {
  const slot = new BigUint64Array(1);
  fake.table.cuCtxCreate(slot, 0, 0);
  const stream = new Stream();
  fake.table.cuCtxDestroy(slot[0] as never);
  stream.close();
  fake.live.stream = 0;
  expect(stream.closed).toBe(true);
});

test.each<[string, () => unknown]>([
  ['memAlloc()', () => memAlloc(16)],
  ['memGetInfo()', () => memGetInfo()],
  ['new Stream()', () => new Stream()],
  ['new Event()', () => new Event()],
  ['moduleFromBuffer()', () => moduleFromBuffer('.version 7.0')],
  ['new SourceModule()', () => new SourceModule('')],
  ['currentDevice()', () => currentDevice()],
])('%s without a current context says what to do', (_, use) => {
  expect(use).toThrow(CudaLogicError);
  expect(use).toThrow(
    /CUDA_ERROR_INVALID_CONTEXT\nNo context is current: write import 'rawkernel\/cuda\/autoinit'; first, or make one with new Context\(\)\nWithout names: /,
  );
});

test('SourceModule.compile() without a current context rejects', async () => {
  await expect(SourceModule.compile('', { arch: 'compute_80' })).rejects.toThrow(/No context is current/);
});

test.each<[unknown, unknown, RegExp]>([
  [{}, {}, /Context takes a Device, got an Object/],
  [0, {}, /Context takes a Device, got 0/],
  [null, {}, /Context takes a Device, got null/],
  [undefined, { owned: true }, /Context has no option 'owned'; it knows flags, own/],
  [undefined, { flags: 'x' }, /Context flags must be a number/],
  [undefined, null, /options object/],
])('new Context(%p, %p) is a TypeError', (device, options, message) => {
  expect(() => new Context(device as never, options as never)).toThrow(TypeError);
  expect(() => new Context(device as never, options as never)).toThrow(message);
});

test.each([-1, 0.5, NaN, 2 ** 32])('new Context() refuses the flags %p', (flags) => {
  expect(() => new Context(new Device(0), { flags })).toThrow(RangeError);
});

test('new Context() reports what the driver refuses, and makes nothing', () => {
  fake.fail.set('cuDevicePrimaryCtxRetain', 2).set('cuCtxCreate', 2);
  expect(() => new Context()).toThrow(CudaMemoryError);
  expect(own).toThrow(CudaMemoryError);
});

test('new Context() lets go of what it made when it cannot become current', () => {
  fake.fail.set('cuCtxSetCurrent', 1);
  expect(() => new Context()).toThrow(CudaLogicError);
  expect(own).toThrow(CudaLogicError);
  expect([fake.live.primary, fake.live.context]).toEqual([0, 0]);
});

test('limits, cache configuration and priorities are asked of the driver', () => {
  using context = new Context();
  expect(context.getLimit(Limit.STACK_SIZE)).toBe(1024);
  context.setLimit(Limit.STACK_SIZE, 2048);
  expect(context.cacheConfig).toBe(0);
  context.cacheConfig = FuncCache.PREFER_L1;
  expect(context.streamPriorityRange).toEqual({ least: 0, greatest: -5 });
});

test.each([-1, 0.5, NaN])('setLimit() refuses %p', (value) => {
  using context = new Context();
  expect(() => {
    context.setLimit(Limit.STACK_SIZE, value);
  }).toThrow(RangeError);
});

test('every use after close() throws ClosedError', () => {
  const context = new Context();
  context.close();
  const uses: (() => unknown)[] = [
    () => context.handle,
    () => {
      context.makeCurrent();
    },
    () => {
      context.synchronize();
    },
    () => context.getLimit(Limit.STACK_SIZE),
    () => {
      context.setLimit(Limit.STACK_SIZE, 1);
    },
    () => context.cacheConfig,
    () => {
      context.cacheConfig = 0;
    },
    () => context.streamPriorityRange,
  ];
  for (const use of uses) expect(use).toThrow(ClosedError);
});

test('a context without references stays while it is current', async () => {
  const make = (): void => {
    new Context();
  };
  make();
  await collect();
  expect(fake.live.primary).toBe(1);
  Context.current?.close();
});

test('inContext() gives the result and keeps a current context as it is', () => {
  using context = new Context();
  const pushes: string[] = [];
  fake.onCall = (routine) => {
    if (/Push|Pop/.test(routine)) pushes.push(routine);
  };
  expect(inContext(requireContext('test'), () => 5)).toBe(5);
  expect([pushes, context.closed]).toEqual([[], false]);
});
