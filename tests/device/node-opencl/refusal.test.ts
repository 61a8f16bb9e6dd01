import { expect } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { choiceOf, openclDevices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

// Drivers do not survive these calls, or never come back from them: a process of its own makes them all.
const CHILD = `
import { writeSync } from 'node:fs';
import * as cl from '@/src/node-opencl/index.ts';

const platforms = cl.getPlatformIDs();
const platform = platforms.find((one) => cl.getPlatformInfo(one, cl.PLATFORM_NAME) === process.env['PLATFORM']);
const [device] = cl.getDeviceIDs(platform);
const context = cl.createContext([cl.CONTEXT_PLATFORM, platform], [device]);
const queue = cl.createCommandQueue(context, device, 0);
const buffer = cl.createBuffer(context, 0, 4096);
const array = new Uint8Array(4096);
const FILL = '__kernel void f(__global char *a) { a[get_global_id(0)] = 1; }';
const SCRATCH = '__kernel void f(__local char *a, __global char *b) { a[0] = 1; b[0] = a[0]; }';

const programs = new Map();
const programOf = (source) => {
  if (programs.has(source)) return programs.get(source);
  const program = cl.createProgramWithSource(context, source);
  cl.buildProgram(program);
  programs.set(source, program);
  return program;
};
const kernelOf = (source, ...args) => {
  const kernel = cl.createKernel(programOf(source), 'f');
  args.forEach(([type, value], i) => cl.setKernelArg(kernel, i, type, value));
  return kernel;
};
const launch = (offset, global, local) =>
  cl.enqueueNDRangeKernel(queue, kernelOf(FILL, ['cl_mem', buffer]), global.length, offset, global, local);
const argument = (type, value, source = FILL) => cl.setKernelArg(kernelOf(source), 0, type, value);
const read = (waitFor) => cl.enqueueReadBuffer(queue, buffer, true, 0, 64, array, waitFor);
const failed = () => {
  const event = cl.createUserEvent(context);
  cl.setUserEventStatus(event, -5);
  return event;
};
const behindOpen = (call) => {
  const gate = cl.createUserEvent(context);
  const event = cl.enqueueReadBuffer(queue, buffer, false, 0, 64, array, [gate], true);
  try {
    return call(event);
  } finally {
    cl.setUserEventStatus(gate, cl.COMPLETE);
    cl.finish(queue);
  }
};
const HUGE = [2 ** 32 + 1, 1, 1];
const cases = {
  'global size': () => launch(null, HUGE, null),
  'offset': () => launch(HUGE, [1, 1, 1], null),
  'local size of 0': () => launch(null, [4], [0]),
  'local memory': () =>
    cl.enqueueNDRangeKernel(queue, kernelOf(SCRATCH, ['local', 2 ** 45], ['cl_mem', buffer]), 1, null, [1], null),
  'a number for a buffer': () => argument('long', 5),
  'bytes for a buffer': () => argument('mine', new Uint8Array(8).fill(77)),
  'a sampler for a buffer': () =>
    argument('sampler_t', cl.createSampler(context, false, cl.ADDRESS_CLAMP, cl.FILTER_NEAREST)),
  'local memory for a buffer': () => argument('local', 8),
  'a buffer for an image': () => argument('cl_mem', buffer, '__kernel void f(read_only image2d_t a) {}'),
  'a buffer for a sampler': () => argument('cl_mem', buffer, '__kernel void f(sampler_t a) {}'),
  'a buffer for a number': () => argument('cl_mem', buffer, '__kernel void f(long a) {}'),
  'a buffer of another context': () => argument('cl_mem', cl.createBuffer(cl.createContext(null, [device]), 0, 64)),
  'a failed event': () => read([failed()]),
  'a failed event, without blocking': () => cl.enqueueReadBuffer(queue, buffer, false, 0, 64, array, [failed()]),
  'a marker behind a failed event': () => cl.enqueueMarkerWithWaitList(queue, [failed()], true),
  'an open user event': () => read([cl.createUserEvent(context)]),
  'a command behind an open user event': () => behindOpen(() => read(null)),
  'its event': () => behindOpen((event) => cl.waitForEvents([event])),
  'the end of its queue': () => behindOpen(() => cl.finish(queue)),
  'a map behind it': () => behindOpen(() => cl.enqueueMapBuffer(queue, buffer, true, cl.MAP_READ, 0, 64)),
  'a user event that nobody sets': () => {
    const gate = cl.createUserEvent(context);
    const event = cl.enqueueReadBuffer(queue, buffer, false, 0, 64, array, [gate], true);
    cl.releaseEvent(gate);
    cl.waitForEvents([event]);
  },
  'a barrier behind one': () => {
    const gate = cl.createUserEvent(context);
    cl.enqueueWaitForEvents(queue, [gate]);
    cl.releaseEvent(gate);
    cl.finish(queue);
    return 'ended';
  },
  'a box whose end wraps around': () =>
    cl.enqueueReadBufferRect(queue, buffer, true, [0, 2 ** 12, 0], [0, 0, 0], [1, 1, 1], 2 ** 52, 0, 1, 0, array),
  'boxes that do not fit': () =>
    cl.enqueueCopyBufferRect(queue, buffer, buffer, [0, 0, 0], [0, 2 ** 40, 0], [1, 2, 1], 8, 0, 2 ** 24, 0),
  'an array that there cannot be': () => cl.enqueueReadBuffer(queue, buffer, true, 0, 2 ** 45, array),
  'a buffer from such an array': () => cl.createBuffer(context, cl.MEM_COPY_HOST_PTR, 2 ** 45, array),
  'flags of a map': () => cl.enqueueMapBuffer(queue, buffer, true, 255, 0, 64),
  'a status above 0': () => cl.setUserEventStatus(cl.createUserEvent(context), 3),
  'binaries by another number': () => typeof cl.getProgramInfo(programOf(FILL), 2 ** 32 + cl.PROGRAM_BINARIES)[0],
  'a symbol as a size': () => cl.createBuffer(context, 0, Symbol('size')),
  'what has no number': () => cl.createBuffer(context, 0, Object.create(null)),
};
const other = platforms.find((one) => cl.getPlatformInfo(one, cl.PLATFORM_NAME) !== process.env['PLATFORM']);
if (other) {
  const [foreign] = cl.getDeviceIDs(other);
  const away = cl.createContext([cl.CONTEXT_PLATFORM, other], [foreign]);
  const program = cl.createProgramWithSource(away, FILL);
  const memory = cl.createBuffer(away, 0, 64);
  Object.assign(cases, {
    'devices of two platforms': () => cl.createContext(null, [device, foreign]),
    'a build for it': () => cl.buildProgram(cl.createProgramWithSource(context, FILL), [foreign]),
    'a binary for it': () => cl.createProgramWithBinary(context, [foreign], [16], [new Uint8Array(16)]),
    'its program to link': () => cl.linkProgram(context, null, null, [program]),
    'its program as a header': () =>
      cl.compileProgram(cl.createProgramWithSource(context, FILL), null, null, [program], ['a.h']),
    'its buffer to migrate': () => cl.enqueueMigrateMemObjects(queue, [memory], 0),
    'its buffer as an argument': () => argument('cl_mem', memory),
  });
}
const answers = {};
for (const [name, call] of Object.entries(cases)) {
  writeSync(2, name + '\\n');
  try {
    answers[name] = call() ?? null;
  } catch (error) {
    answers[name] = error instanceof Error && error.constructor === Error ? error.message : String(error);
  }
}
console.log(JSON.stringify(answers));
process.exit(0);
`;

const FAILED = 'Execution status error for events in wait list';
const OPEN = 'Invalid event wait list';
const VALUE = 'Invalid value';
const ARGUMENT = 'Invalid argument value';
const EXPECTED: Readonly<Record<string, unknown>> = {
  'global size': 'Invalid global work size',
  offset: 'Invalid global offset',
  'local size of 0': 'Invalid work group size',
  // Some drivers refuse the argument, by a status that node-opencl has no words for.
  'local memory': expect.stringMatching(/^(?:Out of resources|Unknown error)$/),
  'a number for a buffer': ARGUMENT,
  'bytes for a buffer': ARGUMENT,
  'a sampler for a buffer': ARGUMENT,
  'local memory for a buffer': ARGUMENT,
  'a buffer for an image': ARGUMENT,
  'a buffer for a sampler': ARGUMENT,
  'a buffer for a number': ARGUMENT,
  'a buffer of another context': 'Invalid memory object',
  'a failed event': FAILED,
  'a failed event, without blocking': FAILED,
  'a marker behind a failed event': FAILED,
  'an open user event': OPEN,
  'a command behind an open user event': OPEN,
  'its event': OPEN,
  'the end of its queue': OPEN,
  'a map behind it': OPEN,
  'a user event that nobody sets': FAILED,
  'a barrier behind one': expect.anything(),
  'a box whose end wraps around': VALUE,
  'boxes that do not fit': VALUE,
  'an array that there cannot be': VALUE,
  'a buffer from such an array': VALUE,
  'flags of a map': VALUE,
  'a status above 0': VALUE,
  'binaries by another number': 'object',
  'a symbol as a size': VALUE,
  'what has no number': VALUE,
};
const FOREIGN: Readonly<Record<string, string>> = {
  'devices of two platforms': 'Invalid device',
  'a build for it': 'Invalid device',
  'a binary for it': 'Invalid device',
  'its program to link': 'Invalid program',
  'its program as a header': 'Invalid program',
  'its buffer to migrate': 'Invalid memory object',
  'its buffer as an argument': 'Invalid memory object',
};

const platforms = new Map(openclDevices.map(([, device]) => [device.platform.name, device]));

for (const [platform, device] of platforms) {
  needs.opencl().test(
    `${platform}: what a driver does not survive is refused before it`,
    async () => {
      const { stdout, stderr, signal } = await runChild(CHILD, { ...choiceOf(device), PLATFORM: platform });
      if (signal !== null || stdout === '') throw new Error(`${signal} at: ${stderr.split('\n').slice(-3).join(' ')}`);
      const answers = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      const expected = Object.keys(answers).some((name) => name in FOREIGN) ? { ...EXPECTED, ...FOREIGN } : EXPECTED;
      expect(answers).toEqual(expected);
    },
    60_000,
  );
}
