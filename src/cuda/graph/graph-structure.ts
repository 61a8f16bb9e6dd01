import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import { checkMade, MAKER } from '../../core/maker.ts';
import { Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { inContext } from '../device/context.ts';
import type { Graph } from './graph.ts';
import { GraphNode, KINDS, nodeHandle, type CUgraphNode, type GraphNodeKind, type NodePlace } from './graph-node.ts';
import type { Use, Uses } from '../lifetime/recording.ts';
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

/** What a graph is made of. */
interface Inner {
  readonly context: Handle<CUcontext>;
  /** What its nodes use. */
  readonly uses: Uses;
  readonly nodes: Map<bigint, GraphNode>;
}

let innerOf: (graph: GraphStructure) => Inner;
let ownNode: (graph: GraphStructure, node: GraphNode, method: string) => CUgraphNode;

/** The nodes of a graph and what they wait for. */
export abstract class GraphStructure extends Resource<CUgraph> {
  readonly #inner: Inner;

  /** @internal */
  constructor(origin: Origin) {
    const { handle, context, uses } = checkOrigin(origin);
    super(handle);
    this.#inner = { context, uses, nodes: new Map() };
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
    const { nodes, uses } = this.#inner;
    nodes.delete(raw);
    uses.delete(raw);
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

  #node(raw: CUgraphNode): GraphNode {
    const known = this.#inner.nodes.get(raw);
    if (known) return known;
    cu.cuGraphNodeGetType(raw, intSlot);
    return enterNode(this, raw, (place) => new GraphNode(MAKER, place, KINDS[intSlot[0] ?? 0] ?? 'empty'));
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

  static {
    innerOf = (graph) => graph.#inner;
    ownNode = (graph, node, method) => graph.#own(node, method);
  }
}

function checkOrigin(origin: Partial<Origin> | undefined): Origin {
  checkMade(origin?.handle instanceof Handle, 'GraphStructure', 'write new Graph()');
  return origin as Origin;
}

/** The context of a graph. */
export function contextOf(graph: GraphStructure): Handle<CUcontext> {
  return innerOf(graph).context;
}

/** What the nodes of a graph use. */
export function usesOf(graph: GraphStructure): Uses {
  graph.use('uses');
  return innerOf(graph).uses;
}

/** Run in the context of a graph. */
export function runFor<T>(graph: GraphStructure, run: () => T): T {
  return inContext(contextOf(graph), run);
}

/** Have the driver add a node. */
export function insertNode(graph: GraphStructure, options: NodeOptions, add: Add): CUgraphNode {
  const raw = graph.use('add');
  const { after = [] } = options;
  const list = (Array.isArray(after) ? after : [after]) as readonly GraphNode[];
  const raws = BigUint64Array.from(list, (node) => ownNode(graph, node, 'after'));
  runFor(graph, () => {
    add(slot, raw, raws.length === 0 ? NULL : raws, raws.length);
  });
  return (slot[0] ?? 0n) as CUgraphNode;
}

/** Make the object of a node that the driver has. */
export function enterNode<T extends GraphNode>(
  graph: GraphStructure,
  raw: CUgraphNode,
  make: (place: NodePlace) => T,
): T {
  const { nodes } = innerOf(graph);
  const node = make({ graph: graph as unknown as Graph, raw, nodes });
  nodes.set(raw, node);
  return node;
}

/** Add a node that uses something. */
export function addNode(
  graph: GraphStructure,
  kind: GraphNodeKind,
  options: NodeOptions,
  use: Use | undefined,
  add: Add,
): GraphNode {
  try {
    const raw = insertNode(graph, options, add);
    if (use) innerOf(graph).uses.set(raw, use);
    return enterNode(graph, raw, (place) => new GraphNode(MAKER, place, kind));
  } catch (error) {
    use?.release();
    throw error;
  }
}
