import { afterEach, expect, test } from '@jest/globals';
import { Device } from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const fake = withFakeNvml();
const [gpu] = fake.gpus as [(typeof fake.gpus)[0]];

afterEach(() => {
  fake.fail.clear();
});

test('a snapshot has what a monitor shows', () => {
  gpu.processes.compute.push({ pid: 100, bytes: 4096n });
  const snapshot = new Device(0).snapshot({ pcieThroughput: true });
  expect(snapshot).toEqual({
    timeMs: expect.any(Number),
    index: 0,
    name: 'NVIDIA H100 80GB HBM3',
    uuid: gpu.uuid,
    busId: gpu.busId,
    memory: expect.objectContaining({ totalBytes: 85_520_809_984 }),
    utilization: { gpuPercent: 37, memoryPercent: 12 },
    encoderPercent: 5,
    decoderPercent: 7,
    temperatureCelsius: 41,
    memoryTemperatureCelsius: 47,
    fanSpeedPercent: 30,
    powerWatts: 71.25,
    powerLimitWatts: 700,
    energyJoules: 123_456.789,
    performanceState: 0,
    clocksMHz: { graphics: 345, sm: 345, memory: 2619, video: 765 },
    maxClocksMHz: { graphics: 1980, sm: 1980, memory: 2619, video: 1545 },
    throttleReasons: ['gpuIdle'],
    pcie: {
      generation: 4,
      width: 8,
      maxGeneration: 5,
      maxWidth: 16,
      txBytesPerSecond: 102_400,
      rxBytesPerSecond: 204_800,
    },
    ecc: { enabled: true, correctedErrors: 1, uncorrectedErrors: 0 },
    persistenceMode: true,
    computeMode: 'default',
    migEnabled: false,
    processes: [expect.objectContaining({ pid: 100, name: '/usr/bin/train', usedBytes: 4096 })],
  });
  expect(JSON.parse(JSON.stringify(snapshot))).toMatchObject({ powerWatts: 71.25, processes: [{ pid: 100 }] });
});

test('what takes long is measured on request only', () => {
  const before = fake.calls.length;
  expect(new Device(0).snapshot().pcie.txBytesPerSecond).toBeUndefined();
  expect(fake.calls.slice(before)).not.toContain('nvmlDeviceGetPcieThroughput');
});

test('it leaves out what fails, for any reason', () => {
  const all = fake.calls.filter((routine) => routine.startsWith('nvmlDeviceGet') && !routine.includes('Handle'));
  const answers = [3, 4, 13, 17, 999];
  const device = new Device(0);
  fake.fail.set('nvmlDeviceGetMemoryInfo', 3).set('nvmlDeviceGetCurrentClocksEventReasons', 3);
  [...new Set(all)].forEach((routine, i) => fake.fail.set(routine, answers[i % answers.length] ?? 3));
  const { timeMs, ...rest } = device.snapshot({ pcieThroughput: true });
  expect(timeMs).toBeGreaterThan(1.7e12);
  expect(JSON.stringify(rest)).toBe('{"clocksMHz":{},"maxClocksMHz":{},"pcie":{},"ecc":{}}');
});

test('but a device that is lost is an error', () => {
  fake.fail.set('nvmlDeviceGetPowerUsage', 15);
  expect(() => new Device(0).snapshot()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
});
