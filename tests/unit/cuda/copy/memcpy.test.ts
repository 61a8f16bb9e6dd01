import { describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import {
  fromDevice,
  memcpyDtoD,
  memcpyDtoDAsync,
  memcpyDtoH,
  memcpyDtoHAsync,
  memcpyHtoD,
  memcpyHtoDAsync,
  toDevice,
} from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { collect, untilCollected } from '../../../helpers/until.ts';

const fake = withFakeDriver();

function detached(): Uint8Array {
  const array = new Uint8Array(16);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

test('toDevice() and fromDevice() make a round trip', () => {
  using memory = toDevice(Float32Array.of(1, 2, 3));
  expect(memory.byteLength).toBe(12);
  expect(fromDevice(memory, Float32Array)).toEqual(Float32Array.of(1, 2, 3));
  expect(fromDevice(memory, 'f32')).toEqual(Float32Array.of(1, 2, 3));
});

test('memory that threads share is copied as any other', async () => {
  using stream = new Stream();
  using memory = toDevice(new Uint8Array(new SharedArrayBuffer(4)).fill(7).buffer);
  const back = new SharedArrayBuffer(4);
  memcpyDtoH(back, memory);
  expect([...new Uint8Array(back)]).toEqual([7, 7, 7, 7]);
  new Uint8Array(back).fill(9);
  memcpyHtoDAsync(memory, back, stream);
  memcpyDtoHAsync(back, memory, stream);
  memcpyHtoD(memory, back);
  await stream.done();
  expect([...fromDevice(memory, 'u8')]).toEqual([9, 9, 9, 9]);
});

test('toDevice() frees what it allocated when the copy fails', () => {
  const live = fake.live.memory;
  fake.fail.set('cuMemcpyHtoD', 1);
  expect(() => toDevice(new Uint8Array(4))).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_INVALID_VALUE' }));
  fake.fail.clear();
  expect(fake.live.memory).toBe(live);
});

test('fromDevice() reads a part, and a number of elements', () => {
  using memory = toDevice(Int32Array.of(1, 2, 3, 4));
  expect([...fromDevice(memory.slice(4), 'i32')]).toEqual([2, 3, 4]);
  expect([...fromDevice(memory.slice(8), 'i32', 1)]).toEqual([3]);
  expect([...fromDevice(memory.ptr, 'i32', 2)]).toEqual([1, 2]);
});

test('fromDevice() of memory that is not a multiple of the element reads whole elements', () => {
  using memory = toDevice(Uint8Array.of(1, 0, 0, 0, 9));
  expect([...fromDevice(memory, 'i32')]).toEqual([1]);
});

test('fromDevice() of a raw address needs a length', () => {
  expect(() => fromDevice(16n, 'f32')).toThrow(new TypeError('fromDevice: a raw address needs a length'));
});

test.each<[unknown, unknown, typeof RangeError, RegExp]>([
  ['f32', 5, RangeError, /fromDevice: the source has 16 bytes; 20 were asked for/],
  ['f32', 2 ** 45, RangeError, /has 16 bytes; 140737488355328 were asked for/],
  ['f32', 0, RangeError, /length must be an integer >= 1/],
  ['f32', NaN, RangeError, /length must be/],
  ['f32', '4', TypeError, /length must be a number/],
  ['float', 1, TypeError, /fromDevice: the type must be a typed array class/],
  [undefined, 1, TypeError, /got undefined/],
])('fromDevice(memory, %p, %p) throws', (type, length, kind, message) => {
  using memory = memAlloc(16);
  const attempt = (): unknown => fromDevice(memory, type as never, length as never);
  expect(attempt).toThrow(kind);
  expect(attempt).toThrow(message);
});

test('memcpyHtoD() copies the bytes of a view, and no others', () => {
  using memory = toDevice(new Uint8Array(8));
  memcpyHtoD(memory.slice(2), Uint8Array.of(9, 1, 2, 3, 9).subarray(1, 4));
  expect([...fromDevice(memory, 'u8')]).toEqual([0, 0, 1, 2, 3, 0, 0, 0]);
});

test.each([
  ['a DataView', new DataView(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2), [2, 3]],
  ['an ArrayBuffer', Uint8Array.of(5, 6).buffer, [5, 6]],
  ['a Buffer', Buffer.from([7, 8]), [7, 8]],
])('memcpyHtoD() takes %s', (_, source, expected) => {
  using memory = memAlloc(2);
  memcpyHtoD(memory, source);
  expect([...fromDevice(memory, 'u8')]).toEqual(expected);
});

test('memcpyDtoH() fills a view, and nothing beside it', () => {
  using memory = toDevice(Uint8Array.of(1, 2, 3, 4));
  const target = new Uint8Array(6);
  memcpyDtoH(target.subarray(2, 4), memory.slice(1));
  expect([...target]).toEqual([0, 0, 2, 3, 0, 0]);
});

test('memcpyDtoD() copies what the source holds, or as much as asked', () => {
  using source = toDevice(Uint8Array.of(1, 2, 3, 4));
  using target = toDevice(new Uint8Array(6));
  memcpyDtoD(target, source);
  memcpyDtoD(target.slice(4), source, 2);
  expect([...fromDevice(target, 'u8')]).toEqual([1, 2, 3, 4, 1, 2]);
});

test('copies take raw addresses', () => {
  using memory = memAlloc(4);
  memcpyHtoD(memory.ptr, Uint8Array.of(1, 2, 3, 4));
  const target = new Uint8Array(4);
  memcpyDtoH(target, memory.ptr);
  memcpyDtoD(memory.ptr, memory.ptr + 2n, 2);
  expect([...target, ...fromDevice(memory, 'u8')]).toEqual([1, 2, 3, 4, 3, 4, 3, 4]);
});

test('memcpyDtoD() of a raw address needs a length', () => {
  using memory = memAlloc(4);
  expect(() => {
    memcpyDtoD(memory, memory.ptr);
  }).toThrow(new TypeError('memcpyDtoD: a raw address has no size; give byteLength'));
});

test('async copies run on their stream', () => {
  using stream = new Stream();
  using a = memAlloc(4);
  using b = memAlloc(4);
  const streams: unknown[] = [];
  fake.onCall = (routine, args) => {
    if (routine.startsWith('cuMemcpy')) streams.push(args.at(-1));
  };
  const target = new Uint8Array(4);
  memcpyHtoDAsync(a, Uint8Array.of(1, 2, 3, 4), stream);
  memcpyDtoDAsync(b, a, undefined, stream);
  memcpyDtoDAsync(b.slice(2), a, 2, stream);
  memcpyDtoHAsync(target, b, stream);
  memcpyHtoDAsync(a, target);
  fake.onCall = undefined;
  expect([...target]).toEqual([1, 2, 1, 2]);
  expect(streams).toEqual([stream.handle, stream.handle, stream.handle, stream.handle, 0n]);
  sweepFlights();
});

test('async copies keep the host array until the stream has passed', async () => {
  using stream = new Stream();
  using memory = memAlloc(1000);
  fake.busy = true;
  const start = (): WeakRef<Uint8Array> => {
    const array = new Uint8Array(1000);
    memcpyHtoDAsync(memory, array, stream);
    return new WeakRef(array);
  };
  const reference = start();
  await collect();
  sweepFlights();
  expect([reference.deref() === undefined, flightCount(), fake.live.event]).toEqual([false, 1, 1]);
  fake.busy = false;
  sweepFlights();
  await untilCollected('the array is gone', () => reference.deref() === undefined);
  expect([reference.deref(), flightCount(), fake.live.event]).toEqual([undefined, 0, 0]);
});

const COPIES: readonly (readonly [string, (device: unknown, host: unknown) => void])[] = [
  ['memcpyHtoD', (device, host) => memcpyHtoD(device as never, host as never)],
  ['memcpyDtoH', (device, host) => memcpyDtoH(host as never, device as never)],
  ['memcpyHtoDAsync', (device, host) => memcpyHtoDAsync(device as never, host as never)],
  ['memcpyDtoHAsync', (device, host) => memcpyDtoHAsync(host as never, device as never)],
];

describe.each(COPIES)('%s()', (name, copy) => {
  test('refuses an array that is larger than the device memory', () => {
    using memory = memAlloc(16);
    expect(() => copy(memory, new Uint8Array(17))).toThrow(RangeError);
    expect(() => copy(memory.slice(8), new Uint8Array(9))).toThrow(/has 8 bytes; 9 were asked for/);
  });

  test.each([
    ['an empty array', new Uint8Array(0), RangeError, /is empty/],
    ['a detached array', detached(), TypeError, /is detached/],
    ['undefined', undefined, TypeError, /got undefined/],
    ['a plain array', [1, 2], TypeError, /got an Array/],
    ['a string', 'bytes', TypeError, /got the string "bytes"/],
    ['a number', 16, TypeError, /got 16/],
  ])('refuses %s as host memory', (_, host, kind, message) => {
    using memory = memAlloc(16);
    expect(() => copy(memory, host)).toThrow(kind);
    expect(() => copy(memory, host)).toThrow(message);
    expect(() => copy(memory, host)).toThrow(new RegExp(`^${name}: the (source|destination) `));
  });

  test.each([
    ['undefined', undefined, TypeError],
    ['null', null, TypeError],
    ['0n', 0n, TypeError],
    ['a number', 4096, TypeError],
    ['a host array', new Uint8Array(16), TypeError],
    ['an object', {}, TypeError],
    ['a negative address', -1n, RangeError],
    ['an address beyond 64 bits', 2n ** 64n, RangeError],
  ])('refuses %s as device memory', (_, device, kind) => {
    expect(() => copy(device, new Uint8Array(4))).toThrow(kind);
    expect(() => copy(device, new Uint8Array(4))).toThrow(new RegExp(`^${name}: the (source|destination) `));
  });

  test('refuses freed device memory', () => {
    const memory = memAlloc(16);
    const slice = memory.slice(4);
    memory.free();
    expect(() => copy(memory, new Uint8Array(4))).toThrow(ClosedError);
    expect(() => copy(slice, new Uint8Array(4))).toThrow(ClosedError);
  });

  test('reports what the driver refuses', () => {
    using memory = memAlloc(16);
    fake.fail.set(name.replace('mem', 'cuMem'), 1);
    expect(() => copy(memory, new Uint8Array(4))).toThrow(
      `${name.replace('mem', 'cuMem')} failed: CUDA_ERROR_INVALID_VALUE`,
    );
    fake.fail.clear();
    expect(flightCount()).toBe(0);
  });
});

describe.each([
  ['memcpyDtoD', memcpyDtoD],
  ['memcpyDtoDAsync', memcpyDtoDAsync],
])('%s()', (name, copy) => {
  test('refuses more than either side has', () => {
    using small = memAlloc(8);
    using large = memAlloc(16);
    expect(() => copy(small, large)).toThrow(new RangeError(`${name}: the destination has 8 bytes; 16 were asked for`));
    expect(() => copy(large, small, 16)).toThrow(new RangeError(`${name}: the source has 8 bytes; 16 were asked for`));
  });

  test.each([0, -1, NaN, 0.5])('refuses the length %p', (length) => {
    using memory = memAlloc(16);
    expect(() => copy(memory, memory, length)).toThrow(RangeError);
  });

  test('refuses what is not a device memory, and what was freed', () => {
    using memory = memAlloc(16);
    const freed = memAlloc(16);
    freed.free();
    expect(() => copy(memory, new Uint8Array(16) as never)).toThrow(TypeError);
    expect(() => copy(undefined as never, memory)).toThrow(TypeError);
    expect(() => copy(memory, freed)).toThrow(ClosedError);
    expect(() => copy(freed, memory)).toThrow(ClosedError);
  });
});

test('async copies refuse a stream that is closed, or none', () => {
  using memory = memAlloc(4);
  const stream = new Stream();
  stream.close();
  const array = new Uint8Array(4);
  expect(() => {
    memcpyHtoDAsync(memory, array, stream);
  }).toThrow(ClosedError);
  expect(() => {
    memcpyDtoHAsync(array, memory, 5 as never);
  }).toThrow(/^memcpyDtoHAsync: stream must be a Stream or null, got .+$/);
  expect(() => {
    memcpyDtoDAsync(memory, memory, 4, {} as never);
  }).toThrow(TypeError);
});

test('fromDevice() of less than one element is a RangeError that says so', () => {
  using memory = memAlloc(6);
  expect(() => fromDevice(memory, 'f64')).toThrow(
    new RangeError('fromDevice: the source has 6 bytes, less than one element of 8'),
  );
});
