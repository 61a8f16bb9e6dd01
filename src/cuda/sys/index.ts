export { functions as driverFunctions } from './driver.ts';
export { functions as nvrtcFunctions } from './nvrtc.ts';
export * from './enums.ts';
export * from './structs.ts';
