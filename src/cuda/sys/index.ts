export { functions as driverFunctions } from './driver.ts';
export { functions as nvrtcFunctions } from './nvrtc.ts';
export { functions as nvtxFunctions, nvtxStructs, NvtxValue } from './nvtx.ts';
export * from './enums.ts';
export * from './structs.ts';
export { driver, nvrtc, nvtx } from '../select.ts';
export type { DriverTable, NvrtcTable, NvtxTable } from '../select.ts';
export { LibraryNotFoundError } from '../../core/errors.ts';
export type { Bound } from '../../ffi/prototype.ts';
