import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { GraphExecUpdateResult, GraphNodeType, LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { freeze, streamOfStep } from './frozen.ts';
import {
  childStep,
  inOrder,
  type CpuExec,
  type CpuExecNode,
  type CpuGraph,
  type CpuNode,
  type GraphStore,
  type Step,
} from './graph-store.ts';
import { runGraph } from './graph-run.ts';
import { copyStepOf, fillStepOf } from './graph-steps.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';

type Names = keyof DriverTable & (`cuGraph${string}` | 'cuDeviceGraphMemTrim');
type Implemented = Exclude<
  Names,
  'cuGraphAddNode' | 'cuGraphConditionalHandleCreate' | 'cuGraphDebugDotPrint' | 'cuGraphNodeFindInClone'
>;
type Made = Step | number;

const K = structs.CUDA_KERNEL_NODE_PARAMS;
const A = structs.CUDA_MEM_ALLOC_NODE_PARAMS;
const FLAGS = 0xb;

/** Makes the launch of a kernel node cooperative, by the node's step. */
const cooperative = new WeakMap<Step, (on: boolean) => void>();

const CAN_DISABLE: readonly number[] = [GraphNodeType.KERNEL, GraphNodeType.MEMCPY, GraphNodeType.MEMSET];

/** Graphs: each node is a step that calls the device's own functions; steps are enqueued in topological order. */
export const graphFunctions: Rows<GraphStore, DriverTable, Implemented> = {
  cuGraphCreate: (store, out, flags) => {
    const context = store.state.current;
    const refused = store.state.refuse();
    if (!context || refused !== 0) return refused;
    return flags === 0 ? putWide(out, store.newGraph(context).handle) : Status.INVALID_VALUE;
  },
  cuGraphDestroy: (store, raw) =>
    withGraph(store, raw, (graph) => {
      store.removeGraph(graph);
      return Status.SUCCESS;
    }),
  cuGraphClone: (store, out, raw) =>
    withGraph(store, raw, (graph) =>
      graph.memory.size > 0 ? Status.NOT_SUPPORTED : putWide(out, store.copy(graph).graph.handle),
    ),
  cuGraphAddKernelNode: (store, out, raw, list, count, params) =>
    add(store, out, raw, list, count, GraphNodeType.KERNEL, () => kernelStep(store, params)),
  cuGraphKernelNodeSetParams: (store, raw, params) =>
    withNode(store, raw, (node) => take(node, kernelStep(store, params)), GraphNodeType.KERNEL),
  cuGraphKernelNodeSetAttribute: (store, raw, id, value) =>
    withNode(
      store,
      raw,
      ({ step }) => {
        const ignored: readonly number[] = [
          LaunchAttributeId.PRIORITY,
          LaunchAttributeId.ACCESS_POLICY_WINDOW,
          LaunchAttributeId.MEM_SYNC_DOMAIN,
          LaunchAttributeId.MEM_SYNC_DOMAIN_MAP,
          LaunchAttributeId.PREFERRED_SHARED_MEMORY_CARVEOUT,
        ];
        if (ignored.includes(id)) return Status.SUCCESS;
        if (id !== LaunchAttributeId.COOPERATIVE) return Status.NOT_SUPPORTED;
        cooperative.get(step)?.(bytesAt(value, 4)[0] !== 0);
        return Status.SUCCESS;
      },
      GraphNodeType.KERNEL,
    ),
  cuGraphAddMemcpyNode: (store, out, raw, list, count, params) =>
    add(store, out, raw, list, count, GraphNodeType.MEMCPY, () => copyStep(store, params)),
  cuGraphMemcpyNodeSetParams: (store, raw, params) =>
    withNode(store, raw, (node) => take(node, copyStep(store, params)), GraphNodeType.MEMCPY),
  cuGraphAddMemsetNode: (store, out, raw, list, count, params) =>
    add(store, out, raw, list, count, GraphNodeType.MEMSET, () => fillStep(store, params)),
  cuGraphMemsetNodeSetParams: (store, raw, params) =>
    withNode(store, raw, (node) => take(node, fillStep(store, params)), GraphNodeType.MEMSET),
  cuGraphAddEmptyNode: (store, out, raw, list, count) =>
    add(store, out, raw, list, count, GraphNodeType.EMPTY, () => () => Status.SUCCESS),
  cuGraphAddEventRecordNode: (store, out, raw, list, count, event) =>
    add(store, out, raw, list, count, GraphNodeType.EVENT_RECORD, () => eventStep(store, event, true)),
  cuGraphEventRecordNodeSetEvent: (store, raw, event) =>
    withNode(store, raw, (node) => take(node, eventStep(store, event, true)), GraphNodeType.EVENT_RECORD),
  cuGraphAddEventWaitNode: (store, out, raw, list, count, event) =>
    add(store, out, raw, list, count, GraphNodeType.WAIT_EVENT, () => eventStep(store, event, false)),
  cuGraphEventWaitNodeSetEvent: (store, raw, event) =>
    withNode(store, raw, (node) => take(node, eventStep(store, event, false)), GraphNodeType.WAIT_EVENT),
  cuGraphAddChildGraphNode: (store, out, raw, list, count, childRaw) =>
    withGraph(store, childRaw, (original) => {
      if (Number(childRaw) === Number(raw) || original.memory.size > 0) return Status.INVALID_VALUE;
      if (!inOrder(original)) return Status.INVALID_VALUE;
      const child = store.copy(original).graph;
      const make = (): Made => childStep(child);
      const status = add(store, out, raw, list, count, GraphNodeType.GRAPH, make, child);
      if (status !== 0) store.removeGraph(child);
      return status;
    }),
  cuGraphChildGraphNodeGetGraph: (store, raw, out) =>
    withNode(store, raw, ({ child }) => putWide(out, child?.handle ?? 0), GraphNodeType.GRAPH),
  cuGraphAddMemAllocNode: (store, out, raw, list, count, params) =>
    add(store, out, raw, list, count, GraphNodeType.MEM_ALLOC, (graph) => {
      const bytes = bytesAt(params, A.size);
      const view = new DataView(bytes.buffer, bytes.byteOffset, A.size);
      const byteLength = Number(view.getBigUint64(A.fields.bytesize, true));
      const address = store.state.allocate(byteLength, graph.context, graph.context);
      if (address === undefined) return Status.OUT_OF_MEMORY;
      graph.context.memory.add(address);
      graph.memory.add({ address, context: graph.context, uses: 1 });
      view.setBigUint64(A.fields.dptr, BigInt(address), true);
      return () => Status.SUCCESS;
    }),
  // The graph owns the memory.
  cuGraphAddMemFreeNode: (store, out, raw, list, count, pointer) =>
    add(store, out, raw, list, count, GraphNodeType.MEM_FREE, () =>
      store.state.memory.ownerOf(Number(pointer)) ? () => Status.SUCCESS : Status.INVALID_VALUE,
    ),
  cuGraphNodeGetType: (store, raw, out) => withNode(store, raw, ({ type }) => putInt(out, type)),
  cuGraphGetNodes: (store, raw, list, out) =>
    withGraph(store, raw, ({ nodes }) =>
      give(
        [list],
        out,
        [...nodes.keys()].map((handle) => [handle]),
      ),
    ),
  cuGraphGetEdges: (store, raw, from, to, out) =>
    withGraph(store, raw, ({ nodes }) => {
      const rows = [...nodes.values()].flatMap(({ handle, after }) => [...after].map((node) => [node.handle, handle]));
      return give([from, to], out, rows);
    }),
  cuGraphAddDependencies: (store, raw, from, to, count) =>
    pairs(store, raw, from, to, count, (first, second) => {
      if (first === second || second.after.has(first)) return Status.INVALID_VALUE;
      second.after.add(first);
      return Status.SUCCESS;
    }),
  cuGraphRemoveDependencies: (store, raw, from, to, count) =>
    pairs(store, raw, from, to, count, (first, second) =>
      second.after.delete(first) ? Status.SUCCESS : Status.INVALID_VALUE,
    ),
  cuGraphDestroyNode: (store, raw) =>
    withNode(store, raw, (node) => {
      store.removeNode(node);
      return Status.SUCCESS;
    }),
  cuGraphInstantiateWithParams: (store, out, raw, params) =>
    withGraph(store, raw, (graph) => {
      const bytes = bytesAt(params, structs.CUDA_GRAPH_INSTANTIATE_PARAMS.size);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const { flags, result_out: result } = structs.CUDA_GRAPH_INSTANTIATE_PARAMS.fields;
      if ((view.getBigUint64(flags, true) & ~BigInt(FLAGS)) !== 0n) return Status.NOT_SUPPORTED;
      const order = inOrder(graph);
      view.setInt32(result, order ? 0 : 2, true);
      if (!order) return Status.INVALID_VALUE;
      const nodes = execNodes(order);
      const byHandle = new Map(order.map(({ handle }, i) => [handle, nodes[i] as CpuExecNode]));
      for (const memory of graph.memory) memory.uses++;
      const memory = new Set(graph.memory);
      const exec: CpuExec = { handle: store.state.newHandle(), context: graph.context, nodes, byHandle, memory };
      store.execs.set(exec.handle, exec);
      return putWide(out, exec.handle);
    }),
  cuGraphExecDestroy: (store, raw) =>
    withExec(store, raw, (exec) => {
      store.execs.delete(exec.handle);
      store.releaseMemory(exec.memory);
      return Status.SUCCESS;
    }),
  cuGraphUpload: (store, raw) => withExec(store, raw, ({ context }) => store.state.refusal(context)),
  cuGraphLaunch: (store, raw, stream) =>
    withExec(store, raw, ({ context, nodes }) => {
      const refused = store.state.refusal(context);
      if (refused !== 0) return refused;
      return runGraph(store.state, nodes, stream);
    }),
  cuGraphExecUpdate: (store, raw, graphRaw, info) =>
    withExec(store, raw, (exec) => withGraph(store, graphRaw, (graph) => update(exec, graph, info))),
  cuGraphExecKernelNodeSetParams: (store, raw, node, params) =>
    withExecNode(store, raw, node, GraphNodeType.KERNEL, (found) => take(found, kernelStep(store, params))),
  cuGraphExecMemcpyNodeSetParams: (store, raw, node, params) =>
    withExecNode(store, raw, node, GraphNodeType.MEMCPY, (found) => take(found, copyStep(store, params))),
  cuGraphExecMemsetNodeSetParams: (store, raw, node, params) =>
    withExecNode(store, raw, node, GraphNodeType.MEMSET, (found) => take(found, fillStep(store, params))),
  cuGraphExecChildGraphNodeSetParams: (store, raw, node, child) =>
    withExecNode(store, raw, node, GraphNodeType.GRAPH, (found) =>
      withGraph(store, child, (graph) => take(found, inOrder(graph) ? childStep(graph) : Status.INVALID_VALUE)),
    ),
  cuGraphExecEventRecordNodeSetEvent: (store, raw, node, event) =>
    withExecNode(store, raw, node, GraphNodeType.EVENT_RECORD, (found) => take(found, eventStep(store, event, true))),
  cuGraphExecEventWaitNodeSetEvent: (store, raw, node, event) =>
    withExecNode(store, raw, node, GraphNodeType.WAIT_EVENT, (found) => take(found, eventStep(store, event, false))),
  cuGraphNodeSetEnabled: (store, raw, node, enabled) =>
    withExec(store, raw, ({ byHandle }) => {
      const found = byHandle.get(Number(node));
      if (!found || !CAN_DISABLE.includes(found.type)) return Status.INVALID_VALUE;
      found.enabled = enabled !== 0;
      return Status.SUCCESS;
    }),
  cuGraphNodeGetEnabled: (store, raw, node, out) =>
    withExec(store, raw, ({ byHandle }) => {
      const found = byHandle.get(Number(node));
      return found && CAN_DISABLE.includes(found.type) ? putInt(out, found.enabled ? 1 : 0) : Status.INVALID_VALUE;
    }),
  cuDeviceGraphMemTrim: (_store, device) => (device === 0 ? Status.SUCCESS : Status.INVALID_DEVICE),
};

function withGraph(store: GraphStore, raw: bigint, run: (graph: CpuGraph) => number): number {
  const graph = store.graphs.get(Number(raw));
  return graph ? run(graph) : Status.INVALID_VALUE;
}

function withNode(store: GraphStore, raw: bigint, run: (node: CpuNode) => number, type?: number): number {
  const node = store.nodes.get(Number(raw));
  return node && (type === undefined || node.type === type) ? run(node) : Status.INVALID_VALUE;
}

function withExec(store: GraphStore, raw: bigint, run: (exec: CpuExec) => number): number {
  const exec = store.execs.get(Number(raw));
  return exec ? run(exec) : Status.INVALID_VALUE;
}

function withExecNode(
  store: GraphStore,
  exec: bigint,
  node: bigint,
  type: number,
  run: (node: CpuExecNode) => number,
): number {
  return withExec(store, exec, ({ byHandle }) => {
    const found = byHandle.get(Number(node));
    return found?.type === type ? run(found) : Status.INVALID_VALUE;
  });
}

function take(target: { step: Step }, made: Made): number {
  if (typeof made === 'number') return made;
  target.step = made;
  return Status.SUCCESS;
}

function kernelStep(store: GraphStore, params: Out): Made {
  const bytes = bytesAt(params, K.size).slice(0, K.size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, K.size);
  const wide = (at: number): bigint => view.getBigUint64(at, true);
  const shape = bytes.subarray(K.fields.gridDimX, K.fields.gridDimX + 28);
  const raw = wide(K.fields.func);
  if (!store.state.functions.has(Number(raw))) return Status.INVALID_VALUE;
  const frozen = freeze(store.state, store.table, raw, shape, wide(K.fields.kernelParams), wide(K.fields.extra), false);
  if (!frozen) return Status.INVALID_VALUE;
  cooperative.set(frozen.step, frozen.setCooperative);
  return frozen.step;
}

function copyStep(store: GraphStore, params: Out): Made {
  return copyStepOf(store.state, store.table, params);
}

function fillStep(store: GraphStore, params: Out): Made {
  return fillStepOf(store.state, store.table, params);
}

function eventStep(store: GraphStore, event: Opaque<'CUevent'>, records: boolean): Made {
  if (!store.state.events.has(Number(event))) return Status.INVALID_VALUE;
  if (records) return (stream) => store.table.cuEventRecord(event, streamOfStep(stream));
  return (stream) => store.table.cuStreamWaitEvent(streamOfStep(stream), event, 0);
}

function nodesAt(list: Out, count: number, graph: CpuGraph): CpuNode[] | undefined {
  if (count === 0) return [];
  if (list === 0n) return undefined;
  const raws = new BigUint64Array(bytesAt(list, 8 * count).slice(0, 8 * count).buffer);
  const nodes = Array.from(raws, (raw) => graph.nodes.get(Number(raw)));
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}

function add(
  store: GraphStore,
  out: Out,
  raw: bigint,
  list: Out,
  count: number | bigint,
  type: number,
  make: (graph: CpuGraph) => Made,
  child?: CpuGraph,
): number {
  return withGraph(store, raw, (graph) => {
    const after = nodesAt(list, Number(count), graph);
    if (!after) return Status.INVALID_VALUE;
    const step = make(graph);
    if (typeof step === 'number') return step;
    return putWide(out, store.addNode(graph, type, after, step, child).handle);
  });
}

function pairs(
  store: GraphStore,
  raw: bigint,
  from: Out,
  to: Out,
  size: number | bigint,
  run: (a: CpuNode, b: CpuNode) => number,
): number {
  return withGraph(store, raw, (graph) => {
    const count = Number(size);
    const first = nodesAt(from, count, graph);
    const second = nodesAt(to, count, graph);
    if (!first || !second) return Status.INVALID_VALUE;
    for (const [i, node] of first.entries()) {
      const status = run(node, second[i] as CpuNode);
      if (status !== 0) return status;
    }
    return Status.SUCCESS;
  });
}

/** Answer with a list: its length if the caller gives no array, else as many rows as fit. */
function give(lists: readonly Out[], out: Out, rows: readonly (readonly number[])[]): number {
  if (lists.some((list) => list === 0n)) return putWide(out, rows.length);
  const room = Number(new BigUint64Array(bytesAt(out, 8).slice(0, 8).buffer)[0]);
  const most = Math.min(room, rows.length);
  lists.forEach((list, column) => {
    const values = BigUint64Array.from(rows.slice(0, most), (row) => BigInt(row[column] ?? 0));
    bytesAt(list, 8 * most).set(new Uint8Array(values.buffer));
  });
  return putWide(out, most);
}

function execNodes(order: readonly CpuNode[]): CpuExecNode[] {
  return order.map(({ type, after, step, child }) => ({
    type,
    after: [...after].map((node) => order.indexOf(node)).sort((a, b) => a - b),
    step: child ? childStep(child) : step,
    enabled: true,
  }));
}

function update(exec: CpuExec, graph: CpuGraph, info: Out): number {
  const refuse = (result: number, node: number): number => {
    putWide(info, result);
    const bytes = bytesAt(info, structs.CUgraphExecUpdateResultInfo.size);
    bytes.set(new Uint8Array(BigUint64Array.of(BigInt(node), 0n).buffer), 8);
    return Status.GRAPH_EXEC_UPDATE_FAILURE;
  };
  const order = inOrder(graph);
  if (order?.length !== exec.nodes.length) return refuse(GraphExecUpdateResult.ERROR_TOPOLOGY_CHANGED, 0);
  const fresh = execNodes(order);
  for (const [i, node] of fresh.entries()) {
    const { handle } = order[i] as CpuNode;
    const old = exec.nodes[i] as CpuExecNode;
    if (old.type !== node.type) return refuse(GraphExecUpdateResult.ERROR_NODE_TYPE_CHANGED, handle);
    if (old.after.join() !== node.after.join()) return refuse(GraphExecUpdateResult.ERROR_TOPOLOGY_CHANGED, handle);
  }
  for (const [i, { step }] of fresh.entries()) (exec.nodes[i] as CpuExecNode).step = step;
  return putWide(info, GraphExecUpdateResult.SUCCESS);
}
