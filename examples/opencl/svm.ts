// Memory with the same address on host and device: coarse-grained, which the host must map; fine-grained, which needs no
// map; and ordinary host arrays, on devices that share all memory. The program uses every kind that the device supports.
// After PyOpenCL's example of shared virtual memory.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const n = 1000;
const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, FINE_GRAIN_SYSTEM } = cl.DeviceSvmCapabilities;

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(
  ctx,
  '__kernel void twice(__global int *a) { a[get_global_id(0)] = 2 * a[get_global_id(0)] + 1; }',
).build();
const twice = prg.kernel('twice');
const [device] = ctx.devices;
// Platforms before OpenCL 2.0 have no shared memory.
const capabilities = device?.platform.atLeast(2, 0) ? device.svmCapabilities : 0;
const counted = Int32Array.from({ length: n }, (_, i) => i);
const wrong: string[] = [];

const check = (what: string, array: Int32Array): void => {
  const isRight = array.length === n && array.every((x, i) => x === 2 * i + 1);
  console.log(`${what}: ${isRight ? 'right' : 'wrong'}`);
  if (!isRight) wrong.push(what);
};
const has = (what: string, bit: number): boolean => {
  const is = (capabilities & bit) !== 0;
  if (!is) console.log(`${what}: the device has none`);
  return is;
};

if (has('coarse-grained', COARSE_GRAIN_BUFFER)) {
  using a = cl.csvmEmpty(ctx, n, 'i32');
  {
    using map = a.map(queue, cl.MapFlags.WRITE);
    map.array.set(counted);
  } // the device's again
  twice(queue, n, null, a);
  using map = a.map(queue, cl.MapFlags.READ);
  check('coarse-grained', map.array);
}

if (has('fine-grained', FINE_GRAIN_BUFFER)) {
  using a = cl.fsvmEmpty(ctx, n, 'i32');
  a.array.set(counted);
  twice(queue, n, null, a).wait();
  check('fine-grained', a.array);
}

if (has('the host’s own', FINE_GRAIN_SYSTEM)) {
  const array = counted.slice();
  twice(queue, n, null, new cl.SVM(array)).wait();
  check('the host’s own', array);
}

const passed = wrong.length === 0;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
