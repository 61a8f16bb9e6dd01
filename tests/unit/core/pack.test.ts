import { describe, expect, test } from '@jest/globals';
import { ArgumentBlock, describeSlot, writerFor, type PointerRules, type Slot } from '../../../src/core/pack.ts';
import { parseType } from '../../../src/core/signature.ts';
import { struct } from '../../../src/core/struct.ts';
import {
  bfloat16,
  float16,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  uint32,
  uint64,
  vectorType,
} from '../../../src/core/value.ts';

const POINTERS: PointerRules = {
  address: (value) => {
    if (typeof value === 'bigint') return value;
    return typeof value === 'object'
      ? ((value as { ptr?: bigint } | null)?.ptr ?? (value === null ? 0n : undefined))
      : undefined;
  },
  elements: () => 0,
  dialect: 'cuda',
  bytesAdvice: 'its address',
  wanted: 'device memory or null',
  hostAdvice: 'copy it',
};

/** A parameter of that C type, 8 bytes into the block. */
function slot(c: string, byteLength?: number): Slot {
  const type = parseType(c, 'cuda');
  return { kernel: 'f', index: 2, name: 'x', type, byteOffset: 8, byteLength: byteLength ?? type.size ?? 0 };
}

/** Pack one value; the view begins at the parameter. */
function pack(at: Slot, value: unknown): DataView {
  const block = new ArgumentBlock(40);
  writerFor(at, POINTERS)(block, value);
  return new DataView(block.view.buffer, 8);
}

describe('writerFor() a number', () => {
  test.each<[string, unknown, (view: DataView) => unknown, unknown]>([
    ['int', -7, (view) => view.getInt32(0, true), -7],
    ['int', 7n, (view) => view.getInt32(0, true), 7],
    ['unsigned int', 0xffff_ffff, (view) => view.getUint32(0, true), 0xffff_ffff],
    ['char', -128, (view) => view.getInt8(0), -128],
    ['unsigned char', 255, (view) => view.getUint8(0), 255],
    ['short', -2, (view) => view.getInt16(0, true), -2],
    ['unsigned short', 65535, (view) => view.getUint16(0, true), 65535],
    ['long long', -(2 ** 40), (view) => view.getBigInt64(0, true), -(2n ** 40n)],
    ['long long', Number.MAX_SAFE_INTEGER, (view) => view.getBigInt64(0, true), 2n ** 53n - 1n],
    ['unsigned long long', 2n ** 64n - 1n, (view) => view.getBigUint64(0, true), 2n ** 64n - 1n],
    ['size_t', 2 ** 33 + 5, (view) => view.getBigUint64(0, true), 2n ** 33n + 5n],
    ['float', 0.1, (view) => view.getFloat32(0, true), Math.fround(0.1)],
    ['float', NaN, (view) => view.getFloat32(0, true), NaN],
    ['double', 0.1, (view) => view.getFloat64(0, true), 0.1],
    ['double', -Infinity, (view) => view.getFloat64(0, true), -Infinity],
    ['__half', 1.5, (view) => view.getUint16(0, true), 0x3e00],
    ['__nv_bfloat16', 1.5, (view) => view.getUint16(0, true), 0x3fc0],
    ['__nv_bfloat16', bfloat16(1.5), (view) => view.getUint16(0, true), 0x3fc0],
    ['int', int32(5), (view) => view.getInt32(0, true), 5],
    ['unsigned int', int32(5), (view) => view.getInt32(0, true), 5],
    ['long long', int64(-5), (view) => view.getBigInt64(0, true), -5n],
    ['float', float32(0.5), (view) => view.getFloat32(0, true), 0.5],
    ['bool', true, (view) => view.getUint8(0), 1],
    ['bool', 0, (view) => view.getUint8(0), 0],
  ])('packs %s = %p', (c, value, read, expected) => {
    expect(read(pack(slot(c), value))).toBe(expected);
  });

  test.each<[string, unknown, RegExp]>([
    ['int', 2 ** 31, /2147483648 is not in/],
    ['int', 2 ** 40, /is not in -2147483648 to 2147483647/],
    ['int', 1.5, /is not an integer/],
    ['int', NaN, /NaN is not an integer/],
    ['unsigned int', -1, /-1 is not in 0 to 4294967295/],
    ['char', 128, /is not in -128 to 127/],
    ['unsigned char', 256, /is not in 0 to 255/],
    ['unsigned short', -1, /is not in 0 to 65535/],
    ['size_t', -1, /-1 is not in 0 to/],
    ['size_t', 2 ** 53, /pass 9007199254740992 as a bigint/],
    ['unsigned long long', 2n ** 64n, /is not in 0 to/],
    ['long long', 2n ** 63n, /is not in/],
    ['unsigned int', int32(-1), /-1 is not in 0 to 4294967295/],
  ])('refuses %s = %p as out of range', (c, value, message) => {
    expect(() => pack(slot(c), value)).toThrow(RangeError);
    expect(() => pack(slot(c), value)).toThrow(message);
  });

  test.each<[string, unknown, RegExp]>([
    ['int', '3', /f: argument 2 \(int x\) is int32: it takes an integer, got the string "3"/],
    ['int', undefined, /got undefined/],
    ['int', null, /got null/],
    ['int', true, /got true/],
    ['int', {}, /got an Object/],
    ['float', 1n, /f: argument 2 \(float x\) is float32: it takes a number, got 1n/],
    ['float', '1', /got/],
    ['int', float32(1), /does not take float32; pass a plain number or int32\(…\)/],
    ['int', int16(1), /does not take int16/],
    ['int', int64(1), /does not take int64/],
    ['float', int32(1), /does not take int32/],
    ['double', float32(1), /does not take float32/],
    ['bool', 2, /takes true or false, got 2/],
    ['bool', 'true', /takes true or false/],
    ['bool', undefined, /takes true or false/],
  ])('refuses %s = %p as a wrong kind', (c, value, message) => {
    expect(() => pack(slot(c), value)).toThrow(TypeError);
    expect(() => pack(slot(c), value)).toThrow(message);
  });
});

