import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { Engine, Lane, LaneOptions } from '../../../src/array/engine.ts';
import { laneOf } from '../../../src/array/ndarray.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import type { NDArray } from '../../../src/opencl/array/ndarray.ts';
import * as cl from '../../../src/opencl/index.ts';
import { QueueProperties } from '../../../src/opencl/sys/enums.ts';
import { describeCudaArrays, describeOpenCLArrays } from '../../helpers/array-halves.ts';
import { lacks, runsBesideHost } from '../../helpers/opencl-devices.ts';

const ONES = [1, 1, 1, 1];

/** Two lanes of work, the first of which can be held up. */
interface Lanes {
  readonly one: Lane;
  readonly two: Lane;
  readonly on: (lane: Lane) => LaneOptions;
  /** Hold what the first lane is given from now on, until the function is called. */
  readonly hold: () => () => void;
}

/** Kernels are built and memory is allocated by the first round, so that nothing but the order is held up in the second. */
function heldAndNot(lanes: Lanes, round: (open: () => void) => void): void {
  round(() => undefined);
  round(lanes.hold());
}

function testOrder(engine: () => Engine, lanes: () => Lanes): void {
  test('a reader comes after the writer of another lane', () => {
    const { one, two, on } = lanes();
    heldAndNot(lanes(), (open) => {
      using x = array(engine(), ONES, on(two));
      x.set(5, on(one));
      expect(laneOf(x)).toBe(one);
      using y = x.add(1, on(two));
      using z = y.add(x, on(two));
      open();
      expect([...y.get(), ...z.get()]).toEqual([6, 6, 6, 6, 11, 11, 11, 11]);
    });
  });

  test('a writer comes after the readers of another lane', () => {
    const { one, two, on } = lanes();
    heldAndNot(lanes(), (open) => {
      using x = array(engine(), ONES, on(two));
      using y = x.mul(3, on(one));
      x.set(9, on(two));
      expect([laneOf(x), laneOf(y)]).toEqual([two, one]);
      open();
      expect([...x.get(), ...y.get()]).toEqual([9, 9, 9, 9, 3, 3, 3, 3]);
    });
  });

  test('a writer comes after the writer of another lane, and after its own readers', () => {
    const { one, two, on } = lanes();
    heldAndNot(lanes(), (open) => {
      using x = array(engine(), ONES, on(two));
      x.set(2, on(one));
      x.add(1, { out: x, ...on(two) });
      x.mul(10, { out: x, ...on(one) });
      open();
      expect([...x.get()]).toEqual([30, 30, 30, 30]);
    });
  });

  test('memory that is given back is used again after the work that reads it', () => {
    const { one, two, on } = lanes();
    heldAndNot(lanes(), (open) => {
      const x = array(engine(), ONES, on(two));
      using y = x.mul(3, on(one));
      x.close();
      const others = Array.from({ length: 3 }, () => empty(engine(), 4, on(two)));
      for (const other of others) other.set(100, on(two));
      open();
      expect([...y.get()]).toEqual([3, 3, 3, 3]);
      for (const other of others) other.close();
    });
  });

  test('an asynchronous read comes after the writer of another lane', async () => {
    const { one, two, on } = lanes();
    using x = array(engine(), ONES, on(two));
    x.set(5, on(one));
    using y = x.add(1, on(two));
    expect([...(await y.read())]).toEqual([6, 6, 6, 6]);
  });
}

const SPIN = `
extern "C" __global__ void spin(int *a, int rounds) {
  volatile int sum = 0;
  for (int i = 0; i < rounds; i++) sum += i & 1;
  a[0] = sum;
}`;

describeCudaArrays('order of streams', (engine) => {
  let lanes: Lanes;
  const owned: Disposable[] = [];

  beforeAll(() => {
    const [one, two] = [new Stream({ nonBlocking: true }), new Stream({ nonBlocking: true })];
    const [module, memory] = [new SourceModule(SPIN), memAlloc<'i32'>(4)];
    const spin = module.getFunction('spin');
    owned.push(one, two, module, memory);
    spin(memory, 1, { block: 1, stream: one });
    lanes = {
      one,
      two,
      on: (stream) => ({ stream }),
      // So long that work that does not wait is done before.
      hold: () => {
        spin(memory, 20_000_000, { block: 1, stream: one });
        return () => undefined;
      },
    };
  });
  afterAll(() => {
    (lanes.one as Stream).synchronize();
    for (const one of owned) one[Symbol.dispose]();
  });

  testOrder(engine, () => lanes);
});

