import { expect, test } from '@jest/globals';
import * as cuda from '../../../src/cuda/index.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { runBuilt } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

// Rows of PyCUDA's driver tests, by their names; tests/README.md says where the others are.
const N = 400;
const MULTIPLY = `
__global__ void multiply_them(float *dest, const float *a, const float *b)
{
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  dest[i] = a[i] * b[i];
}`;
const DOUBLE = `
extern __shared__ float room[];
__global__ void double_it(float *a) { a[threadIdx.x + blockIdx.x * blockDim.x] *= 2; }
__global__ void turn_round(float *a)
{
  room[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
__global__ void add_them(int n, float *a) { if (threadIdx.x < n) a[threadIdx.x] += 1; }`;

/** Numbers with exact products, and different ones. */
function numbers(length: number, step: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, (_, i) => ((i * step) % 211) - 100);
}

function product(a: Float32Array, b: Float32Array): number[] {
  return Array.from(a, (value, i) => value * (b[i] ?? NaN));
}

needs.cuda().describe('kernels and copies, as PyCUDA tests them', () => {
  withDevice();

  test('memory: to the device, and back as it was', () => {
    const sent = Float64Array.from({ length: N }, (_, i) => Math.sin(i) / 3);
    sent.set([NaN, -0, Infinity, Number.MIN_VALUE]);
    using memory = cuda.toDevice(sent);
    expect(cuda.fromDevice(memory, Float64Array, sent.length)).toEqual(sent);
    expect(Object.is(cuda.fromDevice(memory, 'f64')[1], -0)).toBe(true);
  });

  test('simple_kernel: Out, In and In', () => {
    using module = new cuda.SourceModule(MULTIPLY);
    const [a, b, dest] = [numbers(N, 7), numbers(N, 13), new Float32Array(N)];
    module.getFunction('multiply_them')(cuda.Out(dest), cuda.In(a), cuda.In(b), { block: [N, 1, 1] });
    expect([...dest]).toEqual(product(a, b));
  });

  test('simple_kernel_2: addresses one element further', () => {
    using module = new cuda.SourceModule(MULTIPLY);
    const [a, b] = [numbers(N, 7), numbers(N, 13)];
    using aDevice = cuda.toDevice(a);
    using bDevice = cuda.memAlloc(b.byteLength);
    cuda.memcpyHtoD(bDevice, b);
    using dest = cuda.toDevice(new Float32Array(N).fill(-1));
    const multiply = module.getFunction('multiply_them');
    multiply(dest.ptr + 4n, aDevice.slice(4), bDevice.ptr + 4n, { block: N - 1 });
    const result = new Float32Array(N);
    cuda.memcpyDtoH(result, dest);
    expect([...result]).toEqual([-1, ...product(a, b).slice(1)]);
  });

  test('vector_types: a float3 by value, into an array of them', () => {
    using module = new cuda.SourceModule('__global__ void set_them(float3 *dest, float3 x) { dest[threadIdx.x] = x; }');
    const dest = new Float32Array(3 * N);
    module.getFunction('set_them')(cuda.Out(dest), cuda.float3(1, -2.5, 1e10), { block: N });
    expect(dest).toEqual(Float32Array.from({ length: 3 * N }, (_, i) => [1, -2.5, 1e10][i % 3] ?? NaN));
  });

  test('streamed_kernel: page-locked memory, all on one stream', () => {
    using module = new cuda.SourceModule(MULTIPLY);
    using stream = new cuda.Stream({ nonBlocking: true });
    using a = cuda.pagelockedEmpty(N, 'f32');
    using b = cuda.pagelockedEmpty(N, 'f32');
    using dest = cuda.pagelockedZeros(N, 'f32');
    using back = cuda.pagelockedZeros(N, 'f32');
    a.set(numbers(N, 7));
    b.set(numbers(N, 13));
    using aDevice = cuda.memAlloc(a.byteLength);
    using bDevice = cuda.memAlloc(b.byteLength);
    cuda.memcpyHtoDAsync(aDevice, a, stream);
    cuda.memcpyHtoDAsync(bDevice, b, stream);
    module.getFunction('multiply_them')(cuda.Out(dest), aDevice, bDevice, { block: N, stream });
    cuda.memcpyDtoHAsync(back, aDevice, stream);
    stream.synchronize();
    expect([...dest]).toEqual(product(a, b));
    expect([...back]).toEqual([...a]);
  });

  test('gpuarray: a - 3 b + (-a) and a b of 200,000 elements', () => {
    const length = 200_000;
    using module = new cuda.SourceModule(`
      __global__ void combine(float *sum, float *product, const float *a, const float *b, int n)
      {
        for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
          sum[i] = a[i] - 3 * b[i] + (-a[i]);
          product[i] = a[i] * b[i];
        }
      }`);
    const [a, b] = [numbers(length, 7), numbers(length, 13)];
    using aDevice = cuda.toDevice(a);
    using bDevice = cuda.toDevice(b);
    using sum = cuda.memAlloc(a.byteLength);
    using times = cuda.memAlloc(a.byteLength);
    module.getFunction('combine')(sum, times, aDevice, bDevice, length, { block: 256, grid: 60 });
    expect(cuda.fromDevice(sum, 'f32')).toEqual(b.map((value) => 0 - 3 * value));
    expect(cuda.fromDevice(times, 'f32')).toEqual(Float32Array.from(product(a, b)));
  });

  test('large_smem: an array of 4000 integers in shared memory', () => {
    using module = new cuda.SourceModule(`
      #define COUNT 4000
      __global__ void large_smem(int *d_data)
      {
        __shared__ int room[COUNT];
        for (int i = threadIdx.x; i < COUNT; i += blockDim.x) room[i] = 3 * i;
        __syncthreads();
        for (int i = threadIdx.x; i < COUNT; i += blockDim.x) d_data[i] = room[COUNT - 1 - i];
      }`);
    const large = module.getFunction('large_smem');
    expect(large.sharedSizeBytes).toBe(16_000);
    const result = new Int32Array(4000);
    large(cuda.Out(result), { block: 32 });
    expect(result).toEqual(Int32Array.from({ length: 4000 }, (_, i) => 3 * (3999 - i)));
  });

  test('prepared_invocation: a shape that is fixed, shared memory, an address further on', () => {
    using module = new cuda.SourceModule(DOUBLE);
    const a = numbers(16, 7);
    using memory = cuda.toDevice(a);
    module.getFunction('double_it').prepare({ block: 4, grid: 4 })(memory);
    const doubled = a.map((value) => 2 * value);
    expect(cuda.fromDevice(memory, 'f32')).toEqual(doubled);
    const turn = module.getFunction('turn_round').prepare({ block: 16, shared: 64 });
    turn(memory);
    expect(cuda.fromDevice(memory, 'f32')).toEqual(doubled.toReversed());
    turn(memory);
    const add = module.getFunction('add_them').prepare({ block: 16 });
    add(3, memory.ptr + 4n);
    add(2, memory.slice(8));
    const more = [0, 1, 2, 2];
    expect(cuda.fromDevice(memory, 'f32')).toEqual(doubled.map((value, i) => value + (more[i] ?? 0)));
  });

  test('prepared_with_vector: a float3 among the arguments', () => {
    using module = new cuda.SourceModule(`
      __global__ void cuda_function(float *result, char before, float3 input, double after)
      {
        result[0] = before; result[1] = input.x; result[2] = input.y; result[3] = input.z; result[4] = after;
      }`);
    using memory = cuda.memAlloc(20);
    const launch = module.getFunction('cuda_function').prepare({ block: 1 });
    launch(memory, 9, cuda.float3(10, 15.5, 20), 0.25);
    expect([...cuda.fromDevice(memory, 'f32')]).toEqual([9, 10, 15.5, 20, 0.25]);
    launch(memory, -9, cuda.float3(-1, 0, 1), 4);
    expect([...cuda.fromDevice(memory, 'f32')]).toEqual([-9, -1, 0, 1, 4]);
  });

  test('gpuarray_cai: what an array says of itself', () => {
    using memory = cuda.memAlloc(4 * 3 * 5);
    using stream = new cuda.Stream();
    const array = new cuda.TensorView(memory, { shape: [3, 5], dtype: 'f32' });
    expect(array.cudaArrayInterface).toEqual({
      version: 3,
      shape: [3, 5],
      typestr: '<f4',
      data: [memory.ptr, false],
      strides: [20, 4],
      stream: null,
    });
    const part = { shape: [3, 2], strides: [20, 4], byteOffset: 8, dtype: 'i32', readOnly: true, stream } as const;
    expect(new cuda.TensorView(memory, part).cudaArrayInterface).toMatchObject({
      typestr: '<i4',
      data: [memory.ptr + 8n, true],
      strides: [20, 4],
      stream: stream.handle,
    });
  });

  test('pointer_holder_base: memory of a class of somebody else', () => {
    using module = new cuda.SourceModule(DOUBLE);
    class Holder {
      readonly #memory = cuda.memAlloc(16);
      get ptr(): bigint {
        return this.#memory.ptr;
      }
      free(): void {
        this.#memory.free();
      }
    }
    const holder = new Holder();
    cuda.memcpyHtoD(holder, Float32Array.of(1, 2, 3, 4));
    module.getFunction('double_it')(holder, { block: 4 });
    const view = new cuda.TensorView(holder, { shape: [4], dtype: 'f32' });
    expect([...cuda.fromDevice(view, 'f32')]).toEqual([2, 4, 6, 8]);
    holder.free();
    expect(() => {
      module.getFunction('double_it')(holder, { block: 4 });
    }).toThrow(cuda.ClosedError);
  });
});

