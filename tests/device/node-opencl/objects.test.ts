import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { withBench } from '../../helpers/node-opencl.ts';
import { openclDevices, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

needs.opencl().describe.each(openclRows)('node-opencl: objects on %s', (_, device) => {
  const bench = withBench(device);
  const count = (buffer: cl.CLMem): unknown => cl.getMemObjectInfo(buffer, cl.MEM_REFERENCE_COUNT);

  test('have no properties, and tell what they are', () => {
    // But for what keeps it from being cloned.
    expect(Object.keys(bench.context)).toEqual(['uncloneable']);
    expect(String(bench.context)).toMatch(/^\[object CLContext@0x[\da-f]+\]$/);
    expect(String(bench.device)).toMatch(/^\[object CLDeviceId@0x[\da-f]+\]$/);
  });

  test('a query answers with a new wrapper, which owns a reference', () => {
    const before = cl.getContextInfo(bench.context, cl.CONTEXT_REFERENCE_COUNT) as number;
    const other = cl.getCommandQueueInfo(bench.queue, cl.QUEUE_CONTEXT) as cl.CLContext;
    expect(other).not.toBe(bench.context);
    expect(other.equals(bench.context)).toBe(true);
    expect(other.equals(bench.queue)).toBe(false);
    expect(cl.getContextInfo(bench.context, cl.CONTEXT_REFERENCE_COUNT)).toBe(before + 1);
    cl.releaseContext(other);
    expect(cl.getContextInfo(bench.context, cl.CONTEXT_REFERENCE_COUNT)).toBe(before);
  });

  test('a platform without a device of a type gives its default device, or throws in the strict forms', async () => {
    const warnings = expectWarnings('RAWKERNEL_DEVICE_TYPE');
    const properties = [cl.CONTEXT_PLATFORM, bench.platform];
    const missing = [cl.DEVICE_TYPE_GPU, cl.DEVICE_TYPE_ACCELERATOR].find((type) => {
      return openclDevices.every(
        ([, { platform, type: own }]) => platform.name !== device.platform.name || (own & type) === 0,
      );
    });
    if (missing === undefined) return;
    const context = cl.createContextFromType(properties, missing, null, null);
    expect(cl.getContextInfo(context, cl.CONTEXT_DEVICES)).toHaveLength(1);
    cl.releaseContext(context);
    await setImmediate();
    expect(String(warnings[0])).toMatch(`no device of type ${missing}`);
    const { createContextFromType } = cl.withOptions({ strict: '2.0' });
    expect(() => createContextFromType(properties, missing, null, null)).toThrow(cl.DEVICE_NOT_FOUND.message);
    expect(() => cl.createContextFromType([cl.CONTEXT_PLATFORM], 1, null, null)).toThrow(cl.INVALID_PROPERTY.message);
  });

  test('retain and release count, and a release too many does nothing', () => {
    const buffer = cl.createBuffer(bench.context, 0, 64);
    expect(count(buffer)).toBe(1);
    expect(cl.retainMemObject(buffer)).toBe(cl.SUCCESS);
    expect(count(buffer)).toBe(2);
    expect(cl.releaseMemObject(buffer)).toBe(cl.SUCCESS);
    expect(count(buffer)).toBe(1);
    expect(cl.releaseMemObject(buffer)).toBe(cl.SUCCESS);
    expect(cl.releaseMemObject(buffer)).toBe(cl.SUCCESS);
  });

  test('a released object is refused by its kind', () => {
    const buffer = cl.createBuffer(bench.context, 0, 64);
    cl.releaseMemObject(buffer);
    expect(() => cl.getMemObjectInfo(buffer, cl.MEM_SIZE)).toThrow(cl.INVALID_MEM_OBJECT.message);
    expect(() => cl.retainMemObject(buffer)).toThrow(cl.INVALID_MEM_OBJECT.message);
    expect(() => cl.enqueueReadBuffer(bench.queue, buffer, true, 0, 4, new Uint8Array(4))).toThrow(
      cl.INVALID_MEM_OBJECT.message,
    );
  });

  test('a NULL that a query answers with is an object, and good for nothing', () => {
    const buffer = cl.createBuffer(bench.context, 0, 64);
    const none = cl.getMemObjectInfo(buffer, cl.MEM_ASSOCIATED_MEMOBJECT) as cl.CLMem;
    expect(String(none)).toBe('[object CLMem@0x0]');
    expect(() => cl.getMemObjectInfo(none, cl.MEM_SIZE)).toThrow(cl.INVALID_MEM_OBJECT.message);
    expect(() => cl.releaseMemObject(none)).toThrow(cl.INVALID_MEM_OBJECT.message);
    cl.releaseMemObject(buffer);
  });

  test.each<[keyof typeof cl, string]>([
    ['getPlatformInfo', cl.INVALID_PLATFORM.message],
    ['getDeviceInfo', cl.INVALID_DEVICE.message],
    ['getContextInfo', cl.INVALID_CONTEXT.message],
    ['getCommandQueueInfo', cl.INVALID_COMMAND_QUEUE.message],
    ['getMemObjectInfo', cl.INVALID_MEM_OBJECT.message],
    ['getImageInfo', cl.INVALID_MEM_OBJECT.message],
    ['getPipeInfo', cl.INVALID_MEM_OBJECT.message],
    ['getSamplerInfo', cl.INVALID_SAMPLER.message],
    ['getProgramInfo', cl.INVALID_PROGRAM.message],
    ['getKernelInfo', cl.INVALID_KERNEL.message],
    ['getEventInfo', cl.INVALID_EVENT.message],
    ['getEventProfilingInfo', cl.INVALID_EVENT.message],
    ['retainContext', cl.INVALID_CONTEXT.message],
    ['releaseSampler', cl.INVALID_SAMPLER.message],
    ['flush', cl.INVALID_COMMAND_QUEUE.message],
    ['finish', cl.INVALID_COMMAND_QUEUE.message],
    ['createUserEvent', cl.INVALID_CONTEXT.message],
    ['createKernelsInProgram', cl.INVALID_PROGRAM.message],
  ])('%s refuses what is something else', (name, message) => {
    const call = cl[name] as (...args: unknown[]) => unknown;
    const strange: unknown[] = [
      null,
      undefined,
      1,
      'text',
      [],
      {},
      Object.create(Object.getPrototypeOf(bench.context) as object) as unknown,
    ];
    const other = name === 'getContextInfo' || name === 'retainContext' || name === 'createUserEvent';
    for (const value of [...strange, other ? bench.queue : bench.context]) {
      expect(() => call(value, 0)).toThrow(message);
    }
  });

  test('are made by functions only', () => {
    const { constructor } = bench.context;
    expect(() => Reflect.construct(constructor, [5n]) as unknown).toThrow(
      new TypeError('CLContext is not made with new; call createContext()'),
    );
  });

  test('only parts of a device are counted', () => {
    expect(() => cl.retainDevice(bench.device)).toThrow(cl.INVALID_DEVICE.message);
    expect(() => cl.releaseDevice(bench.device)).toThrow(cl.INVALID_DEVICE.message);
  });

  test('parts of a device are counted', () => {
    if ((cl.getDeviceInfo(bench.device, cl.DEVICE_PARTITION_MAX_SUB_DEVICES) as number) < 2) return;
    const [part, other] = cl.createSubDevices(bench.device, [cl.DEVICE_PARTITION_EQUALLY, 1]);
    if (!part || !other) throw new Error('two parts are wanted');
    expect(cl.getDeviceInfo(part, cl.DEVICE_REFERENCE_COUNT)).toBe(1);
    expect(cl.retainDevice(part)).toBe(cl.SUCCESS);
    expect(cl.getDeviceInfo(part, cl.DEVICE_REFERENCE_COUNT)).toBe(2);
    const parent = cl.getDeviceInfo(part, cl.DEVICE_PARENT_DEVICE) as cl.CLDeviceId;
    expect(parent.equals(bench.device)).toBe(true);
    for (let i = 0; i < 3; i++) expect(cl.releaseDevice(part)).toBe(cl.SUCCESS);
  });
});
