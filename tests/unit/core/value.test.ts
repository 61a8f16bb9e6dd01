import { expect, test } from '@jest/globals';
import {
  Scalar,
  Value,
  Vector,
  bfloat16,
  float16,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  uint16,
  uint32,
  uint64,
  uint8,
  vectorType,
} from '../../../src/core/value.ts';

const float3 = vectorType('float3', 'f32', 3, 12, 4);

function bytesOf(value: Value): number[] {
  const bytes = new Uint8Array(value.byteLength);
  value.writeTo(new DataView(bytes.buffer), 0);
  return [...bytes];
}

test.each<[Scalar, string, number[]]>([
  [int8(-1), 'int8', [255]],
  [uint8(200), 'uint8', [200]],
  [int16(-2), 'int16', [254, 255]],
  [uint16(258), 'uint16', [2, 1]],
  [int32(-3), 'int32', [253, 255, 255, 255]],
  [uint32(2 ** 31), 'uint32', [0, 0, 0, 128]],
  [int64(-1), 'int64', Array<number>(8).fill(255)],
  [uint64(2n ** 63n), 'uint64', [0, 0, 0, 0, 0, 0, 0, 128]],
  [float16(1), 'float16', [0, 0x3c]],
  [bfloat16(1), 'bfloat16', [0x80, 0x3f]],
  [float32(1), 'float32', [0, 0, 0x80, 0x3f]],
  [float64(1), 'float64', [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
])('a scalar knows its type and writes its bytes (%#)', (scalar, name, bytes) => {
  expect(scalar.typeName).toBe(name);
  expect([scalar.byteLength, scalar.alignment]).toEqual([bytes.length, bytes.length]);
  expect(bytesOf(scalar)).toEqual(bytes);
});

test.each([
  () => int8(128),
  () => uint8(-1),
  () => int16(1.5),
  () => uint32(NaN),
  () => int64(2 ** 60),
  () => uint64(-1n),
])('a scalar out of range is a RangeError (%#)', (make) => {
  expect(make).toThrow(RangeError);
});

test.each([() => int32('3' as never), () => float32(undefined as never), () => float64(3n as never)])(
  'a scalar of another kind is a TypeError (%#)',
  (make) => {
    expect(make).toThrow(TypeError);
  },
);

test('Scalar and Vector are Values', () => {
  expect([int8(1) instanceof Scalar, int8(1) instanceof Value, int8(1) instanceof Vector]).toEqual([true, true, false]);
  expect([float3(1, 2, 3) instanceof Vector, float3(1, 2, 3) instanceof Value]).toEqual([true, true]);
});

test('vectorType() describes itself', () => {
  expect([float3.name, float3.dtype, float3.lanes, float3.byteLength, float3.alignment]).toEqual([
    'float3',
    'f32',
    3,
    12,
    4,
  ]);
});

test('a vector keeps its elements and writes them in order', () => {
  const vector = float3(1, 2, 3);
  expect(vector.values).toEqual([1, 2, 3]);
  expect(vector.typeName).toBe('float3');
  expect([...new Float32Array(Uint8Array.from(bytesOf(vector)).buffer)]).toEqual([1, 2, 3]);
});

test('a vector writes at an offset', () => {
  const view = new DataView(new ArrayBuffer(32));
  float3(1, 2, 3).writeTo(view, 8);
  expect([view.getFloat32(4, true), view.getFloat32(8, true), view.getFloat32(16, true)]).toEqual([0, 1, 3]);
});

test('a vector with too few or too many elements is a TypeError', () => {
  expect(() => float3(1, 2)).toThrow(new TypeError('float3 takes 3 numbers, got 2'));
  expect(() => float3(1, 2, 3, 4)).toThrow(new TypeError('float3 takes 3 numbers, got 4'));
});

test('a vector checks each element and names the one', () => {
  const uchar2 = vectorType('uchar2', 'u8', 2, 2, 2);
  expect(() => uchar2(1, 256)).toThrow(new RangeError('Element 1 of uchar2 is uint8: 256 is not in 0 to 255'));
  expect(() => uchar2('1' as never, 2)).toThrow(TypeError);
});
