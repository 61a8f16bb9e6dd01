import { expectTypeOf } from 'expect-type';
import * as cl from '../../src/opencl/index.ts';
import { Buffer, LocalMemory, MemFlags, Program, struct } from '../../src/opencl/index.ts';

declare const ctx: cl.Context;
declare const queue: cl.CommandQueue;
declare const image: cl.Image;
declare const sampler: cl.Sampler;
declare const pipe: cl.Pipe;
declare const text: string;

const flags = MemFlags.READ_ONLY | MemFlags.COPY_HOST_PTR;
const f32 = new Buffer(ctx, flags, new Float32Array(4));
const f64 = new Buffer(ctx, flags, new Float64Array(4));
const i32 = new Buffer(ctx, flags, new Int32Array(4));
const bytes = new Buffer(ctx, flags, new Uint8Array(16));
const raw = new Buffer(ctx, MemFlags.READ_WRITE, 16);
const declared = new Buffer<'f32'>(ctx, MemFlags.READ_WRITE, 16);

using prg = new Program(
  ctx,
  `
  // A kernel that adds; the kernel void of nothing.
  float kernel_weight(float x) { return x; }
  __kernel void add(__global const float *a, global const float* b, __global float *c, int n) { }
  kernel
  void scan(__global uint *data, __local float *scratch, local int *counts, ulong n) {}
  __kernel __attribute__((reqd_work_group_size(16, 16, 1))) void filter(
    __read_only image2d_t in, write_only image2d_t out, sampler_t s, __constant float *kernel, float4 border)
  {}
  kernel void pipes(read_only pipe int p, __global uchar4 *pixels, queue_t q) {}
  kernel void none() {}
  __kernel void NAME(made)(int n) {}
  `,
).build();

const { add, filter } = prg.kernels;
add(queue, 4, null, f32, f32, declared, 4);
add(queue, [4], [4], raw, bytes, null, 4n, { offset: [0] });
add(queue, 4, null, f32.subRegion(0), new cl.SVM(new Float32Array(4)), cl.csvmEmpty(ctx, 4, 'f32'), cl.int32(4));
// @ts-expect-error doubles
add(queue, 4, null, f64, f32, f32, 4);
// @ts-expect-error a part of doubles
add(queue, 4, null, f64.subRegion(0), f32, f32, 4);
// @ts-expect-error shared doubles
add(queue, 4, null, f32, cl.csvmEmpty(ctx, 4, 'f64'), f32, 4);
// @ts-expect-error a host array
add(queue, 4, null, f32, new Float32Array(4), f32, 4);
// @ts-expect-error a number for a buffer
add(queue, 4, null, 3, f32, f32, 4);
// @ts-expect-error a string for n
add(queue, 4, null, f32, f32, f32, '4');
// @ts-expect-error too few
add(queue, 4, null, f32, f32, 4);
// @ts-expect-error too many
add(queue, 4, null, f32, f32, f32, 4, 5);
// @ts-expect-error no sizes
add(queue, f32, f32, f32, 4);

const scan = prg.kernel('scan');
scan(queue, 4, 4, i32, new LocalMemory(16), new LocalMemory(16), 4n);
// @ts-expect-error a buffer for __local
scan(queue, 4, 4, i32, f32, new LocalMemory(16), 4);
// @ts-expect-error floats for uint *
scan(queue, 4, 4, f32, new LocalMemory(16), new LocalMemory(16), 4);

filter(queue, [4, 4], null, image, image, sampler, f32, cl.float4(1, 2, 3, 4));
// @ts-expect-error a buffer for an image
filter(queue, [4, 4], null, f32, image, sampler, f32, cl.float4(1, 2, 3, 4));
// @ts-expect-error an image for a sampler
filter(queue, [4, 4], null, image, image, image, f32, cl.float4(1, 2, 3, 4));
// @ts-expect-error two lanes
filter(queue, [4, 4], null, image, image, sampler, f32, cl.float2(1, 2));

declare const deviceQueue: cl.DeviceQueue;
prg.kernels.pipes(queue, 1, null, pipe, bytes, deviceQueue);
prg.kernels.pipes(queue, 1, null, pipe, i32, deviceQueue);
// @ts-expect-error a buffer for a pipe
prg.kernels.pipes(queue, 1, null, i32, bytes, deviceQueue);
// @ts-expect-error doubles for uchar4 *
prg.kernels.pipes(queue, 1, null, pipe, f64, deviceQueue);

prg.kernels.none(queue, 1, null);
// @ts-expect-error it takes no arguments
prg.kernels.none(queue, 1, null, 1);

// Names to complete, and the signature that the editor shows.
expectTypeOf<keyof cl.OpenCLKernels<'// no kernel here; void is not one (really)'>>().toEqualTypeOf<never>();
expectTypeOf<keyof cl.OpenCLKernels<''>>().toEqualTypeOf<never>();
expectTypeOf<keyof cl.OpenCLKernels<'kernel void a(int x) {}\n__kernel\nvoid\nb (int x) {}'>>().toEqualTypeOf<
  'a' | 'b'
>();
expectTypeOf(add).toEqualTypeOf<
  cl.Kernel<'add(__global const float *a, global const float* b, __global float *c, int n)'>
>();

// Arguments that are set before, recorded, captured, asked about.
add.setArgs(f32, f32, f32, 4);
// @ts-expect-error too few
add.setArgs(f32, f32, f32);
add.suggestedLocalSize(queue, 4, f32, f32, f32, 4);
// @ts-expect-error doubles
add.suggestedLocalSize(queue, 4, f64, f32, f32, 4);
declare const commands: cl.CommandBuffer;
commands.kernel(add, 4, null, f32, f32, f32, 4);
// @ts-expect-error doubles
commands.kernel(add, 4, null, f32, f64, f32, 4);
cl.captureCall('file.ts', add, queue, 4, null, f32, f32, f32, 4);
// @ts-expect-error too few
cl.captureCall('file.ts', add, queue, 4, null, f32, f32, f32);

// Structs that the options map.
const Particle = struct({ x: 'f32', v: 'f32' });
const Other = struct({ n: 'i32' });
using structs = new Program(ctx, '__kernel void step(Particle p, __global Particle *all) {}', {
  types: { Particle },
}).build();
structs.kernels.step(queue, 1, null, Particle({ x: 1, v: 2 }), raw);
// @ts-expect-error another struct
structs.kernels.step(queue, 1, null, Other({ n: 1 }), raw);

// What is not literal, not known, or of a plain type, stays open.
prg.kernel('ad')(queue, 1, null, 1, 2, 3);
prg.kernels['made']?.(queue, 1, null, 1, 2, 3);
using untyped = new Program(ctx, text);
untyped.kernel('add')(queue, 1, null, 1, 2, 3);
// @ts-expect-error a text that is not literal shows no names
untyped.kernels.add(queue, 1, null, 1, 2, 3);
const plainProgram: Program = prg;
const plainKernel: cl.Kernel = add;
const plainBuffer: Buffer = f32;
plainProgram.kernel('add')(queue, 1, null, 1, 2, 3);
plainKernel(queue, 1, null, 1, 2, 3);
add(queue, 4, null, plainBuffer, plainBuffer, plainBuffer, 4);
const compiled = await Program.compile(ctx, '__kernel void k(int n) {}');
// @ts-expect-error a string for n
compiled.kernels.k(queue, 1, null, '1');
type Told = cl.KernelSource<{ readonly k: 'k(int n)' }>;
using loaded = Program.fromFile<Told>(ctx, 'k.cl').build();
// @ts-expect-error a string for n
loaded.kernels.k(queue, 1, null, '1');
