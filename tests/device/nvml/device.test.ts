import { expect, test as always } from '@jest/globals';
import { Context, Device as CudaDevice, memAlloc } from '../../../src/cuda/index.ts';
import * as nvml from '../../../src/nvml/index.ts';
import { entriesOf } from '../../../src/ffi/prototype.ts';
import { functions } from '../../../src/nvml/sys/nvml.ts';
import { nvml as table } from '../../../src/nvml/select.ts';
import { needs } from '../../helpers/require.ts';
import { until } from '../../helpers/until.ts';

// Everything is read, nothing is set: the machine may be in use.
const { describe, test } = needs.nvml();
const both = needs.nvml().missing === undefined ? needs.gpu() : needs.nvml();

/** A reading may fail for many reasons; none of these may be one. */
const WRONG =
  /^NVML_ERROR_(UNINITIALIZED|INSUFFICIENT_SIZE|ARGUMENT_VERSION_MISMATCH|GPU_IS_LOST|RESET_REQUIRED|LIB_RM_VERSION_MISMATCH)$/;

/** What a query gives; undefined for an error that says that there is nothing to give. */
function answer<T>(query: () => T): T | undefined {
  try {
    return query();
  } catch (error) {
    expect(error).toBeInstanceOf(nvml.NvmlError);
    expect((error as nvml.NvmlError).code).not.toMatch(WRONG);
    return undefined;
  }
}

function gettersOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([, descriptor]) => descriptor.get !== undefined)
    .map(([name]) => name);
}

const ALLOCATED = 2 ** 30;

always('nothing is opened before it is asked for', () => {
  expect(typeof nvml.Device).toBe('function');
});

test('the versions are versions', () => {
  expect(nvml.driverVersion()).toMatch(/^\d+\.\d+/);
  expect(nvml.nvmlVersion()).toMatch(/^\d+\.\d+/);
  expect(nvml.cudaDriverVersion()[0]).toBeGreaterThanOrEqual(11);
});

