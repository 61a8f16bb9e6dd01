// All-reduce beside the same calls in a C loop, on one communicator and in one run, and how long NCCL keeps the event loop. Each
// rank measures; rank 0 writes. Run: npm run bench:nccl -- --processes 2
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Context, Device, Stream } from 'rawkernel/cuda';
import * as xp from 'rawkernel/cuda/array';
import { Communicator, findLibraries } from 'rawkernel/nccl';
import { compileBaseline } from './native/baseline.ts';
import { spreadOf, table } from './statistics.ts';

const SIZES = [
  { title: '4 KiB', bytes: 4096, calls: 500, rounds: 41 },
  { title: '1 MiB', bytes: 2 ** 20, calls: 200, rounds: 31 },
  { title: '64 MiB', bytes: 2 ** 26, calls: 20, rounds: 9 },
  { title: '1 GiB', bytes: 2 ** 30, calls: 4, rounds: 5 },
];
const rank = Number(process.env['RANK'] ?? 0);
const gpus = Device.count();
/** More ranks than GPUs: NCCL takes ranks of one GPU where they call themselves ranks of different machines. */
const isShared = Number(process.env['LOCAL_WORLD_SIZE'] ?? 1) > gpus;
if (isShared) process.env['NCCL_HOSTID'] ??= `bench-${rank}`;

// The driver's own start is not NCCL's.
new Context(new Device(rank % gpus));
const starting = await lagOf(() => Communicator.fromEnvironment({ device: rank % gpus, name: 'bench' }));
const communicator = starting.value;
const { size } = communicator;
const stream = new Stream({ nonBlocking: true });
/** The embedded device has no C library to compare with. */
const { isEmbedded } = communicator.device;
const lines: string[][] = [['all-reduce', 'us per call', 'of C', 'GB/s']];
const c = isEmbedded
  ? undefined
  : compileBaseline('nccl.c', findLibraries()[0]?.path ?? 'libnccl.so.2', {
      queued: ['double', 'void *', 'uint64', 'size_t', 'void *', 'int'],
      waited: ['double', 'void *', 'uint64', 'size_t', 'void *', 'int'],
    });

for (const { title, bytes, calls, rounds } of sizes()) {
  const x = xp.zeros(bytes / 4, { dtype: 'f32', stream });
  const native = [communicator.handle, x.ptr, bytes / 4, stream.handle, calls] as const;
  await compare(
    `${title}, one behind the other`,
    bytes,
    rounds,
    () => c?.queued(...native),
    () => queued(x, calls),
  );
  await compare(
    `${title}, not awaited`,
    bytes,
    rounds,
    () => c?.queued(...native),
    () => together(x, calls),
  );
  await compare(
    `${title}, each waited for`,
    bytes,
    rounds,
    () => c?.waited(...native),
    () => waited(x, calls),
  );
  x.close();
}

const x = xp.zeros(isEmbedded ? 2 ** 18 : isShared ? 2 ** 24 : 2 ** 28, { dtype: 'f32', stream });
const little = xp.zeros(1024, { dtype: 'f32', stream });
const large = await lagOf(async () => {
  for (let i = 0; i < 20; i++) await communicator.allReduce(x, { stream });
  await stream.done();
});
const small = await lagOf(async () => {
  for (let i = 0; i < 2000; i++) await communicator.allReduce(little, { stream });
  await stream.done();
});
const late = await lagOf(async () => {
  if (rank > 0) await sleep(1000);
  await communicator.allReduce(x, { stream });
  await stream.done();
});
if (rank === 0) {
  console.log(
    `\n${size} ranks on ${gpus} GPUs (${communicator.device.name})${isShared ? ', by sockets of one machine' : ''}\n`,
  );
  console.log(table(lines));
  console.log('\nlongest delay of the event loop, ms');
  for (const [what, { ms }] of Object.entries({
    init: starting,
    '20 large ones': large,
    '2000 small ones': small,
    'a rank 1 s late': late,
  }))
    console.log(`  ${what.padEnd(16)} ${ms.toFixed(1)}`);
}
stream.close();
await communicator.finalize();
communicator.close();

/** Ranks that share a GPU have it in turns of some milliseconds. */
function sizes(): typeof SIZES {
  if (isShared && !isEmbedded) return SIZES.slice(0, 3).map((one) => ({ ...one, calls: 3, rounds: 3 }));
  return isEmbedded ? SIZES.slice(0, 2) : SIZES;
}

/** Both in turn: all ranks make the same calls. */
async function compare(
  title: string,
  bytes: number,
  rounds: number,
  native: () => number | undefined,
  own: () => Promise<number>,
): Promise<void> {
  const [inC, inNode]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const times = [native() ?? NaN, await own()] as const;
    if (round < 0) continue;
    inC.push(times[0]);
    inNode.push(times[1]);
  }
  const ratio = spreadOf(inNode.map((ns, i) => ns / (inC[i] ?? NaN))).median;
  const { median } = spreadOf(inNode);
  lines.push([
    title,
    (median / 1e3).toFixed(1),
    Number.isNaN(ratio) ? '-' : ratio.toFixed(3),
    (bytes / median).toFixed(1),
  ]);
}

async function queued(x: xp.NDArray, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) await communicator.allReduce(x, { stream });
  stream.synchronize();
  return ((performance.now() - start) * 1e6) / calls;
}

async function together(x: xp.NDArray, calls: number): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: calls }, () => communicator.allReduce(x, { stream })));
  stream.synchronize();
  return ((performance.now() - start) * 1e6) / calls;
}

async function waited(x: xp.NDArray, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    await communicator.allReduce(x, { stream });
    stream.synchronize();
  }
  return ((performance.now() - start) * 1e6) / calls;
}

/** The longest time that the event loop did not turn. */
async function lagOf<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await sleep(20);
  delay.enable();
  const value = await work();
  delay.disable();
  return { value, ms: delay.max / 1e6 };
}
