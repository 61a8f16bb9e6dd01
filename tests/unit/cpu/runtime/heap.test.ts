import { describe, expect, test } from '@jest/globals';
import { CONTROL_BYTES } from '../../../../src/cpu/runtime/control.ts';
import { DeviceHeap } from '../../../../src/cpu/runtime/heap.ts';

function heapOf(byteLength: number): DeviceHeap {
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  const words = new Uint32Array(new SharedArrayBuffer(byteLength + 4096));
  DeviceHeap.prepare(control, words, 1024, byteLength);
  return new DeviceHeap(control, () => words);
}

describe("the heap of kernels' malloc", () => {
  test('gives aligned blocks that do not overlap, until there is no room', () => {
    const heap = heapOf(16_384);
    const blocks: number[] = [];
    for (let block = heap.allocate(100); block !== 0; block = heap.allocate(100)) blocks.push(block);
    expect(blocks.length).toBeGreaterThan(100);
    blocks
      .sort((a, b) => a - b)
      .forEach((block, i) => {
        expect(block % 16).toBe(0);
        if (i > 0) expect(block - (blocks[i - 1] ?? 0)).toBeGreaterThanOrEqual(100);
      });
  });

  test('is one free block again when all blocks are freed, in any order', () => {
    const heap = heapOf(65_536);
    const whole = heap.allocate(60_000);
    heap.release(whole);
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below;
    const live: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const block = random(3) > 0 ? heap.allocate(random(500)) : 0;
      if (block !== 0) live.push(block);
      else heap.release(live.splice(random(live.length + 1), 1)[0] ?? 0);
    }
    for (const block of live) heap.release(block);
    expect(heap.allocate(60_000)).toBe(whole);
  });

  test('does not mind a null, a freed, a foreign and an inner address', () => {
    const heap = heapOf(4096);
    const block = heap.allocate(1000);
    for (const address of [0, block + 16, block + 8, 16, 2 ** 31]) heap.release(address);
    heap.release(block);
    heap.release(block);
    expect(heap.allocate(1000)).toBe(block);
    expect(heap.allocate(-1)).toBe(0);
    expect(heap.allocate(2 ** 40)).toBe(0);
  });
});
