import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Struct, struct, type FieldType, type Fields } from '../../../src/core/struct.ts';
import { Value, vectorType } from '../../../src/core/value.ts';
import { needs } from '../../helpers/require.ts';

const float3 = vectorType('float3', 'f32', 3, 12, 4);
const float4 = vectorType('float4', 'f32', 4, 16, 16);
const C_NAMES: Readonly<Record<string, string>> = {
  i8: 'int8_t',
  u8: 'uint8_t',
  i16: 'int16_t',
  u16: 'uint16_t',
  i32: 'int32_t',
  u32: 'uint32_t',
  i64: 'int64_t',
  u64: 'uint64_t',
  f16: 'uint16_t',
  f32: 'float',
  f64: 'double',
  bool: '_Bool',
  ptr: 'void *',
};

const Small = struct({ a: 'i8', b: 'i16' });
const Wide = struct({ tag: 'u8', x: 'f64', y: 'u8' });
const Deep = struct({ c: 'i8', wide: Wide, list: [Small, 3], last: 'i8' });
const STRUCTS = new Map<unknown, string>([
  [Small, 'Small'],
  [Wide, 'Wide'],
  [Deep, 'Deep'],
]);
const LAYOUTS: Readonly<Record<string, Fields>> = {
  Small: { a: 'i8', b: 'i16' },
  Wide: { tag: 'u8', x: 'f64', y: 'u8' },
  Deep: { c: 'i8', wide: Wide, list: [Small, 3], last: 'i8' },
  One: { a: 'i8' },
  Pair: { n: 'i32', data: 'ptr' },
  Padded: { a: 'i8', b: 'i16', c: 'i8', d: 'i32', e: 'i8', f: 'i64', g: 'i8' },
  Tail: { x: 'f64', c: 'i8' },
  Halves: { h: 'f16', f: 'f32', g: 'f16', d: 'f64' },
  Flags: { a: 'bool', b: 'bool', n: 'i32', c: 'bool' },
  Arrays: { c: 'i8', list: ['i16', 3], d: 'i8', wide: ['f64', 2], p: ['ptr', 2], e: 'u8' },
  Packed3: { c: 'i8', v: float3, d: 'i8' },
  Aligned4: { c: 'i8', v: float4, d: 'i8' },
  Vectors: { c: 'i8', list: [float3, 2], wide: [float4, 2], d: 'i8' },
  Nested: { c: 'i8', small: Small, wide: Wide, d: 'i8' },
  Deeper: { c: 'i8', deep: Deep, list: [Deep, 2], d: 'i8' },
  Unsigned: { a: 'u8', b: 'u64', c: 'u16', d: 'u32', e: 'u8' },
};

/** `int16_t list[3];` */
function declare(name: string, type: FieldType): string {
  if (Array.isArray(type)) return `${cName(type[0] as FieldType)} ${name}[${String(type[1])}];`;
  return `${cName(type)} ${name};`;
}

function cName(type: FieldType): string {
  if (typeof type === 'string') return C_NAMES[type] ?? type;
  return STRUCTS.get(type) ?? (type as { readonly name: string }).name;
}

/** Assertions that C lays the fields out as `struct` does. */
function emit(name: string, fields: Fields): string {
  const layout = struct(fields);
  const members = Object.entries(fields).map(([field, type]) => declare(field, type));
  const offsets = Object.entries(layout.offsets).map(
    ([field, offset]) => `_Static_assert(offsetof(${name}, ${field}) == ${offset}, "${name}.${field}");`,
  );
  return [
    `typedef struct { ${members.join(' ')} } ${name};`,
    ...offsets,
    `_Static_assert(sizeof(${name}) == ${layout.byteLength}, "sizeof ${name}");`,
    `_Static_assert(_Alignof(${name}) == ${layout.alignment}, "alignof ${name}");`,
  ].join('\n');
}

