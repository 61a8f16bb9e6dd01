import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { cuda, device, type F32, type I32, type KernelArray } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

/* eslint-disable no-useless-assignment -- assignments inside of expressions are what is tested */

// JavaScript computes operands from left to right, and C in any order. Each function here runs as JavaScript, on the device, and in the
// simulator, over the same numbers.

type Plain = (x: Float32Array, out: Float32Array) => void;

const functions: Readonly<Record<string, (x: F32, out: F32) => void>> = {
  'an index that changes what is stored': (x, out) => {
    let i = 0;
    out[i++] = i;
    out[i++] = i * 10;
    out[i] = i++;
    out[7] = i;
  },
  'an operand before one that changes it': (x, out) => {
    let i = 3;
    out[0] = i + i++;
    out[1] = i++ + i;
    out[2] = i * 2 + (i = 7) + i;
    out[3] = x[i - 6]! + i-- + x[i - 6]!;
    out[4] = i;
  },
  'elements before and after a store': (x, out) => {
    out[0] = x[0]! + (x[0] = 5) + x[0];
    out[1] = x[1]! - (x[1]! += 2) - x[1]!;
    out[2] = x[2]!++ + x[2]!;
    out[3] = --x[3]! * x[3]!;
    x[4] = (x[4] = 3) + 1;
    out[4] = x[4];
  },
  'a variable whose own value changes it': (x, out) => {
    let i = 4;
    i = i++ + 1;
    out[0] = i;
    i = i++;
    out[1] = i;
    i += i++ + i;
    out[2] = i;
    i -= (i = 3) - 1;
    out[3] = i;
  },
  'a place that is read and written is found once': (x, out) => {
    let i = 0;
    x[i++]! += 10;
    x[i++]! *= 2;
    x[i++]!++;
    --x[i++]!;
    out[0] = i;
    let j = 4;
    x[j]! += j = 6;
    out[1] = j;
    for (let k = 0; k < 6; k++) out[2 + k] = x[k]!;
  },
  'places that are exchanged': (x, out) => {
    let [a, b] = [0, 1];
    for (let k = 0; k < 10; k++) [a, b] = [b, a + b];
    out[0] = a;
    let [c, d, e] = [1, 2, 3];
    [c, d, e] = [e, c, d];
    out[1] = c * 100 + d * 10 + e;
    [x[0], x[1], x[2]] = [x[1]!, x[2]!, x[0]!];
    let i = 3;
    [x[i++], x[i++], x[i]] = [x[i]! + 1, x[i - 1]!, i];
    out[2] = i;
    const l = [1, 2, 3];
    [l[i & 1], l[2]] = [l[2]!, l[i & 1]!];
    out[3] = l[0]! * 100 + l[1]! * 10 + l[2];
    [i, x[i]] = [6, 0.5];
    for (let m = 0, n = 5; m < n; [m, n] = [m + 1, n - 1]) out[4] = m * 10 + n;
    for (let k = 0; k < 3; k++) out[5 + k] = x[k + 4]!;
  },
  'parts of values that go to places': (x, out) => {
    let [a, b, c] = [0.5, 2, 3];
    const p: { u: number; v: { w: [number, number] } } = { u: 3, v: { w: [4, 5] } };
    ({
      u: a,
      v: {
        w: [, b],
      },
    } = p);
    out[0] = a * 10 + b;
    [a, [b, c]] = [b, [c, a]];
    out[1] = a * 100 + b * 10 + c;
    [p.u, p.v.w[0]] = [p.v.w[0], p.u];
    ({ x: p.u, y: x[1] } = { y: p.u, x: x[1]! });
    out[2] = p.u + p.v.w[0] * 10;
    // A list that is not written there is read item by item.
    const l: [number, number] = [7, 8];
    [l[1], l[0]] = l;
    out[3] = l[0] * 10 + l[1];
    let n = 0;
    [a] = [n++, n++];
    out[4] = a * 10 + n;
    if (n > 1) [a, b] = [b, a];
    out[5] = a * 10 + b;
  },
  'tests and loops': (x, out) => {
    let i = 0;
    let n = 0;
    while (x[i++]! < 5 && i < 8) n += i;
    out[0] = n;
    out[1] = i;
    for (let j = 0, k = 8; j++ < k--; n = j * k + n--) out[2] = n;
    out[3] = n;
    do {
      out[4] = i--;
    } while (i-- > 2);
    out[5] = i;
    if (x[i++ & 7]! > 0 || x[i++ & 7]! > 100) out[6] = i;
    out[7] = i > 0 ? i++ + i : i-- - i;
  },
  'floats that are tested are computed once': (x, out) => {
    let i = 0;
    if (x[i++]) out[0] = 1;
    out[1] = i;
    while (x[i++]) if (i > 5) break;
    out[2] = i;
    out[3] = !x[i++ & 7] ? 1 : 2;
    out[4] = i;
    out[5] = x[i++ & 7] && i > 3 ? 5 : 6;
    out[6] = i;
  },
  'logical assignments': (x, out) => {
    let i = 0;
    let flag = x[1]! > 100;
    flag ||= x[1]! > 0;
    flag &&= i === 0;
    if (flag) out[0] = 1;
    i ||= 6;
    i &&= i - 2;
    out[1] = i;
    x[0] ||= 9;
    x[i++] &&= 3;
    out[2] = x[0]!;
    out[3] = x[4]!;
    out[4] = i;
    out[5] = i ||= 8;
    out[6] = x[2] &&= x[2] * 3;
  },
  'lists and sequences': (x, out) => {
    let i = 1;
    const [a, b] = [i++, i];
    const [, c] = [i++, i];
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = [i++, i * 10][0]!;
    out[4] = i;
    out[5] = (i++, i);
    const d = (i--, i + 1);
    out[6] = d;
    // eslint-disable-next-line no-var -- its values are assigned, not declared
    var [p, q] = [1, 2];
    // eslint-disable-next-line no-var -- a swap
    var [p, q] = [q, p];
    out[7] = p * 10 + q;
  },
  'calls: arguments from left to right': (x, out) => {
    let i = 2;
    out[0] = Math.max(i++, i);
    out[1] = Math.min(i, i--);
    out[2] = Math.pow(i, ++i - i + 2);
    out[3] = Math.max(i++, i++, i++);
    out[4] = i;
  },
};

