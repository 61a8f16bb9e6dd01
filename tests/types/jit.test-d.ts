import { expectTypeOf } from 'expect-type';
import * as cl from '../../src/opencl/jit/index.ts';
import {
  cuda,
  device,
  jit,
  reduce,
  stencil,
  toDevice,
  vectorize,
  type F32,
  type I32,
  type JitFunction,
} from '../../src/cuda/jit/index.ts';

const f32 = new Float32Array(4);
const f64 = new Float64Array(4);
const onDevice = toDevice(f32);

// Arguments are those of the parameters: arrays of the host or of the device with their elements, and numbers.
const scale = jit((x: F32, by: number, flag: boolean) => {
  const i = cuda.grid(1);
  expectTypeOf(i).toEqualTypeOf<number>();
  if (flag && i < x.length) x[i] = x[i] ?? by;
});
scale.at(1, 4)(f32, 2, true);
scale.at([1, 1], [4])(onDevice, 2n, false);
scale.forAll(4)(f32, 2, true);
scale.forAll(4, { block: 64 })(f32, 2, true);
scale.simulate(1, 4)(f32, 2, true);
scale.at(1, 4, { shared: 16 })(f32, 2, true);
// @ts-expect-error doubles for floats
scale.at(1, 4)(f64, 2, true);
// @ts-expect-error a string for a number
scale.at(1, 4)(f32, '2', true);
// @ts-expect-error a number for a truth value
scale.at(1, 4)(f32, 2, 1);
// @ts-expect-error too few
scale.at(1, 4)(f32, 2);
// @ts-expect-error too many
scale.at(1, 4)(f32, 2, true, 1);
// @ts-expect-error doubles in the simulator
scale.simulate(1, 4)(f64, 2, true);
// @ts-expect-error no such option
scale.at(1, 4, { bytes: 16 });
// @ts-expect-error no such option
jit((x: F32) => void (x[0] = 1), { fuse: true });

// A signature gives the parameters their types.
const add = jit('void(f32[,], f32[], i32)', (x, y, n) => {
  expectTypeOf(x).toEqualTypeOf<F32<2>>();
  expectTypeOf(y).toEqualTypeOf<F32>();
  expectTypeOf(n).toEqualTypeOf<number>();
  expectTypeOf(x.shape).toEqualTypeOf<readonly [number, number]>();
});
add.at(1, 1)(f32, f32, 3);
// @ts-expect-error doubles for y
add.at(1, 1)(f32, f64, 3);
expectTypeOf(add.specialize('void(f32[,], f32[], i32)')).toEqualTypeOf<string>();

// Constants are any, unless their parameter says more; they are no arguments.
const square = device((x: number) => x * x);
expectTypeOf(square(2)).toEqualTypeOf<number>();
const open = jit((x: F32, { R, square }) => void (x[0] = square(R)), { const: { R: 2, square } });
open.at(1, 1)(f32);
// @ts-expect-error constants are not given
open.at(1, 1)(f32, 2);
const annotated = jit((x: I32, { R }: { R: number }) => void (x[0] = R), { const: { R: 2 } });
expectTypeOf(annotated).toEqualTypeOf<JitFunction<Parameters<ReturnType<typeof annotated.at>>>>();
annotated.at(1, 1)(new Int32Array(4));
// @ts-expect-error floats for integers
annotated.at(1, 1)(f32);
device((x, { by }) => x * by, { const: { by: 2 } });
// @ts-expect-error a function of the host is no constant
jit((x: F32, { f }) => void f(x), { const: { f: new Date() } });

// Functions of arrays.
const logistic = vectorize((x: number) => 1 / (1 + Math.exp(-x)));
using whole = logistic(f32);
using most = reduce((a, b) => Math.max(a, b), { identity: -Infinity })(whole, { axis: 0 });
using smooth = stencil((a: F32) => a[0] ?? 0, { cval: 1, neighborhood: [[-1, 1]] })(most);
expectTypeOf(smooth.shape).toExtend<readonly number[]>();
// @ts-expect-error a text is no identity
reduce((a, b) => a + b, { identity: '0' });
// @ts-expect-error no function of numbers
vectorize((x: number) => String(x));

// OpenCL's half.
const twice = cl.jit((x: F32) => void (x[0] = 2));
twice.at(1, 1)(f32);
twice.simulate(1, 1)(f32);
// @ts-expect-error doubles for floats
twice.at(1, 1)(f64);
