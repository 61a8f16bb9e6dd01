import { describe, expect, test } from '@jest/globals';
import { Allocator } from '../../../../src/cpu/runtime/allocator.ts';

const START = 65_536;

describe('Allocator', () => {
  test('gives addresses that are multiples of 256, with gaps between', () => {
    const allocator = new Allocator(START, 1 << 20);
    const addresses = [1, 255, 256, 257, 4096].map((size) => allocator.allocate(size) ?? 0);
    expect(addresses[0]).toBe(START);
    for (const address of addresses) expect(address % 256).toBe(0);
    expect(addresses.map((address, i) => address - (addresses[i - 1] ?? address))).toEqual([0, 512, 512, 512, 768]);
  });

  test('keeps a larger gap behind an allocation, and gives it back with it', () => {
    const allocator = new Allocator(START, 1 << 20);
    const { free } = allocator;
    const a = allocator.allocate(100, undefined, 4096) ?? 0;
    const b = allocator.allocate(100) ?? 0;
    expect([b - a, allocator.endOf(a), allocator.endOf(b) - b]).toEqual([256 + 4096, b, 512]);
    expect(allocator.find(a + 300, 1)).toBeUndefined();
    expect([allocator.release(a), allocator.release(b)]).toEqual([true, true]);
    expect(allocator.free).toBe(free);
    expect(allocator.allocate((1 << 20) - START - 4096, undefined, 8192)).toBeUndefined();
  });

  test('finds addresses in an allocation, and none in gaps and in freed memory', () => {
    const allocator = new Allocator(START, 1 << 20);
    const a = allocator.allocate(100) ?? 0;
    const b = allocator.allocate(100) ?? 0;
    expect(allocator.find(a + 99, 1)).toEqual({ address: a, byteLength: 100, end: a + 512 });
    expect(allocator.find(b, 100)?.address).toBe(b);
    expect(allocator.find(a + 99, 2)).toBeUndefined();
    expect(allocator.find(a + 200, 1)).toBeUndefined();
    expect(allocator.find(0, 1)).toBeUndefined();
    expect(allocator.find(NaN, 1)).toBeUndefined();
    expect(allocator.release(a)).toBe(true);
    expect(allocator.find(a, 1)).toBeUndefined();
    expect(allocator.find(b, 1)?.address).toBe(b);
  });

  test('takes an address back once, and only the start of an allocation', () => {
    const allocator = new Allocator(START, 1 << 20);
    const a = allocator.allocate(1000) ?? 0;
    expect(allocator.release(a + 256)).toBe(false);
    expect(allocator.release(a)).toBe(true);
    expect(allocator.release(a)).toBe(false);
  });

  test('takes the smallest hole that fits, and joins holes that touch', () => {
    const allocator = new Allocator(START, 1 << 20);
    const sizes = [1000, 100, 500, 100, 2000, 100];
    const addresses = sizes.map((size) => allocator.allocate(size) ?? 0);
    for (const i of [0, 2, 4]) allocator.release(addresses[i] ?? 0);
    expect(allocator.allocate(400)).toBe(addresses[2]);
    allocator.release(addresses[2] ?? 0);
    allocator.release(addresses[1] ?? 0);
    // 0, 1 and 2 are one hole now.
    expect(allocator.allocate(2300)).toBe(addresses[0]);
    for (const i of [0, 3, 5]) allocator.release(addresses[i] ?? 0);
    expect(allocator.free).toBe(allocator.total);
    expect(allocator.allocate(allocator.total - 256)).toBe(START);
  });

  test('refuses an allocation when there is no room', () => {
    const allocator = new Allocator(START, START + 4096);
    expect(allocator.allocate(4096)).toBeUndefined();
    expect(allocator.allocate(3000)).toBe(START);
    expect(allocator.allocate(3000)).toBeUndefined();
  });

  test('keeps its books over many random steps', () => {
    const allocator = new Allocator(START, 1 << 24);
    const live = new Map<number, number>();
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 0x7fff_ffff) % below;
    for (let step = 0; step < 5000; step++) {
      if (random(5) < 3) {
        const size = 1 + random(20_000);
        const address = allocator.allocate(size);
        if (address !== undefined) live.set(address, size);
      } else {
        const address = [...live.keys()][random(Math.max(1, live.size))];
        if (address === undefined) continue;
        live.delete(address);
        expect(allocator.release(address)).toBe(true);
      }
    }
    const sorted = [...live].sort(([a], [b]) => a - b);
    sorted.forEach(([address, size], i) => {
      const next = sorted[i + 1]?.[0] ?? Infinity;
      expect(address + size + 256).toBeLessThanOrEqual(next);
      expect(allocator.find(address + size - 1, 1)?.address).toBe(address);
    });
    for (const address of live.keys()) allocator.release(address);
    expect(allocator.free).toBe(allocator.total);
  });
});
