import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blockSize } from '../../../../src/core/block-bins.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

const [RUNNING, COMPLETE] = [cl.CommandExecutionStatus.RUNNING, cl.CommandExecutionStatus.COMPLETE];
const BARRIER = 'clEnqueueBarrierWithWaitList';
const OUT_OF_MEMORY = -4;
const { GLOBAL } = cl.KernelArgAddressQualifier;
const LARGEST = 2 ** 40 + 5;
let fake: FakeOpenCL;
let ctx: cl.Context;
let queue: cl.CommandQueue;
let pool: cl.MemoryPool;

beforeEach(() => {
  fake = fakeOpenCL();
  fake.largest = LARGEST;
  useOpenCL(fake.table);
  ctx = cl.createSomeContext();
  queue = new cl.CommandQueue(ctx);
  pool = new cl.MemoryPool(new cl.DeferredAllocator(ctx));
});
afterEach(() => {
  fake.eventStatus = COMPLETE;
  for (const resource of [pool, queue, ctx]) resource.close();
  sweepFlights();
  useOpenCL(undefined);
  expect([fake.live.get('buffer') ?? 0, fake.live.get('context')]).toEqual([0, 0]);
  expect(liveObjects()).toEqual({});
});

const buffers = (): number => fake.live.get('buffer') ?? 0;
const count = (routine: string): number => fake.calls.filter((call) => call === routine).length;
const numbers = (): readonly number[] => [pool.heldBlocks, pool.activeBlocks, pool.managedBytes, pool.activeBytes];

test('mempool_2: blocks are as large as was asked for, and waste less than an 8th', () => {
  let bytes = 1024;
  for (let i = 0; i < 2000; i++) {
    bytes = 1 + ((bytes * 16807) % (2 ** 31 - 1));
    const asked = Math.max(1024, bytes % 2 ** (10 + (i % 22)));
    const size = blockSize(asked);
    expect(size).toBeGreaterThanOrEqual(asked);
    expect(size - asked).toBeLessThan(asked / 8 + 256);
    expect(blockSize(size)).toBe(size);
  }
});

test('mempool_32bit_issues: sizes around 2^30 to 2^34 are counted right', () => {
  for (let power = 30; power <= 34; power++) {
    for (const asked of [2 ** power - 5000, 2 ** power, 2 ** power + 5000]) {
      const before = pool.managedBytes;
      {
        using buffer = pool.allocate(asked);
        expect([buffer.byteLength, pool.activeBytes, pool.activeBlocks]).toEqual([asked, asked, 1]);
      }
      expect(pool.activeBytes).toBe(0);
      const added = pool.managedBytes - before;
      // The first size shares its block with the power of two.
      expect(asked === 2 ** power ? 0 : blockSize(asked)).toBe(added);
    }
  }
  const { managedBytes, heldBlocks } = pool;
  expect([heldBlocks, managedBytes > 2 ** 35]).toEqual([10, true]);
  expect(pool.freeHeld()).toBe(managedBytes);
  expect([buffers(), ...numbers()]).toEqual([0, 0, 0, 0, 0]);
});

