import { describe, expect, test } from '@jest/globals';
import { lower } from '../../../../src/cpu/compiler/wasm/lower.ts';
import { randomOf } from '../../../helpers/math-points.ts';
import { signed } from '../../../helpers/wasm-module.ts';
import { moduleOf, runLowered, type Running, type TestFunction } from '../../../helpers/wide-module.ts';

const ADD = 0x7c;
const XOR = 0x85;
const WRAP = 0xa7;
const LOAD = [0x29, 0, 0];
const STORE = [0x37, 0, 0];
const get = (local: number): number[] => [0x20, local];
const i64 = (value: bigint | number): number[] => [0x42, ...signed(value)];
const i32 = (value: number): number[] => [0x41, ...signed(value)];

/** Valid addresses are above the first page. */
const PLACE = 70_000;
const CONTENT = 0x1122_3344_5566_7788n;
const LONGS = [1024n, -8n, (5n << 32n) + 64n, 2n ** 63n + 7n];
const INTEGER = -77;
const INTEGER_LOCAL = LONGS.length;
const KEPT = INTEGER_LOCAL + 1;
const CONSTANTS = [0n, 1n, 2n, 31n, 33n, 65_535n, 65_536n, -4n, 2n ** 40n + 8n, 2n ** 62n + 16n, -(2n ** 63n)];
const shape = {
  parameters: ['i64', 'i64', 'i64', 'i64', 'i32'],
  locals: ['i64'],
  results: ['i64'],
} as const;

const BINARY: readonly (readonly [opcode: number, of: (a: bigint, b: bigint) => bigint])[] = [
  [ADD, (a, b) => a + b],
  [0x7d, (a, b) => a - b],
  [0x7e, (a, b) => a * b],
  [0x83, (a, b) => a & b],
  [0x84, (a, b) => a | b],
  [XOR, (a, b) => a ^ b],
  [0x86, (a, b) => a << (b & 63n)],
  [0x87, (a, b) => a >> (b & 63n)],
  [0x88, (a, b) => BigInt.asUintN(64, a) >> (b & 63n)],
];

/** Expressions of the instructions that compute addresses, and of some that bring the upper half down. */
class Expressions {
  readonly #random: () => number;
  /** The value that was kept last. */
  kept = 0n;

  constructor(random: () => number) {
    this.#random = random;
  }

