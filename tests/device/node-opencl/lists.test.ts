import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { webcl, type WebCLDevice } from '../../../src/webcl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { build, withBench } from '../../helpers/node-opencl.ts';
import { needs } from '../../helpers/require.ts';

type Call = (list: never) => unknown;

const V8 = /detached|revoked|Cannot |is not (?:a function|iterable)|undefined \(|Invalid array|Proxy/;

/** What looks like a list and has nothing that can be read. */
function oddLists(): readonly (readonly [name: string, list: never])[] {
  const detached = new Uint32Array([1, 1, 1]);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const { proxy, revoke } = Proxy.revocable([1, 1, 1], {});
  revoke();
  const far = new DataView(new ArrayBuffer(8));
  structuredClone(far.buffer, { transfer: [far.buffer] });
  return [
    ['a detached array', detached as never],
    ['a revoked proxy', proxy as never],
    ['a detached DataView', far as never],
  ];
}

/** Each call with each odd list: what was thrown by the runtime, and what was thrown by nobody. */
function wrong(calls: Readonly<Record<string, Call>>): string[] {
  return Object.entries(calls).flatMap(([name, call]) =>
    oddLists().flatMap(([kind, list]) => {
      try {
        call(list);
        return [`${name}: ${kind} passed`];
      } catch (error) {
        return V8.test(String(error)) ? [`${name}: ${kind}: ${String(error)}`] : [];
      }
    }),
  );
}

needs.opencl().describe.each(openclRows)('Lists that cannot be read on %s', (_, device) => {
  const bench = withBench(device);
  const bytes = new Uint8Array(4096);

  test('node-opencl refuses them in its own words', () => {
    const { context, queue, device: id } = bench;
    const format = { channel_order: cl.RGBA, channel_data_type: cl.UNSIGNED_INT8 };
    const description = { type: cl.MEM_OBJECT_IMAGE2D, width: 8, height: 8 };
    const image = cl.createImage(context, cl.MEM_READ_WRITE, format, description, null);
    const other = cl.createImage(context, cl.MEM_READ_WRITE, format, description, null);
    const buffer = cl.createBuffer(context, cl.MEM_READ_WRITE, 4096);
    const second = cl.createBuffer(context, cl.MEM_READ_WRITE, 4096);
    const kernel = build(bench, '__kernel void f(__global float *a, float4 v) { a[0] = v.x; }', 'f');
    const [o, r] = [
      [0, 0, 0],
      [1, 1, 1],
    ];
    const calls: Record<string, Call> = {
      'readImage origin': (list) => cl.enqueueReadImage(queue, image, true, list, r, 0, 0, bytes),
      'readImage region': (list) => cl.enqueueReadImage(queue, image, true, o, list, 0, 0, bytes),
      'writeImage origin': (list) => cl.enqueueWriteImage(queue, image, true, list, r, 0, 0, bytes),
      'writeImage region': (list) => cl.enqueueWriteImage(queue, image, true, o, list, 0, 0, bytes),
      'readBufferRect origin': (list) => cl.enqueueReadBufferRect(queue, buffer, true, list, o, r, 0, 0, 0, 0, bytes),
      'readBufferRect host': (list) => cl.enqueueReadBufferRect(queue, buffer, true, o, list, r, 0, 0, 0, 0, bytes),
      'writeBufferRect region': (list) => cl.enqueueWriteBufferRect(queue, buffer, true, o, o, list, 0, 0, 0, 0, bytes),
      'copyBufferRect region': (list) => cl.enqueueCopyBufferRect(queue, buffer, second, o, o, list, 0, 0, 0, 0),
      'copyImage origin': (list) => cl.enqueueCopyImage(queue, image, other, list, o, r),
      'copyImageToBuffer region': (list) => cl.enqueueCopyImageToBuffer(queue, image, buffer, o, list, 0),
      'copyBufferToImage region': (list) => cl.enqueueCopyBufferToImage(queue, buffer, image, 0, o, list),
      'fillImage origin': (list) => cl.enqueueFillImage(queue, image, bytes, list, r),
      'mapImage region': (list) => cl.enqueueMapImage(queue, image, true, cl.MAP_READ, o, list),
      'launch offset': (list) => cl.enqueueNDRangeKernel(queue, kernel, 1, list, [1], null),
      'launch global': (list) => cl.enqueueNDRangeKernel(queue, kernel, 1, null, list, null),
      'launch local': (list) => cl.enqueueNDRangeKernel(queue, kernel, 1, null, [1], list),
      'wait list': (list) => cl.enqueueReadBuffer(queue, buffer, true, 0, 4, bytes, list),
      waitForEvents: (list) => cl.waitForEvents(list),
      migrate: (list) => cl.enqueueMigrateMemObjects(queue, list, 0),
      'context devices': (list) => cl.createContext([cl.CONTEXT_PLATFORM, bench.platform], list),
      'context properties': (list) => cl.createContext(list, [id]),
      'a vector': (list) => cl.setKernelArg(kernel, 1, 'float4', list),
      'a pattern': (list) => cl.enqueueFillBuffer(queue, buffer, list, 0, 16),
      'bytes of a transfer': (list) => cl.enqueueWriteBuffer(queue, buffer, true, 0, 4, list),
    };
    expect(wrong(calls)).toEqual([]);
    cl.releaseKernel(kernel);
    for (const memory of [image, other, buffer, second]) cl.releaseMemObject(memory);
  });

  test('WebCL refuses them by its exceptions', () => {
    const platform = webcl.getPlatforms().find((one) => one.getInfo(webcl.PLATFORM_NAME) === device.platform.name);
    const own = platform?.getDevices().find((one) => one.getInfo(webcl.DEVICE_NAME) === device.name) as WebCLDevice;
    const context = webcl.createContext(own);
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 64);
    const image = context.createImage(webcl.MEM_READ_WRITE, { width: 8, height: 8 });
    const program = context.createProgram('__kernel void f(__global int *a) { a[0] = 1; }');
    const unbuilt = context.createProgram('__kernel void f(__global int *a) { a[0] = 1; }');
    program.build();
    const kernel = program.createKernel('f');
    kernel.setArg(0, buffer);
    const calls: Record<string, Call> = {
      'launch offset': (list) => queue.enqueueNDRangeKernel(kernel, 1, list, [1]),
      'launch global': (list) => queue.enqueueNDRangeKernel(kernel, 1, null, list),
      'launch local': (list) => queue.enqueueNDRangeKernel(kernel, 1, null, [1], list),
      'readImage origin': (list) => queue.enqueueReadImage(image, true, list, [1, 1], 0, bytes),
      'readImage region': (list) => queue.enqueueReadImage(image, true, [0, 0], list, 0, bytes),
      'readBufferRect region': (list) =>
        queue.enqueueReadBufferRect(buffer, true, [0, 0, 0], [0, 0, 0], list, 0, 0, 0, 0, bytes),
      'wait list': (list) => queue.enqueueReadBuffer(buffer, true, 0, 4, bytes, list),
      waitForEvents: (list) => webcl.waitForEvents(list),
      'build devices': (list) => unbuilt.build(list),
      'context devices': (list) => webcl.createContext(list),
      'bytes of a transfer': (list) => queue.enqueueWriteBuffer(buffer, true, 0, 4, list),
      'an argument': (list) => kernel.setArg(0, list),
    };
    expect(wrong(calls)).toEqual([]);
    webcl.releaseAll();
  });
});
