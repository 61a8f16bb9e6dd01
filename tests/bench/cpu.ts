// The embedded CPU device beside PoCL, kernel by kernel, in one run: npm run bench:cpu [-- --workers 1 --rounds 8]
import { parseArgs } from 'node:util';
import { KERNELS, type BenchKernel } from './kernels.ts';

const { values } = parseArgs({
  options: { workers: { type: 'string', default: '1' }, rounds: { type: 'string', default: '8' } },
});
process.env['RAWKERNEL_DEVICE'] = 'cpu';
process.env['RAWKERNEL_CPU_WORKERS'] = values.workers;
// PoCL 3 and PoCL 5 name it differently.
process.env['POCL_MAX_PTHREAD_COUNT'] = process.env['POCL_CPU_MAX_CU_COUNT'] = values.workers;

const cuda = await import('../../src/cuda/index.ts');
const { context } = await import('../../src/cuda/autoinit.ts');
const cl = await import('../../src/opencl/index.ts');

interface Side {
  /** Run once; how long it took, in ms. */
  readonly run: () => number;
  readonly result: () => Float32Array;
}

function embedded({ cuda: source, global, local, args, result }: BenchKernel): Side {
  const kernel = new cuda.SourceModule(source).getFunction('k');
  const passed = args().map((arg) => (typeof arg === 'number' ? arg : cuda.toDevice(arg)));
  const options = { block: [...local], grid: [global[0] / local[0], global[1] / local[1]] } as const;
  return {
    run: () => {
      const start = performance.now();
      kernel(...passed, options);
      context.synchronize();
      return performance.now() - start;
    },
    result: () => cuda.fromDevice(passed[result] as never, 'f32'),
  };
}

function pocl({ opencl, global, local, args, result }: BenchKernel): Side | undefined {
  const platform = platforms().find(({ name }) => name.includes('Portable'));
  if (!platform) return undefined;
  const ctx = new cl.Context([platform.getDevices()[0] as InstanceType<typeof cl.Device>]);
  const queue = new cl.CommandQueue(ctx);
  const kernel = new cl.Program(ctx, opencl).build().kernel('k');
  const { COPY_HOST_PTR, READ_WRITE } = cl.MemFlags;
  const passed = args().map((arg) =>
    typeof arg === 'number' ? arg : new cl.Buffer(ctx, COPY_HOST_PTR | READ_WRITE, arg),
  );
  return {
    run: () => {
      const start = performance.now();
      kernel(queue, [...global], [...local], ...passed);
      queue.finish();
      return performance.now() - start;
    },
    result: () => {
      const buffer = passed[result] as InstanceType<typeof cl.Buffer>;
      const array = new Float32Array(buffer.byteLength / 4);
      cl.enqueueCopy(queue, array, buffer);
      return array;
    },
  };
}

function platforms(): readonly InstanceType<typeof cl.Platform>[] {
  try {
    return cl.getPlatforms();
  } catch {
    return [];
  }
}

/** The largest difference, relative to the values. */
function difference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, x, i) => Math.max(most, Math.abs(x - (b[i] ?? NaN)) / Math.max(1, Math.abs(x))), 0);
}

console.log(`${'kernel'.padEnd(20)}${'embedded'.padStart(12)}${'PoCL'.padStart(12)}${'ratio'.padStart(8)}  difference`);
const ratios: number[] = [];
for (const bench of KERNELS) {
  const ours = embedded(bench);
  const theirs = pocl(bench);
  const best = [Infinity, Infinity];
  for (let round = 0; round <= Number(values.rounds); round++) {
    const times = [ours.run(), theirs?.run() ?? NaN];
    // The first round warms up.
    if (round > 0) times.forEach((time, i) => (best[i] = Math.min(best[i] ?? Infinity, time)));
  }
  const [a = NaN, b = NaN] = best;
  if (theirs) ratios.push(a / b);
  const apart = theirs ? difference(ours.result(), theirs.result()).toExponential(1) : '';
  const cells = [`${a.toFixed(2)} ms`, theirs ? `${b.toFixed(2)} ms` : 'none']
    .map((text) => text.padStart(12))
    .join('');
  console.log(`${bench.name.padEnd(20)}${cells}${(a / b).toFixed(2).padStart(8)}  ${apart}`);
}
if (ratios.length > 0) {
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`geometric mean of ${ratios.length} ratios, ${values.workers} worker(s): ${mean.toFixed(2)}`);
}
process.exit();
