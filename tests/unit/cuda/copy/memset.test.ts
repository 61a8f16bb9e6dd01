import { describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { fromDevice, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { float16, float32, float64, int32, int8 } from '../../../../src/core/value.ts';
import { memsetD2D8 } from '../../../../src/cuda/copy/memset-2d.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import {
  memsetD16,
  memsetD16Async,
  memsetD32,
  memsetD32Async,
  memsetD8,
  memsetD8Async,
} from '../../../../src/cuda/copy/memset.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

const FORMS = [
  ['memsetD8', memsetD8, 1],
  ['memsetD16', memsetD16, 2],
  ['memsetD32', memsetD32, 4],
  ['memsetD8Async', memsetD8Async, 1],
  ['memsetD16Async', memsetD16Async, 2],
  ['memsetD32Async', memsetD32Async, 4],
] as const;

describe.each(FORMS)('%s()', (name, fill, bytes) => {
  const dtype = ({ 1: 'u8', 2: 'u16', 4: 'u32' } as const)[bytes];
  const most = 2 ** (8 * bytes) - 1;

  test('fills that many elements with the whole value', () => {
    using memory = toDevice(new Uint8Array(16));
    fill(memory, most - 1, 8 / bytes);
    const found = [...fromDevice(memory, dtype)];
    expect(found.slice(0, 8 / bytes)).toEqual(Array<number>(8 / bytes).fill(most - 1));
    expect(found.slice(8 / bytes)).toEqual(Array<number>(8 / bytes).fill(0));
  });

  test.each([-1, most + 1, 0.5, NaN])('refuses the value %p', (value) => {
    using memory = memAlloc(16);
    const attempt = (): void => fill(memory, value, 1);
    expect(attempt).toThrow(RangeError);
    expect(attempt).toThrow(`${name}: the value must be an integer from 0 to ${most}, got ${value}`);
  });

  test.each([0, -1, 0.5, NaN])('refuses the count %p', (count) => {
    using memory = memAlloc(16);
    const attempt = (): void => fill(memory, 0, count);
    expect(attempt).toThrow(new RangeError(`${name}: the count must be an integer >= 1, got ${count}`));
  });

  test.each(['1', undefined, null, {}])('refuses the value and the count %p', (odd) => {
    using memory = memAlloc(16);
    expect(() => fill(memory, odd as never, 1)).toThrow(TypeError);
    expect(() => fill(memory, 1, odd as never)).toThrow(TypeError);
  });

  test('refuses more than the memory has', () => {
    using memory = memAlloc(16);
    expect(() => fill(memory, 0, 16 / bytes + 1)).toThrow(
      new RangeError(`${name}: the destination has 16 bytes; ${16 + bytes} were asked for`),
    );
  });

  test.each([undefined, null, 0n, new Uint8Array(16), 'x', {}])('refuses %p as device memory', (odd) => {
    expect(() => fill(odd as never, 0, 1)).toThrow(TypeError);
  });

  test('refuses freed memory', () => {
    const memory = memAlloc(16);
    memory.free();
    expect(() => fill(memory, 0, 1)).toThrow(ClosedError);
  });

  test('refuses an address that is not aligned to the element', () => {
    using memory = memAlloc(16);
    const attempt = (): void => fill(memory.slice(1), 0, 1);
    if (bytes === 1) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(new RangeError(`${name}: the address is not a multiple of ${bytes}`));
  });
});

test.each([
  ['memsetD8Async', memsetD8Async],
  ['memsetD16Async', memsetD16Async],
  ['memsetD32Async', memsetD32Async],
])('%s() runs on its stream, and refuses other values', (name, fill) => {
  using memory = memAlloc(4);
  using stream = new Stream();
  let used: unknown;
  fake.onCall = (routine, args) => {
    if (routine === `cu${name.replace('mem', 'Mem')}`) used = args.at(-1);
  };
  fill(memory, 0, 1, stream);
  fake.onCall = undefined;
  expect(used).toBe(stream.handle);
  expect(() => fill(memory, 0, 1, 5 as never)).toThrow(
    new TypeError(`${name}: stream must be a Stream or null, got 5`),
  );
});

test('a fill takes a value of a type as its bits', () => {
  using memory = memAlloc(16);
  memsetD32(memory, float32(1.5), 4);
  expect([...fromDevice(memory, 'f32')]).toEqual([1.5, 1.5, 1.5, 1.5]);
  memsetD32(memory, int32(-2), 2);
  expect([...fromDevice(memory, 'i32')].slice(0, 2)).toEqual([-2, -2]);
  memsetD16(memory, float16(1), 8);
  expect([...fromDevice(memory, 'u16')]).toEqual(Array(8).fill(0x3c00));
  memsetD2D8(memory, 4, int8(-1), 2, 4);
  expect([...fromDevice(memory, 'u8')].slice(0, 4)).toEqual([255, 255, 0, 0x3c]);
});

test('a fill names the typed value where a number is not a pattern of bits', () => {
  using memory = memAlloc(16);
  expect(() => {
    memsetD32(memory, 1.5, 4);
  }).toThrow(/an integer from 0 to 4294967295, got 1.5 \(the bits; float32\(…\) is a number\)/);
  expect(() => {
    memsetD32(memory, float64(1), 2);
  }).toThrow(/memsetD32 fills elements of 4 bytes; double\(1\) has 8|float64\(1\) has 8/);
});
