import * as cuda from 'rawkernel/cuda';
import * as cl from 'rawkernel/opencl';
import { deviceOf, POCL, type Language } from './sides.ts';

/** Launches of a kernel of one block, in turn into all of so many streams or queues, and the wait for all. */
export type SmallLaunches = (streams: number) => void;

/** How long a small kernel takes by one stream, and by each number of streams, in microseconds. */
export interface StreamTimes {
  readonly one: number;
  readonly two: number;
  /** By a queue without an order; undefined for CUDA. */
  readonly unordered: number | undefined;
}

const LAUNCHES = 64;
const STEPS = 20_000;
const THREADS = 32;
const BODY = `
  float x = n;
  for (int i = 0; i < ${STEPS}; i++) x = x * 0.999f + 1.0f;
  out[i0] = x;`;
const CUDA = `extern "C" __global__ void k(float *out, int n) { int i0 = threadIdx.x; ${BODY} }`;
const OPENCL = `__kernel void k(__global float *out, int n) { int i0 = get_local_id(0); ${BODY} }`;

/** On the embedded device; one worker runs one block, so that a second stream is what gives work to a second worker. */
export function smallOnEmbedded(language: Language): StreamTimes | undefined {
  return language === 'cuda' ? timesOf(onCuda()) : smallOnOpenCL('rawkernel');
}

/** On PoCL, where there is one. */
export function smallOnPocl(): StreamTimes | undefined {
  return smallOnOpenCL(POCL);
}

function onCuda(): SmallLaunches {
  const kernel = new cuda.SourceModule(CUDA).getFunction('k');
  const lines = [0, 1].map(() => {
    const stream = new cuda.Stream();
    return { stream, out: cuda.memAlloc(4 * THREADS), launch: kernel.prepare({ block: THREADS, stream }) };
  });
  return (streams) => {
    const used = lines.slice(0, streams);
    for (let i = 0; i < LAUNCHES; i += streams) for (const { out, launch } of used) launch(out, i);
    for (const { stream } of used) stream.synchronize();
  };
}

function smallOnOpenCL(name: string): StreamTimes | undefined {
  const device = deviceOf(name);
  if (!device) return undefined;
  const ctx = new cl.Context([device]);
  const inOrder = onQueues(ctx, [new cl.CommandQueue(ctx), new cl.CommandQueue(ctx)]);
  const queue = new cl.CommandQueue(ctx, { outOfOrder: true });
  return timesOf(inOrder, onQueues(ctx, [queue]));
}

function onQueues(ctx: InstanceType<typeof cl.Context>, queues: InstanceType<typeof cl.CommandQueue>[]): SmallLaunches {
  const program = new cl.Program(ctx, OPENCL).build();
  const lines = queues.map((queue) => ({
    queue,
    kernel: program.kernel('k'),
    out: new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4 * THREADS),
  }));
  return (count) => {
    const used = lines.slice(0, count);
    for (let i = 0; i < LAUNCHES; i += count) {
      for (const { queue, kernel, out } of used) kernel(queue, THREADS, THREADS, out, i);
    }
    // PoCL begins at a flush.
    for (const { queue } of used) queue.flush();
    for (const { queue } of used) queue.finish();
  };
}

function timesOf(run: SmallLaunches, unordered?: SmallLaunches): StreamTimes {
  const sides = [() => run(1), () => run(2), ...(unordered ? [() => unordered(1)] : [])];
  const least = sides.map(() => Infinity);
  for (let round = 0; round < 12; round++) {
    for (const [i, side] of sides.entries()) {
      const start = performance.now();
      side();
      // The first rounds compile and start workers.
      if (round > 1) least[i] = Math.min(least[i] as number, ((performance.now() - start) * 1000) / LAUNCHES);
    }
  }
  const [one = NaN, two = NaN, other] = least;
  return { one, two, unordered: other };
}
