import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../src/core/errors.ts';
import { CudaLogicError } from '../../../src/cuda/errors.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import { Graph } from '../../../src/cuda/graph/graph.ts';
import { pagelockedZeros } from '../../../src/cuda/memory/host-memory.ts';
import { fromDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { GRAPH_KERNELS, N, shape, values, withGraphKernels } from '../../helpers/graph-kernels.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('graphs', () => {
  withDevice();
  const kernels = withGraphKernels();

  test('nodes run in the order of their dependencies, launch after launch', () => {
    using memory = memAlloc(4 * N);
    using graph = new Graph();
    // The order of adding is not the order of running.
    const last = graph.addKernel(kernels.add, [memory, 5], shape);
    const middle = graph.addKernel(kernels.times, [memory, 3], shape);
    const first = graph.addMemset(memory, 2, N, { elementBytes: 4 });
    graph.addDependency(first, middle);
    graph.addDependency(middle, last);
    expect([first.kind, middle.kind]).toEqual(['memset', 'kernel']);
    expect(last.dependencies).toEqual([middle]);
    expect(first.dependents).toEqual([middle]);
    expect(graph.nodes).toHaveLength(3);
    expect(graph.edges).toHaveLength(2);
    using exec = graph.instantiate();
    exec.upload();
    for (let i = 0; i < 3; i++) exec.launch();
    expect(values(memory)).toEqual([11]);
  });

  test('a removed dependency and a removed node are gone', () => {
    using memory = memAlloc(4 * N);
    using graph = new Graph();
    const first = graph.addMemset(memory, 2, N, { elementBytes: 4 });
    const middle = graph.addKernel(kernels.times, [memory, 3], { ...shape, after: first });
    const last = graph.addKernel(kernels.add, [memory, 5], { ...shape, after: [middle] });
    graph.addDependency(first, last);
    graph.removeDependency(middle, last);
    graph.remove(middle);
    expect(graph.edges).toEqual([[first, last]]);
    expect(() => middle.handle).toThrow(/was removed/);
    using exec = graph.instantiate();
    exec.launch();
    expect(values(memory)).toEqual([7]);
  });

  test('copies between host and device, one of which is a part of an allocation', async () => {
    using memory = memAlloc(8 * N);
    using stream = new Stream({ nonBlocking: true });
    using source = pagelockedZeros(N, 'i32');
    using target = pagelockedZeros(N, 'i32');
    using graph = new Graph();
    const second = memory.slice(4 * N);
    const up = graph.addMemcpy(memory, source);
    const across = graph.addMemcpy(second, memory, { byteLength: 4 * N, after: up });
    const work = graph.addKernel(kernels.add, [second, 1], { ...shape, after: across });
    graph.addMemcpy(target, second, { after: work });
    using exec = graph.instantiate();
    for (const value of [10, 20]) {
      source.fill(value);
      exec.launch(stream);
      await stream.done();
      expect([...new Set(target)]).toEqual([value + 1]);
    }
  });

  test('empty nodes, child graphs and a kernel without parameters', () => {
    using memory = memAlloc(4 * N);
    using child = new Graph();
    child.addKernel(kernels.add, [memory, 1], shape);
    using graph = new Graph();
    const clear = graph.addMemset(memory, 0, N, { elementBytes: 4 });
    const none = graph.addKernel(kernels.module.getFunction('nothing'), [], { block: 1, after: clear });
    const gate = graph.addEmpty({ after: [clear, none] });
    const one = graph.addChild(child, { after: gate });
    graph.addChild(child, { after: one });
    child.close();
    using exec = graph.instantiate();
    exec.launch();
    expect(values(memory)).toEqual([2]);
  });

  test('events are recorded and waited for', () => {
    using memory = memAlloc(4 * N);
    using start = new Event();
    using end = new Event();
    using stream = new Stream({ nonBlocking: true });
    using graph = new Graph();
    const first = graph.addEventRecord(start);
    const fill = graph.addMemset(memory, 1, N, { elementBytes: 4, after: first });
    const second = graph.addEventRecord(end, { after: fill });
    graph.addEventWait(start, { after: second });
    using exec = graph.instantiate();
    exec.launch(stream);
    stream.synchronize();
    expect(end.query()).toBe(true);
    expect(end.timeSince(start)).toBeGreaterThanOrEqual(0);
  });

  test('single nodes can be changed in what was instantiated', () => {
    using memory = memAlloc(4 * N);
    using other = memAlloc(4 * N);
    using graph = new Graph();
    const fill = graph.addMemset(memory, 1, N, { elementBytes: 4 });
    const kernel = graph.addKernel(kernels.add, [memory, 1], { ...shape, after: fill });
    const copy = graph.addMemcpy(other, memory, { after: kernel });
    using exec = graph.instantiate();
    exec.launch();
    expect(values(other)).toEqual([2]);
    exec.setMemset(fill, memory, 10, N, 4);
    exec.setKernel(kernel, kernels.add, [memory, 7], shape);
    exec.launch();
    expect(values(other)).toEqual([17]);
    expect(exec.isEnabled(kernel)).toBe(true);
    exec.setEnabled(kernel, false);
    exec.launch();
    expect([exec.isEnabled(kernel), values(other)]).toEqual([false, [10]]);
    exec.setEnabled(kernel, true);
    using third = memAlloc(4 * N);
    exec.setMemcpy(copy, third, memory);
    exec.launch();
    expect([values(third), values(other)]).toEqual([[17], [10]]);
    expect(() => {
      exec.setMemset(kernel, memory, 0, N);
    }).toThrow(/takes a memset node, got a kernel node/);
  });

  test('a whole graph takes the place of another one of its shape, and says why not', () => {
    using memory = memAlloc(4 * N);
    const make = (value: number, extra = false): Graph => {
      const graph = new Graph();
      const fill = graph.addMemset(memory, value, N, { elementBytes: 4 });
      const kernel = graph.addKernel(kernels.add, [memory, value], { ...shape, after: fill });
      if (extra) graph.addKernel(kernels.add, [memory, value], { ...shape, after: kernel });
      return graph;
    };
    using first = make(1);
    using second = make(20);
    using third = make(3, true);
    using exec = first.instantiate();
    exec.update(second);
    exec.launch();
    expect(values(memory)).toEqual([40]);
    expect(exec.tryUpdate(third)).toMatch(/other nodes or other dependencies/);
    expect(() => {
      exec.update(third);
    }).toThrow(CudaLogicError);
    expect(() => {
      exec.update(third);
    }).toThrow(/CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE\nThe graph has other nodes/);
    exec.launch();
    expect(values(memory)).toEqual([40]);
  });

  test('a clone has nodes of its own; DOT names them', () => {
    using memory = memAlloc(4 * N);
    memsetD32(memory, 1, N);
    using graph = new Graph();
    const first = graph.addKernel(kernels.add, [memory, 1], shape);
    using clone = graph.clone();
    graph.addKernel(kernels.add, [memory, 1], { ...shape, after: first });
    expect([clone.nodes.length, graph.nodes.length]).toEqual([1, 2]);
    expect(clone.nodes[0]?.kind).toBe('kernel');
    graph.close();
    using exec = clone.instantiate();
    exec.launch();
    expect(values(memory)).toEqual([2]);
    const dot = clone.dot();
    expect(dot).toMatch(/^digraph/);
    expect(dot).toMatch(/kernel|add/i);
  });

  test('memory that a graph allocates is there while it runs', () => {
    using result = memAlloc(4 * N);
    using graph = new Graph();
    const temporary = graph.addMemAlloc(4 * N);
    const fill = graph.addMemset(temporary, 4, N, { elementBytes: 4, after: temporary });
    const work = graph.addKernel(kernels.times, [temporary, 6], { ...shape, after: fill });
    const copy = graph.addMemcpy(result, temporary, { after: work });
    graph.addMemFree(temporary, { after: copy });
    using exec = graph.instantiate();
    for (let i = 0; i < 3; i++) {
      memsetD32(result, 0, N);
      exec.launch();
      expect(values(result)).toEqual([24]);
    }
    expect(temporary.byteLength).toBe(4 * N);
  });

  test('what nodes use outlives its wrapper', () => {
    const memory = memAlloc(4 * N);
    const other = memAlloc(4 * N);
    const own = new SourceModule(GRAPH_KERNELS.replaceAll('+=', '-='));
    const event = new Event({ timing: false });
    using graph = new Graph();
    const fill = graph.addMemset(memory, 5, N, { elementBytes: 4 });
    const work = graph.addKernel(own.getFunction('add'), [memory.slice(0), 2], { ...shape, after: fill });
    const mark = graph.addEventRecord(event, { after: work });
    graph.addMemcpy(other, memory, { after: mark });
    using exec = graph.instantiate();
    for (const object of [memory, own, event]) object.close();
    graph.close();
    exec.launch();
    expect(values(other)).toEqual([3]);
    other.close();
    exec.launch();
    expect(() => memory.ptr).toThrow(ClosedError);
  });

  test('a graph with a cycle cannot run', () => {
    using graph = new Graph();
    const first = graph.addEmpty();
    const second = graph.addEmpty({ after: first });
    expect(() => {
      graph.addDependency(second, first);
      graph.instantiate();
    }).toThrow(CudaLogicError);
  });
});

