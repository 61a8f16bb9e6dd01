import { afterEach, expect, test } from '@jest/globals';
import { camelCase } from '../../../../src/core/names.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CudaLogicError, CudaRuntimeError } from '../../../../src/cuda/errors.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { DeviceAttribute } from '../../../../src/cuda/sys/enums.ts';
import { fakeDriver } from '../../../helpers/fake-driver.ts';

const fake = fakeDriver();
useTables({ driver: fake.table });

afterEach(() => {
  fake.fail.clear();
  fake.devices = 1;
});

test('Device.count() is the number of devices', () => {
  fake.devices = 3;
  expect(Device.count()).toBe(3);
});

test('Device.count() reports a driver that does not start', () => {
  fake.fail.set('cuDeviceGetCount', 100);
  expect(() => Device.count()).toThrow(CudaRuntimeError);
  expect(() => Device.count()).toThrow(/CUDA_ERROR_NO_DEVICE\nCheck nvidia-smi and CUDA_VISIBLE_DEVICES/);
});

test('Device.count() reports a cuInit that fails, each time', () => {
  const broken = fakeDriver();
  broken.fail.set('cuInit', 803);
  useTables({ driver: broken.table });
  expect(() => Device.count()).toThrow(/cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH\nReboot/);
  expect(() => new Device(0)).toThrow(CudaRuntimeError);
  broken.fail.clear();
  expect(Device.count()).toBe(1);
  useTables({ driver: fake.table });
});

test('Device.isEmbedded tells the embedded device from every other driver', () => {
  expect(new Device(0).isEmbedded).toBe(false);
});

test('new Device() names one by number or by PCI bus id', () => {
  fake.devices = 2;
  expect([new Device().ordinal, new Device(1).ordinal, new Device('0000:01:00.0').ordinal]).toEqual([0, 1, 0]);
});

test('new Device() beyond the last says how many there are', () => {
  expect(() => new Device(1)).toThrow(new RangeError('There is no CUDA device 1; this machine has one, device 0'));
  fake.devices = 2;
  expect(() => new Device(2)).toThrow(new RangeError('There is no CUDA device 2; this machine has 2, devices 0 to 1'));
});

test('new Device() without any device says so', () => {
  fake.devices = 0;
  expect(() => new Device(0)).toThrow(new RangeError('There is no CUDA device on this machine'));
});

test.each([-1, 0.5, NaN])('new Device(%p) is a RangeError', (which) => {
  expect(() => new Device(which)).toThrow(RangeError);
});

test.each([null, {}, true, 1n, 'a\0b'])('new Device(%p) is a TypeError', (which) => {
  expect(() => new Device(which as never)).toThrow(TypeError);
});

test('new Device() of an unknown PCI bus id is CUDA_ERROR_INVALID_VALUE', () => {
  expect(() => new Device('nowhere')).toThrow(CudaLogicError);
});

test('name, uuid, busId, computeCapability and totalMemory are asked of the driver', () => {
  const device = new Device(0);
  expect(device.name).toBe('Fake GPU');
  expect(device.uuid).toBe('GPU-abababab-abab-abab-abab-abababababab');
  expect(device.busId).toBe('0000:01:00.0');
  expect(device.computeCapability).toEqual([8, 0]);
  expect(device.totalMemory).toBe(2 ** 30);
});

test('getAttribute() takes a number or a name', () => {
  const device = new Device(0);
  expect([device.getAttribute('WARP_SIZE'), device.getAttribute(DeviceAttribute.WARP_SIZE)]).toEqual([32, 32]);
});

test('attributes are properties', () => {
  const device = new Device(0);
  expect([device.warpSize, device.maxThreadsPerBlock, device.maxBlockDimZ]).toEqual([32, 1024, 64]);
});

test('every attribute has a property', () => {
  const missing = Object.keys(DeviceAttribute).filter((name) => !(camelCase(name) in Device.prototype));
  expect(missing).toEqual([]);
});

test('getAttributes() gives the attributes that the driver knows', () => {
  const attributes = new Device(0).getAttributes();
  expect(attributes).toMatchObject({ WARP_SIZE: 32, MAX_BLOCK_DIM_X: 1024 });
  expect(attributes).not.toHaveProperty('TOTAL_CONSTANT_MEMORY');
});

test('getAttributes() throws another failure', () => {
  fake.fail.set('cuDeviceGetAttribute', 101);
  expect(() => new Device(0).getAttributes()).toThrow(CudaLogicError);
});

test.each(['warpSize', 'toString', '', undefined, null, {}])('getAttribute(%p) is a TypeError', (attribute) => {
  expect(() => new Device(0).getAttribute(attribute as never)).toThrow(TypeError);
  expect(() => new Device(0).getAttribute(attribute as never)).toThrow(/There is no device attribute/);
});

test.each([0.5, NaN, 2 ** 40])('getAttribute(%p) is a RangeError', (attribute) => {
  expect(() => new Device(0).getAttribute(attribute as never)).toThrow(RangeError);
});

test('an attribute that the driver does not know is CUDA_ERROR_INVALID_VALUE', () => {
  expect(() => new Device(0).getAttribute(9999 as never)).toThrow(
    expect.objectContaining({ code: 'CUDA_ERROR_INVALID_VALUE' }),
  );
});

test('canAccessPeer() asks about two devices', () => {
  fake.devices = 2;
  expect(new Device(0).canAccessPeer(new Device(1))).toBe(false);
});

test.each([1, undefined, null, {}])('canAccessPeer(%p) is a TypeError', (peer) => {
  expect(() => new Device(0).canAccessPeer(peer as never)).toThrow(/canAccessPeer takes a Device, got .*/);
});
