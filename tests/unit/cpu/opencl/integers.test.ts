import { beforeAll, describe, expect, test } from '@jest/globals';
import { some } from '../../../helpers/full.ts';
import type { OpenCLBench } from './bench.ts';
import { COMPILE_MS, openCLBench } from './compile.ts';
import { COUNT, integerArray, INTEGER_TYPES, INTEGERS, type IntegerType } from './conversions.ts';
import { integerEdges, INTEGER_FUNCTIONS, type IntegerFunction } from './integer-table.ts';

const WIDTHS = [2, 3, 4, 8, 16];

/** A kernel that calls the functions of a type over scalars, and one over vectors. */
function kernelsOf(type: IntegerType): string {
  const isFor = ({ types }: IntegerFunction): boolean => types?.includes(type) ?? true;
  const list = (count: number, of: (name: string) => string): string =>
    ['x', 'y', 'z'].slice(0, count).map(of).join(', ');
  const cases = (of: (one: IntegerFunction, i: number) => string): string =>
    INTEGER_FUNCTIONS.map((one, i) => (isFor(one) ? `case ${i}: ${of(one, i)} break;` : '')).join('\n');
  const scalars = cases((one) => `r[i] = convert_ulong(${one.name}(${list(one.arguments, (name) => `${name}[i]`)}));`);
  const vectors = cases((one, i) => {
    const width = WIDTHS[i % WIDTHS.length] ?? 2;
    const call = `${one.name}(${list(one.arguments, (name) => `vload${width}(i, ${name})`)})`;
    return `if (i < ${COUNT / width}) vstore${width}(convert_ulong${width}(${call}), i, r);`;
  });
  const head = `(int which, global const ${type} *x, global const ${type} *y, global const ${type} *z, global ulong *r)`;
  const start = `${head} { size_t i = get_global_id(0); switch (which) {`;
  return `kernel void scalars_${type}${start} ${scalars} } }\nkernel void vectors_${type}${start} ${vectors} } }`;
}

const TYPES = some(INTEGER_TYPES, 3);
const SOURCE = `${TYPES.map(kernelsOf).join('\n')}
kernel void pairs(global const long *x, global long *r) {
  int i = get_global_id(0);
  global long *p = r + 6 * i;
  p[0] = upsample((char)x[i], (uchar)(x[i] >> 8));
  p[1] = (long)upsample((uchar)x[i], (uchar)(x[i] >> 8));
  p[2] = upsample((short)x[i], (ushort)(x[i] >> 16));
  p[3] = upsample((ushort)x[i], (ushort)(x[i] >> 16));
  p[4] = upsample((int)x[i], (uint)(x[i] >> 32));
  p[5] = (long)upsample((uint2)((uint)x[i], 7), (uint2)((uint)(x[i] >> 32), 8)).x;
}
kernel void fields(global int *r, global long *l) {
  r[0] = bitfield_insert(0x12345678, 0xab, 8u, 8u), r[1] = bitfield_extract_unsigned((char)-1, 4u, 3u);
  r[2] = bitfield_extract_signed((uchar)0x70, 4u, 3u), r[3] = bit_reverse((ushort)1), r[4] = bit_reverse((char)2);
  r[5] = bitfield_insert(-1, 0, 0u, 32u), r[6] = bitfield_insert(5, 3, 32u, 0u), r[7] = bitfield_extract_signed(9, 32u, 0u);
  l[0] = bitfield_insert(0L, -1L, 60u, 4u), l[1] = bitfield_extract_signed(-16L, 0u, 64u), l[2] = bit_reverse(3L);
  vstore4(bitfield_extract_unsigned((uint4)(0xf0, 0xff, 0, 0x123), 4u, 4u), 2, (global uint *)r);
}
kernel void with_scalars(int4 v, int s, uchar8 w, uchar t, global int *r) {
  vstore4(max(v, s), 0, r);
  vstore4(min(v, s), 1, r);
  vstore4(clamp(v, -s, s), 2, r);
  vstore8(convert_int8(max(w, t)), 2, r);
}`;

let bench: OpenCLBench;
beforeAll(async () => {
  bench = await openCLBench(SOURCE, '-cl-std=CL2.0');
}, COMPILE_MS);

describe.each(TYPES)('%s', (type) => {
  const [bits] = INTEGERS[type];
  const functions = INTEGER_FUNCTIONS.filter(({ types }) => types?.includes(type) ?? true);
  test.each(functions)('$name', (of) => {
    const edges = integerEdges(type);
    const pick = (i: number): bigint => edges[i % edges.length] ?? 0n;
    // Every number with most of the others.
    const rows = Array.from({ length: COUNT }, (_, i) => [
      pick(i),
      pick(i + Math.floor(i / edges.length)),
      pick(3 * i + 1),
    ]);
    const columns = [0, 1, 2].map((k) => integerArray(type, rows.map((row) => row[k] ?? 0n))); // prettier-ignore
    const which = INTEGER_FUNCTIONS.indexOf(of);
    for (const kernel of ['scalars', 'vectors']) {
      const results = new BigUint64Array(COUNT);
      const [x, y, z] = columns;
      bench.run(`${kernel}_${type}`, { global: [COUNT], local: [48] }, [which, x ?? 0, y ?? 0, z ?? 0, results]);
      const wrong = rows.flatMap((row, i) => {
        const wanted = of.wanted(row, type);
        const got = results[i] ?? 0n;
        if (wanted === undefined || BigInt.asUintN(bits, got) === BigInt.asUintN(bits, wanted)) return [];
        return [`${kernel}: ${of.name}(${row.slice(0, of.arguments).join(', ')}) = ${got}, not ${wanted}`];
      });
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});

test('upsample puts two numbers side by side', () => {
  const numbers = [0n, -1n, 0x123456789abcdef0n, -0x123456789abcdefn];
  const results = new BigInt64Array(6 * numbers.length);
  bench.run('pairs', { global: [numbers.length], local: [1] }, [BigInt64Array.from(numbers), results]);
  const pair = (x: bigint, half: number): bigint =>
    (BigInt.asUintN(half, x) << BigInt(half)) | BigInt.asUintN(half, x >> BigInt(half));
  const wanted = numbers.flatMap((x) =>
    [8, 16, 32].flatMap((half) => [
      BigInt.asIntN(2 * half, pair(x, half)),
      BigInt.asIntN(64, BigInt.asUintN(2 * half, pair(x, half))),
    ]),
  );
  expect([...results]).toEqual(wanted);
});

test('bit fields', () => {
  const results = new Int32Array(12);
  const longs = new BigInt64Array(3);
  bench.run('fields', { global: [1], local: [1] }, [results, longs]);
  expect([...results]).toEqual([0x1234ab78, 7, -1, 0x8000, 64, 0, 5, 0, 15, 15, 0, 2]);
  expect([...longs]).toEqual([-(1n << 60n), -16n, -(1n << 62n)]);
});

test('one scalar for all elements', () => {
  const results = new Int32Array(24);
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 250, 251, 252);
  bench.run('with_scalars', { global: [1], local: [1] }, [Int32Array.of(-9, 2, 5, 9), 5, bytes, 100, results]);
  expect([...results]).toEqual([5, 5, 5, 9, -9, 2, 5, 5, -5, 2, 5, 5, ...[0, 0, 0, 0], 100, 100, 100, 100, 100, 250, 251, 252]); // prettier-ignore
});
