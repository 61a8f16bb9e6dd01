import * as cuda from 'rawkernel/cuda';
import { scaled, type CudaBench } from '../cuda.ts';
import { bareSide, BARE, callSide, type Case } from '../harness.ts';

const COUNT = 500;
const BYTES = 1 << 20;

const SOURCE = `__global__ void scale(float *a, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}`;

/** Memory, events, streams and modules: what making, using and ending them costs. */
export function* objectSuite(bench: CudaBench): Generator<Case> {
  yield* memoryCases(bench);
  yield* eventCases(bench);
  yield {
    name: 'create and destroy a stream',
    unit: 'us',
    sides: [
      scaled(bench.c('stream_create', 50), inMicroseconds),
      scaled(
        bareSide(
          bench.bare('int cuStreamCreate(void *stream, unsigned int flags)'),
          bench.bare('int cuStreamDestroy_v2(void *stream)'),
          50,
          (make, end) => {
            make(slot, 0);
            end(made());
          },
        ),
        inMicroseconds,
      ),
      scaled(
        callSide('rawkernel', 50, () => {
          new cuda.Stream().close();
        }),
        inMicroseconds,
      ),
      ...bench.theirs('stream').map((side) => scaled(side, inMicroseconds)),
    ],
  };
  yield moduleCase(bench);
  yield* heapCases();
}

const inMicroseconds = (ns: number): number => ns / 1000;

/** What the driver writes a handle, an address or a time to. */
const slot = new BigUint64Array(1);
const made = (): bigint => slot[0] ?? 0n;

function* memoryCases(bench: CudaBench): Generator<Case> {
  using stream = new cuda.Stream();
  using pool = new cuda.DeviceMemoryPool();
  const queue = stream.handle;
  const settle = (): void => {
    stream.synchronize();
  };
  yield {
    name: 'memAlloc and free, 1 MiB',
    unit: 'ns',
    sides: [
      bench.c('alloc_free', BYTES, COUNT),
      bareSide(
        bench.bare('int cuMemAlloc_v2(void *memory, size_t bytes)'),
        bench.bare('int cuMemFree_v2(uint64_t memory)'),
        COUNT,
        (make, end) => {
          make(slot, BYTES);
          end(made());
        },
      ),
      callSide('rawkernel', COUNT, () => {
        cuda.memAlloc(BYTES).free();
      }),
      ...bench.theirs('alloc'),
    ],
  };
  yield {
    name: 'from a pool and back, 1 MiB',
    unit: 'ns',
    sides: [
      callSide('rawkernel', COUNT, () => {
        pool.allocate(BYTES).free();
      }),
      ...bench.theirs('pool'),
    ],
  };
  pool.freeHeld();
  yield {
    name: 'memAllocAsync and freeAsync, 1 MiB',
    unit: 'ns',
    sides: [
      bench.c('alloc_free_async', BYTES, stream.handle, COUNT),
      bareSide(
        bench.bare('int cuMemAllocAsync(void *memory, size_t bytes, void *stream)'),
        bench.bare('int cuMemFreeAsync(uint64_t memory, void *stream)'),
        COUNT,
        (make, end) => {
          make(slot, BYTES, queue);
          end(made(), queue);
        },
        settle,
      ),
      callSide(
        'rawkernel',
        COUNT,
        () => {
          cuda.memAllocAsync(BYTES, stream).freeAsync();
        },
        settle,
      ),
      ...bench.theirs('alloc async'),
    ],
  };
}

function* eventCases(bench: CudaBench): Generator<Case> {
  using stream = new cuda.Stream();
  using first = new cuda.Event();
  using second = new cuda.Event();
  const [earlier, later, queue] = [first.handle, second.handle, stream.handle];
  const record = bench.bare('int cuEventRecord(void *event, void *stream)');
  const elapsed = bench.bare('int cuEventElapsedTime(void *ms, void *start, void *end)');
  first.record(stream);
  second.record(stream).synchronize();
  const settle = (): void => {
    stream.synchronize();
  };
  yield {
    name: 'record an event',
    unit: 'ns',
    sides: [
      bench.c('event_record', second.handle, stream.handle, COUNT),
      record && callSide(BARE, COUNT, () => void record(later, queue), settle),
      callSide(
        'rawkernel',
        COUNT,
        () => {
          second.record(stream);
        },
        settle,
      ),
      ...bench.theirs('event record'),
    ],
  };
  first.record(stream);
  second.record(stream).synchronize();
  yield {
    name: 'time between two events',
    unit: 'ns',
    sides: [
      bench.c('event_elapsed', first.handle, second.handle, COUNT),
      elapsed && callSide(BARE, COUNT, () => void elapsed(slot, earlier, later)),
      callSide('rawkernel', COUNT, () => {
        second.timeSince(first);
      }),
      ...bench.theirs('event elapsed'),
    ],
  };
  yield {
    name: 'create and destroy an event',
    unit: 'ns',
    sides: [
      bench.c('event_create', COUNT),
      bareSide(
        bench.bare('int cuEventCreate(void *event, unsigned int flags)'),
        bench.bare('int cuEventDestroy_v2(void *event)'),
        COUNT,
        (make, end) => {
          make(slot, 0);
          end(made());
        },
      ),
      callSide('rawkernel', COUNT, () => {
        new cuda.Event().close();
      }),
      ...bench.theirs('event create'),
    ],
  };
}

function moduleCase(bench: CudaBench): Case {
  const { code } = cuda.Program.compile(SOURCE);
  return {
    name: 'load and unload a module',
    unit: 'us',
    rounds: 10,
    sides: [
      scaled(bench.c('module_load', code, 10), inMicroseconds),
      scaled(
        bareSide(
          bench.bare('int cuModuleLoadData(void *module, void *image)'),
          bench.bare('int cuModuleUnload(void *module)'),
          10,
          (make, end) => {
            make(slot, code);
            end(made());
          },
        ),
        inMicroseconds,
      ),
      scaled(
        callSide('rawkernel', 10, () => {
          cuda.moduleFromBuffer(code).close();
        }),
        inMicroseconds,
      ),
      ...bench.theirs('module').map((side) => scaled(side, inMicroseconds)),
    ],
  };
}

const KEPT = 2000;

/** JavaScript's share of an object: what the driver needs for it is not in it. */
function* heapCases(): Generator<Case> {
  using module = new cuda.SourceModule(SOURCE);
  const kinds: readonly (readonly [string, () => { close: () => void }])[] = [
    ['an allocation', () => cuda.memAlloc(256)],
    ['an event', () => new cuda.Event()],
    ['a stream', () => new cuda.Stream()],
  ];
  for (const [name, make] of kinds) {
    yield {
      name: `heap of ${name}`,
      unit: 'bytes',
      rounds: 3,
      sides: [{ name: 'rawkernel', round: () => heapOf(make) }],
    };
  }
  const kernels: unknown[] = [];
  const round = (): number =>
    heapOf(() => {
      kernels.push(module.getFunction('scale').prepare({ block: 32 }));
      return { close: () => kernels.pop() };
    });
  yield { name: 'heap of a prepared launch', unit: 'bytes', rounds: 3, sides: [{ name: 'rawkernel', round }] };
}

function heapOf(make: () => { close: () => void }): number {
  const collect = globalThis.gc;
  if (!collect) throw new Error('the benchmark needs --expose-gc');
  collect();
  const before = used();
  const kept = Array.from({ length: KEPT }, make);
  collect();
  const bytes = (used() - before) / KEPT;
  for (const one of kept) one.close();
  return bytes;
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
