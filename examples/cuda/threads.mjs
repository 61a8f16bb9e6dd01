// Worker threads that share a device: each has its own current context, loads the code that the main thread compiled,
// and computes a part of the result.
// In plain JavaScript, which workers of every Node version can run; it calls close() instead of `using`.
// After PyCUDA's MultipleThreads.
// requires: cuda
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as cuda from 'rawkernel/cuda';
// Each thread runs this. On a GPU all threads of the process share the primary context.
import { device } from 'rawkernel/cuda/autoinit';

const workers = 3;
const each = 1000;

const source = `
__global__ void roots(double *x, int first, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = sqrt((double)(first + i));
}`;

if (isMainThread) await main();
else work(workerData);

async function main() {
  const { code } = cuda.Program.compile(source);
  // Memory that all threads access; each fills its part.
  const all = new Float64Array(new SharedArrayBuffer(8 * workers * each));
  const lines = await Promise.all(
    Array.from({ length: workers }, async (_, k) => {
      const workerData = { code, first: k * each, results: all.subarray(k * each, (k + 1) * each) };
      const worker = new Worker(new URL(import.meta.url), { workerData });
      const [[line]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
      return line;
    }),
  );
  for (const line of lines) console.log(line);
  const passed = all.every((x, i) => Math.abs(x - Math.sqrt(i)) <= 1e-14 * x);
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}

function work({ code, first, results }) {
  const mod = cuda.moduleFromBuffer(code);
  const stream = new cuda.Stream({ nonBlocking: true });
  const grid = Math.ceil(results.length / 128);
  mod.getFunction('roots')(cuda.Out(results), first, results.length, { block: 128, grid, stream });
  stream.synchronize();
  parentPort.postMessage(`from ${first} on: ${results.subarray(0, 3).join(', ')} (${device.name})`);
  stream.close();
  mod.close();
}
