import { MAKER } from '../core/maker.ts';
import { PlatformInfo } from '../opencl/sys/enums.ts';
import { object } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments } from './failure.ts';
import { asking, type GetInfo } from './info.ts';
import { CLPlatformId } from './objects.ts';

const platformOf = object('CLPlatformId');

/** The OpenCL implementations: those that are installed, then the embedded CPU device's. */
export function getPlatformIDs(): CLPlatformId[] {
  const count = new Uint32Array(1);
  cl.clGetPlatformIDs(0, 0n, count);
  const ids = new BigUint64Array(count[0] ?? 0);
  cl.clGetPlatformIDs(ids.length, ids, 0n);
  return Array.from(ids, (id) => new CLPlatformId(MAKER, id));
}

/** A property of a platform: `cl.PLATFORM_NAME`. */
export const getPlatformInfo: GetInfo<CLPlatformId> = asking('CLPlatformId', 'clGetPlatformInfo', [PlatformInfo]);

/** Let a platform free the memory of its compiler. */
export function unloadPlatformCompiler(...args: [platform: CLPlatformId]): 0 {
  expectArguments(args, 1);
  return cl.clUnloadPlatformCompiler(platformOf(args[0], 0)) as 0;
}

/** Let the first platform free the memory of its compiler, by OpenCL 1.1's function. */
export function unloadCompiler(): 0 {
  return cl.clUnloadCompiler() as 0;
}
