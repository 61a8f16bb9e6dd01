import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { crc32 } from '../../../src/array/crc32.ts';
import { decodeNpy, encodeNpy } from '../../../src/array/npy.ts';
import { decodeNpz, encodeNpz } from '../../../src/array/npz.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { thrown } from '../../helpers/thrown.ts';

// Written by numpy.savez and numpy.savez_compressed of NumPy 2.4, which use zip64 records.
const STORED = [
  'UEsDBC0AAAAAAAAAIQBqz/JR//////////8FABQAYS5ucHkBABAAhgAAAAAAAACGAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzogJzxpMicsIC',
  'dmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgzLCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg',
  'ICAgICAgICAgICAgICAgICAKAAABAAIAUEsDBC0AAAAAAAAAIQD9z6UI//////////8LABQAd2VpZ2h0cy5ucHkBABAAiAAAAAAAAACIAAAAAA',
  'AAAJNOVU1QWQEAdgB7J2Rlc2NyJzogJzxmNCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgxLCAyKSwgfSAgICAgICAgICAg',
  'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAADAPwAAAMBQSwECLQMtAAAAAAAAACEAas/yUYYAAACGAA',
  'AABQAAAAAAAAAAAAAAgAEAAAAAYS5ucHlQSwECLQMtAAAAAAAAACEA/c+lCIgAAACIAAAACwAAAAAAAAAAAAAAgAG9AAAAd2VpZ2h0cy5ucHlQ',
  'SwUGAAAAAAIAAgBsAAAAggEAAAAA',
].join('');
const DEFLATED = [
  'UEsDBC0AAAAIAAAAIQB8fZ0a//////////8JABQAemVyb3MubnB5AQAQAKADAAAAAAAATgAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuk2',
  'ahrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGBgY6mjoKtQpkAy6GUTAKRgFOAABQSwMELQAAAAgAAAAhAO4Zu13//////////wkA',
  'FABmbGFncy5ucHkBABAAggAAAAAAAABGAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loF6TZKiuo6Cell9UUpSYF59flJIKEndLzClOBYoXZy',
  'QWpAL5GkY6mjoKtQoUAC5GBgBQSwECLQMtAAAACAAAACEAfH2dGk4AAACgAwAACQAAAAAAAAAAAAAAgAEAAAAAemVyb3MubnB5UEsBAi0DLQAA',
  'AAgAAAAhAO4Zu11GAAAAggAAAAkAAAAAAAAAAAAAAIABiQAAAGZsYWdzLm5weVBLBQYAAAAAAgACAG4AAAAKAQAAAAA=',
].join('');

const inflate = (data: Uint8Array, size: number): Uint8Array =>
  new Uint8Array(inflateRawSync(data, { maxOutputLength: size }));
const deflate = (data: Uint8Array): Uint8Array => new Uint8Array(deflateRawSync(data));

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

const numbers = encodeNpy({ dtype: 'f32', shape: [2] }, new Uint8Array(Float32Array.of(1, 2).buffer));
const zeros = encodeNpy({ dtype: 'u8', shape: [1000] }, new Uint8Array(1000));

test('the checksum is that of zip', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

describe('files of NumPy', () => {
  test('stored members', () => {
    const members = decodeNpz(bytesOf(STORED), inflate);
    expect([...members.keys()]).toEqual(['a', 'weights']);
    const a = decodeNpy(members.get('a') ?? new Uint8Array());
    expect([a.dtype, ...new Int16Array(a.data.slice().buffer)]).toEqual(['i16', 0, 1, 2]);
    const weights = decodeNpy(members.get('weights') ?? new Uint8Array());
    expect([weights.shape, ...new Float32Array(weights.data.slice().buffer)]).toEqual([[1, 2], 1.5, -2]);
  });

  test('deflated members', () => {
    const members = decodeNpz(bytesOf(DEFLATED), inflate);
    const zeros = decodeNpy(members.get('zeros') ?? new Uint8Array());
    expect([zeros.dtype, zeros.shape, zeros.data.every((byte) => byte === 0)]).toEqual(['f64', [100], true]);
    expect([...decodeNpy(members.get('flags') ?? new Uint8Array()).data]).toEqual([1, 0]);
  });
});

test.each([
  ['stored', undefined],
  ['deflated', deflate],
])('what was written is read again, %s', (_, compress) => {
  const members = new Map([
    ['x', numbers],
    ['größe/y', zeros],
  ]);
  const file = encodeNpz(members, compress);
  expect(decodeNpz(file, inflate)).toEqual(members);
  expect(file.length < zeros.length).toBe(compress !== undefined);
  expect(encodeNpz(members, compress)).toEqual(file);
});

test('an archive may have nothing in it, and a comment', () => {
  const file = encodeNpz([]);
  expect(decodeNpz(file, inflate).size).toBe(0);
  const commented = Uint8Array.of(...file, 65, 66, 67);
  commented[file.length - 2] = 3;
  expect(decodeNpz(commented, inflate).size).toBe(0);
});

describe('what is refused', () => {
  test('names', () => {
    const pair = (name: string): readonly [string, Uint8Array] => [name, numbers];
    expect(thrown(() => encodeNpz([pair('x'), pair('x')]))).toBe(
      "RangeError: members must have each name once, got 'x' twice",
    );
    expect(thrown(() => encodeNpz([pair('\0')]))).toMatch(/^RangeError: The name of a member must have no NUL/);
    expect(thrown(() => encodeNpz([pair('x'.repeat(65_532))]))).toBe(
      'RangeError: The name of a member must have at most 65531 bytes, got 65532',
    );
  });

  test('a member that is not an .npy file', () => {
    expect(thrown(() => encodeNpz([['x', Uint8Array.of(1)]]))).toBe(
      "TypeError: The member 'x' must be the bytes of an .npy file: encodeNpy() makes them",
    );
  });

  test('another byte in a member', () => {
    const file = encodeNpz([['x', numbers]]);
    const at = file.length - 22 - 51 - 1;
    file[at] = 77;
    expect(thrown(() => decodeNpz(file, inflate))).toMatch(
      /^SyntaxError: The \.npz file's member 'x\.npy' is damaged: its CRC-32 must be 0x[0-9a-f]{8}, got 0x[0-9a-f]{8}$/,
    );
  });

  test('no archive', () => {
    expect(thrown(() => decodeNpz(numbers, inflate))).toMatch(/^SyntaxError: It is not an \.npz file/);
  });
});

test('a damaged archive is refused in our own words, or has other members', () => {
  const random = randomOf(21);
  const outcomes = new Set<string>();
  const attempt = (file: Uint8Array): void => {
    try {
      decodeNpz(file, inflate);
      outcomes.add('read');
    } catch (error) {
      outcomes.add((error as Error).constructor.name);
      expect(String(error)).toMatch(/npz/);
    }
  };
  for (const whole of [
    bytesOf(STORED),
    encodeNpz(
      [
        ['x', numbers],
        ['z', zeros],
      ],
      deflate,
    ),
  ]) {
    for (let length = 0; length < whole.length; length++) attempt(whole.subarray(0, length));
    for (let i = 0; i < 3000; i++) {
      const file = whole.slice();
      for (let changes = 0; changes <= i % 3; changes++) file[Math.floor(random() * file.length)] = random() * 256;
      attempt(file);
    }
  }
  expect([...outcomes].sort()).toEqual(['SyntaxError', 'TypeError', 'read']);
});
