export type { Dims } from '../core/dims.ts';
export type { ArrayClass, ArrayOf, DType, DTypes, Element, ElementType } from '../core/dtype.ts';
export type { Diagnostic } from '../core/diagnostics.ts';
export { ClosedError, GpuError, LibraryNotFoundError, SymbolNotFoundError } from '../core/errors.ts';
export { liveObjects } from '../core/handle.ts';
export type { HostMemory } from '../core/host-memory.ts';
export type { CamelCase } from '../core/names.ts';
export { Resource } from '../core/resource.ts';
export { Struct, struct } from '../core/struct.ts';
export type { AddressHolder, FieldType, FieldValue, Fields, StructLayout, StructType } from '../core/struct.ts';
export {
  Scalar,
  Value,
  Vector,
  float16,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  uint16,
  uint32,
  uint64,
  uint8,
} from '../core/value.ts';
export type { VectorType } from '../core/value.ts';
export type { KernelReport, ReportIndex, ReportKind, ReportPlace } from '../core/kernel-report.ts';
export type { Opaque } from '../ffi/ctype.ts';
export type { SourceOptions } from './compiler.ts';
export { Context, currentDevice } from './context.ts';
export type { ContextOptions } from './context.ts';
export type { CudaArrayInterface, CudaArrayLike } from './cuda-array.ts';
export { Device } from './device.ts';
export type { DeviceAttributes } from './device.ts';
export type { DeviceMemory, DevicePointer } from './device-pointer.ts';
export { DLPackExport, DLPackTensor, fromDLPack, toDLPack } from './dlpack.ts';
export type { DLPackOptions } from './dlpack.ts';
export { DynamicModule, dynamicSourceModule } from './dynamic-module.ts';
export type { DynamicModuleOptions } from './dynamic-module.ts';
export {
  CompileError,
  CudaError,
  CudaLaunchError,
  CudaLogicError,
  CudaMemoryError,
  CudaRuntimeError,
  NvrtcError,
} from './errors.ts';
export type { PoolStatistics } from './block-pool.ts';
export { DeviceMemoryPool, PooledAllocation } from './device-memory-pool.ts';
export { Event } from './event.ts';
export type { EventOptions } from './event.ts';
export { KernelFunction as Function } from './function.ts';
export type { PreparedLaunch } from './function.ts';
export type { KernelArgument } from './kernel-argument.ts';
export { Graph } from './graph.ts';
export type { InstantiateOptions } from './graph.ts';
export { GraphExec } from './graph-exec.ts';
export { ConditionalNode, GraphAllocation, GraphNode } from './graph-node.ts';
export type { GraphCondition, GraphNodeKind } from './graph-node.ts';
export type { GraphLaunchOptions } from './graph-params.ts';
export { GraphStructure } from './graph-structure.ts';
export type { NodeOptions } from './graph-structure.ts';
export { GreenContext } from './green-context.ts';
export type { GreenContextOptions } from './green-context.ts';
export { getDevicePointer, pagelockedEmpty, pagelockedFree, pagelockedZeros } from './host-memory.ts';
export type { Pagelocked } from './host-memory.ts';
export type { JitOptions } from './jit-options.ts';
export { memIpcHandle, openIpcMemory } from './ipc.ts';
export { Kernel } from './kernel.ts';
export type { KernelAttributes } from './kernel-attributes.ts';
export type { ParameterLayout } from './kernel-entry.ts';
export type { LaunchOptions } from './launch.ts';
export type { AccessPolicy, AccessPropertyName, LaunchAttributeOptions, TriggerEvent } from './launch-attributes.ts';
export {
  managedEmpty,
  managedFree,
  managedZeros,
  memAdvise,
  memPrefetchAsync,
  memRangeAttributes,
  streamAttachMemAsync,
} from './managed-memory.ts';
export type { Managed, MemAdviceName, MemRangeAttributes } from './managed-memory.ts';
export {
  fromDevice,
  memcpyDtoD,
  memcpyDtoDAsync,
  memcpyDtoH,
  memcpyDtoHAsync,
  memcpyHtoD,
  memcpyHtoDAsync,
  toDevice,
} from './memcpy.ts';
export {
  memcpyAtoA,
  memcpyAtoAAsync,
  memcpyAtoD,
  memcpyAtoDAsync,
  memcpyAtoH,
  memcpyAtoHAsync,
  memcpyDtoA,
  memcpyDtoAAsync,
  memcpyHtoA,
  memcpyHtoAAsync,
  toArray,
} from './memcpy-array.ts';
export { Memcpy2D } from './memcpy-2d.ts';
export { Memcpy3D, Memcpy3DPeer } from './memcpy-3d.ts';
export { memcpyBatchAsync } from './memcpy-batch.ts';
export type { BatchCopy, BatchOptions } from './memcpy-batch.ts';
export { DeviceAllocation, DeviceSlice, memAlloc, memAllocPitch, memGetInfo } from './memory.ts';
export {
  memsetD2D16,
  memsetD2D16Async,
  memsetD2D32,
  memsetD2D32Async,
  memsetD2D8,
  memsetD2D8Async,
} from './memset-2d.ts';
export { memsetD16, memsetD16Async, memsetD32, memsetD32Async, memsetD8, memsetD8Async } from './memset.ts';
export { MemPool } from './mem-pool.ts';
export type { MemPoolOptions, MemPoolUse } from './mem-pool.ts';
export type { MemAccess, MemLocation } from './mem-location.ts';
export { Library, libraryFromBuffer, libraryFromFile } from './library.ts';
export { Linker } from './linker.ts';
export type { LinkInput, LinkerOptions } from './linker.ts';
export { Module, moduleFromBuffer, moduleFromFile, moduleLoadingMode } from './module.ts';
export type { BlockSize, BlockSizeOptions, OccupancyOptions } from './occupancy.ts';
export { MipmappedArray, OpaqueArray } from './opaque-array.ts';
export type { MipmappedArrayOptions } from './opaque-array.ts';
export type { ArrayDType, ArrayElement, ArrayOptions } from './array-shape.ts';
export { PageLockedMemoryPool } from './page-locked-memory-pool.ts';
export { disablePeerAccess, enablePeerAccess, memcpyPeer, memcpyPeerAsync, peerAttributes } from './peer.ts';
export type { PeerAttributes, PeerContexts } from './peer.ts';
export { memGetAddressRange, pointerAttributes } from './pointer-attributes.ts';
export type { PointerAttributes } from './pointer-attributes.ts';
export * as nvtx from './nvtx.ts';
export { Program } from './program.ts';
export type { ProgramKind, ProgramOptions } from './program.ts';
export { profile, profilerStart, profilerStop } from './profiler.ts';
export { RegisteredHostMemory, registerHostMemory } from './registered-memory.ts';
export { SourceModule } from './source-module.ts';
export { StreamAllocation, memAllocAsync } from './stream-allocation.ts';
export { Stream } from './stream.ts';
export type { CaptureInfo, CaptureModeName, StreamOptions } from './stream.ts';
export type { BatchMemOp, WaitValueOptions, WriteValueOptions } from './stream-values.ts';
export {
  ComputeMode,
  ContextFlags,
  DeviceAttribute,
  EventFlags,
  FuncCache,
  FunctionAttribute,
  GraphDotFlags,
  HostAllocFlags,
  HostRegisterFlags,
  Limit,
  MemAttachFlags,
  StreamFlags,
} from './sys/enums.ts';
export { Surface } from './surface.ts';
export { LaunchObject } from './launch-object.ts';
export { Texture } from './texture.ts';
export type { MipmappedTextureOptions, TextureOptions } from './texture.ts';
export type { LinearTextureOptions, PitchedTextureOptions, TextureView } from './texture-resource.ts';
export type {
  AddressModeName,
  FilterModeName,
  LevelOptions,
  ReadOptions,
  SamplingOptions,
} from './texture-sampling.ts';
export { TensorMap, tensorMap, tensorMapIm2col } from './tensor-map.ts';
export type { Im2colOptions, TensorMapOptions, TensorMapType } from './tensor-map.ts';
export { TensorView } from './tensor-view.ts';
export type { TensorDType, TensorOptions } from './tensor-view.ts';
export { In, InOut, Out, Transfer } from './transfer.ts';
export * from './vectors.ts';
export { AddressRange, PhysicalMemory, memGranularity } from './virtual-memory.ts';
export type { PhysicalMemoryOptions } from './virtual-memory.ts';
