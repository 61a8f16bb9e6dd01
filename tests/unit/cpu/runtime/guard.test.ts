import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Allocator } from '../../../../src/cpu/runtime/allocator.ts';
import { GUARD, MemoryGuard } from '../../../../src/cpu/runtime/guard.ts';
import { DeviceMemory } from '../../../../src/cpu/runtime/memory.ts';
import { root } from '../../../helpers/root.ts';

const FREED = -1;

/** What the tables say of some memory. */
function tablesOf({ bytes: { buffer } }: DeviceMemory): { shadow: Int8Array; records: BigUint64Array } {
  return {
    shadow: new Int8Array(buffer, GUARD.SHADOW, GUARD.LIMIT / 16),
    records: new BigUint64Array(buffer, GUARD.RECORDS, GUARD.LIMIT / 4),
  };
}

function guarded(records = true): DeviceMemory {
  const memory = new DeviceMemory(64 << 20);
  expect(memory.turnOnGuard(records)).toBe(true);
  return memory;
}

test('the tables lie where the runtime library looks for them', () => {
  const header = readFileSync(join(root, 'kernels/cpu/runtime/check.h'), 'utf8');
  const number = (name: string): number => Number(new RegExp(`\\b${name} = (0x[0-9a-f]+)`).exec(header)?.[1]);
  const { END, ...tables } = GUARD;
  expect(Object.fromEntries(Object.keys(tables).map((name) => [name, number(name)]))).toEqual(tables);
  const { LIMIT, SHADOW, RECORDS, THREAD_RECORDS, LINES, THREAD_LINES } = tables;
  expect(SHADOW).toBeGreaterThanOrEqual(LIMIT);
  expect(RECORDS).toBeGreaterThanOrEqual(SHADOW + LIMIT / 16);
  expect(THREAD_RECORDS).toBeGreaterThanOrEqual(RECORDS + 2 * LIMIT);
  expect(LINES).toBeGreaterThanOrEqual(THREAD_RECORDS + 2 * LIMIT);
  expect(THREAD_LINES).toBeGreaterThanOrEqual(LINES + LIMIT / 8);
  expect(END).toBeGreaterThanOrEqual(THREAD_LINES + LIMIT / 8);
  expect(END).toBeLessThan(2 ** 32);
});

