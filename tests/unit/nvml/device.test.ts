import { afterEach, describe, expect, test } from '@jest/globals';
import * as nvml from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const { Device, FieldId } = nvml;
const fake = withFakeNvml();
const [first, second] = fake.gpus as [(typeof fake.gpus)[0], (typeof fake.gpus)[0]];
const NOT_SUPPORTED = 3;

afterEach(() => {
  fake.fail.clear();
});

test('NVML is started once, by the first call', () => {
  expect(Device.count()).toBe(2);
  expect(Device.all().map(({ index }) => index)).toEqual([0, 1]);
  expect(fake.calls[0]).toBe('nvmlInitWithFlags');
  expect(fake.calls.filter((routine) => routine === 'nvmlInitWithFlags')).toHaveLength(1);
  expect(fake.started).toBe(1);
});

test('the system tells its versions', () => {
  expect(nvml.driverVersion()).toBe('580.65.06');
  expect(nvml.nvmlVersion()).toBe('13.580.65.06');
  expect(nvml.cudaDriverVersion()).toEqual([13, 1]);
  expect(nvml.processName(100)).toBe('/usr/bin/train');
});

describe('a device is found', () => {
  test.each([
    ['its number', 1],
    ['its UUID', second.uuid],
    ['its PCI bus id', '0000:3b:00.0'],
    ['its serial number', { serial: second.serial }],
  ])('by %s', (_, which) => {
    expect(new Device(which).uuid).toBe(second.uuid);
  });

  test('without a name: the first', () => {
    expect(new Device().index).toBe(0);
  });

  test('only if it is there', () => {
    expect(() => new Device(2)).toThrow(new RangeError('There is no GPU 2; this machine has 2, devices 0 to 1'));
    expect(() => new Device('GPU-nowhere')).toThrow(
      expect.objectContaining({
        code: 'NVML_ERROR_NOT_FOUND',
        message: expect.stringContaining('uuid    GPU-nowhere'),
      }),
    );
    expect(() => new Device('one')).toThrow(TypeError);
  });

  test('among those that this process may ask', () => {
    fake.fail.set('nvmlDeviceGetHandleByIndex', 4);
    expect(Device.all()).toEqual([]);
    fake.fail.set('nvmlDeviceGetHandleByIndex', 15);
    expect(() => Device.all()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
  });
});

test('a device says what it is', () => {
  const device = new Device(0);
  expect(device).toMatchObject({
    name: 'NVIDIA H100 80GB HBM3',
    brand: 'nvidia',
    architecture: 'hopper',
    computeCapability: [9, 0],
    coreCount: 16_896,
    serial: '1654321000',
    busId: '00000000:1B:00.0',
    minorNumber: 0,
    boardPartNumber: '699-2G520',
    vbiosVersion: '96.00.74',
    memoryBusWidthBits: 5120,
    persistenceMode: true,
    computeMode: 'default',
    displayConnected: false,
    displayActive: true,
    isMigDevice: false,
  });
  first.architecture = 99;
  expect(device.architecture).toBe('unknown');
});

test('memory is in bytes, by the newest version that the driver has', () => {
  const device = new Device(0);
  const { total, used, reserved } = first.memory;
  const freeBytes = total - used - reserved;
  expect(device.memory).toEqual({ totalBytes: total, usedBytes: used, freeBytes, reservedBytes: reserved });
  fake.fail.set('nvmlDeviceGetMemoryInfo_v2', 13);
  expect(device.memory).toEqual({
    totalBytes: total,
    usedBytes: used + reserved,
    freeBytes,
    reservedBytes: undefined,
  });
  expect(device.bar1Memory).toEqual({ totalBytes: 1000, freeBytes: 990, usedBytes: 10 });
  fake.fail.set('nvmlDeviceGetMemoryInfo_v2', 15);
  expect(() => device.memory).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
});

test('readings have units', () => {
  const device = new Device(0);
  expect(device.utilization).toEqual({ gpuPercent: 37, memoryPercent: 12 });
  expect(device.encoderUtilization).toEqual({ percent: 5, periodUs: 167_000 });
  expect(device.decoderUtilization).toEqual({ percent: 7, periodUs: 167_000 });
  expect(device.encoderStats).toEqual({ sessionCount: 2, averageFps: 60, averageLatencyUs: 900 });
  expect(device.temperatureCelsius).toBe(41);
  expect(device.memoryTemperatureCelsius).toBe(47);
  expect(device.temperatureThresholdCelsius('slowdown')).toBe(90);
  expect([device.fanCount, device.fanSpeedPercent(), device.fanSpeedPercent(1)]).toEqual([2, 30, 31]);
  expect([device.powerWatts, device.energyJoules]).toEqual([71.25, 123_456.789]);
  const { power } = device;
  first.fields.set(FieldId.POWER_INSTANT, [1, 70_500]);
  expect(power.instantWatts).toBe(70.5);
  expect([power.limitWatts, power.enforcedLimitWatts, power.defaultLimitWatts]).toEqual([700, 700, 700]);
  expect(power.limitRangeWatts).toEqual([200, 700]);
});

test('a fan is found by its number, whether or not the driver tells how many there are', () => {
  const device = new Device(0);
  expect(() => device.fanSpeedPercent(2)).toThrow(
    new RangeError('There is no fan 2; this device has 2, counted from 0'),
  );
  fake.fail.set('nvmlDeviceGetNumFans', 13);
  expect(device.fanSpeedPercent(1)).toBe(31);
  expect(() => device.fanSpeedPercent(2)).toThrow(expect.objectContaining({ code: 'NVML_ERROR_INVALID_ARGUMENT' }));
});

test('the performance state may be unknown', () => {
  const device = new Device(0);
  expect(device.performanceState).toBe(0);
  first.performanceState = 32;
  expect(device.performanceState).toBeUndefined();
});

test('clocks, and what holds them down', () => {
  const { clocks } = new Device(0);
  expect([clocks.currentMHz('graphics'), clocks.maxMHz('sm'), clocks.currentMHz('memory')]).toEqual([345, 1980, 2619]);
  expect([clocks.applicationMHz('graphics'), clocks.defaultApplicationMHz('video')]).toEqual([1980, 1545]);
  expect(() => clocks.boostMaxMHz('graphics')).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED' }));
  expect(clocks.supportedMemoryMHz).toEqual([2619, 1593]);
  expect(clocks.supportedGraphicsMHz(2619)).toEqual([1980, 1965, 1950]);
  expect(clocks.throttleReasons).toEqual(['gpuIdle']);
  first.throttle = 0xfff0_0000_0000_0044n;
  expect(clocks.throttleReasons).toEqual(['swPowerCap', 'hwThermalSlowdown']);
  expect(clocks.supportedThrottleReasons).toHaveLength(9);
  fake.fail.set('nvmlDeviceGetCurrentClocksThrottleReasons', 13).set('nvmlDeviceGetSupportedClocksThrottleReasons', 26);
  expect(clocks.throttleReasons).toEqual(['swPowerCap', 'hwThermalSlowdown']);
  expect(clocks.supportedThrottleReasons).toHaveLength(8);
  expect(clocks.violation('thermal')).toEqual({ timestampUs: 1_700_000_000_000_000, violatedNs: 5000 });
});

test('PCIe', () => {
  const { pcie } = new Device(1);
  expect(pcie.info).toEqual({
    busId: '00000000:3B:00.0',
    domain: 0,
    bus: 0x3b,
    device: 0,
    deviceId: 0x233010de,
    subsystemId: 0,
  });
  expect([pcie.generation, pcie.width, pcie.maxGeneration, pcie.maxWidth, pcie.replayCount]).toEqual([4, 8, 5, 16, 2]);
  expect([pcie.throughputBytesPerSecond('tx'), pcie.throughputBytesPerSecond('rx')]).toEqual([102_400, 204_800]);
});

test('errors of the memory', () => {
  const { ecc } = new Device(0);
  expect([ecc.enabled, ecc.pendingEnabled]).toEqual([true, true]);
  expect([ecc.errors('corrected', 'volatile'), ecc.errors('uncorrected', 'aggregate')]).toEqual([1, 4]);
  expect(ecc.errors('corrected', 'volatile', 'dram')).toBe(3);
  expect(ecc.retiredPages('doubleBitEccError')).toEqual([0x1000n, 0x7fff_ffff_f000n]);
  expect(ecc.retiredPages('multipleSingleBitEccErrors')).toEqual([]);
  expect(ecc.retiredPagesPending).toBe(false);
  expect(ecc.remappedRows).toEqual({ corrected: 1, uncorrected: 2, pending: true, failed: false });
});

test('links, as many as the device has', () => {
  expect(new Device(0).nvlinks()).toEqual([]);
  const [link, down, ...others] = new Device(1).nvlinks();
  expect(others).toEqual([]);
  expect([link?.link, link?.active, down?.link, down?.active]).toEqual([0, true, 1, false]);
  expect(link?.version).toBe('4.0');
  expect(link?.capabilities).toEqual(['p2pSupported', 'valid']);
  expect(link?.remote).toMatchObject({ type: 'switch', pci: { bus: 0x3b } });
  expect(link?.errors).toEqual({ dlReplay: 0, dlRecovery: 1, dlCrcFlit: 2, dlCrcData: 3, dlEccData: undefined });
  expect(link?.bytesPerSecond).toBe(26.562e9);
  expect([link?.txBytes, link?.rxBytes]).toEqual([10_240, 20_480]);
  fake.fail.set('nvmlDeviceGetNvLinkState', 15);
  expect(() => new Device(1).nvlinks()).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
});

test('topology', () => {
  const [one, other] = Device.all() as [nvml.Device, nvml.Device];
  expect(one.commonAncestor(other)).toBe('node');
  expect([one.p2pStatus(other, 'read'), one.p2pStatus(other, 'nvlink')]).toEqual(['ok', 'chipsetNotSupported']);
  expect([one.onSameBoard(one), one.onSameBoard(other)]).toEqual([true, false]);
  expect(one.cpuAffinity).toEqual([0, 1, 3, 64]);
});

test('parts of a device are devices', () => {
  const device = new Device(1);
  expect(device.mig).toEqual({ enabled: false, pendingEnabled: false, maxDeviceCount: 7 });
  expect(device.migDevices()).toEqual([]);
  second.parts.push({ index: 2, handle: 0x2010n }, { index: 5, handle: 0x2020n });
  try {
    const parts = device.migDevices();
    expect(parts.map((part) => part.isMigDevice)).toEqual([true, true]);
    expect(parts[0]?.migParent.uuid).toBe(second.uuid);
    expect([parts[0]?.gpuInstanceId, parts[0]?.computeInstanceId]).toEqual([4, 0]);
    const whole = new Device(0);
    for (const ask of [() => whole.migParent, () => whole.gpuInstanceId, () => whole.computeInstanceId]) {
      expect(nvml.optional<unknown>(ask)).toBeUndefined();
      expect(ask).toThrow(/NVML_ERROR_NOT_SUPPORTED\nThis is a whole device, not a part of one/);
    }
  } finally {
    second.parts.length = 0;
  }
});

test('fields, each with its type and its own answer', () => {
  const device = new Device(0);
  // A `long` of Windows has 32 bits.
  const long = process.platform === 'win32' ? 2 ** 31 : 2 ** 40;
  first.fields
    .set(185, [0, 12.5])
    .set(186, [4, -3n])
    .set(187, [2, BigInt(long)]);
  expect(device.fieldValue(FieldId.MEMORY_TEMP)).toEqual({
    fieldId: 82,
    scopeId: 0,
    value: 47,
    type: 'unsignedInt',
    timestampUs: 1_700_000_000_000_000,
  });
  const values = device.fieldValues([185, { fieldId: 186, scopeId: 3 }, 187, 90]);
  expect(values).toMatchObject([
    { value: 12.5, type: 'double' },
    { value: -3, type: 'signedLongLong', scopeId: 3 },
    { value: long, type: 'unsignedLong' },
    { fieldId: 90, value: undefined, code: 'NVML_ERROR_NOT_SUPPORTED' },
  ]);
  expect(device.fieldValues([])).toEqual([]);
  fake.fail.set('nvmlDeviceGetFieldValues', NOT_SUPPORTED);
  expect(device.fieldValues([1, { fieldId: 2, scopeId: 3 }])).toEqual([
    { fieldId: 1, scopeId: 0, value: undefined, code: 'NVML_ERROR_NOT_SUPPORTED' },
    { fieldId: 2, scopeId: 3, value: undefined, code: 'NVML_ERROR_NOT_SUPPORTED' },
  ]);
  fake.fail.set('nvmlDeviceGetFieldValues', 15);
  expect(() => device.fieldValues([1])).toThrow(expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }));
  fake.fail.clear();
  expect(() => device.fieldValue(90)).toThrow(
    expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED', message: expect.stringContaining('field   90') }),
  );
});

