import { expect, test } from '@jest/globals';
import { checkFixed, isFixed, pin } from '../../../src/core/pin.ts';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (limits: object) => Memory };
};
const node = Number(process.versions.node.split('.')[0]);
const isKept = node < 21 || node > 23;
const transfer = (buffer: ArrayBuffer): void => {
  structuredClone(buffer, { transfer: [buffer] });
};
/** Whether the memory stays, however the attempt to take it ends. */
const stays = (buffer: ArrayBuffer): boolean => {
  try {
    transfer(buffer);
  } catch {
    // It is held.
  }
  return buffer.byteLength > 0;
};

test('Memory that an object holds is not transferred', () => {
  const array = new Float32Array(16);
  const release = pin(array, 'object');
  expect(stays(array.buffer)).toBe(true);
  release();
});

test('Memory that a command uses is not transferred, and is free again after the last release', () => {
  if (!isKept) return;
  const array = new Uint8Array(16);
  const [one, two] = [pin(array, 'command'), pin(array.buffer, 'command')];
  one();
  one();
  expect(stays(array.buffer)).toBe(true);
  two();
  // Node 20 copies it for ever.
  transfer(array.buffer);
  expect(array.byteLength).toBe(node < 21 ? 16 : 0);
});

test('Shared memory and memory of WebAssembly are left alone', () => {
  pin(new SharedArrayBuffer(16), 'object')();
  const memory = new wasm.Memory({ initial: 1, maximum: 4 });
  const release = pin(memory.buffer, 'command');
  memory.grow(1);
  release();
  expect(memory.buffer.byteLength).toBe(2 << 16);
});

test('Memory that can shrink is named', () => {
  const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
  const array = new Uint8Array(new Resizable(16, { maxByteLength: 64 }));
  expect([isFixed(array), isFixed(new Uint8Array(16)), isFixed(new SharedArrayBuffer(16))]).toEqual([
    false,
    true,
    true,
  ]);
  expect(() => checkFixed(array, 'array')).toThrow('array must have a buffer of a fixed length');
});
