import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { PlatformInfo } from '../../opencl/sys/enums.ts';
import { answerList, infoQuery } from './answer.ts';
import { Code } from './code.ts';
import { allExtensions } from './host-extensions.ts';
import { PLATFORM_NAME, VENDOR, VERSION } from './identity.ts';
import { packVersion } from './limits.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clGetPlatformIDs'
  | 'clGetPlatformInfo'
  | 'clGetExtensionFunctionAddress'
  | 'clGetExtensionFunctionAddressForPlatform'
  | 'clUnloadPlatformCompiler'
  | 'clUnloadCompiler';

const ask = infoQuery<typeof PlatformInfo, OpenCLState>(PlatformInfo, {
  PROFILE: () => 'FULL_PROFILE',
  VERSION: () => VERSION,
  NAME: () => PLATFORM_NAME,
  VENDOR: () => VENDOR,
  EXTENSIONS: ({ compiler }) =>
    allExtensions(compiler.extensions)
      .map(({ name }) => name)
      .join(' '),
  HOST_TIMER_RESOLUTION: () => 1,
  NUMERIC_VERSION: () => packVersion(3, 0),
  EXTENSIONS_WITH_VERSION: ({ compiler }) => allExtensions(compiler.extensions),
  ICD_SUFFIX_KHR: () => undefined,
});

/** The only platform. */
export const platformFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clGetPlatformIDs: (state, count, list, countOut) => answerList([state.platform], count, list, countOut),
  // NULL names the first platform, which is the only one.
  clGetPlatformInfo: (state, handle, param, size, value, sizeOut) =>
    handle === 0n || handle === state.platform ? ask(state, param, size, value, sizeOut) : Code.INVALID_PLATFORM,
  clGetExtensionFunctionAddress: () => 0n,
  clGetExtensionFunctionAddressForPlatform: () => 0n,
  // The compiler's process ends by itself when it is idle.
  clUnloadPlatformCompiler: known,
  clUnloadCompiler: () => Code.SUCCESS,
};

function known(state: OpenCLState, handle: bigint): number {
  return handle === state.platform ? Code.SUCCESS : Code.INVALID_PLATFORM;
}
