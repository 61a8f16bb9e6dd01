import { expect, test } from '@jest/globals';
import { runChild } from '../../../helpers/child.ts';

// A wrong address ends the process that reads it, so the walk has one of its own.
const WALK = `
  const { opencl } = await import('@/src/opencl/select.ts');
  const { functions } = await import('@/src/opencl/sys/opencl.ts');
  const { entriesOf, parsePrototype } = await import('@/src/ffi/prototype.ts');
  const { addressOf } = await import('@/src/ffi/memory.ts');

  const table = opencl();
  const slot = new BigUint64Array(1);
  const code = new Int32Array(1);
  const of = (...values) => BigUint64Array.from(values.map(BigInt));
  table.clGetPlatformIDs(1, slot, 0n);
  const platform = slot[0];
  table.clGetDeviceIDs(platform, 0xffffffff, 1, slot, 0n);
  const device = slot[0];
  const context = table.clCreateContext(0n, 1, of(device), 0n, 0n, code);
  const queue = table.clCreateCommandQueue(context, device, 3, code);
  const buffer = table.clCreateBuffer(context, 1, 256, 0n, code);
  const format = Uint32Array.of(0x10b5, 0x10da);
  const shape = new BigUint64Array(9);
  new Uint32Array(shape.buffer)[0] = 0x10f1;
  shape.set([8n, 8n, 1n], 1);
  const image = table.clCreateImage(context, 1, format, shape, 0n, code);
  const sampler = table.clCreateSampler(context, 0, 0x1131, 0x1140, code);
  const text = new TextEncoder().encode('__kernel void k(__global int *x, int n, __local int *l) { x[0] = n + l[0]; }');
  const program = table.clCreateProgramWithSource(context, 1, of(addressOf(text)), of(text.length), code);
  table.clBuildProgram(program, 0, 0n, '', 0n, 0n);
  const kernel = table.clCreateKernel(program, 'k', code);
  table.clSetKernelArg(kernel, 0, 8n, of(buffer));
  table.clSetKernelArg(kernel, 1, 4n, code);
  table.clSetKernelArg(kernel, 2, 64n, 0n);
  const event = table.clCreateUserEvent(context, code);

  const room = new Uint8Array(4096);
  const wild = [0n, 1n, 2n, 7n, 0xdeadbeefn, 2n ** 52n, 2n ** 63n, 2n ** 64n - 1n, 0x1c000000000000n + 9999n];
  const own = [platform, device, context, queue, buffer, image, sampler, program, kernel, event];
  const handles = [...wild, ...own];
  const lists = own.map((handle) => of(handle, handle, handle, handle));
  const sizes = [of(0, 0, 0), of(1, 1, 1), of(4, 2, 1), of(64, 64, 64), of(2n ** 40n, 1, 1), of(2n ** 64n - 1n, 3, 3)];
  const addresses = of(...new Array(16).fill(addressOf(room)));
  const pointers = [0n, room, room.subarray(0, 256), room.subarray(0, 8), new Uint8Array(0)];
  const numbers = [0, 1, 2, 3, 31, 64, 255, 1025, 65_536, 2 ** 32 - 1];
  const signed = [0, 1, 2, 3, 8, 64, -1, -5, -(2 ** 31), 2 ** 31 - 1];
  const wides = [0, 1, 2, 4, 8, 16, 64, 256, 257, 2 ** 31, 2 ** 40, 2n ** 64n - 1n];
  const texts = ['', 'k', 'nothing', '-cl-std=CL3.0', '-D', '-unknown', 'é'.repeat(200)];
  const HANDLE = /^cl_(platform_id|device_id|context|command_queue|mem|program|kernel|event|sampler)$/;
  const poolOf = ({ type, stars, out, name }) => {
    if (/notify|callback|user_func/.test(type + name)) return [0n];
    if (stars === 2) return type === 'char' || type === 'unsigned char' || type === 'void' ? [0n, addresses] : pointers;
    if (stars === 1 && HANDLE.test(type)) return [0n, ...lists, room];
    if (stars === 1 && type === 'size_t' && !out) return [0n, ...sizes, room];
    if (stars === 1) return type === 'char' && !out ? texts : pointers;
    if (HANDLE.test(type)) return handles;
    if (type === 'size_t') return wides;
    return /^cl_(int|kernel_exec_info)$/.test(type) ? signed : /uint|bool|info|type|mode/.test(type) ? numbers : numbers;
  };

  let state = 12345;
  const random = (list) => list[(state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65_521 % list.length];
  const complaints = new Set();
  const statuses = new Set();
  for (const [name, text] of entriesOf(functions)) {
    const { params, result } = parsePrototype(text);
    // What these would end is what the others use.
    const end = /Release|SVMFree/.test(name);
    for (let i = 0; i < (end ? 20 : 1000); i++) {
      room.fill(i % 3 === 0 ? 255 : 0);
      const args = params.map((parameter) => random(end && HANDLE.test(parameter.type) && parameter.stars === 0 ? wild : poolOf(parameter)));
      if (name === 'clBuildProgram' || name === 'clCompileProgram' || name === 'clLinkProgram') if (i > 60) break;
      try {
        const status = table[name](...args);
        if (result !== 'cl_int') continue;
        statuses.add(status);
        if (!Number.isInteger(status) || status > 0) complaints.add(name + ' = ' + String(status));
      } catch (error) {
        if (/^(TypeError|RangeError): cl\\w+: /.test(String(error))) continue;
        complaints.add(name + '(' + args.map((arg) => (arg?.length === undefined ? String(arg) : '[' + arg.length + ']')).join() + '): ' + error.stack.slice(0, 600));
      }
    }
  }
  console.log([...complaints].join('\\n'), statuses.size > 15);
  table.clSetUserEventStatus(event, 0);
  console.log(table.clFinish(queue), table.clEnqueueWriteBuffer(queue, buffer, 1, 0, 256, room, 0, 0n, 0n), table.clEnqueueReadBuffer(queue, buffer, 1, 0, 256, room, 0, 0n, 0n));`;

test('wrong arguments get a status and do not end the process', async () => {
  const { code, signal, stdout, stderr } = await runChild(WALK, {
    RAWKERNEL_DEVICE: 'cpu',
    RAWKERNEL_CPU_WORKERS: '1',
  });
  expect({ code, signal, stdout, stderr }).toEqual({ code: 0, signal: null, stdout: ' true\n0 0 0\n', stderr: '' });
}, 120_000);
