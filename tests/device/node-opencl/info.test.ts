import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { build, withBench } from '../../helpers/node-opencl.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = '__kernel void twice(__global float *a, uint n) { if (get_global_id(0) < n) a[get_global_id(0)] *= 2; }';
const PAIR = [expect.any(Number), expect.any(Number)];

needs.opencl().describe.each(openclRows)('node-opencl: queries on %s', (_, device) => {
  const bench = withBench(device);

  test('a platform: texts without a NUL', () => {
    expect(cl.getPlatformInfo(bench.platform, cl.PLATFORM_NAME)).toBe(device.platform.name);
    expect(cl.getPlatformInfo(bench.platform, cl.PLATFORM_VERSION)).toMatch(/^OpenCL \d\.\d/);
  });

  test('a device: 64-bit sizes are pairs of their high and low halves', () => {
    const [high, low] = cl.getDeviceInfo(bench.device, cl.DEVICE_GLOBAL_MEM_SIZE) as cl.Pair;
    expect(high * 2 ** 32 + low).toBe(device.getInfo('GLOBAL_MEM_SIZE'));
    const names = [
      'GLOBAL_MEM_CACHE_SIZE',
      'LOCAL_MEM_SIZE',
      'MAX_CONSTANT_BUFFER_SIZE',
      'MAX_MEM_ALLOC_SIZE',
    ] as const;
    for (const name of names) expect(cl.getDeviceInfo(bench.device, cl[`DEVICE_${name}`])).toEqual(PAIR);
  });

  test('a device: numbers, booleans, lists, objects, and what node-opencl left out', () => {
    const ask = (name: number): unknown => cl.getDeviceInfo(bench.device, name);
    expect(ask(cl.DEVICE_NAME)).toBe(device.name);
    expect(ask(cl.DEVICE_EXTENSIONS)).toEqual(expect.any(String));
    if (/portable/i.test(device.platform.name)) expect(ask(cl.DEVICE_SPIR_VERSIONS)).toEqual(expect.any(String));
    expect(ask(cl.DEVICE_MAX_COMPUTE_UNITS)).toBe(device.getInfo('MAX_COMPUTE_UNITS'));
    expect(ask(cl.DEVICE_AVAILABLE)).toBe(true);
    expect(ask(cl.DEVICE_MAX_WORK_ITEM_SIZES)).toEqual([...device.getInfo('MAX_WORK_ITEM_SIZES')]);
    expect((ask(cl.DEVICE_PLATFORM) as cl.CLPlatformId).equals(bench.platform)).toBe(true);
    expect(String(ask(cl.DEVICE_PARENT_DEVICE))).toBe('[object CLDeviceId@0x0]');
    expect(ask(cl.DEVICE_BUILT_IN_KERNELS)).toEqual(expect.any(String));
    expect(ask(cl.DEVICE_PRINTF_BUFFER_SIZE)).toEqual(expect.any(Number));
  });

  test.each([-123.56, 123456, 'a text', undefined])('no property has the number %p', (name) => {
    expect(() => cl.getDeviceInfo(bench.device, name as number)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.getContextInfo(bench.context, name as number)).toThrow(cl.INVALID_VALUE.message);
  });

  test('a context and its queue', () => {
    expect(cl.getContextInfo(bench.context, cl.CONTEXT_NUM_DEVICES)).toBe(1);
    const [only] = cl.getContextInfo(bench.context, cl.CONTEXT_DEVICES) as cl.CLDeviceId[];
    expect(only?.equals(bench.device)).toBe(true);
    expect(cl.getContextInfo(bench.context, cl.CONTEXT_PROPERTIES)).toContain(cl.CONTEXT_PLATFORM);
    expect((cl.getCommandQueueInfo(bench.queue, cl.QUEUE_DEVICE) as cl.CLDeviceId).equals(bench.device)).toBe(true);
    expect(cl.getCommandQueueInfo(bench.queue, cl.QUEUE_PROPERTIES)).toBe(0);
    expect(cl.getCommandQueueInfo(bench.queue, cl.QUEUE_REFERENCE_COUNT)).toEqual(expect.any(Number));
  });

  test('a context of a type has the devices of that type', () => {
    const properties = [cl.CONTEXT_PLATFORM, bench.platform];
    const context = cl.createContextFromType(properties, cl.DEVICE_TYPE_ALL, null, null);
    expect((cl.getContextInfo(context, cl.CONTEXT_DEVICES) as unknown[]).length).toBeGreaterThan(0);
    cl.releaseContext(context);
  });

  test('a context needs devices, and properties in pairs', () => {
    expect(() => cl.createContext([], null)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.createContext([cl.CONTEXT_PLATFORM], [bench.device])).toThrow(cl.INVALID_PROPERTY.message);
    expect(() => cl.createContext([cl.CONTEXT_PLATFORM, 5], [bench.device])).toThrow(cl.INVALID_PLATFORM.message);
    expect(() => cl.createContext(5 as never, [bench.device])).toThrow(new TypeError('Argument 0 must be an array'));
    const context = cl.createContext(
      null,
      [bench.device],
      () => 0,
      () => 0,
    );
    cl.releaseContext(context);
  });

  test('a kernel, its parameters and its group sizes', () => {
    const kernel = build(bench, SOURCE, 'twice', '-cl-kernel-arg-info');
    expect(cl.getKernelInfo(kernel, cl.KERNEL_FUNCTION_NAME)).toBe('twice');
    expect(cl.getKernelInfo(kernel, cl.KERNEL_NUM_ARGS)).toBe(2);
    expect((cl.getKernelInfo(kernel, cl.KERNEL_CONTEXT) as cl.CLContext).equals(bench.context)).toBe(true);
    expect(String(cl.getKernelInfo(kernel, cl.KERNEL_PROGRAM))).toMatch('CLProgram');
    expect(cl.getKernelArgInfo(kernel, 0, cl.KERNEL_ARG_NAME)).toBe('a');
    expect(cl.getKernelArgInfo(kernel, 0, cl.KERNEL_ARG_TYPE_NAME)).toBe('float*');
    expect(cl.getKernelArgInfo(kernel, 0, cl.KERNEL_ARG_ADDRESS_QUALIFIER)).toBe(cl.KERNEL_ARG_ADDRESS_GLOBAL);
    expect(cl.getKernelArgInfo(kernel, 1, cl.KERNEL_ARG_TYPE_QUALIFIER)).toBe(cl.KERNEL_ARG_TYPE_NONE);
    const group = (name: number): unknown => cl.getKernelWorkGroupInfo(kernel, bench.device, name);
    expect(group(cl.KERNEL_WORK_GROUP_SIZE)).toEqual(expect.any(Number));
    expect(group(cl.KERNEL_COMPILE_WORK_GROUP_SIZE)).toEqual([0, 0, 0]);
    expect(group(cl.KERNEL_LOCAL_MEM_SIZE)).toEqual(PAIR);
    expect(group(cl.KERNEL_PRIVATE_MEM_SIZE)).toEqual(PAIR);
    expect(() => group(cl.KERNEL_GLOBAL_WORK_SIZE)).toThrow(cl.INVALID_VALUE.message);
    cl.releaseKernel(kernel);
  });

  test('a queue with properties takes names and numbers in turn', () => {
    const make = (list: unknown): cl.CLCommandQueue =>
      cl.createCommandQueueWithProperties(bench.context, bench.device, list as number[]);
    const queue = make([cl.QUEUE_PROPERTIES, cl.QUEUE_PROFILING_ENABLE]);
    expect(cl.getCommandQueueInfo(queue, cl.QUEUE_PROPERTIES)).toBe(cl.QUEUE_PROFILING_ENABLE);
    cl.releaseCommandQueue(queue);
    for (const none of [[], null]) cl.releaseCommandQueue(make(none));
    for (const bad of [['text'], [cl.QUEUE_PROPERTIES], [{}, {}]]) {
      expect(() => make(bad)).toThrow(cl.INVALID_VALUE.message);
    }
    expect(() => cl.createCommandQueue(bench.context, 'x' as never, 0)).toThrow(cl.INVALID_DEVICE.message);
  });

  test('samplers of both kinds', () => {
    if (cl.getDeviceInfo(bench.device, cl.DEVICE_IMAGE_SUPPORT) !== true) return;
    const old = cl.createSampler(bench.context, cl.TRUE, cl.ADDRESS_CLAMP, cl.FILTER_LINEAR);
    const list = [cl.SAMPLER_NORMALIZED_COORDS, true, cl.SAMPLER_ADDRESSING_MODE, cl.ADDRESS_CLAMP];
    const made = cl.createSamplerWithProperties(bench.context, [...list, cl.SAMPLER_FILTER_MODE, cl.FILTER_LINEAR]);
    for (const sampler of [old, made]) {
      expect(cl.getSamplerInfo(sampler, cl.SAMPLER_NORMALIZED_COORDS)).toBe(true);
      expect(cl.getSamplerInfo(sampler, cl.SAMPLER_ADDRESSING_MODE)).toBe(cl.ADDRESS_CLAMP);
      expect(cl.getSamplerInfo(sampler, cl.SAMPLER_FILTER_MODE)).toBe(cl.FILTER_LINEAR);
      expect((cl.getSamplerInfo(sampler, cl.SAMPLER_CONTEXT) as cl.CLContext).equals(bench.context)).toBe(true);
      expect(cl.getSamplerInfo(sampler, cl.SAMPLER_REFERENCE_COUNT)).toBe(1);
      cl.retainSampler(sampler);
      expect(cl.getSamplerInfo(sampler, cl.SAMPLER_REFERENCE_COUNT)).toBe(2);
      cl.releaseSampler(sampler);
      cl.releaseSampler(sampler);
    }
    const bad = (properties: unknown[]): unknown =>
      cl.createSamplerWithProperties(bench.context, properties as number[]);
    expect(() => bad([cl.SAMPLER_FILTER_MODE, 'text'])).toThrow(cl.INVALID_VALUE.message);
    expect(() => bad([5, 5])).toThrow(cl.INVALID_VALUE.message);
  });
});
