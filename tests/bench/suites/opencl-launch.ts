import koffi from 'koffi';
import * as cl from 'rawkernel/opencl';
import { BARE, callSide, nsPerCall, type Case, type Side } from '../harness.ts';
import { settled, type OpenCLCases } from './opencl.ts';

const COUNT = 400;
const WAITS = 200;
const MANY = 10_000;
const BATCH = 100;
const BATCHES = 4;
/** Work-items of a launch, and of a group. */
const ITEMS = 32;
const ARGUMENTS = [0, 4, 16];

/** An empty kernel: buffers, and integers behind them. */
function source(count: number): string {
  const pointers = Array.from({ length: pointersOf(count) }, (_, i) => `__global float *p${i}`);
  const numbers = Array.from({ length: count - pointers.length }, (_, i) => `int n${i}`);
  return `__kernel void nothing(${[...pointers, ...numbers].join(', ')}) {}`;
}

function pointersOf(count: number): number {
  return count === 4 ? 3 : count / 2;
}

/** What a launch costs the host, for kernels that do nothing. */
export function* launchCases(bench: OpenCLCases): Generator<Case> {
  const { c, ctx, queue, settle, theirs } = bench;
  using memory = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
  for (const count of ARGUMENTS) {
    using program = new cl.Program(ctx, source(count)).build();
    using kernel = new cl.Kernel(program, 'nothing');
    // Calls set all arguments of theirs.
    using other = new cl.Kernel(program, 'nothing');
    const pointers = pointersOf(count);
    const given = BigUint64Array.from({ length: Math.max(1, count) }, (_, i) =>
      i < pointers ? memory.handle : BigInt(i),
    );
    const native = [queue.handle, kernel.handle, given, count, pointers] as const;
    const call = callOf(count, kernel, queue, memory);
    yield {
      name: `launch, ${count} arguments`,
      unit: 'ns',
      sides: [
        settled(c('launch', ...native, 0, 1, COUNT), settle),
        settled(c('launch', ...native, 0, 0, COUNT), settle, 'C, no event'),
        settled(c('launch', ...native, Math.max(0, count - 1), 1, COUNT), settle, 'C, one argument set'),
        bareSide(bench, kernel.handle, count, given),
        callSide('rawkernel', COUNT, call, settle),
        setSide(bench, other, count, memory),
        ...theirs(`launch ${count}`),
      ],
    };
    if (count !== 4) continue;
    yield {
      name: `${MANY} launches and their end, ${count} arguments, each`,
      unit: 'ns',
      sides: [
        c('launches', ...native, 1, MANY),
        { name: 'rawkernel', round: () => throughput(MANY, call, settle) },
        ...theirs(`throughput ${count}`),
      ],
    };
    yield {
      name: `launch and wait, ${count} arguments`,
      unit: 'ns',
      sides: [
        c('launch_and_wait', ...native, WAITS),
        callSide('rawkernel', WAITS, (i) => {
          call(i).wait();
        }),
        ...theirs(`wait ${count}`),
      ],
    };
    yield* replayCases(bench, kernel, memory, native, call);
  }
}

function throughput(count: number, call: (i: number) => unknown, settle: () => void): number {
  const start = process.hrtime.bigint();
  nsPerCall(count, call);
  settle();
  return Number(process.hrtime.bigint() - start) / count;
}

type Call = (i: number) => cl.Event;

/** Written out, as in a program: no spread. One argument changes with each launch. */
function callOf(count: number, kernel: cl.Kernel, queue: cl.CommandQueue, m: cl.Buffer): Call {
  switch (count) {
    case 0:
      return () => kernel(queue, ITEMS, ITEMS);
    case 4:
      return (i) => kernel(queue, ITEMS, ITEMS, m, m, m, i);
    default:
      return (i) => kernel(queue, ITEMS, ITEMS, m, m, m, m, m, m, m, m, 8, 9, 10, 11, 12, 13, 14, i);
  }
}

/** All arguments have been set before; the last is set again for each launch. */
function setSide({ queue, settle }: OpenCLCases, own: cl.Kernel, count: number, memory: cl.Buffer): Side {
  for (let i = 0; i < count; i++) own.setArg(i, i < pointersOf(count) ? memory : i);
  const call =
    count === 0
      ? () => cl.enqueueNDRangeKernel(queue, own, ITEMS, ITEMS)
      : (i: number) => cl.enqueueNDRangeKernel(queue, own.setArg(count - 1, i), ITEMS, ITEMS);
  return callSide('rawkernel, one argument set', COUNT, call, settle);
}

/** The driver's functions through the FFI alone: all arguments set, an event asked for and given back. */
function bareSide(
  { bare, queue, settle }: OpenCLCases,
  kernel: bigint,
  count: number,
  given: BigUint64Array<ArrayBuffer>,
): Side | undefined {
  const set = bare('int clSetKernelArg(void *kernel, unsigned int index, size_t size, void *value)');
  const sizes = 'unsigned int dims, void *offset, void *global, void *local';
  const list = 'unsigned int count, void *list, void *event';
  const enqueue = bare(`int clEnqueueNDRangeKernel(void *queue, void *kernel, ${sizes}, ${list})`);
  const release = bare('int clReleaseEvent(void *event)');
  if (!set || !enqueue || !release) return undefined;
  const pointers = pointersOf(count);
  // One block, which the call keeps: the arguments, the size and the event.
  const block = BigUint64Array.of(...given, BigInt(ITEMS), 0n);
  const numbers = new Int32Array(block.buffer);
  const start: bigint = koffi.address(block);
  const places = Array.from(block, (_, i) => start + BigInt(8 * i));
  const [items, event] = places.slice(given.length);
  const raw = queue.handle;
  return callSide(
    BARE,
    COUNT,
    (i) => {
      if (count > 0) numbers[2 * count - 2] = i;
      for (let at = 0; at < count; at++) set(kernel, at, at < pointers ? 8 : 4, places[at]);
      enqueue(raw, kernel, 1, 0n, items, items, 0, 0n, event);
      release(block[given.length + 1]);
    },
    settle,
  );
}

/** Launches one by one, and recorded once and enqueued as one. */
function* replayCases(
  { c, device, queue, settle, theirs }: OpenCLCases,
  kernel: cl.Kernel,
  memory: cl.Buffer,
  native: readonly unknown[],
  call: Call,
): Generator<Case> {
  if (!cl.CommandBuffer.isPossible(queue)) return;
  using commands = new cl.CommandBuffer(queue);
  for (let i = 0; i < BATCH; i++) commands.kernel(kernel, ITEMS, ITEMS, memory, memory, memory, i);
  commands.finalize();
  // It has no accessor of its own.
  const raw = (commands as unknown as { use: (what: string) => bigint }).use('handle');
  const replay = c('replay', device.platform.raw, queue.handle, raw, BATCHES);
  yield {
    name: `${BATCH} launches and their end, ${native[3] as number} arguments, each`,
    unit: 'ns',
    sides: [
      c('launches', ...native, 1, BATCH),
      replay && { name: 'C, replayed', round: async () => (await replay.round()) / BATCH },
      { name: 'rawkernel', round: () => throughput(BATCH, call, settle) },
      {
        name: 'rawkernel, replayed',
        round: () => {
          const ns = nsPerCall(BATCHES, () => {
            commands.enqueue();
            settle();
          });
          return ns / BATCH;
        },
      },
      ...theirs('batch 4'),
    ],
  };
}
