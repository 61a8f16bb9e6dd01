import type { CLDeviceId, CLPlatformId } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import { cl } from './exception.ts';
import { answer, extensionsOf } from './object.ts';

/** An OpenCL implementation. */
export class WebCLPlatform {
  /** @internal */
  readonly handle: CLPlatformId;

  /** @internal */
  constructor(handle: CLPlatformId) {
    this.handle = handle;
  }

  /** A property: `webcl.PLATFORM_NAME`. */
  getInfo(name: number): unknown {
    return answer(name, { prefix: /^PLATFORM_/ }, (asked) => cl.getPlatformInfo(this.handle, asked));
  }

  /**
   * The devices of a type. Default: all
   *
   * @throws {@link WebCLException} DEVICE_NOT_FOUND: there is none
   */
  getDevices(deviceType: number = constants.DEVICE_TYPE_ALL): WebCLDevice[] {
    return cl.getDeviceIDs(this.handle, deviceType).map((handle) => new WebCLDevice(handle, this));
  }

  /** WebCL's names of the extensions there are. */
  getSupportedExtensions(): string[] {
    return extensionsOf(String(cl.getPlatformInfo(this.handle, constants.PLATFORM_EXTENSIONS)));
  }

  /** Whether there is an extension: what there is, is on. */
  enableExtension(extensionName: string): boolean {
    return this.getSupportedExtensions().includes(extensionName);
  }
}

/** A device. */
export class WebCLDevice {
  /** @internal */
  readonly handle: CLDeviceId;
  /** @internal */
  readonly platform: WebCLPlatform;

  /** @internal */
  constructor(handle: CLDeviceId, platform: WebCLPlatform) {
    this.handle = handle;
    this.platform = platform;
  }

  /** A property: `webcl.DEVICE_NAME`. */
  getInfo(name: number): unknown {
    const own = { [constants.DEVICE_PLATFORM]: () => this.platform };
    return answer(name, { prefix: /^DEVICE_(?!TYPE_)|^DRIVER_/, own }, (asked) => cl.getDeviceInfo(this.handle, asked));
  }

  /** WebCL's names of the extensions there are. */
  getSupportedExtensions(): string[] {
    return extensionsOf(String(cl.getDeviceInfo(this.handle, constants.DEVICE_EXTENSIONS)));
  }

  /** Whether there is an extension: what there is, is on. */
  enableExtension(extensionName: string): boolean {
    return this.getSupportedExtensions().includes(extensionName);
  }
}
