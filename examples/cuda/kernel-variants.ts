// A kernel specialised for constants known at run time: by text in the source, -D options, and template arguments.
// After PyCUDA's demo_meta_template, and its advice to measure which variant is fastest.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1 << 18;
const a = Float32Array.from({ length: n }, (_, i) => i % 1000);
const b = Float32Array.from({ length: n }, (_, i) => i % 77);
using aGpu = cuda.toDevice(a);
using bGpu = cuda.toDevice(b);
using cGpu = cuda.memAlloc(a.byteLength);

const LOOP = `
  int at = blockIdx.x * THREADS * ITEMS + threadIdx.x;
  #pragma unroll
  for (int k = 0; k < ITEMS; k++) c[at + k * THREADS] = a[at + k * THREADS] + b[at + k * THREADS];`;

/** Text: the loop over the items of a thread is unrolled here. */
function byText(threads: number, items: number): cuda.SourceModule {
  const offsets = Array.from({ length: items }, (_, k) => k * threads);
  return new cuda.SourceModule(`
__global__ void add(const float *a, const float *b, float *c)
{
  int at = blockIdx.x * ${threads * items} + threadIdx.x;
  ${offsets.map((offset) => `c[at + ${offset}] = a[at + ${offset}] + b[at + ${offset}];`).join('\n  ')}
}`);
}

/** Compiler options: macros. */
function byMacros(threads: number, items: number): cuda.SourceModule {
  const source = `__global__ void add(const float *a, const float *b, float *c) {${LOOP}}`;
  return new cuda.SourceModule(source, { options: [`-DTHREADS=${threads}`, `-DITEMS=${items}`] });
}

/** Template arguments: each instance has a name. One module may have several. */
function byTemplate(threads: number, items: number): cuda.SourceModule {
  const source = `template <int THREADS, int ITEMS> __global__ void add(const float *a, const float *b, float *c) {${LOOP}}`;
  return new cuda.SourceModule(source, { nameExpressions: [`add<${threads}, ${items}>`] });
}

let passed = true;
let best = { label: '', ms: Infinity };
for (const make of [byText, byMacros, byTemplate]) {
  for (const [threads, items] of [
    [128, 1],
    [256, 4],
  ] as const) {
    using mod = make(threads, items);
    const add = mod.getFunction(make === byTemplate ? `add<${threads}, ${items}>` : 'add');
    const launch = add.prepare({ block: threads, grid: n / (threads * items) });
    cuda.memsetD32(cGpu, 0, n);
    launch(aGpu, bGpu, cGpu);
    const c = cuda.fromDevice(cGpu, Float32Array);
    passed &&= c.every((x, i) => x === (a[i] ?? NaN) + (b[i] ?? NaN));

    using start = new cuda.Event().record();
    for (let round = 0; round < 10; round++) launch(aGpu, bGpu, cGpu);
    using end = new cuda.Event().record();
    end.synchronize();
    const ms = end.timeSince(start) / 10;
    console.log(`${make.name}, ${threads} threads, ${items} of n each: ${(ms * 1000).toFixed(1)} us`);
    if (ms < best.ms) best = { label: `${make.name}, ${threads} threads`, ms };
  }
}
console.log(`best: ${best.label}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
