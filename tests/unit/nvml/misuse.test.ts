import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as nvml from '../../../src/nvml/index.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

let set: nvml.EventSet;
beforeAll(() => {
  set = new nvml.EventSet();
});
afterAll(() => {
  set.close();
});
withFakeNvml();

const WRONG: readonly unknown[] = [
  null,
  true,
  'wrong',
  '\0',
  -1,
  0.5,
  NaN,
  Infinity,
  2 ** 32,
  -5n,
  2n ** 64n,
  Symbol('wrong'),
  {},
  [],
  [undefined],
  () => 0,
  new Uint8Array(0),
];

const device = new nvml.Device(0);
const settings = device.settings();

/** Each takes one argument, which is wrong. */
const calls: Readonly<Record<string, (value: never) => unknown>> = {
  'new Device': (value) => new nvml.Device(value),
  'new Device by serial': (value) => new nvml.Device({ serial: value }),
  processName: (value) => nvml.processName(value),
  commonAncestor: (value) => device.commonAncestor(value),
  onSameBoard: (value) => device.onSameBoard(value),
  p2pStatus: (value) => device.p2pStatus(value, 'read'),
  'p2pStatus: capability': (value) => device.p2pStatus(device, value),
  processes: (value) => device.processes(value),
  processUtilization: (value) => device.processUtilization(value === ((2 ** 32) as never) ? -1 : value),
  samples: (value) => device.samples(value),
  fanSpeedPercent: (value) => device.fanSpeedPercent(value),
  temperatureThresholdCelsius: (value) => device.temperatureThresholdCelsius(value),
  fieldValue: (value) => device.fieldValue(value),
  fieldValues: (value) => device.fieldValues([value]),
  snapshot: (value) => device.snapshot({ pcieThroughput: value === (true as never) ? (1 as never) : value }),
  'clocks.currentMHz': (value) => device.clocks.currentMHz(value),
  'clocks.maxMHz': (value) => device.clocks.maxMHz(value),
  'clocks.applicationMHz': (value) => device.clocks.applicationMHz(value),
  'clocks.supportedGraphicsMHz': (value) => device.clocks.supportedGraphicsMHz(value),
  'clocks.violation': (value) => device.clocks.violation(value),
  'ecc.errors': (value) => device.ecc.errors(value, 'volatile'),
  'ecc.errors: counter': (value) => device.ecc.errors('corrected', value),
  'ecc.errors: location': (value) => device.ecc.errors('corrected', 'volatile', value),
  'ecc.retiredPages': (value) => device.ecc.retiredPages(value),
  'pcie.throughputBytesPerSecond': (value) => device.pcie.throughputBytesPerSecond(value),
  'accounting.stats': (value) => device.accounting.stats(value),
  'EventSet.register': (value) => set.register(value, ['clock']),
  'EventSet.register: types': (value) => set.register(device, value),
  'EventSet.register: a type': (value) => set.register(device, [value]),
  setPersistenceMode: (value) => {
    settings.setPersistenceMode(value);
  },
  setComputeMode: (value) => {
    settings.setComputeMode(value);
  },
  setPowerLimitWatts: (value) => {
    settings.setPowerLimitWatts(value);
  },
  lockGraphicsClocks: (value) => {
    settings.lockGraphicsClocks(value, 0);
  },
  lockMemoryClocks: (value) => {
    settings.lockMemoryClocks(1000, value);
  },
  setApplicationClocks: (value) => {
    settings.setApplicationClocks(value, 100);
  },
  setAccountingMode: (value) => {
    settings.setAccountingMode(value);
  },
  clearEccErrors: (value) => {
    settings.clearEccErrors(value);
  },
};

test.each(Object.entries(calls))('%s takes nothing wrong', (_, call) => {
  for (const value of WRONG) {
    let thrown: unknown;
    try {
      call(value as never);
    } catch (error) {
      thrown = error;
    }
    // A number that is right by itself is the library's to refuse.
    expect([value, (thrown as Error | undefined)?.name]).toEqual([
      value,
      expect.stringMatching(/^(TypeError|RangeError|NvmlError)$/),
    ]);
  }
});

test.each([
  ['timeoutMs', -1],
  ['timeoutMs', 'soon'],
  ['intervalMs', 0],
  ['tiemoutMs', 1],
])('EventSet.next refuses %s: %p', async (name, value) => {
  await expect(set.next({ [name]: value })).rejects.toThrow(/EventSet\.next/);
});

test('EventSet.wait refuses what is not a time', () => {
  for (const value of [undefined, -1, 1.5, 2 ** 31, '1']) expect(() => set.wait(value as never)).toThrow(/timeoutMs/);
});

test('what is not a device is told from one', () => {
  for (const other of [Object.create(device) as nvml.Device, new Proxy(device, {}), nvml.Device.prototype]) {
    expect(() => device.p2pStatus(other, 'read')).toThrow(TypeError);
    expect(other instanceof nvml.Device).toBe(false);
  }
  expect(() => nvml.optional(5 as never)).toThrow(new TypeError('optional takes a function that asks, got 5'));
});

test('options are known by their names', () => {
  expect(() => device.snapshot({ throughput: true } as never)).toThrow(
    new TypeError("Device.snapshot has no option 'throughput'; it knows pcieThroughput"),
  );
});

test('errors of wrong names list the valid ones', () => {
  expect(() => device.clocks.currentMHz('core' as never)).toThrow(
    new TypeError(`Clocks.currentMHz: domain must be 'graphics' or 'sm' or 'memory' or 'video', got the string "core"`),
  );
  expect(() => set.register(device, ['xid' as never])).toThrow(/^An event must be 'singleBitEccError' or /);
});
