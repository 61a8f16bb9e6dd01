import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { GraphExecUpdateResult, GraphNodeType, LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { freeze, streamOfStep } from './frozen.ts';
import {
  childStep,
  inOrder,
  runAll,
  type CpuExec,
  type CpuExecNode,
  type CpuGraph,
  type CpuNode,
  type GraphStore,
  type Step,
} from './graph-store.ts';
import { copyStepOf, fillStepOf } from './graph-steps.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';

type Names = keyof DriverTable & (`cuGraph${string}` | 'cuDeviceGraphMemTrim');
type Implemented = Exclude<
  Names,
  'cuGraphAddNode' | 'cuGraphConditionalHandleCreate' | 'cuGraphDebugDotPrint' | 'cuGraphNodeFindInClone'
>;
type Made = Step | number;

const K = structs.CUDA_KERNEL_NODE_PARAMS;
const A = structs.CUDA_MEM_ALLOC_NODE_PARAMS;
const FLAGS = 0xb;

/** Graphs: nodes are kept as steps that call the device's own functions, in an order in which they can run. */
export function graphFunctions(
  state: DriverState,
  store: GraphStore,
  table: DriverTable,
): Pick<DriverTable, Implemented> {
  const cooperative = new WeakMap<Step, (on: boolean) => void>();

  const withGraph = (raw: bigint, run: (graph: CpuGraph) => number): number => {
    const graph = store.graphs.get(Number(raw));
    return graph ? run(graph) : Status.INVALID_VALUE;
  };
  const withNode = (raw: bigint, run: (node: CpuNode) => number, type?: number): number => {
    const node = store.nodes.get(Number(raw));
    return node && (type === undefined || node.type === type) ? run(node) : Status.INVALID_VALUE;
  };
  const withExec = (raw: bigint, run: (exec: CpuExec) => number): number => {
    const exec = store.execs.get(Number(raw));
    return exec ? run(exec) : Status.INVALID_VALUE;
  };
  const withExecNode = (exec: bigint, node: bigint, type: number, run: (node: CpuExecNode) => number): number =>
    withExec(exec, ({ byHandle }) => {
      const found = byHandle.get(Number(node));
      return found?.type === type ? run(found) : Status.INVALID_VALUE;
    });
  const take = (target: { step: Step }, made: Made): number => {
    if (typeof made === 'number') return made;
    target.step = made;
    return Status.SUCCESS;
  };

  const kernelStep = (params: Out): Made => {
    const bytes = bytesAt(params, K.size).slice(0, K.size);
    const view = new DataView(bytes.buffer, bytes.byteOffset, K.size);
    const wide = (at: number): bigint => view.getBigUint64(at, true);
    const shape = bytes.subarray(K.fields.gridDimX, K.fields.gridDimX + 28);
    const raw = wide(K.fields.func);
    if (!state.functions.has(Number(raw))) return Status.INVALID_VALUE;
    const frozen = freeze(state, table, raw, shape, wide(K.fields.kernelParams), wide(K.fields.extra), false);
    if (!frozen) return Status.INVALID_VALUE;
    cooperative.set(frozen.step, frozen.setCooperative);
    return frozen.step;
  };

  const copyStep = (params: Out): Made => copyStepOf(state, table, params);
  const fillStep = (params: Out): Made => fillStepOf(state, table, params);

  const eventStep = (event: Opaque<'CUevent'>, records: boolean): Made => {
    if (!state.events.has(Number(event))) return Status.INVALID_VALUE;
    if (records) return (stream) => table.cuEventRecord(event, streamOfStep(stream));
    return (stream) => table.cuStreamWaitEvent(streamOfStep(stream), event, 0);
  };

  const nodesAt = (list: Out, count: number, graph: CpuGraph): CpuNode[] | undefined => {
    if (count === 0) return [];
    if (list === 0n) return undefined;
    const raws = new BigUint64Array(bytesAt(list, 8 * count).slice(0, 8 * count).buffer);
    const nodes = Array.from(raws, (raw) => graph.nodes.get(Number(raw)));
    return nodes.every((node) => node !== undefined) ? nodes : undefined;
  };

  const add = (
    out: Out,
    raw: bigint,
    list: Out,
    count: number | bigint,
    type: number,
    make: (graph: CpuGraph) => Made,
    child?: () => CpuGraph,
  ): number =>
    withGraph(raw, (graph) => {
      const after = nodesAt(list, Number(count), graph);
      if (!after) return Status.INVALID_VALUE;
      const step = make(graph);
      if (typeof step === 'number') return step;
      return putWide(out, store.addNode(graph, type, after, step, child?.()).handle);
    });

  const addChild: DriverTable['cuGraphAddChildGraphNode'] = (out, raw, list, count, childRaw) =>
    withGraph(childRaw, (original) => {
      if (Number(childRaw) === Number(raw) || original.memory.size > 0) return Status.INVALID_VALUE;
      if (!inOrder(original)) return Status.INVALID_VALUE;
      const child = store.copy(original).graph;
      const status = add(
        out,
        raw,
        list,
        count,
        GraphNodeType.GRAPH,
        () => childStep(child),
        () => child,
      );
      if (status !== 0) store.removeGraph(child);
      return status;
    });

  const pairs = (
    raw: bigint,
    from: Out,
    to: Out,
    size: number | bigint,
    run: (a: CpuNode, b: CpuNode) => number,
  ): number =>
    withGraph(raw, (graph) => {
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

  /** Give a list the usual way: how many there are, or as many as there is room for. */
  const give = (lists: readonly Out[], out: Out, rows: readonly (readonly number[])[]): number => {
    if (lists.some((list) => list === 0n)) return putWide(out, rows.length);
    const room = Number(new BigUint64Array(bytesAt(out, 8).slice(0, 8).buffer)[0]);
    const most = Math.min(room, rows.length);
    lists.forEach((list, column) => {
      const values = BigUint64Array.from(rows.slice(0, most), (row) => BigInt(row[column] ?? 0));
      bytesAt(list, 8 * most).set(new Uint8Array(values.buffer));
    });
    return putWide(out, most);
  };

  const execNodes = (order: readonly CpuNode[]): CpuExecNode[] =>
    order.map(({ type, after, step, child }) => ({
      type,
      after: [...after].map((node) => order.indexOf(node)).sort((a, b) => a - b),
      step: child ? childStep(child) : step,
      enabled: true,
    }));

  const update = (exec: CpuExec, graph: CpuGraph, info: Out): number => {
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
  };

  const canDisable: readonly number[] = [GraphNodeType.KERNEL, GraphNodeType.MEMCPY, GraphNodeType.MEMSET];

  return {
    cuGraphCreate: (out, flags) => {
      const context = state.current;
      const refused = state.refuse();
      if (!context || refused !== 0) return refused;
      return flags === 0 ? putWide(out, store.newGraph(context).handle) : Status.INVALID_VALUE;
    },
    cuGraphDestroy: (raw) =>
      withGraph(raw, (graph) => {
        store.removeGraph(graph);
        return Status.SUCCESS;
      }),
    cuGraphClone: (out, raw) =>
      withGraph(raw, (graph) =>
        graph.memory.size > 0 ? Status.NOT_SUPPORTED : putWide(out, store.copy(graph).graph.handle),
      ),
    cuGraphAddKernelNode: (out, raw, list, count, params) =>
      add(out, raw, list, count, GraphNodeType.KERNEL, () => kernelStep(params)),
    cuGraphKernelNodeSetParams: (raw, params) =>
      withNode(raw, (node) => take(node, kernelStep(params)), GraphNodeType.KERNEL),
    cuGraphKernelNodeSetAttribute: (raw, id, value) =>
      withNode(
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
    cuGraphAddMemcpyNode: (out, raw, list, count, params) =>
      add(out, raw, list, count, GraphNodeType.MEMCPY, () => copyStep(params)),
    cuGraphMemcpyNodeSetParams: (raw, params) =>
      withNode(raw, (node) => take(node, copyStep(params)), GraphNodeType.MEMCPY),
    cuGraphAddMemsetNode: (out, raw, list, count, params) =>
      add(out, raw, list, count, GraphNodeType.MEMSET, () => fillStep(params)),
    cuGraphMemsetNodeSetParams: (raw, params) =>
      withNode(raw, (node) => take(node, fillStep(params)), GraphNodeType.MEMSET),
    cuGraphAddEmptyNode: (out, raw, list, count) =>
      add(out, raw, list, count, GraphNodeType.EMPTY, () => () => Status.SUCCESS),
    cuGraphAddEventRecordNode: (out, raw, list, count, event) =>
      add(out, raw, list, count, GraphNodeType.EVENT_RECORD, () => eventStep(event, true)),
    cuGraphEventRecordNodeSetEvent: (raw, event) =>
      withNode(raw, (node) => take(node, eventStep(event, true)), GraphNodeType.EVENT_RECORD),
    cuGraphAddEventWaitNode: (out, raw, list, count, event) =>
      add(out, raw, list, count, GraphNodeType.WAIT_EVENT, () => eventStep(event, false)),
    cuGraphEventWaitNodeSetEvent: (raw, event) =>
      withNode(raw, (node) => take(node, eventStep(event, false)), GraphNodeType.WAIT_EVENT),
    cuGraphAddChildGraphNode: addChild,
    cuGraphChildGraphNodeGetGraph: (raw, out) =>
      withNode(raw, ({ child }) => putWide(out, child?.handle ?? 0), GraphNodeType.GRAPH),
    cuGraphAddMemAllocNode: (out, raw, list, count, params) =>
      add(out, raw, list, count, GraphNodeType.MEM_ALLOC, (graph) => {
        const bytes = bytesAt(params, A.size);
        const view = new DataView(bytes.buffer, bytes.byteOffset, A.size);
        const address = state.memory.allocate(Number(view.getBigUint64(A.fields.bytesize, true)), graph.context);
        if (address === undefined) return Status.OUT_OF_MEMORY;
        graph.context.memory.add(address);
        graph.memory.add({ address, context: graph.context, uses: 1 });
        view.setBigUint64(A.fields.dptr, BigInt(address), true);
        return () => Status.SUCCESS;
      }),
    // The memory itself goes with the graph.
    cuGraphAddMemFreeNode: (out, raw, list, count, pointer) =>
      add(out, raw, list, count, GraphNodeType.MEM_FREE, () =>
        state.memory.ownerOf(Number(pointer)) ? () => Status.SUCCESS : Status.INVALID_VALUE,
      ),
    cuGraphNodeGetType: (raw, out) => withNode(raw, ({ type }) => putInt(out, type)),
    cuGraphGetNodes: (raw, list, out) =>
      withGraph(raw, ({ nodes }) =>
        give(
          [list],
          out,
          [...nodes.keys()].map((handle) => [handle]),
        ),
      ),
    cuGraphGetEdges: (raw, from, to, out) =>
      withGraph(raw, ({ nodes }) => {
        const rows = [...nodes.values()].flatMap(({ handle, after }) =>
          [...after].map((node) => [node.handle, handle]),
        );
        return give([from, to], out, rows);
      }),
    cuGraphAddDependencies: (raw, from, to, count) =>
      pairs(raw, from, to, count, (first, second) => {
        if (first === second || second.after.has(first)) return Status.INVALID_VALUE;
        second.after.add(first);
        return Status.SUCCESS;
      }),
    cuGraphRemoveDependencies: (raw, from, to, count) =>
      pairs(raw, from, to, count, (first, second) =>
        second.after.delete(first) ? Status.SUCCESS : Status.INVALID_VALUE,
      ),
    cuGraphDestroyNode: (raw) =>
      withNode(raw, (node) => {
        store.removeNode(node);
        return Status.SUCCESS;
      }),
    cuGraphInstantiateWithParams: (out, raw, params) =>
      withGraph(raw, (graph) => {
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
        const exec: CpuExec = { handle: state.newHandle(), context: graph.context, nodes, byHandle, memory };
        store.execs.set(exec.handle, exec);
        return putWide(out, exec.handle);
      }),
    cuGraphExecDestroy: (raw) =>
      withExec(raw, (exec) => {
        store.execs.delete(exec.handle);
        store.releaseMemory(exec.memory);
        return Status.SUCCESS;
      }),
    cuGraphUpload: (raw) => withExec(raw, ({ context }) => state.refusal(context)),
    cuGraphLaunch: (raw, stream) =>
      withExec(raw, ({ context, nodes }) => {
        const refused = state.refusal(context);
        if (refused !== 0) return refused;
        return runAll(
          nodes.filter(({ enabled }) => enabled).map(({ step }) => step),
          stream,
        );
      }),
    cuGraphExecUpdate: (raw, graphRaw, info) =>
      withExec(raw, (exec) => withGraph(graphRaw, (graph) => update(exec, graph, info))),
    cuGraphExecKernelNodeSetParams: (raw, node, params) =>
      withExecNode(raw, node, GraphNodeType.KERNEL, (found) => take(found, kernelStep(params))),
    cuGraphExecMemcpyNodeSetParams: (raw, node, params) =>
      withExecNode(raw, node, GraphNodeType.MEMCPY, (found) => take(found, copyStep(params))),
    cuGraphExecMemsetNodeSetParams: (raw, node, params) =>
      withExecNode(raw, node, GraphNodeType.MEMSET, (found) => take(found, fillStep(params))),
    cuGraphExecChildGraphNodeSetParams: (raw, node, child) =>
      withExecNode(raw, node, GraphNodeType.GRAPH, (found) =>
        withGraph(child, (graph) => take(found, inOrder(graph) ? childStep(graph) : Status.INVALID_VALUE)),
      ),
    cuGraphExecEventRecordNodeSetEvent: (raw, node, event) =>
      withExecNode(raw, node, GraphNodeType.EVENT_RECORD, (found) => take(found, eventStep(event, true))),
    cuGraphExecEventWaitNodeSetEvent: (raw, node, event) =>
      withExecNode(raw, node, GraphNodeType.WAIT_EVENT, (found) => take(found, eventStep(event, false))),
    cuGraphNodeSetEnabled: (raw, node, enabled) =>
      withExec(raw, ({ byHandle }) => {
        const found = byHandle.get(Number(node));
        if (!found || !canDisable.includes(found.type)) return Status.INVALID_VALUE;
        found.enabled = enabled !== 0;
        return Status.SUCCESS;
      }),
    cuGraphNodeGetEnabled: (raw, node, out) =>
      withExec(raw, ({ byHandle }) => {
        const found = byHandle.get(Number(node));
        return found && canDisable.includes(found.type) ? putInt(out, found.enabled ? 1 : 0) : Status.INVALID_VALUE;
      }),
    cuDeviceGraphMemTrim: (device) => (device === 0 ? Status.SUCCESS : Status.INVALID_DEVICE),
  };
}
