export { GpuError, ClosedError, LibraryNotFoundError, SymbolNotFoundError } from '../core/errors.ts';
export { Resource } from '../core/resource.ts';
export { liveObjects } from '../core/handle.ts';
export {
  struct,
  Struct,
  type AddressHolder,
  type Fields,
  type FieldType,
  type FieldValue,
  type StructType,
  type StructTypes,
  type Unpacked,
} from '../core/struct.ts';
export {
  float16,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  Scalar,
  uint16,
  uint32,
  uint64,
  uint8,
  Value,
  Vector,
  type VectorType,
} from '../core/value.ts';
export type { Diagnostic } from '../core/diagnostics.ts';
export type { Dims } from '../core/dims.ts';
export type { ArrayClass, ArrayOf, DType, DTypes, Element, ElementType } from '../core/dtype.ts';
export type { HostMemory } from '../core/host-memory.ts';
export type { RefPointer, RefValue } from '../core/ref-value.ts';
export type {
  KernelReport,
  ReportAccess,
  ReportIndex,
  ReportKind,
  ReportOther,
  ReportPlace,
} from '../core/kernel-report.ts';
export type { CamelCase } from '../core/names.ts';
export type { AddressSpace, CType } from '../core/signature.ts';
export type { Opaque } from '../ffi/ctype.ts';
export type { LibraryReport } from '../ffi/library.ts';
export { findLibraries } from './installed.ts';
export { DeferredAllocator, ImmediateAllocator, type BufferAllocator } from './memory/allocator.ts';
export type { DeviceArray } from './memory/array-place.ts';
export { Buffer } from './memory/buffer.ts';
export { DeviceQueue, type DeviceQueueOptions } from './queue/device-queue.ts';
export type { Color } from './memory/fill-image.ts';
export { Image, type ImageDescriptor } from './memory/image.ts';
export { getSupportedImageFormats, ImageFormat, type ChannelKind } from './memory/image-format.ts';
export { imageFromArray, type ImageFromArrayOptions } from './memory/image-from-array.ts';
export type { ImageSize } from './memory/image-shape.ts';
export { enqueueMapImage, ImageMap, type MapImageOptions } from './memory/map-image.ts';
export { MemoryPool, PooledBuffer } from './memory/memory-pool.ts';
export { MemoryObject } from './memory/memory-object.ts';
export { Pipe } from './memory/pipe.ts';
export type { Extent, Pitches } from './memory/region.ts';
export { Sampler } from './memory/sampler.ts';
export { chooseDevices, createSomeContext, type ChooseOptions } from './device/choose.ts';
export { Context, type ContextOptions } from './device/context.ts';
export type { CheckOption, CheckPart } from '../core/check-mode.ts';
export { enqueueCopy, type CopyEnd } from './memory/copy.ts';
export type { CopyOptions } from './memory/copy-options.ts';
export { Device, Platform, SubDevice } from './device/device.ts';
export type { Partition } from './device/partition.ts';
export type { PciBusInfo } from './device/identity.ts';
export { enqueueFill } from './memory/fill.ts';
export type { FillOptions } from './memory/fill-options.ts';
export { enqueueMigrate, type MigrateOptions } from './memory/migrate.ts';
export { enqueueBarrier, enqueueMarker, type EnqueueOptions } from './queue/enqueue.ts';
export {
  BuildError,
  OpenCLError,
  OpenCLLogicError,
  OpenCLMemoryError,
  OpenCLRuntimeError,
  type BuildFailure,
  type OpenCLErrorDetails,
} from './errors.ts';
export { Event, waitForEvents } from './queue/event.ts';
export type { EventProfile } from './queue/event-profile.ts';
export type { ForeignOptions } from './foreign.ts';
export { eventFromHandle } from './queue/foreign-event.ts';
export { UserEvent } from './queue/user-event.ts';
export type { InfoKind, InfoKinds, InfoOf, InfoProperties, InfoTable, InfoValue, NameVersion } from './info.ts';
export { captureCall } from './kernel/capture-call.ts';
export { enqueueNDRangeKernel } from './kernel/enqueue-kernel.ts';
export type { KernelCallOptions } from './kernel/call-options.ts';
export { Kernel } from './kernel/kernel.ts';
export type { KernelBase, WorkGroupInfo } from './kernel/kernel-base.ts';
export type { KernelExecSettings } from './kernel/exec-info.ts';
export { SVM, SVMAllocation, type SVMOptions } from './memory/svm.ts';
export { csvmEmpty, csvmEmptyLike, fsvmEmpty, fsvmEmptyLike, svmEmpty, svmEmptyLike } from './memory/svm-arrays.ts';
export { enqueueSVMMemFill, enqueueSVMMigrate } from './memory/svm-commands.ts';
export { SVMAllocator, SVMPool, PooledSVM, type SVMAllocatorOptions, type SVMElements } from './memory/svm-pool.ts';
export { SVMMap, type SVMMapOptions } from './memory/svm-map.ts';
export type { SVMMemory } from './memory/svm-memory.ts';
export type { BufferOf, CallArguments, KernelArguments, PointerArgument } from './kernel/typed-arguments.ts';
export type { OpenCLKernels } from './kernel/typed-kernels.ts';
export type { ElementName } from '../core/element-table.ts';
export type { AnyElement, Content, ElementsIn, ElementsOf, Holds } from '../core/typed/element.ts';
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
export { LocalMemory, type KernelArgument, type KernelParameter } from './kernel/kernel-arguments.ts';
export { enqueueMapBuffer, MemoryMap, type MapOptions } from './memory/map.ts';
export type { MapArray, MapElement } from './memory/map-type.ts';
export { getPlatforms } from './device/platforms.ts';
export {
  CommandBuffer,
  type CommandBufferOptions,
  type RecordedCallOptions,
  type RecordedCopyOptions,
  type RecordedFillOptions,
  type RecordOptions,
  type ReplayOptions,
} from './recording/command-buffer.ts';
export { enqueueAcquireExternal, enqueueReleaseExternal } from './external/acquire.ts';
export type { ExternalMemory } from './memory/external-memory.ts';
export { Semaphore, type SemaphoreHandleName, type SemaphoreOptions } from './external/semaphore.ts';
export { SyncPoint } from './recording/sync-point.ts';
export { linkProgram } from './program/link-program.ts';
export type { LinkSettings } from './program/link-plan.ts';
export type { CompileLimits } from '../core/compile-scope.ts';
export { Program } from './program/program.ts';
export type { ProgramOptions } from './program/program-options.ts';
export type { BuildSettings, CompileSettings } from './program/build-settings.ts';
export type { BuiltProgram } from './program/built-program.ts';
export type { Kernels, ProgramBase } from './program/program-base.ts';
export { CommandQueue, type CommandQueueOptions, type QueueHint } from './queue/queue.ts';
export type { Access, ObjectArgument } from './kernel/object-arguments.ts';
export * from './kernel/vectors.ts';
export {
  AddressingMode,
  AffinityDomain,
  ChannelOrder,
  ChannelType,
  CommandBufferInfo,
  CommandBufferState,
  CommandExecutionStatus,
  CommandType,
  ContextInfo,
  DeviceInfo,
  DeviceType,
  EventInfo,
  FilterMode,
  ImageInfo,
  KernelInfo,
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
  KernelSubGroupInfo,
  KernelWorkGroupInfo,
  MapFlags,
  MemFlags,
  MemInfo,
  MemObjectType,
  MigrationFlags,
  PipeInfo,
  PlatformInfo,
  ProgramBuildInfo,
  ProgramInfo,
  QueueInfo,
  SamplerInfo,
  SamplerProperty,
  SemaphoreHandle,
  SemaphoreInfo,
  DeviceSvmCapabilities,
  SvmMemFlags,
} from './sys/enums.ts';
export * from './python-names.ts';
