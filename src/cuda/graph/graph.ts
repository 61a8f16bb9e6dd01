import { readFlag } from '../../core/choice.ts';
import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { viewOf } from '../../ffi/memory.ts';
import { attempt, callError, cu } from '../call.ts';
import { requireContext, destroyIn, deviceOf } from '../device/context.ts';
import { deviceAddress, type DeviceMemory, type DevicePointer } from '../memory/device-pointer.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { KernelArguments } from '../kernel/kernel-argument.ts';
import type { KernelAttributes } from '../kernel/kernel-attributes.ts';
import { eventOf, graphOf, type EventLike } from '../lifetime/resource-kind.ts';
import { GraphExec } from './graph-exec.ts';
import type { GraphLaunchOptions } from './graph-launch-options.ts';
import { conditionHandle, newCondition, type GraphCondition } from './graph-condition.ts';
import { allocatedAddress, allocParams, kernelParams, memcpyParams, memsetParams, owners } from './graph-params.ts';
import {
  addNode,
  contextOf,
  enterNode,
  GraphAllocation,
  GraphNode,
  GraphStructure,
  insertNode,
  runFor,
  usesOf,
  type CUgraph,
  type NodeOptions,
  type NodePlace,
  type Origin,
} from './graph-structure.ts';
import { useOf, Uses, type Use } from '../lifetime/recording.ts';
import { ConditionalType, GraphInstantiateFlags, GraphInstantiateResult, GraphNodeType } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUcontext = Opaque<'CUcontext'>;

/** How a graph is made ready to run. */
export interface InstantiateOptions {
  /** Before each launch, free what the launch before allocated and did not free. */
  readonly autoFreeOnLaunch?: boolean;
  /** Go by the priorities of the kernel nodes instead of the stream's. */
  readonly useNodePriority?: boolean;
}

const conditionSlot = slotOf('CUgraphConditionalHandle');
const graphSlot = slotOf('CUgraph');
const execSlot = slotOf('CUgraphExec');
const ASSIGN_DEFAULT = 1;

const REASONS: ReadonlyMap<number, string> = new Map<number, string>([
  [GraphInstantiateResult.INVALID_STRUCTURE, 'The graph has a cycle, or a node that is not allowed where it is'],
  [GraphInstantiateResult.NODE_OPERATION_NOT_SUPPORTED, 'A node does what cannot be done in a graph'],
  [GraphInstantiateResult.MULTIPLE_CTXS_NOT_SUPPORTED, 'The graph has nodes of several contexts'],
  [GraphInstantiateResult.CONDITIONAL_HANDLE_UNUSED, 'A condition of the graph belongs to no conditional node'],
]);

/**
 * Work for the device, put together before it runs: nodes, and what each waits for. Make it ready with
 * {@link Graph.instantiate}, then launch that as often as you like, at the cost of one launch.
 *
 * Nodes keep what they use: kernels' modules, device memory, events and host arrays stay alive until the graph, and what
 * was instantiated of it, are closed. Needs a driver of CUDA 12.0 or newer.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { fromDevice, Graph, memAlloc, SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule('__global__ void add(int *x, int n) { x[threadIdx.x] += n; }');
 * using memory = memAlloc(4 * 32);
 * using graph = new Graph();
 * const clear = graph.addMemset(memory, 0, 32, { elementBytes: 4 });
 * graph.addKernel(module.getFunction('add'), [memory, 3], { block: 32, after: clear });
 * using exec = graph.instantiate();
 * exec.launch();
 * fromDevice(memory, 'i32'); // 3, 3, 3 …
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html | Graph management}
 */
export class Graph extends GraphStructure {
  /**
   * Create an empty graph in the current context.
   *
   * @throws {@link CudaLogicError} no context is current
   */
  constructor();
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the second one is not public
  constructor(origin: Origin);
  constructor(origin?: Origin) {
    super(origin ?? create());
  }

