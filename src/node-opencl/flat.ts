export * from './constants/context.ts';
export * from './constants/device.ts';
export * from './constants/error.ts';
export * from './constants/memory.ts';
export * from './constants/opencl-2.ts';
export * from './constants/program.ts';
export * from './constants/version.ts';
export { buildProgram, compileProgram, linkProgram } from './build.ts';
export { createContext, createContextFromType, getContextInfo } from './context.ts';
export * from './copy.ts';
export { createSubDevices, getDeviceIDs, getDeviceInfo, releaseDevice, retainDevice } from './device.ts';
export {
  createUserEvent,
  getEventInfo,
  getEventProfilingInfo,
  setEventCallback,
  setUserEventStatus,
  waitForEvents,
} from './event.ts';
export * from './fill.ts';
export { createImage, createImage2D, getImageInfo, getSupportedImageFormats } from './image.ts';
export {
  createKernel,
  createKernelsInProgram,
  getKernelArgInfo,
  getKernelInfo,
  getKernelWorkGroupInfo,
} from './kernel.ts';
export { setKernelArg } from './kernel-argument.ts';
export * from './launch.ts';
export { enqueueMapBuffer, enqueueMapImage, enqueueUnmapMemObject } from './map.ts';
export { createBuffer, createSubBuffer, getMemObjectInfo } from './memory.ts';
export { createPipe, getPipeInfo } from './pipe.ts';
export { getPlatformIDs, getPlatformInfo, unloadCompiler, unloadPlatformCompiler } from './platform.ts';
export {
  createProgramWithBinary,
  createProgramWithBuiltInKernels,
  createProgramWithSource,
  getProgramBuildInfo,
  getProgramInfo,
} from './program.ts';
export { createCommandQueue, createCommandQueueWithProperties, finish, flush, getCommandQueueInfo } from './queue.ts';
export * from './reference.ts';
export { releaseAll } from './release-all.ts';
export { createSampler, createSamplerWithProperties, getSamplerInfo } from './sampler.ts';
export * from './svm.ts';
export {
  enqueueReadBuffer,
  enqueueReadBufferRect,
  enqueueReadImage,
  enqueueWriteBuffer,
  enqueueWriteBufferRect,
  enqueueWriteImage,
} from './transfer.ts';
export * from './wrapper.ts';
