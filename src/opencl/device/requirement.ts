import { OpenCLError } from '../errors.ts';

/** The queries of a platform; a Platform has them. */
interface Aged {
  readonly name: string;
  readonly version: string;
  atLeast(major: number, minor: number): boolean;
}

/** The queries of a device; a Device has them. */
interface Extended {
  readonly name: string;
  hasExtension(name: string): boolean;
  getInfo(name: 'EXTENSIONS_WITH_VERSION'): readonly { readonly name: string; readonly version: string }[];
}

/**
 * Refuse an operation that a platform is too old for.
 *
 * @throws Error the platform is older; the message names the version
 */
export function requireVersion(platform: Aged, major: number, minor: number, what: string): void {
  if (platform.atLeast(major, minor)) return;
  throw new Error(`${what} needs OpenCL ${major}.${minor}; ${platform.name} has ${platform.version}`);
}

/**
 * Refuse an operation that needs an extension, on a device without it.
 *
 * @throws Error the device lacks the extension; the message names it
 */
export function requireExtension(device: Extended, extension: string, what: string): void {
  if (device.hasExtension(extension)) return;
  throw new Error(`${what} needs ${extension}, which ${device.name} does not have`);
}

/** Whether a device has a version of an extension or a later one; undefined where the device does not report a version. */
export function hasExtensionVersion(
  device: Extended,
  extension: string,
  wanted: readonly number[],
): boolean | undefined {
  let version: string | undefined;
  try {
    version = device.getInfo('EXTENSIONS_WITH_VERSION').find(({ name }) => name === extension)?.version;
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
  }
  if (version === undefined) return undefined;
  const parts = version.split('.').map(Number);
  const at = wanted.findIndex((number, i) => parts[i] !== number);
  return at < 0 || (parts[at] ?? 0) > (wanted[at] ?? 0);
}
