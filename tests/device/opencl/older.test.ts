import { afterEach, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { opencl, useOpenCL } from '../../../src/opencl/select.ts';
import { withOlderForms } from '../../../src/opencl/older/table.ts';
import { webcl } from '../../../src/webcl/index.ts';
import { lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { AGES, oldTable, type Age } from '../../helpers/old-opencl.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
__constant sampler_t SAMPLER = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void scale(__global const int *a, __global int *b, int n) { int i = get_global_id(0); b[i] = a[i] * n; }
__kernel void pick(read_only image2d_t image, __global uint4 *out) {
  int x = get_global_id(0);
  out[x] = read_imageui(image, SAMPLER, (int2)(x, 1));
}`;

/** What the rows are of. */
const table = opencl();
afterEach(() => useOpenCL(table));

/** The same device under a table that lacks what came later. */
function old(device: cl.Device, age: Age): cl.Device {
  const { name, platform } = device;
  useOpenCL(withOlderForms(oldTable(table, age)));
  const found = cl.getPlatforms().find((one) => one.name === platform.name);
  return found?.getDevices().find((one) => one.name === name) as cl.Device;
}

const rows = openclRows.flatMap(([title, device]) =>
  AGES.map(([age, facts]) => [`${title} under ${age}`, device, facts] as const),
);

needs.opencl().describe.each(rows)('%s', (_, device, age) => {
  test('memory is filled, moved, mapped, read, and kernels run between markers and barriers', () => {
    const runner = old(device, age);
    using ctx = new cl.Context([runner]);
    using queue = new cl.CommandQueue(ctx, { profiling: true });
    const count = 100_000;
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4 * count);
    using b = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4 * count);
    using prg = new cl.Program(ctx, SOURCE).build('', { cache: false });
    expect([...prg.kernelNames].sort()).toEqual(['pick', 'scale']);
    using filled = cl.enqueueFill(queue, a, cl.int32(7));
    cl.enqueueFill(queue, a, cl.int16(-1), { offset: 8, byteLength: 6, waitFor: [filled] }).close();
    cl.enqueueMigrate(queue, [a]).close();
    cl.enqueueBarrier(queue).close();
    using scaled = prg.kernel('scale')(queue, count, null, a, b, 3);
    using marker = cl.enqueueMarker(queue, { waitFor: [scaled] });
    cl.enqueueBarrier(queue, { waitFor: [marker] }).close();
    const out = new Int32Array(count);
    cl.enqueueCopy(queue, out, b).wait();
    const expected = new Int32Array(count).fill(21);
    expected[2] = -3;
    expected[3] = 0xffff * 3;
    expect(out).toEqual(expected);
    expect(scaled.profile.end).toBeGreaterThanOrEqual(scaled.profile.start);
    queue.finish();
  });

  test('images and samplers are made, filled and read', () => {
    if (lacks(device, 'images', device.getInfo('IMAGE_SUPPORT'))) return;
    const runner = old(device, age);
    using ctx = new cl.Context([runner]);
    using queue = new cl.CommandQueue(ctx);
    const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNSIGNED_INT8);
    using image = new cl.Image(ctx, cl.MemFlags.READ_WRITE, format, [8, 4]);
    using out = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 8 * 16);
    using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP_TO_EDGE, cl.FilterMode.NEAREST);
    expect(sampler.addressingMode).toBe(cl.AddressingMode.CLAMP_TO_EDGE);
    using prg = new cl.Program(ctx, SOURCE).build('', { cache: false });
    cl.enqueueFill(queue, image, [1, 2, 3, 4]).close();
    // A simulator's own fill does not saturate.
    const over = /simulator/i.test(device.name) ? 255 : 300;
    cl.enqueueFill(queue, image, [250, over, 0, 9], { origin: [2, 1], region: [3, 2] }).close();
    prg.kernel('pick')(queue, 8, null, image, out).close();
    const pixels = new Uint32Array(32);
    cl.enqueueCopy(queue, pixels, out).wait();
    const [one, two] = [
      [1, 2, 3, 4],
      [250, 255, 0, 9],
    ];
    expect([...pixels]).toEqual([one, one, two, two, two, one, one, one].flat());
  });

  test('WebCL runs a kernel', () => {
    const { name, platform } = old(device, age);
    const runner = webcl
      .getPlatforms()
      .filter((one) => one.getInfo(webcl.PLATFORM_NAME) === platform.name)
      .flatMap((one) => one.getDevices(webcl.DEVICE_TYPE_ALL))
      .find((one) => one.getInfo(webcl.DEVICE_NAME) === name);
    if (!runner) throw new Error(`WebCL has no ${name}`);
    const ctx = webcl.createContext(runner);
    const queue = ctx.createCommandQueue(runner);
    const program = ctx.createProgram(SOURCE);
    program.build();
    const kernel = program.createKernel('scale');
    expect(kernel.getArgInfo(0)).toMatchObject({ name: 'a', typeName: 'int', addressQualifier: 'global' });
    const [a, b] = [ctx.createBuffer(webcl.MEM_READ_WRITE, 16), ctx.createBuffer(webcl.MEM_READ_WRITE, 16)];
    queue.enqueueWriteBuffer(a, true, 0, 16, Int32Array.of(1, 2, 3, 4));
    kernel.setArg(0, a);
    kernel.setArg(1, b);
    kernel.setArg(2, Int32Array.of(5));
    queue.enqueueNDRangeKernel(kernel, 1, null, [4]);
    queue.enqueueBarrier();
    const out = new Int32Array(4);
    queue.enqueueReadBuffer(b, true, 0, 16, out);
    expect([...out]).toEqual([5, 10, 15, 20]);
    ctx.releaseAll();
  });
});
