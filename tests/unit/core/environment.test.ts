import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import * as environment from '../../../src/core/environment.ts';
import { root } from '../../helpers/root.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('RAWKERNEL_')) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
});

const READ = {
  RAWKERNEL_DEVICE: environment.deviceVariable,
  RAWKERNEL_CUDA_DEVICE: environment.cudaDeviceVariable,
  RAWKERNEL_JIT: environment.jitVariable,
  RAWKERNEL_CPU_WORKERS: () => environment.cpuWorkersVariable(256),
  RAWKERNEL_CPU_DEVICES: environment.cpuDevicesVariable,
  RAWKERNEL_CPU_TIMEOUT_MS: environment.cpuTimeoutVariable,
  RAWKERNEL_NCCL_TIMEOUT_MS: environment.ncclTimeoutVariable,
  RAWKERNEL_CPU_ORDER: environment.cpuOrderVariable,
  RAWKERNEL_CPU_PROGRESS: environment.cpuProgressVariable,
  RAWKERNEL_COMPILE_TIMEOUT_MS: environment.compileTimeoutVariable,
  RAWKERNEL_NO_CACHE: environment.noCacheVariable,
  RAWKERNEL_CACHE_MAX_BYTES: environment.cacheMaxBytesVariable,
  RAWKERNEL_NODE_OPENCL_STRICT: environment.nodeOpenCLVariable,
} as const;
type Name = keyof typeof READ;
const ENTIRE = Number.MAX_SAFE_INTEGER;

test.each<[Name, string, unknown]>([
  ['RAWKERNEL_DEVICE', '', 'auto'],
  ['RAWKERNEL_DEVICE', 'cpu', 'cpu'],
  ['RAWKERNEL_JIT', '', undefined],
  ['RAWKERNEL_JIT', 'js', 'js'],
  ['RAWKERNEL_JIT', 'device', undefined],
  ['RAWKERNEL_CUDA_DEVICE', '', undefined],
  ['RAWKERNEL_CUDA_DEVICE', '3', 3],
  ['RAWKERNEL_CUDA_DEVICE', '0000:3b:00.0', '0000:3b:00.0'],
  ['RAWKERNEL_CPU_WORKERS', '', undefined],
  ['RAWKERNEL_CPU_WORKERS', '1', 1],
  ['RAWKERNEL_CPU_WORKERS', '256', 256],
  ['RAWKERNEL_CPU_DEVICES', '', 1],
  ['RAWKERNEL_CPU_DEVICES', '16', 16],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '', 0],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '0', 0],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '2147483647', 2147483647],
  ['RAWKERNEL_NCCL_TIMEOUT_MS', '', undefined],
  ['RAWKERNEL_NCCL_TIMEOUT_MS', '5000', 5000],
  ['RAWKERNEL_CPU_ORDER', '', undefined],
  ['RAWKERNEL_CPU_ORDER', 'random', 'random'],
  ['RAWKERNEL_CPU_ORDER', 'random:0', 0],
  ['RAWKERNEL_CPU_ORDER', 'random:4294967295', 4294967295],
  ['RAWKERNEL_CPU_PROGRESS', '', true],
  ['RAWKERNEL_CPU_PROGRESS', '0', false],
  ['RAWKERNEL_CPU_PROGRESS', 'yes', true],
  ['RAWKERNEL_COMPILE_TIMEOUT_MS', '', undefined],
  ['RAWKERNEL_COMPILE_TIMEOUT_MS', '0', 0],
  ['RAWKERNEL_NO_CACHE', '', false],
  ['RAWKERNEL_NO_CACHE', 'No', false],
  ['RAWKERNEL_NO_CACHE', 'TRUE', true],
  ['RAWKERNEL_CACHE_MAX_BYTES', '', undefined],
  ['RAWKERNEL_CACHE_MAX_BYTES', '0', 0],
  ['RAWKERNEL_CACHE_MAX_BYTES', String(ENTIRE), ENTIRE],
  ['RAWKERNEL_NODE_OPENCL_STRICT', '2.0', '2.0'],
])("%s='%s' is %j", (name, value, meant) => {
  process.env[name] = value;
  expect(READ[name]()).toBe(meant);
  if (value === '') {
    Reflect.deleteProperty(process.env, name);
    expect(READ[name]()).toBe(meant);
  }
});

