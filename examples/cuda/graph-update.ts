// Update an instantiated graph: the arguments of one node, then the whole from another graph of the same shape. A graph of
// another shape is rejected with the reason.
// After the graph update example of cuda.core.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
__global__ void add(int *x, int by) { x[threadIdx.x] += by; }
__global__ void times(int *x, int by) { x[threadIdx.x] *= by; }`);
const add = mod.getFunction('add');
const times = mod.getFunction('times');
const n = 64;
using x = cuda.memAlloc(4 * n);
using stream = new cuda.Stream({ nonBlocking: true });

/** Fill with a number, then (number + addend) * factor. */
function build(number: number, addend: number, factor: number): { graph: cuda.Graph; last: cuda.GraphNode } {
  const graph = new cuda.Graph();
  const fill = graph.addMemset(x, number, n, { elementBytes: 4 });
  const sum = graph.addKernel(add, [x, addend], { block: n, after: fill });
  const last = graph.addKernel(times, [x, factor], { block: n, after: sum });
  return { graph, last };
}

/** The value in memory after the graph has run; NaN if the elements differ. */
async function result(exec: cuda.GraphExec): Promise<number> {
  exec.launch(stream);
  await stream.done();
  const [first = NaN, ...others] = cuda.fromDevice(x, 'i32');
  return others.every((value) => value === first) ? first : NaN;
}

const { graph, last } = build(1, 2, 10);
using exec = graph.instantiate();
const results = [await result(exec)];

// One node: new arguments, optionally a new kernel.
exec.setKernel(last, times, [x, 100], { block: n });
results.push(await result(exec));
exec.setKernel(last, add, [x, 100], { block: n });
results.push(await result(exec));

// The whole graph at once.
using second = build(5, 6, 7).graph;
exec.update(second);
results.push(await result(exec));

// An additional node needs a new instantiation.
using third = build(1, 1, 1).graph;
third.addEmpty();
const why = exec.tryUpdate(third);
console.log(`refused: ${why ?? 'no'}`);
results.push(await result(exec));
graph.close();

console.log(results.join(', '));
const passed = why !== undefined && results.join() === '30,300,103,77,77';
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
