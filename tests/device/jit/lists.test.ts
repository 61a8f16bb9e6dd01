import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { cuda, device, type F32, type I32 } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const N = 24;
const f = Math.fround;

describeJit('lists whose index varies', ({ jit, engine }) => {
  test('are read where they have a name, where they stand, and in loops', () => {
    const kernel = jit((x: F32, out: F32) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      const taps = [0.25, 0.5, 0.25];
      let sum = 0;
      for (let k = 0; k < taps.length; k++) sum += taps[k]! * x[(i + k) % x.length]!;
      const pair = [x[i]!, -x[i]!];
      const step = [1, 10, 100][i % 3]! + [i, i * i][i & 1]!;
      out[i] = sum + pair[i & 1]! * step;
    });
    const x = Float32Array.from({ length: N }, (_, i) => f(Math.sin(i) * 8));
    const wanted = Float32Array.from(x, (value, i) => {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += [0.25, 0.5, 0.25][k]! * x[(i + k) % N]!;
      return sum + f((i & 1 ? -value : value) * ([1, 10, 100][i % 3]! + (i & 1 ? i * i : i)));
    });
    for (const run of [kernel.at(1, 32), kernel.simulate(1, 32)]) {
      const out = new Float32Array(N);
      run(x, out);
      expect([...out]).toEqual([...wanted]);
    }
  });

  test('are written: what an element is given widens all of them', () => {
    const kernel = jit((x: I32, out: F32) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      const counts = [0, 0, 0, 0];
      for (const v of x) counts[v & 3]!++;
      const sums = [0, 1];
      for (let k = 0; k <= i; k++) sums[k & 1]! += x[k]! * 0.5;
      const [even, odd] = sums;
      out[i] = even! * 100 + odd! + counts[i & 3]! * 1000 + counts.length;
    });
    const x = Int32Array.from({ length: N }, (_, i) => (i * 7) % 13);
    const wanted = Array.from(x, (_, i) => {
      const counts = [0, 0, 0, 0];
      for (const v of x) counts[v & 3]!++;
      const sums = [0, 1];
      for (let k = 0; k <= i; k++) sums[k & 1]! += x[k]! * 0.5;
      return f(sums[0]! * 100 + sums[1]! + counts[i & 3]! * 1000 + 4);
    });
    for (const run of [kernel.at(1, 32), kernel.simulate(1, 32)]) {
      const out = new Float32Array(N);
      run(x, out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('have rows, structs and values of functions', () => {
    const parts = device((v: number) => [v, v * 2, v * 3]);
    const largest = device((list: I32) => {
      let best = list[0]!;
      for (let k = 1; k < list.length; k++) best = Math.max(best, list[k]!);
      return best;
    });
    const kernel = jit(
      (out: I32, by: readonly [number, number, number], { parts, largest }) => {
        const i = cuda.grid(1);
        const at = cuda.grid(3);
        const moves = [
          [0, 1],
          [1, 0],
          [i, -1],
        ];
        const steps = [
          { x: 1, y: i },
          { x: i * 2, y: 5 },
        ];
        steps[i & 1]!.x += 3;
        const found = parts(i);
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += moves[k]![i & 1]! * 10 ** k + found[k]! + at[k]! + by[k]!;
        moves[i % 3]![1] = i;
        out[i] = sum * 1000 + steps[1 - (i & 1)]!.x * 100 + steps[i & 1]!.x + moves[2]![1]! + largest(moves[i % 3]!);
      },
      { const: { parts, largest } },
    );
    const wanted = Array.from({ length: N }, (_, i) => {
      const moves = [[0, 1], [1, 0], [i, -1]]; // prettier-ignore
      const steps = [i & 1 ? 1 : 4, i & 1 ? i * 2 + 3 : i * 2];
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += moves[k]![i & 1]! * 10 ** k + i * (k + 1) + (k === 0 ? i : 0) + [7, 8, 9][k]!;
      moves[i % 3]![1] = i;
      return sum * 1000 + steps[1 - (i & 1)]! * 100 + steps[i & 1]! + moves[2]![1]! + Math.max(...moves[i % 3]!);
    });
    for (const run of [kernel.at(1, N), kernel.simulate(1, N)]) {
      const out = new Int32Array(N);
      run(out, [7, 8, 9]);
      expect([...out]).toEqual(wanted);
    }
  });

  test('the first elements of an array have names', () => {
    const kernel = jit((x: F32, m: F32<2>, out: F32) => {
      const [a, , c] = x;
      const [, row] = m;
      out[cuda.grid(1)] = a! * 10 + c! + row![2]!;
    });
    const [x, m] = [array(engine(), [1, 2, 3], undefined), array(engine(), [1, 2, 3, 4, 5, 6], undefined)];
    const rows = m.reshape([2, 3]);
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const out = new Float32Array(1);
      run(x, rows, out);
      expect(out[0]).toBe(19);
    }
    for (const one of [x, m, rows]) one.close();
  });
});