  /**
   * Add a kernel: its arguments are checked and packed now, like those of a launch.
   *
   * @param options - `block`, `grid`, `shared`, `cooperative`, `cluster` and the like, and `after`
   * @throws TypeError an argument is missing, too many, or of the wrong kind
   * @throws RangeError a number does not fit its parameter, or the shape exceeds a limit of the device
   */
  addKernel<S extends Shape = AnyShape>(
    kernel: KernelAttributes<S>,
    args: Readonly<KernelArguments<S>>,
    options: GraphLaunchOptions & NodeOptions,
  ): GraphNode {
    // What is not an object is refused with the rest of the shape.
    const { after = [], ...shape } = (options as typeof options | null | undefined) ?? ({} as typeof options);
    const { params, use, attributes } = kernelParams(kernel, args, shape, 'Graph.addKernel');
    const node = addNode(this, 'kernel', { after }, use, (out, graph, list, count) => {
      cu.cuGraphAddKernelNode(out, graph, list, count, params);
    });
    try {
      for (const [id, value] of attributes?.entries() ?? []) cu.cuGraphKernelNodeSetAttribute(node.handle, id, value);
    } catch (error) {
      this.remove(node);
      throw error;
    }
    return node;
  }

  /**
   * Add a copy from host to device, device to host or device to device memory. A host array is read or written whenever the
   * graph runs: its buffer is kept where it is as long as the graph, and what was instantiated of it, is there. On Node.js 20
   * a transfer copies it from then on; on 21 to 23 it is refused from then on, and later while it is kept.
   *
   * @param options - `byteLength`: all of the host array by default, or of the source; `after`
   * @throws RangeError one of the two is smaller than that
   * @throws TypeError the buffer of a host array is resizable
   */
  addMemcpy(
    destination: DeviceMemory | HostMemory,
    source: DeviceMemory | HostMemory,
    options: NodeOptions & { readonly byteLength?: number } = {},
  ): GraphNode {
    checkOptions(options, ['byteLength', 'after'], 'Graph.addMemcpy');
    const { params, use } = memcpyParams(destination, source, options.byteLength, 'Graph.addMemcpy');
    return addNode(this, 'memcpy', options, use, (out, graph, list, count) => {
      cu.cuGraphAddMemcpyNode(out, graph, list, count, params, contextOf(this).value);
    });
  }

  /**
   * Add a fill.
   *
   * @param count - elements
   * @param options - `elementBytes`: 1 (by default), 2 or 4; `after`
   */
  addMemset(
    destination: DeviceMemory,
    value: number,
    count: number,
    options: NodeOptions & { readonly elementBytes?: 1 | 2 | 4 } = {},
  ): GraphNode {
    checkOptions(options, ['elementBytes', 'after'], 'Graph.addMemset');
    const { params, use } = memsetParams(destination, value, count, options.elementBytes ?? 1, 'Graph.addMemset');
    return addNode(this, 'memset', options, use, (out, graph, list, count) => {
      cu.cuGraphAddMemsetNode(out, graph, list, count, params, contextOf(this).value);
    });
  }

  /** Add a node that does nothing: for others to wait for. */
  addEmpty(options: NodeOptions = {}): GraphNode {
    checkOptions(options, ['after'], 'Graph.addEmpty');
    return addNode(this, 'empty', options, undefined, (out, graph, list, count) => {
      cu.cuGraphAddEmptyNode(out, graph, list, count);
    });
  }

  /** Add the recording of an event. */
  addEventRecord(event: EventLike, options: NodeOptions = {}): GraphNode {
    checkOptions(options, ['after'], 'Graph.addEventRecord');
    const raw = eventOf(event, 'Graph.addEventRecord');
    return addNode(
      this,
      'eventRecord',
      options,
      useOf('graph node', owners([event], 'addEventRecord'), []),
      (...args) => {
        cu.cuGraphAddEventRecordNode(...args, raw);
      },
    );
  }

  /** Add a wait for an event. */
  addEventWait(event: EventLike, options: NodeOptions = {}): GraphNode {
    checkOptions(options, ['after'], 'Graph.addEventWait');
    const raw = eventOf(event, 'Graph.addEventWait');
    return addNode(this, 'eventWait', options, useOf('graph node', owners([event], 'addEventWait'), []), (...args) => {
      cu.cuGraphAddEventWaitNode(...args, raw);
    });
  }