describe('each device', () => {
  const devices = needs.nvml().missing === undefined ? nvml.Device.all() : [];

  test('is found by all its names', () => {
    for (const device of devices) {
      const { uuid, busId, index } = device;
      expect(uuid).toMatch(/^GPU-[\da-f-]{36}$/);
      expect([new nvml.Device(uuid).index, new nvml.Device(busId).index]).toEqual([index, index]);
      const serial = answer(() => device.serial);
      if (serial !== undefined && /^\d{8,}$/.test(serial)) {
        expect(answer(() => new nvml.Device({ serial }).uuid) ?? uuid).toBe(uuid);
      }
    }
  });

  test('answers every property, or says that it has none', () => {
    const prototypes = [nvml.Device.prototype, Object.getPrototypeOf(nvml.Device.prototype) as object];
    const getters = prototypes.flatMap((prototype) => gettersOf(prototype));
    expect(getters.length).toBeGreaterThan(35);
    for (const device of devices) {
      for (const name of getters) answer(() => (device as unknown as Record<string, unknown>)[name]);
      for (const part of [device.clocks, device.power, device.pcie, device.ecc, device.accounting]) {
        for (const name of gettersOf(Object.getPrototypeOf(part) as object)) {
          answer(() => (part as unknown as Record<string, unknown>)[name]);
        }
      }
    }
  });

  test('has readings that can be', () => {
    for (const device of devices) {
      const {
        memory,
        utilization,
        pcie,
        clocksMHz: clocks,
        powerWatts,
        temperatureCelsius,
      } = device.snapshot({
        pcieThroughput: true,
      });
      if (memory) {
        expect(memory.totalBytes).toBeGreaterThan(2 ** 28);
        expect(memory.usedBytes + memory.freeBytes).toBeLessThanOrEqual(memory.totalBytes);
      }
      if (utilization) expect(utilization.gpuPercent).toBeLessThanOrEqual(100);
      if (powerWatts !== undefined) expect(powerWatts).toBeGreaterThan(1);
      if (powerWatts !== undefined) expect(powerWatts).toBeLessThan(3000);
      if (temperatureCelsius !== undefined) expect(temperatureCelsius).toBeLessThan(120);
      if (clocks.sm !== undefined) expect(clocks.sm).toBeLessThan(10_000);
      if (pcie.generation !== undefined) expect(pcie.generation).toBeLessThan(10);
    }
  });

  test('a snapshot is JSON', () => {
    for (const device of devices) {
      const snapshot = device.snapshot();
      expect(JSON.parse(JSON.stringify(snapshot))).toMatchObject({ uuid: device.uuid, name: device.name });
    }
  });

  test('methods answer too, or say that there is nothing', () => {
    for (const device of devices) {
      const { clocks, ecc, accounting } = device;
      for (const domain of ['graphics', 'sm', 'memory', 'video'] as const) {
        for (const read of ['currentMHz', 'maxMHz', 'applicationMHz', 'defaultApplicationMHz', 'boostMaxMHz'] as const)
          answer(() => clocks[read](domain));
      }
      const [memoryMHz] = answer(() => clocks.supportedMemoryMHz) ?? [];
      if (memoryMHz !== undefined) {
        expect(answer(() => clocks.supportedGraphicsMHz(memoryMHz))?.length ?? 1).toBeGreaterThan(0);
      }
      answer(() => clocks.violation('power'));
      answer(() => ecc.errors('corrected', 'volatile'));
      answer(() => ecc.errors('uncorrected', 'aggregate', 'dram'));
      answer(() => ecc.retiredPages('doubleBitEccError'));
      answer(() => accounting.pids());
      answer(() => device.temperatureThresholdCelsius('slowdown'));
      answer(() => device.processes());
      answer(() => device.migDevices());
      answer(() => device.processUtilization());
      for (const kind of ['powerWatts', 'gpuPercent', 'processorMHz'] as const) answer(() => device.samples(kind));
      for (const link of device.nvlinks()) {
        for (const name of [
          'active',
          'version',
          'capabilities',
          'remote',
          'errors',
          'bytesPerSecond',
          'txBytes',
        ] as const)
          answer(() => link[name]);
      }
      const fields = device.fieldValues(Object.values(nvml.FieldId));
      expect(fields.some(({ value }) => value !== undefined)).toBe(true);
      answer(() => device.onSameBoard(device));
      for (const other of devices) {
        if (other === device) continue;
        answer(() => device.commonAncestor(other));
        for (const can of ['read', 'write', 'nvlink', 'atomics'] as const) answer(() => device.p2pStatus(other, can));
      }
    }
  });

  test('energy and time go one way', async () => {
    const [device] = devices;
    const before = answer(() => device?.energyJoules);
    if (before === undefined) return;
    let now = before;
    await until('energy was used', () => {
      const last = now;
      now = device?.energyJoules ?? NaN;
      expect(now).toBeGreaterThanOrEqual(last);
      return now > before;
    });
  });

  test('an event set waits in vain, and leaves nothing', async () => {
    const [device] = devices;
    const types = answer(() => device?.supportedEvents) ?? [];
    if (!device || !types.includes('xidCriticalError')) return;
    {
      using set = answer(() => new nvml.EventSet());
      if (!set) return;
      set.register(device, ['xidCriticalError']);
      expect(set.wait(1)).toBeUndefined();
      expect(await set.next({ timeoutMs: 20, intervalMs: 5 })).toBeUndefined();
    }
    expect(nvml.liveObjects()).toEqual({});
  });
});

test('a device that is not there is an error', () => {
  expect(() => new nvml.Device(1000)).toThrow(RangeError);
  expect(() => new nvml.Device('GPU-00000000-0000-0000-0000-000000000000')).toThrow(nvml.NvmlError);
  expect(() => new nvml.Device('FFFF:FF:1F.0')).toThrow(nvml.NvmlError);
});

test('the driver has every function of the table, or says that it has not', () => {
  const bound = table() as unknown as Readonly<Record<string, unknown>>;
  for (const [name] of entriesOf(functions)) expect([name, typeof bound[name]]).toEqual([name, 'function']);
});

both.test('CUDA and NVML mean the same device', () => {
  const cuda = new CudaDevice(0);
  const device = new nvml.Device(cuda.busId);
  expect(device.name).toBe(cuda.name);
  expect(device.computeCapability).toEqual(cuda.computeCapability);
  expect(device.memory.totalBytes).toBeGreaterThanOrEqual(cuda.totalMemory);
});

both.test('what CUDA allocates is used memory', () => {
  const device = new CudaDevice(0);
  const { busId } = device;
  const used = (): number => new nvml.Device(busId).memory.usedBytes;
  const context = new Context(device);
  try {
    const before = used();
    const memory = memAlloc(ALLOCATED);
    const more = used() - before;
    memory.close();
    // Others may allocate or free something meanwhile.
    expect(more).toBeGreaterThan(ALLOCATED / 2);
    expect(used() - before).toBeLessThan(ALLOCATED / 2);
  } finally {
    context.close();
  }
});
