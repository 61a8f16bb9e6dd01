import { afterEach, describe, expect, test } from '@jest/globals';
import { ClosedError, SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import { Memcpy2D } from '../../../../src/cuda/copy/memcpy-2d.ts';
import { Memcpy3D, Memcpy3DPeer } from '../../../../src/cuda/copy/memcpy-3d.ts';
import { memcpyBatchAsync } from '../../../../src/cuda/copy/memcpy-batch.ts';
import { fromDevice, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import {
  memsetD2D16,
  memsetD2D16Async,
  memsetD2D32,
  memsetD2D32Async,
  memsetD2D8,
  memsetD2D8Async,
} from '../../../../src/cuda/copy/memset-2d.ts';
import {
  disablePeerAccess,
  enablePeerAccess,
  memcpyPeer,
  memcpyPeerAsync,
  peerAttributes,
} from '../../../../src/cuda/copy/peer.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
});

/** 0, 1, 2 … as bytes. */
function ramp(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i);
}

describe('Memcpy2D', () => {
  test('copies a rectangle out of a host array', () => {
    using memory = memAlloc(6);
    const copy = new Memcpy2D().setSrcHost(ramp(64)).setDstDevice(memory);
    Object.assign(copy, { srcXInBytes: 2, srcY: 1, srcPitch: 8, widthInBytes: 3, height: 2 });
    copy.run();
    expect([...fromDevice(memory, 'u8')]).toEqual([10, 11, 12, 18, 19, 20]);
  });

  test('runs aligned, unaligned and on a stream', () => {
    using memory = toDevice(ramp(16));
    using stream = new Stream();
    const routines: string[] = [];
    fake.onCall = (name) => routines.push(name);
    const back = new Uint8Array(4);
    const copy = new Memcpy2D().setSrcUnified(memory).setDstUnified(memory.slice(8));
    Object.assign(copy, { widthInBytes: 2, height: 2, srcPitch: 4 });
    copy.run({ aligned: true });
    copy.run();
    copy.setDstHost(back).runAsync(stream);
    fake.onCall = undefined;
    expect(routines.filter((name) => name.startsWith('cuMemcpy'))).toEqual([
      'cuMemcpy2D',
      'cuMemcpy2DUnaligned',
      'cuMemcpy2DAsync',
    ]);
    expect([...back]).toEqual([0, 1, 4, 5]);
  });

  test('keeps host arrays until the stream has passed the copy', () => {
    using memory = memAlloc(4);
    sweepFlights();
    fake.busy = true;
    const before = flightCount();
    const copy = new Memcpy2D().setSrcHost(ramp(4)).setDstDevice(memory);
    copy.widthInBytes = 4;
    copy.runAsync();
    expect(flightCount()).toBe(before + 1);
    fake.busy = false;
    sweepFlights();
    expect(flightCount()).toBe(before);
  });

  test.each<[object, RegExp]>([
    [{ widthInBytes: 0 }, /widthInBytes must be an integer >= 1, got 0/],
    [{ height: 0 }, /height must be an integer >= 1, got 0/],
    [{ srcPitch: 3 }, /the source: rows of 0 \+ 4 bytes do not fit a pitch of 3/],
    [{ srcY: 1, srcPitch: 16 }, /the source has 16 bytes; the box ends at 20/],
    [{ dstXInBytes: 5 }, /the destination has 8 bytes; 9 were asked for/],
    [{ dstY: -1 }, /dstY must be an integer >= 0, got -1/],
    [{ srcXInBytes: 0.5 }, /srcXInBytes must be an integer/],
    [{ height: 2 ** 52, srcPitch: 4 }, /must be an integer >= 0|bytes/],
  ])('%j is an error before the driver is called', (values, message) => {
    using memory = memAlloc(8);
    const copy = Object.assign(new Memcpy2D().setSrcHost(ramp(16)).setDstDevice(memory), { widthInBytes: 4 }, values);
    let called = false;
    fake.onCall = (name) => (called ||= name.startsWith('cuMemcpy'));
    expect(() => {
      copy.run();
    }).toThrow(RangeError);
    expect(() => {
      copy.runAsync();
    }).toThrow(message);
    expect(called).toBe(false);
  });

  test('an end that is not set, freed or detached is an error', () => {
    const memory = memAlloc(8);
    const copy = new Memcpy2D().setDstDevice(memory);
    copy.widthInBytes = 4;
    const run = (): void => {
      copy.run();
    };
    expect(run).toThrow(/the source is not set: call setSrcHost or a similar method/);
    const array = ramp(4);
    copy.setSrcHost(array);
    memory.free();
    expect(run).toThrow(ClosedError);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    expect(run).toThrow(/is detached/);
    expect(() => copy.setSrcDevice(array as never)).toThrow(TypeError);
    expect(() => copy.setSrcHost(5 as never)).toThrow(TypeError);
  });
});