const start = (): Float32Array => Float32Array.from({ length: 8 }, (_, i) => i);

describeJit('the order of evaluation', ({ jit, engine }) => {
  test.each(Object.entries(functions))('%s', (_, fn) => {
    const [x, out] = [start(), new Float32Array(8)];
    (fn as unknown as Plain)(x, out);
    const kernel = jit(fn);
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const [y, computed] = [start(), new Float32Array(8)];
      run(y, computed);
      expect(computed).toEqual(out);
      expect(y).toEqual(x);
    }
  });

  test('device functions: their arguments, and what they write', () => {
    const next = device((a: I32, k: number) => {
      a[0]! += k;
      return a[0]!;
    });
    const pair = device((a: number, b: number) => a * 100 + b);
    const kernel = jit(
      (a: I32, out: I32, { next, pair }) => {
        let i = 1;
        out[0] = pair(i++, i);
        out[1] = next(a, 1) * 10 - next(a, 1);
        out[2] = pair(next(a, 3), a[0]!);
        out[3] = a[0]! + next(a, 2) + a[0]!;
        out[next(a, 1) - 4] = a[0]!;
        out[5] = cuda.atomic.add(a, 0, 5) * 10 - cuda.atomic.sub(a, 0, 5);
      },
      { const: { next, pair } },
    );
    const js = (a: Int32Array, out: Int32Array): void => {
      let i = 1;
      out[0] = pair(i++, i);
      out[1] = next(a as never, 1) * 10 - next(a as never, 1);
      out[2] = pair(next(a as never, 3), a[0]!);
      out[3] = a[0]! + next(a as never, 2) + a[0]!;
      out[next(a as never, 1) - 4] = a[0]!;
      out[5] = a[0]! * 10 - (a[0]! + 5);
    };
    const [a, wanted] = [new Int32Array(1), new Int32Array(6)];
    js(a, wanted);
    for (const run of [kernel.at(1, 1), kernel.simulate(1, 1)]) {
      const [b, out] = [new Int32Array(1), new Int32Array(6)];
      run(b, out);
      expect([...out]).toEqual([...wanted]);
      expect([...b]).toEqual([...a]);
    }
  });

  test.each(['f16', 'bf16'] as const)(
    '%s: a store gives the number that is stored, an update the one before',
    (dtype) => {
      const kernel = jit((h: KernelArray<'f16', 1>, out: F32, by: number) => {
        let i = 0;
        out[0] = h[0] = by;
        out[1] = h[1]! += by;
        out[2] = h[2]!++;
        out[3] = h[2]!;
        out[4] = ++h[i++]!;
        out[5] = h[i++]!--;
        const y = (h[i] = by) + h[i]!--;
        out[6] = y;
        out[7] = i + h[i]!;
        h[3]!++;
        h[i + 1]! *= 2;
      });
      // 1.2001 is no half: what is stored is 1.2001953125, and 1.203125 of a bfloat16.
      const by = 1.2001;
      const stored = dtype === 'f16' ? 1.2001953125 : 1.203125;
      const sum = dtype === 'f16' ? 3.19921875 : 3.203125;
      const next = dtype === 'f16' ? 2.19921875 : 2.203125;
      const wanted = [stored, sum, 3, 4, next, sum, stored + stored, 2 + stored - 1];
      const rounded = (x: number): number => (dtype === 'f16' ? Math.round(x * 512) / 512 : Math.round(x * 64) / 64);
      for (const isSimulated of [false, true]) {
        using h = array(engine(), [1, 2, 3, 4], { dtype });
        const out = new Float32Array(8);
        (isSimulated ? kernel.simulate(1, 1) : kernel.at(1, 1))(h as never, out, by);
        for (const [i, value] of wanted.entries()) expect([i, rounded(out[i]!)]).toEqual([i, rounded(value)]);
        using wide = h.astype('f32');
        expect([...wide.get()].map(rounded)).toEqual([next, sum - 1, stored - 1, 10].map(rounded));
      }
    },
  );
});
