import { describe, expect, test } from '@jest/globals';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import * as cl from '../../../../src/opencl/index.ts';
import {
  ContextInfo,
  DeviceInfo,
  DeviceType,
  PlatformInfo,
  QueueInfo,
  QueueProperties,
} from '../../../../src/opencl/sys/enums.ts';
import { entriesOf } from '../../../../src/ffi/prototype.ts';
import { functions } from '../../../../src/opencl/sys/opencl.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';

const embedded = withCpuOpenCL();
const { table } = embedded;
const NONE = 0n as never;
const SUB_DEVICE = { EQUALLY: 0x1086n, BY_COUNTS: 0x1087n, BY_AFFINITY: 0x1088n };

test('has every function of the header', () => {
  const names = [...entriesOf(functions)].map(([name]) => name);
  expect(Object.keys(table).sort()).toEqual(names.sort());
});

describe('platform and device', () => {
  test('answer every query of the header but those of other vendors', () => {
    const { platform } = embedded.device;
    const foreign = /_NV$|_AMD$|UUID|LUID|NODE_MASK|PCI_BUS|ICD_SUFFIX|_HANDLE_TYPES_KHR$/;
    const unanswered = [
      ...Object.entries(PlatformInfo).map(([name, row]) => [name, row, platform] as const),
      ...Object.entries(DeviceInfo).map(([name, row]) => [name, row, embedded.device] as const),
    ].flatMap(([name, [number, kind], object]) => {
      try {
        object.getInfo(number, kind);
        return [];
      } catch {
        return [name];
      }
    });
    expect(unanswered.filter((name) => !foreign.test(name))).toEqual([]);
    expect(unanswered.length).toBeGreaterThan(5);
  });

  test('answer queries', () => {
    const { device } = embedded;
    expect(device.platform.name).toBe('rawkernel CPU');
    expect(device.platform.version).toMatch(/^OpenCL 3\.0 /);
    expect(device.name).toMatch(/^rawkernel CPU \(.+\)$/);
    expect([device.type, device.maxComputeUnits, device.addressBits]).toEqual([DeviceType.CPU, 2, 64]);
    expect(device.hasExtension('cl_khr_fp64')).toBe(true);
    expect(device.openclCAllVersions.map(({ version }) => version)).toEqual([
      '1.0.0',
      '1.1.0',
      '1.2.0',
      '2.0.0',
      '3.0.0',
    ]);
    expect(device.openclCFeatures).toEqual([{ name: '__opencl_c_fp64', version: '3.0.0' }]);
    // cl_ext_float_atomics: load and store, add, min and max, on global and on local memory.
    expect([0x4231, 0x4232, 0x4233].map((query) => device.getInfo(query, 'ulong'))).toEqual([0x7_0007, 0x7_0007, 0]);
    expect(device.maxMemAllocSize).toBeLessThanOrEqual(device.globalMemSize);
    expect(device.platform.getDevices(DeviceType.GPU)).toEqual([]);
    expect(device.platform.getDevices(DeviceType.DEFAULT)).toEqual([device]);
  });

  test('queries say how much room they want, and refuse less', () => {
    const { raw: device } = embedded.device;
    const size = new BigUint64Array(1);
    const room = new Uint8Array(100);
    const [name] = DeviceInfo.MAX_WORK_ITEM_SIZES;
    expect(table.clGetDeviceInfo(device, name, 0, 0n, size)).toBe(Code.SUCCESS);
    expect(size[0]).toBe(24n);
    expect(table.clGetDeviceInfo(device, name, 23, room, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clGetDeviceInfo(device, name, 24, room.subarray(0, 23), 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clGetDeviceInfo(device, name, 100, room, size)).toBe(Code.SUCCESS);
    expect(table.clGetDeviceInfo(device, 0x7fff, 100, room, size)).toBe(Code.INVALID_VALUE);
    expect(table.clGetDeviceInfo(1n as never, name, 100, room, size)).toBe(Code.INVALID_DEVICE);
    expect(table.clGetPlatformInfo(1n as never, name, 100, room, size)).toBe(Code.INVALID_PLATFORM);
  });

  test('lists check their arguments', () => {
    const [ids, count] = [new BigUint64Array(2), new Uint32Array(1)];
    const platform = embedded.device.platform.raw;
    expect(table.clGetPlatformIDs(0, ids, count)).toBe(Code.INVALID_VALUE);
    expect(table.clGetPlatformIDs(0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clGetPlatformIDs(2, ids, count)).toBe(Code.SUCCESS);
    expect([...ids, ...count]).toEqual([platform, 0n, 1]);
    expect(table.clGetDeviceIDs(platform, 0, 0, 0n, count)).toBe(Code.INVALID_DEVICE_TYPE);
    expect(table.clGetDeviceIDs(platform, 0x4000, 0, 0n, count)).toBe(Code.INVALID_DEVICE_TYPE);
    expect(table.clGetDeviceIDs(platform, DeviceType.GPU, 0, 0n, count)).toBe(Code.DEVICE_NOT_FOUND);
    expect(table.clGetDeviceIDs(5n as never, DeviceType.ALL, 0, 0n, count)).toBe(Code.INVALID_PLATFORM);
    expect(table.clGetDeviceIDs(platform, DeviceType.ALL, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
  });

  test('timers advance', () => {
    const [device, host] = [new BigUint64Array(1), new BigUint64Array(1)];
    expect(table.clGetDeviceAndHostTimer(embedded.device.raw, device, host)).toBe(Code.SUCCESS);
    expect(device[0]).toBe(host[0]);
    const before = host[0] ?? 0n;
    expect(table.clGetHostTimer(embedded.device.raw, host)).toBe(Code.SUCCESS);
    expect(host[0]).toBeGreaterThan(before);
    expect(table.clGetHostTimer(embedded.device.raw, 0n)).toBe(Code.INVALID_VALUE);
  });
});

describe('sub-devices', () => {
  const divide = (...properties: bigint[]): { status: number; parts: bigint[] } => {
    const [parts, count] = [new BigUint64Array(8), new Uint32Array(1)];
    const list = BigInt64Array.from(properties);
    const status = table.clCreateSubDevices(embedded.device.raw, list, 8, parts, count);
    return { status, parts: [...parts].slice(0, count[0]) };
  };
  const ask = (device: bigint, [number]: readonly [number, string], bytes = 8): bigint[] => {
    const value = new BigUint64Array(bytes / 8);
    const size = new BigUint64Array(1);
    expect(table.clGetDeviceInfo(device as never, number, bytes, value, size)).toBe(Code.SUCCESS);
    return [...value].slice(0, Math.ceil(Number(size[0]) / 8));
  };

  test('are parts of equal size', () => {
    const { status, parts } = divide(SUB_DEVICE.EQUALLY, 1n, 0n);
    expect([status, parts.length]).toEqual([Code.SUCCESS, 2]);
    const [part = 0n] = parts;
    expect(ask(part, DeviceInfo.MAX_COMPUTE_UNITS)).toEqual([1n]);
    expect(ask(part, DeviceInfo.PARENT_DEVICE)).toEqual([embedded.device.raw]);
    expect(ask(part, DeviceInfo.PARTITION_TYPE, 64)).toEqual([SUB_DEVICE.EQUALLY, 1n, 0n]);
    for (const one of parts) expect(table.clReleaseDevice(one as never)).toBe(Code.SUCCESS);
    expect(table.clReleaseDevice(part as never)).toBe(Code.INVALID_DEVICE);
  });

  test('are parts of given sizes, whose sum fits', () => {
    const { status, parts } = divide(SUB_DEVICE.BY_COUNTS, 2n, 0n, 0n);
    expect([status, parts.length]).toEqual([Code.SUCCESS, 1]);
    expect(ask(parts[0] ?? 0n, DeviceInfo.MAX_COMPUTE_UNITS)).toEqual([2n]);
    expect(ask(parts[0] ?? 0n, DeviceInfo.PARTITION_TYPE, 64)).toEqual([SUB_DEVICE.BY_COUNTS, 2n, 0n, 0n]);
    table.clReleaseDevice(parts[0] as never);
    expect(divide(SUB_DEVICE.BY_COUNTS, 2n, 1n, 0n, 0n).status).toBe(Code.INVALID_DEVICE_PARTITION_COUNT);
    expect(divide(SUB_DEVICE.EQUALLY, 3n, 0n).status).toBe(Code.DEVICE_PARTITION_FAILED);
    expect(divide(SUB_DEVICE.BY_AFFINITY, 1n, 0n).status).toBe(Code.INVALID_VALUE);
  });

  test('run kernels in a context of their own', () => {
    const { parts } = divide(SUB_DEVICE.EQUALLY, 1n, 0n);
    const [part = 0n] = parts;
    const context = make((errcode) => table.clCreateContext(0n, 2, BigUint64Array.from(parts), NONE, 0n, errcode));
    expect(context.status).toBe(Code.SUCCESS);
    for (const one of parts) table.clReleaseDevice(one as never);
    // The context keeps it.
    expect(ask(part, DeviceInfo.REFERENCE_COUNT)).toEqual([1n]);
    const queue = make((errcode) => table.clCreateCommandQueue(context.handle, part as never, 0, errcode));
    expect(queue.status).toBe(Code.SUCCESS);
    const foreign = make((errcode) => table.clCreateCommandQueue(context.handle, embedded.device.raw, 0, errcode));
    expect(foreign.status).toBe(Code.INVALID_DEVICE);
    expect(table.clReleaseCommandQueue(queue.handle)).toBe(Code.SUCCESS);
    expect(table.clReleaseContext(context.handle)).toBe(Code.SUCCESS);
    expect(table.clReleaseContext(context.handle)).toBe(Code.INVALID_CONTEXT);
    expect(table.clRetainDevice(part as never)).toBe(Code.INVALID_DEVICE);
  });
});

describe('contexts and queues', () => {
  test('are counted, and gone after the last release', () => {
    const { ctx, device } = embedded;
    const before = ctx.referenceCount;
    const { handle } = make((errcode) => table.clCreateCommandQueue(raw(ctx), device.raw, 0, errcode));
    expect(ctx.referenceCount).toBe(before + 1);
    table.clRetainCommandQueue(handle);
    const count = new Uint32Array(1);
    table.clGetCommandQueueInfo(handle, QueueInfo.REFERENCE_COUNT[0], 4, count, 0n);
    expect(count[0]).toBe(2);
    table.clReleaseCommandQueue(handle);
    expect(table.clFinish(handle)).toBe(Code.SUCCESS);
    table.clReleaseCommandQueue(handle);
    expect(table.clFinish(handle)).toBe(Code.INVALID_COMMAND_QUEUE);
    expect(ctx.referenceCount).toBe(before);
  });

  test('answer queries of their properties', () => {
    const { ctx, device } = embedded;
    expect(ctx.getInfo('DEVICES')).toEqual([device.raw]);
    expect(ctx.getInfo('NUM_DEVICES')).toBe(1);
    expect(ctx.getInfo('PROPERTIES')).toEqual([0x1084n, device.platform.raw, 0n]);
    const bits = QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueProperties.PROFILING_ENABLE;
    using queue = new cl.CommandQueue(ctx, { profiling: true, outOfOrder: true });
    expect(queue.getInfo('PROPERTIES')).toBe(bits);
    expect(queue.getInfo('PROPERTIES_ARRAY')).toEqual([BigInt(QueueInfo.PROPERTIES[0]), BigInt(bits), 0n]);
    expect(queue.getInfo('CONTEXT')).toBe(raw(ctx));
    expect(queue.getInfo('DEVICE_DEFAULT')).toBe(0n);
    expect(() => queue.getInfo('SIZE')).toThrow(/CL_INVALID_COMMAND_QUEUE/);
  });

  test('refuse properties that there are not', () => {
    const { ctx, device } = embedded;
    const context = (...properties: bigint[]): number =>
      make((errcode) =>
        table.clCreateContext(BigInt64Array.from(properties), 1, BigUint64Array.of(device.raw), NONE, 0n, errcode),
      ).status;
    expect(context(0x9999n, 1n, 0n)).toBe(Code.INVALID_PROPERTY);
    expect(context(0x1084n, 77n, 0n)).toBe(Code.INVALID_PLATFORM);
    expect(context(0x1084n, device.platform.raw, 0x1084n, device.platform.raw, 0n)).toBe(Code.INVALID_PROPERTY);
    const queue = (...properties: bigint[]): number =>
      make((errcode) =>
        table.clCreateCommandQueueWithProperties(raw(ctx), device.raw, BigUint64Array.from(properties), errcode),
      ).status;
    expect(queue(0x1093n, 1n << 10n, 0n)).toBe(Code.INVALID_VALUE);
    expect(queue(0x1093n, 4n | 1n, 0n)).toBe(Code.INVALID_QUEUE_PROPERTIES);
    expect(queue(0x4444n, 1n, 0n)).toBe(Code.INVALID_VALUE);
    const count = make((errcode) => table.clCreateContext(0n, 0, 0n, NONE, 0n, errcode));
    expect(count.status).toBe(Code.INVALID_VALUE);
    expect(count.handle).toBe(0n);
    const byType = make((errcode) => table.clCreateContextFromType(0n, DeviceType.GPU, NONE, 0n, errcode));
    expect(byType.status).toBe(Code.DEVICE_NOT_FOUND);
    expect(ContextInfo.DEVICES[0]).toBe(0x1081);
  });
});

test('answers unsupported functions with a status of OpenCL', () => {
  const { ctx, queue, device, prg } = embedded;
  const [context, command, program] = [raw(ctx), raw(queue), prg.raw('test')];
  const bytes = Uint8Array.of(1);
  const answers = {
    clCreatePipe: make((errcode) => table.clCreatePipe(context, 0, 4, 4, 0n, errcode)).status,
    clGetPipeInfo: table.clGetPipeInfo(1n as never, 0, 0, 0n, 0n),
    clCreateProgramWithIL: make((errcode) => table.clCreateProgramWithIL(context, bytes, 1, errcode)).status,
    clCreateProgramWithBuiltInKernels: make((errcode) =>
      table.clCreateProgramWithBuiltInKernels(context, 1, BigUint64Array.of(device.raw), 'k', errcode),
    ).status,
    clSetDefaultDeviceCommandQueue: table.clSetDefaultDeviceCommandQueue(context, device.raw, command),
    clEnqueueNativeKernel: table.clEnqueueNativeKernel(command, 1n as never, 0n, 0, 0, 0n, 0n, 0, 0n, 0n),
    clSetProgramReleaseCallback: table.clSetProgramReleaseCallback(program, 1n as never, 0n),
    clSetProgramSpecializationConstant: table.clSetProgramSpecializationConstant(program, 0, 1, bytes),
    clGetExtensionFunctionAddress: table.clGetExtensionFunctionAddress('clAnything'),
  };
  expect(answers).toEqual({
    clCreatePipe: Code.INVALID_OPERATION,
    clGetPipeInfo: Code.INVALID_MEM_OBJECT,
    clCreateProgramWithIL: Code.INVALID_OPERATION,
    clCreateProgramWithBuiltInKernels: Code.INVALID_VALUE,
    clSetDefaultDeviceCommandQueue: Code.INVALID_OPERATION,
    clEnqueueNativeKernel: Code.INVALID_OPERATION,
    clSetProgramReleaseCallback: Code.INVALID_OPERATION,
    clSetProgramSpecializationConstant: Code.INVALID_OPERATION,
    clGetExtensionFunctionAddress: 0n,
  });
});
