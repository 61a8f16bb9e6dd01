// Capture the work of a stream as a graph, and launch the graph repeatedly, each time with one call. Two of its branches
// run concurrently.
// After the graph example of cuda.core.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1024;
const launches = 5;

using mod = new cuda.SourceModule(`
__global__ void add(float *x, float by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
__global__ void join(float *sum, const float *a, const float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}`);
const add = mod.getFunction('add');
const shape = { block: 256, grid: n / 256 };

using a = cuda.toDevice(new Float32Array(n));
using b = cuda.toDevice(new Float32Array(n));
using sum = cuda.memAlloc(4 * n);

using stream = new cuda.Stream();
using branch = new cuda.Stream();
using forked = new cuda.Event({ timing: false });
using joined = new cuda.Event({ timing: false });

stream.beginCapture();
forked.record(stream);
branch.waitForEvent(forked); // from here on, work enqueued on `branch` belongs to the graph too
add(a, 1, n, { ...shape, stream });
add(b, 10, n, { ...shape, stream: branch });
joined.record(branch);
stream.waitForEvent(joined);
mod.getFunction('join')(sum, a, b, n, { ...shape, stream });
using graph = stream.endCapture();

console.log(`nodes: ${graph.nodes.map(({ kind }) => kind).join(', ')}; edges: ${graph.edges.length}`);
// No work has run so far.
const isUntouched = cuda.fromDevice(a, 'f32').every((x) => x === 0);

using exec = graph.instantiate();
exec.upload(stream);
for (let i = 0; i < launches; i++) exec.launch(stream);
await stream.done();

const result = cuda.fromDevice(sum, 'f32');
console.log(`after ${launches} launches: ${result[0]}`);
const passed = isUntouched && graph.edges.length === 2 && result.every((x) => x === launches * 11);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
