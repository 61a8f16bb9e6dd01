import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/host-memory.ts';
import { Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { inContext } from '../device/context.ts';
import type { Graph } from './graph.ts';
import { GraphNode, KINDS, nodeHandle, type CUgraphNode, type GraphNodeKind } from './graph-node.ts';
import type { Use, Uses } from './recording.ts';
import { GraphDotFlags } from '../sys/enums.ts';

export type CUgraph = Opaque<'CUgraph'>;
type CUcontext = Opaque<'CUcontext'>;
type Add = (out: BigUint64Array, graph: CUgraph, list: BigUint64Array | bigint, count: number) => void;

/** What a node waits for. */
export interface NodeOptions {
  /** Nodes of the same graph; none by default. */
  readonly after?: GraphNode | readonly GraphNode[];
}

/** What belongs to a graph, whoever has it. */
export interface Origin {
  readonly handle: Handle<CUgraph>;
  readonly context: Handle<CUcontext>;
  readonly uses: Uses;
}

const slot = new BigUint64Array(1);
const intSlot = new Int32Array(1);

/** The nodes of a graph and what they wait for. */
export abstract class GraphStructure extends Resource<CUgraph> {
  /** @internal */
  readonly context: Handle<CUcontext>;
  readonly #uses: Uses;
  readonly #nodes = new Map<bigint, GraphNode>();

  /** @internal */
  constructor(origin: Origin) {
    super(origin.handle);
    this.context = origin.context;
    this.#uses = origin.uses;
  }

  /** Let a node wait for another one. */
  addDependency(from: GraphNode, to: GraphNode): void {
    const graph = this.use('addDependency');
    const [first, second] = this.#pair(from, to, 'Graph.addDependency');
    if (from === to) throw new RangeError('Graph.addDependency: a node cannot wait for itself');
    cu.cuGraphAddDependencies(graph, first, second, 1);
  }

  /** Let a node no longer wait for another one. */
  removeDependency(from: GraphNode, to: GraphNode): void {
    const graph = this.use('removeDependency');
    const [first, second] = this.#pair(from, to, 'Graph.removeDependency');
    cu.cuGraphRemoveDependencies(graph, first, second, 1);
  }

  /** Take a node out, with its dependencies. */
  remove(node: GraphNode): void {
    const raw = this.#own(node, 'Graph.remove');
    cu.cuGraphDestroyNode(raw);
    this.#nodes.delete(raw);
    this.#uses.delete(raw);
  }

  /** All nodes, those of a capture too. */
  get nodes(): GraphNode[] {
    const graph = this.use('nodes');
    cu.cuGraphGetNodes(graph, NULL, slot);
    const count = Number(slot[0]);
    if (count === 0) return [];
    const list = new BigUint64Array(count);
    cu.cuGraphGetNodes(graph, list, slot);
    return Array.from(list, (raw) => this.#node(raw as CUgraphNode));
  }

  /** All dependencies, each as the node that is waited for and the one that waits. */
  get edges(): [from: GraphNode, to: GraphNode][] {
    const graph = this.use('edges');
    cu.cuGraphGetEdges(graph, NULL, NULL, slot);
    const count = Number(slot[0]);
    if (count === 0) return [];
    const from = new BigUint64Array(count);
    const to = new BigUint64Array(count);
    cu.cuGraphGetEdges(graph, from, to, slot);
    return Array.from(from, (raw, i) => [this.#node(raw as CUgraphNode), this.#node((to[i] ?? 0n) as CUgraphNode)]);
  }

  /**
   * Describe the graph in the DOT language of Graphviz.
   *
   * @param flags - {@link GraphDotFlags}: what to tell of each node
   */
  dot(flags: number = GraphDotFlags.VERBOSE): string {
    const graph = this.use('dot');
    const checked = checkInteger(flags, 'flags', 0, 0xffff_ffff);
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-'));
    try {
      const path = join(folder, 'graph.dot');
      cu.cuGraphDebugDotPrint(graph, path, checked);
      return readFileSync(path, 'utf8');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The driver's `CUgraph`, borrowed: good until {@link Graph.close}. */
  get handle(): CUgraph {
    return this.use('handle');
  }

  /**
   * What its nodes use.
   * @internal
   */
  get uses(): Uses {
    this.use('uses');
    return this.#uses;
  }

  /** @internal */
  has(node: GraphNode): boolean {
    for (const one of this.#nodes.values()) if (one === node) return true;
    return false;
  }

  /** @internal */
  run<T>(run: () => T): T {
    return inContext(this.context, run);
  }

  #node(raw: CUgraphNode): GraphNode {
    const known = this.#nodes.get(raw);
    if (known) return known;
    cu.cuGraphNodeGetType(raw, intSlot);
    return this.enter(new GraphNode(this as unknown as Graph, KINDS[intSlot[0] ?? 0] ?? 'empty', raw), raw);
  }

  /** @internal */
  enter<T extends GraphNode>(node: T, raw: CUgraphNode): T {
    this.#nodes.set(raw, node);
    return node;
  }

  #own(node: GraphNode, method: string): CUgraphNode {
    this.use(method);
    const raw = nodeHandle(node, undefined, method);
    if ((node.graph as GraphStructure) !== this) throw new TypeError(`${method}: the node is of another graph`);
    return raw;
  }

  #pair(from: GraphNode, to: GraphNode, method: string): [BigUint64Array<ArrayBuffer>, BigUint64Array<ArrayBuffer>] {
    return [BigUint64Array.of(this.#own(from, method)), BigUint64Array.of(this.#own(to, method))];
  }

  /** @internal */
  insert(options: NodeOptions, add: Add): CUgraphNode {
    const graph = this.use('add');
    const { after = [] } = options;
    const list = (Array.isArray(after) ? after : [after]) as readonly GraphNode[];
    const raws = BigUint64Array.from(list, (node) => this.#own(node, 'after'));
    this.run(() => {
      add(slot, graph, raws.length === 0 ? NULL : raws, raws.length);
    });
    return (slot[0] ?? 0n) as CUgraphNode;
  }

  /** @internal */
  add(kind: GraphNodeKind, options: NodeOptions, use: Use | undefined, add: Add): GraphNode {
    try {
      const raw = this.insert(options, add);
      if (use) this.#uses.set(raw, use);
      return this.enter(new GraphNode(this as unknown as Graph, kind, raw), raw);
    } catch (error) {
      use?.release();
      throw error;
    }
  }
}
