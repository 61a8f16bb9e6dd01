import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { GreenContext } from '../../../../src/cuda/stream/green-context.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { StreamFlags } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  expect([fake.live.green, fake.live.stream, fake.live.memory]).toEqual([0, 0, 0]);
  expect(liveObjects()).toEqual({ Context: 1 });
});

test('a part has at least as many multiprocessors as were asked for', () => {
  using green = new GreenContext(new Device(0), { multiprocessors: 9 });
  expect([green.multiprocessors, green.device.ordinal, typeof green.handle]).toEqual([16, 0, 'bigint']);
  expect(fake.live.green).toBe(1);
});

test('its streams do not wait for the default one, and keep it alive', () => {
  const green = new GreenContext(new Device(0), { multiprocessors: 8 });
  const stream = green.createStream({ priority: -1 });
  expect([stream.flags, stream.priority]).toEqual([StreamFlags.NON_BLOCKING, -1]);
  green.close();
  green.close();
  expect(fake.live.green).toBe(1);
  stream.close();
});

test('its context is like others: memory is made in it, and keeps it alive', () => {
  const before = Context.current as Context;
  const green = new GreenContext(new Device(0), { multiprocessors: 8 });
  const { context } = green;
  expect(context.handle).not.toBe(before.handle);
  context.makeCurrent();
  const memory = memAlloc(64);
  green.close();
  before.makeCurrent();
  context.close();
  expect([fake.live.green, fake.live.memory]).toEqual([1, 1]);
  memory.close();
});

test.each(['cuDeviceGetDevResource', 'cuDevSmResourceSplitByCount', 'cuDevResourceGenerateDesc', 'cuGreenCtxCreate'])(
  'nothing is left where %s fails',
  (routine) => {
    fake.fail.set(routine, 801);
    expect(() => new GreenContext(new Device(0), { multiprocessors: 8 })).toThrow(
      `${routine} failed: CUDA_ERROR_NOT_SUPPORTED`,
    );
  },
);

test.each([0, 109, 2 ** 40, 1.5, NaN])('%p multiprocessors are a RangeError', (multiprocessors) => {
  expect(() => new GreenContext(new Device(0), { multiprocessors })).toThrow(RangeError);
});

test('a closed one makes nothing', () => {
  const green = new GreenContext(new Device(0), { multiprocessors: 8 });
  green.close();
  for (const use of [() => green.createStream(), () => green.context, () => green.handle])
    expect(use).toThrow(ClosedError);
  using other = new GreenContext(new Device(0), { multiprocessors: 8 });
  expect(() => other.createStream({ priority: 0.5 })).toThrow(RangeError);
  fake.fail.set('cuGreenCtxStreamCreate', 2);
  expect(() => other.createStream()).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
});
