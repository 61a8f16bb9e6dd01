import { expectTypeOf } from 'expect-type';
import * as xp from '../../src/cuda/array/index.ts';

type Of<D extends xp.ArrayDType> = xp.NDArray<D>;

declare const bools: Of<'bool'>;
declare const u8: Of<'u8'>;
declare const i32: Of<'i32'>;
declare const f16: Of<'f16'>;
declare const f32: Of<'f32'>;
declare const f64: Of<'f64'>;

// Sorting keeps the dtype; places are i64.
expectTypeOf(xp.sort(f32)).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(xp.argsort(f32)).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(xp.topk(u8, 3)).toExtend<{ readonly values: Of<'u8'>; readonly indices: Of<'i64'> }>();
expectTypeOf(xp.partition(f16, 3)).toEqualTypeOf<Of<'f16'>>();
expectTypeOf(xp.searchsorted(f32, f64)).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(xp.sortByKey(i32, f32)).toEqualTypeOf<[keys: Of<'i32'>, values: Of<'f32'>]>();
expectTypeOf(xp.segmentedSort(f32, i32)).toEqualTypeOf<Of<'f32'>>();
// @ts-expect-error the number of elements
xp.topk(u8);

// Medians are floats, sums of narrow integers wide.
expectTypeOf(xp.median(i32)).toEqualTypeOf<Of<'f64'>>();
expectTypeOf(xp.median(f32)).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(xp.cumsum(u8)).toEqualTypeOf<Of<'u64'>>();
expectTypeOf(xp.cumsum(f32)).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(xp.cumsum(f32, { dtype: 'f64' })).toEqualTypeOf<Of<'f64'>>();

// Sets, runs and what a condition chooses.
expectTypeOf(xp.unique(f32)).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(xp.uniqueCounts(f32).counts).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(xp.copyIf(f32, 'ary[i] > 0')[0]).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(xp.reduceByKey(i32, f64)).toEqualTypeOf<[keys: Of<'i32'>, values: Of<'f64'>]>();
expectTypeOf(xp.runLengthEncode(u8).values).toEqualTypeOf<Of<'u8'>>();
expectTypeOf(xp.bincount(i32)).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(f32.at(bools)).toExtend<xp.NDArray>();
// @ts-expect-error the condition is a text
xp.copyIf(f32, (x: number) => x > 0);

// Random numbers have the dtype that is asked for.
const rng = new xp.random.Generator(1);
expectTypeOf(rng.normal({ shape: 3 })).toEqualTypeOf<Of<'f32'>>();
expectTypeOf(rng.normal(f32, 0.1, { dtype: 'f64' })).toEqualTypeOf<Of<'f64'>>();
expectTypeOf(rng.integers(6, { shape: [2, 3] })).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(rng.integers(1, 6, { dtype: 'u8', endpoint: true })).toEqualTypeOf<Of<'u8'>>();
expectTypeOf(rng.permutation(f16)).toEqualTypeOf<Of<'f16'>>();
expectTypeOf(rng.choice(10)).toEqualTypeOf<Of<'i64'>>();
expectTypeOf(rng.split(2)).toEqualTypeOf<xp.random.Generator[]>();
// @ts-expect-error a dtype that arrays do not have
rng.random(3, { dtype: 'f8' });
// @ts-expect-error a shape is numbers
rng.random('3');

// Kernels of a few lines: what they are made of is checked, what they are called with where the text is built.
const axpy = new xp.ElementwiseKernel('float *z, float a, const float *x', 'z[i] = a * x[i]');
expectTypeOf(axpy.source).toEqualTypeOf<string | undefined>();
const total = new xp.ReductionKernel('f32', '0', 'a + b', 'x[i]', 'const float *x');
expectTypeOf(total(f32)).toExtend<xp.NDArray>();
const running = new xp.InclusiveScanKernel('i32', 'a + b', 0);
expectTypeOf(running(i32)).toExtend<xp.NDArray>();
// @ts-expect-error the expression
new xp.InclusiveScanKernel('i32');
// @ts-expect-error an expression is a text
new xp.ReductionKernel('f32', '0', (a: number, b: number) => a + b);
