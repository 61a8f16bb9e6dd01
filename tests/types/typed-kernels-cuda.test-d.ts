import { expectTypeOf } from 'expect-type';
import * as cuda from '../../src/cuda/index.ts';
import type saxpySource from './files/saxpy.cu.d.ts';
import { In, InOut, memAlloc, Out, SourceModule, struct, toDevice } from '../../src/cuda/index.ts';

const f32 = toDevice(new Float32Array(4));
const f64 = toDevice(new Float64Array(4));
const i32 = toDevice(new Int32Array(4));
const u32 = toDevice(new Uint32Array(4));
const bytes = toDevice(new Uint8Array(16));
const raw = memAlloc(16);
declare const address: bigint;
declare const anyHost: cuda.HostMemory;

using module = new SourceModule(`
  #include <cuda_fp16.h>
  // a __global__ function; { not a body
  __device__ float twice(float x) { return 2 * x; }
  __global__ void saxpy(int n, float a, const float *x, float *y) { }
  extern "C" __global__ void __launch_bounds__(256, 2)
  wide(unsigned long long const q, size_t bytes, double *__restrict__ out, unsigned char* raw, /* a comment, with a comma */ bool flag) {
  }
  __global__ void vectors(float4 v, const uint2 *pixels, __half2 h, unsigned n, long count) {}
  __global__ void objects(cudaTextureObject_t texture, float **table, void *anything, Unknown u, const Other &r, float m[16]) {}
  template <typename T, int N>
  __global__ void scale(T *x, T by, int n) {}
  __global__ void none() {}
  static __global__ void nothing(void) {}
  __global__
  void pointers(void (*f)(int), int n) {}
  __global__ void macro(ARGUMENTS) {}
  __global__ void several(int a, MORE) {}
  KERNEL(made)(int n) {}
  __global__ void NAME(made)(int n) {}
`);

// Numbers.
const saxpy = module.getFunction('saxpy');
saxpy(4, 2, f32, f32, { block: 4 });
saxpy(4n, 2, f32, f32, { block: 4 });
saxpy(cuda.int32(4), cuda.float32(2), f32, f32, { block: 4 });
saxpy(cuda.uint32(4), 2, f32, f32, { block: 4 });
// @ts-expect-error a string for n
saxpy('4', 2, f32, f32, { block: 4 });
// @ts-expect-error a double for a
saxpy(4, cuda.float64(2), f32, f32, { block: 4 });
// @ts-expect-error a bigint for a float
saxpy(4, 2n, f32, f32, { block: 4 });
// @ts-expect-error 64 bits for n
saxpy(cuda.int64(4), 2, f32, f32, { block: 4 });
// @ts-expect-error too few
saxpy(4, 2, f32, { block: 4 });
// @ts-expect-error too many
saxpy(4, 2, f32, f32, f32, { block: 4 });
// @ts-expect-error no shape
saxpy(4, 2, f32, f32);

// Pointers.
saxpy(4, 2, In(new Float32Array(4)), Out(new Float32Array(4)), { block: 4 });
saxpy(4, 2, raw, bytes, { block: 4 });
saxpy(4, 2, address, null, { block: 4 });
saxpy(4, 2, In(new Uint8Array(4)), InOut(new DataView(new ArrayBuffer(4))), { block: 4 });
saxpy(4, 2, In(anyHost), f32.slice(4), { block: 4 });
saxpy(4, 2, { ptr: address }, cuda.managedEmpty(4, 'f32'), { block: 4 });
saxpy(4, 2, memAlloc<'f32'>(16), cuda.memAllocAsync<'f32'>(16), { block: 4 });
saxpy(4, 2, memAlloc<'c64'>(16), cuda.registerHostMemory(new Float32Array(4096)), { block: 4 });
// @ts-expect-error doubles
saxpy(4, 2, f64, f32, { block: 4 });
// @ts-expect-error doubles on the way in
saxpy(4, 2, In(new Float64Array(4)), f32, { block: 4 });
// @ts-expect-error a part of doubles
saxpy(4, 2, f64.slice(8), f32, { block: 4 });
// @ts-expect-error integers
saxpy(4, 2, cuda.managedEmpty(4, 'i32'), f32, { block: 4 });
// @ts-expect-error declared as doubles
saxpy(4, 2, f32, memAlloc<'f64'>(16), { block: 4 });
// @ts-expect-error a number
saxpy(4, 2, 3, f32, { block: 4 });
// @ts-expect-error a host array without In or Out
saxpy(4, 2, new Float32Array(4), f32, { block: 4 });
// @ts-expect-error pinned, and still host memory
saxpy(4, 2, cuda.pagelockedEmpty(4, 'f32'), f32, { block: 4 });

