import { checkInteger } from '../../core/check.ts';
import type { Context } from './context.ts';
import type { Device } from './device.ts';
import { requireExtension } from './requirement.ts';
import { unsupported } from '../extension.ts';

/** A query of a device for the types of handles that it imports or exports. */
type TypesQuery =
  'SEMAPHORE_IMPORT_HANDLE_TYPES_KHR' | 'SEMAPHORE_EXPORT_HANDLE_TYPES_KHR' | 'EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR';

/** The number of an open file, a semaphore or memory in this process. */
export function checkDescriptor(value: unknown, what: string): number {
  return checkInteger(value, `${what}: the file descriptor`, 0, 0x7fff_ffff);
}

/**
 * Refuse a type of handle that a device does not know.
 *
 * @throws Error the device does not have the extension
 * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: the device does not know the type
 */
export function requireHandleType(
  device: Device,
  extension: string,
  query: TypesQuery,
  [name, type]: readonly [name: string, type: number],
  what: string,
): void {
  requireExtension(device, extension, what);
  if (device.getInfo(query).includes(type)) return;
  throw unsupported(what, `${device.name} has ${extension}, but not for ${name}`);
}

/** The devices of a context that a shared object is for: one of them, or all. */
export function contextDevices(context: Context, device: Device | undefined): readonly Device[] {
  if (device === undefined) return context.devices;
  if (!context.devices.includes(device)) throw new TypeError("The device must be one of the context's");
  return [device];
}

/** The device that a shared object is for: drivers require it where a context has several. */
export function deviceList(device: Device | undefined, property: number): bigint[] {
  return device === undefined ? [] : [BigInt(property), device.raw, 0n];
}
