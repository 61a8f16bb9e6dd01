import { afterEach, expect, test } from '@jest/globals';
import { ClosedError, SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CudaError, CudaLogicError } from '../../../../src/cuda/errors.ts';
import { Event } from '../../../../src/cuda/stream/event.ts';
import { Graph } from '../../../../src/cuda/graph/graph.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { LaunchAttributeId } from '../../../../src/cuda/sys/enums.ts';
import type { Opaque } from '../../../../src/ffi/ctype.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { until } from '../../../helpers/until.ts';

const PTX = `.version 7.8\n.target sm_90\n.address_size 64
.visible .entry _Z1fil(.param .u32 a, .param .u64 b) { ret; }`;

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.onCall = undefined;
  useTables({ driver: fake.table });
});

/** The arguments of each call of a routine, while `run` runs. */
function calls(name: string, run: () => void): (readonly unknown[])[] {
  const seen: (readonly unknown[])[] = [];
  fake.onCall = (routine, args) => {
    if (routine === name) seen.push([...args]);
  };
  run();
  fake.onCall = undefined;
  return seen;
}

test('a kernel node is packed like a launch, with its attributes', () => {
  using module = moduleFromBuffer(PTX);
  using graph = new Graph();
  const f = module.getFunction('f');
  const attributes = calls('cuGraphKernelNodeSetAttribute', () => {
    const [args] = calls('cuGraphAddKernelNode', () => {
      graph.addKernel(f, [5, -6n], { block: [4, 2], grid: 8, shared: 64 });
    });
    const params = args?.[4] as Uint8Array;
    const words = new Uint32Array(params.slice(8, 36).buffer);
    expect([...words]).toEqual([8, 1, 1, 4, 2, 1, 64]);
    expect(new BigUint64Array(params.slice(0, 8).buffer)[0]).toBe(f.handle);
  });
  expect(attributes).toEqual([]);
  const set = calls('cuGraphKernelNodeSetAttribute', () => {
    graph.addKernel(f, [5, 6], { block: 1, grid: 8, cluster: 4, priority: -1 });
  });
  expect(set.map(([, id]) => id)).toEqual([LaunchAttributeId.CLUSTER_DIMENSION, LaunchAttributeId.PRIORITY]);
});

test('a node whose attribute is refused is taken out again', () => {
  using module = moduleFromBuffer(PTX);
  using graph = new Graph();
  fake.fail.set('cuGraphKernelNodeSetAttribute', 801);
  expect(() => graph.addKernel(module.getFunction('f'), [1, 2], { block: 1, priority: 1 })).toThrow(CudaLogicError);
  expect(graph.nodes).toEqual([]);
});

test.each([
  'cuGraphAddMemsetNode',
  'cuGraphAddMemcpyNode',
  'cuGraphAddEventRecordNode',
  'cuGraphAddChildGraphNode',
  'cuGraphAddMemAllocNode',
])('nothing is kept of a node that %s refuses', (routine) => {
  using graph = new Graph();
  using child = new Graph();
  using memory = memAlloc(16);
  using event = new Event();
  const before = liveObjects();
  fake.fail.set(routine, 1);
  expect(() => {
    graph.addMemset(memory, 0, 16);
    graph.addMemcpy(memory, new Uint8Array(16));
    graph.addEventRecord(event);
    graph.addChild(child);
    graph.addMemAlloc(16);
  }).toThrow(CudaError);
  graph.close();
  expect(liveObjects()['graph node']).toBeUndefined();
  expect(liveObjects()['DeviceAllocation']).toBe(before['DeviceAllocation']);
});

test('new Graph() throws what the driver says, and makes nothing', () => {
  fake.fail.set('cuGraphCreate', 2);
  expect(() => new Graph()).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
  expect([fake.live.graph, liveObjects()['Graph']]).toEqual([0, undefined]);
});

test('a driver that is too old says what it lacks', () => {
  const missing = {
    get cuGraphCreate(): never {
      throw new SymbolNotFoundError('cuGraphCreate', 'the CUDA driver', 'libcuda.so.1', 'for CUDA 9.0');
    },
  };
  useTables({ driver: Object.defineProperties({ ...fake.table }, Object.getOwnPropertyDescriptors(missing)) });
  expect(() => new Graph()).toThrow(/cuGraphCreate is not in the CUDA driver for CUDA 9.0/);
});

test('instantiate() says why a graph cannot run', () => {
  using graph = new Graph();
  const refuse = (_out: unknown, _graph: unknown, params: unknown): number => {
    (params as BigUint64Array)[3] = 5n;
    return 1;
  };
  useTables({ driver: { ...fake.table, cuGraphInstantiateWithParams: refuse } });
  expect(() => graph.instantiate()).toThrow(/INVALID_VALUE\nA condition of the graph belongs to no conditional node/);
});

test('tryUpdate() names the node that differs', () => {
  using graph = new Graph();
  graph.addEmpty();
  const node = graph.addEmpty();
  using exec = graph.instantiate();
  const refuse = (_exec: unknown, _graph: unknown, info: unknown): number => {
    (info as BigUint64Array).set([3n, node.handle, 0n]);
    return 910;
  };
  useTables({ driver: { ...fake.table, cuGraphExecUpdate: refuse } });
  expect(exec.tryUpdate(graph)).toBe('A node became one of another kind (node of kind empty, number 1)');
  useTables({ driver: { ...fake.table, cuGraphExecUpdate: () => 1 } });
  expect(() => exec.tryUpdate(graph)).toThrow(/cuGraphExecUpdate failed: CUDA_ERROR_INVALID_VALUE/);
});