describe('writerFor() a pointer', () => {
  const pointer = slot('const float *');

  test.each([
    [5n, 5n],
    [{ ptr: 9n }, 9n],
    [null, 0n],
  ])('packs %p', (value, expected) => {
    expect(pack(pointer, value).getBigUint64(0, true)).toBe(expected);
  });

  test.each([
    [new Float32Array(4), 'f: argument 2 (const float *x) is a pointer to device memory, got a host array: copy it'],
    [new ArrayBuffer(4), 'f: argument 2 (const float *x) is a pointer to device memory, got a host array: copy it'],
    [12, 'f: argument 2 (const float *x) is a pointer: pass device memory or null, got 12'],
    [undefined, 'f: argument 2 (const float *x) is a pointer: pass device memory or null, got undefined'],
    ['x', 'f: argument 2 (const float *x) is a pointer: pass device memory or null, got the string "x"'],
  ])('refuses %p', (value, message) => {
    expect(() => pack(pointer, value)).toThrow(new TypeError(message));
  });
});

test('a half and a bfloat16 do not take each other, though their sizes are equal', () => {
  expect(() => pack(slot('__nv_bfloat16'), float16(1))).toThrow(/does not take float16.*bfloat16\(…\)/);
  expect(() => pack(slot('__half'), bfloat16(1))).toThrow(/does not take bfloat16/);
  const half2 = vectorType('half2', 'f16', 2, 4, 4);
  const bfloat162 = vectorType('bfloat162', 'bf16', 2, 4, 4);
  expect(pack(slot('__nv_bfloat162'), bfloat162(1, -2)).getUint32(0, true)).toBe(0xc000_3f80);
  expect(pack(slot('__half2'), half2(1, -2)).getUint32(0, true)).toBe(0xc000_3c00);
  expect(() => pack(slot('__nv_bfloat162'), half2(1, 2))).toThrow(TypeError);
  expect(() => pack(slot('__half2'), bfloat162(1, 2))).toThrow(TypeError);
});

