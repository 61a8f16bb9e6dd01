import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { crc32 } from '../../../src/array/crc32.ts';
import { encodeNpy } from '../../../src/array/npy.ts';
import { decodeNpz, encodeNpz, type Inflate } from '../../../src/array/npz.ts';
import { readZipDirectory } from '../../../src/array/zip-directory.ts';
import { centralHeader, endRecords, localHeader, UTF8_NAME, type ZipEntry } from '../../../src/array/zip-record.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { thrown } from '../../helpers/thrown.ts';

// Written by Python's zipfile to a pipe: sizes behind the data, a folder, a text, and a comment with the mark of an end record.
const STREAMED =
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAACAAAAZC9QSwMEFAAIAAgAGwd7XQAAAAAAAAAAAAAAAAcAAABkL3gubnB5m+wX6hsQychQxlCtnpJanFykbqWgbpNpoq6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvkaRjoKxpo6CrUKZAMuBiBgBGImIGYGYhYgZgViAFBLBwhQtE2EVQAAAJgAAABQSwMEFAAIAAgAGwd7XQAAAAAAAAAAAAAAAAgAAABub3RlLnR4dMvIBABQSwcIrCqT2AQAAAACAAAAUEsBAhQDFAAAAAAAAAAhAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAQAP9BAAAAAGQvUEsBAhQDFAAIAAgAGwd7XVC0TYRVAAAAmAAAAAcAAAAAAAAAAAAAAIABIAAAAGQveC5ucHlQSwECFAMUAAgACAAbB3tdrCqT2AQAAAACAAAACAAAAAAAAAAAAAAAgAGqAAAAbm90ZS50eHRQSwUGAAAAAAMAAwCbAAAA5AAAABoAYSBjb21tZW50IFBLBQYgd2l0aCBhIG1hcms=';

const npy = encodeNpy({ dtype: 'u8', shape: [2] }, Uint8Array.of(1, 2));
const inflate: Inflate = (data, size) => inflateRawSync(data, { maxOutputLength: size });
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A stored member of these bytes, with some facts changed. */
function entryOf(name: string, data: Uint8Array, changed: Partial<ZipEntry> = {}): ZipEntry {
  const facts = { flags: UTF8_NAME, method: 0, crc: crc32(data), compressedSize: data.length, size: data.length };
  return { name: text(name), offset: 0, ...facts, ...changed };
}

/** An archive of one member whose directory says something else than its own header. */
function archiveOf(data: Uint8Array, changed: Partial<ZipEntry>, name = 'x.npy'): Uint8Array {
  const local = localHeader(entryOf(name, data));
  const central = centralHeader(entryOf(name, data, changed));
  const offset = local.length + data.length;
  return Buffer.concat([local, data, central, endRecords({ count: 1, size: central.length, offset })]);
}

const refusal = (file: Uint8Array, read: Inflate = inflate): string => thrown(() => decodeNpz(file, read));
const MEMBER = "The .npz file's member 'x.npy'";

test('the checksum is the polynomial bit by bit, at any place and length', () => {
  const random = randomOf(3);
  const bytes = Uint8Array.from({ length: 80 }, () => random() * 256);
  const slow = (data: Uint8Array): number => {
    let crc = 0xffffffff;
    for (const byte of data) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
  };
  for (let start = 0; start < 10; start++) {
    for (let end = start; end <= bytes.length; end++) {
      const part = bytes.subarray(start, end);
      expect(crc32(part)).toBe(slow(part));
    }
  }
});

describe('what other writers make', () => {
  test('sizes behind the data, folders, members of other kinds, and a comment with a mark', () => {
    const members = decodeNpz(new Uint8Array(Buffer.from(STREAMED, 'base64')), inflate);
    expect([...members.keys()]).toEqual(['d/x', 'note.txt']);
    expect([...(members.get('note.txt') ?? [])]).toEqual([...text('hi')]);
    expect(members.get('d/x')?.length).toBe(152);
  });

  test('a comment of any length, but no other bytes behind the archive', () => {
    const file = encodeNpz([['x', npy]]);
    for (const length of [1, 21, 22, 23, 1000, 65_535]) {
      const commented = Buffer.concat([file, new Uint8Array(length).fill(0x50)]);
      expect(refusal(commented)).toMatch(/^SyntaxError: It is not an \.npz file/);
      commented.writeUInt16LE(length, file.length - 2);
      expect([...decodeNpz(commented, inflate).keys()]).toEqual(['x']);
    }
    expect(refusal(Buffer.concat([file, new Uint8Array(65_536)]))).toMatch(/^SyntaxError: It is not an \.npz file/);
  });

  test('names of code page 437 where the flag of UTF-8 is missing', () => {
    const file = archiveOf(npy, { flags: 0 }, 'é.npy');
    expect([...decodeNpz(file, inflate).keys()]).toEqual(['├⌐']);
  });

  test('65536 members, which need zip64 records', () => {
    const all = Array.from({ length: 65_536 }, (_, i) => [`a${i}`, npy] as const);
    const file = encodeNpz(all);
    const read = decodeNpz(file, inflate);
    expect([read.size, read.get('a65535')]).toEqual([65_536, npy]);
    const one = encodeNpz(all.slice(0, 65_534));
    expect(file.length - one.length).toBe(2 * (30 + 46 + 2 * 'a65535.npy'.length + npy.length) + 56 + 20);
  }, 60_000);
});