describe('memory that is guarded', () => {
  test('exists as far as it was asked for, and no further', () => {
    const memory = guarded();
    const address = memory.allocate(40, {}) ?? 0;
    const { shadow } = tablesOf(memory);
    expect([...shadow.subarray(address / 16, address / 16 + 5)]).toEqual([16, 16, 8, 0, 0]);
    expect(shadow[address / 16 - 1]).toBe(0);
  });

  test('is not given out again at once', () => {
    const memory = guarded();
    const before = memory.free;
    const address = memory.allocate(1000, {}) ?? 0;
    expect(memory.release(address)).toBe(true);
    expect(memory.release(address)).toBe(false);
    expect(tablesOf(memory).shadow[address / 16]).toBe(FREED);
    expect(memory.near(address + 5)).toMatchObject({ allocation: { address, byteLength: 1000 }, freed: true });
    expect(memory.allocate(1000, {})).not.toBe(address);
    expect(memory.free).toBeLessThan(before);
  });

  test('is allocated again when there is no other memory', () => {
    const memory = guarded();
    const half = memory.free / 2;
    const first = memory.allocate(half, {}) ?? 0;
    expect(memory.release(first)).toBe(true);
    expect(memory.allocate(half + (1 << 20), {})).toBe(first);
  });

  test('is written word by word and byte by byte', () => {
    const memory = guarded();
    const address = memory.allocate(64, {}) ?? 0;
    const words = (): number[] =>
      [...tablesOf(memory).records.subarray(address / 4, address / 4 + 6)].map((word) => Number(word & 15n));
    memory.guard?.write(address + 3, 6);
    expect(words()).toEqual([8, 15, 1, 0, 0, 0]);
    memory.guard?.write(address + 13, 2);
    expect(words()).toEqual([8, 15, 1, 6, 0, 0]);
    memory.guard?.copy(address + 16, address, 8);
    expect(words()).toEqual([8, 15, 1, 6, 8, 15]);
    memory.release(address);
    expect(words()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('keeps no records until records are turned on', () => {
    const memory = guarded(false);
    const address = memory.allocate(64, {}) ?? 0;
    memory.guard?.write(address, 64);
    expect(tablesOf(memory).records[address / 4]).toBe(0n);
    expect(memory.turnOnGuard(true)).toBe(true);
    // It may have been written before.
    expect(tablesOf(memory).records[address / 4]).toBe(0xffn);
  });

  test('was there before', () => {
    const memory = new DeviceMemory(64 << 20);
    const mine = memory.allocate(32, {}) ?? 0;
    const internal = memory.allocate(32) ?? 0;
    expect(memory.turnOnGuard(true)).toBe(true);
    const { shadow, records } = tablesOf(memory);
    expect([shadow[mine / 16], shadow[internal / 16]]).toEqual([16, 48]);
    expect([records[mine / 4], records[internal / 4]]).toEqual([0xffn, 0n]);
    expect(memory.near(internal)).toBeUndefined();
  });

  test('forgets accesses of kernels, but not which bytes were written', () => {
    const memory = guarded();
    const address = memory.allocate(16, {}) ?? 0;
    const { records } = tablesOf(memory);
    records[address / 4] = (5n << 49n) | 0xf3n;
    memory.forgetKernels();
    expect(records[address / 4]).toBe(0xf3n);
  });

  test('has records by words again where kernels noted it by lines', () => {
    const memory = guarded();
    const address = memory.allocate(128, {}) ?? 0;
    const { buffer } = memory.bytes;
    const record = (5n << 49n) | 0xffn;
    const tables = {
      words: new BigUint64Array(buffer, GUARD.RECORDS + 2 * address, 32),
      threads: new BigUint64Array(buffer, GUARD.THREAD_RECORDS + 2 * address, 32),
      lines: new BigUint64Array(buffer, GUARD.LINES + address / 8, 2),
      threadLines: new BigUint64Array(buffer, GUARD.THREAD_LINES + address / 8, 2),
    };
    const note = (): void => {
      tables.lines.fill(record);
      // Two words of a line go to each thread, the first of which has the number 40.
      tables.threadLines.fill((40n << 8n) | 1n);
    };
    note();
    memory.guard?.write(address + 124, 8);
    expect([...tables.lines]).toEqual([record, 0n]);
    expect([...tables.words.subarray(16)]).toEqual([...Array<bigint>(15).fill(record), 0xffn]);
    expect(Array.from(tables.threads.subarray(16), (one) => Number(one >> 8n))).toEqual(
      Array.from({ length: 16 }, (_, i) => 40 + (i >> 1)),
    );
    note();
    memory.forgetKernels();
    expect([...tables.lines]).toEqual([0n, 0n]);
    expect(new Set(tables.words)).toEqual(new Set([0xffn]));
    note();
    memory.release(address);
    expect([...tables.lines]).toEqual([0n, 0n]);
    expect(new Set(tables.words)).toEqual(new Set([0n]));
  });
});

test('a limit removes the free memory behind it', () => {
  const allocator = new Allocator(65_536, 1 << 20);
  const { total } = allocator;
  const address = allocator.allocate(1000) ?? 0;
  expect(allocator.limit(address)).toBe(false);
  expect(allocator.total).toBe(total);
  expect(allocator.limit(1 << 19)).toBe(true);
  expect(allocator.total).toBe((1 << 19) - 65_536);
  expect(allocator.allocate(1 << 19)).toBeUndefined();
  expect(allocator.endOf(address) - address).toBe(1280);
  expect(allocator.endOf(address + 1)).toBe(address + 1);
  expect(allocator.limit(1 << 30)).toBe(true);
});

test('a guard of its own sees the same tables', () => {
  const memory = guarded();
  const address = memory.allocate(16, {}) ?? 0;
  new MemoryGuard(memory.bytes.buffer, true).write(address, 16);
  expect(tablesOf(memory).records[address / 4 + 3]).toBe(0xffn);
});
