import type { Bound } from '../../ffi/prototype.ts';
import type { functions as driverFunctions } from './driver.ts';
import type { functions as nvJitLinkFunctions } from '../libraries/nvjitlink/functions.ts';
import type { functions as nvrtcFunctions } from './nvrtc.ts';
import type { functions as nvtxFunctions } from '../libraries/nvtx/functions.ts';
import type { functions as nvvmFunctions } from '../libraries/nvvm/functions.ts';

/** The CUDA driver's functions: those of the installed driver, or of the embedded device. */
export type DriverTable = Bound<typeof driverFunctions>;

/** NVRTC's functions. */
export type NvrtcTable = Bound<typeof nvrtcFunctions>;

/** nvJitLink's functions. */
export type NvJitLinkTable = Bound<typeof nvJitLinkFunctions>;

/** libNVVM's functions. */
export type NvvmTable = Bound<typeof nvvmFunctions>;

/** NVTX's functions. */
export type NvtxTable = Bound<typeof nvtxFunctions>;
