import { beforeEach, describe, expect, test } from '@jest/globals';
import { cpuOpenCL } from '../../../src/cpu/opencl-table.ts';
import { EMBEDDED_PLATFORM, isEmbeddedHandle } from '../../../src/core/embedded-handle.ts';
import { callOnWorker } from '../../../src/ffi/bind.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { mergedTable } from '../../../src/opencl/merge.ts';
import type { OpenCLTable } from '../../../src/opencl/sys/tables.ts';
import { ContextProperty, status } from '../../../src/opencl/sys/enums.ts';
import { make } from '../../helpers/cpu-opencl.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../helpers/fake-opencl.ts';
import { fakeOpenCLCompiler } from '../../helpers/opencl-kernels.ts';

const ALL = 0xffff_ffff;
let installed: FakeOpenCL;
let made: number;
let table: OpenCLTable;

beforeEach(() => {
  installed = fakeOpenCL();
  made = 0;
  let embedded: OpenCLTable | undefined;
  table = mergedTable(installed.table, () => {
    if (!embedded) made++;
    return (embedded ??= cpuOpenCL({ compiler: fakeOpenCLCompiler(), workers: 1, memoryBytes: 64 << 20 }));
  });
});

function platforms(): bigint[] {
  const count = new Uint32Array(1);
  expect(table.clGetPlatformIDs(0, 0n, count)).toBe(0);
  const list = new BigUint64Array(count[0] ?? 0);
  expect(table.clGetPlatformIDs(list.length, list, 0n)).toBe(0);
  return [...list];
}

function deviceOf(platform: bigint): never {
  const list = new BigUint64Array(1);
  expect(table.clGetDeviceIDs(platform as never, ALL, 1, list, 0n)).toBe(0);
  return list[0] as never;
}

function contextOf(device: bigint): never {
  return make((errcode) => table.clCreateContext(0n, 1, BigUint64Array.of(device), 0n as never, 0n, errcode)).handle;
}

function queueOf(context: never, device: never): never {
  return make((errcode) => table.clCreateCommandQueueWithProperties(context, device, 0n, errcode)).handle;
}

