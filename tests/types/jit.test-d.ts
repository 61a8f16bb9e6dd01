import { expectTypeOf } from 'expect-type';
import { float4, struct } from '../../src/cuda/index.ts';
import * as cl from '../../src/opencl/jit/index.ts';
import {
  createXoroshiro128pStates,
  cuda,
  device,
  initXoroshiro128pStates,
  jit,
  reduce,
  stencil,
  structArray,
  toDevice,
  vectorize,
  Xoroshiro128pState,
  type F32,
  type I32,
  type JitFunction,
  type Structs,
  type StructValue,
  type Xoroshiro128p,
  type Xoroshiro128pStates,
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

// Behind a signature constants have types: numbers are numbers, whatever they are, lists and objects keep their shape.
jit(
  'void(f32[])',
  (x, { R, wide, pair, taps, square, deep, isOn }) => {
    expectTypeOf(R).toEqualTypeOf<number>();
    expectTypeOf(wide).toEqualTypeOf<number>();
    expectTypeOf(pair).toEqualTypeOf<readonly [number, number]>();
    expectTypeOf(taps).toEqualTypeOf<Float32Array<ArrayBuffer>>();
    expectTypeOf(deep).toEqualTypeOf<{ readonly at: { readonly y: number } }>();
    expectTypeOf(isOn).toEqualTypeOf<boolean>();
    expectTypeOf(square(R)).toEqualTypeOf<number>();
    x[0] = R === 2 ? wide : pair[1];
  },
  { const: { R: 1, wide: 5n, pair: [1, 2], taps: new Float32Array(4), square, deep: { at: { y: 1 } }, isOn: true } },
);

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

// Arrays of structs.
const Point = struct({ x: 'f32', isOn: 'bool', at: struct({ i: 'i64' }), v: float4 });
const points = jit((p: Structs<typeof Point>, first: StructValue<{ x: 'f32' }>) => {
  const i = cuda.grid(1);
  const one = p[i];
  if (one === undefined) return;
  expectTypeOf(one.x).toEqualTypeOf<number>();
  expectTypeOf(one.isOn).toEqualTypeOf<boolean>();
  expectTypeOf(one.at).toEqualTypeOf<{ i: number }>();
  expectTypeOf(one.v.w).toEqualTypeOf<number>();
  one.x = first.x;
  // @ts-expect-error no such field
  one.y = 1;
});
jit((p: Structs<typeof Point>, x: I32<2>) => {
  expectTypeOf(cuda.atomic.add(p[0]!, 'x', 1)).toEqualTypeOf<number>();
  cuda.atomic.max(p[0]!.at, 'i', 2);
  cuda.atomic.cas(p[0]!, 'x', 1, 2);
  cuda.atomic.cas(x, [0, 1], 1, 2);
  // @ts-expect-error a truth value
  cuda.atomic.add(p[0]!, 'isOn', 1);
  // @ts-expect-error no such field
  cuda.atomic.add(p[0]!, 'y', 1);
  // @ts-expect-error too many values
  cuda.atomic.add(p[0]!, 'x', 1, 2);
});
const bytes = new Uint8Array(64);
points.at(1, 1)(structArray(Point, bytes), { x: 1 });
points.at(1, 1)(structArray(Point, onDevice), { x: 1 });
// @ts-expect-error bytes that do not say what they hold
points.at(1, 1)(bytes, { x: 1 });
// @ts-expect-error another struct
points.at(1, 1)(structArray(struct({ x: 'f32' }), bytes), { x: 1 });
const byName = jit('void(Point[], Point, f32[])', (p, q, x) => void (x[0] = p[0]?.at.i ?? q.x), { types: { Point } });
byName.at(1, 1)(structArray(Point, bytes), { x: 1, isOn: true, at: { i: 2n }, v: { x: 1, y: 2, z: 3, w: 4 } }, f32);
// @ts-expect-error a field is missing
byName.at(1, 1)(structArray(Point, bytes), { x: 1 }, f32);

// OpenCL's half.
const twice = cl.jit((x: F32) => void (x[0] = 2));
twice.at(1, 1)(f32);
twice.simulate(1, 1)(f32);
// @ts-expect-error doubles for floats
twice.at(1, 1)(f64);

// States of generators are arrays of structs, and no others are taken.
const Pair = struct({ a: 'u64', b: 'u64' });
const draw = jit((states: Xoroshiro128p, pairs: Structs<typeof Pair>, out: F32, i: number) => {
  const u = cuda.random.xoroshiro128pUniformFloat32(states, i);
  expectTypeOf(u).toEqualTypeOf<number>();
  out[i] = u + cuda.random.xoroshiro128pNormalFloat64(states, i);
  expectTypeOf(states[i]!.s0 ^ cuda.random.xoroshiro128pNext(states, i)).toEqualTypeOf<number>();
  // @ts-expect-error floats are no states
  cuda.random.xoroshiro128pUniformFloat32(out, i);
  // @ts-expect-error other structs are no states
  cuda.random.xoroshiro128pUniformFloat32(pairs, i);
  // @ts-expect-error the index is missing
  cuda.random.xoroshiro128pUniformFloat32(states);
  // @ts-expect-error Numba's spelling
  cuda.random.xoroshiro128p_uniform_float32(states, i);
});
const states = createXoroshiro128pStates(8, { seed: 1n, subsequenceStart: 2 });
expectTypeOf(states).toEqualTypeOf<Xoroshiro128pStates>();
expectTypeOf(states.length).toEqualTypeOf<number>();
expectTypeOf(states.memory.get()).toExtend<BigUint64Array>();
expectTypeOf<Xoroshiro128p>().toEqualTypeOf<Structs<typeof Xoroshiro128pState>>();
initXoroshiro128pStates(states, { seed: 2 });
draw.at(1, 1)(states, structArray(Pair, []), f32, 0);
draw.at(1, 1)(structArray(Xoroshiro128pState, [{ s0: 1n, s1: 2n }]), structArray(Pair, []), f32, 0);
// @ts-expect-error other structs
draw.at(1, 1)(structArray(Pair, []), structArray(Pair, []), f32, 0);
// @ts-expect-error no seed
createXoroshiro128pStates(8, {});
// @ts-expect-error no options
createXoroshiro128pStates(8);
// @ts-expect-error a text
createXoroshiro128pStates(8, { seed: '1' });
// @ts-expect-error states of createXoroshiro128pStates alone
initXoroshiro128pStates(structArray(Xoroshiro128pState, []), { seed: 1 });
cl.jit((own: Xoroshiro128p) => void cuda.random.xoroshiro128pNext(own, 0)).at(1, 1)(
  cl.createXoroshiro128pStates(1, { seed: 1 }),
);
