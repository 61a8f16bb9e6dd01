import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Handle } from '../../core/handle.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { PublicObject } from '../../core/public-object.ts';
import { Resource } from '../../core/resource.ts';
import type { AddressHolder } from '../../core/struct.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { inContext } from '../device/context.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { KINDS, type GraphNodeKind } from './graph-node-kind.ts';
import type { Use, Uses } from '../lifetime/recording.ts';
import { GraphDotFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf, type DriverSlot } from '../slots.ts';

export type CUgraph = Opaque<'CUgraph'>;
type CUgraphNode = Opaque<'CUgraphNode'>;
type CUcontext = Opaque<'CUcontext'>;
type Add = (out: DriverSlot<'CUgraphNode'>, graph: CUgraph, list: BigUint64Array | bigint, count: number) => void;

/** What a node waits for. */
export interface NodeOptions {
  /** Nodes of the same graph; none by default. */
  readonly after?: GraphNode | readonly GraphNode[];
}

/** The record of a graph, its context, and what its nodes use. */
export interface Origin {
  readonly handle: Handle<CUgraph>;
  readonly context: Handle<CUcontext>;
  readonly uses: Uses;
}

const nodeSlot = slotOf('CUgraphNode');
const countSlot = slotOf('size_t');
const intSlot = slotOf('CUgraphNodeType');

/** What a graph is made of. */
interface Inner {
  readonly context: Handle<CUcontext>;
  /** What its nodes use. */
  readonly uses: Uses;
  readonly nodes: Map<bigint, GraphNode>;
}

let innerOf: (graph: GraphStructure) => Inner;
let ownNode: (graph: GraphStructure, node: GraphNode, method: string) => CUgraphNode;

/** Where a node is. */
export interface NodePlace {
  readonly graph: GraphStructure;
  readonly raw: CUgraphNode;
  /** All nodes of the graph. */
  readonly nodes: ReadonlyMap<bigint, GraphNode>;
}

/** A piece of work in a {@link Graph}. The graph owns it. */
export class GraphNode extends PublicObject {
  /** The graph that it is in. */
  readonly graph: GraphStructure;
  /** What it does. */
  readonly kind: GraphNodeKind;
  readonly #raw: CUgraphNode;
  readonly #nodes: ReadonlyMap<bigint, GraphNode>;

  /** @internal */
  constructor(maker: Maker, place: NodePlace, kind: GraphNodeKind) {
    super();
    checkMade(maker === MAKER, 'GraphNode', 'call graph.addKernel() or another method of Graph that adds');
    const { graph, raw, nodes } = place;
    this.graph = graph;
    this.kind = kind;
    this.#raw = raw;
    this.#nodes = nodes;
  }

  /** The nodes that it waits for. */
  get dependencies(): GraphNode[] {
    return this.graph.edges.filter(([, to]) => to === this).map(([from]) => from);
  }

  /** The nodes that wait for it. */
  get dependents(): GraphNode[] {
    return this.graph.edges.filter(([from]) => from === this).map(([, to]) => to);
  }

  /** The driver's `CUgraphNode`, borrowed: good until the graph is closed. */
  get handle(): CUgraphNode {
    this.graph.use('handle');
    if (this.#nodes.get(this.#raw) !== this) throw new TypeError('The node was removed from its graph');
    return this.#raw;
  }
}

/** Memory that a graph allocates when it runs; for kernels, copies and fills of that graph. */
export class GraphAllocation extends GraphNode implements AddressHolder {
  /** Its size in bytes. */
  readonly byteLength: number;
  readonly #address: DevicePointer;

  /** @internal */
  constructor(maker: Maker, place: NodePlace, address: DevicePointer, byteLength: number) {
    checkMade(maker === MAKER, 'GraphAllocation', 'call graph.addMemAlloc(bytes)');
    super(maker, place, 'memAlloc');
    this.#address = address;
    this.byteLength = byteLength;
  }

  /** The address that it will have, borrowed: good until the graph is closed. */
  get ptr(): DevicePointer {
    this.graph.use('ptr');
    return this.#address;
  }
}

/**
 * The nodes of a graph and what they wait for: as much as a node says of its graph. {@link Graph} adds to them; its methods
 * name kernels, events and other graphs, whose files lie above.
 */
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
    cu.cuGraphGetNodes(graph, NULL, countSlot);
    const count = Number(take(countSlot));
    if (count === 0) return [];
    const list = new BigUint64Array(count);
    cu.cuGraphGetNodes(graph, list, countSlot);
    return Array.from(list, (raw) => this.#node(raw as CUgraphNode));
  }

  /** All dependencies, each as the node that is waited for and the one that waits. */
  get edges(): [from: GraphNode, to: GraphNode][] {
    const graph = this.use('edges');
    cu.cuGraphGetEdges(graph, NULL, NULL, countSlot);
    const count = Number(take(countSlot));
    if (count === 0) return [];
    const from = new BigUint64Array(count);
    const to = new BigUint64Array(count);
    cu.cuGraphGetEdges(graph, from, to, countSlot);
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
    return enterNode(this, raw, (place) => new GraphNode(MAKER, place, KINDS[take(intSlot)] ?? 'empty'));
  }

  #own(node: GraphNode, method: string): CUgraphNode {
    this.use(method);
    const raw = nodeHandle(node, undefined, method);
    if (node.graph !== this) throw new TypeError(`${method}: the node is of another graph`);
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

/** The handle of a node of one of some kinds. */
export function nodeHandle(node: unknown, kinds: readonly GraphNodeKind[] | undefined, method: string): CUgraphNode {
  if (!(node instanceof GraphNode)) throw new TypeError(`${method} takes a GraphNode, got ${nameOf(node)}`);
  if (kinds && !kinds.includes(node.kind)) {
    throw new TypeError(`${method} takes a ${kinds.join(' or ')} node, got a ${node.kind} node`);
  }
  return node.handle;
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
    add(nodeSlot, raw, raws.length === 0 ? NULL : raws, raws.length);
  });
  return take(nodeSlot);
}

/** Make the object of a node that the driver has. */
export function enterNode<T extends GraphNode>(
  graph: GraphStructure,
  raw: CUgraphNode,
  make: (place: NodePlace) => T,
): T {
  const { nodes } = innerOf(graph);
  const node = make({ graph, raw, nodes });
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
