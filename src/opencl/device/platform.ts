import { describeFacts, PublicObject } from '../../core/public-object.ts';
import { checkNumber } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { deviceOf, type Device } from './device.ts';
import {
  defineInfo,
  readInfo,
  type InfoKind,
  type InfoKinds,
  type InfoOf,
  type InfoProperties,
  type InfoValue,
} from '../info.ts';
import { perTable } from '../selection.ts';
import { DeviceInfo, DeviceType, PlatformInfo } from '../sys/enums.ts';

type RawPlatform = Opaque<'cl_platform_id'>;

const known = perTable(() => new Map<bigint, Platform>());

/** The driver's queries of a platform as properties: `platform.version`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the properties are made from the table */
export interface Platform extends InfoProperties<typeof PlatformInfo> {}

/**
 * One OpenCL implementation, with its devices. Every query of the header is a property.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetPlatformInfo.html | clGetPlatformInfo}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Platform extends PublicObject {
  /** The driver's handle. It is good for the life of the process. */
  readonly raw: RawPlatform;
  #version: readonly [major: number, minor: number] | undefined;

  /** @internal */
  constructor(maker: Maker, raw: RawPlatform) {
    checkMade(maker === MAKER, 'Platform', 'call getPlatforms()');
    super();
    this.raw = raw;
  }

  /**
   * The platform's devices of a type.
   *
   * @param type - a bit of {@link DeviceType}; default: all
   * @returns none where none is of that type, or the platform does not know it
   */
  getDevices(type: number = DeviceType.ALL): Device[] {
    checkNumber(type, 'Platform.getDevices: the type', 1, DeviceType.ALL);
    const count = new Uint32Array(1);
    if (cl.clGetDeviceIDs(this.raw, type, 0, 0n, count) !== 0 || count[0] === 0) return [];
    const ids = new BigUint64Array(count[0] ?? 0);
    cl.clGetDeviceIDs(this.raw, type, ids.length, ids, 0n);
    return Array.from(ids, (id) => deviceOf(id as Opaque<'cl_device_id'>, this));
  }

  /**
   * Ask the driver for a property, by its name or by any number with the kind of the answer.
   *
   * @throws {@link OpenCLLogicError} CL_INVALID_VALUE: the driver does not know it
   */
  getInfo<Name extends PlatformInfo>(name: Name): InfoOf<typeof PlatformInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: PlatformInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(PlatformInfo, cl.clGetPlatformInfo.bind(undefined, this.raw), name, kind, 'Platform');
  }

  /** Whether the platform's OpenCL version is at least this one. */
  atLeast(major: number, minor: number): boolean {
    checkNumber(major, 'Platform.atLeast: major');
    checkNumber(minor, 'Platform.atLeast: minor');
    const [own, ownMinor] = (this.#version ??= this.#readVersion());
    return own > major || (own === major && ownMinor >= minor);
  }

  /**
   * Tell the platform that its compiler is not needed for a while: it may free what that takes. A later build loads it
   * again.
   *
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clUnloadPlatformCompiler.html | clUnloadPlatformCompiler}
   */
  unloadCompiler(): void {
    cl.clUnloadPlatformCompiler(this.raw);
  }

  /** Read when it is wanted: whoever only counts the platforms does not load the embedded one. */
  #readVersion(): readonly [major: number, minor: number] {
    const [, major = '1', minor = '0'] = /^OpenCL (\d+)\.(\d+)/.exec(this.getInfo('VERSION')) ?? [];
    return [Number(major), Number(minor)];
  }
}
describeFacts(Platform, ({ name }) => ({ name }));
defineInfo(Platform.prototype, PlatformInfo);

/** The object of a device that another library tells of. */
export function deviceOfHandle(raw: Device['raw']): Device {
  const query = cl.clGetDeviceInfo.bind(undefined, raw);
  const platform = readInfo(DeviceInfo, query, 'PLATFORM', undefined, 'Device') as RawPlatform;
  return deviceOf(raw, platformOf(platform));
}

/** The object of a platform: one for each. */
function platformOf(raw: RawPlatform): Platform {
  let platform = known().get(raw);
  if (!platform) known().set(raw, (platform = new Platform(MAKER, raw)));
  return platform;
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
