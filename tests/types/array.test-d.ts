import { expectTypeOf } from 'expect-type';
import { In, SourceModule } from '../../src/cuda/index.ts';
import * as xp from '../../src/cuda/array/index.ts';
import type * as cl from '../../src/opencl/array/index.ts';
import { enqueueCopy, enqueueFill, type CommandQueue } from '../../src/opencl/index.ts';
import { fuse, type FusedValue } from '../../src/array/public.ts';

// The halves have the same names with the same signatures; DLPack is CUDA's alone.
type Cuda = typeof xp;
type OpenCL = typeof cl;
type Common = keyof Cuda & keyof OpenCL;
expectTypeOf<Pick<Cuda, Common>>().toEqualTypeOf<Pick<OpenCL, Common>>();
expectTypeOf<[Exclude<keyof Cuda, keyof OpenCL>]>().toEqualTypeOf<['fromDlpack' | 'toDlpack']>();
expectTypeOf<[Exclude<keyof OpenCL, keyof Cuda>]>().toEqualTypeOf<[never]>();

declare const f16: xp.NDArray<'f16'>;
declare const bf16: xp.NDArray<'bf16'>;
declare const f32: xp.NDArray<'f32'>;
declare const f64: xp.NDArray<'f64'>;
declare const u8: xp.NDArray<'u8'>;
declare const i8: xp.NDArray<'i8'>;
declare const i32: xp.NDArray<'i32'>;
declare const c64: xp.NDArray<'c64'>;
declare const any: xp.NDArray;

// Dtypes of two arrays.
expectTypeOf(xp.add(f32, f64)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.add(f16, bf16)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.multiply(u8, i8)).toEqualTypeOf<xp.NDArray<'i16'>>();
expectTypeOf(xp.divide(u8, i8)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.divide(i32, f32)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.less(i32, f32)).toEqualTypeOf<xp.NDArray<'bool'>>();
expectTypeOf(xp.sub(f32, c64)).toEqualTypeOf<xp.NDArray<'c64'>>();
expectTypeOf(f32.add(f64)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.where(any, f32, f64)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.fma(f32, f32, f64)).toEqualTypeOf<xp.NDArray<'f64'>>();

// Of an array and a scalar, in either order; floats stay what they are.
expectTypeOf(xp.add(f32, 2)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.subtract(1, f64)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.greater(0.5, i32)).toEqualTypeOf<xp.NDArray<'bool'>>();
expectTypeOf(xp.clip(f32, 0, null)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.where(any, f32, 0)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.add(i32, 0.5)).toExtend<xp.NDArray>();
// @ts-expect-error no array among the operands
xp.add(1, 2);
// @ts-expect-error a list is no operand
xp.add(f32, [1, 2]);

// Of one array.
expectTypeOf(xp.sin(f16)).toEqualTypeOf<xp.NDArray<'f16'>>();
expectTypeOf(xp.sqrt(i32)).toEqualTypeOf<xp.NDArray<'f64'>>();
expectTypeOf(xp.abs(c64)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.fabs(f32, { out: f32 })).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.isnan(c64)).toEqualTypeOf<xp.NDArray<'bool'>>();

// Dtypes that are not known.
expectTypeOf(xp.add(any, f32)).toExtend<xp.NDArray>();
expectTypeOf(f32).toExtend<xp.NDArray>();
expectTypeOf(any).not.toExtend<xp.NDArray<'f32'>>();
expectTypeOf(f32).not.toExtend<xp.NDArray<'f64'>>();

// Expressions.
expectTypeOf(xp.evaluate`${f32} * 2 + sin(${f64})`).toEqualTypeOf<xp.NDArray>();
expectTypeOf(xp.evaluate.with({ out: f32 })`${f32} + ${1}`).toEqualTypeOf<xp.NDArray>();
// @ts-expect-error a string is no value
xp.evaluate`${'x'} + 1`.close();

// Fused functions.
const one = fuse((x, y) => x.mul(2).add(y.sin()));
expectTypeOf(one(f32, f64)).toEqualTypeOf<xp.NDArray>();
expectTypeOf(one(f32, 2, { out: f32 })).toEqualTypeOf<xp.NDArray>();
const two = fuse((x, y, z) => [xp.add(x, y), xp.where(x.less(z), 1, y)]);
expectTypeOf(two(f32, f64, 1)).toEqualTypeOf<[xp.NDArray, xp.NDArray]>();
expectTypeOf(two(f32, f64, 1, { out: [f32, f64] })).toEqualTypeOf<[xp.NDArray, xp.NDArray]>();
fuse((x) => {
  expectTypeOf(x).toEqualTypeOf<FusedValue>();
  return one(x, x.neg());
});
// @ts-expect-error an operand is missing
one(f32);
// Nothing but elementwise operations.
expectTypeOf<FusedValue>().not.toHaveProperty('sum');
expectTypeOf<FusedValue>().not.toHaveProperty('shape');
// @ts-expect-error arrays are operands
fuse((x) => x.add(f32));
// @ts-expect-error the result is no value of the function
fuse(() => 2);

// Scopes.
expectTypeOf(xp.scope(() => f32)).toEqualTypeOf<xp.NDArray<'f32'>>();
expectTypeOf(xp.keep(f32)).toEqualTypeOf<xp.NDArray<'f32'>>();

// Arguments of kernels with a signature.
using module = new SourceModule(`
  __global__ void scale(float *x, float by, int n) { }
`);
const scale = module.getFunction('scale');
scale(f32, 2, 4, { block: 4 });
scale(f32.mul(2), 2, 4, { block: 4 });
scale(xp.empty([4]), 2, 4, { block: 4 });
scale(any, 2, 4, { block: 4 });
scale(In(new Float32Array(4)), 2, 4, { block: 4 });
// @ts-expect-error elements of f64 for a pointer to floats
scale(f64, 2, 4, { block: 4 });
// @ts-expect-error an array for a number
scale(f32, f32, 4, { block: 4 });

// Arrays of OpenCL are ends of copies and targets of fills.
declare const queue: CommandQueue;
declare const onOpenCL: cl.NDArray<'f32'>;
enqueueCopy(queue, new Float32Array(3), onOpenCL);
enqueueCopy(queue, onOpenCL, onOpenCL);
enqueueFill(queue, onOpenCL, 0);