describe('sizes above 4 GiB', () => {
  const wide = { size: 2 ** 40 + 1, compressedSize: 2 ** 33 + 5, offset: 2 ** 34 + 7 };
  const facts = { flags: UTF8_NAME, method: 8, crc: 0xfedcba98, name: text('x.npy') };

  test.each([
    ['none', {}, 0],
    ['the size', { size: wide.size }, 12],
    ['both sizes', { size: wide.size, compressedSize: wide.compressedSize }, 20],
    ['the offset', { offset: wide.offset }, 12],
    ['all', wide, 28],
    ['one that is as large as the mark', { size: 0xffff_ffff }, 12],
  ])('%s', (_, changed, extra) => {
    const entry = { ...facts, size: 5, compressedSize: 4, offset: 0, ...changed };
    const central = centralHeader(entry);
    expect(central.length).toBe(46 + 5 + extra);
    const end = endRecords({ count: 1, size: central.length, offset: 0 });
    const message = thrown(() => readZipDirectory(Buffer.concat([central, end])));
    const last = entry.offset + 30 + 5 + entry.compressedSize;
    expect(message).toBe(
      `SyntaxError: The .npz file is damaged: a member at byte ${entry.offset} must end before byte 0, got an end of ${last}`,
    );
  });

  test('a local header has both sizes or none', () => {
    const entry = { ...facts, size: wide.size, compressedSize: 4, offset: 0 };
    const header = localHeader(entry);
    const view = new DataView(header.buffer);
    expect([header.length, view.getUint32(18, true), view.getUint32(22, true)]).toEqual([55, 2 ** 32 - 1, 2 ** 32 - 1]);
    expect([view.getBigUint64(39, true), view.getBigUint64(47, true)]).toEqual([BigInt(wide.size), 4n]);
    expect(localHeader({ ...entry, size: 5 }).length).toBe(35);
  });

  test('a directory that begins there', () => {
    const file = endRecords({ count: 3, size: 2 ** 20, offset: 2 ** 40 });
    expect(file.length).toBe(22 + 20 + 56);
    expect(thrown(() => readZipDirectory(file))).toBe(
      `SyntaxError: The .npz file is damaged: there is no zip64 end record at byte ${2 ** 40 + 2 ** 20}`,
    );
    const view = new DataView(file.buffer);
    view.setBigUint64(56 + 8, 0n, true);
    expect(thrown(() => readZipDirectory(file))).toBe(
      `SyntaxError: The .npz file is damaged: its directory of ${2 ** 20} bytes at ${2 ** 40} must end before byte 0`,
    );
  });
});

