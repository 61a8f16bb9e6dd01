import koffi from 'koffi';
import * as cuda from 'rawkernel/cuda';
import { structs } from 'rawkernel/cuda/sys';
import type { CudaBench } from '../cuda.ts';
import { BARE, callSide, nsPerCall, type Case, type Side } from '../harness.ts';

const COUNT = 400;
/** Fewer than a stream takes before a launch waits for the device. */
const MANY = 10_000;
const BLOCK = 32;
const NODES = 100;
const ARGUMENTS = [0, 4, 16];

/** An empty kernel: pointers, and integers behind them. */
function source(count: number): string {
  const pointers = Array.from({ length: pointersOf(count) }, (_, i) => `float *p${i}`);
  const numbers = Array.from({ length: count - pointers.length }, (_, i) => `int n${i}`);
  return `extern "C" __global__ void nothing(${[...pointers, ...numbers].join(', ')}) {}`;
}

function pointersOf(count: number): number {
  return count === 4 ? 3 : count / 2;
}

const EXTRA_END = 0n;
const EXTRA_POINTER = 1n;
const EXTRA_SIZE = 2n;

/** What a launch costs the host, for kernels that do nothing. */
export function* launchSuite(bench: CudaBench): Generator<Case> {
  using stream = new cuda.Stream();
  using memory = cuda.memAlloc(4);
  const settle = (): void => {
    stream.synchronize();
  };
  for (const count of ARGUMENTS) {
    using module = new cuda.SourceModule(source(count));
    const kernel = module.getFunction('nothing');
    const full = kernel as unknown as (...args: unknown[]) => void;
    const prepared = kernel.prepare({ block: BLOCK, stream }) as (...args: unknown[]) => void;
    const options = { block: BLOCK, stream };
    const fixed: unknown[] = Array.from({ length: count }, (_, i) => (i < pointersOf(count) ? memory : i));
    const given = BigUint64Array.from({ length: Math.max(1, count) }, (_, i) =>
      i < pointersOf(count) ? memory.ptr : BigInt(i),
    );
    // As calls are written, one argument changes with each launch.
    const calls = callsOf(count, fixed, options, full, prepared);
    if (count === 0) warmUp(calls.prepared, settle);
    const native = [kernel.handle, BLOCK, stream.handle, count, given] as const;
    yield {
      name: `launch, ${count} arguments`,
      unit: 'ns',
      sides: [
        settled(bench.c('launch', ...native, COUNT), settle),
        bareSide(bench, kernel.handle, stream.handle, count, given, settle),
        callSide('rawkernel, prepared', COUNT, calls.prepared, settle),
        callSide('rawkernel', COUNT, calls.full, settle),
        ...bench.theirs(`launch ${count}`),
      ],
    };
    if (count !== 4) continue;
    yield piecesCase(bench, kernel.handle, stream.handle, given, calls, settle);
    yield {
      name: `${MANY} launches and their end, ${count} arguments, each`,
      unit: 'ns',
      sides: [
        bench.c('launches', ...native, MANY),
        { name: 'rawkernel, prepared', round: () => throughput(calls.prepared, settle) },
        { name: 'rawkernel', round: () => throughput(calls.full, settle) },
        ...bench.theirs(`throughput ${count}`),
      ],
    };
    yield {
      name: `launch and wait, ${count} arguments`,
      unit: 'ns',
      sides: [
        bench.c('launch_and_wait', ...native, COUNT),
        callSide('rawkernel, prepared', COUNT, (i) => {
          calls.prepared(i);
          stream.synchronize();
        }),
        ...bench.theirs(`wait ${count}`),
      ],
    };
    yield* graphCases(bench, stream, () => {
      calls.prepared(0);
    });
  }
}

/** Processor and device come up to speed before the first case. */
function warmUp(call: (i: number) => void, settle: () => void): void {
  for (let round = 0; round < 10; round++) throughput(call, settle);
}

function throughput(call: (i: number) => void, settle: () => void): number {
  const start = process.hrtime.bigint();
  nsPerCall(MANY, call);
  settle();
  return Number(process.hrtime.bigint() - start) / MANY;
}

function* graphCases(bench: CudaBench, stream: cuda.Stream, launch: () => void): Generator<Case> {
  stream.beginCapture();
  for (let i = 0; i < NODES; i++) launch();
  using graph = stream.endCapture();
  using exec = graph.instantiate();
  const replay = bench.bare('int cuGraphLaunch(void *graph, void *stream)');
  const { handle } = exec;
  const queue = stream.handle;
  const settle = (): void => {
    stream.synchronize();
  };
  yield {
    name: `replay of a graph of ${NODES} launches, each`,
    unit: 'ns',
    sides: [
      settled(bench.c('graph_launch', exec.handle, stream.handle, 10), settle, 1 / NODES),
      replay &&
        settled(
          callSide(BARE, 10, () => void replay(handle, queue)),
          settle,
          1 / NODES,
        ),
      {
        name: 'rawkernel',
        round: () => {
          const ns = nsPerCall(10, () => {
            exec.launch(stream);
          });
          settle();
          return ns / NODES;
        },
      },
      ...bench.theirs('graph'),
    ],
  };
}

