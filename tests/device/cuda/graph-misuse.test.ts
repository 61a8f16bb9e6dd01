import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../src/core/errors.ts';
import { Graph } from '../../../src/cuda/graph/graph.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
extern "C" __global__ void add(int *x, int n) { x[threadIdx.x] += n; }
extern "C" __global__ void times(int *x, int n) { x[threadIdx.x] *= n; }
extern "C" __global__ void nothing() { }`;

needs.cuda().describe('misuse of graphs', () => {
  withDevice();

  test('is refused before the driver is asked', () => {
    using module = new SourceModule(SOURCE);
    using memory = memAlloc(16);
    using graph = new Graph();
    using other = new Graph();
    const add = module.getFunction('add');
    const foreign = other.addEmpty();
    const bad: readonly (readonly [() => unknown, RegExp])[] = [
      [() => graph.addKernel(add, [memory] as never, { block: 1 }), /takes 2 arguments, got 1/],
      [() => graph.addKernel(add, [new Int32Array(1) as never, 1], { block: 1 }), /got a host array/],
      [() => graph.addKernel(add, [memory, 1.5], { block: 1 }), /1.5/],
      [() => graph.addKernel(add, [memory, 1], { block: 4096 }), /threads|allows/],
      [() => graph.addKernel(add, [memory, 1], { block: 1, stream: null } as never), /has no 'stream'/],
      [() => graph.addKernel({} as never, [], { block: 1 }), /takes a kernel, got an Object/],
      [() => graph.addKernel(add, memory as never, { block: 1 }), /the arguments must be an array/],
      [() => graph.addKernel(add, [memory, 1], { block: 1, after: foreign }), /is of another graph/],
      [() => graph.addKernel(add, [memory, 1], { block: 1, after: 5 as never }), /takes a GraphNode, got 5/],
      [() => graph.addMemcpy(memory, new Uint8Array(17)), /has 16 bytes; 17 were asked for/],
      [() => graph.addMemcpy(new Uint8Array(8), new Uint8Array(8)), /one of the two has to be device memory/],
      [() => graph.addMemcpy(16n, 32n), /raw addresses have no size/],
      [() => graph.addMemset(memory, 256, 4), /from 0 to 255/],
      [() => graph.addMemset(memory, 0, 5, { elementBytes: 4 }), /has 16 bytes; 20/],
      [() => graph.addMemset(memory, 0, 5, { elementBytes: 3 as never }), /elementBytes must be 1, 2 or 4/],
      [() => graph.addMemset(memory, 0, 4, { elements: 3 } as never), /no option 'elements'/],
      [() => graph.addEventRecord(memory as never), /takes an Event, got a DeviceAllocation/],
      [() => graph.addChild(memory as never), /takes a Graph, got a DeviceAllocation/],
      [() => graph.addMemAlloc(0), /an integer >= 1, got 0/],
      [() => graph.addMemFree(null as never), /takes memory of addMemAlloc/],
      [() => graph.addIf(5 as never), /what createCondition\(\) made, got 5/],
      [() => graph.instantiate({ flags: 1 } as never), /no option 'flags'/],
      [() => graph.dot(-1), /flags must be/],
    ];
    for (const [run, message] of bad) expect(run).toThrow(message);
    expect(graph.nodes).toEqual([]);
    using exec = graph.instantiate();
    expect(() => {
      exec.launch(memory as never);
    }).toThrow(/takes a Stream or null, got a DeviceAllocation/);
    expect(() => exec.tryUpdate(5 as never)).toThrow(/takes a Graph, got 5/);
    graph.close();
    for (const use of [
      () => graph.addEmpty(),
      () => graph.nodes,
      () => graph.instantiate(),
      () => exec.update(graph),
    ]) {
      expect(use).toThrow(ClosedError);
    }
    exec.close();
    expect(() => {
      exec.launch();
    }).toThrow(ClosedError);
  });
});
