import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import {
  cuda,
  device,
  type F32,
  type I32,
  type I64,
  type KernelArray,
  type U32,
  type U64,
} from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const N = 16;

describeJit('the language of kernels', ({ jit, engine }) => {
  test('integers of 32 and 64 bits: | 0 has 32 bits, other operators 64 where a value has them', () => {
    const kernel = jit((x: I32, u: U32, w: I64, v: U64, out: I64, small: I32) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      const at = i * 12;
      small[i * 4] = (x[i]! + 3000000000) | 0;
      small[i * 4 + 1] = (x[i]! * x[i]! + w[i]!) | 0;
      small[i * 4 + 2] = (u[i]! - x[i]! * 7) ^ u[i]!;
      small[i * 4 + 3] = -u[i]! | 0;
      out[at] = (x[i]! + 3000000000) >>> 0;
      out[at + 1] = w[i]! & 0xffffffff;
      out[at + 2] = w[i]! ^ x[i]!;
      out[at + 3] = cuda.int64(x[i]! * x[i]!);
      out[at + 4] = cuda.int64(w[i]! * w[i]! + 1);
      out[at + 5] = w[i]! << 40;
      out[at + 6] = w[i]! >> 3;
      out[at + 7] = Math.floor(w[i]! / 10) * 10 + (w[i]! % 10);
      out[at + 8] = u[i]! + x[i]!;
      out[at + 9] = v[i]! >>> 60;
      out[at + 10] = v[i]! > 9000000000000000000 ? 1 : 0;
      out[at + 11] = ~w[i]!;
    });
    const x = Int32Array.from({ length: N }, (_, i) => Math.imul(i * 7919 - 40000, 1299709));
    const u = Uint32Array.from(x, (one) => Math.imul(one, 31));
    const w = BigInt64Array.from(x, (one, i) => BigInt(one) * 1000003n * BigInt(i + 1));
    const v = BigUint64Array.from(w, (one) => BigInt.asUintN(64, one * 77777777n));
    const int = (a: bigint): bigint => BigInt.asIntN(64, a);
    const wide = [...x].flatMap((one, i) => {
      const [a, b, c] = [BigInt(one), w[i]!, v[i]!];
      return [
        BigInt((one + 3000000000) >>> 0),
        b & 0xffffffffn,
        b ^ a,
        a * a,
        int(b * b + 1n),
        int(b << 40n),
        b >> 3n,
        b - (b % 10n) - (b < 0n && b % 10n !== 0n ? 10n : 0n) + (b % 10n),
        BigInt(u[i]!) + a,
        c >> 60n,
        c > 9000000000000000000n ? 1n : 0n,
        ~b,
      ];
    });
    const narrow = [...x].flatMap((one, i) => [
      (one + 3000000000) | 0,
      Number(BigInt.asIntN(32, BigInt(one) * BigInt(one) + w[i]!)),
      Number(BigInt.asIntN(32, BigInt(u[i]!) - BigInt(one) * 7n)) ^ u[i]!,
      -u[i]! | 0,
    ]);
    for (const run of [kernel.at(1, 32), kernel.simulate(1, 32)]) {
      const [out, small] = [new BigInt64Array(N * 12), new Int32Array(N * 4)];
      // The third product of 32 bits is one that wraps: it is asked for.
      run(x, u, w, v, out, small);
      expect([...out].map(String)).toEqual(wide.map(String));
      expect([...small]).toEqual(narrow);
    }
  });

  test('constants of 64 bits: with a sign and without one, beside numbers of both', () => {
    const kernel = jit(
      (u: U64, w: I64, out: U64, { most, least, ten }) => {
        out[0] = most;
        out[1] = least;
        out[2] = u[0]! % ten;
        out[3] = Math.floor(u[0]! / ten);
        out[4] = w[0]! % ten;
        out[5] = u[0]! < most ? 1 : 0;
        let x = u[0]!;
        x += ten;
        out[6] = x >> 1;
        out[7] = w[0]! & most;
        out[8] = -least;
        out[9] = -9223372036854775808n as never;
        out[10] = -cuda.uint64(ten);
      },
      { const: { most: 2n ** 64n - 1n, least: -(2n ** 63n), ten: 10n } },
    );
    const u = 2n ** 64n - 13n;
    const wanted = [
      2n ** 64n - 1n,
      2n ** 63n,
      u % 10n,
      u / 10n,
      -3n,
      1n,
      (u + 10n) >> 1n,
      -13n,
      2n ** 63n,
      2n ** 63n,
      -10n,
    ];
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const out = new BigUint64Array(11);
      run(BigUint64Array.of(u), BigInt64Array.of(-13n), out);
      expect([...out]).toEqual(wanted.map((value) => BigInt.asUintN(64, value)));
    }
    const wide = jit((out: U64, { K }) => void (out[0] = K), { const: { K: 2n ** 64n } });
    expect(() => wide.inspect(new BigUint64Array(1))).toThrow('an integer constant must fit 64 bits');
  });

  test('signatures: what a type does not hold is refused on a device and in the simulator', () => {
    const kernel = jit('void(i32[], i32, u8, i64)', (out, a, b, c) => {
      out[0] = a + b + Math.floor(c);
    });
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const out = new Int32Array(1);
      expect(() => run(out, 1.5, 2, 3)).toThrow('argument 2 is int32: 1.5 is not an integer');
      expect(() => run(out, NaN, 2, 3)).toThrow('NaN is not an integer');
      expect(() => run(out, 1, 256, 3)).toThrow('argument 3 is uint8: 256 is not in 0 to 255');
      expect(() => run(out, 2 ** 31, 2, 3)).toThrow('is not in');
      expect(() => run(out, 1, 2, 0.5)).toThrow('argument 4 is int64: 0.5 is not an integer');
      run(out, -1, 255, 3n);
      expect(out[0]).toBe(257);
    }
  });

  test('vectors: made, taken apart, changed, given to functions and back', () => {
    const turned = device((p: { x: number; y: number }) => cuda.float32x2(-p.y, p.x));
    const kernel = jit(
      (x: F32, out: F32, { turned }) => {
        const i = cuda.grid(1);
        if (i * 4 >= x.length) return;
        const a = cuda.float32x4(x[i * 4]!, x[i * 4 + 1]!, x[i * 4 + 2]!, x[i * 4 + 3]!);
        const { x: first, w } = a;
        let b = turned(cuda.float32x2(first, a.y));
        b.x += 0.5;
        b = turned(b);
        const n = cuda.int32x3(i, i + 1, 2 * i);
        n.z++;
        out[i * 4] = b.x + w;
        out[i * 4 + 1] = b.y * a.z;
        out[i * 4 + 2] = n.x + n.y * n.z;
        out[i * 4 + 3] = cuda.uint32x2(i, 7).y;
      },
      { const: { turned } },
    );
    const x = Float32Array.from({ length: N }, (_, i) => i * 0.25 - 1);
    const wanted = Array.from({ length: N / 4 }, (_, i) => {
      const [a, b, c, d] = x.subarray(i * 4) as unknown as [number, number, number, number];
      return [-a + d, (-b + 0.5) * c, i + (i + 1) * (2 * i + 1), 7];
    }).flat();
    for (const run of [kernel.at(1, 8), kernel.simulate(1, 8)]) {
      const out = new Float32Array(N);
      run(x, out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('arrays of 3 and 4 axes: flat, turned, cut, and with negative steps', () => {
    const kernel = jit((a: KernelArray<'f32', 3>, out: KernelArray<'f32', 3>) => {
      const [k, j, i] = cuda.grid(3);
      if (i >= a.shape[0] || j >= a.shape[1] || k >= a.shape[2]) return;
      const row = a[i]![j]!;
      out[i]![j]![k] = row[k]! * 10 + a.ndim + (a[a.shape[0] - 1 - i]![0]![row.length - 1]! + a.size) / 1000;
    });
    const numbers = Float32Array.from({ length: 24 }, (_, i) => i);
    using flat = array(engine(), numbers).reshape([2, 3, 4]);
    const views: readonly (() => NDArray<'f32'>)[] = [
      () => flat.reshape([2, 3, 4]),
      () => flat.transpose([2, 0, 1]),
      () => flat.at('::-1, :, ::2'),
      () => flat.at(':, 1:3, ::-1'),
    ];
    for (const view of views)
      for (const isSimulated of [false, true]) {
        using a = view();
        using out = array(engine(), new Float32Array(a.size)).reshape(a.shape);
        (isSimulated ? kernel.simulate(2, [2, 4, 4]) : kernel.at(2, [2, 4, 4]))(a, out);
        using copy = a.astype('f64');
        const values = [...copy.get()];
        const [n0, n1, n2] = a.shape as unknown as [number, number, number];
        const at = (i: number, j: number, k: number): number => values[(i * n1 + j) * n2 + k]!;
        const wanted = values.map((_, p) => {
          const [i, j, k] = [Math.floor(p / (n1 * n2)), Math.floor(p / n2) % n1, p % n2];
          return Math.fround(at(i, j, k) * 10 + 3 + (at(n0 - 1 - i, 0, n2 - 1) + a.size) / 1000);
        });
        const computed = out.get();
        for (const [p, value] of wanted.entries()) expect(computed[p]).toBeCloseTo(value, 4);
      }
    const four = jit((a: KernelArray<'i32', 4>, out: I32) => {
      const local = cuda.local.array([2, 2, 2, 2], 'i32');
      let s = 0;
      for (let i = 0; i < a.shape[0]; i++)
        for (let j = 0; j < a.shape[1]; j++)
          for (let k = 0; k < a.shape[2]; k++)
            for (let l = 0; l < a.shape[3]; l++) {
              local[i]![j]![k]![l] = a[i]![j]![k]![l]!;
              s = s * 3 + local[i]![j]![k]![l]!;
            }
      out[0] = s;
    });
    const values = Int32Array.from({ length: 16 }, (_, i) => (i * 5) % 3);
    using whole = array(engine(), values).reshape([2, 2, 2, 2]);
    for (const run of [four.at(1, 1), four.simulate(1, 1)]) {
      const out = new Int32Array(1);
      run(whole, out);
      expect(out[0]).toBe(values.reduce((s, one) => s * 3 + one, 0));
    }
  });

  test('shared arrays: in inner blocks, and of a length that the launch gives', () => {
    const kernel = jit((x: F32, out: F32) => {
      const t = cuda.threadIdx.x;
      const i = cuda.grid(1);
      if (x.length > 0) {
        const tile = cuda.shared.array(0, 'f32');
        const same = cuda.shared.array(0, 'i32');
        const own = cuda.shared.array([2, 8], 'f32');
        tile[t] = x[i]!;
        own[t & 1]![t >> 1] = x[i]!;
        cuda.syncthreads();
        const other = tile[cuda.blockDim.x - 1 - t]!;
        out[i] = other + own[1 - (t & 1)]![t >> 1]! * 100;
        cuda.syncthreads();
        same[t] = t * 3;
        cuda.syncthreads();
        out[i] += same[(t + 1) % cuda.blockDim.x]! / 8;
      }
    });
    const x = Float32Array.from({ length: 32 }, (_, i) => i);
    const wanted = Array.from(x, (_, i) => {
      const [block, t] = [i - (i % 16), i % 16];
      return block + 15 - t + (block + (t ^ 1)) * 100 + (((t + 1) % 16) * 3) / 8;
    });
    for (const run of [kernel.at(2, 16, { shared: 64 }), kernel.simulate(2, 16, { shared: 64 })]) {
      const out = new Float32Array(32);
      run(x, out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('names that mean something in C, in CUDA or in OpenCL', () => {
    const kernel = jit(function kernel(int: F32, half: F32, n: number) {
      const threadIdx = cuda.grid(1);
      const global = threadIdx * 2;
      const local = global + 1;
      const min = Math.min(global, local);
      const max = Math.max(global, local);
      let float = 0;
      for (let register = 0; register < n; register++) float += register;
      const signed = { double: min, volatile: max, x: 1 };
      const [uchar, size_t] = [signed.double, signed.volatile];
      const M_PI = 3;
      const INFINITY = 4;
      const printf = 5;
      const held = 6;
      const _global = 7;
      const $ = 8;
      const get_global_id = 9;
      const blockDim = 10;
      const half2 = 11;
      const __half = 12;
      const NULL = 13;
      const as_float = 14;
      if (threadIdx < int.length)
        half[threadIdx] =
          int[threadIdx]! + uchar + size_t * 10 + float * 100 + signed.x + M_PI + INFINITY + printf + held + _global + $ + get_global_id + blockDim + half2 + __half + NULL + as_float; // prettier-ignore
    });
    const x = Float32Array.from({ length: N }, (_, i) => i / 2);
    const sum = Array.from({ length: 12 }, (_, i) => i + 3).reduce((a, b) => a + b, 0);
    for (const run of [kernel.at(1, 32), kernel.simulate(1, 32)]) {
      const out = new Float32Array(N);
      run(x, out, 4);
      expect([...out]).toEqual([...x].map((one, i) => one + 2 * i + (2 * i + 1) * 10 + 600 + 1 + sum));
    }
  });

  test('device functions whose names the languages have', () => {
    const clamp = device(function clamp(x: number, most: number) {
      return x < 0 ? 0 : x > most ? most : x;
    });
    const mix = device(function mix(x: number) {
      return x * 2 + 1;
    });
    const kernel = jit(
      function main(x: I32, { clamp, mix }) {
        const i = cuda.grid(1);
        if (i < x.length) x[i] = clamp(mix(i) - 5, 9);
      },
      { const: { clamp, mix } },
    );
    for (const run of [kernel.at(1, 16), kernel.simulate(1, 16)]) {
      const x = new Int32Array(10);
      run(x);
      expect([...x]).toEqual([0, 0, 0, 2, 4, 6, 8, 9, 9, 9]);
    }
  });

  test('objects and lists: given, changed, nested, taken apart and returned', () => {
    interface Box {
      low: readonly [number, number];
      high: { x: number; y: number };
      isOpen: boolean;
    }
    const grown = device((box: Box, by: number) => {
      const { low, high } = box;
      const [x, y] = low;
      return { low: [x - by, y - by], high: { x: high.x + by, y: high.y + by }, isOpen: !box.isOpen };
    });
    const kernel = jit(
      (box: Box, out: F32, { grown }) => {
        const i = cuda.grid(1);
        if (i * 6 >= out.length) return;
        const copy = { ok: box.high, n: i };
        copy.ok.x = 50 + i;
        const other = grown(box, i);
        other.high.y *= 2;
        out[i * 6] = other.low[0]! + other.low[1]! * 10;
        out[i * 6 + 1] = other.high.x;
        out[i * 6 + 2] = other.high.y;
        out[i * 6 + 3] = other.isOpen ? 1 : 0;
        out[i * 6 + 4] = copy.ok.x + copy.n;
        out[i * 6 + 5] = box.high.x;
      },
      { const: { grown } },
    );
    const box = { low: [1, 2.5] as const, high: { x: 4, y: 8 }, isOpen: false };
    const wanted = [0, 1, 2].flatMap((i) => [1 - i + (2.5 - i) * 10, 4 + i, (8 + i) * 2, 1, 50 + 2 * i, 4]);
    for (const run of [kernel.at(1, 4), kernel.simulate(1, 4)]) {
      const out = new Float32Array(18);
      run(box, out);
      // An object that is put into another one is copied here, as in C.
      expect([...out]).toEqual(wanted);
    }
  });

  test('halves of the host: a Float16Array, and its bits where a signature says so', () => {
    const doubled = (x: KernelArray<'f16', 1>): void => {
      const i = cuda.grid(1);
      if (i < x.length) x[i]! *= 2;
    };
    const bits = jit('void(f16[])', doubled);
    for (const run of [bits.at(1, 4), bits.simulate(1, 4)]) {
      const x = Uint16Array.of(0x3c00, 0x3800, 0xc000, 0x0001);
      run(x as never);
      expect([...x]).toEqual([0x4000, 0x3c00, 0xc400, 0x0002]);
    }
    const { Float16Array } = globalThis as { Float16Array?: new (list: readonly number[]) => Float32Array };
    if (Float16Array === undefined) return;
    const kernel = jit(doubled);
    for (const run of [kernel.at(1, 4), kernel.simulate(1, 4)]) {
      const x = new Float16Array([1, 0.5, -2, 1.2001953125]);
      run(x as never);
      expect([...x]).toEqual([2, 1, -4, 2.400390625]);
    }
  });

  test('a thread that returns before a barrier is an error of the simulator', () => {
    const kernel = jit((x: F32) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      cuda.syncthreads();
      x[i] = 1;
    });
    expect(() => kernel.simulate(1, 8)(new Float32Array(5))).toThrow('divergent barrier: syncthreads is waited at');
    const whole = new Float32Array(8);
    kernel.at(1, 8)(whole);
    expect([...whole]).toEqual(new Array(8).fill(1));
  });
});
