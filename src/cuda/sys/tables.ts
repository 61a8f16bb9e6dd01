import type { Bound } from '../../ffi/prototype.ts';
import type { functions as driverFunctions } from './driver.ts';
import type { functions as nvrtcFunctions } from './nvrtc.ts';

/** The CUDA driver's functions: those of the installed driver, or of the embedded device. */
export type DriverTable = Bound<typeof driverFunctions>;

/** NVRTC's functions. */
export type NvrtcTable = Bound<typeof nvrtcFunctions>;