needs.command('gcc').test('struct() lays fields out as gcc does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-struct-'));
  try {
    const text = [
      '#include <stddef.h>\n#include <stdint.h>',
      'typedef struct { float x, y, z; } float3;',
      'typedef struct { _Alignas(16) float x; float y, z, w; } float4;',
      ...Object.entries(LAYOUTS).map(([name, fields]) => emit(name, fields)),
    ].join('\n');
    const file = join(folder, 'layouts.c');
    writeFileSync(file, text);
    const { status, stderr } = spawnSync('gcc', ['-std=c11', '-fsyntax-only', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('struct() tells offsets, size and alignment', () => {
  const Params = struct({ n: 'i32', data: 'ptr', flag: 'bool' });
  expect(Params.offsets).toEqual({ n: 0, data: 8, flag: 16 });
  expect([Params.byteLength, Params.alignment]).toEqual([24, 8]);
});

const view = (value: Struct): DataView => {
  const bytes = new DataView(new ArrayBuffer(value.byteLength));
  value.writeTo(bytes, 0);
  return bytes;
};

test('a struct is a Value of its size and alignment', () => {
  const value = Small({ a: 1, b: 2 });
  expect(value instanceof Struct && value instanceof Value).toBe(true);
  expect([value.byteLength, value.alignment]).toEqual([4, 2]);
});

test('a struct writes each field at its offset, and zeros between', () => {
  const bytes = view(struct({ a: 'i8', b: 'f64', c: 'bool' })({ a: -1, b: 0.5, c: true }));
  expect([bytes.getInt8(0), bytes.getFloat64(8, true), bytes.getUint8(16)]).toEqual([-1, 0.5, 1]);
  expect([1, 2, 3, 7, 17, 23].map((i) => bytes.getUint8(i))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a pointer field takes an address, what has one, or null', () => {
  const P = struct({ p: 'ptr' });
  const addresses = [7n, { ptr: 9n }, null].map((p) => view(P({ p })).getBigUint64(0, true));
  expect(addresses).toEqual([7n, 9n, 0n]);
});

test('nested structs, vectors and arrays are written in place', () => {
  const T = struct({ inner: Small, v: float3, list: ['i16', 2], many: [Small, 2] });
  const many = [
    { a: 3, b: 4 },
    { a: 5, b: 6 },
  ];
  const bytes = view(T({ inner: { a: 1, b: 2 }, v: float3(1, 2, 3), list: [7, 8], many }));
  expect([bytes.getInt8(0), bytes.getInt16(2, true)]).toEqual([1, 2]);
  expect(bytes.getFloat32(T.offsets.v + 8, true)).toBe(3);
  expect(bytes.getInt16(T.offsets.list + 2, true)).toBe(8);
  expect(bytes.getInt16(T.offsets.many + 6, true)).toBe(6);
});

test('an array field takes a typed array', () => {
  const bytes = view(struct({ list: ['f32', 3] })({ list: Float32Array.of(1, 2, 3) as never }));
  expect(bytes.getFloat32(8, true)).toBe(3);
});

test('StructType.pack() puts structs one after another', () => {
  const bytes = Small.pack([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
  expect([...bytes]).toEqual([1, 0, 2, 0, 3, 0, 4, 0]);
});

test.each<[string, Fields, RegExp]>([
  ['no fields', {}, /at least one field/],
  ['an unknown dtype', { a: 'int' as never }, /Field a: unknown type; give i8, .*bool, ptr, a vector/],
  ['an inherited name', { a: 'toString' as never }, /unknown type/],
  ['undefined', { a: undefined as never }, /unknown type/],
  ['another function', { a: Float32Array as never }, /unknown type/],
  ['an unknown element', { a: ['int', 2] as never }, /unknown type/],
])('struct() refuses %s', (_, fields, message) => {
  expect(() => struct(fields)).toThrow(TypeError);
  expect(() => struct(fields)).toThrow(message);
});

test.each([0, -1, 1.5, NaN])('struct() refuses the array length %p', (length) => {
  expect(() => struct({ a: ['i8', length] })).toThrow(RangeError);
});

const All = struct({ n: 'i8', flag: 'bool', p: 'ptr', v: float3, inner: Small, list: ['i16', 2] });
const good = { n: 1, flag: true, p: null, v: float3(1, 2, 3), inner: { a: 1, b: 2 }, list: [1, 2] };

test.each<[string, object | undefined | null, new (...args: never[]) => Error, RegExp]>([
  ['nothing', undefined, TypeError, /struct takes an object of its fields, got undefined/],
  ['null', null, TypeError, /got null/],
  ['an unknown field', { ...good, m: 1 }, TypeError, /'m'/],
  ['a missing field', { ...good, n: undefined }, TypeError, /struct\.n is int8: it takes an integer, got undefined/],
  ['a number out of range', { ...good, n: 128 }, RangeError, /struct\.n is int8: 128 is not in -128 to 127/],
  ['a number for a bool', { ...good, flag: 1 }, TypeError, /struct\.flag takes true or false, got 1/],
  ['a number for a pointer', { ...good, p: 8 }, TypeError, /struct\.p is a pointer/],
  ['a host array for a pointer', { ...good, p: new Uint8Array(8) }, TypeError, /struct\.p is a pointer/],
  ['a number for a vector', { ...good, v: 1 }, TypeError, /struct\.v takes a float3\(…\), got 1/],
  ['another vector', { ...good, v: float4(1, 2, 3, 4) }, TypeError, /struct\.v takes a float3/],
  ['null for a vector', { ...good, v: null }, TypeError, /struct\.v takes a float3/],
  ['nothing for a struct', { ...good, inner: undefined }, TypeError, /struct\.inner takes an object of its fields/],
  ['a wrong nested field', { ...good, inner: { a: 1, b: 'x' } }, TypeError, /struct\.inner\.b is int16/],
  ['a short array', { ...good, list: [1] }, TypeError, /struct\.list takes 2 elements/],
  ['null for an array', { ...good, list: null }, TypeError, /struct\.list takes 2 elements, got null/],
  ['a number for an array', { ...good, list: 3 }, TypeError, /struct\.list takes 2 elements/],
  ['a wrong element', { ...good, list: [1, 0.5] }, RangeError, /struct\.list\[1\] is int16/],
])('a struct refuses %s', (_, values, kind, message) => {
  const make = (): unknown => All(values as never);
  expect(make).toThrow(kind);
  expect(make).toThrow(message);
});

test('unpack() reads back what pack() wrote: nested structs, arrays of structs, vectors, pointers', () => {
  const Point = struct({ x: 'f32', y: 'f64' });
  const Whole = struct({
    id: 'u8',
    flag: 'bool',
    at: 'ptr',
    big: 'i64',
    half: 'f16',
    v: float3,
    one: Point,
    all: [Point, 2],
  });
  const values = [1, 2, 3].map((i) => ({
    id: i,
    flag: i === 2,
    at: BigInt(i) << 40n,
    big: -(2n ** 60n) - BigInt(i),
    half: i / 2,
    v: float3(i, i + 1, i + 2),
    one: { x: i, y: -i },
    all: [
      { x: 0.5, y: i },
      { x: i, y: 1e300 },
    ],
  }));
  const read = Whole.unpack(Whole.pack(values));
  expect(read).toEqual(values.map((value, i) => ({ ...value, v: [i + 1, i + 2, i + 3] })));
  const [first] = read;
  const typed: [number | undefined, bigint | undefined, boolean | undefined] = [first?.one.y, first?.at, first?.flag];
  expect(typed).toEqual([-1, 1n << 40n, false]);
  const part = new Uint8Array([0, ...Whole.pack(values)]).subarray(1);
  expect(Whole.unpack(part)).toEqual(read);
});

test('unpack() and pack() refuse what is not a whole number of structs', () => {
  const Pair = struct({ a: 'i32', b: 'i8' });
  expect(() => Pair.unpack(new Uint8Array(12))).toThrow(/must be a multiple of 8, the size of the struct, got 12/);
  expect(() => Pair.unpack(undefined as never)).toThrow(TypeError);
  expect(() => Pair.pack({ a: 1, b: 2 } as never)).toThrow(/struct\.pack takes an array of structs/);
});

needs.command('gcc').test('unpack() reads an array of structs that a C program wrote', () => {
  const Inner = struct({ c: 'i8', s: 'i16' });
  const Outer = struct({ a: 'i8', d: 'f64', inner: [Inner, 2], v: float3, p: 'ptr', tail: 'u8' });
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-struct-'));
  try {
    const source = join(folder, 'write.c');
    writeFileSync(
      source,
      `#include <stdio.h>
struct inner { signed char c; short s; };
struct outer { signed char a; double d; struct inner inner[2]; float v[3]; void *p; unsigned char tail; };
int main(void) {
  struct outer all[3];
  for (int i = 0; i < 3; i++) {
    struct outer one = { -i, i + 0.5, { { i, 100 * i }, { -i, -100 * i } }, { i, 2 * i, 3 * i }, (void *)(0x1000L * i), 255 - i };
    all[i] = one;
  }
  return fwrite(all, sizeof all, 1, stdout) == 1 ? 0 : 1;
}
`,
    );
    const program = join(folder, 'write');
    expect(spawnSync('gcc', [source, '-o', program], { encoding: 'utf8' }).stderr).toBe('');
    const { stdout } = spawnSync(program);
    expect(Outer.unpack(stdout)).toEqual(
      [0, 1, 2].map((i) => ({
        a: 0 - i,
        d: i + 0.5,
        inner: [
          { c: i, s: 100 * i },
          { c: 0 - i, s: 0 - 100 * i },
        ],
        v: [i, 2 * i, 3 * i],
        p: BigInt(0x1000 * i),
        tail: 255 - i,
      })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('struct() declares itself in both languages, structs of its fields first', () => {
  const Ray = struct({
    origin: Small,
    hits: [Small, 4],
    matrix: [['f32', 3], 2],
    next: 'ptr',
    on: 'bool',
    bits: 'f16',
    n: 'u64',
  });
  expect(Ray.declaration('Ray', 'cuda')).toBe(`\
typedef struct {
  signed char a;
  short b;
} Ray_origin;

typedef struct {
  Ray_origin origin;
  Ray_origin hits[4];
  float matrix[2][3];
  void *next;
  bool on;
  unsigned short bits;
  unsigned long long n;
} Ray;
`);
  expect(Ray.declaration('Ray', 'opencl')).toContain('  ulong next;\n  uchar on;\n  ushort bits;\n  ulong n;\n} Ray;');
});

test('struct() has vectors of the language that it is declared in', () => {
  const Lit = struct({ colour: float4, normal: float3 });
  expect(Lit.declaration('Lit', 'cuda')).toContain('  float4 colour;\n  float3 normal;');
  expect(() => Lit.declaration('Lit', 'opencl')).toThrow(
    'Lit.normal must be a vector of OpenCL C, got float3 with 12 bytes, aligned to 4; OpenCL C has it with 16 bytes, aligned to 16',
  );
  expect(() => Lit.declaration('Lit', 'metal' as never)).toThrow("dialect must be 'cuda' or 'opencl'");
  expect(() => Lit.declaration('float', 'cuda')).toThrow('The name of a struct must be a name in C');
  expect(() => struct({ int: 'i32' }).declaration('A', 'cuda')).toThrow('A field of A must be a name in C');
});

test('struct() packs and unpacks arrays of arrays', () => {
  const Matrix = struct({ rows: [['i16', 3], 2], tag: 'u8' });
  const values = [
    {
      rows: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      tag: 7,
    },
  ];
  expect(Matrix.byteLength).toBe(14);
  expect(Matrix.unpack(Matrix.pack(values))).toEqual(values);
});