describe('The merged table', () => {
  test('lists the embedded platform last, and makes it when it is asked for something', () => {
    const [first, last] = platforms();
    expect(isEmbeddedHandle(first ?? 0n)).toBe(false);
    expect(last).toBe(EMBEDDED_PLATFORM);
    deviceOf(first ?? 0n);
    expect(made).toBe(0);
    deviceOf(EMBEDDED_PLATFORM);
    deviceOf(EMBEDDED_PLATFORM);
    expect(made).toBe(1);
  });

  test('lists it alone where the loader has no platform', () => {
    installed.platforms = [];
    expect(platforms()).toEqual([EMBEDDED_PLATFORM]);
  });

  test('cuts the list to the room of the caller', () => {
    const list = new BigUint64Array(3).fill(7n);
    expect(table.clGetPlatformIDs(1, list, 0n)).toBe(0);
    expect([...list]).toEqual([expect.any(BigInt), 7n, 7n]);
    expect(list[0]).not.toBe(7n);
    expect(table.clGetPlatformIDs(0, list, 0n)).toBe(status.CL_INVALID_VALUE[0]);
    expect(table.clGetPlatformIDs(0, 0n, 0n)).toBe(status.CL_INVALID_VALUE[0]);
  });

  test("gives the loader's own functions until there is a context of the embedded device", () => {
    deviceOf(EMBEDDED_PLATFORM);
    expect(table.clSetKernelArg).toBe(installed.table.clSetKernelArg);
    const context = contextOf(deviceOf(EMBEDDED_PLATFORM));
    expect(table.clSetKernelArg).not.toBe(installed.table.clSetKernelArg);
    expect(isEmbeddedHandle(context)).toBe(true);
    table.clReleaseContext(context);
  });

  test('takes each call to whose object it is about', () => {
    const [platform = 0n] = platforms();
    for (const [where, ours] of [
      [platform, false],
      [EMBEDDED_PLATFORM, true],
    ] as const) {
      const device = deviceOf(where);
      const context = contextOf(device);
      const queue = queueOf(context, device);
      expect([device, context, queue].map(isEmbeddedHandle)).toEqual([ours, ours, ours]);
      installed.calls.length = 0;
      expect(table.clFinish(queue)).toBe(0);
      expect(installed.calls).toEqual(ours ? [] : ['clFinish']);
      table.clReleaseCommandQueue(queue);
      table.clReleaseContext(context);
    }
  });

  test('goes by the platform among the properties of a context', () => {
    const properties = BigUint64Array.of(BigInt(ContextProperty.PLATFORM), EMBEDDED_PLATFORM, 0n);
    const context = make((errcode) => table.clCreateContextFromType(properties, ALL, 0n as never, 0n, errcode))
      .handle as bigint;
    expect(isEmbeddedHandle(context)).toBe(true);
    table.clReleaseContext(context as never);
  });

  test('hands no object of the embedded platform to another one', () => {
    const [platform = 0n] = platforms();
    const [device, ownDevice] = [deviceOf(platform), deviceOf(EMBEDDED_PLATFORM)];
    const [context, ownContext] = [contextOf(device), contextOf(ownDevice)];
    const [queue, ownQueue] = [queueOf(context, device), queueOf(ownContext, ownDevice)];
    const slot = new BigUint64Array(1);
    expect(table.clEnqueueMarkerWithWaitList(ownQueue, 0, 0n, slot)).toBe(0);
    const [event = 0n] = slot;
    expect(isEmbeddedHandle(event)).toBe(true);
    installed.calls.length = 0;
    const list = BigUint64Array.of(0x1000n, event);
    expect(table.clEnqueueMarkerWithWaitList(queue, 2, list, 0n)).toBe(status.CL_INVALID_EVENT_WAIT_LIST[0]);
    expect(table.clEnqueueMarkerWithWaitList(queue, 2, addressOf(list), 0n)).toBe(status.CL_INVALID_EVENT_WAIT_LIST[0]);
    expect(table.clWaitForEvents(2, list)).toBe(status.CL_INVALID_CONTEXT[0]);
    expect(table.clWaitForEvents(1, slot)).toBe(0);
    const buffer = make((errcode) => table.clCreateBuffer(ownContext, 0, 64, 0n, errcode)).handle;
    expect(table.clEnqueueReadBuffer(queue, buffer, 1, 0, 4, new Uint8Array(4), 0, 0n, 0n)).toBe(
      status.CL_INVALID_MEM_OBJECT[0],
    );
    expect(make((errcode) => table.clCreateCommandQueueWithProperties(context, ownDevice, 0n, errcode))).toEqual({
      handle: 0n,
      status: status.CL_INVALID_DEVICE[0],
    });
    expect(installed.calls).toEqual([]);
    table.clReleaseEvent(event as never);
    table.clReleaseMemObject(buffer);
    for (const one of [queue, ownQueue]) table.clReleaseCommandQueue(one);
    for (const one of [context, ownContext]) table.clReleaseContext(one);
  });

  test('builds on the embedded platform without blocking', async () => {
    const device = deviceOf(EMBEDDED_PLATFORM);
    const context = contextOf(device);
    const text = new TextEncoder().encode('anything');
    const program = make((errcode) =>
      table.clCreateProgramWithSource(
        context, 1, BigUint64Array.of(addressOf(text)), BigUint64Array.of(BigInt(text.length)), errcode,
      ),
    ).handle; // prettier-ignore
    const built = callOnWorker(table.clBuildProgram, program, 0, 0n, '', 0n as never, 0n);
    await expect(built).resolves.toBe(0);
    table.clReleaseProgram(program);
    table.clReleaseContext(context);
  });
});
