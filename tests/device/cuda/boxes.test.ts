import { expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { pagelockedZeros } from '../../../src/cuda/memory/host-memory.ts';
import { managedZeros } from '../../../src/cuda/managed/managed-memory.ts';
import { Memcpy2D } from '../../../src/cuda/copy/memcpy-2d.ts';
import { Memcpy3D, Memcpy3DPeer } from '../../../src/cuda/copy/memcpy-3d.ts';
import { memcpy3DBatchAsync } from '../../../src/cuda/copy/memcpy-3d-batch.ts';
import { memcpyBatchAsync } from '../../../src/cuda/copy/memcpy-batch.ts';
import { fromDevice, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc, memAllocPitch } from '../../../src/cuda/memory/memory.ts';
import { memsetD2D16Async, memsetD2D32, memsetD2D8 } from '../../../src/cuda/copy/memset-2d.ts';
import { enablePeerAccess, disablePeerAccess, memcpyPeer, peerAttributes } from '../../../src/cuda/copy/peer.ts';
import { OpaqueArray } from '../../../src/cuda/texture/opaque-array.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

/** 0, 1, 2 … as 32-bit integers. */
function ramp(length: number): Int32Array<ArrayBuffer> {
  return Int32Array.from({ length }, (_, i) => i);
}

needs.cuda().describe('boxes, batches and peers on a CUDA device', () => {
  withDevice();

  test('Memcpy2D goes to pitched memory and back', () => {
    const [width, height] = [100, 37];
    const source = ramp(width * height);
    const { memory, pitch } = memAllocPitch(4 * width, height);
    const up = new Memcpy2D().setSrcHost(source).setDstDevice(memory);
    Object.assign(up, { srcPitch: 4 * width, dstPitch: pitch, widthInBytes: 4 * width, height });
    up.run({ aligned: true });
    const back = new Int32Array(20 * 5);
    const down = new Memcpy2D().setSrcDevice(memory).setDstHost(back);
    Object.assign(down, { srcXInBytes: 40, srcY: 3, srcPitch: pitch, dstPitch: 80, widthInBytes: 80, height: 5 });
    down.run();
    memory.free();
    expect([...back]).toEqual(Array.from({ length: 100 }, (_, i) => (3 + Math.floor(i / 20)) * width + 10 + (i % 20)));
  });

  test('Memcpy2D works on a stream, between pinned and unified memory', async () => {
    using stream = new Stream({ nonBlocking: true });
    using source = pagelockedZeros(64, 'i32');
    source.set(ramp(64));
    using memory = memAlloc(256);
    using target = managedZeros(16, 'i32');
    const up = new Memcpy2D().setSrcHost(source).setDstUnified(memory);
    Object.assign(up, { widthInBytes: 32, height: 8 });
    up.runAsync(stream);
    await stream.done();
    const down = new Memcpy2D().setSrcUnified(memory).setDstUnified(target.ptr);
    Object.assign(down, { srcPitch: 32, srcXInBytes: 8, srcY: 2, widthInBytes: 16, height: 4 });
    down.runAsync(stream);
    await stream.done();
    expect([...target]).toEqual([18, 19, 20, 21, 26, 27, 28, 29, 34, 35, 36, 37, 42, 43, 44, 45]);
  });

  test('Memcpy3D copies a box out of a volume, and into one', async () => {
    using stream = new Stream();
    using volume = toDevice(ramp(6 * 5 * 4));
    const out = new Int32Array(2 * 3 * 2);
    const copy = new Memcpy3D().setSrcDevice(volume).setDstHost(out);
    Object.assign(copy, { srcXInBytes: 8, srcY: 1, srcZ: 1, srcPitch: 24, srcHeight: 5 });
    Object.assign(copy, { widthInBytes: 8, height: 3, depth: 2 });
    copy.run();
    const wanted = [];
    for (let z = 1; z < 3; z++) {
      for (let y = 1; y < 4; y++) for (let x = 2; x < 4; x++) wanted.push((z * 5 + y) * 6 + x);
    }
    expect([...out]).toEqual(wanted);
    const into = new Memcpy3D().setSrcHost(out.fill(-1)).setDstDevice(volume);
    Object.assign(into, { dstXInBytes: 8, dstY: 1, dstZ: 1, dstPitch: 24, dstHeight: 5 });
    Object.assign(into, { widthInBytes: 8, height: 3, depth: 2 });
    into.runAsync(stream);
    await stream.done();
    expect(fromDevice(volume, 'i32').filter((value) => value === -1).length).toBe(12);
  });

  test('memset 2-D fills rectangles only', async () => {
    using stream = new Stream();
    using memory = toDevice(new Uint8Array(8 * 64));
    memsetD2D32(memory.slice(4), 64, 0x01010101, 2, 8);
    memsetD2D8(memory.slice(16), 64, 2, 3, 8);
    memsetD2D16Async(memory.slice(20), 64, 0x0303, 2, 8, stream);
    await stream.done();
    const bytes = fromDevice(memory, 'u8');
    const row = [
      ...new Array<number>(4).fill(0),
      ...new Array<number>(8).fill(1),
      0,
      0,
      0,
      0,
      2,
      2,
      2,
      0,
      3,
      3,
      3,
      3,
      0,
    ];
    for (let y = 0; y < 8; y++) expect([...bytes.subarray(64 * y, 64 * y + row.length)]).toEqual(row);
  });

  test.each([true, false])('memcpyBatchAsync() enqueues many copies, on a stream of its own: %p', (own) => {
    const stream = own ? new Stream() : null;
    using memory = memAlloc(64 * 1024);
    using back = pagelockedZeros(64 * 256, 'i32');
    using source = pagelockedZeros(64 * 256, 'i32');
    source.set(ramp(64 * 256));
    const pieces = Array.from({ length: 64 }, (_, i) => i);
    memcpyBatchAsync(
      pieces.map((i) => ({ dst: memory.slice(1024 * i, 1024), src: source.subarray(256 * i, 256 * (i + 1)) })),
      stream,
    );
    memcpyBatchAsync(
      pieces.map((i) => ({ dst: back.subarray(256 * i, 256 * (i + 1)), src: memory.slice(1024 * (63 - i), 1024) })),
      stream,
    );
    (stream ?? (Context.current as Context)).synchronize();
    expect(pieces.map((i) => back[256 * i])).toEqual(pieces.map((i) => 256 * (63 - i)));
    stream?.close();
  });

  test.each([true, false])('memcpy3DBatchAsync() enqueues many boxes, on a stream of its own: %p', (own) => {
    const stream = own ? new Stream() : null;
    using memory = toDevice(ramp(512));
    using out = pagelockedZeros(8 * 8, 'i32');
    // Each box is a square of 2 × 2 × 2 integers out of a volume of 8 × 8 × 8, and the squares lie in a row.
    const list = Array.from({ length: 4 }, (_, i) => {
      const copy = new Memcpy3D().setSrcDevice(memory).setDstHost(out);
      Object.assign(copy, { srcXInBytes: 8 * i, srcY: i, srcZ: i, srcPitch: 32, srcHeight: 8 });
      Object.assign(copy, { dstXInBytes: 8 * i, dstPitch: 32, dstHeight: 2 });
      return Object.assign(copy, { widthInBytes: 8, height: 2, depth: 2 });
    });
    memcpy3DBatchAsync(list, stream);
    (stream ?? (Context.current as Context)).synchronize();
    const wanted = Array.from({ length: 32 }, (_, at) => {
      const [x, y, z] = [at % 8, Math.floor(at / 8) % 2, Math.floor(at / 16)];
      const i = Math.floor(x / 2);
      return ((i + z) * 8 + i + y) * 8 + x;
    });
    expect([...out.subarray(0, 32)]).toEqual(wanted);
    expect(new Set(out.subarray(32))).toEqual(new Set([0]));
    stream?.close();
  });

  needs.arrays().test('memcpy3DBatchAsync() copies to and from arrays', () => {
    using stream = new Stream({ nonBlocking: true });
    using array = new OpaqueArray({ width: 8, height: 4, dtype: 'i32' });
    using memory = toDevice(ramp(32));
    const out = new Int32Array(32);
    const up = Object.assign(new Memcpy3D().setSrcDevice(memory).setDstArray(array), { widthInBytes: 32, height: 4 });
    memcpy3DBatchAsync([up], stream);
    const halves = [0, 16].map((x) => {
      const copy = new Memcpy3D().setSrcArray(array).setDstHost(out);
      Object.assign(copy, { srcXInBytes: x, dstXInBytes: 16 - x, dstPitch: 32, widthInBytes: 16, height: 4 });
      return copy;
    });
    memcpy3DBatchAsync(halves, stream);
    stream.synchronize();
    expect([...out]).toEqual(Array.from(ramp(32), (i) => i ^ 4));
  });

  test('memcpyPeer() copies within one context too', () => {
    using a = toDevice(ramp(64));
    using b = memAlloc(256);
    memcpyPeer(b, a);
    expect([...fromDevice(b, 'i32')]).toEqual([...ramp(64)]);
  });
});

needs.cuda(2).describe('two CUDA devices', () => {
  test('memory is copied from one to the other', () => {
    using first = new Context(new Device(0));
    using a = toDevice(ramp(64));
    using second = new Context(new Device(1));
    using b = memAlloc(256);
    const contexts = { srcContext: first, dstContext: second };
    memcpyPeer(b, a, 256, contexts);
    expect([...fromDevice(b, 'i32')]).toEqual([...ramp(64)]);
    const copy = new Memcpy3DPeer().setSrcDevice(a).setDstDevice(b).setSrcContext(first).setDstContext(second);
    Object.assign(copy, { srcXInBytes: 128, widthInBytes: 64 });
    copy.run();
    second.synchronize();
    expect([...fromDevice(b, 'i32', 16)]).toEqual([...ramp(48)].slice(32));
    const { accessSupported } = peerAttributes(new Device(1), new Device(0));
    expect(accessSupported).toBe(new Device(1).canAccessPeer(new Device(0)));
    if (!accessSupported) return;
    expect(enablePeerAccess(first)).toBe(true);
    expect(enablePeerAccess(first)).toBe(false);
    disablePeerAccess(first);
  });
});