describeOpenCLArrays('order of queues', (engine) => {
  let [one, two]: cl.CommandQueue[] = [];

  const make = (options: LaneOptions): NDArray<'f32'> => array(engine(), ONES, options) as unknown as NDArray<'f32'>;
  const lanesOf = (first: cl.CommandQueue, second: cl.CommandQueue): Lanes => ({
    one: first,
    two: second,
    on: (queue) => ({ queue }),
    hold: () => {
      const { context } = engine();
      if (!runsBesideHost(context.devices[0] as cl.Device)) return () => undefined;
      const go = new cl.UserEvent(context);
      cl.enqueueBarrier(first, { waitFor: [go] });
      return () => {
        go.setStatus(cl.CommandExecutionStatus.COMPLETE);
        go.close();
      };
    },
  });

  beforeAll(() => {
    [one, two] = [new cl.CommandQueue(engine().context), new cl.CommandQueue(engine().context)];
  });
  afterAll(() => {
    for (const queue of [one, two]) queue?.close();
  });

  testOrder(engine, () => lanesOf(one as cl.CommandQueue, two as cl.CommandQueue));

  test('an out-of-order queue keeps the order of what arrays ask of it', () => {
    const { context } = engine();
    const [device] = context.devices;
    const properties = Number(device?.getInfo('QUEUE_PROPERTIES'));
    if (
      lacks(
        device as cl.Device,
        'out-of-order queue',
        (properties & QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0,
      )
    )
      return;
    using queue = new cl.CommandQueue(context, { outOfOrder: true });
    for (let round = 0; round < 20; round++) {
      using x = array(engine(), new Float32Array(10_000).fill(round), { queue });
      using copy = x.mul(1, { queue });
      for (let i = 0; i < 10; i++) x.add(1, { out: x, queue });
      using sum = x.add(copy, { queue });
      copy.set(0, { queue });
      expect(new Set(sum.get())).toEqual(new Set([2 * round + 10]));
      expect(new Set(copy.get())).toEqual(new Set([0]));
    }
  });

  test('kernels, fills and copies of the program are in the order too', () => {
    const { context } = engine();
    const [first, second] = [one, two] as [cl.CommandQueue, cl.CommandQueue];
    using prg = new cl.Program(
      context,
      `__kernel void twice(__global float *to, __global const float *from) { to[get_global_id(0)] = 2 * from[get_global_id(0)]; }`,
    ).build();
    const lanes = lanesOf(first, second);
    heldAndNot(lanes, (open) => {
      using x = make({ queue: second });
      using y = make({ queue: second });
      x.set(4, { queue: first });
      prg.kernels.twice(second, 4, null, y, x); // waits for the writer of x
      x.set(100, { queue: first }); // and this one for the kernel
      expect([laneOf(x), laneOf(y)]).toEqual([first, second]);
      using sum = y.add(1, { queue: first });
      cl.enqueueFill(second, y, cl.float32(7));
      cl.enqueueCopy(second, x, y);
      using last = x.add(y, { queue: first });
      open();
      expect([sum, last, x].map((array) => array.get()[3])).toEqual([9, 14, 7]);
    });
  });

  test('a read that only this thread could end is refused', () => {
    const { context } = engine();
    if (!runsBesideHost(context.devices[0] as cl.Device)) return;
    using x = make({ queue: two });
    x.add(1, { out: x, queue: two });
    using go = new cl.UserEvent(context);
    cl.enqueueBarrier(one as cl.CommandQueue, { waitFor: [go] });
    using y = x.add(1, { queue: one });
    using z = y.add(1, { queue: two }) as unknown as NDArray<'f32'>;
    const refusal = /would never return: it waits for a UserEvent/;
    for (const array of [y, z]) expect(() => array.get()).toThrow(refusal);
    expect(() => cl.enqueueCopy(engine().defaultLane, new Float32Array(4), z)).toThrow(refusal);
    go.setStatus(cl.CommandExecutionStatus.COMPLETE);
    expect([...y.get(), ...z.get()]).toEqual([3, 3, 3, 3, 4, 4, 4, 4]);
  });

  test('arrays outlive the queue that they were made on', () => {
    const queue = new cl.CommandQueue(engine().context);
    using x = array(engine(), ONES, { queue });
    using y = x.add(1);
    expect(laneOf(y)).toBe(queue);
    queue.close();
    using z = y.add(x);
    expect(laneOf(z)).toBe(engine().defaultLane);
    expect([...z.get()]).toEqual([3, 3, 3, 3]);
    expect(() => array(engine(), ONES, { queue })).toThrow(cl.ClosedError);
  });
});
