import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void axpy(__global half *y, __global const half *x, half a) { int i = get_global_id(0); y[i] += a * x[i]; }
__kernel void add4(__global half4 *y, half4 a) { y[get_global_id(0)] += a; }`;
/** 0.25, 1, 1.5, 2, 3.5 as bits. */
const [QUARTER, ONE, SIX_QUARTERS, TWO, SEVEN_HALVES] = [0x3400, 0x3c00, 0x3e00, 0x4000, 0x4300];

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  test('Buffers, numbers, vectors and fills of half go in and out', () => {
    if (lacks(device, 'cl_khr_fp16', device.hasExtension('cl_khr_fp16'))) return;
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(ctx, SOURCE).build();
    using y = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 16);
    using x = new cl.Buffer(ctx, cl.MemFlags.READ_ONLY | cl.MemFlags.COPY_HOST_PTR, new Uint16Array(8).fill(ONE));
    cl.enqueueFill(queue, y, cl.float16(1.5));
    prg.kernels.axpy(queue, 8, null, y, x, 2);
    const host = new Uint16Array(8);
    cl.enqueueCopy(queue, host, y);
    expect([...new Set(host)]).toEqual([SEVEN_HALVES]);
    cl.enqueueFill(queue, y, cl.half4(1, 0.25, 1.5, 0));
    prg.kernels.axpy(queue, [2], null, y, x, cl.float16(-0), { offset: 2 });
    prg.kernels.add4(queue, 2, null, y, cl.half4(1, 0, 0, 0.25));
    cl.enqueueCopy(queue, host, y);
    expect([...host]).toEqual([...[TWO, QUARTER, SIX_QUARTERS, QUARTER], ...[TWO, QUARTER, SIX_QUARTERS, QUARTER]]);
    expect(() => prg.kernels.axpy(queue, 8, null, y, x, cl.float32(1) as never)).toThrow(TypeError);
  });
});
