import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { DeviceInfo } from '../../../../src/opencl/sys/enums.ts';
import { fakeExtensions, type FakeExtensions } from '../../../helpers/fake-extensions.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

// No driver at hand shares anything: these are the calls that one which does would get.

const [OPAQUE_SEMAPHORE, SYNC] = [0x2055, 0x2058];
const OPAQUE_MEMORY = 0x2060;

let fake: FakeOpenCL;
let extensions: FakeExtensions;
let made: unknown[][];

beforeEach(() => {
  fake = fakeOpenCL();
  fake.platforms = [
    {
      name: 'Fake',
      version: 'OpenCL 3.0 Fake',
      devices: [
        ['One', 2],
        ['Two', 2],
      ],
    },
  ];
  extensions = fakeExtensions(fake, {
    cl_khr_semaphore: '1.0.0',
    cl_khr_external_semaphore: '1.0.0',
    cl_khr_external_memory: '1.0.0',
  });
  const types = (...list: number[]): Uint8Array => new Uint8Array(Uint32Array.from(list).buffer);
  extensions.numbers.set(DeviceInfo.SEMAPHORE_IMPORT_HANDLE_TYPES_KHR[0], types(OPAQUE_SEMAPHORE, SYNC));
  extensions.numbers.set(DeviceInfo.SEMAPHORE_EXPORT_HANDLE_TYPES_KHR[0], types(OPAQUE_SEMAPHORE));
  extensions.numbers.set(DeviceInfo.EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR[0], types(OPAQUE_MEMORY));
  made = [];
  useOpenCL({
    ...extensions.table,
    clCreateBufferWithProperties: (...args: unknown[]) => {
      made.push(args);
      (args.at(-1) as Int32Array)[0] = 0;
      return 0x77n as never;
    },
  });
});
afterEach(() => {
  sweepFlights();
  useOpenCL(undefined);
});

const argsOf = (name: string): readonly unknown[] => extensions.calls.find(([called]) => called === name)?.[1] ?? [];

describe('Semaphore', () => {
  test('is made with its properties', () => {
    using ctx = new cl.Context(cl.getPlatforms()[0]?.getDevices() ?? []);
    const lists = (): number[][] =>
      extensions.calls
        .filter(([name]) => name === 'clCreateSemaphoreWithPropertiesKHR')
        .map(([, args]) => Array.from(args[1] as BigUint64Array, Number));
    const device = ctx.devices[1] as cl.Device;
    new cl.Semaphore(ctx).close();
    new cl.Semaphore(ctx, { exportable: ['OPAQUE_FD'], device }).close();
    new cl.Semaphore(ctx, { imported: ['SYNC_FD', 12] }).close();
    expect(lists()).toEqual([
      [0x203d, 1, 0],
      [0x203d, 1, 0x2053, Number(device.raw), 0, 0x203f, OPAQUE_SEMAPHORE, 0, 0],
      [0x203d, 1, SYNC, 12, 0],
    ]);
    expect(() => new cl.Semaphore(ctx, { exportable: ['SYNC_FD'] })).toThrow('but not for SYNC_FD');
    for (const wrong of [-1, 1.5, 2 ** 40, '7']) {
      expect(() => new cl.Semaphore(ctx, { imported: ['OPAQUE_FD', wrong as number] })).toThrow(/file descriptor/);
    }
    expect(lists().length).toBe(3);
  });

  test('of version 0.9.0 names its device as memory does', () => {
    extensions = fakeExtensions(fake, { cl_khr_semaphore: '0.9.0' });
    useOpenCL(extensions.table);
    using ctx = new cl.Context(cl.getPlatforms()[0]?.getDevices() ?? []);
    const device = ctx.devices[1] as cl.Device;
    new cl.Semaphore(ctx, { device }).close();
    const list = argsOf('clCreateSemaphoreWithPropertiesKHR')[1] as BigUint64Array;
    expect(Array.from(list, Number)).toEqual([0x203d, 1, 0x2051, Number(device.raw), 0, 0]);
  });

  test('gives a descriptor away', () => {
    using ctx = cl.createSomeContext({ answers: ['0'] });
    using semaphore = new cl.Semaphore(ctx, { exportable: ['OPAQUE_FD'] });
    expect(semaphore.exportHandle('OPAQUE_FD')).toBe(0);
    expect(argsOf('clGetSemaphoreHandleForTypeKHR').slice(2, 4)).toEqual([OPAQUE_SEMAPHORE, 4]);
    expect(() => semaphore.exportHandle('SYNC_FD')).toThrow("exportable: ['SYNC_FD']");
    expect(() => semaphore.exportHandle('OPAQUE_FD', 1 as never)).toThrow('the device must be one');
  });

  test('that others can signal is waited for without a signal of ours', () => {
    using ctx = cl.createSomeContext({ answers: ['0'] });
    using queue = new cl.CommandQueue(ctx);
    using imported = new cl.Semaphore(ctx, { imported: ['OPAQUE_FD', 5] });
    imported.enqueueWait(queue);
    imported.enqueueSignal(queue);
    imported.enqueueSignal(queue);
    expect(argsOf('clEnqueueWaitSemaphoresKHR').slice(1, 6)).toEqual([
      1,
      BigUint64Array.of(imported.use('x')),
      0n,
      0,
      0n,
    ]);
  });

  test('is given back after the commands that use it', () => {
    using ctx = cl.createSomeContext({ answers: ['0'] });
    using queue = new cl.CommandQueue(ctx);
    const semaphore = new cl.Semaphore(ctx);
    fake.eventStatus = 1;
    semaphore.enqueueSignal(queue);
    semaphore.close();
    const released = (): boolean => extensions.calls.some(([name]) => name === 'clReleaseSemaphoreKHR');
    expect(released()).toBe(false);
    fake.eventStatus = 0;
    sweepFlights();
    expect(released()).toBe(true);
  });
});

