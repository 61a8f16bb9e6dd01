import { expectTypeOf } from 'expect-type';
import type { Dims, Function, LaunchOptions } from '../../src/cuda/index.ts';
import type { CommandQueue, Dims as OpenCLDims, Event, Kernel } from '../../src/opencl/index.ts';

declare const computed: number[];
declare const pair: readonly [x: number, y: number];
declare const kernel: Function;
declare const openclKernel: Kernel;
declare const queue: CommandQueue;

// A number, a tuple, or an array whose length only the program knows.
expectTypeOf<number>().toExtend<Dims>();
expectTypeOf(pair).toExtend<Dims>();
expectTypeOf(computed).toExtend<Dims>();
expectTypeOf<Dims>().toEqualTypeOf<OpenCLDims>();
kernel(1, { block: computed, grid: computed.map((size) => size / 2) });
const shape = { block: [16, 16], grid: [4, 4, 1], cluster: [2] };
expectTypeOf(shape).toExtend<LaunchOptions>();
expectTypeOf(kernel.prepare(shape)).toBeFunction();
expectTypeOf(openclKernel(queue, computed, pair, 1)).toEqualTypeOf<Event>();
expectTypeOf(openclKernel(queue, [64, 64], computed, { offset: computed })).toEqualTypeOf<Event>();

// @ts-expect-error sizes are numbers
kernel(1, { block: ['16', '16'] });
// @ts-expect-error a bigint is not a size
kernel(1, { block: 16n });
// @ts-expect-error a typed array is not a list of sizes
kernel(1, { block: Int32Array.of(16) });
// @ts-expect-error sizes are numbers
openclKernel(queue, [64n], null, 1);
