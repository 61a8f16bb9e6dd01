import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { arrayDTypes, type ArrayDType } from '../../../src/array/dtype.ts';
import { decodeNpy, encodeNpy } from '../../../src/array/npy.ts';
import { decodeNpz, encodeNpz, type Inflate } from '../../../src/array/npz.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-numpy-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

function ended(command: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || stdout);
  return stdout.trim();
}

const hasNumPy = spawnSync('python3', ['-c', 'import numpy']).status === 0;
if (!hasNumPy) process.stderr.write('Tests skipped: there is no NumPy\n');
const hasUnzip = spawnSync('unzip', ['-v']).status === 0;
if (!hasUnzip) process.stderr.write('Tests skipped: there is no unzip\n');

const SHAPES: readonly (readonly number[])[] = [[], [0], [4], [2, 3], [3, 0, 2], [2, 1, 3]];
const inflate: Inflate = (data, size) => inflateRawSync(data, { maxOutputLength: size });
/** Bytes whose pattern is the same in both languages, and are booleans where they have to be. */
const pattern = (size: number, dtype: ArrayDType): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (dtype === 'bool' ? i % 2 : (i * 37 + 11) % 64));
const cases = Object.values(arrayDTypes).flatMap(({ name, typestr, size }) =>
  SHAPES.flatMap((shape) =>
    [false, true].map((fortranOrder) => {
      const count = shape.reduce((product, length) => product * length, 1);
      const key = `${name}-${shape.join('x')}-${fortranOrder ? 'F' : 'C'}`;
      return { key, dtype: name, typestr, shape, fortranOrder, data: pattern(count * size, name) };
    }),
  ),
);

(hasNumPy ? describe : describe.skip)('NumPy', () => {
  test.each([
    ['stored', undefined],
    ['deflated', deflateRawSync],
  ])('reads every type, shape and order, %s, and its own files are read', (kind, deflate) => {
    const members = cases.map(({ key, data, ...array }) => [key, encodeNpy(array, data)] as const);
    writeFileSync(join(folder, `to-${kind}.npz`), encodeNpz(members, deflate));
    writeFileSync(
      join(folder, 'cases.json'),
      JSON.stringify(cases.map(({ data, ...rest }) => ({ ...rest, bytes: [...data] }))),
    );
    const script = `
import json, numpy as np
there, back = np.load('to-${kind}.npz'), {}
cases = json.load(open('cases.json'))
assert there.files == [case['key'] for case in cases]
for case in cases:
  a = there[case['key']]
  order = 'F' if case['fortranOrder'] else 'C'
  assert a.shape == tuple(case['shape']) and a.dtype == np.dtype(case['typestr']), case
  assert a.flags.f_contiguous if order == 'F' else a.flags.c_contiguous, case
  assert a.tobytes(order) == bytes(case['bytes']), case
  back[case['key']] = a
  if a.dtype.kind != 'V': back['>' + case['key']] = np.asarray(a, dtype=a.dtype.newbyteorder('>'), order=order)
np.savez${deflate ? '_compressed' : ''}('from-${kind}.npz', **back)
print(len(back))`;
    const swappable = cases.filter(({ dtype }) => dtype !== 'bf16').length;
    expect(ended('python3', '-c', script)).toBe(String(cases.length + swappable));
    const read = decodeNpz(readFileSync(join(folder, `from-${kind}.npz`)), inflate);
    expect(read.size).toBe(cases.length + swappable);
    for (const [name, file] of read) {
      const wanted = cases.find(({ key }) => key === name.replace(/^>/, ''));
      const { dtype, shape, data } = decodeNpy(file, { void2: 'bf16' });
      expect({ name, dtype, shape, data }).toEqual({
        name,
        dtype: wanted?.dtype,
        shape: wanted?.shape,
        data: wanted?.data,
      });
    }
  });

  test('takes the long header of version 2.0 apart as we do', () => {
    const shape = new Array<number>(30_000).fill(1);
    writeFileSync(join(folder, 'long.npy'), encodeNpy({ dtype: 'u8', shape }, Uint8Array.of(9)));
    const script = `
import numpy as np
file = open('long.npy', 'rb')
version = np.lib.format.read_magic(file)
shape, order, dtype = np.lib.format.read_array_header_2_0(file, max_header_size=10**6)
print(version, len(shape), order, dtype, file.tell() % 64, len(file.read()))`;
    expect(ended('python3', '-c', script)).toBe('(2, 0) 30000 False uint8 0 1');
  });
});

(hasUnzip ? test : test.skip)(
  'unzip finds no fault, with zip64 records and names outside ASCII too',
  () => {
    const npy = encodeNpy({ dtype: 'u8', shape: [1000] }, new Uint8Array(1000));
    const members = Array.from({ length: 65_600 }, (_, i) => [`größe ${i}`, npy] as const);
    const few = members.slice(0, 3);
    for (const file of [encodeNpz(members), encodeNpz(few), encodeNpz(few, deflateRawSync)]) {
      writeFileSync(join(folder, 'x.npz'), file);
      expect(ended('unzip', '-t', '-qq', 'x.npz')).toBe('');
    }
  },
  60_000,
);
