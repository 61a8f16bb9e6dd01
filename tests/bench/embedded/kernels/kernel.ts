/** An argument: an array becomes device memory. */
export type BenchArgument = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array | number;
/** Threads along x, y and z; a missing one is 1. */
export type Extent = readonly number[];

/** One kernel in both languages, with the shape of its launch. */
export interface BenchKernel {
  readonly name: string;
  readonly cuda: string;
  /** Absent where OpenCL 1.2 cannot say it. */
  readonly opencl: string | undefined;
  readonly global: Extent;
  readonly local: Extent;
  readonly args: () => readonly BenchArgument[];
  /** The index of the argument that holds the result. */
  readonly result: number;
}

/** A kernel named `k`: what both languages share. */
export interface Body {
  readonly text: string;
  /** Functions before the kernel. */
  readonly functions?: string;
  readonly cudaOnly?: boolean;
  readonly parameters: readonly string[];
  readonly global: Extent;
  readonly local: Extent;
  readonly args: () => readonly BenchArgument[];
  readonly result: number;
}

/** The two languages differ in a handful of words: one body, written with those words as macros, serves both. */
const CUDA = `#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
#define LX threadIdx.x
#define LY threadIdx.y
#define BLOCK blockIdx.x
#define BLOCK_Y blockIdx.y
#define WIDTH blockDim.x
#define THREADS (gridDim.x * blockDim.x)
#define LOCAL __shared__
#define SYNC __syncthreads()
#define DEVICE __device__
#define EXP expf
#define LOG logf
#define SIN sinf
#define SQRT sqrtf
#define RSQRT rsqrtf
#define FABS fabsf
#define ATOMIC_ADD(place, value) atomicAdd(place, value)
#define UCHAR4(x, y, z, w) make_uchar4(x, y, z, w)
#define FLOAT4(x, y, z, w) make_float4(x, y, z, w)
#define ULONG unsigned long long
typedef unsigned int uint; typedef unsigned char uchar;
`;
const OPENCL = `#define GX ((int)get_global_id(0))
#define GY ((int)get_global_id(1))
#define LX ((int)get_local_id(0))
#define LY ((int)get_local_id(1))
#define BLOCK get_group_id(0)
#define BLOCK_Y get_group_id(1)
#define WIDTH get_local_size(0)
#define THREADS ((int)get_global_size(0))
#define LOCAL __local
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define DEVICE
#define ULONG ulong
#define EXP exp
#define LOG log
#define SIN sin
#define SQRT sqrt
#define RSQRT rsqrt
#define FABS fabs
#define ATOMIC_ADD(place, value) atomic_add(place, value)
#define UCHAR4(x, y, z, w) ((uchar4)(x, y, z, w))
#define FLOAT4(x, y, z, w) ((float4)(x, y, z, w))
`;

/** The kernels of some bodies. */
export function kernelsOf(bodies: Readonly<Record<string, Body>>): BenchKernel[] {
  return Object.entries(bodies).map(([name, body]) => {
    const { text, functions = '', parameters, global, local, args, result, cudaOnly = false } = body;
    const ofOpencl = parameters.map((parameter) => (parameter.includes('*') ? `__global ${parameter}` : parameter));
    return {
      name,
      cuda: `${CUDA}${functions}\nextern "C" __global__ void k(${parameters.join(', ')}) {\n  ${text}\n}\n`,
      opencl: cudaOnly ? undefined : `${OPENCL}${functions}\n__kernel void k(${ofOpencl.join(', ')}) {\n  ${text}\n}\n`,
      global,
      local,
      args,
      result,
    };
  });
}

/** Draws numbers of 24 bits. */
export function draws(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}

/** Floats from 0 to 1. */
export function noise(length: number): Float32Array {
  const next = draws();
  return Float32Array.from({ length }, () => next() / 2 ** 24);
}

/** Integers from 0 to below an end. */
export function integers(length: number, end: number): Int32Array {
  const next = draws(7);
  return Int32Array.from({ length }, () => next() % end);
}

export function bytes(length: number): Uint8Array {
  const next = draws(3);
  return Uint8Array.from({ length }, () => next() >>> 16);
}
