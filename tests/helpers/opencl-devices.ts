import { describe, expect } from '@jest/globals';
import { getPlatforms } from '../../src/opencl/device/platforms.ts';
import type { Device } from '../../src/opencl/device/device.ts';
import { isEmbedded } from '../../src/opencl/selection.ts';
import { isFull } from './full.ts';
import { leaveOut } from './left-out.ts';

/** The run's own RAWKERNEL_DEVICE. The set-up has settled by the variable what CUDA runs on. */
const choice = process.env['RAWKERNEL_TEST_OPENCL'] ?? process.env['RAWKERNEL_DEVICE'] ?? '';

/** Every OpenCL device here with a name; `GPU_TEST=opencl:pocl` keeps those whose platform matches. */
export const openclDevices: readonly (readonly [name: string, device: Device])[] = find();

/**
 * Those that the tests of a file run on: all in a full run, else one, another one for other files. What a file asks of a
 * device depends little on the device, and each device has many files.
 */
const devicesOfFile = isFull ? openclDevices : openclDevices.filter((_, i) => i === turn() % openclDevices.length);

/** The same as rows of `describe.each`, which wants one at least: where there is none, `needs.opencl()` skips it. */
export const openclRows: typeof openclDevices =
  devicesOfFile.length > 0 ? devicesOfFile : [['no device', undefined as never]];

/** The variables by which a process takes a device. */
export function choiceOf(device: Device): Readonly<Record<string, string>> {
  return { RAWKERNEL_DEVICE: choice, RAWKERNEL_CTX: `${device.platform.name}:${device.name}` };
}

/** The same devices as rows with those variables. */
export const openclChoices: readonly (readonly [name: string, env: Readonly<Record<string, string>>])[] =
  devicesOfFile.length > 0
    ? devicesOfFile.map(([name, device]) => [name, choiceOf(device)])
    : [['no device', { RAWKERNEL_DEVICE: choice, RAWKERNEL_CTX: '' }]];

/** The embedded CPU device; undefined where the run has none. */
export const embeddedOpenCL: Device | undefined = openclDevices
  .map(([, device]) => device)
  .find(({ platform }) => isEmbedded(platform.raw));

/** `describe` for tests of the embedded device, which skips and says so where the run has none. */
export function embeddedDescribe(): typeof describe.skip {
  if (embeddedOpenCL) return describe;
  process.stderr.write(
    'Tests skipped: there is no embedded OpenCL device with a compiler, or RAWKERNEL_DEVICE hides it\n',
  );
  leaveOut();
  return describe.skip;
}

/** Whether a device has what a test needs; says so where it has not, and the test passes over it. */
export function lacks(device: Device, what: string, has: boolean): boolean {
  if (!has) process.stderr.write(`Skipping on ${device.name}: it has no ${what}\n`);
  return !has;
}

/** Whether commands run beside the host. A simulator runs them inside a flush, which then hangs on an unset user event. */
export function runsBesideHost(device: Device): boolean {
  return !/simulator/i.test(device.name);
}

/**
 * Whether a driver computes what a kernel says. PoCL 5.0 ends the process on its own undefined symbol (wait_group_events), starts
 * program-scope variables with what is in memory, and crashes in the fourth context. It runs the first work-item's part before a loop
 * of barriers twice where the loop ends before it begins: seen with sums of rows of 12 elements, by printf; not with
 * POCL_WORK_GROUP_METHOD=cbs.
 */
export function isSound(device: Device): boolean {
  return !/PoCL 5\.0/.test(device.platform.version);
}

/** Whether a driver refuses image formats and properties that it does not list. A simulator and NVIDIA's take any. */
export function mindsLists(device: Device): boolean {
  return !/simulator|nvidia/i.test(`${device.platform.name} ${device.name}`);
}

/** Whether a driver minds the pitches of an image's host array. A simulator takes anything. */
export function mindsPitches(device: Device): boolean {
  return isThorough(device);
}

/**
 * Whether it is a driver for use: a simulator links what is not there, tells rubbish of kernels' attributes, and crashes
 * where two threads build at once.
 */
export function isThorough(device: Device): boolean {
  return !/simulator/i.test(device.name);
}

/** `count` numbers that look random and are the same every time. */
export function numbers(count: number, seed = 1): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

/** A number of the test file's, the same in every run. */
export function turn(): number {
  const name = expect.getState().testPath?.split(/[\\/]/).at(-1) ?? '';
  return Buffer.from(name).reduce((sum, byte) => sum + byte, 0);
}

function find(): (readonly [string, Device])[] {
  const wanted = (process.env['GPU_TEST'] ?? '')
    .split(',')
    .flatMap((part) => (part.startsWith('opencl:') ? [part.slice(7).toLowerCase()] : []));
  const before = process.env['RAWKERNEL_DEVICE'];
  process.env['RAWKERNEL_DEVICE'] = choice;
  try {
    return getPlatforms()
      .filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part)))
      .flatMap((platform) =>
        platform.getDevices().map((device) => [`${platform.name}: ${device.name}`, device] as const),
      )
      .filter(([, device]) => !lacks(device, 'compiler', device.getInfo('COMPILER_AVAILABLE')));
  } catch {
    return [];
  } finally {
    if (before === undefined) delete process.env['RAWKERNEL_DEVICE'];
    else process.env['RAWKERNEL_DEVICE'] = before;
  }
}