describe('MemoryPool', () => {
  test('lends a returned block again for about the same size', () => {
    const first = pool.allocate(1000);
    expect(first).toBeInstanceOf(cl.Buffer);
    expect([first.byteLength, ...numbers()]).toEqual([1000, 0, 1, 1024, 1000]);
    first.release();
    expect(() => {
      first.release();
    }).toThrow(cl.ClosedError);
    expect(numbers()).toEqual([1, 0, 1024, 0]);
    using second = pool.allocate(1020);
    using other = pool.allocate(5000);
    expect([second.byteLength, other.byteLength, buffers()]).toEqual([1020, 5000, 2]);
    expect(numbers()).toEqual([0, 2, 1024 + 5120, 6020]);
  });

  test('a block is never larger than the device allows', () => {
    using buffer = pool.allocate(LARGEST - 4);
    expect([buffer.byteLength, pool.managedBytes]).toEqual([LARGEST - 4, LARGEST]);
    expect(() => pool.allocate(LARGEST + 1)).toThrow(RangeError);
  });

  test('on the same queue the order of commands is enough', () => {
    fake.eventStatus = RUNNING;
    for (let i = 0; i < 5; i++) {
      using buffer = pool.allocate(256);
      cl.enqueueFill(queue, buffer, 0);
    }
    expect([buffers(), count(BARRIER), pool.heldBlocks]).toEqual([1, 0, 1]);
  });

  test.each(['another', 'an out-of-order'])(
    'on %s queue a barrier waits for the earlier owner of the block',
    (which) => {
      using other = new cl.CommandQueue(ctx, { outOfOrder: which !== 'another' });
      fake.eventStatus = RUNNING;
      {
        using buffer = pool.allocate(256);
        cl.enqueueFill(which === 'another' ? queue : other, buffer, 0);
      }
      using buffer = pool.allocate(256);
      expect([buffers(), count(BARRIER)]).toEqual([1, 0]);
      using part = buffer.subRegion(0, 128);
      cl.enqueueFill(other, part, 0);
      expect(count(BARRIER)).toBe(1);
      fake.eventStatus = COMPLETE;
      cl.enqueueFill(other, buffer, 0);
      expect(count(BARRIER)).toBe(1);
    },
  );

  test('an idle block goes first', () => {
    using other = new cl.CommandQueue(ctx);
    const [idle, busy] = [pool.allocate(256), pool.allocate(256)];
    fake.eventStatus = RUNNING;
    cl.enqueueFill(queue, busy, 0);
    idle.close();
    busy.close();
    using buffer = pool.allocate(256);
    cl.enqueueFill(other, buffer, 0);
    expect([buffers(), count(BARRIER)]).toEqual([2, 0]);
  });

  test('a block whose commands wait for a user event is left alone', () => {
    const go = { isSet: false };
    using buffer = pool.allocate(256);
    const event = cl.enqueueFill(queue, buffer, 0);
    fake.eventStatus = RUNNING;
    Object.defineProperty(event, 'blockers', { get: () => (go.isSet ? [] : [go]) });
    buffer.uses?.add(event);
    buffer.close();
    using second = pool.allocate(256);
    expect([buffers(), pool.heldBlocks]).toEqual([2, 1]);
    go.isSet = true;
    using third = pool.allocate(256);
    expect([second.closed, third.closed, buffers()]).toEqual([false, false, 2]);
  });

  describe('a command that is not given the buffer does not use it', () => {
    let plain: cl.Buffer;
    let other: cl.CommandQueue;

    beforeEach(() => {
      plain = new cl.Buffer(ctx, 0, 256);
      other = new cl.CommandQueue(ctx);
      fake.eventStatus = RUNNING;
    });
    afterEach(() => {
      fake.eventStatus = COMPLETE;
      for (const resource of [plain, other]) resource.close();
    });

    /** Whether the pool takes a buffer's block for busy, after a command of another queue that was given other memory. */
    const isBusyAfterOther = (buffer: cl.Buffer): boolean => {
      cl.enqueueFill(other, plain, 0);
      buffer.close();
      using next = pool.allocate(256);
      cl.enqueueFill(queue, next, 0);
      return count(BARRIER) > 0 || buffers() !== 2;
    };

    test('after the handle of the buffer was read', () => {
      using buffer = pool.allocate(256);
      expect(buffer.handle).not.toBe(0n);
      expect(isBusyAfterOther(buffer)).toBe(false);
    });

    test('after a copy that was refused', () => {
      using buffer = pool.allocate(256);
      expect(() => cl.enqueueCopy(queue, buffer, plain, { byteLength: 1000 })).toThrow(RangeError);
      expect(isBusyAfterOther(buffer)).toBe(false);
    });

    test('after a kernel call that was refused', () => {
      fake.parameters = [
        ['int*', 'a', GLOBAL],
        ['int', 'n'],
      ];
      using prg = new cl.Program(ctx, '__kernel void f(__global int *a, int n) {}').build('', { cache: false });
      using buffer = pool.allocate(256);
      using f = prg.kernel('f');
      expect(() => f(queue, 1, null, buffer, 'text' as never)).toThrow(TypeError);
      expect(isBusyAfterOther(buffer)).toBe(false);
    });
  });

  test('frees what is held where memory has run out, and tries again', () => {
    pool.allocate(5000).close();
    pool.allocate(9000).close();
    // The second is the one after a garbage collection.
    fake.fail.set('clCreateBuffer', [OUT_OF_MEMORY, OUT_OF_MEMORY]);
    using buffer = pool.allocate(100);
    expect([buffer.byteLength, buffers(), ...numbers()]).toEqual([100, 1, 0, 1, 256, 100]);
    fake.fail.set('clCreateBuffer', [OUT_OF_MEMORY, OUT_OF_MEMORY]);
    expect(() => pool.allocate(700)).toThrow(cl.OpenCLMemoryError);
    expect(pool.activeBlocks).toBe(1);
  });

  test('stopHolding() has blocks go when they come back', () => {
    const buffer = pool.allocate(16);
    pool.allocate(16).close();
    pool.stopHolding();
    expect(buffers()).toBe(1);
    buffer.close();
    expect([buffers(), pool.heldBlocks]).toEqual([0, 0]);
  });

  test('close() leaves blocks in use alone', () => {
    const buffer = pool.allocate(16);
    pool.close();
    pool.close();
    cl.enqueueFill(queue, buffer, 0);
    expect(() => pool.allocate(16)).toThrow(cl.ClosedError);
    expect(buffers()).toBe(1);
    buffer.close();
    expect(buffers()).toBe(0);
  });

  test('a part of a buffer keeps its block', () => {
    const buffer = pool.allocate(256);
    const part = buffer.subRegion(128);
    buffer.close();
    expect(pool.activeBlocks).toBe(1);
    part.close();
    expect([pool.activeBlocks, pool.heldBlocks]).toEqual([0, 1]);
  });

  test.each([0, -1, NaN, 1.5, 2 ** 53, 2 ** 41])('allocate(%p) is a RangeError', (size) => {
    expect(() => pool.allocate(size)).toThrow(RangeError);
    expect(numbers()).toEqual([0, 0, 0, 0]);
  });

  test.each([undefined, {}, 5, { allocate: () => undefined }])('new MemoryPool(%p) is a TypeError', (allocator) => {
    expect(() => new cl.MemoryPool(allocator as never)).toThrow(TypeError);
  });

  test('the buffer of a custom allocator is checked', () => {
    using short = new cl.Buffer(ctx, 0, 8);
    for (const [given, message] of [
      [short, /256 bytes were asked for/],
      [5, /must be a Buffer, got 5/],
    ] as const) {
      using own = new cl.MemoryPool({ context: ctx, allocate: () => given as cl.Buffer });
      expect(() => own.allocate(16)).toThrow(message);
    }
  });
});

