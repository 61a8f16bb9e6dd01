import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import * as named from '../../../src/node-opencl/index.ts';
import cl, { withOptions, type NodeOpenCL } from '../../../src/node-opencl/index.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const TWO = [
  'createCommandQueueWithProperties',
  'createSamplerWithProperties',
  'createPipe',
  'getPipeInfo',
  'SVMAlloc',
];
const LATER = [...TWO, 'SVMFree', 'enqueueSVMFree', 'enqueueSVMMap', 'setKernelArgSVMPointer', 'VERSION_2_0', 'sRGB'];
const ONE = ['createCommandQueue', 'createSampler', 'enqueueTask'];
const OLD = ['createImage2D', 'enqueueMarker', 'enqueueBarrier', 'enqueueWaitForEvents', 'unloadCompiler'];

/** Which of these names a module has. */
function had(module: NodeOpenCL, names: readonly string[]): readonly string[] {
  return names.filter((name) => name in module);
}

test('the module is the default export, and its members are exports', () => {
  const { default: whole, 'module.exports': required, withOptions: make, ...members } = named;
  expect(required).toBe(whole);
  expect({ ...members, withOptions: make }).toEqual(whole);
});

test('it has everything of every version', () => {
  const all = [...LATER, ...ONE, ...OLD, 'createContext', 'createContextFromType'];
  expect(had(cl, all)).toEqual(all);
  expect([cl.CL_VERSION_1_2, cl.CL_VERSION_2_0, cl.VERSION_1_2, cl.VERSION_2_0]).toEqual([true, true, 1, 1]);
});

test('the strict form for 1.2 has nothing later', () => {
  const strict = withOptions({ strict: '1.2' });
  expect(had(strict, [...LATER, ...OLD])).toEqual([]);
  expect(had(strict, ONE)).toEqual(ONE);
  expect([strict.CL_VERSION_1_2, strict.CL_VERSION_2_0]).toEqual([true, false]);
  expect(Object.values(strict).filter((value) => value instanceof Error)).toHaveLength(58);
});

test('the strict form for 2.0 lacks the functions that 2.0 removed', () => {
  const strict = withOptions({ strict: '2.0' });
  expect(had(strict, [...ONE, ...OLD])).toEqual([]);
  expect(had(strict, LATER)).toEqual(LATER);
  expect(strict.CL_VERSION_2_0).toBe(true);
});

test('options that are not there are refused', () => {
  expect(() => withOptions({ strict: '3.0' as never })).toThrow(
    new TypeError(`strict must be '1.2' or '2.0', got the string "3.0"`),
  );
  expect(() => withOptions({ stict: '1.2' } as never)).toThrow(/no option 'stict'/);
});

test('errors are Error objects with messages of their own', () => {
  const errors = Object.entries(cl).filter(([, value]) => value instanceof Error) as [string, Error][];
  expect(errors).toHaveLength(58);
  const messages = Object.fromEntries(errors.map(([name, { message }]) => [name, message]));
  expect(messages).toMatchObject({
    INVALID_VALUE: 'Invalid value',
    DEVICE_NOT_FOUND: 'Device not found.',
    MEM_COPY_OVERLAP: 'Memory copy overlap',
    BUILD_PROGRAM_FAILURE: 'Program build failure',
    MISALIGNED_SUB_BUFFER_OFFSET: 'Misaligned sub-buffer offset',
    INVALID_HOST_PTR: 'Invalid host pointer',
    INVALID_ARG_SIZE: 'Invalid argument size',
    INVALID_GL_OBJECT: 'Invalid OpenGL object',
    INVALID_MIP_LEVEL: 'Invalid mip-map level',
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: 'Execution status error for events in wait list',
    COMPILE_PROGRAM_FAILURE: 'Compile program failure',
  });
  expect(new Set(Object.values(messages)).size).toBe(58);
});

test('later errors, and negative constants, are unsigned numbers', () => {
  expect([cl.INVALID_PIPE_SIZE, cl.INVALID_DEVICE_QUEUE]).toEqual([2 ** 32 - 69, 2 ** 32 - 70]);
  expect([cl.BUILD_NONE, cl.BUILD_ERROR, cl.BUILD_IN_PROGRESS]).toEqual([2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 3]);
  expect(cl.PLATFORM_NOT_FOUND_KHR).toBe(2 ** 32 - 1001);
  expect(cl.DEVICE_TYPE_ALL).toBe(2 ** 32 - 1);
  expect([cl.SUCCESS, cl.TRUE, cl.FALSE, cl.BLOCKING, cl.NON_BLOCKING]).toEqual([0, 1, 0, 1, 0]);
  expect([cl.size_CHAR, cl.size_SHORT, cl.size_INT, cl.size_LONG, cl.size_FLOAT, cl.size_DOUBLE, cl.size_HALF]).toEqual(
    [1, 2, 4, 8, 4, 8, 2],
  );
});

test('a failure is a plain error: a message, and a cause to look at', () => {
  const error = ((): unknown => {
    try {
      return cl.releaseContext(5 as never);
    } catch (caught) {
      return caught;
    }
  })() as Error;
  expect(Object.keys(error)).toEqual([]);
  expect(error.constructor).toBe(Error);
  expect(error).not.toBe(cl.INVALID_CONTEXT);
  expect(error.message).toBe(cl.INVALID_CONTEXT.message);
});

