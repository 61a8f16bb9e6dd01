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
export type { KernelReport, ReportIndex, ReportKind, ReportPlace } from '../core/kernel-report.ts';
export type { CamelCase } from '../core/names.ts';
export type { AddressSpace, CType } from '../core/signature.ts';
export type { Opaque } from '../ffi/ctype.ts';
export { Buffer } from './buffer.ts';
export { chooseDevices, createSomeContext, type ChooseOptions } from './choose.ts';
export { Context, type ContextOptions } from './context.ts';
export { enqueueCopy, type CopyOptions } from './copy.ts';
export { Device } from './device.ts';
export {
  enqueueBarrier,
  enqueueFill,
  enqueueMarker,
  enqueueMigrate,
  type EnqueueOptions,
  type FillOptions,
  type MigrateOptions,
} from './enqueue.ts';
export {
  BuildError,
  OpenCLError,
  OpenCLLogicError,
  OpenCLMemoryError,
  OpenCLRuntimeError,
  type BuildFailure,
  type OpenCLErrorDetails,
} from './errors.ts';
export { Event, UserEvent, waitForEvents, type EventProfile } from './event.ts';
export type { InfoKind, InfoKinds, InfoOf, InfoProperties, InfoTable, InfoValue, NameVersion } from './info.ts';
export { Kernel, type KernelCallOptions, type WorkGroupInfo } from './kernel.ts';
export { LocalMemory, type KernelArgument, type KernelParameter } from './kernel-arguments.ts';
export type { KernelNames } from './kernel-names.ts';
export { enqueueMapBuffer, MemoryMap, type MapOptions } from './map.ts';
export { getPlatforms, Platform } from './platform.ts';
export { Program, type BuildSettings, type Kernels } from './program.ts';
export { CommandQueue, type CommandQueueOptions } from './queue.ts';
export * from './vectors.ts';
export {
  CommandExecutionStatus,
  DeviceInfo,
  DeviceType,
  KernelWorkGroupInfo,
  MapFlags,
  MemFlags,
  MigrationFlags,
  PlatformInfo,
} from './sys/enums.ts';
