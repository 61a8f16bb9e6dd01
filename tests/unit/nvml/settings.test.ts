import { afterEach, expect, test } from '@jest/globals';
import { Device } from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const fake = withFakeNvml();
const [gpu] = fake.gpus as [(typeof fake.gpus)[0]];

afterEach(() => {
  fake.fail.clear();
});

test('what is set can be read', () => {
  const device = new Device(0);
  const settings = device.settings();
  settings.setPersistenceMode('disabled');
  settings.setComputeMode('exclusiveProcess');
  settings.setPowerLimitWatts(350.5);
  settings.setApplicationClocks(1593, 1965);
  settings.setAccountingMode('enabled');
  expect(device.persistenceMode).toBe(false);
  expect(device.computeMode).toBe('exclusiveProcess');
  expect(device.power.limitWatts).toBe(350.5);
  expect([device.clocks.applicationMHz('memory'), device.clocks.applicationMHz('graphics')]).toEqual([1593, 1965]);
  expect(device.accounting.enabled).toBe(true);
  settings.resetApplicationClocks();
  expect(device.clocks.applicationMHz('memory')).toBe(2619);
  settings.clearEccErrors('aggregate');
  expect([device.ecc.errors('corrected', 'aggregate'), device.ecc.errors('corrected', 'volatile')]).toEqual([0, 1]);
});

test('clocks are locked and unlocked', () => {
  const settings = new Device(0).settings();
  settings.lockGraphicsClocks(1200, 1500);
  settings.lockMemoryClocks(1593, 1593);
  expect([gpu.lockedGraphics, gpu.lockedMemory]).toEqual([
    [1200, 1500],
    [1593, 1593],
  ]);
  settings.unlockGraphicsClocks();
  settings.unlockMemoryClocks();
  expect([gpu.lockedGraphics, gpu.lockedMemory]).toEqual([[], []]);
});

test('without the privilege nothing changes, and the error says what was asked', () => {
  const device = new Device(0);
  const before = device.power.limitWatts;
  fake.fail.set('nvmlDeviceSetPowerManagementLimit', 4);
  expect(() => {
    device.settings().setPowerLimitWatts(300);
  }).toThrow(
    expect.objectContaining({
      code: 'NVML_ERROR_NO_PERMISSION',
      message: expect.stringMatching(/Run as root[^]*asked {3}300 W[^]*group__nvmlDeviceCommands/),
    }),
  );
  expect(device.power.limitWatts).toBe(before);
});

test('nothing but settings sets anything', () => {
  fake.calls.length = 0;
  const device = new Device(1);
  device.snapshot({ pcieThroughput: true });
  device.nvlinks();
  device.settings();
  expect(fake.calls.filter((routine) => /Set(?!Wait)|Clear|Reset/.test(routine))).toEqual([]);
});
