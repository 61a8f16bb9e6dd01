import { expect, test } from '@jest/globals';
import { struct } from '../../../src/core/struct.ts';
import { cuda, device, structArray, type F32, type I32, type I64, type Structs } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const Point = struct({ x: 'f32', y: 'f32' });
const Segment = struct({ from: Point, to: Point });

describeJit('values that are taken apart', ({ jit }) => {
  test('places of threads and blocks, renamed, as a whole, and from cuda itself', () => {
    const kernel = jit((out: I32) => {
      const { x: tx, y: ty } = cuda.threadIdx;
      const { x } = cuda.blockIdx;
      const {
        blockDim,
        gridDim: { x: blocks },
      } = cuda;
      const at = cuda.threadIdx;
      const i = (x * blockDim.y + ty) * blockDim.x + tx;
      out[i] = i * 1000 + blocks * 100 + at.x * 10 + at.y + at.z;
    });
    const wanted = Array.from({ length: 24 }, (_, i) => i * 1000 + 200 + (i % 4) * 10 + (Math.floor(i / 4) % 3));
    for (const run of [kernel.at(2, [4, 3]), kernel.simulate(2, [4, 3])]) {
      const out = new Int32Array(24);
      run(out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('parameters of kernels and device functions, structs inside of structs, elements in loops', () => {
    const dot = device(({ x, y }: { x: number; y: number }, [a, b]: readonly [number, number]) => x * a + y * b);
    const kernel = jit(
      (
        segments: Structs<typeof Segment>,
        { by, at: { y: up } }: { by: number; at: { y: number } },
        [first, second]: readonly [number, number],
        out: F32,
        { dot }: { dot: (p: { x: number; y: number }, list: readonly [number, number]) => number },
      ) => {
        const i = cuda.grid(1);
        if (i >= segments.length) return;
        let sum = 0;
        for (const {
          from: { x },
          to,
        } of segments)
          sum += x * by + to.y;
        const { to: end } = segments[i]!;
        out[i] = sum + dot(end, [first, second]) + up;
      },
      { const: { dot } },
    );
    const list = [0, 1, 2].map((k) => ({ from: { x: k, y: 1 }, to: { x: k * 2, y: k - 5 } }));
    const wanted = list.map(({ to }) => 3 * 2 - 12 + to.x * 3 + to.y * 4 + 7);
    for (const run of [kernel.at(1, 4), kernel.simulate(1, 4)]) {
      const out = new Float32Array(3);
      run(structArray(Segment, list), { by: 2, at: { y: 7 } }, [3, 4], out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('a copy has fields of its own types, and does not change what it is a copy of', () => {
    const kernel = jit((n: number, out: F32) => {
      const p = { a: 1, b: n, at: [n, 2] };
      const q = p;
      q.a = 0.5;
      q.at[1] = 1.5;
      let r = p;
      if (n > 2) r = { b: 4, a: n, at: [0, n] };
      out[0] = q.a + p.a * 10;
      out[1] = r.a + r.b + r.at[1]! + p.at[1]! * 100 + q.at[1];
    });
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const out = new Float32Array(2);
      run(3, out);
      expect([...out]).toEqual([10.5, 3 + 4 + 3 + 200 + 1.5]);
    }
  });

  test('quotients by constants that no float holds are exact integers', () => {
    const kernel = jit((x: I64, out: I64) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      out[3 * i] = Math.trunc(x[i]! / (9007199254740993n as unknown as number));
      out[3 * i + 1] = Math.floor(x[i]! / (9007199254740993n as unknown as number));
      out[3 * i + 2] = Math.trunc((9007199254740993n as unknown as number) / x[i]!);
    });
    const d = 9007199254740993n;
    const x = [d, d - 1n, 2n * d - 1n, -d, 1n - d, -2n * d - 1n, 3n, -7n];
    const wanted = x.flatMap((one) => [one / d, one / d - (one < 0n && one % d !== 0n ? 1n : 0n), d / one]);
    for (const run of [kernel.at(1, 8), kernel.simulate(1, 8)]) {
      const out = new BigInt64Array(24);
      run(BigInt64Array.from(x), out);
      expect([...out].map(String)).toEqual(wanted.map(String));
    }
  });
});
