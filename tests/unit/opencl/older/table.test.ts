import { afterEach, describe, expect, test } from '@jest/globals';
import * as ported from '../../../../src/node-opencl/index.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { sinceOf, whoHas } from '../../../../src/opencl/older/since.ts';
import { withOlderForms } from '../../../../src/opencl/older/table.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { entriesOf } from '../../../../src/ffi/prototype.ts';
import { functions } from '../../../../src/opencl/sys/opencl.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';
import { AGES, type Age } from '../../../helpers/old-opencl.ts';

afterEach(() => {
  ported.releaseAll();
  useOpenCL(undefined);
});

function use(age?: Age): FakeOpenCL {
  const fake = fakeOpenCL(age);
  useOpenCL(fake.table);
  return fake;
}

/** The calls of the driver that an action makes. */
function callsOf(fake: FakeOpenCL, act: () => unknown): string[] {
  const before = fake.calls.length;
  act();
  return fake.calls.slice(before).filter((name) => !/^cl(?:Get|Release)/.test(name));
}

/** Why node-opencl calls an operation invalid. */
function causeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect((error as Error).message).toBe(ported.INVALID_OPERATION.message);
    return String((error as Error).cause);
  }
  throw new Error('Nothing was thrown');
}

describe.each(AGES)('With %s', (_, age) => {
  test('queues, samplers and the compiler are older forms', () => {
    const fake = use(age);
    using ctx = cl.createSomeContext();
    expect(callsOf(fake, () => new cl.CommandQueue(ctx, { profiling: true }).close())).toEqual([
      'clCreateCommandQueue',
    ]);
    const sampler = (): void => new cl.Sampler(ctx, true, cl.AddressingMode.REPEAT, cl.FilterMode.LINEAR).close();
    expect(callsOf(fake, sampler)).toEqual(['clCreateSampler']);
    const unload = callsOf(fake, () => cl.getPlatforms()[0]?.unloadCompiler());
    expect(unload).toEqual([age.version === '1.2' ? 'clUnloadPlatformCompiler' : 'clUnloadCompiler']);
  });

  test('properties of queues beyond 1.x are refused, with the version', () => {
    const fake = use(age);
    const [platform] = ported.getPlatformIDs() as [ported.CLPlatformId];
    const [device] = ported.getDeviceIDs(platform) as [ported.CLDeviceId];
    const context = ported.createContext([ported.CONTEXT_PLATFORM, platform], [device]);
    const make = (list: readonly number[]): unknown => ported.createCommandQueueWithProperties(context, device, list);
    make([ported.QUEUE_PROPERTIES, ported.QUEUE_PROFILING_ENABLE]);
    expect(fake.calls.at(-1)).toBe('clCreateCommandQueue');
    for (const list of [
      [0x1094, 4096],
      [ported.QUEUE_PROPERTIES, 4 | 1],
    ]) {
      const cause = causeOf(() => make(list));
      expect(cause).toContain('clCreateCommandQueueWithProperties is not in the OpenCL');
      expect(cause).toContain('OpenCL 2.0 and newer have it');
    }
  });
});