needs.cuda().describe('pools and contexts, as PyCUDA tests them', () => {
  withDevice();

  test('mempool: many large blocks, of which few are in use', () => {
    using pool = new cuda.DeviceMemoryPool();
    const least = 2 ** Math.floor(Math.log2(Math.min(cuda.memGetInfo().free, 2 ** 30))) / 64;
    const queue: cuda.PooledAllocation[] = [];
    for (const size of [least, 2 * least]) {
      for (let i = 0; i < 100; i++) {
        queue.push(pool.allocate(size));
        if (queue.length > 10) queue.shift()?.free();
        expect(pool.statistics.activeBlocks).toBe(queue.length);
      }
    }
    // Each size needs one block more than are in use at once.
    expect(pool.statistics.activeBytes).toBe(10 * 2 * least);
    expect(pool.statistics.heldBlocks).toBe(12);
    pool.stopHolding();
    expect(pool.statistics).toMatchObject({ activeBlocks: 10, heldBlocks: 0, heldBytes: 0 });
    for (const memory of queue) memory.free();
    expect(pool.statistics).toEqual({ activeBlocks: 0, activeBytes: 0, heldBlocks: 0, heldBytes: 0 });
  });

  test('mempool_2: a block is large enough, not much larger, and found again by its own size', () => {
    using pool = new cuda.DeviceMemoryPool();
    let seed = 12_345;
    for (let i = 0; i < 2000; i++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      const asked = 1 + (seed >>> (12 + (i % 12)));
      const memory = pool.allocate(asked);
      const { ptr } = memory;
      const { activeBytes } = pool.statistics;
      expect([memory.byteLength, activeBytes >= asked]).toEqual([asked, true]);
      expect(activeBytes - asked).toBeLessThan(Math.max(256, asked / 16));
      memory.free();
      using again = pool.allocate(activeBytes);
      expect([again.ptr, pool.statistics.activeBytes]).toEqual([ptr, activeBytes]);
    }
  });

  test('multi_context: what belongs to two contexts is freed when neither is current', () => {
    const before = cuda.Context.current as cuda.Context;
    const first = cuda.toDevice(Int32Array.of(1));
    const own = new cuda.Context(new cuda.Device(0), { own: true });
    const second = cuda.toDevice(Int32Array.of(2));
    expect(cuda.fromDevice(second, 'i32')[0]).toBe(2);
    before.makeCurrent();
    expect(cuda.fromDevice(first, 'i32')[0]).toBe(1);
    const third = new cuda.Context(new cuda.Device(0), { own: true });
    for (const memory of [first, second]) memory.free();
    expect(cuda.Context.current).toBe(third);
    for (const context of [third, own]) context.close();
    before.makeCurrent();
    expect([first.closed, second.closed, third.closed, own.closed]).toEqual([true, true, true, true]);
  });

  test('additional_primary_context: the one that is there already, beside one of its own', () => {
    const before = cuda.Context.current as cuda.Context;
    const own = new cuda.Context(new cuda.Device(0), { own: true });
    const inOwn = cuda.toDevice(Int32Array.of(2));
    const primary = new cuda.Context(new cuda.Device(0));
    expect(cuda.Context.current).toBe(primary);
    expect(primary.handle).toBe(before.handle);
    expect(primary.handle).not.toBe(own.handle);
    const inPrimary = cuda.toDevice(Int32Array.of(1));
    primary.close();
    // The first one still holds it.
    before.makeCurrent();
    expect(cuda.fromDevice(inPrimary, 'i32')[0]).toBe(1);
    own.makeCurrent();
    expect(cuda.fromDevice(inOwn, 'i32')[0]).toBe(2);
    for (const object of [inOwn, inPrimary, own]) object.close();
    before.makeCurrent();
    using memory = cuda.memAlloc(4);
    expect(memory.closed).toBe(false);
  });
});

const cudaDevice = needs.cuda();
const built = needs.build();
(cudaDevice.missing === undefined ? built : cudaDevice).test.each([
  ['import_pyopencl_before_pycuda', 'opencl', 'cuda'],
  ['the other way round', 'cuda', 'opencl'],
])('%s: both halves are imported by one program', async (_, first, second) => {
  const program = `
    const halves = { ['${first}']: await import('rawkernel/${first}') };
    halves['${second}'] = await import('rawkernel/${second}');
    const { cuda, opencl } = halves;
    const platforms = opencl.getPlatforms().length;
    await import('rawkernel/cuda/autoinit');
    const memory = cuda.toDevice(Int32Array.of(41));
    const module = new cuda.SourceModule('__global__ void inc(int *x) { ++*x; }');
    module.getFunction('inc')(memory, { block: 1 });
    console.log(cuda.fromDevice(memory, 'i32')[0], platforms === opencl.getPlatforms().length);
    memory.free();
    module.close();`;
  const { code, stdout } = await runBuilt(program);
  expect([code, stdout]).toEqual([0, '42 true\n']);
});
