import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { nameOf } from '../core/check.ts';
import { CLObject } from '../node-opencl/handle.ts';
import type { CLDeviceId, CLPlatformId } from '../node-opencl/objects.ts';
import { perTable } from '../opencl/selection.ts';
import { constants } from './constants.ts';
import { cl, WebCLException } from './exception.ts';
import { answer, extensionsOf } from './object.ts';

const platforms = perTable(() => new Map<bigint, WebCLPlatform>());
const devices = perTable(() => new Map<bigint, WebCLDevice>());

/** An OpenCL implementation. Each query returns the same object. */
export class WebCLPlatform extends PublicObject {
  /** @internal */
  readonly handle: CLPlatformId;

  /** @internal */
  constructor(maker: Maker, handle: CLPlatformId) {
    super();
    checkMade(maker === MAKER, 'WebCLPlatform', 'call webcl.getPlatforms()');
    this.handle = handle;
  }

  /** @internal */
  static of(handle: CLPlatformId): WebCLPlatform {
    return kept(platforms(), CLObject.raw(handle, 'CLPlatformId'), () => new WebCLPlatform(MAKER, handle));
  }

  /** A property: `webcl.PLATFORM_NAME`. Version and profile are WebCL's, followed by OpenCL's. */
  getInfo(name: number): unknown {
    const ask = (asked: number): unknown => cl.getPlatformInfo(this.handle, asked);
    const own = {
      [constants.PLATFORM_PROFILE]: () => profileOf(ask(constants.PLATFORM_PROFILE)),
      [constants.PLATFORM_VERSION]: () => versionOf('WebCL 1.0', ask(constants.PLATFORM_VERSION)),
    };
    return answer(name, { prefix: /^PLATFORM_/, own }, ask);
  }

  /**
   * The devices of a type. Default: all
   *
   * @throws {@link WebCLException} DEVICE_NOT_FOUND: there is no such device; INVALID_DEVICE_TYPE
   */
  getDevices(deviceType: number | null = constants.DEVICE_TYPE_ALL): WebCLDevice[] {
    const type = checkDeviceType(deviceType ?? constants.DEVICE_TYPE_ALL);
    return cl.getDeviceIDs(this.handle, type).map((handle) => WebCLDevice.of(handle, this));
  }

  /** WebCL's names of the supported extensions. */
  getSupportedExtensions(): string[] {
    return extensionsOf(String(cl.getPlatformInfo(this.handle, constants.PLATFORM_EXTENSIONS)));
  }

  /** Whether the extension is supported; a supported extension is always enabled. */
  enableExtension(extensionName: string): boolean {
    return this.getSupportedExtensions().includes(extensionName);
  }
}

/** A device. Each query returns the same object. */
export class WebCLDevice extends PublicObject {
  /** @internal */
  readonly handle: CLDeviceId;
  /** @internal */
  readonly platform: WebCLPlatform;

  /** @internal */
  constructor(maker: Maker, handle: CLDeviceId, platform: WebCLPlatform) {
    super();
    checkMade(maker === MAKER, 'WebCLDevice', 'call platform.getDevices()');
    this.handle = handle;
    this.platform = platform;
  }

  /** @internal */
  static of(handle: CLDeviceId, platform: WebCLPlatform): WebCLDevice {
    return kept(devices(), CLObject.raw(handle, 'CLDeviceId'), () => new WebCLDevice(MAKER, handle, platform));
  }

  /** A property: `webcl.DEVICE_NAME`. Versions and profile are WebCL's, followed by OpenCL's. */
  getInfo(name: number): unknown {
    const ask = (asked: number): unknown => cl.getDeviceInfo(this.handle, asked);
    const own = {
      [constants.DEVICE_PLATFORM]: () => this.platform,
      [constants.DEVICE_PROFILE]: () => profileOf(ask(constants.DEVICE_PROFILE)),
      [constants.DEVICE_VERSION]: () => versionOf('WebCL 1.0', ask(constants.DEVICE_VERSION)),
      [constants.DEVICE_OPENCL_C_VERSION]: () => versionOf('WebCL C 1.0', ask(constants.DEVICE_OPENCL_C_VERSION)),
    };
    return answer(name, { prefix: /^DEVICE_(?!TYPE_)|^DEVICE_TYPE$|^DRIVER_/, own }, ask);
  }

  /** WebCL's names of the supported extensions. */
  getSupportedExtensions(): string[] {
    return extensionsOf(String(cl.getDeviceInfo(this.handle, constants.DEVICE_EXTENSIONS)));
  }

  /** Whether the extension is supported; a supported extension is always enabled. */
  enableExtension(extensionName: string): boolean {
    return this.getSupportedExtensions().includes(extensionName);
  }
}

const { DEVICE_TYPE_DEFAULT, DEVICE_TYPE_CPU, DEVICE_TYPE_GPU, DEVICE_TYPE_ACCELERATOR, DEVICE_TYPE_ALL } = constants;
const TYPES: readonly unknown[] = [
  DEVICE_TYPE_DEFAULT,
  DEVICE_TYPE_CPU,
  DEVICE_TYPE_GPU,
  DEVICE_TYPE_ACCELERATOR,
  DEVICE_TYPE_ALL,
];

/** Refuse a value that is not a device type. */
export function checkDeviceType(value: unknown): number {
  if (TYPES.includes(value)) return value as number;
  throw new WebCLException('INVALID_DEVICE_TYPE', 'The device type must be one of webcl.DEVICE_TYPE_…');
}

/** The handle of a device; refuses other values. */
export function deviceHandle(value: unknown): CLDeviceId {
  if (value instanceof WebCLDevice) return value.handle;
  throw new WebCLException('INVALID_DEVICE', `The device must be a WebCLDevice, got ${nameOf(value)}`);
}

function kept<T>(known: Map<bigint, T>, raw: bigint, make: () => T): T {
  let found = known.get(raw);
  if (found === undefined) known.set(raw, (found = make()));
  return found;
}

function profileOf(profile: unknown): string {
  return `WEBCL_PROFILE ${String(profile)}`;
}

function versionOf(own: string, version: unknown): string {
  return `${own} ${String(version)}`;
}
