import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isFull } from '../../../helpers/full.ts';
import type { Bench } from './device-functions/bench.ts';
import { benchOf, COMPILE_MS } from './device-functions/compile.ts';

const BLOCK = 64;
const UNTOUCHED = -1;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const threads = range(BLOCK);

let bench: Bench;
beforeAll(async () => {
  // A third of a minute goes into the groups that FEW leaves out: each shuffle is a barrier.
  const source = readFileSync(new URL('device-functions/groups.cu', import.meta.url), 'utf8');
  bench = await benchOf(source, isFull ? [] : ['-DFEW']);
}, COMPILE_MS);

/** The threads of a group by rank, and what they know of other groups. */
interface Group {
  readonly members: readonly number[];
  readonly rank: number;
  readonly groups: number;
  readonly number: number;
}
/** A line of results: undefined where a thread does not take part or its result is not defined. */
type Line = (i: number) => number | undefined;

const bits = (members: readonly number[], of: (k: number) => boolean): number =>
  members.reduce((all, k, rank) => all | (Number(of(k)) << rank), 0);
const total = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0);

function run(symbol: string, lines: number, block: number | [number, number, number] = BLOCK, grid = 1): Int32Array {
  const results = new Int32Array(lines * BLOCK * grid).fill(UNTOUCHED);
  bench.run(symbol, block, grid, [results]);
  return results;
}

function expectLines(results: Int32Array, lines: readonly Line[], first = 0): void {
  const shown = lines.map((line, k) =>
    threads.map((i) => (line(i) === undefined ? undefined : results[(first + k) * BLOCK + i])),
  );
  expect(shown).toEqual(lines.map((line) => threads.map(line)));
}

/** What `rank + 100 * size + …` of groups.cu shows. */
const identity = ({ rank, members, number, groups }: Group): number =>
  rank + 100 * members.length + 10_000 * number + 1_000_000 * groups;

/** Where a rank is outside of the group, the thread's own value. */
const from = ({ members, rank }: Group, other: number): number => members[other] ?? members[rank] ?? NaN;

function tileLines(size: number, parent: number): Line[] {
  const of = (i: number): Group => {
    const start = i - (i % size);
    const members = range(size).map((k) => start + k);
    return { members, rank: i % size, groups: parent / size, number: Math.floor((i % parent) / size) };
  };
  const all = (i: number, f: (k: number) => boolean): boolean => of(i).members.every(f);
  return [
    (i) => identity(of(i)),
    (i) => from(of(i), 1),
    (i) => from(of(i), (i % size) - 1),
    (i) => from(of(i), (i % size) + 2),
    (i) => from(of(i), (i % size) ^ (size / 2)),
    (i) => bits(of(i).members, (k) => k % 3 === 0),
    (i) => (all(i, (k) => k % 11 !== 5) ? 0 : 2) + Number(all(i, (k) => k % 7 < 6)),
    (i) => bits(of(i).members, (k) => Math.floor(k / 3) === Math.floor(i / 3)),
    (i) => (all(i, (k) => k >> 2 === i >> 2) ? bits(of(i).members, () => true) : 0),
    (i) => Number(all(i, (k) => k >> 2 === i >> 2)),
    (i) => total(of(i).members),
    (i) => total(of(i).members.slice(0, i % size)),
  ];
}

test('tiles of 32, 8 of 32 and 2 of 16 threads', () => {
  const results = run('tiles', 36);
  const shapes = [
    [32, BLOCK],
    [8, 32],
    [2, 16],
  ] as const;
  shapes.slice(0, isFull ? 3 : 1).forEach(([size, parent], k) => expectLines(results, tileLines(size, parent), 12 * k));
});

test('reductions and scans by every operator', () => {
  const tile = (i: number): number[] => range(8).map((k) => i - (i % 8) + k);
  const mixed = (i: number): number[] => tile(i).map((k) => (k * 37) % 64);
  expectLines(run('operators', 7), [
    (i) => Math.min(...mixed(i)),
    (i) => Math.max(...mixed(i)),
    (i) => tile(i).reduce((all, k) => all & (k | 8), -1),
    (i) => tile(i).reduce((all, k) => all | k, 0),
    (i) => tile(i).reduce((all, k) => all ^ k, 0),
    (i) => total(tile(i)) + 7,
    (i) => Math.max(...mixed(i).slice(0, (i % 8) + 1)),
  ]);
});

/** The lines of a group that not all threads of a warp are in. */
function someLines(groupOf: (i: number) => Group | undefined): Line[] {
  const of = (f: (group: Group, i: number) => number | undefined) => (i: number) => {
    const group = groupOf(i);
    return group && f(group, i);
  };
  return [
    of(identity),
    of((g) => g.members[1]),
    of((g) => from(g, g.rank - 1)),
    of((g) => from(g, g.rank + 2)),
    of(({ members }) => bits(members, (k) => k % 4 === 0)),
    of(({ members }) => (members.includes(18) ? 2 : 0) + Number(members.every((k) => k < 40))),
    of(({ members }, i) => bits(members, (k) => k >> 3 === i >> 3)),
    of(({ members }) => total(members)),
    of(({ members, rank }) => total(members.slice(0, rank))),
  ];
}

