import { afterEach, describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import { CudaError } from '../../../../src/cuda/errors.ts';
import {
  memcpyAtoA,
  memcpyAtoAAsync,
  memcpyAtoD,
  memcpyAtoDAsync,
  memcpyAtoH,
  memcpyAtoHAsync,
  memcpyDtoA,
  memcpyDtoAAsync,
  memcpyHtoA,
  memcpyHtoAAsync,
  toArray,
} from '../../../../src/cuda/copy/memcpy-array.ts';
import { Memcpy2D } from '../../../../src/cuda/copy/memcpy-2d.ts';
import { Memcpy3D } from '../../../../src/cuda/copy/memcpy-3d.ts';
import { fromDevice, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { MipmappedArray, OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
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

/** The routines that a run calls. */
function routinesOf(run: () => void): string[] {
  const routines: string[] = [];
  fake.onCall = (name) => routines.push(name);
  run();
  fake.onCall = undefined;
  return routines;
}

/** The words of an array's description: width, height, depth, then format, channels, flags. */
function descriptionOf(make: () => { close(): void }): readonly number[] {
  let words: readonly number[] = [];
  fake.onCall = (name, args) => {
    if (!/^cu(Array3D|MipmappedArray)Create$/.test(name)) return;
    const view = args[1] as DataView;
    const wide = [0, 8, 16].map((at) => Number(view.getBigUint64(at, true)));
    words = [...wide, ...[24, 28, 32].map((at) => view.getUint32(at, true))];
  };
  make().close();
  fake.onCall = undefined;
  return words;
}

describe('OpaqueArray', () => {
  test.each([
    [{ width: 7, dtype: 'f32' }, [7, 0, 0, 0x20, 1, 0], 28],
    [{ width: 7, height: 3, dtype: 'u8', channels: 4 }, [7, 3, 0, 1, 4, 0], 84],
    [{ width: 7, height: 3, depth: 2, dtype: 'f16' }, [7, 3, 2, 0x10, 1, 0], 84],
    [{ width: 7, layers: 5, dtype: 'i16' }, [7, 0, 5, 9, 1, 1], 70],
    [{ width: 7, height: 3, layers: 5, dtype: 'u32', surface: true }, [7, 3, 5, 3, 1, 3], 420],
    [{ width: 4, cubemap: true, dtype: 'i8' }, [4, 4, 6, 8, 1, 4], 96],
    [{ width: 4, height: 4, cubemap: true, layers: 2, dtype: 'i32' }, [4, 4, 12, 0x0a, 1, 5], 768],
    [{ width: 4, height: 4, gather: true, dtype: 'u16' }, [4, 4, 0, 2, 1, 8], 32],
  ] as const)('%j is described so', (options, words, byteLength) => {
    expect(descriptionOf(() => new OpaqueArray(options))).toEqual(words);
    using array = new OpaqueArray(options);
    expect(array.byteLength).toBe(byteLength);
    expect(array.dtype).toBe(options.dtype);
  });

  test.each([
    [undefined, /takes options: \{ width, dtype \}/],
    [{ width: 0, dtype: 'f32' }, /width must be an integer >= 1, got 0/],
    [{ width: 131_073, height: 1, dtype: 'f32' }, /width is 131073; the device allows 131072/],
    [{ width: 2 ** 53, dtype: 'f32' }, /width must be an integer/],
    [{ width: 4, dtype: 'f64' }, /dtype must be one of u8, .*'u32' with 2 channels/],
    [{ width: 4 }, /dtype must be one of .*got undefined/],
    [{ width: 4, dtype: 'f32', channels: 3 }, /channels must be 1, 2 or 4, got 3/],
    [{ width: 4, dtype: 'f32', misspelt: 1 }, /no option 'misspelt'/],
    [{ width: 4, depth: 2, dtype: 'f32' }, /a depth needs a height/],
    [{ width: 4, height: 4, depth: 2, layers: 2, dtype: 'f32' }, /a depth or layers, not both/],
    [{ width: 4, height: 5, cubemap: true, dtype: 'f32' }, /faces of a cubemap are square, got 4 × 5/],
    [{ width: 4, depth: 2, cubemap: true, dtype: 'f32' }, /a cubemap has no depth/],
    [{ width: 4, gather: true, dtype: 'f32' }, /gather is for arrays of two dimensions/],
    [{ width: 4, surface: 1, dtype: 'f32' }, /surface must be true or false/],
  ])('%j is an error before the driver is called', (options, message) => {
    const routines = routinesOf(() => {
      expect(() => new OpaqueArray(options as never)).toThrow(message);
    });
    expect(routines.filter((name) => name.startsWith('cuArray'))).toEqual([]);
  });

  test('is freed once, when the context is idle', () => {
    const array = new OpaqueArray({ width: 4, dtype: 'f32' });
    expect(array.handle).toBeGreaterThan(0n);
    const routines = routinesOf(() => {
      array.free();
    });
    expect(routines.indexOf('cuCtxSynchronize')).toBeLessThan(routines.indexOf('cuArrayDestroy'));
    expect(() => {
      array.free();
    }).toThrow(ClosedError);
    expect(() => array.handle).toThrow(ClosedError);
    array.close();
  });

  test('waits with the end while a stream is captured', () => {
    using stream = new Stream({ nonBlocking: true });
    const array = new OpaqueArray({ width: 4, dtype: 'f32', surface: true });
    const surface = new Surface(array);
    const before = { ...fake.live };
    stream.beginCapture();
    surface.close();
    array.close();
    expect(fake.live).toEqual(before);
    stream.endCapture().close();
    sweepFlights();
    expect(fake.live).toEqual({ ...before, array: before.array - 1, surface: before.surface - 1 });
  });

  test('a refusal of the driver leaves nothing', () => {
    const before = { ...fake.live };
    fake.fail.set('cuArray3DCreate', 2);
    expect(() => new OpaqueArray({ width: 4, dtype: 'f32' })).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
    fake.fail.clear();
    expect(() => toArray(ramp(3), { width: 4, dtype: 'u8' })).toThrow(/the array has 4 bytes; the host memory has 3/);
    fake.fail.set('cuMemcpy3D', 1);
    expect(() => toArray(ramp(4), { width: 4, dtype: 'u8' })).toThrow(CudaError);
    expect(fake.live).toEqual(before);
  });
});

describe('MipmappedArray', () => {
  test('has all levels by default, each half as large', () => {
    using array = new MipmappedArray({ width: 8, height: 3, dtype: 'f32', surface: true });
    expect(array.levels).toBe(4);
    const sizes = Array.from({ length: 4 }, (_, i) => {
      using level = array.level(i);
      return [level.width, level.height];
    });
    expect(sizes).toEqual([
      [8, 3],
      [4, 1],
      [2, 1],
      [1, 1],
    ]);
    expect(descriptionOf(() => new MipmappedArray({ width: 8, depth: 2, height: 3, dtype: 'u8', levels: 2 }))).toEqual([
      8, 3, 2, 1, 1, 0,
    ]);
  });

  test('a level keeps it alive, and a level that is closed is not destroyed', () => {
    const array = new MipmappedArray({ width: 8, dtype: 'u8' });
    const before = fake.live.mipmapped;
    const level = array.level(1);
    array.free();
    memcpyHtoA(level, ramp(4));
    expect(fake.live.mipmapped).toBe(before);
    const routines = routinesOf(() => {
      level.close();
    });
    expect(routines).not.toContain('cuArrayDestroy');
    expect(fake.live.mipmapped).toBe(before - 1);
  });

  test.each([
    [{ width: 8, dtype: 'u8', levels: 5 }, /levels must be an integer from 1 to 4, got 5/],
    [{ width: 8, dtype: 'u8', levels: 0 }, /levels must be an integer from 1 to 4, got 0/],
    [{ width: 8, dtype: 'u8', level: 1 }, /no option 'level'/],
    [undefined, /takes options/],
  ])('%j is an error', (options, message) => {
    expect(() => new MipmappedArray(options as never)).toThrow(message);
  });

  test('refuses levels that it has not, and work after the end', () => {
    const array = new MipmappedArray({ width: 8, dtype: 'u8', levels: 2 });
    expect(() => array.level(2)).toThrow(/must be an integer from 0 to 1, got 2/);
    fake.fail.set('cuMipmappedArrayGetLevel', 1);
    expect(() => array.level(0)).toThrow(CudaError);
    array.close();
    expect(() => array.level(0)).toThrow(ClosedError);
  });
});

describe('copies of arrays', () => {
  test('go from every kind of memory to every kind, blocking and on a stream', () => {
    using stream = new Stream();
    using device = toDevice(ramp(24).reverse());
    using first = new OpaqueArray({ width: 4, height: 3, depth: 2, dtype: 'u8' });
    using second = new OpaqueArray({ width: 2, height: 3, layers: 2, dtype: 'u16' });
    using same = new OpaqueArray({ width: 4, height: 3, layers: 2, dtype: 'i8' });
    const back = new Uint8Array(24);
    memcpyHtoA(first, ramp(24));
    memcpyAtoH(back, first);
    expect(back).toEqual(ramp(24));
    memcpyDtoAAsync(second, device, stream);
    memcpyAtoHAsync(back, second, stream);
    expect(back).toEqual(ramp(24).reverse());
    memcpyAtoA(same, first);
    memcpyAtoD(device, same);
    expect(fromDevice(device, 'u8')).toEqual(ramp(24));
    memcpyDtoA(second, device);
    memcpyHtoAAsync(first, ramp(24).fill(7), stream);
    memcpyAtoAAsync(same, first, stream);
    memcpyAtoDAsync(device, same, stream);
    expect(fromDevice(device, 'u8')).toEqual(ramp(24).fill(7));
    sweepFlights();
  });

  test('keep host memory until the stream has passed them', () => {
    using array = new OpaqueArray({ width: 4, dtype: 'u8' });
    sweepFlights();
    fake.busy = true;
    const before = flightCount();
    memcpyHtoAAsync(array, ramp(4));
    expect(flightCount()).toBe(before + 1);
    fake.busy = false;
    sweepFlights();
  });

  test('Memcpy2D and Memcpy3D reach a part of an array', () => {
    using image = toArray(ramp(24), { width: 4, height: 3, layers: 2, dtype: 'u8' });
    const out = new Uint8Array(4);
    const box = new Memcpy3D().setSrcArray(image).setDstHost(out);
    Object.assign(box, { srcXInBytes: 1, srcY: 1, srcZ: 1, widthInBytes: 2, height: 2 });
    box.run();
    expect([...out]).toEqual([17, 18, 21, 22]);
    const rectangle = new Memcpy2D().setSrcHost(ramp(2)).setDstArray(image);
    Object.assign(rectangle, { dstXInBytes: 2, dstY: 2, widthInBytes: 2 });
    rectangle.run();
    rectangle.setSrcArray(image).setDstHost(out);
    Object.assign(rectangle, { srcY: 2, dstXInBytes: 0, dstY: 0, widthInBytes: 4 });
    rectangle.runAsync();
    expect([...out]).toEqual([8, 9, 0, 1]);
    sweepFlights();
  });

  test.each([
    [{ srcXInBytes: 2 }, /the box's x must be a multiple of the 4 bytes of an element, got 2/],
    [{ widthInBytes: 6 }, /the box's width must be a multiple of the 4 bytes of an element, got 6/],
    [{ widthInBytes: 12 }, /the source has 8 bytes in a row; the box ends at 12/],
    [{ srcY: 3 }, /the source has 3 rows in all; the box ends at 4/],
    [{ depth: 2 }, /the source has 1 layers in all; the box ends at 2/],
    [{ srcZ: 2 ** 40 }, /layers in all/],
  ])('%j is an error before the driver is called', (values, message) => {
    using array = new OpaqueArray({ width: 2, height: 3, dtype: 'f32' });
    const copy = new Memcpy3D().setSrcArray(array).setDstHost(new Uint8Array(64));
    Object.assign(copy, { widthInBytes: 4 }, values);
    const routines = routinesOf(() => {
      expect(() => {
        copy.run();
      }).toThrow(message);
    });
    expect(routines).toEqual([]);
  });

  test('refuse other memory, other shapes, closed arrays', () => {
    using array = new OpaqueArray({ width: 4, dtype: 'u8' });
    using other = new OpaqueArray({ width: 5, dtype: 'u8' });
    using small = memAlloc(3);
    const closed = new OpaqueArray({ width: 4, dtype: 'u8' });
    const copy = new Memcpy2D().setSrcArray(closed).setDstArray(array);
    copy.widthInBytes = 4;
    closed.close();
    const wrong: readonly (readonly [() => void, RegExp | typeof ClosedError])[] = [
      [() => copy.run(), ClosedError],
      [() => memcpyHtoA(closed, ramp(4)), ClosedError],
      [() => copy.setSrcArray(ramp(4) as never), /must be an OpaqueArray, got an? \w+/],
      [() => memcpyHtoA(null as never, ramp(4)), /must be an OpaqueArray, got null/],
      [() => memcpyHtoA(array, ramp(5)), /the array has 4 bytes; the host memory has 5/],
      [() => memcpyAtoH(ramp(3), array), /the array has 4 bytes; the host memory has 3/],
      [() => memcpyAtoD(small, array), /has 3 bytes; 4 were asked for/],
      [() => memcpyAtoA(array, other), /5 × 1 × 1 elements of 1 bytes does not fit one of 4 × 1 × 1/],
      [() => memcpyDtoA(array, 5 as never), /must be device memory/],
    ];
    for (const [run, message] of wrong) expect(run).toThrow(message);
  });
});
