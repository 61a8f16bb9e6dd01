import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { some } from '../../helpers/full.ts';
import { openclChoices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SETUP = `
  import * as cl from '@/src/opencl/index.ts';
  const ctx = cl.createSomeContext({ interactive: false });
  const queue = new cl.CommandQueue(ctx);
  const memory = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 1 << 20);
  // A new text each time, so that no cache of the driver makes the launch short.
  const source = '__kernel void ones(__global float *a) { a[get_global_id(0)] = ' + Math.random() + '; }';
  const prg = new cl.Program(ctx, source).build();
  // Left open, not dropped.
  globalThis.kept = [ctx, queue, memory, prg];`;
const LAUNCH = 'prg.kernels.ones(queue, [100], null, memory);';

const endings = {
  'with a launch in flight': LAUNCH,
  'with a launch in flight on objects that are closed': `${LAUNCH}
    for (const object of [prg, memory, queue, ctx]) object.close();`,
  'with the event of a launch closed': 'prg.kernels.ones(queue, [100], null, memory).close();',
  'by process.exit() with a copy in flight': `${LAUNCH}
    cl.enqueueCopy(queue, new Uint8Array(1 << 20), memory, { blocking: false });
    process.exit(0);`,
  'with a command that nothing will start': `
    const never = new cl.UserEvent(ctx);
    prg.kernels.ones(queue, [100], null, memory, { waitFor: [never] });
    cl.enqueueCopy(queue, new Uint8Array(64), memory, { blocking: false });
    process.exit(0);`,
  'with a build in flight': `cl.Program.compile(ctx, source + '/* again */'); process.exit(0);`,
};

needs.opencl().describe.each(openclChoices)('the process ends well: %s', (_, env) => {
  test.each(some(Object.entries(endings), 3))(
    '%s',
    async (_, ending) => {
      const runs = await Promise.all(some([1, 2], 2).map(() => runChild(`${SETUP}\n${ending}`, env, [])));
      for (const { code, signal, stderr } of runs)
        expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    },
    60_000,
  );
});
