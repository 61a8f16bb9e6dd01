import { expect, test } from '@jest/globals';
import { liveObjects } from '../../../src/core/handle.ts';
import * as cuda from '../../../src/cuda/index.ts';
import * as pythonNames from '../../../src/cuda/python-names.ts';
import { complaint, misuses } from '../../helpers/cuda-misuse.ts';
import { runChild } from '../../helpers/child.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { forget } from '../../helpers/forget.ts';
import { needs } from '../../helpers/require.ts';

// Before the fake takes its place.
const real = needs.cuda();
withFakeDriver();

const WALK = `
  const { complaint, misuses } = await import('@/tests/helpers/cuda-misuse.ts');
  const all = misuses();
  console.log(all.length > 500, all.map(complaint).filter((text) => text !== undefined));
  globalThis.gc();
  await new Promise(setImmediate);
  globalThis.gc();
  await new Promise(setImmediate);
  console.log('alive');`;

/** Walk, and keep nothing of what the walk makes. */
function walk(): { names: string[]; complaints: string[] } {
  const all = misuses();
  const complaints = all.map(complaint).filter((text) => text !== undefined);
  return { names: all.map(({ name }) => name), complaints };
}

test('bad input is one of our errors each time, and leaves nothing behind', async () => {
  const before = liveObjects();
  const { names, complaints } = walk();
  expect(names.length).toBeGreaterThan(500);
  expect(complaints).toEqual([]);
  await forget(before);
});

test('the walk visits every public function and class', async () => {
  const before = liveObjects();
  const { names } = walk();
  await forget(before);
  const errors = /Error$/;
  const made = [
    'BoxCopy',
    'ClientPool',
    'DLPackExport',
    'DLPackTensor',
    'ConditionalNode',
    'GraphAllocation',
    'GraphExec',
    'GraphNode',
    'GraphStructure',
    'DeviceSlice',
    'Function',
    'Kernel',
    'Library',
    'LaunchObject',
    'Module',
    'PooledAllocation',
    'RegisteredHostMemory',
    'Resource',
    'Scalar',
    'Struct',
    'SurfaceReference',
    'TensorMap',
    'TextureReference',
    'Transfer',
    'Value',
    'Vector',
  ];
  const plain = [
    ...['currentDevice', 'DeviceMemoryPool', 'findLibraries', 'Graph', 'liveObjects', 'memGetInfo'],
    ...['moduleLoadingMode', 'profile', 'profilerStart', 'profilerStop'],
    ...['compilerVersion', 'driverVersion', 'supportedArchitectures'],
  ];
  const vectors = /^u?(char|short|int|long|longlong|half|bfloat16|float|double)[1-4]$/;
  const pycuda = new Set(Object.keys(pythonNames));
  const missing = Object.entries(cuda)
    .filter(([name, value]) => typeof value === 'function' && !errors.test(name) && !vectors.test(name))
    .filter(([name]) => !pycuda.has(name))
    .map(([name]) => name)
    .filter(
      (name) =>
        ![...made, ...plain].includes(name) && !names.some((text) => text.replace(/^new /, '').startsWith(name)),
    );
  expect(missing).toEqual([]);
});

test('bad input does not end the process', async () => {
  const script = `
    const { fakeDriver } = await import('@/tests/helpers/fake-driver.ts');
    const { useTables } = await import('@/src/cuda/select.ts');
    useTables({ driver: fakeDriver().table });
    const { context } = await import('@/src/cuda/autoinit.ts');
    ${WALK}`;
  const { code, signal, stdout } = await runChild(script);
  expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: 'true []\nalive\n' });
}, 30_000);

real.test(
  'bad input does not end a process with a real device',
  async () => {
    const { code, signal, stdout } = await runChild(`await import('@/src/cuda/autoinit.ts');${WALK}`);
    expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: 'true []\nalive\n' });
  },
  60_000,
);
