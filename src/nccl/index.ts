export { ClosedError, GpuError, LibraryNotFoundError, SymbolNotFoundError } from '../core/errors.ts';
export { liveObjects } from '../core/handle.ts';
export { Resource } from '../core/resource.ts';
export { LauncherError, StoreError, type StoreErrorCode } from '../job/errors.ts';
export type { LibraryReport } from '../ffi/library.ts';
export type { NcclBuffer } from './buffer.ts';
export { Communicator } from './communicator.ts';
export type {
  OutOptions,
  ReduceOptions,
  ReduceToRootOptions,
  RootOptions,
  TransferOptions,
} from './transfer-options.ts';
export type { OnTimeout } from './communicator-state.ts';
export type { CommunicatorConfig } from './config.ts';
export type { NcclDType } from './elements.ts';
export { NcclError, NcclTimeoutError } from './errors.ts';
export type { ReportNote, ReportRelay, ReportStore } from './report-store.ts';
export type { FlightEntry, OperationName } from './flight-record.ts';
export type { EnvironmentOptions } from './from-environment.ts';
export { group } from './group.ts';
export type { HangReport, RankState } from './hang-report.ts';
export type { CommunicatorOptions, InitAllOptions, InitOptions } from './init.ts';
export { findLibraries, ncclVersion } from './installed.ts';
export { memAlloc } from './memory.ts';
export { PreMulSum } from './reduction.ts';
export type { Reduction, ReductionName } from './reduction.ts';
export { RegisteredBuffer, RegisteredWindow } from './registration.ts';
export type { WindowOptions } from './registration.ts';
export type { ShrinkOptions, SplitOptions } from './split.ts';
export { UniqueId } from './unique-id.ts';
