import koffi, { type TypeObject } from 'koffi';

declare const brand: unique symbol;

/** A native handle or address: a bigint that cannot go where another kind is wanted. */
export type Opaque<Name extends string> = bigint & { readonly [brand]: Name };

/** The NULL of every handle type. Koffi takes `0n` 14 ns faster than `null`. */
export const NULL: bigint & { readonly [brand]: never } = 0n as bigint & { readonly [brand]: never };

/** Handles that a library reads through without a look: a NULL would end the process. */
export const NEVER_NULL: ReadonlySet<string> = new Set(['nvmlDevice_t', 'nvmlEventSet_t']);

/** Memory that a C function reads: a view, a buffer, or an address. */
export type Pointer = bigint | ArrayBufferView | ArrayBufferLike;

/** How each C type travels. One row a type; a `handle` row brands its bigint with the row's own name. */
export const ctypes = {
  void: 'void',
  char: 'i8',
  'unsigned char': 'u8',
  'unsigned short': 'u16',
  int: 'i32',
  'unsigned int': 'u32',
  float: 'f32',
  double: 'f64',
  'long long': 'i64',
  'unsigned long long': 'u64',
  size_t: 'usize',
  uint32_t: 'u32',
  intptr_t: 'i64',

  CUresult: 'i32',
  CUdevice: 'i32',
  CUdevice_attribute: 'i32',
  CUfunction_attribute: 'i32',
  CUfunc_cache: 'i32',
  CUlimit: 'i32',
  CUjit_option: 'i32',
  CUpointer_attribute: 'i32',
  CUmoduleLoadingMode: 'i32',
  CUstreamAttrID: 'i32',
  CUfunctionLoadingState: 'i32',
  CUkernelNodeAttrID: 'i32',
  CUstreamCaptureMode: 'i32',
  CUstreamCaptureStatus: 'i32',
  CUgraphNodeType: 'i32',
  CUdevResourceType: 'i32',
  cuuint32_t: 'u32',
  cuuint64_t: 'u64',
  CUgraphConditionalHandle: 'u64',
  CUdevice_P2PAttribute: 'i32',
  CUmemPool_attribute: 'i32',
  CUmemAccess_flags: 'i32',
  CUmemAllocationHandleType: 'i32',
  CUmemAllocationGranularity_flags: 'i32',
  CUmem_advise: 'i32',
  CUmem_range_attribute: 'i32',
  // Two ints by value: every 64-bit ABI passes them as one integer.
  CUmemLocation: 'u64',
  CUmemGenericAllocationHandle: 'u64',
  CUmemoryPool: 'handle',
  CUipcMemHandle: 'bytes64',
  CUipcEventHandle: 'bytes64',
  CUmemPoolPtrExportData: 'bytes64',
  CUmemAllocationProp: 'void',
  CUdeviceptr: 'handle',
  CUcontext: 'handle',
  CUarray: 'handle',
  CUmipmappedArray: 'handle',
  CUtexObject: 'u64',
  CUsurfObject: 'u64',
  CUmodule: 'handle',
  CUfunction: 'handle',
  CUstream: 'handle',
  CUevent: 'handle',
  CUgraph: 'handle',
  CUgraphNode: 'handle',
  CUgraphExec: 'handle',
  CUgreenCtx: 'handle',
  CUdevResourceDesc: 'handle',
  CUoccupancyB2DSize: 'handle',
  CUlinkState: 'handle',
  CUlibrary: 'handle',
  CUkernel: 'handle',
  CUjitInputType: 'i32',
  CUlibraryOption: 'i32',
  CUtensorMapDataType: 'i32',
  CUtensorMapInterleave: 'i32',
  CUtensorMapSwizzle: 'i32',
  CUtensorMapL2promotion: 'i32',
  CUtensorMapFloatOOBfill: 'i32',
  nvJitLinkHandle: 'handle',
  nvJitLinkResult: 'i32',
  nvJitLinkInputType: 'i32',
  nvvmResult: 'i32',
  nvvmProgram: 'handle',
  nvrtcResult: 'i32',
  nvrtcProgram: 'handle',
  nvtxDomainHandle_t: 'handle',
  nvtxRangeId_t: 'u64',

  nvmlReturn_t: 'i32',
  nvmlDevice_t: 'handle',
  nvmlEventSet_t: 'handle',
  nvmlBrandType_t: 'u32',
  nvmlClockId_t: 'u32',
  nvmlClockType_t: 'u32',
  nvmlComputeMode_t: 'u32',
  nvmlEccCounterType_t: 'u32',
  nvmlEnableState_t: 'u32',
  nvmlGpuP2PCapsIndex_t: 'u32',
  nvmlGpuP2PStatus_t: 'u32',
  nvmlGpuTopologyLevel_t: 'u32',
  nvmlIntNvLinkDeviceType_t: 'u32',
  nvmlMemoryErrorType_t: 'u32',
  nvmlMemoryLocation_t: 'u32',
  nvmlNvLinkCapability_t: 'u32',
  nvmlNvLinkErrorCounter_t: 'u32',
  nvmlPageRetirementCause_t: 'u32',
  nvmlPcieUtilCounter_t: 'u32',
  nvmlPerfPolicyType_t: 'u32',
  nvmlPstates_t: 'u32',
  nvmlSamplingType_t: 'u32',
  nvmlTemperatureSensors_t: 'u32',
  nvmlTemperatureThresholds_t: 'u32',
  nvmlValueType_t: 'u32',
  nvmlDeviceArchitecture_t: 'u32',
  nvmlAccountingStats_t: 'void',
  nvmlBAR1Memory_t: 'void',
  nvmlEventData_t: 'void',
  nvmlFieldValue_t: 'void',
  nvmlMemory_t: 'void',
  nvmlMemory_v2_t: 'void',
  nvmlPciInfo_t: 'void',
  nvmlProcessInfo_t: 'void',
  nvmlProcessUtilizationSample_t: 'void',
  nvmlSample_t: 'void',
  nvmlUtilization_t: 'void',
  nvmlViolationTime_t: 'void',

  cl_int: 'i32',
  cl_uint: 'u32',
  cl_bool: 'u32',
  cl_long: 'i64',
  cl_ulong: 'u64',
  cl_bitfield: 'u64',
  cl_device_type: 'u64',
  cl_mem_flags: 'u64',
  cl_svm_mem_flags: 'u64',
  cl_map_flags: 'u64',
  cl_mem_migration_flags: 'u64',
  cl_command_queue_properties: 'u64',
  cl_queue_properties: 'u64',
  cl_context_properties: 'i64',
  cl_device_partition_property: 'i64',
  cl_pipe_properties: 'i64',
  cl_mem_properties: 'u64',
  cl_sampler_properties: 'u64',
  cl_platform_info: 'u32',
  cl_device_info: 'u32',
  cl_context_info: 'u32',
  cl_command_queue_info: 'u32',
  cl_mem_info: 'u32',
  cl_image_info: 'u32',
  cl_pipe_info: 'u32',
  cl_sampler_info: 'u32',
  cl_program_info: 'u32',
  cl_program_build_info: 'u32',
  cl_kernel_info: 'u32',
  cl_kernel_arg_info: 'u32',
  cl_kernel_work_group_info: 'u32',
  cl_kernel_sub_group_info: 'u32',
  cl_kernel_exec_info: 'u32',
  cl_event_info: 'u32',
  cl_profiling_info: 'u32',
  cl_mem_object_type: 'u32',
  cl_buffer_create_type: 'u32',
  cl_addressing_mode: 'u32',
  cl_filter_mode: 'u32',
  cl_platform_id: 'handle',
  cl_device_id: 'handle',
  cl_context: 'handle',
  cl_command_queue: 'handle',
  cl_mem: 'handle',
  cl_program: 'handle',
  cl_kernel: 'handle',
  cl_event: 'handle',
  cl_sampler: 'handle',

  cl_sync_point_khr: 'u32',
  cl_command_buffer_info_khr: 'u32',
  cl_command_buffer_properties_khr: 'u64',
  cl_ndrange_kernel_command_properties_khr: 'u64',
  cl_command_properties_khr: 'u64',
  cl_semaphore_info_khr: 'u32',
  cl_semaphore_properties_khr: 'u64',
  cl_semaphore_payload_khr: 'u64',
  cl_external_semaphore_handle_type_khr: 'u32',
  cl_command_buffer_khr: 'handle',
  cl_mutable_command_khr: 'handle',
  cl_semaphore_khr: 'handle',

  cl_context_notify: 'handle',
  cl_context_destructor_notify: 'handle',
  cl_mem_notify: 'handle',
  cl_program_notify: 'handle',
  cl_event_notify: 'handle',
  cl_svm_free_notify: 'handle',
  cl_native_kernel: 'handle',
} as const;

