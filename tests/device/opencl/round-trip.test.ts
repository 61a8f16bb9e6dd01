import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, numbers, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });

  test('Kernel adds two vectors', () => {
    const [a, b, c] = [numbers(1000, 1), numbers(1000, 2), new Float32Array(1000)];
    using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
    using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
    using cG = new cl.Buffer(ctx, mf.WRITE_ONLY, c.byteLength);
    using prg = new cl.Program(
      ctx,
      `
__kernel void add(__global const float *a, __global const float *b, __global float *c)
{
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}`,
    ).build();
    prg.kernels.add(queue, [1000], null, aG, bG, cG);
    cl.enqueueCopy(queue, c, cG);
    expect(c).toEqual(a.map((x, i) => x + (b[i] ?? 0)));
  });

  test('Kernel multiplies matrices with local memory', () => {
    const [n, tile] = [32, 8];
    const [a, b] = [numbers(n * n, 3), numbers(n * n, 4)];
    const c = new Float32Array(n * n);
    using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
    using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
    using cG = new cl.Buffer(ctx, mf.WRITE_ONLY, c.byteLength);
    using prg = new cl.Program(
      ctx,
      `
__kernel void matmul(__global const float *a, __global const float *b, __global float *c,
                     int n, __local float *as, __local float *bs)
{
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1), t = get_local_size(0);
  float sum = 0;
  for (int k = 0; k < n; k += t) {
    as[j * t + i] = a[y * n + k + i];
    bs[j * t + i] = b[(k + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int l = 0; l < t; l++) sum += as[j * t + l] * bs[l * t + i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}`,
    ).build();
    const local = new cl.LocalMemory(tile * tile * 4);
    prg.kernels.matmul(queue, [n, n], [tile, tile], aG, bG, cG, n, local, local);
    cl.enqueueCopy(queue, c, cG);
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += (a[y * n + k] ?? 0) * (b[k * n + x] ?? 0);
        expect(c[y * n + x]).toBeCloseTo(sum, 4);
      }
    }
  });

  test('Kernel starts its ids at the offset', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Int32Array(8));
    using prg = new cl.Program(ctx, '__kernel void mark(__global int *a) { a[get_global_id(0)] = 1; }').build();
    prg.kernels.mark(queue, 4, null, out, { offset: 2 });
    const result = new Int32Array(8);
    cl.enqueueCopy(queue, result, out);
    expect([...result]).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
  });

  test('Kernel takes integers of every width in their own type', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    using prg = new cl.Program(
      ctx,
      `__kernel void f(__global long *o, char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h)
       { o[0] = a; o[1] = b; o[2] = c; o[3] = d; o[4] = e; o[5] = f; o[6] = g; o[7] = h; }`,
    ).build();
    const [wide, huge] = [-(2n ** 62n), 2n ** 63n + 5n];
    prg.kernels.f(queue, 1, null, out, -128, 255, -32768, 65535, -(2 ** 31), 2 ** 32 - 1, wide, huge);
    const result = new BigInt64Array(8);
    cl.enqueueCopy(queue, result, out);
    const expected = [-128n, 255n, -32768n, 65535n, -(2n ** 31n), 2n ** 32n - 1n, wide, BigInt.asIntN(64, huge)];
    expect([...result]).toEqual(expected);
  });

  test('Kernel takes safe integers and bigints for a long', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 8);
    using prg = new cl.Program(ctx, '__kernel void f(__global long *o, long a) { o[0] = a; }').build();
    const result = new BigInt64Array(1);
    for (const value of [-1, 2 ** 52, -(2n ** 63n)]) {
      prg.kernels.f(queue, 1, null, out, value);
      cl.enqueueCopy(queue, result, out);
      expect(result[0]).toBe(BigInt(value));
    }
  });

  test('Kernel tells 0 from -0, and a number that comes again', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    using prg = new cl.Program(ctx, '__kernel void f(__global float *o, float a) { o[0] = 1 / a; }').build();
    const result = new Float32Array(1);
    for (const value of [0, -0, -0, 2, NaN, 2]) {
      prg.kernels.f(queue, 1, null, out, value);
      cl.enqueueCopy(queue, result, out);
      expect(result[0]).toBe(1 / value);
    }
  });

  test('Kernel takes vectors and structs by value', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 32);
    using prg = new cl.Program(
      ctx,
      `typedef struct { char tag; float3 v; long n; } P;
       __kernel void f(__global float *o, float4 a, int2 b, P p, float3 c)
       { o[0] = a.x; o[1] = a.w; o[2] = b.y; o[3] = p.tag; o[4] = p.v.z; o[5] = p.n; o[6] = c.z; o[7] = sizeof(P); }`,
    ).build();
    const P = cl.struct({ tag: 'i8', v: cl.float3, n: 'i64' });
    const p = P({ tag: 7, v: cl.float3(1, 2, 3), n: 11n });
    prg.kernels.f(queue, 1, null, out, cl.float4(1, 2, 3, 4), cl.int2(5, 6), p, cl.float3(7, 8, 9));
    const result = new Float32Array(8);
    cl.enqueueCopy(queue, result, out);
    expect([...result]).toEqual([1, 4, 6, 7, 3, 11, 9, P.byteLength]);
  });

  test('Kernel takes doubles', () => {
    if (lacks(device, 'cl_khr_fp64', device.hasExtension('cl_khr_fp64'))) return;
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 8);
    using prg = new cl.Program(ctx, '__kernel void f(__global double *o, double a) { o[0] = a; }').build();
    prg.kernels.f(queue, 1, null, out, Math.PI);
    const result = new Float64Array(1);
    cl.enqueueCopy(queue, result, out);
    expect(result[0]).toBe(Math.PI);
  });

  test('Kernel takes halves', () => {
    if (lacks(device, 'cl_khr_fp16', device.hasExtension('cl_khr_fp16'))) return;
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    using prg = new cl.Program(
      ctx,
      '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void f(__global float *o, half a) { o[0] = a; }',
    ).build();
    prg.kernels.f(queue, 1, null, out, 1.5);
    const result = new Float32Array(1);
    cl.enqueueCopy(queue, result, out);
    expect(result[0]).toBe(1.5);
  });

  test('vload_half reads what float16 packs', () => {
    const bits = new Uint16Array(2);
    const view = new DataView(bits.buffer);
    cl.float16(0.5).writeTo(view, 0);
    cl.float16(-2).writeTo(view, 2);
    using a = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, bits);
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 8);
    using prg = new cl.Program(
      ctx,
      '__kernel void f(__global const half *a, __global float *o) { int i = get_global_id(0); o[i] = vload_half(i, a); }',
    ).build();
    prg.kernels.f(queue, 2, null, a, out);
    const result = new Float32Array(2);
    cl.enqueueCopy(queue, result, out);
    expect([...result]).toEqual([0.5, -2]);
  });

  test('Kernel takes null for a buffer', () => {
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    using prg = new cl.Program(ctx, '__kernel void f(__global int *o, __global int *a) { o[0] = a == 0; }').build();
    prg.kernels.f(queue, 1, null, out, null);
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, out);
    expect(result[0]).toBe(1);
  });

  test('Device and Platform answer queries as properties and by number', () => {
    expect(device.name).not.toBe('');
    expect(device.maxComputeUnits).toBe(device.getInfo(0x1002, 'uint'));
    expect(device.maxWorkItemSizes).toHaveLength(device.maxWorkItemDimensions);
    expect(device.globalMemSize).toBeGreaterThan(0);
    expect(device.available).toBe(true);
    expect(device.platform.version).toMatch(/^OpenCL \d/);
    expect(device.platform.getDevices()).toContain(device);
    expect(device.isEmbedded).toBe(device.platform.name === 'rawkernel CPU');
    expect(() => device.getInfo(0x7fff_0000, 'uint')).toThrow(expect.objectContaining({ code: 'CL_INVALID_VALUE' }));
  });

  test('Kernel.workGroupInfo tells the required size', () => {
    using prg = new cl.Program(
      ctx,
      '__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(__global int *a) { a[get_global_id(0)] = 1; }',
    ).build();
    const { compileWorkGroupSize, workGroupSize } = prg.kernels.f.workGroupInfo();
    expect(compileWorkGroupSize).toEqual([4, 2, 1]);
    expect(workGroupSize).toBeGreaterThan(0);
    using out = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    expect(() => prg.kernels.f(queue, [8, 2], [8, 1], out)).toThrow('asks for the local size [4, 2, 1]');
  });
});
