import { KINDS } from '../../src/cuda/graph/graph-node-kind.ts';
import { addressOf } from '../../src/ffi/memory.ts';

const STREAM_CAPTURE_IMPLICIT = 906;
const SUCCESS = 0;
const INVALID_VALUE = 1;
const ILLEGAL_STATE = 401;
const CAPTURE_UNSUPPORTED = 900;
const CAPTURE_INVALIDATED = 901;
const RELAXED = 2;
const CONDITIONAL = 13;

interface FakeGraph {
  readonly nodes: Map<bigint, number>;
}

/** Graphs that run nothing: what is made, what is counted, and the statuses of what does not exist. */
export function fakeGraphs(
  fresh: () => bigint,
  live: (kind: 'graph' | 'graphExec', by: 1 | -1) => void,
): Record<string, (...args: never[]) => number> {
  const graphs = new Map<bigint, FakeGraph>();
  const execs = new Set<bigint>();
  const captures = new Map<bigint, bigint>();
  // Captures that refuse what may wait, and those that such a call has spoilt.
  const strict = new Set<bigint>();
  const invalidated = new Set<bigint>();
  let threadMode = 0;
  const kept: unknown[] = [];
  const put = (out: unknown, value: bigint | number): number => {
    (out as BigUint64Array)[0] = value as bigint;
    return SUCCESS;
  };
  const create = (out: unknown): number => {
    const graph = fresh();
    graphs.set(graph, { nodes: new Map() });
    live('graph', 1);
    return put(out, graph);
  };
  const adder =
    (kind: (typeof KINDS)[number]) =>
    (out: unknown, graph: bigint): number => {
      const found = graphs.get(graph);
      if (!found) return INVALID_VALUE;
      const node = fresh();
      found.nodes.set(node, KINDS.indexOf(kind));
      return put(out, node);
    };
  const known = (exec: bigint): number => (execs.has(exec) ? SUCCESS : INVALID_VALUE);
  const setter = (exec: bigint): number => known(exec);

  return {
    cuGraphCreate: create,
    cuGraphClone: (out: BigUint64Array, original: bigint) => {
      create(out);
      const copy = graphs.get(out[0] ?? 0n);
      for (const kind of graphs.get(original)?.nodes.values() ?? []) copy?.nodes.set(fresh(), kind);
      return SUCCESS;
    },
    cuGraphDestroy: (graph: bigint) => {
      if (!graphs.delete(graph)) return INVALID_VALUE;
      live('graph', -1);
      return SUCCESS;
    },
    cuGraphAddKernelNode: adder('kernel'),
    cuGraphKernelNodeSetAttribute: () => SUCCESS,
    cuGraphAddMemcpyNode: adder('memcpy'),
    cuGraphAddMemsetNode: adder('memset'),
    cuGraphAddEmptyNode: adder('empty'),
    cuGraphAddEventRecordNode: adder('eventRecord'),
    cuGraphAddEventWaitNode: adder('eventWait'),
    cuGraphAddChildGraphNode: adder('child'),
    cuGraphAddMemFreeNode: adder('memFree'),
    cuGraphAddMemAllocNode: (out: unknown, graph: bigint, _list: unknown, _count: number, params: Uint8Array) => {
      new DataView(params.buffer).setBigUint64(112, 0x5000n, true);
      return adder('memAlloc')(out, graph);
    },
    cuGraphAddNode: (out: unknown, graph: bigint, _list: unknown, _count: number, params: DataView) => {
      if (params.getInt32(0, true) !== CONDITIONAL) return INVALID_VALUE;
      const bodies = BigUint64Array.from({ length: params.getUint32(28, true) }, () => {
        const slot = new BigUint64Array(1);
        create(slot);
        // It is the node's.
        live('graph', -1);
        return slot[0] ?? 0n;
      });
      kept.push(bodies);
      params.setBigUint64(32, addressOf(bodies), true);
      return adder('conditional')(out, graph);
    },
    cuGraphConditionalHandleCreate: (out: unknown) => put(out, fresh()),
    cuGraphNodeGetType: (node: bigint, out: unknown) => {
      for (const { nodes } of graphs.values()) {
        const type = nodes.get(node);
        if (type !== undefined) return put(out, type);
      }
      return INVALID_VALUE;
    },
    cuGraphGetNodes: (graph: bigint, list: unknown, out: BigUint64Array) => {
      const nodes = [...(graphs.get(graph)?.nodes.keys() ?? [])];
      if (list !== 0n) (list as BigUint64Array).set(nodes);
      return put(out, BigInt(nodes.length));
    },
    cuGraphGetEdges: (_graph: bigint, _from: unknown, _to: unknown, out: unknown) => put(out, 0n),
    cuGraphAddDependencies: () => SUCCESS,
    cuGraphRemoveDependencies: () => SUCCESS,
    cuGraphDestroyNode: (node: bigint) => {
      for (const { nodes } of graphs.values()) if (nodes.delete(node)) return SUCCESS;
      return INVALID_VALUE;
    },
    cuGraphDebugDotPrint: () => 304,
    cuGraphInstantiateWithParams: (out: unknown, graph: bigint) => {
      if (!graphs.has(graph)) return INVALID_VALUE;
      const exec = fresh();
      execs.add(exec);
      live('graphExec', 1);
      return put(out, exec);
    },
    cuGraphExecDestroy: (exec: bigint) => {
      if (strict.size > 0 && threadMode !== RELAXED) {
        for (const stream of strict) invalidated.add(stream);
        return CAPTURE_UNSUPPORTED;
      }
      if (!execs.delete(exec)) return INVALID_VALUE;
      live('graphExec', -1);
      return SUCCESS;
    },
    cuGraphUpload: known,
    cuGraphLaunch: known,
    cuGraphExecUpdate: known,
    cuGraphExecKernelNodeSetParams: setter,
    cuGraphExecMemcpyNodeSetParams: setter,
    cuGraphExecMemsetNodeSetParams: setter,
    cuGraphExecChildGraphNodeSetParams: setter,
    cuGraphExecEventRecordNodeSetEvent: setter,
    cuGraphExecEventWaitNodeSetEvent: setter,
    cuGraphNodeSetEnabled: setter,
    cuGraphNodeGetEnabled: (_exec: bigint, _node: bigint, out: unknown) => put(out, 1),

    cuStreamBeginCapture: (stream: bigint, mode: number) => {
      if (captures.has(stream)) return ILLEGAL_STATE;
      captures.set(stream, fresh());
      if (mode !== RELAXED) strict.add(stream);
      return SUCCESS;
    },
    cuStreamEndCapture: (stream: bigint, out: unknown) => {
      if (!captures.delete(stream)) return ILLEGAL_STATE;
      strict.delete(stream);
      return invalidated.delete(stream) ? CAPTURE_INVALIDATED : create(out);
    },
    cuThreadExchangeStreamCaptureMode: (mode: Int32Array) => {
      const before = threadMode;
      threadMode = mode[0] ?? 0;
      return put(mode, before);
    },
    // The legacy stream waits for all of the fake's.
    cuStreamIsCapturing: (stream: bigint, out: unknown) =>
      stream <= 1n && captures.size > 0 ? STREAM_CAPTURE_IMPLICIT : put(out, captures.has(stream) ? 1 : 0),
    cuStreamGetCaptureInfo: (stream: bigint, out: unknown, id: unknown) =>
      put(out, captures.has(stream) ? 1 : 0) || put(id, captures.get(stream) ?? 0n),
  };
}
