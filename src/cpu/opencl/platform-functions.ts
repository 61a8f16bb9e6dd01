import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { PlatformInfo } from '../../opencl/sys/enums.ts';
import { answerList, infoQuery } from './answer.ts';
import { Code } from './code.ts';
import { allExtensions } from './host-extensions.ts';
import { PLATFORM_NAME, VENDOR, VERSION } from './identity.ts';
import { packVersion } from './limits.ts';
import type { OpenCLState } from './state.ts';

type Names =
  | 'clGetPlatformIDs'
  | 'clGetPlatformInfo'
  | 'clGetExtensionFunctionAddress'
  | 'clGetExtensionFunctionAddressForPlatform'
  | 'clUnloadPlatformCompiler'
  | 'clUnloadCompiler';

/** The one platform that there is. */
export function platformFunctions(state: OpenCLState): Pick<OpenCLTable, Names> {
  const extensions = allExtensions(state.compiler.extensions);
  const ask = infoQuery(PlatformInfo, {
    PROFILE: () => 'FULL_PROFILE',
    VERSION: () => VERSION,
    NAME: () => PLATFORM_NAME,
    VENDOR: () => VENDOR,
    EXTENSIONS: () => extensions.map(({ name }) => name).join(' '),
    HOST_TIMER_RESOLUTION: () => 1,
    NUMERIC_VERSION: () => packVersion(3, 0),
    EXTENSIONS_WITH_VERSION: () => extensions,
    ICD_SUFFIX_KHR: () => undefined,
  });
  const known = (handle: bigint): number => (handle === state.platform ? Code.SUCCESS : Code.INVALID_PLATFORM);

  return {
    clGetPlatformIDs: (count, list, countOut) => answerList([state.platform], count, list, countOut),
    // NULL is the first platform, of which there is one.
    clGetPlatformInfo: (handle, param, size, value, sizeOut) =>
      handle === 0n || handle === state.platform ? ask(state, param, size, value, sizeOut) : Code.INVALID_PLATFORM,
    clGetExtensionFunctionAddress: () => 0n,
    clGetExtensionFunctionAddressForPlatform: () => 0n,
    // The compiler goes by itself when nobody needs it.
    clUnloadPlatformCompiler: known,
    clUnloadCompiler: () => Code.SUCCESS,
  };
}
