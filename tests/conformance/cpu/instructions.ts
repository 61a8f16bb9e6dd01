import { kernelCase, range, type Case } from './case.ts';
import type { Random } from './random.ts';

/** An instruction in inline PTX: %0 is its result, %1 to %3 are its operands a, b and c. */
export interface Row {
  readonly text: string;
  /** What it gives, by the words of the PTX ISA; cut to the bits of the result. */
  readonly of: (a: bigint, b: bigint, c: bigint) => bigint;
  /** Bits of the result. Default: those of the operands */
  readonly to?: 16 | 32 | 64;
}

const THREADS = 96;
const LETTERS = { 16: 'h', 32: 'r', 64: 'l' } as const;
const TYPES = { 16: 'unsigned short', 32: 'unsigned', 64: 'unsigned long long' } as const;

/** A kernel with all instructions of a table, each on the same operands: some at the ends of their range, others random. */
export function instructionsCase(name: string, bits: 16 | 32 | 64, rows: readonly Row[]): Case {
  const statements = rows.map(({ text, to = bits }, i) => {
    const [letter, operand] = [LETTERS[to], LETTERS[bits]];
    const used = [3, 2, 1].find((k) => text.includes(`%${k}`)) ?? 0;
    const operands = ['a', 'b', 'c'].slice(0, used).map((one) => `"${operand}"(${one})`);
    return `{ ${TYPES[to]} r; asm volatile(${JSON.stringify(text)} : "=${letter}"(r) : ${operands.join(', ')}); out[${i} * n + t] = r; }`;
  });
  const type = TYPES[bits];
  return kernelCase({
    name,
    source: `
      extern "C" __global__ void instructions(const unsigned long long *x, unsigned long long *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        ${type} a = (${type})x[t], b = (${type})x[n + t], c = (${type})x[2 * n + t];
        ${statements.join('\n        ')}
      }`,
    buffers: (random) => ({ x: operandsOf(random, bits), out: new BigUint64Array(THREADS * rows.length) }),
    launches: ({ x, out }) => [{ kernel: 'instructions', args: [x, out], block: THREADS }],
    expected: ({ x }) => ({
      out: BigUint64Array.from(
        rows.flatMap(({ of, to = bits }) =>
          range(THREADS, (t) => BigInt.asUintN(to, of(x[t] ?? 0n, x[THREADS + t] ?? 0n, x[2 * THREADS + t] ?? 0n))),
        ),
      ),
    }),
  });
}

function operandsOf(random: Random, bits: number): BigUint64Array<ArrayBuffer> {
  const top = 1n << BigInt(bits - 1);
  const ends = [0n, 1n, 2n, 7n, 8n, 16n, 31n, 32n, 33n, 63n, 64n, 255n, top - 1n, top, top + 1n, 2n * top - 1n];
  const one = (): bigint => {
    if (random.integer(0, 3) === 0) return ends[random.integer(0, ends.length)] ?? 0n;
    const whole = (BigInt(random.bits()) << 32n) | BigInt(random.bits());
    return BigInt.asUintN(bits, random.integer(0, 4) === 0 ? whole & 0xffn : whole);
  };
  return BigUint64Array.from(range(3 * THREADS, one));
}

/** A table's rows for several types: the name in place of `T`, and the operands as that type has them. */
export function forTypes(
  types: readonly string[],
  rows: (signed: (x: bigint) => bigint, bits: number) => readonly Row[],
): Row[] {
  return types.flatMap((type) => {
    const bits = Number(type.slice(1));
    const own = (x: bigint): bigint => (type.startsWith('s') ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x));
    return rows(own, bits).map((row) => ({
      ...row,
      text: row.text.replace(/\bT\b/g, type).replace(/\bW\b/g, `${type[0] ?? ''}${bits * 2}`),
      of: (a, b, c) => row.of(own(a), own(b), own(c)),
    }));
  });
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const magnitude = (a: bigint): bigint => (a < 0n ? -a : a);
/** The digits of a number, the lowest bit first. */
export const digits = (x: bigint, bits: number): number[] => range(bits, (i) => Number((x >> BigInt(i)) & 1n));
/** The number of digits with the lowest bit first. */
export const fromDigits = (list: readonly number[]): bigint =>
  list.reduceRight((whole, digit) => 2n * whole + BigInt(digit), 0n);