test('conditional nodes have bodies that can be filled', () => {
  using module = moduleFromBuffer(PTX);
  using graph = new Graph();
  const condition = graph.createCondition({ initial: 1 });
  expect(typeof condition.handle).toBe('bigint');
  const loop = graph.addWhile(condition);
  expect([loop.kind, loop.bodies.length]).toEqual(['conditional', 1]);
  loop.body.addKernel(module.getFunction('f'), [1, condition.handle], { block: 1 });
  expect(loop.body.nodes).toHaveLength(1);
  expect(graph.addIf(condition, { otherwise: true, after: loop }).bodies).toHaveLength(2);
  expect(graph.addSwitch(condition, 5).bodies).toHaveLength(5);
  for (const forged of [{ handle: 5n, graph }, { ...condition }, null, 5n]) {
    expect(() => graph.addIf(forged as never)).toThrow(/takes what createCondition\(\) made, got .*/);
  }
  expect(() => graph.addSwitch(condition, 0)).toThrow(/the count must be an integer from 1/);
  expect(() => graph.createCondition({ initial: -1 })).toThrow(/initial must be/);
  for (const { bodies } of graph.nodes as { bodies?: readonly Graph[] }[]) bodies?.forEach((body) => body.close());
});

test('a graph keeps what it uses until the last of it is closed', () => {
  const before = { ...fake.live };
  const memory = memAlloc(16);
  const module = moduleFromBuffer(PTX);
  const graph = new Graph();
  graph.addMemset(memory.slice(4), 0, 4);
  graph.addKernel(module.getFunction('f'), [1, 2], { block: 1 });
  const exec = graph.instantiate();
  memory.close();
  module.close();
  graph.close();
  expect([fake.live.memory, fake.live.module]).toEqual([before.memory + 1, before.module + 1]);
  exec.close();
  expect(fake.live).toEqual(before);
});

test('a node that gets other memory lets go of what it had', () => {
  const first = memAlloc(16);
  using second = memAlloc(16);
  using graph = new Graph();
  const node = graph.addMemset(first, 0, 16);
  using exec = graph.instantiate();
  graph.remove(node);
  const copy = graph.addMemset(second, 0, 16);
  expect(copy.kind).toBe('memset');
  first.close();
  const before = fake.live.memory;
  exec.update(graph);
  expect(fake.live.memory).toBe(before - 1);
});

test('memory in flight is kept until the graph has run', async () => {
  const before = fake.live.graphExec;
  const memory = memAlloc(16);
  const graph = new Graph();
  graph.addMemcpy(memory, new Uint8Array(16));
  const exec = graph.instantiate();
  exec.launch();
  graph.close();
  memory.close();
  const live = fake.live.memory;
  fake.busy = true;
  exec.close();
  expect([fake.live.graphExec, fake.live.memory]).toEqual([before, live]);
  fake.busy = false;
  await until('the memory is freed', () => fake.live.memory === live - 1);
});

test('a capture that the driver refuses to end leaves nothing', () => {
  using stream = new Stream();
  using module = moduleFromBuffer(PTX);
  const f = module.getFunction('f');
  stream.beginCapture('threadLocal');
  expect(() => {
    stream.beginCapture();
  }).toThrow(/CUDA_ERROR_ILLEGAL_STATE/);
  f(1, 2, { block: 1, stream });
  fake.fail.set('cuStreamEndCapture', 901);
  expect(() => stream.endCapture()).toThrow(/STREAM_CAPTURE_INVALIDATED/);
  fake.fail.clear();
  expect(liveObjects()['captured work']).toBeUndefined();
  stream.endCapture().close();
  expect(() => {
    stream.beginCapture('all' as never);
  }).toThrow(/must be 'global' or 'threadLocal' or 'relaxed'/);
});

test('a stream that is closed in a capture lets go of what was recorded', () => {
  const before = { ...fake.live };
  const module = moduleFromBuffer(PTX);
  const stream = new Stream();
  stream.beginCapture();
  module.getFunction('f')(1, 2, { block: 1, stream });
  module.close();
  expect(fake.live.module).toBe(before.module + 1);
  stream.close();
  expect(fake.live).toEqual(before);
});

test('nodes of a closed graph are closed with it', () => {
  const graph = new Graph();
  const node = graph.addEmpty();
  const memory = graph.addMemAlloc(16);
  expect(memory.ptr).toBe(0x5000n);
  graph.close();
  for (const use of [() => node.handle, () => memory.ptr, () => node.dependencies, () => graph.dot()]) {
    expect(use).toThrow(ClosedError);
  }
});

test.each(['global', 'threadLocal'] as const)(
  'what is closed in a capture of mode %s is destroyed and spoils nothing',
  (mode) => {
    using stream = new Stream();
    using graph = new Graph();
    const exec = graph.instantiate();
    stream.beginCapture(mode);
    exec.close();
    expect(fake.live.graphExec).toBe(0);
    stream.endCapture().close();
  },
);

test("what is closed in another thread's capture is destroyed", () => {
  using graph = new Graph();
  const exec = graph.instantiate();
  const { cuStreamBeginCapture, cuStreamEndCapture } = fake.table;
  const foreign = 1234n as Opaque<'CUstream'>;
  cuStreamBeginCapture(foreign, 0);
  exec.close();
  cuStreamEndCapture(foreign, new BigUint64Array(1));
  expect(fake.live.graphExec).toBe(0);
});