  /** Add a whole graph as one node. What is added is a copy: later changes of `child` do not show. */
  addChild(child: Graph, options: NodeOptions = {}): GraphNode {
    checkOptions(options, ['after'], 'Graph.addChild');
    const raw = graphOf(child, 'Graph.addChild');
    if (child === this) throw new RangeError('Graph.addChild: a graph cannot be in itself; clone() makes a copy');
    const use = useOf('graph node', usesOf(child).all, usesOf(child).hasHost ? [usesOf(child)] : []);
    return addNode(this, 'child', options, use, (...args) => {
      cu.cuGraphAddChildGraphNode(...args, raw);
    });
  }

  /**
   * Add an allocation. The address is known now; the memory is there from this node to the one that frees it, and is used in
   * between only. What no node frees is freed by hand, or with `autoFreeOnLaunch`.
   *
   * @param byteLength - in bytes, at least 1
   */
  addMemAlloc(byteLength: number, options: NodeOptions = {}): GraphAllocation {
    checkOptions(options, ['after'], 'Graph.addMemAlloc');
    const params = allocParams(byteLength, deviceOf(contextOf(this)).raw, 'Graph.addMemAlloc');
    const raw = insertNode(this, options, (...args) => {
      cu.cuGraphAddMemAllocNode(...args, params);
    });
    return enterNode(this, raw, (place) => new GraphAllocation(MAKER, place, allocatedAddress(params), byteLength));
  }

  /** Add the freeing of memory that a node allocated. */
  addMemFree(memory: DeviceMemory, options: NodeOptions = {}): GraphNode {
    checkOptions(options, ['after'], 'Graph.addMemFree');
    const address = deviceAddress(memory);
    if (!address) {
      throw new TypeError(`Graph.addMemFree takes memory of addMemAlloc, or its address, got ${nameOf(memory)}`);
    }
    return addNode(this, 'memFree', options, undefined, (...args) => {
      cu.cuGraphAddMemFreeNode(...args, address as DevicePointer);
    });
  }

  /**
   * Make a value for {@link Graph.addIf}, {@link Graph.addWhile} or {@link Graph.addSwitch} to go by. A kernel that got the
   * handle sets it with `cudaGraphSetConditional(handle, value)`.
   *
   * @param options - `initial`: what it is at each launch; without it, what it was. CUDA 12.3 and newer
   */
  createCondition(options: { readonly initial?: number } = {}): GraphCondition {
    checkOptions(options, ['initial'], 'Graph.createCondition');
    const { initial } = options;
    const value = checkInteger(initial ?? 0, 'initial', 0, 0xffff_ffff);
    const graph = this.use('createCondition');
    const flags = initial === undefined ? 0 : ASSIGN_DEFAULT;
    cu.cuGraphConditionalHandleCreate(conditionSlot, graph, contextOf(this).value, value, flags);
    return newCondition(take(conditionSlot), this);
  }

  /** Add a graph that runs where the condition is not 0; and, with `otherwise` (CUDA 12.8), one that runs where it is. */
  addIf(condition: GraphCondition, options: NodeOptions & { readonly otherwise?: boolean } = {}): ConditionalNode {
    checkOptions(options, ['otherwise', 'after'], 'Graph.addIf');
    const count = readFlag(options.otherwise, 'otherwise') ? 2 : 1;
    return this.#addConditional(condition, ConditionalType.IF, count, options);
  }

  /** Add a graph that runs again and again while the condition is not 0. CUDA 12.3 and newer. */
  addWhile(condition: GraphCondition, options: NodeOptions = {}): ConditionalNode {
    checkOptions(options, ['after'], 'Graph.addWhile');
    return this.#addConditional(condition, ConditionalType.WHILE, 1, options);
  }

