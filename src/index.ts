export * as cuda from './cuda/index.ts';
export * as nccl from './nccl/index.ts';
export * as nvml from './nvml/index.ts';
export * as opencl from './opencl/index.ts';
