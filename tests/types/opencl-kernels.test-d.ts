import { expectTypeOf } from 'expect-type';
import type { Context, Kernel, KernelNames, Program } from '../../src/opencl/index.ts';

declare const ctx: Context;
declare const program: <const Source extends string>(context: Context, source: Source) => Program<Source>;

// The names that a literal text shows.
expectTypeOf<KernelNames<'__kernel void add(__global float *a) { }'>>().toEqualTypeOf<'add'>();
expectTypeOf<KernelNames<'kernel void a(int x) {}\n__kernel\nvoid\nb (int x) {}'>>().toEqualTypeOf<'a' | 'b'>();
expectTypeOf<
  KernelNames<'__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void f(int x) {}'>
>().toEqualTypeOf<'f'>();

// What is not understood gives no name, never a wrong one.
expectTypeOf<KernelNames<string>>().toEqualTypeOf<never>();
expectTypeOf<KernelNames<'// no kernel here; void is not one (really)'>>().toEqualTypeOf<never>();
expectTypeOf<KernelNames<''>>().toEqualTypeOf<never>();

expectTypeOf(program(ctx, '__kernel void add(int x) {}').kernels.add).toEqualTypeOf<Kernel>();
declare const text: string;
// @ts-expect-error a text that is not literal shows no names
expectTypeOf(program(ctx, text).kernels.add).toEqualTypeOf<Kernel>();