const wide = module.getFunction('wide');
wide(1n, 2n, f64, f32, true, { block: 1 });
wide(1, 2, raw, i32, 0, { block: 1 });
// @ts-expect-error floats for double *
wide(1, 2, f32, bytes, true, { block: 1 });
// @ts-expect-error a string for bool
wide(1, 2, f64, bytes, 'yes', { block: 1 });

const vectors = module.getFunction('vectors');
vectors(cuda.float4(1, 2, 3, 4), u32, cuda.half2(1, 2), 3, 4n, { block: 1 });
vectors(cuda.float4(1, 2, 3, 4), toDevice(new BigUint64Array(2)), cuda.half2(1, 2), 3, 4, { block: 1 });
// @ts-expect-error three lanes
vectors(cuda.float3(1, 2, 3), u32, cuda.half2(1, 2), 3, 4, { block: 1 });
// @ts-expect-error integers
vectors(cuda.int4(1, 2, 3, 4), u32, cuda.half2(1, 2), 3, 4, { block: 1 });
// @ts-expect-error floats for uint2 *
vectors(cuda.float4(1, 2, 3, 4), f32, cuda.half2(1, 2), 3, 4, { block: 1 });

const objects = module.getFunction('objects');
declare const texture: cuda.Texture;
objects(texture, toDevice(new BigUint64Array(4)), f64, 3, 4, f32, { block: 1 });
objects(5n, raw, i32, cuda.int32(3), raw, raw, { block: 1 });
// @ts-expect-error floats for float **
objects(texture, f32, f64, 3, 4, f32, { block: 1 });
// @ts-expect-error doubles for float m[16]
objects(texture, raw, f64, 3, 4, f64, { block: 1 });

// A template: its own types are open, the number of arguments and the other types are not.
const scale = module.getFunction('scale<float, 4>');
scale(f64, 2, 3, { block: 1 });
scale(f32, cuda.float64(2), 3, { block: 1 });
// @ts-expect-error too few
scale(f32, 2, { block: 1 });
// @ts-expect-error a string for n
scale(f32, 2, 'three', { block: 1 });

module.getFunction('none')({ block: 1 });
module.getFunction('nothing')({ block: 1 });
// @ts-expect-error it takes no arguments
module.getFunction('none')(1, { block: 1 });

// What is not understood stays open.
module.getFunction('pointers')(f32, 1, 2, { block: 1 });
module.getFunction('macro')(f32, 1, 2, { block: 1 });
module.getFunction('several')(f32, 1, 2, { block: 1 });
module.getFunction('made')(f32, 1, 2, { block: 1 });
module.getFunction('saxpi')(f32, 1, 2, { block: 1 });
module.getFunction(String(address))(f32, 1, 2, { block: 1 });
expectTypeOf<keyof cuda.CudaKernels<'#include <x.h>\n__global__ void k(int n) {}'>>().toEqualTypeOf<'k'>();

// The editor shows the C signature, and the names to complete.
expectTypeOf(saxpy).toEqualTypeOf<cuda.Function<'saxpy(int n, float a, const float *x, float *y)'>>();
using aligned = new SourceModule(`__global__ void f(int a,
                                   float *b ) {}`);