  /** Add graphs of which the one runs whose number the condition is. CUDA 12.8 and newer. */
  addSwitch(condition: GraphCondition, count: number, options: NodeOptions = {}): ConditionalNode {
    checkOptions(options, ['after'], 'Graph.addSwitch');
    const branches = checkInteger(count, 'Graph.addSwitch: the count', 1, 0xffff);
    return this.#addConditional(condition, ConditionalType.SWITCH, branches, options);
  }

  /** A copy of the graph, with nodes of its own. */
  clone(): Graph {
    const original = this.use('clone');
    runFor(this, () => cu.cuGraphClone(graphSlot, original));
    const uses = new Uses();
    uses.share(usesOf(this));
    return new Graph(originOf(take(graphSlot), contextOf(this), uses));
  }

  /**
   * Make the graph ready to run, as it is now.
   *
   * Host: may block.
   *
   * @throws {@link CudaLogicError} the graph cannot run; the message says why
   */
  instantiate(options: InstantiateOptions = {}): GraphExec {
    checkOptions(options, ['autoFreeOnLaunch', 'useNodePriority'], 'Graph.instantiate');
    let flags = 0;
    if (readFlag(options.autoFreeOnLaunch, 'autoFreeOnLaunch')) flags |= GraphInstantiateFlags.AUTO_FREE_ON_LAUNCH;
    if (readFlag(options.useNodePriority, 'useNodePriority')) flags |= GraphInstantiateFlags.USE_NODE_PRIORITY;
    const graph = this.use('instantiate');
    const params = new BigUint64Array(structs.CUDA_GRAPH_INSTANTIATE_PARAMS.size / 8);
    params[0] = BigInt(flags);
    const status = runFor(this, () => attempt('cuGraphInstantiateWithParams', execSlot, graph, params));
    const result = Number((params[3] ?? 0n) & 0xffff_ffffn);
    if (status !== 0 || result !== 0) {
      const reason = REASONS.get(result);
      const context = reason === undefined ? {} : { reason };
      throw callError('cuGraphInstantiateWithParams', status === 0 ? 1 : status, context);
    }
    return new GraphExec(take(execSlot), contextOf(this), usesOf(this));
  }

  #addConditional(
    condition: GraphCondition,
    type: ConditionalType,
    count: number,
    options: NodeOptions,
  ): ConditionalNode {
    const handle = conditionHandle(condition);
    const { size, fields } = structs.CUgraphNodeParams;
    const view = new DataView(new ArrayBuffer(size));
    view.setInt32(fields.type, GraphNodeType.CONDITIONAL, true);
    view.setBigUint64(fields['conditional.handle'], handle, true);
    view.setInt32(fields['conditional.type'], type, true);
    view.setUint32(fields['conditional.size'], count, true);
    view.setBigUint64(fields['conditional.ctx'], contextOf(this).value, true);
    const raw = insertNode(this, options, (...args) => {
      cu.cuGraphAddNode(...args, view);
    });
    const list = new BigUint64Array(viewOf(view.getBigUint64(fields['conditional.phGraph_out'], true), 8 * count));
    const parent = handleOf(this, 'addConditional');
    // The bodies are the node's; what they use is kept with the rest.
    const bodies = Array.from(list, (body) => {
      const record = new Handle('Graph', body as CUgraph, undefined, [parent]);
      return new Graph({ handle: record, context: contextOf(this), uses: usesOf(this) });
    });
    return enterNode(this, raw, (place) => new ConditionalNode(MAKER, place, bodies));
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

/** The graph that a capture ended with, and what it uses. */
export function adoptGraph(raw: CUgraph, use: Use | undefined): Graph {
  const uses = new Uses();
  if (use) uses.set(0n, use);
  return new Graph(originOf(raw, requireContext('Graph'), uses));
}

function create(): Origin {
  const context = requireContext('cuGraphCreate');
  cu.cuGraphCreate(graphSlot, 0);
  return originOf(take(graphSlot), context, new Uses());
}

function originOf(raw: CUgraph, context: Handle<CUcontext>, uses: Uses): Origin {
  const destroy = (graph: CUgraph): void => {
    destroyIn(context, 'cuGraphDestroy', graph);
    uses.release();
  };
  return { handle: new Handle('Graph', raw, destroy, [context]), context, uses };
}
