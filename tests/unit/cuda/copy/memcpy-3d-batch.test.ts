import { afterEach, expect, test } from '@jest/globals';
import { ClosedError, SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import { memcpy3DBatchAsync } from '../../../../src/cuda/copy/memcpy-3d-batch.ts';
import { Memcpy3D, Memcpy3DPeer } from '../../../../src/cuda/copy/memcpy-3d.ts';
import { memcpyBatchAsync } from '../../../../src/cuda/copy/memcpy-batch.ts';
import { fromDevice, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
});

function ramp(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i);
}

/** What is copied by, while `run` runs. */
function routines(run: () => void): string[] {
  const seen: string[] = [];
  fake.onCall = (name) => {
    if (/^cuMemcpy|Synchronize$/.test(name)) seen.push(name);
  };
  run();
  fake.onCall = undefined;
  return seen;
}

/** The middle of a volume of 4 × 4 × 4 to the device, and a part of device memory to a host array. */
function copies(memory: ReturnType<typeof memAlloc>, out: Uint8Array): Memcpy3D[] {
  const first = new Memcpy3D().setSrcHost(ramp(64)).setDstDevice(memory);
  Object.assign(first, { srcXInBytes: 1, srcY: 1, srcZ: 1, srcPitch: 4, srcHeight: 4 });
  Object.assign(first, { widthInBytes: 2, height: 2, depth: 2 });
  const second = new Memcpy3D().setSrcUnified(memory).setDstUnified(out);
  Object.assign(second, { srcZ: 2, srcPitch: 4, srcHeight: 2, dstPitch: 3, widthInBytes: 2, height: 2 });
  return [first, second];
}

const MIDDLE = [21, 22, 25, 26, 37, 38, 41, 42];
const OUT = [16, 17, 0, 20, 21, 0];

test('copies of boxes are one call on a stream', () => {
  using memory = toDevice(ramp(64));
  using stream = new Stream();
  const out = new Uint8Array(6);
  const seen = routines(() => {
    memcpy3DBatchAsync(copies(memory, out), stream, { sourceOrder: 'any' });
  });
  expect(seen).toEqual(['cuMemcpy3DBatchAsync']);
  expect([...fromDevice(memory, 'u8', 8)]).toEqual(MIDDLE);
  expect([...out]).toEqual(OUT);
});

test('they go one by one on the default stream, and with a driver that has no such batches', () => {
  using memory = toDevice(ramp(64));
  using stream = new Stream();
  const out = new Uint8Array(6);
  const each = ['cuMemcpy3DAsync', 'cuMemcpy3DAsync'];
  const run = (on: Stream | null): string[] =>
    routines(() => {
      memcpy3DBatchAsync(copies(memory, out.fill(0)), on);
    });
  expect(run(null)).toEqual(each);
  expect([[...fromDevice(memory, 'u8', 8)], [...out]]).toEqual([MIDDLE, OUT]);
  fake.fail.set('cuMemcpy3DBatchAsync', 801);
  expect(run(stream)).toEqual(['cuMemcpy3DBatchAsync', ...each]);
  fake.fail.clear();
  fake.onCall = (name) => {
    if (name === 'cuMemcpy3DBatchAsync') throw new SymbolNotFoundError(name, 'the driver', '', undefined);
  };
  memcpy3DBatchAsync(copies(memory, out.fill(0)), stream);
  expect([...out]).toEqual(OUT);
});

test('sources that must be read during the call are, in every way of copying', () => {
  using memory = toDevice(ramp(64));
  using stream = new Stream();
  fake.fail.set('cuMemcpy3DBatchAsync', 801);
  fake.fail.set('cuMemcpyBatchAsync', 801);
  const boxes = routines(() => {
    memcpy3DBatchAsync(copies(memory, new Uint8Array(6)), stream, { sourceOrder: 'call' });
  });
  const lines = routines(() => {
    memcpyBatchAsync([{ dst: memory, src: ramp(8) }], stream, { sourceOrder: 'call' });
  });
  expect([boxes.at(-1), lines.at(-1)]).toEqual(['cuStreamSynchronize', 'cuStreamSynchronize']);
});