describe('what is refused', () => {
  test.each([
    ['encrypted', { flags: UTF8_NAME | 1 }, `TypeError: ${MEMBER} must not be encrypted`],
    ['strongly encrypted', { flags: UTF8_NAME | 0x40 }, `TypeError: ${MEMBER} must not be encrypted`],
    ['a patch', { flags: UTF8_NAME | 0x20 }, `TypeError: ${MEMBER} must be whole, got a patch`],
    ['bzip2', { method: 12 }, `TypeError: ${MEMBER} must be stored or deflated, got compression method 12`],
    ['another size', { size: 129 }, `SyntaxError: ${MEMBER} is damaged: it must be stored in 129 bytes, got 130`],
    [
      'a size that no compression reaches',
      { method: 8, size: 130 * 1032 + 1 },
      `SyntaxError: ${MEMBER} is damaged: its 130 deflated bytes hold at most 134160, not 134161`,
    ],
    [
      'another checksum',
      { crc: 5 },
      new RegExp(`^SyntaxError: ${MEMBER} is damaged: its CRC-32 must be 0x00000005, got`),
    ],
    ['another place', { offset: 1, compressedSize: 129, size: 129 }, /is damaged: there is no header at byte 1$/],
    ['another name', { name: text('y.npy') }, /member 'y\.npy' is damaged: its header at byte 0 has another name$/],
    ['a name that is no UTF-8', { name: Uint8Array.of(0xff) }, /is damaged: the name of a member is not UTF-8$/],
    [
      'too long',
      { compressedSize: 2 ** 50 },
      /a member at byte 0 must end before byte 165, got an end of 1125899906842659$/,
    ],
  ])('%s', (_, changed, message) => {
    const found = refusal(archiveOf(npy, changed));
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  test('members that share bytes', () => {
    const [local, central] = [localHeader(entryOf('x.npy', npy)), centralHeader(entryOf('x.npy', npy))];
    const end = endRecords({ count: 2, size: 2 * central.length, offset: local.length + npy.length });
    expect(refusal(Buffer.concat([local, npy, central, central, end]))).toBe(
      'SyntaxError: The .npz file is damaged: a member at byte 0 must end before byte 0, got an end of 165',
    );
  });

  test('two members of one name', () => {
    const names = ['x.npy', 'x.npy', 'x', 'x.npy'];
    for (let i = 0; i < names.length; i += 2) {
      const pair = names.slice(i, i + 2).map((name) => localHeader(entryOf(name, npy)));
      const [first, second] = pair as [Uint8Array, Uint8Array];
      const offset = first.length + npy.length;
      const central = Buffer.concat([
        centralHeader(entryOf(names[i] ?? '', npy)),
        centralHeader(entryOf(names[i + 1] ?? '', npy, { offset })),
      ]);
      const end = endRecords({ count: 2, size: central.length, offset: offset + second.length + npy.length });
      expect(refusal(Buffer.concat([first, npy, second, npy, central, end]))).toBe(
        "SyntaxError: The .npz file must have each name once, got 'x' twice",
      );
    }
  });

  test('a directory of other members than it says, and one on several disks', () => {
    const file = encodeNpz([['x', npy]]);
    const view = new DataView(file.buffer);
    const end = file.length - 22;
    view.setUint16(end + 10, 2, true);
    expect(refusal(file)).toBe(
      'SyntaxError: The .npz file must be one whole archive, got a part of one that is on several disks',
    );
    view.setUint16(end + 8, 2, true);
    expect(refusal(file)).toBe('SyntaxError: The .npz file is damaged: its directory must have 2 members, got 1');
    view.setUint32(end + 12, 50, true);
    expect(refusal(file)).toBe('SyntaxError: The .npz file is damaged: its directory has no whole record at byte 165');
    view.setUint32(end + 12, 52, true);
    expect(refusal(file)).toBe(
      'SyntaxError: The .npz file is damaged: its directory of 52 bytes at 165 must end before byte 216',
    );
  });

  test('functions that throw, or return something else', () => {
    const file = archiveOf(npy, { method: 8 });
    expect(refusal(archiveOf(new Uint8Array(7).fill(0xff), { method: 8 }))).toBe(
      `SyntaxError: ${MEMBER} is damaged: its deflated bytes cannot be read as 7 bytes`,
    );
    expect(refusal(file, () => npy.subarray(1))).toBe(
      `SyntaxError: ${MEMBER} is damaged: its deflated bytes must hold 130 bytes, got 129`,
    );
    expect(refusal(file, () => 'x' as unknown as Uint8Array)).toBe(
      'TypeError: What inflate returns must be a Uint8Array, got the string "x"',
    );
    expect(thrown(() => encodeNpz([['x', npy]], () => 1 as unknown as Uint8Array))).toBe(
      'TypeError: What deflate returns must be a Uint8Array, got 1',
    );
    // What deflate makes larger is stored.
    expect(encodeNpz([['x', npy]], () => new Uint8Array(500))).toEqual(encodeNpz([['x', npy]]));
  });

  test.each([
    [() => decodeNpz(npy, undefined as unknown as Inflate), 'TypeError: inflate must be a function, got undefined'],
    [() => encodeNpz([], 1 as unknown as () => Uint8Array), 'TypeError: deflate must be a function, got 1'],
    [() => encodeNpz({} as []), 'TypeError: members must be a Map or pairs of a name and bytes, got an Object'],
    [
      () => encodeNpz([npy] as unknown as []),
      'TypeError: members must hold pairs of a name and bytes, got a Uint8Array',
    ],
    [() => encodeNpz([[1, npy]] as unknown as []), 'TypeError: The name of a member must be a string, got 1'],
    [() => encodeNpz([['x', 1]] as unknown as []), "TypeError: The member 'x' must be a Uint8Array, got 1"],
    [
      () => encodeNpz([['\ud800', npy]]),
      "RangeError: The name of a member must have no NUL and no lone surrogate, got '?'",
    ],
  ])('%#', (act, message) => {
    expect(thrown(act)).toBe(message);
  });
});

test('each byte of an archive changed is refused in our own words, or read', () => {
  const file = new Uint8Array(Buffer.from(STREAMED, 'base64'));
  const odd = new Set<string>();
  let read = 0;
  for (let at = 0; at < file.length; at++) {
    const kept = file[at] ?? 0;
    for (const byte of [0, 1, 0x7f, 0xff, kept ^ 1, kept ^ 0x80, kept + 1]) {
      file[at] = byte;
      const message = refusal(file);
      if (message === 'nothing was thrown') read++;
      else if (!/^(?:Syntax|Type)Error: (?:The \.npz file|It is not an \.npz file)/.test(message)) odd.add(message);
    }
    file[at] = kept;
  }
  expect([...odd]).toEqual([]);
  expect(read).toBeGreaterThan(100);
});
