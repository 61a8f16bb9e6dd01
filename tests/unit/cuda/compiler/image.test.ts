import { expect, test } from '@jest/globals';
import { imageBytes, isText } from '../../../../src/cuda/compiler/image.ts';

/** An ELF file of one section table and one segment, as cubins are. */
function elf(contentBytes = 32): Uint8Array {
  const bytes = new Uint8Array(64 + contentBytes + 56 + 128);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46]);
  const segments = 64 + contentBytes;
  view.setBigUint64(32, BigInt(segments), true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  view.setBigUint64(segments + 8, 64n, true);
  view.setBigUint64(segments + 32, BigInt(contentBytes), true);
  view.setBigUint64(40, BigInt(segments + 56), true);
  view.setUint16(58, 64, true);
  view.setUint16(60, 2, true);
  return bytes;
}

function fatbin(payload: number): Uint8Array {
  const bytes = new Uint8Array(16 + payload);
  const view = new DataView(bytes.buffer);
  bytes.set([0x50, 0xed, 0x55, 0xba]);
  view.setUint16(6, 16, true);
  view.setBigUint64(8, BigInt(payload), true);
  return bytes;
}

test('imageBytes() of PTX text ends in a NUL', () => {
  expect([...imageBytes('.ver')]).toEqual([...Buffer.from('.ver\0')]);
  expect([...imageBytes(Buffer.from('.ver'))]).toEqual([...Buffer.from('.ver\0')]);
});

test('imageBytes() of text that has its NUL is left as it is', () => {
  const text = Buffer.from('.ver\0');
  expect(imageBytes(text).length).toBe(5);
});

test('imageBytes() of a view takes its part of the buffer', () => {
  expect(Buffer.from(imageBytes(Buffer.from('xx.verxx').subarray(2, 6))).toString()).toBe('.ver\0');
});

test('imageBytes() takes whole cubins and fatbins, unchanged', () => {
  for (const image of [elf(), fatbin(100)]) {
    expect(imageBytes(image)).toEqual(image);
    expect(imageBytes(image.buffer as ArrayBuffer)).toEqual(image);
  }
});

test.each([
  ['a cubin without its last byte', elf().subarray(0, -1), /its header says 280 bytes, got 279/],
  ['a cubin of half a header', elf().subarray(0, 30), /says 64 bytes, got 30/],
  ['a cubin without its tables', elf().subarray(0, 64), /The image is cut off/],
  ['a fatbin without its last byte', fatbin(100).subarray(0, -1), /says 116 bytes, got 115/],
  ['a fatbin of half a header', fatbin(100).subarray(0, 10), /says 16 bytes, got 10/],
])('imageBytes() refuses %s', (_, image, message) => {
  expect(() => imageBytes(image)).toThrow(RangeError);
  expect(() => imageBytes(image)).toThrow(message);
});

test('imageBytes() refuses a segment that goes beyond the end', () => {
  const image = elf();
  new DataView(image.buffer).setBigUint64(64 + 32 + 32, 10_000n, true);
  expect(() => imageBytes(image)).toThrow(/says 10064 bytes/);
});

test('imageBytes() refuses tables at absurd places', () => {
  for (const at of [32, 40]) {
    const image = elf();
    new DataView(image.buffer).setBigUint64(at, 2n ** 63n, true);
    expect(() => imageBytes(image)).toThrow(RangeError);
  }
});

test('imageBytes() refuses an empty image', () => {
  expect(() => imageBytes('')).toThrow(new RangeError('The image is empty: give PTX text, a cubin or a fatbin'));
  expect(() => imageBytes(new Uint8Array(0))).toThrow(RangeError);
});

test.each([undefined, null, 5, {}, [1]])('imageBytes(%p) is a TypeError', (image) => {
  expect(() => imageBytes(image as never)).toThrow(TypeError);
});

test('isText() tells PTX from binaries', () => {
  expect([isText(Buffer.from('.version')), isText(elf()), isText(fatbin(1))]).toEqual([true, false, false]);
});
