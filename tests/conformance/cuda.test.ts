import { describe, expect, test } from '@jest/globals';
import { functions as driverFunctions, since } from '../../src/cuda/sys/driver.ts';
import * as enums from '../../src/cuda/sys/enums.ts';
import { NvJitLinkInput } from '../../src/cuda/libraries/nvjitlink/constants.ts';
import { functions as nvJitLinkFunctions } from '../../src/cuda/libraries/nvjitlink/functions.ts';
import { nvJitLinkStatus } from '../../src/cuda/libraries/nvjitlink/statuses.ts';
import { functions as nvrtcFunctions, nvrtcSince } from '../../src/cuda/sys/nvrtc.ts';
import { functions as nvvmFunctions } from '../../src/cuda/libraries/nvvm/functions.ts';
import { nvvmStatus } from '../../src/cuda/libraries/nvvm/statuses.ts';
import { NvtxValue } from '../../src/cuda/libraries/nvtx/constants.ts';
import { functions as nvtxFunctions } from '../../src/cuda/libraries/nvtx/functions.ts';
import { nvtxStructs } from '../../src/cuda/libraries/nvtx/structs.ts';
import { structs } from '../../src/cuda/sys/structs.ts';
import { entriesOf, parsePrototype } from '../../src/ffi/prototype.ts';
import { clumsyHints, complaints, constants, declarations, describeWith, layouts, type Constants } from './emit.ts';

const { status, stickyStatuses, nvrtcStatus, ...objects } = enums;

const prefixes: Record<keyof typeof objects, string> = {
  DeviceAttribute: 'CU_DEVICE_ATTRIBUTE_',
  FunctionAttribute: 'CU_FUNC_ATTRIBUTE_',
  Limit: 'CU_LIMIT_',
  FuncCache: 'CU_FUNC_CACHE_',
  ContextFlags: 'CU_CTX_',
  StreamFlags: 'CU_STREAM_',
  EventFlags: 'CU_EVENT_',
  HostAllocFlags: 'CU_MEMHOSTALLOC_',
  JitOption: 'CU_JIT_',
  PointerAttribute: 'CU_POINTER_ATTRIBUTE_',
  ComputeMode: 'CU_COMPUTEMODE_',
  SharedCarveout: 'CU_SHAREDMEM_CARVEOUT_',
  OccupancyFlags: 'CU_OCCUPANCY_',
  LaunchAttributeId: 'CU_LAUNCH_ATTRIBUTE_',
  JitInputType: 'CU_JIT_INPUT_',
  TensorMapDataType: 'CU_TENSOR_MAP_DATA_TYPE_',
  TensorMapInterleave: 'CU_TENSOR_MAP_INTERLEAVE_',
  TensorMapSwizzle: 'CU_TENSOR_MAP_SWIZZLE_',
  TensorMapL2Promotion: 'CU_TENSOR_MAP_L2_PROMOTION_',
  TensorMapOobFill: 'CU_TENSOR_MAP_FLOAT_OOB_FILL_',
  ClusterSchedulingPolicy: 'CU_CLUSTER_SCHEDULING_POLICY_',
  FunctionLoadingState: 'CU_FUNCTION_LOADING_STATE_',
  SynchronizationPolicy: 'CU_SYNC_POLICY_',
  AccessProperty: 'CU_ACCESS_PROPERTY_',
  MemSyncDomain: 'CU_LAUNCH_MEM_SYNC_DOMAIN_',
  CaptureMode: 'CU_STREAM_CAPTURE_MODE_',
  CaptureStatus: 'CU_STREAM_CAPTURE_STATUS_',
  GraphNodeType: 'CU_GRAPH_NODE_TYPE_',
  ConditionalType: 'CU_GRAPH_COND_TYPE_',
  GraphInstantiateFlags: 'CUDA_GRAPH_INSTANTIATE_FLAG_',
  GraphInstantiateResult: 'CUDA_GRAPH_INSTANTIATE_',
  GraphExecUpdateResult: 'CU_GRAPH_EXEC_UPDATE_',
  GraphDotFlags: 'CU_GRAPH_DEBUG_DOT_FLAGS_',
  StreamWaitValue: 'CU_STREAM_WAIT_VALUE_',
  StreamWriteValue: 'CU_STREAM_WRITE_VALUE_',
  StreamMemOp: 'CU_STREAM_MEM_OP_',
  DevResourceType: 'CU_DEV_RESOURCE_TYPE_',
  HostRegisterFlags: 'CU_MEMHOSTREGISTER_',
  MemAttachFlags: 'CU_MEM_ATTACH_',
  MemAdvise: 'CU_MEM_ADVISE_',
  MemRangeAttribute: 'CU_MEM_RANGE_ATTRIBUTE_',
  MemoryType: 'CU_MEMORYTYPE_',
  MemPoolAttribute: 'CU_MEMPOOL_ATTR_',
  MemAccessFlags: 'CU_MEM_ACCESS_FLAGS_PROT_',
  MemLocationType: 'CU_MEM_LOCATION_TYPE_',
  MemAllocationType: 'CU_MEM_ALLOCATION_TYPE_',
  MemHandleType: 'CU_MEM_HANDLE_TYPE_',
  MemGranularity: 'CU_MEM_ALLOC_GRANULARITY_',
  MemcpySourceOrder: 'CU_MEMCPY_SRC_ACCESS_ORDER_',
  Memcpy3DOperandType: 'CU_MEMCPY_OPERAND_TYPE_',
  IpcMemFlags: 'CU_IPC_MEM_',
  P2PAttribute: 'CU_DEVICE_P2P_ATTRIBUTE_',
  ArrayFormat: 'CU_AD_FORMAT_',
  Array3DFlags: 'CUDA_ARRAY3D_',
  ResourceType: 'CU_RESOURCE_TYPE_',
  AddressMode: 'CU_TR_ADDRESS_MODE_',
  FilterMode: 'CU_TR_FILTER_MODE_',
  TextureFlags: 'CU_TRSF_',
  ResourceViewFormat: 'CU_RES_VIEW_FORMAT_',
};

