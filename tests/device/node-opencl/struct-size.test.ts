import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { webcl, type WebCLDevice } from '../../../src/webcl/index.ts';
import { build, read, withBench } from '../../helpers/node-opencl.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
typedef struct { int a; float b; char rest[1000]; } large_t;
struct pair { int a; int b; };
__kernel void large(__global int *out, large_t value) { out[0] = value.a; }
__kernel void small(__global int *out, struct pair value) { out[0] = value.a + value.b; }`;
const PAIR = Int32Array.of(20, 22);

needs.opencl().describe.each(openclRows)('Structs by value: %s', (_, device) => {
  const bench = withBench(device);

  test('of node-opencl have the size of their parameter', () => {
    const out = cl.createBuffer(bench.context, cl.MEM_READ_WRITE, 4);
    const [large, small] = ['large', 'small'].map((name) => build(bench, SOURCE, name)) as [cl.CLKernel, cl.CLKernel];
    for (const [kernel, type] of [
      [large, 'large_t'],
      [small, 'struct pair'],
      [large, 'bytes'],
    ] as const) {
      expect(() => cl.setKernelArg(kernel, 1, type, new Uint8Array(4))).toThrow(/Invalid arg(?:ument)? size/i);
    }
    cl.setKernelArg(large, 1, 'large_t', new Uint8Array(1008));
    cl.setKernelArg(small, 0, 'int*', out);
    cl.setKernelArg(small, 1, 'struct pair', PAIR);
    cl.enqueueNDRangeKernel(bench.queue, small, 1, null, [1], null);
    expect(new Int32Array(read(bench, out, 4).buffer)[0]).toBe(42);
    cl.releaseMemObject(out);
    for (const kernel of [large, small]) cl.releaseKernel(kernel);
  });

  test('of WebCL, too', () => {
    const platform = webcl.getPlatforms().find((one) => one.getInfo(webcl.PLATFORM_NAME) === device.platform.name);
    const own = platform?.getDevices().find((one) => one.getInfo(webcl.DEVICE_NAME) === device.name) as WebCLDevice;
    const context = webcl.createContext(own);
    const program = context.createProgram(SOURCE);
    program.build();
    const small = program.createKernel('small');
    expect(() => small.setArg(1, new Uint8Array(4))).toThrow(expect.objectContaining({ name: 'INVALID_ARG_SIZE' }));
    small.setArg(1, PAIR);
    context.releaseAll();
  });
});