/** From C to a full call by steps: where the time goes. */
function piecesCase(
  bench: CudaBench,
  kernel: bigint,
  stream: bigint,
  given: BigUint64Array<ArrayBuffer>,
  calls: Calls,
  settle: () => void,
): Case {
  const { values, extra, config } = packed(4, given, stream);
  const kept = bench.call('launch_kept');
  bench.call('keep_launch')?.(config, kernel, extra);
  const ex = bench.bare('int cuLaunchKernelEx(void *config, void *kernel, void *parameters, void *extra)');
  return {
    name: 'launch, 4 arguments, by steps',
    unit: 'ns',
    sides: [
      settled(bench.c('launch_ex', config, kernel, extra, COUNT), settle),
      kept &&
        callSide(
          'C, called without arguments for each launch',
          COUNT,
          () => {
            kept();
          },
          settle,
        ),
      ex &&
        callSide(
          `${BARE}, cuLaunchKernelEx`,
          COUNT,
          (i) => {
            values[values.length - 1] = i;
            ex(config, kernel, 0n, extra);
          },
          settle,
        ),
      callSide('rawkernel, prepared', COUNT, calls.prepared, settle),
      callSide('rawkernel', COUNT, calls.full, settle),
    ],
  };
}

/** The device runs dry before the next round. */
function settled(side: Side | undefined, settle: () => void, scale = 1): Side | undefined {
  return (
    side && {
      name: side.name,
      round: async () => {
        const ns = await side.round();
        settle();
        return ns * scale;
      },
    }
  );
}

type Calls = Readonly<Record<'full' | 'prepared', (i: number) => void>>;

/** Written out, as in a program: no spread. */
function callsOf(
  count: number,
  f: readonly unknown[],
  options: object,
  full: (...args: unknown[]) => void,
  prepared: (...args: unknown[]) => void,
): Calls {
  switch (count) {
    case 0:
      return {
        full: () => {
          full(options);
        },
        prepared: () => {
          prepared();
        },
      };
    case 4: {
      const [a, b, c] = f;
      return {
        full: (i) => {
          full(a, b, c, i, options);
        },
        prepared: (i) => {
          prepared(a, b, c, i);
        },
      };
    }
    default: {
      const [a, b, c, d, e, g, h, j, k, l, m, n, o, p, q] = f;
      return {
        full: (i) => {
          full(a, b, c, d, e, g, h, j, k, l, m, n, o, p, q, i, options);
        },
        prepared: (i) => {
          prepared(a, b, c, d, e, g, h, j, k, l, m, n, o, p, q, i);
        },
      };
    }
  }
}

/** The driver's function through the FFI alone, with its parameters laid out once. */
function bareSide(
  bench: CudaBench,
  kernel: bigint,
  stream: bigint,
  count: number,
  given: BigUint64Array<ArrayBuffer>,
  settle: () => void,
): Side | undefined {
  const sizes = Array.from({ length: 7 }, (_, i) => `unsigned int size${i}`).join(', ');
  const call = bench.bare(`int cuLaunchKernel(void *kernel, ${sizes}, void *stream, void *parameters, void *extra)`);
  if (!call) return undefined;
  const { values, extra } = packed(count, given, stream);
  const last = values.length - 1;
  return callSide(
    BARE,
    COUNT,
    (i) => {
      if (last >= 0) values[last] = i;
      call(kernel, 1, 1, 1, BLOCK, 1, 1, 0, stream, 0n, extra);
    },
    settle,
  );
}

/** What a launch reads, laid out once in memory that `values` keeps alive. */
interface Packed {
  /** The parameters behind one another; an integer comes last. */
  readonly values: Int32Array;
  /** Address of the list that names them and their size. */
  readonly extra: bigint;
  /** Address of a CUlaunchConfig. */
  readonly config: bigint;
}

function packed(count: number, given: BigUint64Array<ArrayBuffer>, stream: bigint): Packed {
  const pointers = pointersOf(count);
  const bytes = 8 * pointers + 4 * (count - pointers);
  const head = Math.max(8, Math.ceil(bytes / 8) * 8);
  const configAt = head + 48;
  const block = new ArrayBuffer(configAt + structs.CUlaunchConfig.size);
  new BigUint64Array(block, 0, pointers).set(given.subarray(0, pointers));
  const values = new Int32Array(block, 0, bytes / 4);
  const start: bigint = koffi.address(new Uint8Array(block));
  const list = [EXTRA_POINTER, start, EXTRA_SIZE, start + BigInt(head), EXTRA_END];
  new BigUint64Array(block, head).set([BigInt(bytes), ...list]);
  const view = new DataView(block, configAt);
  const { gridDimX, blockDimX, hStream } = structs.CUlaunchConfig.fields;
  for (let i = 0; i < 3; i++) {
    view.setUint32(gridDimX + 4 * i, 1, true);
    view.setUint32(blockDimX + 4 * i, i === 0 ? BLOCK : 1, true);
  }
  view.setBigUint64(hStream, stream, true);
  return { values, extra: start + BigInt(head + 8), config: start + BigInt(configAt) };
}