/** Groups of threads of one warp by what a function says of them; the numbers go by the first thread, or by `numbered`. */
function partition(
  isIn: (k: number) => boolean,
  key: (k: number) => number,
  numbered?: (k: number) => number,
): (i: number) => Group | undefined {
  return (i) => {
    if (!isIn(i)) return undefined;
    const warp = range(32).map((k) => (i & 32) + k);
    const keys = [...new Set(warp.filter(isIn).map(key))];
    const members = warp.filter((k) => isIn(k) && key(k) === key(i));
    const number = numbered ? numbered(i) : keys.indexOf(key(i));
    return { members, rank: members.indexOf(i), groups: numbered ? 2 : keys.length, number };
  };
}

test('groups of threads that went the same way', () => {
  const results = run('coalesced', 36);
  const third = (k: number): boolean => k % 3 === 0;
  const rankInThird = (k: number): number => range(k & 31).filter((lane) => third((k & 32) + lane)).length;
  expectLines(results, someLines(partition(third, () => 0)), 0);
  expectLines(results, someLines(partition(third, (k) => Math.floor(rankInThird(k) / 4))), 9);
  if (isFull) {
    expectLines(results, someLines(partition(third, (k) => k % 2, (k) => k % 2)), 18); // prettier-ignore
    expectLines(results, someLines(partition(() => true, (k) => k % 4)), 27); // prettier-ignore
  }
  const others = threads.filter((i) => !third(i)).map((i) => results[i]);
  expect(new Set(others)).toEqual(new Set([UNTOUCHED]));
});

test('blocks, the grid and groups whose size is known at run time', () => {
  const results = run('blocks', 12, [8, 8, 1], 3);
  for (const block of range(3)) {
    expectLines(
      results,
      [
        () => 64_064,
        (i) => block * 100 + (i % 8) * 10 + Math.floor(i / 8),
        () => 881,
        (i) => block * 64 + i,
        () => 1923,
        () => block * 11,
        () => 3,
        (i) => 64_000 + i,
        (i) => 8000 + (i % 8),
        (i) => 2000 + (i % 2),
        (i) => 63 - i,
        () => 64,
      ],
      block * 12,
    );
  }
});

describe('warps of which not all threads take part', () => {
  test('one atomic serves all threads that are there together', () => {
    const n = 1000;
    const values = Int32Array.from(range(n), (i) => (i * 7) % 61);
    const out = new Int32Array(n).fill(UNTOUCHED);
    const [count, atomics] = [new Int32Array(1), new Int32Array(1)];
    bench.run('filter', 128, 8, [values, out, count, atomics, n]);
    const taken = [...values].filter((v) => v % 3 === 1);
    expect(count[0]).toBe(taken.length);
    expect([...out.subarray(0, taken.length)].sort((a, b) => a - b)).toEqual(taken.sort((a, b) => a - b));
    const warps = new Set(range(n).filter((i) => (values[i] ?? 0) % 3 === 1).map((i) => i >> 5)); // prettier-ignore
    expect(atomics[0]).toBe(warps.size);
  });

  test('lanes that have returned have no vote', () => {
    const lanes = (of: (lane: number) => boolean): number => bits(range(32), of);
    const some =
      (isIn: (lane: number) => boolean, f: Line): Line =>
      (i) =>
        isIn(i % 32) ? f(i) : undefined;
    const first = (lane: number): boolean => lane % 4 !== 1;
    const second = (lane: number): boolean => first(lane) && lane % 4 !== 2;
    const warp = (i: number): number[] => range(32).map((k) => (i & 32) + k);
    expectLines(run('leavers', 8), [
      some(first, () => lanes((lane) => lane % 2 === 0)),
      some(second, () => lanes(second)),
      some(second, () => 1),
      some(second, () => lanes(second)),
      some(second, (i) => total(warp(i).filter((k) => second(k % 32)))),
      some((lane) => lane % 4 === 3, () => lanes((lane) => lane % 4 === 3)), // prettier-ignore
      some((lane) => lane % 4 === 0, (i) => lanes((lane) => lane % 4 === 0 && lane >> 3 === (i & 31) >> 3)), // prettier-ignore
      some((lane) => lane % 4 === 0, () => lanes((lane) => lane % 4 === 0)), // prettier-ignore
    ]);
  });

  test('branches in branches, and a loop that lanes leave one after the other', () => {
    const lanes = (of: (lane: number) => boolean): number => bits(range(32), of);
    expectLines(run('branches', 3), [
      (i) => lanes((lane) => (i & 1 ? (lane & 3) === (i & 3) : (lane & 1) === 0)),
      // Four lanes leave after each round.
      (i) => total(range((i % 8) + 1).map((k) => 32 - 4 * k)),
      () => -1,
    ]);
  });

  test('a grid that was not launched to wait for itself cannot', () => {
    const p = new Int32Array(4);
    bench.run('validity', 1, 4, [p]);
    expect([...p]).toEqual([0, 0, 0, 0]);
    expect(() => bench.run('waiting', 32, 1, [p])).toThrow('fault 9');
  });
});
