import { constants } from 'node:buffer';
import { expect, test } from '@jest/globals';
import { addressOf, detach, readText, viewOf } from '../../../src/ffi/memory.ts';

test('addressOf() is the address of the first byte of a view', () => {
  const buffer = new ArrayBuffer(64);
  expect(addressOf(new Uint8Array(buffer, 8)) - addressOf(buffer)).toBe(8n);
  expect(addressOf(new Float32Array(buffer, 12, 1)) - addressOf(buffer)).toBe(12n);
});

test('addressOf() of a small array stays good while the array lives', () => {
  const array = Int32Array.of(1, 2, 3);
  const address = addressOf(array);
  globalThis.gc?.();
  array[1] = 77;
  expect(addressOf(array)).toBe(address);
  expect([...new Int32Array(viewOf(address, 12).slice(0))]).toEqual([1, 77, 3]);
});

test('viewOf() aliases native memory in both directions', () => {
  const native = new Uint8Array(new ArrayBuffer(256));
  const view = new Uint8Array(viewOf(addressOf(native), 256));
  native[3] = 9;
  expect(view[3]).toBe(9);
  view[4] = 7;
  expect(native[4]).toBe(7);
  detach(view.buffer);
});

test('viewOf() may view the same memory again after a detach', () => {
  const native = new Uint8Array(new ArrayBuffer(64));
  for (let i = 1; i <= 20; i++) {
    const view = new Uint8Array(viewOf(addressOf(native), 64));
    view[0] = i;
    detach(view.buffer);
  }
  expect(native[0]).toBe(20);
});

test('detach() leaves the buffer and every view of it with length 0', () => {
  const native = new Uint8Array(new ArrayBuffer(64));
  const buffer = viewOf(addressOf(native), 64);
  const views = [new Uint8Array(buffer), new Float64Array(buffer, 8, 2), new DataView(buffer, 4, 4)];
  detach(buffer);
  expect(buffer.byteLength).toBe(0);
  expect([views[0]?.byteLength, views[1]?.byteLength]).toEqual([0, 0]);
  expect(() => (views[2] as DataView).getInt8(0)).toThrow(TypeError);
});

test('detach() leaves nothing to read or write', () => {
  const native = new Uint8Array(new ArrayBuffer(64));
  const view = new Uint8Array(viewOf(addressOf(native), 64));
  detach(view.buffer);
  view[0] = 5;
  expect(view[0]).toBeUndefined();
  expect(native[0]).toBe(0);
});

test('detach() does nothing a second time', () => {
  const buffer = new ArrayBuffer(8);
  detach(buffer);
  detach(buffer);
  expect(buffer.byteLength).toBe(0);
});

test('detach() works on an ordinary ArrayBuffer', () => {
  const buffer = new ArrayBuffer(8);
  detach(buffer);
  expect(buffer.byteLength).toBe(0);
});

test('readText() reads up to the NUL', () => {
  const bytes = Buffer.from('größe\0rest');
  expect(readText(addressOf(bytes))).toBe('größe');
});

test('readText() of NULL is empty', () => {
  expect(readText(0n)).toBe('');
});

test('viewOf() refuses what no array of this runtime can have, which would end the process', () => {
  const native = new Uint8Array(16);
  const most = constants.MAX_LENGTH;
  for (const byteLength of [most + 1, 2 * most, 2 ** 60]) {
    expect(() => viewOf(addressOf(native), byteLength)).toThrow(RangeError);
    expect(() => viewOf(addressOf(native), byteLength)).toThrow(`must be at most ${most} bytes`);
  }
});
