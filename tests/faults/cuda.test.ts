import { expect, test } from '@jest/globals';
import { functions } from '../../src/cuda/sys/driver.ts';
import { CUDA_PROGRAMS } from '../helpers/cuda-programs.ts';
import { fakeGround } from '../helpers/cuda-ground.ts';
import { isFull } from '../helpers/full.ts';
import { coverage, injectFaults, unexplained, type Reasons } from '../helpers/faults.ts';

/** CUDA_ERROR_OPERATING_SYSTEM: nothing takes it for an answer, nothing is tried again for it, and it is not sticky. */
const STATUS = 304;

/** A failure of these is an answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  cuCtxGetCurrent: 'what is destroyed then takes its context for another one, and makes it current',
  cuEventCreate: 'what an event would have told is asked of the stream or the context, which waits',
  cuEventRecord: 'as cuEventCreate',
  cuEventQuery: 'a sweep asks again',
  cuStreamIsCapturing: 'the wait itself is then refused by the driver, and made later',
  cuPointerGetAttribute: 'the number of the memory is for a trace',
  cuFuncGetParamInfo: 'parameters are then what the PTX and the name say',
  cuKernelGetParamInfo: 'as cuFuncGetParamInfo',
  cuModuleGetFunctionCount: 'a kernel is then looked for by the name that was given',
  cuLibraryGetKernelCount: 'as cuModuleGetFunctionCount',
  cuThreadExchangeStreamCaptureMode: 'what is destroyed in a capture is tried in its mode',
  cuDeviceGetAttribute: 'a limit that is not known is not checked',
};

/** What programs do not reach. */
const REASONS: Reasons = {
  'only rawkernel/cuda/sys has them': [
    'cuGetErrorString',
    'cuDevicePrimaryCtxGetState',
    'cuDevicePrimaryCtxReset',
    'cuCtxGetId',
    'cuCtxGetApiVersion',
    'cuCtxGetFlags',
    'cuCtxResetPersistingL2Cache',
    'cuModuleLoadData',
    'cuLinkAddFile',
    'cuMemHostGetFlags',
    'cuArray3DGetDescriptor',
    'cuMemGetAllocationPropertiesFromHandle',
    'cuPointerSetAttribute',
    'cuStreamCreate',
    'cuStreamGetCtx',
    'cuFuncGetModule',
    'cuGraphKernelNodeSetParams',
    'cuGraphMemcpyNodeSetParams',
    'cuGraphMemsetNodeSetParams',
    'cuGraphEventRecordNodeSetEvent',
    'cuGraphEventWaitNodeSetEvent',
    'cuGraphChildGraphNodeGetGraph',
    'cuGraphNodeFindInClone',
    'cuDeviceGraphMemTrim',
    'cuGreenCtxGetDevResource',
    'cuTexRefGetAddress',
    'cuTexRefGetArray',
    'cuTexRefGetMipmappedArray',
    'cuTexRefGetAddressMode',
    'cuTexRefGetFilterMode',
    'cuTexRefGetFormat',
    'cuTexRefGetMipmapFilterMode',
    'cuTexRefGetMipmapLevelBias',
    'cuTexRefGetMipmapLevelClamp',
    'cuTexRefGetMaxAnisotropy',
    'cuTexRefGetBorderColor',
    'cuTexRefGetFlags',
    'cuSurfRefGetArray',
  ],
  'called before there is a context': ['cuInit'],
  'asked of a status that is newer than the library': ['cuGetErrorName'],
  'for memory of a pool on the host, which some drivers refuse': ['cuMemcpy', 'cuMemcpyAsync'],
  'for drivers before CUDA 11.8': ['cuLaunchKernel'],
};

test('every driver function may fail: nothing leaks, the context stays, the error names it', async () => {
  const outcome = await injectFaults({
    table: functions,
    begin: fakeGround,
    isQuick: !isFull,
    fail: () => STATUS,
    programs: CUDA_PROGRAMS,
    destroys: /Free|Destroy|Release|Unload|Unregister|Unmap|Close|Ctx(?:Set|Push|Pop)Current/,
    answers: ANSWERS,
  });
  process.stderr.write(coverage('CUDA driver', functions, outcome.failed, REASONS));
  expect(outcome.wrong).toEqual([]);
  expect(unexplained(functions, outcome.failed, REASONS)).toEqual([]);
});
