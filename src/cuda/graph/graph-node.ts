import { PublicObject } from '../../core/public-object.ts';
import { nameOf } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import type { AddressHolder } from '../../core/struct.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import type { Graph } from './graph.ts';

export type CUgraphNode = Opaque<'CUgraphNode'>;

/** What a node does. */
export type GraphNodeKind =
  | 'kernel'
  | 'memcpy'
  | 'memset'
  | 'host'
  | 'child'
  | 'empty'
  | 'eventWait'
  | 'eventRecord'
  | 'semaphoreSignal'
  | 'semaphoreWait'
  | 'memAlloc'
  | 'memFree'
  | 'memOps'
  | 'conditional';

/** The kinds in the order of {@link GraphNodeType}. */
export const KINDS: readonly GraphNodeKind[] = [
  'kernel',
  'memcpy',
  'memset',
  'host',
  'child',
  'empty',
  'eventWait',
  'eventRecord',
  'semaphoreSignal',
  'semaphoreWait',
  'memAlloc',
  'memFree',
  'memOps',
  'conditional',
];

/** Where a node is. */
export interface NodePlace {
  readonly graph: Graph;
  readonly raw: CUgraphNode;
  /** All nodes of the graph. */
  readonly nodes: ReadonlyMap<bigint, GraphNode>;
}

/** A piece of work in a {@link Graph}. The graph owns it. */
export class GraphNode extends PublicObject {
  /** The graph that it is in. */
  readonly graph: Graph;
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

/** A node that runs other graphs, or does not. */
export class ConditionalNode extends GraphNode {
  /** The graphs that it chooses from, to be filled: of an `if` its branches, of a `while` its body. They are the node's. */
  readonly bodies: readonly Graph[];

  /** @internal */
  constructor(maker: Maker, place: NodePlace, bodies: readonly Graph[]) {
    checkMade(maker === MAKER, 'ConditionalNode', 'call graph.addIf(condition), addWhile or addSwitch');
    super(maker, place, 'conditional');
    this.bodies = bodies;
  }

  /** The first of {@link ConditionalNode.bodies}. */
  get body(): Graph {
    const [first] = this.bodies;
    if (!first) throw new TypeError('The node has no body');
    return first;
  }
}

/** A value that kernels set by `cudaGraphSetConditional(handle, value)` and conditional nodes go by. */
export interface GraphCondition {
  /** The kernel's argument, an `unsigned long long`. */
  readonly handle: bigint;
  readonly graph: Graph;
}

/** What each condition is to the driver, which follows the number: one that is none ends the process. */
const conditions = new WeakMap<object, bigint>();

/** A condition that the driver has made. */
export function newCondition(handle: bigint, graph: Graph): GraphCondition {
  const condition = { handle, graph };
  conditions.set(condition, handle);
  return condition;
}

/** The number of a condition; an object of the same look is refused. */
export function conditionHandle(condition: unknown): bigint {
  const handle = conditions.get(condition as object);
  if (handle !== undefined) return handle;
  throw new TypeError(`A conditional node takes what createCondition() made, got ${nameOf(condition)}`);
}

/** The handle of a node of one of some kinds. */
export function nodeHandle(node: unknown, kinds: readonly GraphNodeKind[] | undefined, method: string): CUgraphNode {
  if (!(node instanceof GraphNode)) throw new TypeError(`${method} takes a GraphNode, got ${nameOf(node)}`);
  if (kinds && !kinds.includes(node.kind)) {
    throw new TypeError(`${method} takes a ${kinds.join(' or ')} node, got a ${node.kind} node`);
  }
  return node.handle;
}
