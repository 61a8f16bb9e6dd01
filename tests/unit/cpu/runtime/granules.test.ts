import { describe, expect, test } from '@jest/globals';
import { Granules, type Space } from '../../../../src/cpu/runtime/granules.ts';
import { DeviceMemory } from '../../../../src/cpu/runtime/memory.ts';

const GRANULE = 4 << 20;
const granuleOf = (address: number | undefined): number => Math.floor((address ?? 0) / GRANULE);

describe('Granules', () => {
  test('keep allocations of different spaces apart, and say which space an address is in', () => {
    const given: [number, Space][] = [];
    const granules = new Granules((granule, space) => given.push([granule, space]));
    const memory = new DeviceMemory(64 << 20, granules);
    const spaces: Space[] = [{ used: 0 }, { used: 0 }];
    const take = (space: Space | undefined, bytes: number): number => memory.allocate(bytes, {}, 'global', space) ?? 0;
    const a = take(spaces[0], 1000);
    const b = take(spaces[1], 1000);
    const c = take(spaces[0], 1000);
    const shared = take(undefined, 1000);
    expect(new Set([a, b, shared].map(granuleOf)).size).toBe(3);
    expect(granuleOf(c)).toBe(granuleOf(a));
    expect([a, b, shared].map((at) => granules.at(at))).toEqual([spaces[0], spaces[1], granules.common]);
    expect(given.map(([granule]) => granule)).toEqual([a, b, shared].map(granuleOf));
    expect(spaces.map(({ used }) => used)).toEqual([2560, 1280]);
    for (const at of [a, b, c, shared]) expect(memory.release(at)).toBe(true);
    expect(spaces.map(({ used }) => used)).toEqual([0, 0]);
    expect([a, b, shared].map((at) => granules.at(at))).toEqual([undefined, undefined, undefined]);
  });

  test('give one to another space when it is free, also in the checked mode, where freed memory waits', () => {
    const granules = new Granules(() => undefined);
    const memory = new DeviceMemory(32 << 20, granules);
    const [one, two]: Space[] = [{ used: 0 }, { used: 0 }];
    expect(memory.turnOnGuard(true)).toBe(true);
    for (let round = 0; round < 20; round++) {
      const a = memory.allocate(10 << 20, {}, 'global', one) ?? 0;
      expect(granules.at(a)).toBe(one);
      expect(memory.release(a)).toBe(true);
      const b = memory.allocate(20 << 20, {}, 'global', two) ?? 0;
      expect(granules.at(b)).toBe(two);
      expect(memory.release(b)).toBe(true);
      expect([one?.used, two?.used]).toEqual([0, 0]);
    }
  });

  test('keep to their spaces through random allocations, and leave nothing', () => {
    const granules = new Granules(() => undefined);
    const memory = new DeviceMemory(128 << 20, granules);
    const spaces: (Space | undefined)[] = [{ used: 0 }, { used: 0 }, { used: 0 }, undefined];
    const live: { at: number; space: Space }[] = [];
    let seed = 7;
    const random = (below: number): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below;
    for (let step = 0; step < 3000; step++) {
      if (live.length > 40 || (live.length > 0 && random(3) === 0)) {
        const [gone] = live.splice(random(live.length), 1);
        expect(memory.release(gone?.at ?? 0)).toBe(true);
      } else {
        const space = spaces[random(4)];
        const at = memory.allocate(1 + random(random(10) === 0 ? 9 << 20 : 3000), {}, 'global', space);
        if (at !== undefined) live.push({ at, space: space ?? granules.common });
      }
      for (const { at, space } of live) if (granules.at(at) !== space) throw new Error(`step ${step}: ${at}`);
    }
    for (const { at } of live) memory.release(at);
    expect(memory.free).toBe(memory.total);
    expect(granules.spaces.every((space) => space === undefined)).toBe(true);
  });
});