describe('ImmediateAllocator', () => {
  test('has the memory placed at once, and reports a lack of memory at once', () => {
    const allocator = new cl.ImmediateAllocator(queue);
    fake.fail.set('clEnqueueMigrateMemObjects', [OUT_OF_MEMORY, OUT_OF_MEMORY]);
    expect(() => allocator.allocate(16)).toThrow(cl.OpenCLMemoryError);
    expect(buffers()).toBe(0);
    allocator.allocate(16).close();
  });

  test('commands of other queues come after that', () => {
    using other = new cl.CommandQueue(ctx);
    fake.eventStatus = RUNNING;
    using buffer = new cl.ImmediateAllocator(queue).allocate(16);
    cl.enqueueFill(queue, buffer, 0);
    expect(count(BARRIER)).toBe(0);
    cl.enqueueFill(other, buffer, 0);
    expect(count(BARRIER)).toBe(1);
  });

  test.each([cl.MemFlags.USE_HOST_PTR, cl.MemFlags.COPY_HOST_PTR])('flags of host arrays (%i) are refused', (flag) => {
    expect(() => new cl.ImmediateAllocator(queue, flag)).toThrow(/for one host array/);
    expect(() => new cl.DeferredAllocator(ctx, flag)).toThrow(RangeError);
  });
});
