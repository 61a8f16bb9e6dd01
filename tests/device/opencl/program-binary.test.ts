import { expect } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { choiceOf, openclDevices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

// PoCL asserts what it finds in a binary: a process of its own hands it damaged ones.
const CHILD = `
import { writeSync } from 'node:fs';
import * as cl from '@/src/opencl/index.ts';
import * as flat from '@/src/node-opencl/index.ts';

const device = cl.getPlatforms().find((one) => one.name === process.env['PLATFORM']).getDevices()[0];
const SOURCE =
  '__kernel void f(__global int *a, int n) { a[0] = n; }\\n__kernel void g(__global float *b, __local int *s) { b[0] = s[0]; }';
using context = new cl.Context(device);
using program = new cl.Program(context, SOURCE).build();
const whole = program.binaries[0];
const platform = flat.getPlatformIDs().find((one) => flat.getPlatformInfo(one, flat.PLATFORM_NAME) === process.env['PLATFORM']);
const devices = flat.getDeviceIDs(platform).slice(0, 1);
const other = flat.createContext(null, devices);

const answers = { sound: 0, refused: 0, odd: [] };
const take = (what, bytes) => {
  writeSync(2, what + '\\n');
  try {
    using again = cl.Program.fromBinaries(context, [bytes]).build();
    for (const name of again.kernelNames) again.kernel(name);
    answers.sound++;
  } catch (error) {
    answers.refused++;
    if (!(error instanceof cl.OpenCLError) && !(error instanceof RangeError)) answers.odd.push(what + ': ' + error);
  }
  try {
    const again = flat.createProgramWithBinary(other, devices, [bytes.length], [bytes]);
    flat.buildProgram(again);
    flat.releaseProgram(again);
  } catch (error) {
    if (error.constructor !== Error) answers.odd.push(what + ': ' + error);
  }
};
take('whole', whole);
const sound = answers.sound;
for (const length of [1, 4, 7, 8, 9, 20, 36, 60, 77, 84, 85, 88, 92, 99, 100, 104, 110]) take('cut to ' + length, whole.slice(0, length));
for (let i = 1; i <= 24; i++) take('cut by ' + i, whole.slice(0, -Math.round(i ** 3.3)));
const flipped = (at, bit) => {
  const bytes = whole.slice();
  bytes[at] ^= 1 << bit;
  take('bit ' + bit + ' of ' + at, bytes);
};
// What comes before the code, and what is about each kernel.
const marks = ['poclbin', '/program.bc', 'f/0-0-0', 'g/0-0-0'].map((text) => Buffer.from(whole).indexOf(text)).filter((at) => at >= 0);
if (marks.length > 0) {
  for (let i = 0; i < 110; i++) flipped(i, i % 8);
  for (const at of marks.slice(2)) for (let i = -150; i < 14; i++) flipped(at + i, (i + 200) % 8);
}
answers.whole = sound;
console.log(JSON.stringify(answers));
process.exit(0);
`;

const platforms = new Map(openclDevices.map(([, device]) => [device.platform.name, device]));

for (const [platform, device] of platforms) {
  needs.opencl().test(
    `${platform}: a binary that is cut off or damaged where its sizes are is refused before the driver`,
    async () => {
      const { stdout, stderr, signal } = await runChild(CHILD, { ...choiceOf(device), PLATFORM: platform });
      if (signal !== null || stdout === '') throw new Error(`${signal} at: ${stderr.split('\n').slice(-4).join(' ')}`);
      const answers = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      expect(answers).toMatchObject({ whole: 1, odd: [] });
      expect(answers['refused']).toBeGreaterThanOrEqual(38);
    },
    120_000,
  );
}
