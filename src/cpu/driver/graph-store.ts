import type { DriverTable } from '../../cuda/sys/tables.ts';
import type { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';

/** Enqueues a node's work on a stream, and answers with a status. */
export type Step = (stream: bigint) => number;

export interface CpuNode {
  readonly handle: number;
  readonly graph: CpuGraph;
  /** Its CUgraphNodeType. */
  readonly type: number;
  readonly after: Set<CpuNode>;
  step: Step;
  /** The graph of a child node: a copy that the node owns. */
  child?: CpuGraph | undefined;
}

/** Memory of a graph: lives as long as the graph and its executable graphs. */
export interface CpuGraphMemory {
  readonly address: number;
  readonly context: CpuContext;
  uses: number;
}

export interface CpuGraph {
  readonly handle: number;
  readonly context: CpuContext;
  readonly nodes: Map<number, CpuNode>;
  readonly memory: Set<CpuGraphMemory>;
}

export interface CpuExecNode {
  readonly type: number;
  /** The indices of the nodes that it waits for. */
  readonly after: readonly number[];
  step: Step;
  enabled: boolean;
}

export interface CpuExec {
  readonly handle: number;
  readonly context: CpuContext;
  /** In topological order. */
  readonly nodes: CpuExecNode[];
  /** By the handles of the graph's nodes. */
  readonly byHandle: ReadonlyMap<number, CpuExecNode>;
  readonly memory: ReadonlySet<CpuGraphMemory>;
}

/** The graphs of a device, and the functions that their nodes call. */
export class GraphStore {
  readonly graphs: Map<number, CpuGraph> = new Map();
  readonly nodes: Map<number, CpuNode> = new Map();
  readonly execs: Map<number, CpuExec> = new Map();
  readonly state: DriverState;
  /** The device's functions without capture: each enqueues at once. */
  readonly table: DriverTable;

  constructor(state: DriverState, table: DriverTable) {
    this.state = state;
    this.table = table;
  }

  newGraph(context: CpuContext): CpuGraph {
    const graph: CpuGraph = { handle: this.state.newHandle(), context, nodes: new Map(), memory: new Set() };
    this.graphs.set(graph.handle, graph);
    return graph;
  }

  addNode(graph: CpuGraph, type: number, after: Iterable<CpuNode>, step: Step, child?: CpuGraph): CpuNode {
    const node: CpuNode = { handle: this.state.newHandle(), graph, type, after: new Set(after), step, child };
    graph.nodes.set(node.handle, node);
    this.nodes.set(node.handle, node);
    return node;
  }

  removeNode(node: CpuNode): void {
    node.graph.nodes.delete(node.handle);
    this.nodes.delete(node.handle);
    for (const { after } of node.graph.nodes.values()) after.delete(node);
    if (node.child) this.removeGraph(node.child);
  }

  removeGraph(graph: CpuGraph): void {
    this.graphs.delete(graph.handle);
    for (const node of graph.nodes.values()) {
      this.nodes.delete(node.handle);
      if (node.child) this.removeGraph(node.child);
    }
    this.releaseMemory(graph.memory);
  }

  releaseMemory(memory: ReadonlySet<CpuGraphMemory>): void {
    for (const one of memory) {
      if (--one.uses > 0) continue;
      const { context, address } = one;
      // The program may have freed it itself.
      if (!context.alive || !context.memory.delete(address)) continue;
      this.state.settle(context);
      this.state.memory.release(address);
    }
  }

  /** A copy, with the copy of each node. */
  copy(graph: CpuGraph): { readonly graph: CpuGraph; readonly places: ReadonlyMap<CpuNode, CpuNode> } {
    const made = this.newGraph(graph.context);
    const places = new Map<CpuNode, CpuNode>();
    for (const node of graph.nodes.values()) {
      const child = node.child && this.copy(node.child).graph;
      places.set(node, this.addNode(made, node.type, [], child ? childStep(child) : node.step, child));
    }
    for (const [from, to] of places) {
      for (const node of from.after) to.after.add(places.get(node) as CpuNode);
    }
    for (const memory of graph.memory) {
      memory.uses++;
      made.memory.add(memory);
    }
    return { graph: made, places };
  }
}

/** The nodes in topological order; undefined for a graph with a cycle. */
export function inOrder(graph: CpuGraph): CpuNode[] | undefined {
  const order: CpuNode[] = [];
  const done = new Set<CpuNode>();
  let waiting = [...graph.nodes.values()];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ after }) => [...after].every((node) => done.has(node)));
    if (ready.length === 0) return undefined;
    for (const node of ready) {
      order.push(node);
      done.add(node);
    }
    waiting = waiting.filter((node) => !done.has(node));
  }
  return order;
}

/** A step that runs the nodes that a graph has now. */
export function childStep(graph: CpuGraph): Step {
  const steps = (inOrder(graph) ?? []).map(({ step }) => step);
  return (stream) => runAll(steps, stream);
}

/** Run steps up to the first that fails. */
export function runAll(steps: Iterable<Step>, stream: bigint): number {
  for (const step of steps) {
    const status = step(stream);
    if (status !== 0) return status;
  }
  return 0;
}
