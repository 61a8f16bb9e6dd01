import { status } from '../../opencl/sys/enums.ts';

// Versions, booleans and sizes.

export const SUCCESS: (typeof status.CL_SUCCESS)[0] = status.CL_SUCCESS[0];
export const VERSION_1_0 = 1;
export const VERSION_1_1 = 1;
export const VERSION_1_2 = 1;
export const FALSE = 0;
export const TRUE = 1;
export const BLOCKING = 1;
export const NON_BLOCKING = 0;

export const v10 = true;
export const v11 = true;
export const v12 = true;
/** Whether the module supports OpenCL 1.2. */
export const CL_VERSION_1_2 = true;

/** Bytes of C's types on the device. */
export const size_CHAR = 1;
export const size_SHORT = 2;
export const size_INT = 4;
export const size_LONG = 8;
export const size_FLOAT = 4;
export const size_DOUBLE = 8;
export const size_HALF = 2;
