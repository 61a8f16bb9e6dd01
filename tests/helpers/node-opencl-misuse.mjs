// Call every function of node-opencl with whatever does not belong there, and tell on stdout what was not refused by an
// Error. A crash is the parent's to see: the last line of stderr is the call.
import { writeSync } from 'node:fs';
import cl from 'rawkernel/node-opencl';

const SOURCE = '__kernel void f(__global int *a, int b) { a[0] = b; }';
/** Positions behind the valid objects that are filled. The longest call has 14. */
const LENGTHS = [0, 1, 2, 4, 6, 9, 12];
const found = [];

const platform = cl.getPlatformIDs().find((id) => cl.getPlatformInfo(id, cl.PLATFORM_NAME) === process.argv[2]);
let objects = make(platform);
for (const [name, call] of Object.entries(cl)) {
  if (typeof call !== 'function' || /^(?:WebCL|releaseAll|withOptions)/.test(name)) continue;
  const [context, queue, program, kernel] = objects;
  const bytes = new Uint8Array(16);
  for (const bad of [...values(), ...objects, [queue, kernel]]) {
    attempt(name, call, [], bad);
    for (const first of objects) attempt(name, call, [first], bad);
  }
  for (const bad of [null, 'text', {}, [], [1, 1, 1], 1, 2 ** 40, bytes]) {
    for (const first of [context, queue, program, kernel]) {
      for (const second of objects) attempt(name, call, [first, second], bad);
    }
  }
  if (name.startsWith('release')) objects = make(platform);
}
console.log(JSON.stringify(found));

/** One object of each kind; what releases them gets its own. */
function make(platform) {
  const [device] = cl.getDeviceIDs(platform);
  const context = cl.createContext(null, [device]);
  const program = cl.createProgramWithSource(context, SOURCE);
  cl.buildProgram(program);
  const kernel = cl.createKernel(program, 'f');
  const buffer = cl.createBuffer(context, 0, 64);
  cl.setKernelArg(kernel, 0, 'int*', buffer);
  cl.setKernelArg(kernel, 1, 'int', 1);
  const event = cl.createUserEvent(context);
  cl.setUserEventStatus(event, cl.COMPLETE);
  const queue = cl.createCommandQueue(context, device, 0);
  const sampler = cl.createSampler(context, false, cl.ADDRESS_CLAMP, cl.FILTER_NEAREST);
  const gone = cl.createBuffer(context, 0, 64);
  cl.releaseMemObject(gone);
  return [context, queue, program, kernel, platform, device, buffer, gone, event, sampler];
}

function values() {
  const detached = new Uint8Array(16);
  structuredClone(detached, { transfer: [detached.buffer] });
  const numbers = [0, 1, -1, 0.5, NaN, 2 ** 40, 5n];
  const lists = [[], [1, 1, 1], [2 ** 40, 2 ** 40, 2 ** 40], [null], ['text']];
  const others = [null, undefined, true, '', 'text', Symbol('s'), {}, () => 1, new Uint8Array(16), detached];
  return [...numbers, ...lists, ...others];
}

function attempt(name, call, objects, bad) {
  const shown = `${name}(${[...objects, text(bad)].join(', ')}, …)`;
  writeSync(2, `${shown}\n`);
  for (const length of LENGTHS) {
    try {
      call(...objects, ...Array(length).fill(bad));
    } catch (error) {
      if (!(error instanceof Error)) found.push(shown);
    }
  }
}

function text(value) {
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  return Array.isArray(value) ? `[${value.map(String).join()}]` : String(value);
}
