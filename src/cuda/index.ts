export type { Dims } from '../core/dims.ts';
export type { ArrayClass, ArrayOf, DType, DTypes, Element, ElementType } from '../core/dtype.ts';
export type { Diagnostic } from '../core/diagnostics.ts';
export { ClosedError, GpuError, LibraryNotFoundError, SymbolNotFoundError } from '../core/errors.ts';
export { liveObjects } from '../core/handle.ts';
export type { HostMemory } from '../core/host-memory.ts';
export type { RefPointer, RefValue } from '../core/ref-value.ts';
export type { CamelCase } from '../core/names.ts';
export { Resource } from '../core/resource.ts';
export { Struct, struct } from '../core/struct.ts';
export type {
  AddressHolder,
  FieldType,
  FieldValue,
  Fields,
  StructLayout,
  StructTypes,
  StructType,
  Unpacked,
} from '../core/struct.ts';
export {
  Scalar,
  Value,
  Vector,
  bfloat16,
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
export type {
  KernelReport,
  ReportAccess,
  ReportIndex,
  ReportKind,
  ReportOther,
  ReportPlace,
} from '../core/kernel-report.ts';
export type { Opaque } from '../ffi/ctype.ts';
export type { LibraryReport } from '../ffi/library.ts';
export { findLibraries } from './installed.ts';
export { supportedArchitectures } from './compiler/nvrtc.ts';
export type { NvvmModule, NvvmOptions } from './compiler/nvvm.ts';
export type { PchStatus } from './compiler/precompiled-header.ts';
export type { SourceOptions } from './compiler/source-options.ts';
export { Context, currentDevice } from './device/context.ts';
export type { ContextOptions } from './device/context.ts';
export type { CheckOption, CheckPart } from '../core/check-mode.ts';
export type { CudaArrayInterface, CudaArrayLike } from './memory/cuda-array.ts';
export { Device } from './device/device.ts';
export type { DeviceAttributes } from './device/device.ts';
export type { DeviceMemory, DevicePointer } from './memory/device-pointer.ts';
export { DLPackExport, DLPackTensor, fromDLPack, toDLPack } from './interop/dlpack.ts';
export type { DLPackOptions } from './interop/dlpack.ts';
export { DynamicModule, dynamicSourceModule } from './module/dynamic-module.ts';
export type { DynamicModuleOptions } from './module/dynamic-module.ts';
export {
  CompileError,
  CudaError,
  CudaLaunchError,
  CudaLogicError,
  CudaMemoryError,
  CudaRuntimeError,
  NvrtcError,
} from './errors.ts';
export type { PoolStatistics } from '../core/block-bins.ts';
export { ClientPool } from './pool/client-pool.ts';
export { DeviceMemoryPool, PooledAllocation } from './pool/device-memory-pool.ts';
export { compilerVersion, driverVersion } from './device/version.ts';
export type { CudaVersion } from './device/version.ts';
export { Event } from './stream/event.ts';
export type { EventOptions } from './stream/event.ts';
export { KernelFunction as Function } from './kernel/function.ts';
export type { PreparedLaunch } from './kernel/function.ts';
export type { KernelArgument, KernelArguments, PointerArgument } from './kernel/kernel-argument.ts';
export type { CudaKernels } from './kernel/typed-kernels.ts';
export type { ElementName } from '../core/element-table.ts';
export type { AnyElement, ElementsOf, Holds } from '../core/typed/element.ts';
export type {
  AnyKernels,
  AnyShape,
  AnySource,
  AnyTypes,
  ByName,
  KernelSource,
  NameOf,
  NoTypes,
  Shape,
  ShapeOf,
} from '../core/typed/kernels.ts';
export { ConditionalNode, Graph } from './graph/graph.ts';
export type { InstantiateOptions } from './graph/graph.ts';
export type { GraphCondition } from './graph/graph-condition.ts';
export { GraphExec } from './graph/graph-exec.ts';
export type { GraphLaunchOptions } from './graph/graph-launch-options.ts';
export type { GraphNodeKind } from './graph/graph-node-kind.ts';
export { GraphAllocation, GraphNode, GraphStructure } from './graph/graph-structure.ts';
export type { NodeOptions } from './graph/graph-structure.ts';
export { GreenContext } from './stream/green-context.ts';
export type { GreenContextOptions } from './stream/green-context.ts';
export { getDevicePointer, pagelockedEmpty, pagelockedFree, pagelockedZeros } from './memory/host-memory.ts';
export type { Pagelocked } from './memory/host-memory.ts';
export type { JitOptions } from './module/jit-options.ts';
export { memIpcHandle, openIpcMemory } from './memory/ipc.ts';
export { Kernel } from './kernel/kernel.ts';
export type { KernelAttributes } from './kernel/kernel-attributes.ts';
export type { ParameterLayout } from './compiler/kernel-entry.ts';
export type { AccessPolicy, AccessPropertyName } from './stream/access-policy.ts';
export type { LaunchAttributeOptions, LaunchOptions, TriggerEvent } from './kernel/launch-options.ts';
export type { MemSyncDomainMap } from './stream/mem-sync-domain.ts';
export {
  managedEmpty,
  managedFree,
  managedZeros,
  memAdvise,
  memPrefetchAsync,
  memRangeAttributes,
  streamAttachMemAsync,
} from './managed/managed-memory.ts';
export type { Managed, MemAdviceName, MemRangeAttributes } from './managed/managed-memory.ts';
export {
  fromDevice,
  memcpyDtoD,
  memcpyDtoDAsync,
  memcpyDtoH,
  memcpyDtoHAsync,
  memcpyHtoD,
  memcpyHtoDAsync,
  toDevice,
} from './copy/memcpy.ts';
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
} from './copy/memcpy-array.ts';
export { BoxCopy } from './copy/box-copy.ts';
export { Memcpy2D } from './copy/memcpy-2d.ts';
export { Memcpy3D, Memcpy3DPeer } from './copy/memcpy-3d.ts';
export { memcpy3DBatchAsync } from './copy/memcpy-3d-batch.ts';
export { memcpyBatchAsync } from './copy/memcpy-batch.ts';
export type { BatchCopy, BatchOptions } from './copy/memcpy-batch.ts';
export { managedView } from './managed/managed-view.ts';
export { DeviceAllocation, DeviceSlice, memAlloc, memAllocPitch, memGetInfo } from './memory/memory.ts';
export {
  memsetD2D16,
  memsetD2D16Async,
  memsetD2D32,
  memsetD2D32Async,
  memsetD2D8,
  memsetD2D8Async,
} from './copy/memset-2d.ts';
export { memsetD16, memsetD16Async, memsetD32, memsetD32Async, memsetD8, memsetD8Async } from './copy/memset.ts';
export { MemPool } from './pool/mem-pool.ts';
export type { MemPoolOptions, MemPoolUse } from './pool/mem-pool.ts';
export type { MemAccess, MemLocation } from './memory/mem-location.ts';
export { Library, libraryFromBuffer, libraryFromFile } from './module/library.ts';
export { Linker } from './module/linker.ts';
export type { LinkInput } from './module/link-input.ts';
export type { LinkerOptions } from './module/linker.ts';
export { Module, moduleFromBuffer, moduleFromFile, moduleLoadingMode } from './module/module.ts';
export type { BlockSize, BlockSizeOptions, OccupancyOptions } from './kernel/occupancy.ts';
export { MipmappedArray, OpaqueArray } from './texture/opaque-array.ts';
export type { MipmappedArrayOptions } from './texture/opaque-array.ts';
export type { ArrayDType, ArrayElement, ArrayOptions } from './texture/array-shape.ts';
export { PageLockedMemoryPool } from './pool/page-locked-memory-pool.ts';
export { disablePeerAccess, enablePeerAccess, memcpyPeer, memcpyPeerAsync, peerAttributes } from './copy/peer.ts';
export type { PeerAttributes, PeerContexts } from './copy/peer.ts';
export { memGetAddressRange, pointerAttributes } from './memory/pointer-attributes.ts';
export type { PointerAttributes } from './memory/pointer-attributes.ts';
export * as nvtx from './profiling/nvtx.ts';
export { Program } from './module/program.ts';
export type { ProgramKernel, ProgramOptions } from './module/program.ts';
export type { ProgramKind } from './compiler/program-parts.ts';
export { profile, profilerStart, profilerStop } from './profiling/profiler.ts';
export { RegisteredHostMemory, registerHostMemory } from './memory/registered-memory.ts';
export { SourceModule } from './module/source-module.ts';
export { StreamAllocation, memAllocAsync } from './pool/stream-allocation.ts';
export { Stream } from './stream/stream.ts';
export type { CaptureInfo, CaptureModeName, StreamOptions } from './stream/stream.ts';
export type { StreamAttributes, SynchronizationPolicyName } from './stream/stream-attributes.ts';
export type { BatchMemOp, WaitValueOptions, WriteValueOptions } from './stream/stream-values.ts';
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
export { Surface } from './texture/surface.ts';
export { SurfaceReference } from './texture/surface-reference.ts';
export { LaunchObject } from './lifetime/launch-object.ts';
export type { EventLike, StreamLike } from './lifetime/resource-kind.ts';
export { Texture } from './texture/texture.ts';
export { TextureReference } from './texture/texture-reference.ts';
export type { MipmappedTextureOptions, TextureOptions } from './texture/texture.ts';
export type { LinearTextureOptions, PitchedTextureOptions, TextureView } from './texture/texture-resource.ts';
export type {
  AddressModeName,
  FilterModeName,
  LevelOptions,
  ReadOptions,
  SamplingOptions,
} from './texture/texture-sampling.ts';
export { TensorMap, tensorMap, tensorMapIm2col } from './interop/tensor-map.ts';
export type { Im2colOptions, TensorMapOptions, TensorMapType } from './interop/tensor-map.ts';
export { TensorView } from './interop/tensor-view.ts';
export type { TensorDType, TensorOptions } from './interop/tensor-view.ts';
export { In, InOut, Out, Transfer } from './copy/transfer.ts';
export * from './kernel/vectors.ts';
export { AddressRange, PhysicalMemory, memGranularity } from './memory/virtual-memory.ts';
export type { PhysicalMemoryOptions } from './memory/virtual-memory.ts';
export * from './python-names.ts';