test('accounting', () => {
  const { accounting } = new Device(0);
  expect([accounting.enabled, accounting.pids()]).toEqual([false, [100]]);
  expect(accounting.stats(100)).toEqual({
    pid: 100,
    gpuPercent: 55,
    memoryPercent: undefined,
    maxMemoryBytes: 4096,
    timeMs: 0,
    startTimeUs: 1_700_000_000_000_000,
    running: true,
  });
  expect(() => accounting.stats(101)).toThrow(expect.objectContaining({ code: 'NVML_ERROR_NOT_FOUND' }));
});

test('what a device does not have is an error with that code, or undefined on request', () => {
  const device = new Device(1);
  expect(() => device.fanSpeedPercent()).toThrow(nvml.NvmlError);
  expect(() => device.fanSpeedPercent()).toThrow(
    expect.objectContaining({ code: 'NVML_ERROR_NOT_SUPPORTED', status: 3, routine: 'nvmlDeviceGetFanSpeed' }),
  );
  expect(nvml.optional(() => device.fanSpeedPercent())).toBeUndefined();
  expect(nvml.optional(() => device.index)).toBe(1);
  fake.fail.set('nvmlDeviceGetTemperature', 999);
  expect(() => nvml.optional(() => device.temperatureCelsius)).toThrow(nvml.NvmlError);
  expect(() =>
    nvml.optional(() => {
      throw new TypeError('mine');
    }),
  ).toThrow(TypeError);
});

test('an error names the routine, what to do, and the page', () => {
  fake.fail.set('nvmlDeviceGetName', NOT_SUPPORTED);
  expect(() => new Device(0).name).toThrow(
    new Error(
      `nvmlDeviceGetName failed: NVML_ERROR_NOT_SUPPORTED
Do without: this device does not have it
  docs    https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html`,
    ),
  );
  fake.fail.set('nvmlDeviceGetName', 4711);
  expect(() => new Device(0).name).toThrow(expect.objectContaining({ code: 'NVML_ERROR_4711', status: 4711 }));
});
