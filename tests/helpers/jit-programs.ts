import { struct } from '../../src/cuda/index.ts';
import { cuda, device, type F32, type I32, type U32 } from '../../src/cuda/jit/index.ts';
import { line, points, type KernelCase } from './jit-setting.ts';

function integers(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >> (i % 20));
}

const clamp = device((x: number, most: number) => {
  if (x < 0) return 0;
  if (x > most) return most;
  return x;
});
const weigh = device(
  (x: F32, at: number, { clamp, by }) => {
    const i = clamp(at, x.length - 1);
    return x[i]! * by;
  },
  { const: { clamp, by: 0.3 } },
);

const Cell = struct({ kind: 'u8', hits: 'i32', at: struct({ x: 'f32', y: 'f32' }) });
const turned = device(({ x, y }: { x: number; y: number }, [by, up]: readonly [number, number]) => ({
  y: x * by,
  x: up - y,
}));

/** Kernels that have, between them, each kind of statement and expression that tools write in another way. */
export const programs: readonly KernelCase[] = [
  {
    title: 'device functions',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit(
        (x: F32, out: F32, { R, weigh }) => {
          const i = cuda.grid(1);
          if (i >= out.length) return;
          let sum = 0;
          for (let k = -R; k <= R; k++) sum += weigh(x, i + k);
          out[i] = sum;
        },
        { const: { R: 2, weigh } },
      ),
  },
  {
    title: 'constants',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit(
        (x: F32, out: F32, { taps, table, dtype, all }) => {
          const kept = cuda.local.array(4, dtype);
          const i = cuda.grid(1);
          for (let k = 0; k < 4; k++) kept[k] = taps[k % taps.length]! * x[i]!;
          const scale = 0.3;
          const shift = 3;
          const whole = 1e3;
          const half = shift / 2;
          out[i] = (kept[i & 3]! + table[i % 2]![1]!) * scale + shift * x[i]! - whole + all.left * half;
        },
        {
          const: {
            taps: new Float32Array([0.1, 0.2, 0.7]),
            table: [
              [1, 2],
              [3, 4],
            ],
            dtype: 'f32',
            all: { left: 7 },
          },
        },
      ),
  },
  {
    title: 'integers',
    setting: { arrays: [integers(64), new Int32Array(6 * 64)], shapes: [[64], [6 * 64]], grid: [1], block: [64] },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const i = cuda.grid(1);
        if (!(i < x.length)) return;
        const v = x[i]!;
        out[6 * i] = (v * 3 + 1) | 0;
        out[6 * i + 1] = Math.floor(v / 2);
        out[6 * i + 2] = Math.trunc(v / 2);
        out[6 * i + 3] = (v << 5) ^ (v >>> 3) ^ ~(v >> 2);
        out[6 * i + 4] = Math.imul(v, 0x9e3779b1);
        out[6 * i + 5] = v % 5;
      }),
  },
  {
    title: 'while, do, break and continue',
    setting: { arrays: [integers(64), new Int32Array(64)], shapes: [[64], [64]], grid: [1], block: [64] },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const i = cuda.grid(1);
        if (i >= x.length) return;
        let v = (x[i]! & 1023) + 1;
        let steps = 0;
        while (v !== 1) {
          if (steps > 100) break;
          steps++;
          if (v % 2 === 0) {
            v >>= 1;
            continue;
          }
          v = 3 * v + 1;
        }
        let digits = 0;
        do {
          digits++;
          v = Math.trunc(v / 10);
        } while (v > 0);
        for (;;) {
          if (digits >= 20) break;
          digits += 7;
        }
        out[i] = steps * 100 + digits;
      }),
  },
  {
    title: 'a histogram',
    setting: { arrays: [integers(256), new Int32Array(16)], shapes: [[256], [16]], grid: [4], block: [64] },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const counts = cuda.shared.array(16, 'i32');
        const t = cuda.threadIdx.x;
        if (t < 16) counts[t] = 0;
        cuda.syncthreads();
        const i = cuda.grid(1);
        if (i < x.length) cuda.atomic.add(counts, x[i]! & 15, 1);
        cuda.syncthreads();
        if (t < 16) {
          const count = counts[t]!;
          if (count > 0) cuda.atomic.add(out, t, count);
        }
      }),
  },
  {
    title: 'objects and lists',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((x: F32, out: F32) => {
        const i = cuda.grid(1);
        const re = x[i]!;
        const im = re / 2;
        const z = { re, im };
        const [least, most] = [Math.min(re, im), Math.max(re, im)];
        const { re: a, im: b } = { re: z.re * z.re - z.im * z.im, im: 2 * z.re * z.im };
        z.re = a;
        z.im += b;
        out[i] = z.re + z.im * least - most;
      }),
  },
  {
    title: 'arrays of structs, and patterns',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit(
        (x: F32, out: F32, { Cell: C, turned: turn }: { Cell: typeof Cell; turned: typeof turned }) => {
          const cells = cuda.shared.array(64, C);
          const {
            threadIdx: { x: j },
          } = cuda;
          const i = cuda.grid(1);
          cells[j] = { hits: 0, kind: j + 250, at: { y: x[i]!, x: j } };
          cuda.syncthreads();
          cuda.atomic.add(cells[j >> 2]!, 'hits', j);
          const { at, kind } = cells[63 - j]!;
          let { x: a, y: b } = turn(at, [0.5, kind]);
          if (i % 3 === 0) [a, b] = [b, a];
          at.x += a;
          cuda.syncthreads();
          let total = 0;
          for (const {
            hits,
            at: { x: column },
          } of cells)
            total += hits - column;
          out[i] = at.x * 2 + b - total + cells[j].hits;
        },
        { const: { Cell, turned } },
      ),
  },
  {
    title: 'lists whose index varies, and exchanges',
    setting: { arrays: [integers(128), new Int32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const i = cuda.grid(1);
        const own = [x[i]! & 255, x[i ^ 1]! & 255, i, 7];
        for (let k = 0; k < 3; k++)
          for (let n = 0; n < 3; n++) if (own[n]! > own[n + 1]!) [own[n], own[n + 1]] = [own[n + 1]!, own[n]!];
        const steps = [
          { by: 3, of: [i, 1] },
          { of: [2, i & 3], by: own[i & 3]! },
        ].length;
        const moves = [
          [0, 1],
          [1, own[0]!],
        ];
        let [a, b] = [1, 1];
        for (const v of own) {
          switch (v & 3) {
            case 0:
              a += v;
              break;
            case 1:
              [a, b] = [b, a & 1023];
              break;
            case 3:
              b -= 2;
              break;
            default:
              a = moves[v & 1]![i & 1]!;
          }
        }
        const kept = [own[1]!, own[2]!][i & 1]!;
        out[i] = own[3]! * 100000 + a * 100 + b * steps + kept;
      }),
  },
  {
    title: 'decisions',
    setting: { arrays: [integers(128), new Int32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const i = cuda.grid(1);
        if (i < 0) console.log(`thread ${i}`, 'before the first');
        const v = x[i]! % 100;
        let kind;
        let isOdd = false;
        if (v < -50) kind = 1;
        else if (v < 0) kind = 2;
        else if (v === 0 || v === 1) {
          kind = 3;
          isOdd = v === 1;
        } else if (v > 50 && v % 3 !== 0) {
          kind = 4;
          if (v > 75) {
            out[i] = -kind;
            return;
          }
        } else {
          isOdd = (v & 1) === 1;
          kind = isOdd ? 5 : 6;
        }
        if (isOdd) kind += 10;
        if (!isOdd && kind === 6) kind = 7;
        if (kind === 1) {
          out[i] = v;
          return;
        }
        if (kind === 2) out[i] = v * 2;
        else out[i] = kind;
      }),
  },
  {
    title: 'powers and roots',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((x: F32, out: F32) => {
        const i = cuda.grid(1);
        const v = x[i]!;
        let whole = i;
        whole **= 2;
        out[i] = Math.sqrt(Math.abs(v)) * Math.sign(v) + (i & 3) ** 3 + whole - Math.floor(v) * Math.PI;
      }),
  },
  {
    title: 'the Mandelbrot set',
    setting: {
      arrays: [points(1), new Int32Array(16 * 24)],
      shapes: [[1], [16, 24]],
      grid: [3, 2],
      block: [8, 8],
    },
    kernel: ({ jit }) =>
      jit(
        (center: F32, out: I32<2>, { most }: { most: number }) => {
          const [x, y] = cuda.grid(2);
          if (x >= out.shape[1] || y >= out.shape[0]) return;
          const cx = (x - 16) / 12 + center[0]! * 0.0001;
          const cy = (y - 8) / 8;
          let [a, b, n] = [0, 0, 0];
          while (a * a + b * b < 4 && n < most) {
            const next = a * a - b * b + cx;
            b = 2 * a * b + cy;
            a = next;
            n += 1;
          }
          out[y]![x] = n;
        },
        { const: { most: 50 } },
      ),
  },
  {
    title: 'sorting by insertion',
    setting: { arrays: [integers(128), new Int32Array(128)], shapes: [[128], [128]], grid: [1], block: [16] },
    kernel: ({ jit }) =>
      jit((x: I32, out: I32) => {
        const own = cuda.local.array(8, 'i32');
        const first = 8 * cuda.grid(1);
        for (let k = 0; k < 8; k++) own[k] = x[first + k]!;
        for (let k = 1; k < 8; k++) {
          const v = own[k]!;
          let at = k - 1;
          while (at >= 0 && own[at]! > v) {
            own[at + 1] = own[at]!;
            at--;
          }
          own[at + 1] = v;
        }
        for (let k = 0; k < 8; k++) out[first + k] = own[k]!;
      }),
  },
  {
    title: 'a function expression',
    setting: { arrays: [integers(128), new Int32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit(function mixed(x: U32, out: I32) {
        'use strict';
        /* eslint-disable no-var -- what older tools write */
        var i = cuda.grid(1);
        var hash = x[i]! >>> 0;
        for (var round = 0; round < 3; round++) {
          hash ^= hash >>> 16;
          hash = Math.imul(hash, 0x85ebca6b);
        }
        out[i] = hash;
      }),
  },
  {
    title: 'vectors',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((x: F32, out: F32) => {
        const i = cuda.grid(1);
        const v = cuda.float32x4(x[i]!, 1, 2, 3);
        const near = x[Math.min(i + 1, x.length - 1)]!;
        v.w = near;
        let best = v.x;
        best = v.w > best ? v.w : best;
        out[i] = best * v.y + v.z + cuda.float32(i) / 7;
      }),
  },
];
