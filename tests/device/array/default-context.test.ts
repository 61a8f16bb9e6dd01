import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { openclChoices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SETUP = `
  import * as xp from '@/src/opencl/array/index.ts';
  import { add } from '@/src/array/public.ts';
  import { liveObjects } from '@/src/core/handle.ts';
  const x = xp.array(new Float32Array(1000).fill(1));
  const y = add(x, 1);
  add(x, y); // nobody closes it
  console.log(xp.full(3, 2).context === x.context, y.get()[999]);`;

needs.opencl().describe.each(openclChoices)('the context that arrays share: %s', (_, env) => {
  test.each([
    ['with arrays that are open', ''],
    ['with work in flight', 'for (let i = 0; i < 50; i++) add(x, i, { out: y });'],
    ['by process.exit()', 'add(x, 1, { out: y }); process.exit(0);'],
  ])('the process ends well %s', async (_, ending) => {
    const run = await runChild(`${SETUP}\n${ending}`, env, []);
    expect(run).toMatchObject({ code: 0, signal: null, stderr: '', stdout: 'true 2\n' });
  });

  test('its context, queue and kernels are closed at the end', async () => {
    const ending = `x.close(); y.close();
      process.on('exit', () => { console.log(Object.keys(liveObjects()).filter((kind) => kind !== 'NDArray').sort().join()); });`;
    const { stdout, stderr } = await runChild(
      `${SETUP.replaceAll(/add\(x, y\).*|xp\.full\(3, 2\)\.context/g, 'x.context')}\n${ending}`,
      env,
      [],
    );
    expect([stdout, stderr]).toEqual(['true 2\n\n', '']);
  });
});