describe('Buffer.fromExternal', () => {
  test('hands the descriptor to the driver', () => {
    using ctx = new cl.Context(cl.getPlatforms()[0]?.getDevices() ?? []);
    const device = ctx.devices[0] as cl.Device;
    using whole = cl.Buffer.fromExternal(ctx, { opaqueFd: 8, byteLength: 4096 });
    using part = cl.Buffer.fromExternal(ctx, { opaqueFd: 9, byteLength: 64, flags: cl.MemFlags.READ_ONLY, device });
    expect([whole.byteLength, whole.flags, part.flags]).toEqual([4096, cl.MemFlags.READ_WRITE, cl.MemFlags.READ_ONLY]);
    expect(made.map(([, list, flags, size]) => [Array.from(list as BigUint64Array, Number), flags, size])).toEqual([
      [[OPAQUE_MEMORY, 8, 0], cl.MemFlags.READ_WRITE, 4096],
      [[OPAQUE_MEMORY, 9, 0x2051, Number(device.raw), 0, 0], cl.MemFlags.READ_ONLY, 64],
    ]);
    using queue = new cl.CommandQueue(ctx);
    cl.enqueueAcquireExternal(queue, [whole, part]);
    cl.enqueueReleaseExternal(queue, [whole]);
    const objects = BigUint64Array.of(0x77n, 0x77n);
    expect(argsOf('clEnqueueAcquireExternalMemObjectsKHR').slice(1, 3)).toEqual([2, objects]);
    expect(argsOf('clEnqueueReleaseExternalMemObjectsKHR')[1]).toBe(1);
    expect(() => cl.enqueueAcquireExternal(queue, [])).toThrow('at least one Buffer');
    expect(() => cl.enqueueAcquireExternal(queue, [7 as never])).toThrow('object 0 must be a Buffer');
    const calls = extensions.calls.length;
    using own = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    for (const enqueue of [cl.enqueueAcquireExternal, cl.enqueueReleaseExternal]) {
      expect(() => enqueue(queue, [whole, own])).toThrow('object 1 must be made with Buffer.fromExternal');
    }
    expect(extensions.calls).toHaveLength(calls);
  });

  test('refuses wrong options', () => {
    using ctx = cl.createSomeContext({ answers: ['0'] });
    const make = (external: object) => () => cl.Buffer.fromExternal(ctx, external as cl.ExternalMemory);
    expect(make({ byteLength: 4 })).toThrow('one file descriptor');
    expect(make({ byteLength: 4, opaqueFd: 3, dmaBuf: 3 })).toThrow('one file descriptor');
    expect(make({ byteLength: 4, dmaBuf: 3 })).toThrow('but not for DMA_BUF');
    expect(make({ byteLength: 0, opaqueFd: 3 })).toThrow(RangeError);
    expect(make({ byteLength: 4, opaqueFd: -3 })).toThrow(RangeError);
    expect(make({ byteLength: 4, opaqueFd: 3, flags: cl.MemFlags.COPY_HOST_PTR })).toThrow('the memory exists already');
    expect(make({ byteLength: 4, opaqueFd: 3, size: 4 })).toThrow("no option 'size'");
    const foreign = cl.getPlatforms()[0]?.getDevices()[1];
    expect(make({ byteLength: 4, opaqueFd: 3, device: foreign })).toThrow("one of the context's");
    expect(made).toEqual([]);
  });
});