needs.gpu().describe('conditional nodes', () => {
  withDevice();

  test('a while node runs its body until a kernel says stop', () => {
    using module = new SourceModule(`
      extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
      extern "C" __global__ void count(int *x, unsigned long long condition)
      {
        *x += 1;
        cudaGraphSetConditional(condition, *x < 10 ? 1 : 0);
      }
      extern "C" __global__ void choose(int *x, unsigned long long condition)
      {
        cudaGraphSetConditional(condition, *x == 10 ? 1 : 0);
      }
      extern "C" __global__ void add(int *x, int n) { *x += n; }`);
    using memory = memAlloc(4);
    memsetD32(memory, 0, 1);
    using graph = new Graph();
    const again = graph.createCondition({ initial: 1 });
    const loop = graph.addWhile(again);
    loop.body.addKernel(module.getFunction('count'), [memory, again.handle], { block: 1 });
    const reached = graph.createCondition({ initial: 0 });
    const choose = graph.addKernel(module.getFunction('choose'), [memory, reached.handle], {
      block: 1,
      after: loop,
    });
    const branch = graph.addIf(reached, { after: choose });
    branch.body.addKernel(module.getFunction('add'), [memory, 100], { block: 1 });
    using exec = graph.instantiate();
    exec.launch();
    expect(fromDevice(memory, 'i32')[0]).toBe(110);
    exec.launch();
    // The body runs at least once.
    expect(fromDevice(memory, 'i32')[0]).toBe(111);
  });
});
