import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { readInfo } from '../info.ts';
import { DeviceInfo } from '../sys/enums.ts';
import { deviceOf, platformOf, type Device, type Platform } from './device.ts';

type RawPlatform = Opaque<'cl_platform_id'>;

/** The object of a device of another library. */
export function deviceOfHandle(raw: Device['raw']): Device {
  const query = cl.clGetDeviceInfo.bind(undefined, raw);
  const platform = readInfo(DeviceInfo, query, 'PLATFORM', undefined, 'Device') as RawPlatform;
  return deviceOf(raw, platformOf(platform));
}

/**
 * The OpenCL implementations: those that are installed, in the loader's order, then the embedded CPU device's. With
 * `RAWKERNEL_DEVICE=cpu` only the latter, with `gpu` only the installed ones.
 *
 * @throws {@link LibraryNotFoundError} there is an OpenCL loader that cannot be loaded, or none and RAWKERNEL_DEVICE=gpu
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * for (const platform of cl.getPlatforms()) {
 *   for (const device of platform.getDevices()) console.log(platform.name, device.name, device.maxComputeUnits);
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetPlatformIDs.html | clGetPlatformIDs}
 */
export function getPlatforms(): Platform[] {
  const count = new Uint32Array(1);
  if (cl.clGetPlatformIDs(0, 0n, count) !== 0 || count[0] === 0) return [];
  const ids = new BigUint64Array(count[0] ?? 0);
  cl.clGetPlatformIDs(ids.length, ids, 0n);
  return Array.from(ids, (id) => platformOf(id as RawPlatform));
}
