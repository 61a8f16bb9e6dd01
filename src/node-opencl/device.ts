import { MAKER } from '../core/maker.ts';
import { DeviceInfo, DeviceType } from '../opencl/sys/enums.ts';
import { DEVICE_SPIR_VERSIONS } from './constants/device.ts';
import { array, device as deviceOf, int, object, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject } from './handle.ts';
import { asking, pair, plainText, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { CLDeviceId, isWhole, retained, type CLPlatformId } from './objects.ts';

const PAIRS = [
  'GLOBAL_MEM_CACHE_SIZE',
  'GLOBAL_MEM_SIZE',
  'LOCAL_MEM_SIZE',
  'MAX_CONSTANT_BUFFER_SIZE',
  'MAX_MEM_ALLOC_SIZE',
] as const;

const READERS: Readers = readers(
  [DEVICE_SPIR_VERSIONS, plainText],
  ...PAIRS.map((name) => [DeviceInfo[name][0] as number, pair] as const),
  [DeviceInfo.PLATFORM[0], wrapped(retained.platform)],
  [DeviceInfo.PARENT_DEVICE[0], wrapped(retained.device)],
);

/** The devices of a platform. */
export function getDeviceIDs(...args: [platform: CLPlatformId, type?: number | null]): CLDeviceId[] {
  expectArguments(args, 1);
  const platform = object('CLPlatformId')(args[0], 0);
  const type = uint(args[1] ?? DeviceType.ALL, 1);
  const count = new Uint32Array(1);
  cl.clGetDeviceIDs(platform, type, 0, 0n, count);
  const ids = new BigUint64Array(count[0] ?? 0);
  cl.clGetDeviceIDs(platform, type, ids.length, ids, 0n);
  return Array.from(ids, (id) => new CLDeviceId(MAKER, id));
}

/** A property of a device: `cl.DEVICE_NAME`. Sizes of memory are pairs of 32 bits. */
export const getDeviceInfo: GetInfo<CLDeviceId> = asking('CLDeviceId', 'clGetDeviceInfo', [DeviceInfo], READERS);

/** Sub-devices of a device: `[cl.DEVICE_PARTITION_EQUALLY, 2]`. */
export function createSubDevices(...args: [device: CLDeviceId, properties: readonly number[]]): CLDeviceId[] {
  expectArguments(args, 2);
  const device = deviceOf(args[0], 0);
  // A list of counts has a final 0 of its own.
  const properties = BigInt64Array.from([...array(args[1], 1), 0, 0], (value) => BigInt(int(value, 1)));
  const count = new Uint32Array(1);
  cl.clCreateSubDevices(device, properties, 0, 0n, count);
  const ids = new BigUint64Array(count[0] ?? 0);
  cl.clCreateSubDevices(device, properties, ids.length, ids, 0n);
  return Array.from(ids, (id) => new CLDeviceId(MAKER, id, { owns: true }));
}

/** Retain a sub-device. */
export function retainDevice(...args: [device: CLDeviceId]): 0 {
  expectArguments(args, 1);
  refuseWhole(args[0]);
  return CLObject.retain(args[0], 'CLDeviceId');
}

/** Release a sub-device. */
export function releaseDevice(...args: [device: CLDeviceId]): 0 {
  expectArguments(args, 1);
  if (CLObject.isOwner(args[0])) return CLObject.release(args[0], 'CLDeviceId');
  refuseWhole(args[0]);
  return CLObject.release(args[0], 'CLDeviceId');
}

function refuseWhole(device: CLDeviceId): void {
  deviceOf(device, 0);
  if (isWhole(device)) throw failure('CL_INVALID_DEVICE', new Error('Only sub-devices have a reference count'));
}