export type CTypeName = keyof typeof ctypes;
export type Kind = (typeof ctypes)[CTypeName];

interface KindTypes {
  void: undefined;
  i8: number;
  u8: number;
  u16: number;
  i32: number;
  u32: number;
  f32: number;
  f64: number;
  i64: number | bigint;
  u64: number | bigint;
  usize: number | bigint;
  bytes64: { readonly reserved: Uint8Array };
}

interface OutTypes {
  void: ArrayBufferView | ArrayBufferLike;
  i8: Uint8Array | Int8Array;
  u8: Uint8Array;
  u16: Uint16Array;
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
  usize: BigUint64Array;
  handle: BigUint64Array;
  bytes64: Uint8Array;
}

/** The TypeScript type of a C value passed by value. */
export type ValueOf<Name extends string> = Name extends CTypeName
  ? (typeof ctypes)[Name] extends keyof KindTypes
    ? KindTypes[(typeof ctypes)[Name]]
    : Opaque<Name>
  : `Unknown C type '${Name}': add its row to ffi/ctype.ts`;

/** What an `_Out_` parameter of that C type takes: a typed array, or the address of one taken earlier. */
export type OutOf<Name extends string> =
  bigint | (Name extends CTypeName ? OutTypes[(typeof ctypes)[Name]] : ArrayBufferView);

const koffiTypes: Readonly<Record<Kind, TypeObject>> = {
  void: koffi.types['void'],
  i8: koffi.types['int8'],
  u8: koffi.types['uint8'],
  u16: koffi.types['uint16'],
  i32: koffi.types['int32'],
  u32: koffi.types['uint32'],
  f32: koffi.types['float32'],
  f64: koffi.types['float64'],
  i64: koffi.types['int64'],
  u64: koffi.types['uint64'],
  usize: koffi.types['size_t'],
  handle: koffi.pointer(koffi.types['void']),
  bytes64: koffi.struct({ reserved: koffi.array(koffi.types['uint8'], 64, 'Typed') }),
};
const text = koffi.types['str'];

/** The kind of a by-value C type; a name without a row is a mistake in a table. */
export function kindOf(name: string): Kind {
  const kind = (ctypes as Readonly<Record<string, Kind>>)[name];
  if (kind === undefined) throw new TypeError(`Unknown C type '${name}': add its row to ffi/ctype.ts`);
  return kind;
}

/** The koffi type of a parameter or result as a prototype spells it. */
export function koffiType(name: string, stars: number): TypeObject {
  if (stars === 0) return koffiTypes[kindOf(name)];
  return name === 'char' && stars === 1 ? text : koffiTypes.handle;
}