test('arrays count their own elements', () => {
  using stream = new Stream();
  using array = new OpaqueArray({ width: 4, height: 2, dtype: 'f32' });
  using other = new OpaqueArray({ width: 4, height: 2, dtype: 'f32' });
  using narrow = new OpaqueArray({ width: 16, height: 2, dtype: 'u8' });
  const box = { widthInBytes: 8, height: 2 };
  const up = Object.assign(new Memcpy3D().setSrcHost(ramp(24)).setDstArray(array), {
    ...box,
    srcPitch: 12,
    dstXInBytes: 4,
  });
  const over = Object.assign(new Memcpy3D().setSrcArray(array).setDstArray(other), { ...box, srcXInBytes: 4 });
  const out = new Uint8Array(16);
  const down = Object.assign(new Memcpy3D().setSrcArray(other).setDstHost(out), { ...box });
  const batch = (...list: Memcpy3D[]): string[] =>
    routines(() => {
      memcpy3DBatchAsync(list, stream);
    });
  expect(batch(up, over, down)).toEqual(['cuMemcpy3DBatchAsync']);
  expect([...out]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19]);
  // What cannot be said in elements goes by itself.
  expect(batch(Object.assign(up, { srcPitch: 10 }))).toEqual(['cuMemcpy3DAsync']);
  expect(batch(Object.assign(new Memcpy3D().setSrcArray(array).setDstArray(narrow), box))).toEqual(['cuMemcpy3DAsync']);
});

test('host arrays are kept until the stream has passed', () => {
  using memory = toDevice(ramp(64));
  using stream = new Stream();
  fake.busy = true;
  const before = flightCount();
  memcpy3DBatchAsync(copies(memory, new Uint8Array(6)), stream);
  expect(flightCount()).toBe(before + 1);
  fake.busy = false;
  sweepFlights();
  expect(flightCount()).toBeLessThanOrEqual(before);
});

test('other failures are passed on', () => {
  using memory = toDevice(ramp(64));
  using stream = new Stream();
  fake.fail.set('cuMemcpy3DBatchAsync', 1);
  expect(() => {
    memcpy3DBatchAsync(copies(memory, new Uint8Array(6)), stream);
  }).toThrow(CudaError);
});

const good = (): Memcpy3D => Object.assign(new Memcpy3D().setSrcHost(ramp(4)).setDstDevice(1n), { widthInBytes: 4 });
test.each<[unknown, unknown, RegExp]>([
  [[], {}, /the number of copies must be an integer from 1 to 65536, got 0/],
  [5, {}, /memcpy3DBatchAsync takes an array of Memcpy3D, got 5/],
  [[good(), 5], {}, /copy 1 must be a Memcpy3D, got 5/],
  [[good(), new Memcpy3D()], {}, /copy 1: widthInBytes must be an integer >= 1, got 0/],
  [[good(), Object.assign(new Memcpy3D(), { widthInBytes: 4 })], {}, /copy 1: the source is not set/],
  [[good(), Object.assign(good(), { widthInBytes: 5 })], {}, /copy 1: the source has 4 bytes; the box ends at 5/],
  [[new Memcpy3DPeer()], {}, /copy 0 is a Memcpy3DPeer/],
  [[good()], { sourceOrder: 'never' }, /sourceOrder must be 'stream' or 'call' or 'any'/],
  [[good()], { order: 'any' }, /memcpy3DBatchAsync has no option 'order'/],
])('wrong copies throw, and none is enqueued (%#)', (list, options, message) => {
  const seen = routines(() => {
    expect(() => {
      memcpy3DBatchAsync(list as never, null, options as never);
    }).toThrow(message);
  });
  expect(seen).toEqual([]);
});

test('memory that was freed is refused', () => {
  const memory = memAlloc(64);
  const list = copies(memory, new Uint8Array(6));
  memory.free();
  expect(() => {
    memcpy3DBatchAsync(list);
  }).toThrow(ClosedError);
});