  of(depth: number): [code: readonly number[], value: bigint] {
    const kind = this.#below(depth > 0 ? 10 : 3);
    if (kind === 0) {
      const local = this.#below(LONGS.length);
      return [get(local), BigInt.asIntN(64, LONGS[local] ?? 0n)];
    }
    if (kind === 1) {
      const value = CONSTANTS[this.#below(CONSTANTS.length)] ?? 0n;
      return [i64(value), value];
    }
    if (kind === 2) {
      const isSigned = this.#below(2) === 0;
      const value = BigInt(INTEGER);
      return [[...get(INTEGER_LOCAL), isSigned ? 0xac : 0xad], isSigned ? value : BigInt.asUintN(32, value)];
    }
    const [first, a] = this.of(depth - 1);
    if (kind === 3) {
      this.kept = a;
      return [[...first, 0x22, KEPT], a];
    }
    const [second, b] = this.of(depth - 1);
    if (kind === 4) {
      const which = this.#below(2);
      return [[...first, ...second, ...i32(which), 0x1b], which === 1 ? a : b];
    }
    const [opcode, compute] = BINARY[this.#below(BINARY.length)] ?? [ADD, (x, y) => x + y];
    return [[...first, ...second, opcode], BigInt.asIntN(64, compute(a, b))];
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

/** Code that leads from any value to the place, and the value that it kept. */
function cases(seed: number): { readonly code: readonly number[]; readonly kept: bigint }[] {
  const random = randomOf(seed);
  return Array.from({ length: 100 }, () => {
    const expressions = new Expressions(random);
    const [code, value] = expressions.of(1 + Math.floor(random() * 5));
    const difference = BigInt(PLACE) - BigInt.asUintN(32, value);
    // Only the lower half must be right.
    return { code: [...code, ...i64(difference + (3n << 32n)), ADD], kept: expressions.kept };
  });
}

function running(functions: readonly TestFunction[]): Running & { readonly view: DataView } {
  const module = runLowered(functions);
  module.memory.grow(1);
  return { ...module, view: new DataView(module.memory.buffer) };
}

describe('an address is the lower half of what its instructions compute', () => {
  const args = [...LONGS, INTEGER];

  test.each([1, 2, 3, 4, 5])('of a load; a value that is kept has 64 bits (%i)', (seed) => {
    const all = cases(seed);
    const { view, call } = running(all.map(({ code }) => ({ ...shape, code: [...code, ...LOAD, ...get(KEPT), XOR] })));
    view.setBigInt64(PLACE, CONTENT, true);
    const found = all.map((_, i) => call(i, ...args));
    expect(found).toEqual(all.map(({ kept }) => BigInt.asIntN(64, CONTENT ^ kept)));
  });

  test.each([6, 7, 8, 9, 10])('of a store, beside a value that is computed after it (%i)', (seed) => {
    const all = cases(seed);
    const { view, call } = running(
      all.map(({ code }, i) => ({
        ...shape,
        code: [...code, ...i64(i), ...get(0), ADD, ...STORE, ...get(KEPT)],
      })),
    );
    const found = all.map((_, i) => {
      const kept = call(i, ...args);
      return [kept, view.getBigInt64(PLACE, true)];
    });
    expect(found).toEqual(all.map(({ kept }, i) => [kept, 1024n + BigInt(i)]));
  });

  test('that another load brings, under a value', () => {
    const { view, call } = running([
      { ...shape, code: [...get(0), ...LOAD, ...i64(8), ADD, ...get(0), ...LOAD, ...STORE, ...get(1)] },
    ]);
    view.setBigInt64(1024, BigInt(PLACE) - 8n + (1n << 32n), true);
    call(0, ...args);
    expect(view.getBigInt64(PLACE, true)).toBe(BigInt(PLACE) - 8n + (1n << 32n));
  });
});

describe('instructions of 32 bits take the place of those of 64', () => {
  const lowered = (code: readonly number[]): string =>
    Buffer.from(lower(moduleOf(64, [{ ...shape, code }]))).toString('hex');
  const holds = (code: readonly number[], expected: readonly number[]): void => {
    expect(lowered(code)).toContain(Buffer.from(expected).toString('hex'));
  };

  test('sums and products are of wrapped terms', () => {
    holds(
      [...get(0), ...get(1), ...i64(3), 0x86, ADD, ...LOAD],
      [...get(0), WRAP, ...get(1), WRAP, ...i32(3), 0x74, 0x6a, ...LOAD],
    );
    holds([...get(INTEGER_LOCAL), 0xad, ...get(0), 0x7e, ...LOAD], [...get(INTEGER_LOCAL), ...get(0), WRAP, 0x6c]);
  });

  test('a constant joins the offset, up to the first address that exists', () => {
    holds([...get(0), ...i64(64), ADD, 0x29, 0, 8], [...get(0), WRAP, 0x29, 0, 72]);
    holds([...get(0), ...i64(65_536), ADD, 0x29, 0, 8], [...get(0), WRAP, 0x29, 0, 0x88, 0x80, 0x04]);
    holds([...get(0), ...i64(65_537), ADD, 0x29, 0, 8], [...get(0), WRAP, ...i32(65_537), 0x6a, 0x29, 0, 8]);
    holds([...get(0), ...i64(-4), ADD, ...LOAD], [...get(0), WRAP, ...i32(-4), 0x6a, ...LOAD]);
  });

  test('where a call or a branch lies between, the address is wrapped at the access', () => {
    holds([...get(0), ...i64(8), ADD, 0x02, 0x40, 0x0b, ...LOAD], [...i64(8), ADD, 0x02, 0x40, 0x0b, WRAP, ...LOAD]);
  });
});
