import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sweepFlights } from '../../src/core/in-flight.ts';
import * as cuda from '../../src/cuda/index.ts';
import { useTables, type DriverTable } from '../../src/cuda/select.ts';
import { functions } from '../../src/cuda/sys/driver.ts';
import { wrapTable } from '../../src/ffi/bind.ts';
import { CUDA_PROGRAMS } from '../helpers/cuda-programs.ts';
import { fakeDriver } from '../helpers/fake-driver.ts';
import {
  coverage,
  injectFaults,
  read,
  unexplained,
  type Around,
  type Ground,
  type Reasons,
} from '../helpers/faults.ts';

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
  ],
  'called before there is a context': ['cuInit'],
  'asked of a status that is newer than the library': ['cuGetErrorName'],
  'for memory of a pool on the host, which some drivers refuse': ['cuMemcpy', 'cuMemcpyAsync'],
  'for drivers before CUDA 11.8': ['cuLaunchKernel'],
};

test('every driver function may fail: nothing leaks, the context stays, the error names it', async () => {
  const outcome = await injectFaults({
    table: functions,
    begin,
    fail: () => STATUS,
    programs: CUDA_PROGRAMS,
    destroys: /Free|Destroy|Release|Unload|Unregister|Unmap|Close|Ctx(?:Set|Push|Pop)Current/,
    answers: ANSWERS,
  });
  process.stderr.write(coverage('CUDA driver', functions, outcome.failed, REASONS));
  expect(outcome.wrong).toEqual([]);
  expect(unexplained(functions, outcome.failed, REASONS)).toEqual([]);
});

function begin(around: Around): Ground {
  const fake = fakeDriver();
  const table: DriverTable = wrapTable(
    functions,
    fake.table,
    (name, _text, call) =>
      (...args) =>
        around(name, args, () => (name === 'cuGraphDebugDotPrint' ? print(args) : call(...args))),
  );
  let current = 0n;
  fake.onCall = (_routine, _args, context) => (current = context);
  fake.globals.set('table', new Uint8Array(16));
  useTables({ driver: table });
  const context = new cuda.Context(new cuda.Device(0));
  return {
    state: () => {
      sweepFlights();
      const live = Object.entries(fake.live).filter(([, count]) => count !== 0);
      // Asks, so that the fake tells it.
      read(cuda.Context.current);
      return JSON.stringify([Object.fromEntries(live), String(current)]);
    },
    end: () => {
      sweepFlights();
      context.close();
      // It stays for what is collected later.
      useTables({ driver: fake.table });
    },
  };
}

/** What the fake driver does not: write a file. */
function print([, path]: readonly unknown[]): number {
  writeFileSync(String(path), 'digraph {}');
  return 0;
}
