import { afterEach, expect, test } from '@jest/globals';
import { Device } from '../../../src/nvml/index.ts';
import { useNvml } from '../../../src/nvml/select.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const fake = withFakeNvml();
const [gpu] = fake.gpus as [(typeof fake.gpus)[0]];

afterEach(() => {
  fake.fail.clear();
  gpu.samples = [];
  for (const list of Object.values(gpu.processes)) list.length = 0;
});

test('a device that nothing uses has no processes', () => {
  expect(new Device(0).processes()).toEqual([]);
});

test('a process of several kinds is listed once', () => {
  gpu.processes.compute.push({ pid: 100, bytes: 4096n }, { pid: 101 });
  gpu.processes.graphics.push({ pid: 100, bytes: 8192n });
  const none = { gpuInstanceId: undefined, computeInstanceId: undefined };
  expect(new Device(0).processes()).toEqual([
    { pid: 100, name: '/usr/bin/train', kinds: ['compute', 'graphics'], usedBytes: 8192, ...none },
    { pid: 101, name: undefined, kinds: ['compute'], usedBytes: undefined, ...none },
  ]);
  expect(new Device(0).processes('graphics').map(({ pid }) => pid)).toEqual([100]);
});

test('there may be more of them when they are asked for than when they are counted', () => {
  const add = (): unknown => gpu.processes.compute.push({ pid: gpu.processes.compute.length + 1, bytes: 1n });
  add();
  const before = gpu.processes.compute.length;
  // Twenty more appear after the first question.
  const table = fake.table.nvmlDeviceGetComputeRunningProcesses;
  const ask = fake.calls.length;
  useNvml({
    ...fake.table,
    nvmlDeviceGetComputeRunningProcesses: (...args: Parameters<typeof table>) => {
      const status = table(...args);
      if (gpu.processes.compute.length === before) for (let i = 0; i < 20; i++) add();
      return status;
    },
  });
  try {
    expect(new Device(0).processes('compute')).toHaveLength(21);
    expect(fake.calls.slice(ask).filter((name) => name === 'nvmlDeviceGetComputeRunningProcesses')).toHaveLength(3);
  } finally {
    useNvml(fake.table);
  }
});

test('a kind that the device does not know is not a reason to hide the others', () => {
  gpu.processes.compute.push({ pid: 100, bytes: 1n });
  fake.fail.set('nvmlDeviceGetGraphicsRunningProcesses', 3);
  fake.fail.set('nvmlDeviceGetMPSComputeRunningProcesses', 13);
  const device = new Device(0);
  expect(device.processes().map(({ pid }) => pid)).toEqual([100]);
  expect(() => device.processes('graphics')).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }));
  fake.fail.set('nvmlDeviceGetComputeRunningProcesses', 3);
  expect(() => device.processes()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }));
});

test('nor is one that it fails at, or a name that it fails to tell; a lost device is', () => {
  gpu.processes.compute.push({ pid: 100, bytes: 1n });
  const device = new Device(0);
  fake.fail.set('nvmlDeviceGetGraphicsRunningProcesses', 999);
  fake.fail.set('nvmlSystemGetProcessName', 17);
  expect(device.processes().map(({ pid, name }) => [pid, name])).toEqual([[100, undefined]]);
  fake.fail.set('nvmlDeviceGetGraphicsRunningProcesses', 15);
  expect(() => device.processes()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
});

test('a list that never ends is an error', () => {
  fake.fail.set('nvmlDeviceGetComputeRunningProcesses', 7);
  expect(() => new Device(0).processes('compute')).toThrow(
    expect.objectContaining({
      code: 'NVML_ERROR_INSUFFICIENT_SIZE',
      routine: 'nvmlDeviceGetComputeRunningProcesses',
      message: expect.stringContaining('The list grew each time that it was asked for'),
    }),
  );
});

test('each process has its newest sample', () => {
  const device = new Device(0);
  expect(device.processUtilization()).toEqual([]);
  gpu.samples = [
    { pid: 0, timeUs: 0, sm: 0 },
    { pid: 100, timeUs: 1000, sm: 10 },
    { pid: 100, timeUs: 3000, sm: 30 },
    { pid: 100, timeUs: 2000, sm: 20 },
    { pid: 101, timeUs: 1500, sm: 5 },
  ];
  expect(device.processUtilization()).toEqual([
    { pid: 100, timestampUs: 3000, smPercent: 30, memoryPercent: 3, encoderPercent: 0, decoderPercent: 1 },
    { pid: 101, timestampUs: 1500, smPercent: 5, memoryPercent: 3, encoderPercent: 0, decoderPercent: 1 },
  ]);
  expect(device.processUtilization(2000).map(({ pid }) => pid)).toEqual([100]);
});

test("the driver's samples after a time", () => {
  const device = new Device(0);
  expect(device.samples('gpuPercent')).toEqual([]);
  gpu.samples = [
    { pid: 1, timeUs: 1000, sm: 10 },
    { pid: 1, timeUs: 2000, sm: 20 },
  ];
  expect(device.samples('gpuPercent', 1000)).toEqual([{ timestampUs: 2000, value: 20 }]);
  expect(device.samples('powerWatts')).toEqual([
    { timestampUs: 1000, value: 10 },
    { timestampUs: 2000, value: 20 },
  ]);
  expect(() => device.samples('memoryMHz')).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }));
});
