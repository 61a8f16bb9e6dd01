import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { cuda, device, type F32, type I32, type KernelArray } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

/* eslint-disable no-useless-assignment, @typescript-eslint/switch-exhaustiveness-check, @typescript-eslint/no-unnecessary-condition --
   what is tested */

type Numbers = Int32Array | Float32Array;
type Element = (i: number, x: F32, out: I32) => void;

const length = 40;
const start = (): Float32Array => Float32Array.from({ length }, (_, i) => (i % 7) - 2 + (i % 3) / 2);

// Each computes out[i] and the elements behind, as JavaScript, on the device and in the simulator.
const functions: Readonly<Record<string, Element | string>> = {
  'switch: cases that go on in the next, a default in the middle': `(i, _, out) => {
    let s = 0;
    switch (i % 9) {
      case 0:
        s += 1;
      case 1:
      case 2:
        s += 10;
        break;
      default:
        s += 100;
      case 4: {
        const t = s * 2;
        s = t + 1;
        break;
      }
      case 7:
        s = -1;
    }
    out[i] = s;
  }`,
  'switch: variables of the cases, one of which is read in the next': `(i, x, out) => {
    switch (i & 3) {
      case 3:
        out[i] = 33;
        break;
      case 0: {
        out[i] = 5;
      }
      case 1:
        const y = Math.floor(x[i]) + i;
        let z = y * 2;
        z += 1;
        out[i] += z;
      case 9:
    }
  }`,
  'switch: fractions, tests and texts of bits': (i, x, out) => {
    let s = 0;
    switch (x[i]!) {
      case 0.5:
        s = 1;
        break;
      case -2:
        s = 2;
        break;
      case i:
        s = 3;
        break;
      default:
        s = 4;
    }
    switch (true) {
      case x[i]! > 2:
        s += 10;
        break;
      case i % 2 === 0:
        s += 20;
    }
    switch (i >>> 0) {
      case 0xffffffff:
        s = 0;
        break;
      case 5:
      case 5 + 1:
        s += 100;
    }
    out[i] = s;
  },
  'switch: continue goes on with the loop around, break leaves the switch': (i, _, out) => {
    let s = 0;
    for (let k = 0; k < 12; k++) {
      switch ((k + i) % 5) {
        case 0:
          continue;
        case 1:
          break;
        case 2:
          for (let j = 0; ; j++) {
            if (j > 3) break;
            s += j;
          }
          break;
        default:
          s += k;
          if (s > 90) return;
      }
      s += 1;
    }
    out[i] = s;
  },
  'labels: the next round of an outer loop, and out of it': (i, _, out) => {
    let s = 0;
    rows: for (let j = 0; j < 10; j++) {
      const first = j * i;
      columns: for (let k = 0; k < 10; k++) {
        if (k * 3 === j) continue rows;
        if ((k + first) % 11 === 10) break rows;
        let m = 0;
        while (true) {
          if (++m > 3) continue columns;
          if (m + k === 9) break columns;
          s += m;
        }
      }
      const last = s % 100;
      s += last;
    }
    out[i] = s % 1000;
  },
  'labels: of blocks, of switches, of loops that test at the end': (i, _, out) => {
    let s = 0;
    block: {
      s = 1;
      if (i % 2 === 0) break block;
      const more = i * 2;
      s += more;
    }
    outer: do {
      s += 3;
      choice: switch (s % 4) {
        case 0:
          for (;;) {
            if (s++ > 50) break outer;
            if (s % 3 === 0) break choice;
            if (s % 5 === 0) continue outer;
          }
        case 1:
          break outer;
        default:
          s += 1;
      }
      s += 7;
    } while (s < 60);
    out[i] = s;
  },
  'for … of: arrays, lists, and a list of changing values': (i, x, out) => {
    let s = 0;
    for (const v of x) {
      if (v < 0) continue;
      if (v > 4) break;
      s += Math.floor(v);
    }
    for (let v of [i, i + 1, 5]) {
      v *= 2;
      s += v;
    }
    for (const v of [0.5, 1, 2.5]) s += Math.floor(v * 2);
    out[i] = s;
  },
  'var: known in the whole function, one variable wherever it is declared': `(i, _, out) => {
    for (var k = 0; k < 3; k++) {
      if (k > 0) s += last;
      else var s = 100;
      var last = k * i;
    }
    if (i > 2) {
      var s = s + 1;
    }
    out[i] = s + k + last;
  }`,
  'names that are declared again inside': (i, _, out) => {
    const a = i;
    let s = a;
    {
      const a = i * 2;
      s += a;
      for (let a = 0; a < 3; a++) {
        s += a;
        const i = a * 10;
        s += i;
      }
      if (s > 10) {
        const s = 3;
        out[i] = s;
        return;
      }
    }
    out[i] = s + a;
  },
  'commas in the head of a loop': (i, _, out) => {
    let s = 0;
    for (let j = 0, k = i, step = 2; j < k; j += step, k--) s += j * k;
    let a: number, b: number;
    for (a = 0, b = 10; a < b; a++, b -= 2) s += a - b;
    let n = 0;
    do n += 3;
    while (n < i);
    out[i] = s + n;
  },
  'values of mixed types': (i, x, out) => {
    const a = i % 2 === 0 ? x[i]! : i;
    const b = i > 5 ? i > 10 : i;
    const c = i & 1 || x[i]! > 0;
    const d = i > 3 && i;
    const e = x[i]! || 9;
    const f = !(x[i]! && i) ? 1 : 2;
    const g = (i % 3) ** 3 + 2 ** (i % 4) + Math.floor((x[i]! + 3) ** 2);
    out[i] = Math.floor(a) + Number(b) + Number(c) * 100 + Number(d) + Math.floor(e) + f + g;
  },
};

