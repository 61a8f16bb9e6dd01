import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { CommandBufferCapability, DeviceInfo, QueueProperties } from '../../../../src/opencl/sys/enums.ts';
import { fakeExtensions, type FakeExtensions } from '../../../helpers/fake-extensions.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

const EXTENSION = 'cl_khr_command_buffer';
const { SIMULTANEOUS_USE } = CommandBufferCapability;

let fake: FakeOpenCL;
let extensions: FakeExtensions;

afterEach(() => {
  sweepFlights();
  useOpenCL(undefined);
});

/** A device with the extension in a version, and queues that want these properties. */
function use(version: string, capabilities: number = SIMULTANEOUS_USE, wanted = 0): void {
  extensions = fakeExtensions(fake, { [EXTENSION]: version });
  const { COMMAND_BUFFER_CAPABILITIES_KHR, COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR } = DeviceInfo;
  extensions.numbers.set(COMMAND_BUFFER_CAPABILITIES_KHR[0], word(capabilities));
  extensions.numbers.set(COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR[0], word(wanted));
  useOpenCL(extensions.table);
}

function word(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}

beforeEach(() => {
  fake = fakeOpenCL();
  // Without OpenCL 2.1 kernels are recorded as they are.
  fake.platforms = [{ name: 'Fake', version: 'OpenCL 2.0 Fake', devices: [['Fake CPU', 2]] }];
});

describe('CommandBuffer', () => {
  /** Record one of each. */
  function record(): string[] {
    using ctx = cl.createSomeContext();
    using queue = new cl.CommandQueue(ctx);
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    using b = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    using prg = new cl.Program(ctx, 'x').build('', { cache: false });
    using f = prg.kernel('f');
    using commands = new cl.CommandBuffer(queue);
    const first = commands.fill(a, cl.int32(1), { offset: 8, byteLength: 16 });
    commands.copy(b, a, { srcOffset: 4, dstOffset: 8, byteLength: 12, waitFor: [first] });
    commands.barrier();
    commands.kernel(f, [8, 4], null, a, 7);
    commands.finalize().enqueue();
    return extensions.calls.map(([name]) => name);
  }

  test('calls the functions as its version has them', () => {
    const names = [
      'clCreateCommandBufferKHR',
      'clCommandFillBufferKHR',
      'clCommandCopyBufferKHR',
      'clCommandBarrierWithWaitListKHR',
      'clCommandNDRangeKernelKHR',
      'clFinalizeCommandBufferKHR',
      'clEnqueueCommandBufferKHR',
    ];
    const revised = new Set([1, 2, 3]);
    for (const version of ['0.9.0', '0.9.4']) {
      use(version);
      expect(record()).toEqual(names);
    }
    const [, fill, copy, barrier] = extensions.calls.map(([, args]) => args.slice(1));
    const pattern = new Uint8Array([1, 0, 0, 0]);
    expect(fill?.slice(2, 8)).toEqual([pattern, 4, 8, 16, 0, 0n]);
    expect(copy?.slice(3, 8)).toEqual([4, 8, 12, 1, Uint32Array.of(0)]);
    expect(barrier?.slice(0, 3)).toEqual([0n, 0, 0n]);
    for (const version of ['0.9.5', '0.10.0', '1.0.0']) {
      use(version);
      expect(record()).toEqual(names.map((name, i) => (revised.has(i) ? `${name}_v095` : name)));
    }
    expect(extensions.calls[1]?.[1].slice(1, 3)).toEqual([0n, 0n]);
  });

  test('is not made where the version is unknown or the extension is missing', () => {
    use('');
    expect(record).toThrow('Fake CPU does not report its version of cl_khr_command_buffer');
    extensions = fakeExtensions(fake, { cl_khr_fp64: '1.0.0' });
    useOpenCL(extensions.table);
    expect(record).toThrow('CommandBuffer needs cl_khr_command_buffer, which Fake CPU does not have');
    expect(extensions.calls).toEqual([]);
  });

  test('wants the queue that the device wants', () => {
    use('0.9.0', SIMULTANEOUS_USE, QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE);
    expect(record).toThrow('the queue must have outOfOrder');
  });

  test('is made for simultaneous use where the device has that', () => {
    use('0.9.0');
    record();
    expect(extensions.calls[0]?.[1][2]).toEqual(BigUint64Array.of(0x1293n, 1n, 0n));
    use('0.9.0', 0);
    record();
    expect(extensions.calls[0]?.[1][2]).toBe(0n);
    using ctx = cl.createSomeContext();
    using queue = new cl.CommandQueue(ctx);
    expect(() => new cl.CommandBuffer(queue, { overlap: true })).toThrow('overlap needs simultaneous use');
  });

  test('orders replays: by the queue, by an event, or by waiting on the host', () => {
    const waits = (options: { capabilities?: number; overlap?: boolean; outOfOrder?: boolean; close?: boolean }) => {
      const { capabilities = SIMULTANEOUS_USE, overlap = false, outOfOrder = false, close = false } = options;
      use('0.9.0', capabilities);
      fake.eventStatus = 1;
      using ctx = cl.createSomeContext();
      using queue = new cl.CommandQueue(ctx, { outOfOrder });
      using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
      using commands = new cl.CommandBuffer(queue, { overlap });
      commands.fill(a, 0);
      const event = commands.finalize().enqueue();
      if (close) event.close();
      commands.enqueue();
      fake.eventStatus = 0;
      const last = extensions.calls.filter(([name]) => name === 'clEnqueueCommandBufferKHR').at(-1);
      return [last?.[1][3], fake.calls.includes('clWaitForEvents')];
    };
    expect(waits({})).toEqual([0, false]);
    expect(waits({ outOfOrder: true })).toEqual([1, false]);
    expect(waits({ outOfOrder: true, overlap: true })).toEqual([0, false]);
    expect(waits({ outOfOrder: true, close: true })).toEqual([0, true]);
    fake = fakeOpenCL();
    expect(waits({ capabilities: 0 })).toEqual([0, true]);
  });

  test('leaves nothing behind, and waits for its last replay', () => {
    use('0.9.0');
    const ctx = cl.createSomeContext();
    const queue = new cl.CommandQueue(ctx);
    const a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
    const commands = new cl.CommandBuffer(queue);
    commands.fill(a, 0);
    fake.eventStatus = 1;
    commands.finalize().enqueue();
    for (const resource of [commands, a, queue, ctx]) resource.close();
    const released = (): boolean => extensions.calls.some(([name]) => name === 'clReleaseCommandBufferKHR');
    expect([released(), fake.live.get('buffer'), fake.live.get('queue'), fake.live.get('context')]).toEqual([
      false,
      1,
      1,
      1,
    ]);
    fake.eventStatus = 0;
    sweepFlights();
    expect([released(), fake.live.get('buffer'), fake.live.get('queue'), fake.live.get('context')]).toEqual([
      true,
      0,
      0,
      0,
    ]);
  });
});