const driverHeaders = ['cuda.h', 'cudaProfiler.h'];
// Without it, the header renames the functions that have versions and hides the old ones.
const allVersions = '#define __CUDA_API_VERSION_INTERNAL';
const identity = (name: string): string => name;

function driverComplaints(code: string): string {
  return complaints(driverHeaders, code, allVersions);
}

function nvrtcDeclarations(): string {
  // A second const, which our parser does not know and no caller can see.
  return declarations(nvrtcFunctions).replaceAll(/, const char \*\*(?!lowered_name)/g, ', const char *const *');
}

describe('the CUDA tables', () => {
  test('parse, and name a version of the function', () => {
    for (const [name, text] of [...entriesOf(driverFunctions), ...entriesOf(nvrtcFunctions)]) {
      expect(parsePrototype(text).symbol.replace(/_v\d$/, '')).toBe(name);
    }
  });

  test.each([
    ['the driver', driverFunctions, since],
    ['NVRTC', nvrtcFunctions, nvrtcSince],
  ] as const)('tell the version of functions that there are: %s', (_, functions, versions) => {
    const names = [...entriesOf(functions)].map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(versions)));
    expect(Object.values(versions).filter((version) => !/^1[2-9]\.\d$/.test(version))).toEqual([]);
  });

  test('know every sticky status', () => {
    const known = Object.values(status).map(([value]) => value);
    expect(known).toEqual(expect.arrayContaining([...stickyStatuses]));
  });

  test('have one phrase for every hint', () => {
    expect(clumsyHints({ ...status, ...nvrtcStatus, ...nvJitLinkStatus, ...nvvmStatus })).toEqual([]);
  });
});

