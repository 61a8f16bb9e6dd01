import { expect } from '@jest/globals';
import { runChild } from '../../../helpers/child.ts';
import { needs } from '../../../helpers/require.ts';

// Devices print to the process's own output, so that a process of its own does.

const program = (half: 'cuda' | 'opencl'): string => `
import { array } from '@/src/array/create.ts';
${
  half === 'cuda'
    ? `import { Context } from '@/src/cuda/device/context.ts';
import { Device } from '@/src/cuda/device/device.ts';
import { currentEngine } from '@/src/cuda/array/engine.ts';
const context = new Context(new Device(0));
const engine = currentEngine();
const options = {};`
    : `import * as cl from '@/src/opencl/index.ts';
import { engineOfContext } from '@/src/opencl/array/engine.ts';
const context = new cl.Context([cl.getPlatforms()[0]!.getDevices()[0]!]);
const engine = engineOfContext(context);
const options = { queue: new cl.CommandQueue(context) };`
}
import { jit } from '@/src/${half}/jit/index.ts';
const kernel = jit((f: any, d: any, i: any, u: any, l: any, w: any, b: any, h: any) => {
  console.log('100% of "x"\\\\n \\t|', 'ä %d %s %%', \`\${i[0]}%\${u[0]}\`);
  for (let k = 0; k < f.length; k++) console.log(f[k], 'f', d[k]);
  for (let k = 0; k < i.length; k++) console.log(\`\${i[k]} \${u[k]}|\${l[k]}|\${w[k]} \${b[k]}\`, i[k] > 0, !(i[k] > 0));
  for (let k = 0; k < 4; k++) console.log('half', h[k], h[k] * 3, -h[k]);
  console.log();
  console.log('', 7, 0.5, true);
});
const floats = [0, -0, 1, -1.5, 0.1, 1e-5, 0.0001, 123456, 1234567, 999999.5, 9999995, 100000.5, 100001.5, 1000005, 1000015, 2.5e-7, 3.4e38, 1e-45, NaN, Infinity, -Infinity, 16777216, 1e21, 0.000123456789];
const args = (): any[] => [
  new Float32Array(floats), new Float64Array(floats.map((x) => x === 3.4e38 ? 1.7e308 : x)), new Int32Array([0, -1, 2147483647, -2147483648]),
  new Uint32Array([0, 1, 4294967295, 5]), new BigInt64Array([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]),
  new BigUint64Array([0n, 1n, 2n ** 64n - 1n, 2n ** 53n + 1n]), new Uint8Array([0, 255, 7, 100]), array(engine, [0.5, 65504, 6e-8, -2], { dtype: 'f16' }),
];
if (process.env.WAY === 'simulate') (kernel as any).simulate(1, 1)(...args());
else (kernel as any).at(1, 1, options)(...args());
context.synchronize?.();
process.exitCode = 0;
`;

const halves = [
  ['cuda', needs.cuda()],
  ['opencl', needs.opencl()],
] as const;

for (const [half, need] of halves) {
  need.test(`${half}: the simulator prints what the device prints`, async () => {
    const [device, simulator] = await Promise.all(
      ['at', 'simulate'].map((WAY) => runChild(program(half), { WAY, RAWKERNEL_DEVICE: 'cpu' })),
    );
    expect(device?.stdout).toContain('100% of "x"');
    expect(simulator?.stdout.split('\n')).toEqual(device?.stdout.split('\n'));
  });
}