expectTypeOf(aligned.getFunction('f')).toEqualTypeOf<cuda.Function<'f(int a, float *b)'>>();
expectTypeOf<'saxpy' | 'none'>().toExtend<keyof cuda.CudaKernels<typeof module.source>>();

// Prepared launches, graphs, programs and libraries.
const prepared = saxpy.prepare({ block: 4 });
prepared(4, 2, f32, f32);
// @ts-expect-error too few
prepared(4, 2, f32);
declare const graph: cuda.Graph;
graph.addKernel(saxpy, [4, 2, f32, f32], { block: 4 });
// @ts-expect-error doubles
graph.addKernel(saxpy, [4, 2, f64, f32], { block: 4 });
const program = cuda.Program.compile('__global__ void set(int *x, int n) { *x = n; }');
program.toModule().getFunction('set')(i32, 3, { block: 1 });
const set = program.toLibrary().getKernel('set');
set(i32, 3, { block: 1 });
// @ts-expect-error floats
set(f32, 3, { block: 1 });
// @ts-expect-error too few
set.function(i32, { block: 1 });

// Structs that the options map.
const Particle = struct({ x: 'f32', v: 'f32' });
const Other = struct({ n: 'i32' });
using structs = new SourceModule('__global__ void step(Particle p, struct Particle q, Particle *all, int n) {}', {
  types: { Particle },
});
const p = Particle({ x: 1, v: 2 });
const step = structs.getFunction('step');
step(p, p, raw, 3, { block: 1 });
// @ts-expect-error another struct
step(p, Other({ n: 1 }), raw, 3, { block: 1 });
// @ts-expect-error a number
step(1, p, raw, 3, { block: 1 });

// Variables of the plain types take what is typed, and a source that is not literal is untyped.
const plainKernel: cuda.Function = saxpy;
const plainModule: cuda.Module = module;
const plainSource: SourceModule = structs;
const plainMemory: cuda.DeviceAllocation = f32;
declare const returned: ReturnType<typeof memAlloc>;
saxpy(1, 2, returned, returned, { block: 1 });
plainKernel(1, 2, 3, { block: 1 });
plainModule.getFunction('saxpy')(1, { block: 1 });
plainSource.getFunction('step')(1, { block: 1 });
saxpy(1, 2, plainMemory, plainMemory, { block: 1 });
declare const text: string;
using untyped = new SourceModule(text);
untyped.getFunction('saxpy')(1, f32, { block: 1 });
const compiled = await SourceModule.compile('__global__ void k(int n) {}');
// @ts-expect-error a string for n
compiled.getFunction('k')('1', { block: 1 });

// A number in the text, a text that is made of literals, and a source whose kernels a declaration file tells.
const TILE = 16;
using tiled = new SourceModule(
  `__global__ void k(int n, float (&t)[${TILE}]) {}\n__global__ void l(int n) {}` as const,
);
// @ts-expect-error a string for n
tiled.getFunction('l')('1', { block: 1 });
declare const declared: cuda.KernelSource<{ readonly k: 'k(int n)'; readonly 's<float>': 's(float *x)' }>;
using fromFile = new SourceModule(declared);
fromFile.getFunction('k')(1, { block: 1 });
fromFile.getFunction('s<float>')(f32, { block: 1 });
// @ts-expect-error doubles for the instance
fromFile.getFunction('s<float>')(f64, { block: 1 });
const loaded = SourceModule.fromFile<typeof declared>('k.cu');
// @ts-expect-error a string for n
loaded.getFunction('k')('1', { block: 1 });
SourceModule.fromFile('k.cu').getFunction('k')('anything' as never, { block: 1 });
using written = SourceModule.fromFile<typeof saxpySource>('saxpy.cu');
written.getFunction('saxpy')(4, 2, f32, f32, { block: 1 });
written.getFunction('scale<double>')(f64, 2, { block: 1 });
// @ts-expect-error floats for the instance
written.getFunction('scale<double>')(f32, 2, { block: 1 });
