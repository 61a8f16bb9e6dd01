import { describe, expect, test } from '@jest/globals';
import { GpuError } from '../../../src/core/errors.ts';
import { callError } from '../../../src/cuda/call.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import {
  CompileError,
  CudaError,
  CudaLaunchError,
  CudaLogicError,
  CudaMemoryError,
  CudaRuntimeError,
  cudaError,
  isSticky,
  NvrtcError,
  nvrtcError,
  statusName,
} from '../../../src/cuda/errors.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../src/cuda/module/module.ts';
import { status as statuses } from '../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';

const fake = withFakeDriver();

const PTX = `.version 7.0\n.target sm_80\n.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }`;

test.each([
  [2, CudaMemoryError, 'CUDA_ERROR_OUT_OF_MEMORY'],
  [1, CudaLogicError, 'CUDA_ERROR_INVALID_VALUE'],
  [201, CudaLogicError, 'CUDA_ERROR_INVALID_CONTEXT'],
  [701, CudaLaunchError, 'CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES'],
  [700, CudaLaunchError, 'CUDA_ERROR_ILLEGAL_ADDRESS'],
  [100, CudaRuntimeError, 'CUDA_ERROR_NO_DEVICE'],
  [999, CudaError, 'CUDA_ERROR_UNKNOWN'],
])('the class of status %i says who is to blame', (status, kind, code) => {
  const error = cudaError('cuTest', status, { group: 'MEM' });
  expect(error).toBeInstanceOf(kind);
  expect(error).toBeInstanceOf(CudaError);
  expect(error).toBeInstanceOf(GpuError);
  expect(error).toMatchObject({ code, status, routine: 'cuTest', name: kind.name });
});

test('every status of the table makes an error that names it', () => {
  for (const [name, [number]] of Object.entries(statuses)) {
    expect(cudaError('cuTest', number, { group: 'MEM' }).message).toMatch(new RegExp(`^cuTest failed: ${name}\n`));
  }
});

test('the message has the hint, the facts and the link', () => {
  const { message } = cudaError('cuMemAlloc', 2, { facts: { asked: '5 bytes' } });
  expect(message.split('\n')).toEqual([
    'cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY',
    expect.stringMatching(/^Free allocations/),
    '  asked   5 bytes',
    '  docs    https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html',
  ]);
});

test('the link is that of the group of the routine', () => {
  const pageOf = (routine: string, group?: string): string | undefined =>
    /group__\w+/.exec(cudaError(routine, 1, { group }).message)?.[0];
  expect(pageOf('cuMemFreeAsync')).toBe('group__CUDA__MALLOC__ASYNC');
  expect(pageOf('cuCtxEnablePeerAccess')).toBe('group__CUDA__PEER__ACCESS');
  expect(pageOf('SourceModule', 'MODULE')).toBe('group__CUDA__MODULE');
  expect(pageOf('SourceModule')).toBeUndefined();
});

test('a status that is newer than the table is asked of the driver', () => {
  expect(statusName(12345)).toBe('CUDA_ERROR_FAKE');
  expect(cudaError('cuTest', 12345, { group: 'MEM' })).toBeInstanceOf(CudaError);
});

test('an unknown status has its number', () => {
  fake.fail.set('cuGetErrorName', 1);
  expect(statusName(12346)).toBe('CUDA_ERROR_12346');
  fake.fail.clear();
});

test('nvrtcError() names the status and the routine', () => {
  const error = nvrtcError('nvrtcCompileProgram', 5);
  expect(error).toBeInstanceOf(NvrtcError);
  expect(error).toMatchObject({ code: 'NVRTC_ERROR_INVALID_OPTION', status: 5, routine: 'nvrtcCompileProgram' });
  expect(nvrtcError('nvrtcVersion', 999).code).toBe('NVRTC_ERROR_999');
});

test('a CompileError without diagnostics shows the log', () => {
  const details = { log: 'something odd\n', source: 'x', file: 'k.cu', options: ['-O3', '-DX'], diagnostics: [] };
  const error = new CompileError('no luck', details);
  expect(error).toMatchObject({
    name: 'CompileError',
    code: 'ERR_RAWKERNEL_COMPILE',
    source: 'x',
    options: ['-O3', '-DX'],
  });
  expect(error.message).toBe('no luck\nsomething odd\n  options -O3 -DX');
});

test.each([226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721])('isSticky(%i)', (status) => {
  expect(isSticky(status)).toBe(true);
});

test.each([0, 1, 2, 600, 701, 720])('isSticky(%i) is false', (status) => {
  expect(isSticky(status)).toBe(false);
});

describe('a sticky fault', () => {
  /** Whatever is thrown. */
  function thrown(run: () => unknown): CudaError {
    try {
      run();
    } catch (error) {
      return error as CudaError;
    }
    throw new Error('nothing was thrown');
  }

  test('names the last launches, and later errors of its context name it as the cause', () => {
    using context = new Context(new Device(0), { own: true });
    using module = moduleFromBuffer(PTX);
    module.getFunction('add')(0n, 1, { block: [64, 2], grid: 3 });
    fake.fail.set('cuCtxSynchronize', 700);
    const first = thrown(() => {
      context.synchronize();
    });
    expect(first).toBeInstanceOf(CudaLaunchError);
    expect(first.message).toMatch(
      /CUDA_ERROR_ILLEGAL_ADDRESS\n.*\n {2}suspects add grid \[3, 1, 1\] block \[64, 2, 1\]/,
    );
    expect(first.cause).toBeUndefined();

    const again = thrown(() => {
      context.synchronize();
    });
    expect(again.cause).toBe(first);
    expect(again.message).toMatch(/This context is lost since an earlier fault \(see cause\); only a new process/);

    fake.fail.set('cuMemAlloc', 1);
    expect(thrown(() => memAlloc(16))).toMatchObject({ code: 'CUDA_ERROR_INVALID_VALUE', cause: first });
    fake.fail.clear();
  });

  test('does not touch other contexts', () => {
    using context = new Context();
    fake.fail.set('cuMemAlloc', 1);
    expect(thrown(() => memAlloc(16)).cause).toBeUndefined();
    expect(context.closed).toBe(false);
    fake.fail.clear();
  });

  test('is silent in clean-up: the context took everything along', () => {
    using context = new Context();
    const memory = memAlloc(16);
    fake.fail.set('cuMemFree', 700);
    memory.free();
    fake.fail.clear();
    expect([memory.closed, context.closed]).toEqual([true, false]);
  });

  test('keeps a cause of its own', () => {
    const cause = new Error('mine');
    expect(callError('cuTest', 1, { cause }).cause).toBe(cause);
  });
});