describeWith(...driverHeaders)('cuda.h', () => {
  test('declares every driver function as the table does', () => {
    expect(driverComplaints(declarations(driverFunctions))).toBe('');
  });

  test('has the values of status', () => {
    expect(driverComplaints(constants(status, identity))).toBe('');
  });

  test.each(Object.entries(prefixes))('has the values of %s', (name, prefix) => {
    const values: Constants = objects[name as keyof typeof objects];
    expect(driverComplaints(constants(values, (key) => prefix + key))).toBe('');
  });

  test('has the layouts of structs', () => {
    expect(driverComplaints(layouts(structs))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { MEM: { cuMemFree: 'CUresult cuMemFree_v2(CUstream dptr)' } };
    expect(driverComplaints(declarations(table))).toContain("conflicting types for 'cuMemFree_v2'");
  });

  test('contradicts a wrong constant', () => {
    const complaint = driverComplaints(constants({ WARP_SIZE: 11 }, (key) => `CU_DEVICE_ATTRIBUTE_${key}`));
    expect(complaint).toContain('CU_DEVICE_ATTRIBUTE_WARP_SIZE is not 11');
  });

  test('contradicts a wrong offset', () => {
    const complaint = driverComplaints(layouts({ CUlaunchConfig: { size: 56, fields: { hStream: 28 } } }));
    expect(complaint).toContain('CUlaunchConfig.hStream is not 28');
  });
});

describeWith('nvrtc.h')('nvrtc.h', () => {
  test('declares every function as the table does', () => {
    expect(complaints(['nvrtc.h'], nvrtcDeclarations())).toBe('');
  });

  test('has the values of nvrtcStatus', () => {
    expect(complaints(['nvrtc.h'], constants(nvrtcStatus, identity))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { QUERY: { nvrtcVersion: 'nvrtcResult nvrtcVersion(_Out_ int *major, _Out_ long *minor)' } };
    expect(complaints(['nvrtc.h'], declarations(table))).toContain("conflicting types for 'nvrtcVersion'");
  });
});

describeWith('nvJitLink.h')('nvJitLink.h', () => {
  test('has the values, in their order', () => {
    expect(complaints(['nvJitLink.h'], constants(nvJitLinkStatus, identity))).toBe('');
    expect(
      complaints(
        ['nvJitLink.h'],
        constants(NvJitLinkInput, (key) => `NVJITLINK_INPUT_${key}`),
      ),
    ).toBe('');
  });

  test('declares every function as the table does', () => {
    // The header defines them as inline functions, which a static declaration may repeat.
    const text = declarations(nvJitLinkFunctions).replaceAll(/^nvJitLinkResult/gm, 'static nvJitLinkResult');
    expect(complaints(['nvJitLink.h'], text)).toBe('');
  });
});

describeWith('nvvm.h')('nvvm.h', () => {
  test('declares every function as the table does', () => {
    const text = declarations(nvvmFunctions).replaceAll('const void *buffer', 'const char *buffer');
    expect(complaints(['nvvm.h'], text)).toBe('');
  });

  test('has the values of nvvmStatus, in their order', () => {
    expect(complaints(['nvvm.h'], constants(nvvmStatus, identity))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { QUERY: { nvvmVersion: 'nvvmResult nvvmVersion(_Out_ int *major, _Out_ long *minor)' } };
    expect(complaints(['nvvm.h'], declarations(table))).toContain("conflicting types for 'nvvmVersion'");
  });
});

const nvtxHeaders = ['cuda.h', 'nvtx3/nvToolsExt.h', 'nvtx3/nvToolsExtCuda.h'];

describeWith(...nvtxHeaders)('nvToolsExt.h', () => {
  const nvtxComplaints = (code: string): string => complaints(nvtxHeaders, code, '#define NVTX_NO_IMPL');

  test('declares every function as the table does', () => {
    expect(nvtxComplaints(declarations(nvtxFunctions))).toBe('');
  });

  test('has the values and the layout', () => {
    expect(nvtxComplaints(constants(NvtxValue, (key) => `NVTX_${key}`))).toBe('');
    expect(nvtxComplaints(layouts(nvtxStructs))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { A: { nvtxDomainDestroy: 'void nvtxDomainDestroy(uint32_t domain)' } };
    expect(nvtxComplaints(declarations(table))).toContain("conflicting types for 'nvtxDomainDestroy'");
  });
});