describe.each(AGES.filter(([, { version }]) => version !== '1.2'))('With %s', (_, age) => {
  test('markers, barriers, fills and moves are older forms, and leave nothing behind', () => {
    const fake = use(age);
    using ctx = cl.createSomeContext();
    using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 1 << 18);
    const after = (act: () => cl.Event): string[] => callsOf(fake, () => act().close());
    using first = cl.enqueueMarker(queue);
    expect(after(() => cl.enqueueMarker(queue))).toEqual(['clEnqueueMarker']);
    fake.eventStatus = 3;
    expect(after(() => cl.enqueueMarker(queue, { waitFor: [first] }))).toEqual([
      'clCreateBuffer',
      'clEnqueueCopyBuffer',
    ]);
    expect(after(() => cl.enqueueBarrier(queue))).toEqual(['clEnqueueBarrier', 'clEnqueueMarker']);
    expect(after(() => cl.enqueueBarrier(queue, { waitFor: [first] }))).toEqual([
      'clCreateBuffer',
      'clEnqueueCopyBuffer',
      'clEnqueueBarrier',
    ]);
    expect(after(() => cl.enqueueMigrate(queue, [a]))).toEqual(['clEnqueueMarker']);
    // A block of the host, then the filled part twice.
    const copies = after(() => cl.enqueueFill(queue, a, cl.int32(7)));
    expect(copies).toEqual(['clCreateBuffer', ...new Array<string>(3).fill('clEnqueueCopyBuffer')]);
    fake.fail.set('clEnqueueCopyBuffer', [-36]);
    expect(() => cl.enqueueFill(queue, a, cl.int32(7))).toThrow(cl.OpenCLError);
    fake.eventStatus = 0;
    queue.finish();
    expect(fake.live.get('buffer')).toBe(1);
  });

  test('images of two and three dimensions are older forms; others are refused', () => {
    const fake = use(age);
    const [platform] = ported.getPlatformIDs() as [ported.CLPlatformId];
    const context = ported.createContext([ported.CONTEXT_PLATFORM, platform], ported.getDeviceIDs(platform));
    const format = { channel_order: ported.RGBA, channel_data_type: ported.UNSIGNED_INT8 };
    const make = (type: number): unknown =>
      ported.createImage(context, 0, format, { type, width: 4, height: 4, depth: 4 }, null);
    expect(callsOf(fake, () => make(ported.MEM_OBJECT_IMAGE2D))).toEqual(['clCreateImage2D']);
    expect(callsOf(fake, () => make(ported.MEM_OBJECT_IMAGE3D))).toEqual(['clCreateImage3D']);
    expect(() => make(ported.MEM_OBJECT_IMAGE1D)).toThrow(ported.INVALID_OPERATION.message);
  });

  test('a function without an older form names the version that has it', () => {
    use(age);
    const [platform] = ported.getPlatformIDs() as [ported.CLPlatformId];
    const context = ported.createContext([ported.CONTEXT_PLATFORM, platform], ported.getDeviceIDs(platform));
    const program = ported.createProgramWithSource(context, 'kernel void f() {}');
    expect(causeOf(() => ported.compileProgram(program))).toContain('OpenCL 1.2 and newer have it');
  });
});

test('where nothing is old, the functions are the own ones', () => {
  const { table } = fakeOpenCL();
  const whole = withOlderForms(table);
  for (const [name] of entriesOf(functions)) {
    expect(whole[name as keyof typeof whole]).toBe(table[name as keyof typeof table]);
  }
});

test('beside a newer platform, each object goes by its own', () => {
  const fake = fakeOpenCL();
  fake.platforms = [
    { name: 'Old', version: 'OpenCL 1.1 Old', devices: [['Old CPU', 2]] },
    { name: 'New', version: 'OpenCL 3.0 New', devices: [['New CPU', 2]] },
  ];
  const whole = withOlderForms(fake.table);
  expect(whole.clSetKernelArg).toBe(fake.table.clSetKernelArg);
  expect(whole.clEnqueueNDRangeKernel).toBe(fake.table.clEnqueueNDRangeKernel);
  useOpenCL(whole);
  const forms = cl.getPlatforms().map((platform) => {
    using ctx = new cl.Context(platform.getDevices());
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    return callsOf(fake, () => {
      cl.enqueueMarker(queue).close();
      cl.enqueueFill(queue, a, cl.int32(1)).close();
      new cl.CommandQueue(ctx).close();
    });
  });
  expect(forms).toEqual([
    ['clEnqueueMarker', 'clCreateBuffer', 'clEnqueueCopyBuffer', 'clCreateCommandQueue'],
    ['clEnqueueMarkerWithWaitList', 'clEnqueueFillBuffer', 'clCreateCommandQueueWithProperties'],
  ]);
  const [old] = cl.getPlatforms() as [cl.Platform];
  using ctx = new cl.Context(old.getDevices());
  expect(() => whole.clSVMAlloc(ctx.handle, 0, 8, 0)).toThrow(
    'clSVMAlloc is not in the OpenCL platform OpenCL 1.1 Old (Old); OpenCL 2.0 and newer have it',
  );
});

test('all functions newer than 1.0 have a version', () => {
  expect(sinceOf('clEnqueueNDRangeKernel')).toBe(100);
  expect(whoHas('clEnqueueNDRangeKernel')).toBeUndefined();
  expect(whoHas('clCreateUserEvent')).toBe('OpenCL 1.1 and newer have it');
  expect(whoHas('clCreateBufferWithProperties')).toBe('OpenCL 3.0 and newer have it');
});