describeJit('control flow', ({ jit, engine }) => {
  test.each(Object.entries(functions))('%s', (_, given) => {
    // As texts where TypeScript has its own mind.
    const fn = typeof given === 'string' ? (runInThisContext(`(${given})`) as Element) : given;
    const body = device(fn);
    const kernel = jit(
      (x: F32, out: I32, { body }) => {
        const i = cuda.grid(1);
        if (i < out.length) body(i, x, out);
      },
      { const: { body } },
    );
    const wanted = new Int32Array(length);
    for (let i = 0; i < length; i++)
      (fn as unknown as (i: number, x: Numbers, out: Numbers) => void)(i, start(), wanted);
    for (const run of [kernel.at(2, 32), kernel.simulate(2, 32)]) {
      const out = new Int32Array(length);
      run(start(), out);
      expect([...out]).toEqual([...wanted]);
    }
  });

  test('squares are products, rounded as they must be', () => {
    const kernel = jit((x: F32, out: F32) => {
      const i = cuda.grid(1);
      if (i >= out.length) return;
      out[i] = i % 2 === 0 ? x[i]! ** 2 : Math.pow(x[i]!, 2);
    });
    const x = Float32Array.from({ length: 4096 }, (_, i) => (i - 2000) / 4 + (i % 5) / 1024);
    const wanted = x.map((value) => value * value);
    for (const run of [kernel.forAll(4096), kernel.simulate(16, 256)]) {
      const out = new Float32Array(4096);
      run(x, out);
      expect(out).toEqual(wanted);
    }
  });

  test('barriers inside of switch, of labelled loops and of for … of', () => {
    const kernel = jit(
      (out: I32, n: number, { rounds }) => {
        const tile = cuda.shared.array(32, 'i32');
        const t = cuda.threadIdx.x;
        tile[t] = t;
        let s = 0;
        steps: for (let step = 0; step < 8; step++) {
          switch (step % 3) {
            case 0:
              cuda.syncthreads();
              s += tile[(t + step) % 32]!;
              cuda.syncthreads();
              break;
            case 1:
              if (step > n) break steps;
              continue steps;
            default:
              cuda.syncthreads();
              tile[t] = s;
              cuda.syncthreads();
          }
        }
        for (const by of rounds) {
          cuda.syncthreads();
          const other = tile[(t + by) % 32]!;
          cuda.syncthreads();
          tile[t] += other;
        }
        out[t] = tile[t] + s;
      },
      { const: { rounds: [1, 2, 4] } },
    );
    const reference = (n: number): number[] => {
      let tile = Array.from({ length: 32 }, (_, t) => t);
      const s = new Array<number>(32).fill(0);
      for (let step = 0; step < 8; step++) {
        if (step % 3 === 0) tile.forEach((_, t) => (s[t]! += tile[(t + step) % 32]!));
        else if (step % 3 === 1) {
          if (step > n) break;
        } else tile = [...s];
      }
      for (const by of [1, 2, 4]) tile = tile.map((own, t) => own + tile[(t + by) % 32]!);
      return tile.map((own, t) => own + s[t]!);
    };
    for (const n of [2, 100])
      for (const run of [kernel.at(1, 32), kernel.simulate(1, 32)]) {
        const out = new Int32Array(32);
        run(out, n);
        expect([...out]).toEqual(reference(n));
      }
  });

  test('for … of a matrix gives its rows', () => {
    const kernel = jit((m: KernelArray<'f32', 2>, out: F32) => {
      let k = 0;
      for (const row of m) for (const v of row) out[k++] = v * 2;
    });
    using m = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const out = new Float32Array(6);
      run(m.T, out);
      expect([...out]).toEqual([2, 8, 4, 10, 6, 12]);
    }
  });
});
