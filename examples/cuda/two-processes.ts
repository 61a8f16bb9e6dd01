// Several processes on one allocation: each worker opens its memory and its events by handles, and computes a part of it.
// After simpleIPC of NVIDIA's CUDA samples.
// requires: cuda, IPC_EVENT_SUPPORTED
import { fork } from 'node:child_process';
import { once } from 'node:events';
import 'rawkernel/cuda/autoinit';
import * as cuda from 'rawkernel/cuda';

const n = 1 << 16;
const workers = 2;
const part = n / workers;
const mod = new cuda.SourceModule(`
__global__ void count(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
__global__ void square(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}`);

/** What a worker is sent: handles of 64 bytes each. */
interface Work {
  readonly memory: Uint8Array;
  readonly ready: Uint8Array;
  readonly done: Uint8Array;
  readonly first: number;
}

async function work({ memory, ready, done, first }: Work): Promise<void> {
  using x = cuda.openIpcMemory(memory, 4 * n);
  using start = cuda.Event.fromIpcHandle(ready);
  using end = cuda.Event.fromIpcHandle(done);
  using stream = new cuda.Stream();
  // The stream waits for the other process, not the host.
  stream.waitForEvent(start);
  mod.getFunction('square')(x.slice(4 * first, 4 * part), part, { block: 256, grid: part / 256, stream });
  end.record(stream);
  process.send?.('recorded');
  // Closed here before it is freed there.
  await once(process, 'message');
  stream.synchronize();
}

async function share(): Promise<void> {
  using x = cuda.memAlloc(4 * n);
  using stream = new cuda.Stream();
  const newEvent = (): cuda.Event => new cuda.Event({ interprocess: true, timing: false });
  using ready = newEvent();
  const done = Array.from({ length: workers }, newEvent);
  mod.getFunction('count')(x, n, { block: 256, grid: n / 256, stream });
  // Recorded before the handles are sent: a wait is for the latest record.
  ready.record(stream);

  const children = done.map((event, k) => {
    // Typed arrays stay typed arrays.
    const child = fork(import.meta.filename, ['worker'], { serialization: 'advanced' });
    const handles = { memory: cuda.memIpcHandle(x), ready: ready.ipcHandle(), done: event.ipcHandle() };
    child.send({ ...handles, first: k * part } satisfies Work);
    return child;
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const event of done) stream.waitForEvent(event);
  await stream.done();
  const result = cuda.fromDevice(x, Float32Array);

  const ends = children.map((child) => once(child, 'exit'));
  for (const child of children) {
    child.send('close');
    child.disconnect();
  }
  await Promise.all(ends);
  for (const event of done) event.close();
  const passed = result.every((value, i) => value === Math.fround(i * i));
  console.log(`${workers} processes: x[1000] = ${result[1000]}, x[${n - 1}] = ${result[n - 1]}`);
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}

if (process.argv[2] === 'worker') {
  const [message] = (await once(process, 'message')) as [Work];
  await work(message);
  process.disconnect();
} else {
  await share();
}