describe('writerFor() a vector', () => {
  const float3 = vectorType('float3', 'f32', 3, 12, 4);
  const uint3 = vectorType('uint3', 'u32', 3, 12, 4);
  const float4 = vectorType('float4', 'f32', 4, 16, 16);

  test('packs one of its type', () => {
    const view = pack(slot('float3'), float3(1, 2, 3));
    expect([view.getFloat32(0, true), view.getFloat32(8, true)]).toEqual([1, 3]);
  });

  test.each([
    [uint3(1, 2, 3), 'uint3'],
    [float4(1, 2, 3, 4), 'float4'],
    [float32(1), 'float32'],
    [1, '1'],
    [[1, 2, 3], 'an Array'],
    [null, 'null'],
  ])('refuses %p', (value, came) => {
    expect(() => pack(slot('float3'), value)).toThrow(
      new TypeError(`f: argument 2 (float3 x) takes a float3(…), got ${came}`),
    );
  });

  test('tells signs apart', () => {
    const int3 = vectorType('int3', 'i32', 3, 12, 4);
    expect(() => pack(slot('uint3'), int3(1, 2, 3))).toThrow(/takes a uint3\(…\), got int3/);
  });
});

describe('writerFor() what is known by its size alone', () => {
  const Pair = struct({ a: 'i32', b: 'i32' });
  const nothing: Slot = { kernel: 'f', index: 0, name: undefined, type: undefined, byteOffset: 8, byteLength: 8 };

  test('packs a struct of that size', () => {
    const view = pack(slot('Pair', 8), Pair({ a: 1, b: 2 }));
    expect([view.getInt32(0, true), view.getInt32(4, true)]).toEqual([1, 2]);
  });

  test('packs a typed scalar of that size', () => {
    expect(pack(nothing, uint64(7)).getBigUint64(0, true)).toBe(7n);
    expect(pack(nothing, float64(0.5)).getFloat64(0, true)).toBe(0.5);
  });

  test('packs a memory object into 8 bytes', () => {
    expect(pack(nothing, { ptr: 77n }).getBigUint64(0, true)).toBe(77n);
  });

  test.each([
    [int8(1), 'f: argument 0 has 8 bytes; the int8 has 1'],
    [uint32(1), 'f: argument 0 has 8 bytes; the uint32 has 4'],
    [5, 'f: argument 0 has 8 bytes: pass a struct(…) value or a typed scalar such as int32(…), got 5'],
    [5n, 'f: argument 0 has 8 bytes: pass a struct(…) value or a typed scalar such as int32(…), got 5n'],
    [undefined, 'f: argument 0 has 8 bytes: pass a struct(…) value or a typed scalar such as int32(…), got undefined'],
  ])('refuses %p', (value, message) => {
    expect(() => pack(nothing, value)).toThrow(new TypeError(message));
  });

  test('refuses a struct of another size', () => {
    expect(() => pack(slot('Big', 24), Pair({ a: 1, b: 2 }))).toThrow(
      /f: argument 2 \(Big x\) has 24 bytes; the struct has 8/,
    );
  });
});

test('a refused value leaves the other arguments alone', () => {
  const block = new ArgumentBlock(16);
  block.u8.fill(0xaa);
  expect(() => {
    writerFor(slot('short'), POINTERS)(block, 2 ** 20);
  }).toThrow(RangeError);
  expect([...block.u8]).toEqual(Array<number>(16).fill(0xaa));
});

test('an ArgumentBlock is at least 8 bytes, and a multiple of 8', () => {
  expect([0, 1, 8, 9, 13].map((size) => new ArgumentBlock(size).view.byteLength)).toEqual([8, 8, 8, 16, 16]);
});

test('describeSlot() names what is known', () => {
  const at = { kernel: 'f', index: 3, byteOffset: 0, byteLength: 4 };
  const type = parseType('int', 'cuda');
  expect(describeSlot({ ...at, name: undefined, type: undefined })).toBe('f: argument 3');
  expect(describeSlot({ ...at, name: 'n', type: undefined })).toBe('f: argument 3 (n)');
  expect(describeSlot({ ...at, name: undefined, type })).toBe('f: argument 3 (int)');
  expect(describeSlot({ ...at, name: 'n', type })).toBe('f: argument 3 (int n)');
  expect(describeSlot({ ...at, name: 'p', type: parseType('float *', 'cuda') })).toBe('f: argument 3 (float *p)');
});

test('writerFor() a bool takes one of ref-napi', () => {
  const made = (byte: number, size = 1): Uint8Array =>
    Object.assign(new Uint8Array(size).fill(byte), { type: { name: 'bool', size, indirection: 1 } });
  expect(pack(slot('bool'), made(1)).getUint8(0)).toBe(1);
  expect(pack(slot('bool'), made(0)).getUint8(0)).toBe(0);
  expect(() => pack(slot('bool'), made(1, 4))).toThrow(TypeError);
});