describe('Memcpy3D', () => {
  test('copies a box out of a volume', () => {
    using memory = toDevice(ramp(27));
    const out = new Uint8Array(8);
    const copy = new Memcpy3D().setSrcDevice(memory).setDstHost(out);
    Object.assign(copy, { srcXInBytes: 1, srcY: 1, srcZ: 1, srcPitch: 3, srcHeight: 3 });
    Object.assign(copy, { widthInBytes: 2, height: 2, depth: 2 });
    copy.run();
    expect([...out]).toEqual([13, 14, 16, 17, 22, 23, 25, 26]);
    out.fill(0);
    using stream = new Stream();
    copy.runAsync(stream);
    expect(out[7]).toBe(26);
  });

  test.each<[object, RegExp]>([
    [{ depth: 0 }, /depth must be an integer >= 1, got 0/],
    [{ depth: 2, height: 2, srcHeight: 1 }, /layers of 0 \+ 2 rows do not fit 1 rows/],
    [{ depth: 3 }, /the destination has 8 bytes; the box ends at 12/],
    [{ srcZ: 6 }, /the source has 27 bytes; 28 were asked for/],
  ])('%j is an error', (values, message) => {
    using memory = memAlloc(27);
    const copy = new Memcpy3D().setSrcDevice(memory).setDstHost(new Uint8Array(8));
    Object.assign(copy, { widthInBytes: 4 }, values);
    expect(() => {
      copy.run();
    }).toThrow(message);
  });

  test('Memcpy3DPeer names both contexts', () => {
    using memory = toDevice(ramp(8));
    using other = memAlloc(8);
    const current = Context.current as Context;
    let words: readonly bigint[] = [];
    fake.onCall = (name, args) => {
      if (name.startsWith('cuMemcpy3DPeer')) {
        const view = args[0] as DataView;
        words = [view.getBigUint64(64, true), view.getBigUint64(152, true)];
      }
    };
    const copy = new Memcpy3DPeer().setSrcDevice(memory).setDstDevice(other).setSrcContext(current);
    copy.widthInBytes = 8;
    copy.run();
    expect(words).toEqual([current.handle, current.handle]);
    copy.setDstContext(current).runAsync();
    fake.onCall = undefined;
    expect([...fromDevice(other, 'u8')]).toEqual([...ramp(8)]);
    expect(() => copy.setDstContext(5 as never)).toThrow(TypeError);
  });
});

describe('memset 2-D', () => {
  test('fills a rectangle with 8, 16 and 32 bits', () => {
    using memory = toDevice(new Uint8Array(32));
    using stream = new Stream();
    memsetD2D8(memory.slice(1), 8, 1, 2, 2);
    memsetD2D16Async(memory.slice(4), 8, 0x0202, 1, 2, stream);
    memsetD2D32(memory.slice(16), 8, 0x03030303, 1, 2);
    memsetD2D8Async(memory.slice(20), 4, 4, 1, 1, stream);
    memsetD2D16(memory.slice(22), 4, 0x0505, 1, 1);
    memsetD2D32Async(memory.slice(28), 4, 0x06060606, 1, 1, stream);
    const rows = [0, 1, 1, 0, 2, 2, 0, 0];
    expect([...fromDevice(memory, 'u8')]).toEqual([
      ...rows,
      ...rows,
      ...[3, 3, 3, 3, 4, 0, 5, 5],
      ...[3, 3, 3, 3, 6, 6, 6, 6],
    ]);
  });

  test.each<[readonly unknown[], RegExp]>([
    [[8, 256, 1, 1], /the value must be an integer from 0 to 255, got 256/],
    [[8, 1, 9, 2], /rows of 9 bytes do not fit a pitch of 8/],
    [[8, 1, 8, 3], /has 16 bytes; 24 were asked for/],
    [[0, 1, 1, 1], /the pitch must be an integer >= 1, got 0/],
    [[8, 1, 0, 1], /the width/],
    [[8, 1, 1, NaN], /the height/],
  ])('memsetD2D8%j is a RangeError', (args, message) => {
    using memory = memAlloc(16);
    expect(() => {
      memsetD2D8(memory, ...(args as [number, number, number, number]));
    }).toThrow(message);
  });

  test('pitch and address are multiples of the element', () => {
    using memory = memAlloc(64);
    expect(() => {
      memsetD2D32(memory, 6, 0, 1, 2);
    }).toThrow(/the pitch, 6, is not a multiple of 4/);
    expect(() => {
      memsetD2D16(memory.slice(1), 4, 0, 1, 2);
    }).toThrow(/the address is not a multiple of 2/);
  });
});

