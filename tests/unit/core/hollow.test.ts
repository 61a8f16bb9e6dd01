import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as cuda from '../../../src/cuda/index.ts';
import * as cl from '../../../src/opencl/index.ts';
import { useOpenCL } from '../../../src/opencl/select.ts';
import { PTX } from '../../helpers/cuda-makers.ts';
import { fakeGround } from '../../helpers/cuda-ground.ts';
import { fakeOpenCL } from '../../helpers/fake-opencl.ts';
import type { Ground } from '../../helpers/faults.ts';

// What inherits from an object of ours, or is a proxy of one, has its methods and none of its private state.

const ENGINE = /private member|Receiver must/;
const bytes = (): Uint8Array => new Uint8Array(64);

const WAYS: readonly (readonly [name: string, hollow: <T extends object>(value: T) => T])[] = [
  ['what inherits from an object', <T extends object>(value: T) => Object.create(value) as T],
  ['a proxy of an object', <T extends object>(value: T) => new Proxy(value, {})],
];

function refusal(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was taken');
}

function expectRefused(calls: Readonly<Record<string, () => unknown>>): void {
  for (const [name, run] of Object.entries(calls)) {
    const { name: kind, message } = refusal(run);
    expect([name, kind, ENGINE.test(message)]).toEqual([name, 'TypeError', false]);
  }
}

describe.each(WAYS)('%s is refused in words of ours', (_, hollow) => {
  let ground: Ground | undefined;
  beforeEach(() => {
    ground = undefined;
  });
  afterEach(() => {
    ground?.end();
    useOpenCL(undefined);
  });

  test('of CUDA', () => {
    ground = fakeGround((_routine, _args, next) => next());
    using memory = cuda.memAlloc(64);
    using module = cuda.moduleFromBuffer(PTX);
    using stream = new cuda.Stream();
    const add = module.getFunction('add');
    const slice = memory.slice(8);
    const view = new cuda.TensorView(memory, { shape: [4], dtype: 'f32' });
    expectRefused({
      copy: () => cuda.memcpyHtoD(hollow(memory), bytes()),
      'copy to a slice': () => cuda.memcpyHtoD(hollow(slice), bytes()),
      'copy to a view': () => cuda.memcpyHtoD(hollow(view), bytes()),
      fill: () => cuda.memsetD8(hollow(memory), 0, 64),
      'stream of a fill': () => cuda.memsetD8Async(memory, 0, 64, hollow(stream)),
      attributes: () => cuda.pointerAttributes(hollow(memory)),
      view: () => new cuda.TensorView(hollow(memory), { shape: [1], dtype: 'f32' }),
      'view of a view': () => cuda.TensorView.from(hollow(view)),
      argument: () => add(hollow(memory), 1, { block: 1 }),
      'argument by value': () => add(memory, hollow(cuda.int32(1)), { block: 1 }),
      method: () => hollow(memory).slice(8),
      handle: () => hollow(stream).handle,
      close: () => hollow(stream).close(),
    });
    expect(refusal(() => cuda.memcpyHtoD(hollow(memory), bytes())).message).toMatch(
      /pass the object (?:itself|behind it)/,
    );
  });

  test('of OpenCL', () => {
    useOpenCL(fakeOpenCL().table);
    using context = cl.createSomeContext({ answers: ['0'] });
    using queue = new cl.CommandQueue(context);
    using buffer = new cl.Buffer(context, cl.MemFlags.READ_WRITE, 64);
    const shared = new cl.SVM(bytes());
    const point = cl.struct({ x: 'i32' });
    expectRefused({
      buffer: () => cl.enqueueFill(queue, hollow(buffer), 0),
      queue: () => cl.enqueueFill(hollow(queue), buffer, 0),
      shared: () => cl.enqueueSVMMemFill(queue, hollow(shared), 0),
      'copy of shared': () => cl.enqueueCopy(queue, hollow(shared), bytes()),
      number: () => cl.enqueueFill(queue, buffer, hollow(cl.int32(1))),
      vector: () => cl.enqueueFill(queue, buffer, hollow(cl.float4(1, 2, 3, 4))),
      struct: () => cl.enqueueFill(queue, buffer, hollow(point({ x: 1 }))),
      allocator: () => new cl.MemoryPool(hollow(new cl.ImmediateAllocator(queue))),
      handle: () => hollow(buffer).handle,
      finish: () => hollow(queue).finish(),
    });
  });
});
