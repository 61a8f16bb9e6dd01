import { describe, expect, test } from '@jest/globals';
import { programOf, TestDevice } from '../../../helpers/cpu-program.ts';
import { randomOf } from '../../../helpers/math-points.ts';

const KERNELS = 40;
const THREADS = 300;
const LIMIT = 300_000;

/** An expression of C with numbers of 32 bits, and its value from the bytes a (unsigned) and b (signed). */
interface Expression {
  readonly text: string;
  readonly of: (a: number, b: number, c: number) => number;
}

/** Expressions of bytes: some stay within 16 bits, some do not, as the constants fall. */
function expression(random: () => number, depth: number): Expression {
  const below = (count: number): number => Math.floor(random() * count);
  const one = (): Expression => expression(random, depth - 1);
  const kind = depth > 0 ? below(12) : below(4);
  if (kind === 0) return { text: '(int)a', of: (a) => a };
  if (kind === 1) return { text: '(int)b', of: (_, b) => b };
  if (kind === 2) return { text: '(int)c', of: (_, __, c) => c };
  if (kind === 3) {
    const value = [0, 1, 3, 17, -4, 255, 300, -32_768, 32_767, 40_000][below(10)] ?? 0;
    return { text: `(${value})`, of: () => value };
  }
  const [x, y] = [one(), one()];
  const both = (op: string, of: (left: number, right: number) => number): Expression => ({
    text: `(${x.text} ${op} ${y.text})`,
    of: (...bytes) => of(x.of(...bytes), y.of(...bytes)) | 0,
  });
  const shift = 1 + below(4);
  switch (kind) {
    case 4:
      return both('+', (left, right) => left + right);
    case 5:
      return both('-', (left, right) => left - right);
    case 6:
      return { text: `(${x.text} * ${shift})`, of: (...bytes) => Math.imul(x.of(...bytes), shift) };
    case 7:
      return { text: `(${x.text} >> ${shift})`, of: (...bytes) => x.of(...bytes) >> shift };
    case 8:
      return { text: `abs(${x.text})`, of: (...bytes) => Math.abs(x.of(...bytes)) | 0 };
    case 9: {
      const [name, of] = below(2) === 0 ? ['min', Math.min] : ['max', Math.max];
      return { text: `${name}(${x.text}, ${y.text})`, of: (...bytes) => of(x.of(...bytes), y.of(...bytes)) };
    }
    case 10: {
      const z = one();
      return {
        text: `(${x.text} > ${y.text} ? ${z.text} : ${x.text})`,
        of: (...bytes) => (x.of(...bytes) > y.of(...bytes) ? z.of(...bytes) : x.of(...bytes)),
      };
    }
    default: {
      const [op, of] = (
        [
          ['&', (left: number, right: number) => left & right],
          ['|', (left: number, right: number) => left | right],
          ['^', (left: number, right: number) => left ^ right],
        ] as const
      )[below(3)] ?? ['&', (left: number, right: number) => left & right];
      return both(op, of);
    }
  }
}

describe('kernels of bytes compute as with 32 bits', () => {
  const random = randomOf(3);
  const all = Array.from({ length: KERNELS }, () => expression(random, 3 + Math.floor(random() * 3)));
  const source = all
    .map(
      (
        { text },
        i,
      ) => `extern "C" __global__ void k${i}(const unsigned char *p, const signed char *q, unsigned char *out,
  int *whole, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  unsigned char a = p[t], c = p[t + 1];
  signed char b = q[t];
  int r = ${text};
  out[t] = r < 0 ? 0 : r > 255 ? 255 : r;
  ${i % 4 === 0 ? 'whole[t] = r;' : ''}
}`,
    )
    .join('\n');

  test(
    'whatever the expression',
    () => {
      const device = new TestDevice(programOf(source));
      const bytes = Array.from({ length: THREADS + 1 }, () => Math.floor(random() * 256));
      const p = device.allocate(THREADS + 1);
      const memory = new Uint8Array(device.memory.buffer);
      memory.set(bytes, p);
      const q = device.allocate(THREADS);
      memory.set(bytes.slice(0, THREADS).reverse(), q);
      const out = device.allocate(THREADS);
      const whole = device.i32(new Array<number>(THREADS).fill(0));
      const at = (i: number): number => bytes[i] ?? 0;
      all.forEach(({ text, of }, k) => {
        device.launch(`k${k}`, [5], [64], [p, q, out, whole.address, THREADS]);
        const results = Array.from({ length: THREADS }, (_, t) =>
          of(at(t), (at(THREADS - 1 - t) << 24) >> 24, at(t + 1)),
        );
        const clamped = results.map((r) => Math.max(0, Math.min(255, r)));
        expect([text, [...memory.slice(out, out + THREADS)]]).toEqual([text, clamped]);
        if (k % 4 === 0) expect([text, [...whole.view]]).toEqual([text, results]);
      });
    },
    LIMIT,
  );
});
