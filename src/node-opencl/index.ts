export * from './flat.ts';
// A program written for node-opencl has the whole module as one value: by require, or as the default import.
export {
  nodeOpenCL as default,
  nodeOpenCL as 'module.exports',
  withOptions,
  type NodeOpenCL,
  type NodeOpenCLOptions,
  type StrictVersion,
} from './module.ts';
export type { BuildCallback } from './build.ts';
export type { ContextProperties } from './context.ts';
export type { ImageDescription, ImageFormat } from './image.ts';
export type { GetInfo, Pair } from './info.ts';
export type { MappedBuffer } from './map.ts';
export type { End, EnqueueFunction, EventOr0 } from './submit.ts';
export type {
  CLCommandQueue,
  CLContext,
  CLDeviceId,
  CLEvent,
  CLKernel,
  CLMem,
  CLPlatformId,
  CLProgram,
  CLProgramBinary,
  CLSampler,
} from './objects.ts';