test.each<[keyof NodeOpenCL, number]>([
  ['getPlatformInfo', 2],
  ['getDeviceIDs', 1],
  ['getDeviceInfo', 2],
  ['createSubDevices', 2],
  ['createContext', 2],
  ['createContextFromType', 4],
  ['createCommandQueue', 3],
  ['createBuffer', 3],
  ['createSubBuffer', 4],
  ['createImage', 5],
  ['createImage2D', 7],
  ['createPipe', 5],
  ['createSampler', 4],
  ['createProgramWithSource', 2],
  ['buildProgram', 1],
  ['linkProgram', 4],
  ['createKernel', 2],
  ['setKernelArg', 3],
  ['getKernelArgInfo', 3],
  ['getKernelWorkGroupInfo', 3],
  ['waitForEvents', 1],
  ['setEventCallback', 3],
  ['enqueueReadBuffer', 6],
  ['enqueueWriteBufferRect', 11],
  ['enqueueReadImage', 8],
  ['enqueueCopyBuffer', 6],
  ['enqueueCopyBufferRect', 10],
  ['enqueueCopyImageToBuffer', 6],
  ['enqueueFillBuffer', 5],
  ['enqueueMapBuffer', 6],
  ['enqueueMapImage', 6],
  ['enqueueUnmapMemObject', 3],
  ['enqueueNDRangeKernel', 6],
  ['enqueueMarkerWithWaitList', 2],
  ['SVMAlloc', 4],
  ['enqueueSVMMemcpy', 5],
  ['releaseMemObject', 1],
])('%s wants %i arguments', (name, count) => {
  const call = cl[name] as (...args: unknown[]) => unknown;
  expect(() => call(...Array<null>(count - 1).fill(null))).toThrow(new TypeError(`Expected ${count} arguments`));
});

test('the nine names that programs look for hold what they are given', () => {
  const names = [
    'Platform',
    'Device',
    'Context',
    'CommandQueue',
    'MemObject',
    'Event',
    'Program',
    'Kernel',
    'Sampler',
  ] as const;
  for (const name of names) expect(new cl[`WebCL${name}`](5)._).toBe(5);
});

test('releaseAll() collects what was dropped', () => {
  expect(() => {
    cl.releaseAll();
  }).not.toThrow();
});

/** What a program of CommonJS prints. */
function run(program: string, env: Record<string, string> = {}): string {
  const text = `const cl = require('rawkernel/node-opencl'); ${program}`;
  return execFileSync(process.execPath, ['--no-warnings', '-e', text], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

const built = needs.build();

built.test('require() gives the module itself, and touches nothing else', () => {
  const program = `console.log(typeof cl.createBuffer, cl.MEM_READ_ONLY, typeof WebCLPlatform, process.listenerCount('SIGINT'))`;
  expect(run(program)).toBe('function 4 undefined 0\n');
});

built.test('the environment asks for a strict form', () => {
  const program = `console.log(typeof cl.createCommandQueue, typeof cl.createPipe)`;
  expect(run(program, { RAWKERNEL_NODE_OPENCL_STRICT: '1.2' })).toBe('function undefined\n');
  expect(run(program, { RAWKERNEL_NODE_OPENCL_STRICT: '2.0' })).toBe('undefined function\n');
  expect(run(program, { RAWKERNEL_NODE_OPENCL_STRICT: '' })).toBe('function function\n');
  expect(() => run(program, { RAWKERNEL_NODE_OPENCL_STRICT: '4' })).toThrow(
    /RAWKERNEL_NODE_OPENCL_STRICT must be '1.2' or '2.0', got '4'/,
  );
});

built.test('what node-opencl does to the process is there for the asking', () => {
  const program = `const exits = process.listenerCount('exit');
    cl.withOptions({ globals: true, signals: true }); cl.withOptions({ signals: true });
    console.log(WebCLPlatform === cl.WebCLPlatform, process.listenerCount('SIGINT'), process.listenerCount('exit') - exits)`;
  expect(run(program)).toBe('true 1 1\n');
});

built.test('a callback keeps the process alive, and what it throws ends it', () => {
  const start = `const p = cl.getPlatformIDs()[0], c = cl.createContext(null, cl.getDeviceIDs(p)), e = cl.createUserEvent(c);`;
  const env = { RAWKERNEL_DEVICE: 'cpu' };
  const ends = `cl.setEventCallback(e, cl.COMPLETE, () => console.log('called')); cl.setUserEventStatus(e, 0);`;
  expect(run(start + ends, env)).toBe('called\n');
  const released = `cl.setEventCallback(e, 0, (_, status) => console.log(status)); cl.releaseEvent(e);`;
  expect(run(start + released, env)).toBe('-1\n');
  const throws = `cl.setEventCallback(e, 0, () => { throw new Error('mine') }); cl.setUserEventStatus(e, 0);`;
  expect(() => run(start + throws, env)).toThrow(/Error: mine/);
});
