import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { cuda, device, type F32, type I32, type U32 } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const ramp = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);

describeJit('functions', (names) => {
  const { jit, engine } = names;

  test('device functions: each for the types that it is called with, with constants of their own', () => {
    const square = device((x: number) => x * x);
    const near = device(
      (x: F32, i: number, { at, square }: { at: number; square: (x: number) => number }) => square(x[i + at]!),
      {
        const: { at: 1, square },
      },
    );
    const out = new Float32Array(4);
    const whole = new Int32Array(4);
    const kernel = jit(
      (x: F32, out: F32, whole: I32, { near, square }) => {
        const i = cuda.grid(1);
        if (i + 1 >= x.length) return;
        out[i] = near(x, i);
        whole[i] = square(i);
      },
      { const: { near, square } },
    );
    kernel.forAll(4)(new Float32Array([1, 2, 3, 4]), out, whole);
    expect([...out]).toEqual([4, 9, 16, 0]);
    expect([...whole]).toEqual([0, 1, 4, 0]);
  });

  test('constants: numbers, lists of lists, typed arrays, objects', () => {
    const out = new Float32Array(8);
    const kernel = jit(
      (out: F32, { by, table, words, grid: { left } }) => {
        const i = cuda.grid(1);
        out[i] = by * table[i % 2]![1]! + words[i % 3]! + left;
      },
      {
        const: {
          by: 0.5,
          table: [
            [1, 2],
            [3, 4],
          ],
          words: new Uint32Array([1, 2, 4294967295]),
          grid: { left: 1 },
        },
      },
    );
    expect(() => kernel.at(1, 8)(out)).toThrow('constants are taken by their names');
    const flat = jit(
      (out: F32, c) => {
        const i = cuda.grid(1);
        out[i] = c.by * c.table[i % 2]![1]! + c.words[i % 3]! + c.grid.left;
      },
      {
        const: {
          by: 0.5,
          table: [
            [1, 2],
            [3, 4],
          ],
          words: new Uint32Array([1, 2, 65536]),
          grid: { left: 1 },
        },
      },
    );
    flat.at(1, 8)(out);
    expect([...out]).toEqual(Array.from({ length: 8 }, (_, i) => 0.5 * [2, 4][i % 2]! + [1, 2, 65536][i % 3]! + 1));
  });

  test('structs, tuples, truth values and integers of 64 bits as arguments', () => {
    const out = new BigInt64Array(3);
    const kernel = jit((out: I32, p: { a: number; flag: boolean }, t: [number, number], wide: number) => {
      const i = cuda.grid(1);
      if (p.flag && i < out.length) out[i] = wide + p.a * t[1] + i;
    });
    kernel.forAll(3)(out as never, { a: 3, flag: true }, [1, 5], 2n ** 40n);
    expect([...out]).toEqual([15n, 16n, 17n].map((x) => x + 2n ** 40n));
  });

  test('arrays with strides and views are read in place', () => {
    using x = array(engine(), ramp(24)).reshape([4, 6]);
    using out = array(engine(), new Float32Array(6));
    const kernel = jit((a: F32<2>, out: F32) => {
      const i = cuda.grid(1);
      if (i >= a.shape[0]) return;
      let sum = 0;
      for (let k = 0; k < a.shape[1]; k++) sum += a[i]![k]! * (k + 1);
      out[i] = sum;
    });
    using part = x.T.at('1:, ::2');
    kernel.forAll(6)(part, out);
    const rows = Array.from({ length: 5 }, (_, i) => [i + 1, i + 13].reduce((sum, v, k) => sum + v * (k + 1), 0));
    expect([...(out.get() as Float32Array)]).toEqual([...rows, 0]);
  });

  test('atomic operations, in global and in shared memory', () => {
    const n = 1000;
    const counts = new Uint32Array(8);
    const sums = new Float32Array(2);
    const kernel = jit((counts: U32, sums: F32, n: number) => {
      const local = cuda.shared.array(8, 'u32');
      if (cuda.threadIdx.x < 8) local[cuda.threadIdx.x] = 0;
      cuda.syncthreads();
      const i = cuda.grid(1);
      if (i < n) {
        cuda.atomic.add(local, i & 7, 1);
        cuda.atomic.add(sums, 0, 0.5);
        cuda.atomic.max(sums, 1, i);
      }
      cuda.syncthreads();
      if (cuda.threadIdx.x < 8) cuda.atomic.add(counts, cuda.threadIdx.x, local[cuda.threadIdx.x]!);
    });
    kernel.at(16, 64)(counts, sums, n);
    expect([...counts]).toEqual(new Array(8).fill(n / 8));
    expect([...sums]).toEqual([n / 2, n - 1]);
  });

  test('halves: kernels compute with f32, and round what they store', () => {
    using x = array(engine(), [0.1, 1000, 65504], { dtype: 'f16' });
    const kernel = jit((x: F32) => {
      const i = cuda.grid(1);
      x[i] = x[i]! / 3;
    });
    kernel.at(1, 3)(x as never);
    expect([...(x.astype('f32').get() as Float32Array)]).toEqual([0.0333251953125, 333.25, 21840]);
  });

  test('a number is i32 where it is an integer, f32 with f32 arrays, f64 otherwise', () => {
    const kernel = jit((out: F32, x: number) => {
      out[0] = x / 3;
    });
    const single = new Float32Array(1);
    kernel.at(1, 1)(single, 0.1);
    expect(single[0]).toBe(Math.fround(Math.fround(0.1) / 3));
    expect(kernel.inspect()).toContain('float x');
    kernel.at(1, 1)(new Float64Array(1) as never, 0.1);
    expect(kernel.inspect()).toContain('double x');
    kernel.at(1, 1)(single, 7);
    expect(kernel.inspect()).toContain('int x');
  });

  test('a signature fixes the types; other arguments are refused', () => {
    const kernel = jit('void(f32[:], float64, i4)', (out, x, n) => {
      const i = cuda.grid(1);
      if (i < n) out[i] = x;
    });
    const out = new Float32Array(3);
    kernel.forAll(3)(out, 2, 2);
    expect([...out]).toEqual([2, 2, 0]);
    expect(kernel.inspect()).toMatch(/float \*out, double x, int n/);
    expect(() => kernel.forAll(3)(new Int32Array(3) as never, 2, 2)).toThrow('argument 1 must be f32[], got i32[]');
    expect(() => kernel.forAll(3)(...([out, 2] as never as [never, never, never]))).toThrow(
      'must be given 3 arguments, got 2',
    );
  });

  test('a part of a struct is assigned', () => {
    const out = new Float32Array(2);
    const kernel = jit((out: F32) => {
      const p = { x: 1, y: 2 };
      p.x += out.length;
      p.y = p.x * 0.5;
      out[0] = p.x;
      out[1] = p.y;
    });
    kernel.at(1, 1)(out);
    expect([...out]).toEqual([3, 1.5]);
  });

  test('nothing is launched for no threads, and an empty array has length 0', () => {
    const kernel = jit((x: F32, out: I32) => {
      out[0] = x.length;
    });
    const out = new Int32Array([7]);
    kernel.forAll(0)(new Float32Array(0), out);
    expect(out[0]).toBe(7);
    kernel.at(1, 1)(new Float32Array(0), out);
    expect(out[0]).toBe(0);
  });
});
