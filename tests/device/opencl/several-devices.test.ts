import { expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { needs } from '../../helpers/require.ts';

// The embedded platform counts several in this file.
process.env['RAWKERNEL_CPU_DEVICES'] = '3';
process.env['RAWKERNEL_DEVICE'] = 'cpu';

const N = 1000;
const SOURCE = '__kernel void add(__global int *x, int by) { x[get_global_id(0)] += by; }';

needs.clang().describe('several devices of the embedded platform', () => {
  test('are of one platform, and the default one is the first', () => {
    const [platform] = cl.getPlatforms();
    const devices = platform?.getDevices() ?? [];
    expect(new Set(devices.map(({ raw }) => raw)).size).toBe(3);
    expect(platform?.getDevices(cl.DeviceType.DEFAULT).map(({ raw }) => raw)).toEqual([devices[0]?.raw]);
  });

  test('share the memory of a context, and each has queues', () => {
    const devices = cl.getPlatforms()[0]?.getDevices() ?? [];
    using context = new cl.Context(devices);
    expect(context.devices).toHaveLength(3);
    using program = new cl.Program(context, SOURCE).build();
    using kernel = program.kernel('add');
    using buffer = new cl.Buffer(context, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, new Int32Array(N));
    const queues = devices.map((device) => new cl.CommandQueue(context, { device }));
    for (const [i, queue] of queues.entries()) {
      kernel(queue, [N], null, buffer, i + 1);
      queue.finish();
    }
    const result = new Int32Array(N);
    cl.enqueueCopy(queues[2] as cl.CommandQueue, result, buffer);
    queues[2]?.finish();
    expect(new Set(result)).toEqual(new Set([6]));
    for (const queue of queues) queue.close();
  });
});