describe('peers', () => {
  test('memcpyPeer() copies between contexts', () => {
    using a = toDevice(ramp(8));
    using b = memAlloc(8);
    const context = Context.current as Context;
    memcpyPeer(b, a, 4, { srcContext: context });
    memcpyPeerAsync(b.slice(4), a.slice(4), undefined, { dstContext: context });
    expect([...fromDevice(b, 'u8')]).toEqual([...ramp(8)]);
    expect(() => {
      memcpyPeer(b, a, 9);
    }).toThrow(/has 8 bytes; 9 were asked for/);
    expect(() => {
      memcpyPeer(b, a.ptr);
    }).toThrow(/a raw address has no size; give byteLength/);
    expect(() => {
      memcpyPeer(b, a, 4, { srcContext: 5 as never });
    }).toThrow(TypeError);
  });

  test('enablePeerAccess() says whether it was new', () => {
    const context = Context.current as Context;
    expect(enablePeerAccess(context)).toBe(true);
    fake.fail.set('cuCtxEnablePeerAccess', 704);
    expect(enablePeerAccess(context)).toBe(false);
    fake.fail.set('cuCtxEnablePeerAccess', 217);
    expect(() => enablePeerAccess(context)).toThrow(/CUDA_ERROR_PEER_ACCESS_UNSUPPORTED[^]*PEER__ACCESS/);
    disablePeerAccess(context);
    expect(() => enablePeerAccess({} as never)).toThrow(TypeError);
  });

  test('peerAttributes() asks for all of them', () => {
    const device = new Device(0);
    expect(peerAttributes(device, device)).toEqual({
      accessSupported: false,
      nativeAtomicSupported: false,
      arrayAccessSupported: false,
      performanceRank: 0,
    });
    expect(() => peerAttributes(device, 0 as never)).toThrow(TypeError);
  });
});

describe('memcpyBatchAsync()', () => {
  const copies = (memory: ReturnType<typeof memAlloc>, out: Uint8Array): Parameters<typeof memcpyBatchAsync>[0] => [
    { dst: memory.slice(0, 4), src: ramp(4) },
    { dst: memory.slice(4), src: ramp(8).subarray(4) },
    { dst: out, src: memory.slice(8) },
  ];

  test('is one call on a stream', () => {
    using memory = toDevice(ramp(16));
    using stream = new Stream();
    const out = new Uint8Array(8);
    const routines: string[] = [];
    fake.onCall = (name) => routines.push(name);
    memcpyBatchAsync(copies(memory, out), stream, { sourceOrder: 'any' });
    fake.onCall = undefined;
    expect(routines.filter((name) => name.startsWith('cuMemcpy'))).toEqual(['cuMemcpyBatchAsync']);
    expect([...out]).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  });

  test('goes one by one on the default stream, and with a driver that has no batches', () => {
    using memory = toDevice(ramp(16));
    using stream = new Stream();
    const routines: string[] = [];
    fake.onCall = (name) => {
      routines.push(name);
      if (name === 'cuMemcpyBatchAsync') throw new SymbolNotFoundError(name, 'the driver', '', undefined);
    };
    for (const on of [null, stream]) memcpyBatchAsync(copies(memory, new Uint8Array(8)), on);
    fake.onCall = undefined;
    fake.fail.set('cuMemcpyBatchAsync', 801);
    memcpyBatchAsync(copies(memory, new Uint8Array(8)), stream);
    const each = ['cuMemcpyHtoDAsync', 'cuMemcpyHtoDAsync', 'cuMemcpyDtoHAsync'];
    expect(routines.filter((name) => name.startsWith('cuMemcpy'))).toEqual([...each, 'cuMemcpyBatchAsync', ...each]);
  });

  test('keeps the arrays of the copies before a failing one', () => {
    using memory = memAlloc(16);
    const routines: string[] = [];
    fake.fail.set('cuMemcpyDtoHAsync', 304);
    fake.onCall = (name) => routines.push(name);
    expect(() => {
      memcpyBatchAsync(copies(memory, new Uint8Array(8)));
    }).toThrow(CudaError);
    sweepFlights();
    fake.onCall = undefined;
    expect(routines).toContain('cuEventRecord');
  });

  test('passes other failures on', () => {
    using memory = memAlloc(16);
    using stream = new Stream();
    fake.fail.set('cuMemcpyBatchAsync', 1);
    expect(() => {
      memcpyBatchAsync(copies(memory, new Uint8Array(8)), stream);
    }).toThrow(CudaError);
  });

  test.each<[unknown, RegExp]>([
    [[], /the number of copies must be an integer from 1 to 65536, got 0/],
    [5, /takes an array of copies, got 5/],
    [[5], /copy 0 must be \{ dst, src \}, got 5/],
    [[{ dst: ramp(4), src: ramp(4) }], /copy 0 has two host arrays/],
    [[{ dst: 1n, src: 1n }], /a raw address has no size/],
    [[{ dst: 1n, src: ramp(4), byteLength: 5 }], /copy 0: src has 4 bytes; 5 were asked for/],
    [[{ dst: 1n, src: ramp(4), bytes: 5 }], /copy 0 has no option 'bytes'/],
    [[{ dst: {}, src: 1n }], /copy 0: dst must be a typed array/],
  ])('wrong copies throw (%#)', (list, message) => {
    expect(() => {
      memcpyBatchAsync(list as never);
    }).toThrow(message);
  });
});