test.each<[Name, string, string, typeof TypeError | typeof RangeError]>([
  ['RAWKERNEL_DEVICE', 'CPU', "'auto', 'cpu' or 'gpu'", TypeError],
  ['RAWKERNEL_CUDA_DEVICE', 'first', 'a device number or a PCI bus id', TypeError],
  ['RAWKERNEL_CUDA_DEVICE', '-1', 'a device number or a PCI bus id', TypeError],
  ['RAWKERNEL_CPU_WORKERS', 'abc', 'an integer from 1 to 256', TypeError],
  ['RAWKERNEL_CPU_WORKERS', '-1', 'an integer from 1 to 256', RangeError],
  ['RAWKERNEL_CPU_WORKERS', '0', 'an integer from 1 to 256', RangeError],
  ['RAWKERNEL_CPU_WORKERS', '257', 'an integer from 1 to 256', RangeError],
  ['RAWKERNEL_CPU_WORKERS', '1e2', 'an integer from 1 to 256', TypeError],
  ['RAWKERNEL_CPU_DEVICES', 'two', 'an integer from 1 to 16', TypeError],
  ['RAWKERNEL_CPU_DEVICES', '0', 'an integer from 1 to 16', RangeError],
  ['RAWKERNEL_CPU_DEVICES', '17', 'an integer from 1 to 16', RangeError],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '10s', 'an integer from 0 to 2147483647', TypeError],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '-5', 'an integer from 0 to 2147483647', RangeError],
  ['RAWKERNEL_CPU_TIMEOUT_MS', '9999999999', 'an integer from 0 to 2147483647', RangeError],
  ['RAWKERNEL_COMPILE_TIMEOUT_MS', '1.5', 'an integer from 0 to 2147483647', TypeError],
  ['RAWKERNEL_NO_CACHE', 'maybe', '1 or 0', TypeError],
  ['RAWKERNEL_CACHE_MAX_BYTES', ' ', 'an integer >= 0', TypeError],
  ['RAWKERNEL_CACHE_MAX_BYTES', '512M', 'an integer >= 0', TypeError],
  ['RAWKERNEL_CACHE_MAX_BYTES', '-1', 'an integer >= 0', RangeError],
  ['RAWKERNEL_NODE_OPENCL_STRICT', '4', "'1.2' or '2.0'", TypeError],
])("%s='%s' is refused", (name, value, expectation, Kind) => {
  process.env[name] = value;
  expect(READ[name]).toThrow(new Kind(`${name} must be ${expectation}, got '${value}'; unset ${name} for the default`));
});

test('a long value is cut in the error', () => {
  process.env['RAWKERNEL_DEVICE'] = 'x'.repeat(1000);
  expect(READ.RAWKERNEL_DEVICE).toThrow(/got 'x{40}…'/);
});

test.each([
  ['calls, leaks', undefined],
  ['1', undefined],
  ['', undefined],
  ['timeline:a b.json,reports', undefined],
  ['leaks,bogus', 'bogus'],
  ['timelines', 'timelines'],
])("RAWKERNEL_TRACE='%s' complains of %j", (value, unknown) => {
  process.env['RAWKERNEL_TRACE'] = value;
  const { complaint } = environment.traceVariable();
  expect(complaint).toBe(
    unknown &&
      `RAWKERNEL_TRACE must be calls, leaks, reports, timeline:FILE or some of them with commas between, got '${unknown}'`,
  );
});

test('no other file reads a variable of ours but the command line, which sets three', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const readers = files.filter((file) =>
    /process\.env\[?'?\.?RAWKERNEL/.test(readFileSync(join(root, 'src', file), 'utf8')),
  );
  expect(readers.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
    'cli/choose-device.ts',
    'cli/main.ts',
    'core/environment.ts',
  ]);
});
