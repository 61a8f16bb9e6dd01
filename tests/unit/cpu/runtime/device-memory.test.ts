import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DeviceMemory } from '../../../../src/cpu/runtime/memory.ts';
import { viewOf } from '../../../../src/ffi/memory.ts';

test('DeviceMemory grows as it fills, up to its size', () => {
  const memory = new DeviceMemory(64 << 20);
  const before = memory.bytes.length;
  const owner = {};
  const a = memory.allocate(16 << 20, owner) ?? 0;
  expect(a).toBeGreaterThanOrEqual(65_536);
  expect(memory.bytes.length).toBeGreaterThan(before);
  expect(memory.bytes.length).toBeGreaterThanOrEqual(a + (16 << 20));
  memory.bytes[a + (16 << 20) - 1] = 77;
  expect(memory.allocate(60 << 20, owner)).toBeUndefined();
  const b = memory.allocate(40 << 20, owner) ?? 0;
  expect(memory.bytes[a + (16 << 20) - 1]).toBe(77);
  expect([memory.release(a), memory.release(b), memory.release(b)]).toEqual([true, true, false]);
  expect(memory.free).toBe(memory.total);
});

test('DeviceMemory finds allocations with an owner, by host addresses too', () => {
  const memory = new DeviceMemory(16 << 20);
  const owner = {};
  const mine = memory.allocate(1000, owner) ?? 0;
  const internal = memory.allocate(1000) ?? 0;
  expect(memory.find(mine + 10, 990)?.address).toBe(mine);
  expect(memory.ownerOf(mine)).toBe(owner);
  expect(memory.find(internal, 1)).toBeUndefined();
  expect(memory.find(mine + 10, 991)).toBeUndefined();
  const host = memory.hostAddress(mine);
  expect(memory.deviceAddress(host)).toBe(mine);
  expect(memory.deviceAddress(1n)).toBeUndefined();
  memory.bytes[mine] = 42;
  expect(new Uint8Array(viewOf(host, 1000))[0]).toBe(42);
  // Growing does not move it.
  memory.allocate(8 << 20, owner);
  expect(memory.hostAddress(mine)).toBe(host);
  memory.bytes[mine] = 43;
  expect(new Uint8Array(viewOf(host, 1000))[0]).toBe(43);
});

const HUGE = '/sys/kernel/mm/transparent_hugepage/enabled';
(existsSync(HUGE) ? test : test.skip)('DeviceMemory asks for large pages where its large allocations lie', () => {
  const memory = new DeviceMemory(64 << 20);
  const flagsAt = (address: number): string => {
    const host = memory.hostAddress(address);
    const mappings = readFileSync('/proc/self/smaps', 'latin1').split(/^(?=[\da-f]+-[\da-f]+ )/m);
    const mapping = mappings.find((text) => {
      const [from = '', to = ''] = /^([\da-f]+)-([\da-f]+) /.exec(text)?.slice(1) ?? [];
      return from !== '' && BigInt(`0x${from}`) <= host && host < BigInt(`0x${to}`);
    });
    return /^VmFlags: (.*)$/m.exec(mapping ?? '')?.[1] ?? '';
  };
  const small = memory.allocate(1000, {}) ?? 0;
  const large = memory.allocate(32 << 20, {}) ?? 0;
  // hg: huge pages are advised; see proc(5).
  expect(flagsAt(small)).not.toContain('hg');
  expect(flagsAt(large + (31 << 20))).toContain('hg');
});
