import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let one: cl.CommandQueue;
  let two: cl.CommandQueue;

  beforeAll(() => {
    ctx = new cl.Context(device);
    one = new cl.CommandQueue(ctx);
    two = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    for (const resource of [one, two, ctx]) resource.close();
  });

  const withSemaphores = (name: string, run: () => void | Promise<void>): void => {
    test(name, async () => {
      if (!lacks(device, 'cl_khr_semaphore', cl.Semaphore.isPossible(ctx))) return run();
      expect(() => new cl.Semaphore(ctx)).toThrow('Semaphore needs cl_khr_semaphore');
    });
  };

  withSemaphores('A semaphore orders the commands of two queues, again and again', () => {
    using ready = new cl.Semaphore(ctx);
    using free = new cl.Semaphore(ctx);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
    using b = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
    expect([ready.getInfo('TYPE'), ready.referenceCount]).toEqual([1, 1]);
    const host = new Int32Array(1024);
    for (let i = 1; i <= 10; i++) {
      if (i > 1) free.enqueueWait(one);
      cl.enqueueFill(one, a, cl.int32(i));
      ready.enqueueSignal(one);
      ready.enqueueWait(two);
      cl.enqueueCopy(two, b, a);
      free.enqueueSignal(two);
    }
    cl.enqueueCopy(two, host, b);
    expect(host.every((value) => value === 10)).toBe(true);
  });

  withSemaphores('The payload tells whether it is signaled, and a wait sets it back', () => {
    using semaphore = new cl.Semaphore(ctx);
    expect(semaphore.getInfo('PAYLOAD')).toBe(0);
    semaphore.enqueueSignal(one).wait();
    if (lacks(device, 'payload but 0', !/nvidia/i.test(device.platform.name))) return;
    expect(semaphore.getInfo('PAYLOAD')).toBe(1);
    semaphore.enqueueWait(two).wait();
    expect(semaphore.getInfo('PAYLOAD')).toBe(0);
  });

  withSemaphores(
    "Nothing of a semaphore comes after a user event that is not set: NVIDIA's driver would wait for it",
    async () => {
      if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
      const semaphore = new cl.Semaphore(ctx);
      using go = new cl.UserEvent(ctx);
      expect(() => semaphore.enqueueSignal(one, { waitFor: [go] })).toThrow('would never return');
      cl.enqueueMarker(one, { waitFor: [go] });
      expect(() => semaphore.enqueueSignal(one)).toThrow('would never return');
      semaphore.enqueueSignal(two);
      expect(() => semaphore.enqueueWait(one)).toThrow('would never return');
      go.setStatus(0);
      const event = semaphore.enqueueWait(one);
      semaphore.close();
      await event.done();
    },
  );

  withSemaphores('What would hang, and what makes no sense, is refused', () => {
    using semaphore = new cl.Semaphore(ctx);
    expect(() => semaphore.enqueueWait(one)).toThrow('would never end');
    semaphore.enqueueSignal(one);
    expect(() => semaphore.enqueueSignal(two)).toThrow('a signal is already enqueued');
    semaphore.enqueueWait(two);
    expect(() => semaphore.enqueueWait(two)).toThrow('would never end');
    expect(() => semaphore.exportHandle('OPAQUE_FD')).toThrow("exportable: ['OPAQUE_FD']");
    using elsewhere = new cl.Context(device);
    using far = new cl.CommandQueue(elsewhere);
    expect(() => semaphore.enqueueSignal(far)).toThrow('another context');
    expect(() => semaphore.enqueueSignal(ctx as never)).toThrow('takes a CommandQueue');
    expect(() => new cl.Semaphore(ctx, { exportable: ['FD' as never] })).toThrow('OPAQUE_FD, SYNC_FD');
    expect(() => new cl.Semaphore(ctx, { imported: 3 as never })).toThrow('a name and a file descriptor');
    expect(() => new cl.Semaphore(ctx, { timeline: true } as never)).toThrow("no option 'timeline'");
    semaphore.close();
    expect(() => semaphore.enqueueSignal(one)).toThrow(cl.ClosedError);
  });

  withSemaphores('Where semaphores can be exported, another one takes it over', () => {
    const types = device.hasExtension('cl_khr_external_semaphore')
      ? device.getInfo('SEMAPHORE_EXPORT_HANDLE_TYPES_KHR')
      : [];
    if (lacks(device, 'semaphores to export', types.includes(cl.SemaphoreHandle.OPAQUE_FD))) {
      expect(() => new cl.Semaphore(ctx, { exportable: ['OPAQUE_FD'] })).toThrow(/cl_khr_external_semaphore/);
      return;
    }
    using from = new cl.Semaphore(ctx, { exportable: ['OPAQUE_FD'] });
    const descriptor = from.exportHandle('OPAQUE_FD');
    expect(descriptor).toBeGreaterThan(2);
    using to = new cl.Semaphore(ctx, { imported: ['OPAQUE_FD', descriptor] });
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    cl.enqueueFill(one, a, cl.int32(3));
    from.enqueueSignal(one);
    one.flush();
    to.enqueueWait(two);
    const host = new Int32Array(16);
    cl.enqueueCopy(two, host, a);
    expect(host[15]).toBe(3);
  });

  test('Memory of others wants an extension', () => {
    if (!lacks(device, 'cl_khr_external_memory', device.hasExtension('cl_khr_external_memory'))) return;
    const make = (): cl.Buffer => cl.Buffer.fromExternal(ctx, { opaqueFd: 9, byteLength: 64 });
    expect(make).toThrow(/fromExternal needs (OpenCL 3\.0|cl_khr_external_memory)/);
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    for (const call of [cl.enqueueAcquireExternal, cl.enqueueReleaseExternal]) {
      expect(() => call(one, [a])).toThrow('needs cl_khr_external_memory');
    }
  });
});
