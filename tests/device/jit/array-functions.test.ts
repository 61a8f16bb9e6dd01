import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { slice } from '../../../src/array/slice.ts';
import type { F32 } from '../../../src/cuda/jit/index.ts';
import { describeJit, type JitNames } from '../../helpers/jit-halves.ts';

const ramp = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);

function define({ vectorize, reduce, stencil, engine }: JitNames): void {
  test('vectorize: operands broadcast, numbers and arrays of the host go with them', () => {
    const f = vectorize((x: number, y: number) => (x > y ? x - y : y * 2));
    using x = array(engine(), [
      [1, 5, 3],
      [4, 2, 9],
    ]);
    using both = f(x, [2, 3, 4]);
    expect([...(both.get() as Float32Array)]).toEqual([4, 2, 8, 2, 6, 5]);
    using one = f(x, 3);
    expect([...(one.get() as Float32Array)]).toEqual([6, 2, 6, 1, 6, 6]);
    using integers = vectorize((a: number) => Math.floor(a / 2))(new Int32Array([5, -5]));
    expect(integers.dtype).toBe('i32');
    expect([...(integers.get() as Int32Array)]).toEqual([2, -3]);
    using truths = vectorize((a: number) => a > 4)(x);
    expect(truths.dtype).toBe('bool');
    expect(() => f(x)).toThrow('must be given 2 operands, got 1');
  });

  test('reduce: by any function that does not mind the order, along axes', () => {
    const most = reduce((a, b) => Math.max(a, b), { identity: -Infinity });
    using x = array(engine(), [
      [1, 5, 3],
      [4, 2, 9],
    ]);
    using all = most(x);
    expect(all.item()).toBe(9);
    using columns = most(x, { axis: 0 });
    expect([...(columns.get() as Float32Array)]).toEqual([4, 5, 9]);
    using sum = reduce((a, b) => a + b)(Int32Array.from({ length: 1000 }, (_, i) => i));
    expect(sum.item()).toBe(499500);
    using bytes = reduce((a, b) => a + b)(new Uint8Array(1000).fill(255));
    expect(bytes.item()).toBe(255000);
  });

  test('reduce: what changes nothing is known of usual functions, and asked for otherwise', () => {
    const [floats, integers] = [new Float64Array([3, 2, -4]), new Int32Array([6, 12, 5])];
    const value = (reduced: ReturnType<typeof reduce>, of: Float64Array | Int32Array): unknown => {
      using result = reduced(of);
      return result.item();
    };
    expect(
      value(
        reduce((a, b) => a * b),
        floats,
      ),
    ).toBe(-24);
    expect(
      value(
        reduce((a, b) => Math.max(b, a)),
        new Float64Array([-3, -2]),
      ),
    ).toBe(-2);
    expect(
      value(
        reduce((a, b) => Math.min(a, b)),
        integers,
      ),
    ).toBe(5);
    expect(
      value(
        reduce((a, b) => (a > b ? a : b)),
        new Int32Array([-6, -12]),
      ),
    ).toBe(-6);
    expect(
      value(
        reduce((a, b) => (b >= a ? a : b)),
        floats,
      ),
    ).toBe(-4);
    expect(
      value(
        reduce((a, b) => (a < b ? b : a)),
        new Float64Array([-6, -12]),
      ),
    ).toBe(-6);
    expect(
      value(
        reduce((a, b) => a & b),
        integers,
      ),
    ).toBe(4);
    expect(
      value(
        reduce((a, b) => a | b),
        integers,
      ),
    ).toBe(15);
    expect(
      value(
        reduce((a, b) => a ^ b),
        integers,
      ),
    ).toBe(15);
    for (const fn of [(a: number, b: number) => a + b * 2, (a: number, b: number) => a - b])
      expect(() => value(reduce(fn), floats)).toThrow(/identity.* must be given/);
    expect(
      value(
        reduce((a, b) => Math.sqrt(a * a + b * b), { identity: 0 }),
        new Float64Array([3, 4]),
      ),
    ).toBeCloseTo(5);
  });

  test('stencil: indices count from the element, borders have cval', () => {
    const mean = stencil((a: F32<2>) => 0.25 * (a[0]![1]! + a[0]![-1]! + a[1]![0]! + a[-1]![0]!), { cval: -1 });
    using x = array(engine(), ramp(20)).reshape([4, 5]);
    using y = mean(x);
    expect(y.shape).toEqual([4, 5]);
    const wanted = Array.from({ length: 20 }, (_, i) => {
      const [row, column] = [Math.floor(i / 5), i % 5];
      return row > 0 && row < 3 && column > 0 && column < 4 ? i : -1;
    });
    expect([...(y.get() as Float32Array)]).toEqual(wanted);
    using turned = mean(x.T);
    expect(turned.shape).toEqual([5, 4]);
    const far = stencil(
      (a: F32, w: F32, { R }: { R: number }) => {
        let sum = 0;
        for (let k = -R; k <= R; k++) sum += w[k + R]! * a[k]!;
        return sum;
      },
      { const: { R: 1 }, neighborhood: [[-1, 1]], standardIndexing: ['w'] },
    );
    using z = far(ramp(6), new Float32Array([1, 2, 1]));
    expect([...(z.get() as Float32Array)]).toEqual([0, 4, 8, 12, 16, 0]);
    const varying = stencil((a: F32, k: number) => a[k]!);
    expect(() => varying(ramp(6), 1)).toThrow('{ neighborhood }');
  });

  test('any strides, axes and halves; results go where a call wants them', () => {
    const f = vectorize((x: number, y: number) => x * 2 + y);
    using deep = array(engine(), ramp(48)).reshape([2, 3, 2, 4]);
    using turned = deep.T;
    using sum = f(turned, deep.T.at(slice(null, null, -1)));
    const [a, b] = [turned.get() as Float32Array, deep.T.at(slice(null, null, -1)).get() as Float32Array];
    expect([...(sum.get() as Float32Array)]).toEqual(Array.from(a, (x, i) => x * 2 + (b[i] as number)));
    using half = array(engine(), [1, 2.5, -3], { dtype: 'f16' });
    using wide = f(half, 0.5);
    expect(wide.dtype).toBe('f32');
    expect([...(wide.get() as Float32Array)]).toEqual([2.5, 5.5, -5.5]);
    using x = array(engine(), ramp(12)).reshape([3, 4]);
    const column = x.at(slice(), 1);
    f(column, column, { out: column });
    expect([...(x.get() as Float32Array)]).toEqual([0, 3, 2, 3, 4, 15, 6, 7, 8, 27, 10, 11]);
    using rows = reduce((p, q) => Math.max(p, q))(x, { axis: -1, keepdims: true });
    expect(rows.shape).toEqual([3, 1]);
    expect([...(rows.get() as Float32Array)]).toEqual([3, 15, 27]);
    using both = reduce((p, q) => p + q)(deep, { axis: [0, 2] });
    expect(both.shape).toEqual([3, 4]);
    expect((both.get() as Float32Array)[5]).toBe(9 + 13 + 33 + 37);
    using none = reduce((p, q) => p + q)(x.at(slice(0, 0)), { axis: 0 });
    expect([...(none.get() as Float32Array)]).toEqual([0, 0, 0, 0]);
  });

  test('what is wrong with a call', () => {
    const f = vectorize((x: number, y: number) => x + y);
    using x = array(engine(), ramp(6)).reshape([2, 3]);
    const message = (call: () => unknown): string => {
      try {
        call();
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing was thrown';
    };
    using narrow = array(engine(), new Int32Array(2));
    const all = [
      () => f(x, new Float32Array(4)),
      () => f(x, x, { out: narrow }),
      () => f(x, 'text' as never),
      () => vectorize((v: number) => [v, v] as never)(x),
      () => vectorize((v: number) => unknownName(v))(x),
      () => reduce((p, q) => p + q)(x, { axis: 2 }),
      () => reduce((p, q) => p + q)(3 as never),
      () => reduce((p, q) => p + q)(x, { axis: 0, out: narrow }),
      () => stencil((v: F32<2>) => v[0]![0]!)(x, { out: narrow }),
      () => stencil((v: F32) => v[0]!)(3),
    ].map(message);
    expect(all.map((one) => one.split('\n')[0]?.replace(/^.*\.ts:\d+: /, ''))).toEqual([
      'Shapes [2, 3] and [4] do not broadcast: axis -1 has 3 and 4',
      "vectorize_jit_kernel: result must be an NDArray of f32, got i32; write astype('f32')",
      'jit_kernel: argument 2 must be a typed array, device memory, a number, a truth value, or an object or a list of these, got the string "text"',
      'vectorize: jit_kernel must return a number, got [f32, f32]',
      'unknownName is not a function of the kernel: make it by device((x) => …) and give it as a constant: jit((…, { unknownName }) => …, { const: { unknownName } })',
      'reduce_jit_kernel: axis must be in -2 to 1 for an array of rank 2, got 2',
      'jit_kernel must be given an array, got 3',
      'reduce_jit_kernel: out must have the shape [3], got [2]',
      'jit_kernel: out must be an array of f32 with the shape [2, 3] and no gaps, got i32 with [2]',
      'jit_kernel: the first argument must be an array, got 3',
    ]);
  });
}

declare function unknownName(x: number): number;

describeJit('functions of arrays', define);

// The same results, and the same errors, where the functions run in JavaScript.
describeJit('functions of arrays, RAWKERNEL_JIT=js', (names) => {
  const before = process.env['RAWKERNEL_JIT'];
  beforeAll(() => {
    process.env['RAWKERNEL_JIT'] = 'js';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['RAWKERNEL_JIT'];
    else process.env['RAWKERNEL_JIT'] = before;
  });
  define(names);

  test('a mistake of the function names the thread and the line', () => {
    const wrong = names.vectorize((x: number) => Math.floor(x / 0));
    expect(() => wrong(new Int32Array([1, 2]))).toThrow(/integer division by zero: 1 \/ 0 by thread \(0, 0, 0\)/);
    const sum = names.reduce((a, b) => a + b);
    expect(() => sum(new Int32Array([2147483647, 1]))).toThrow(/overflow of i32: 2147483647 \+ 1/);
    const far = names.stencil((a: F32, k: number) => a[k]!, { neighborhood: [[0, 0]] });
    expect(() => far(ramp(4), 9)).toThrow(/out-of-bounds read of a\[9\]/);
  });
});
