import { Handle } from '../../core/handle.ts';
import { nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { checkMade } from '../../core/maker.ts';
import { Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, attemptRelaxed, callError, callQuickly, cu } from '../call.ts';
import { destroyIn, inContext } from '../device/context.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { KernelArguments } from '../kernel/kernel-argument.ts';
import type { KernelAttributes } from '../kernel/kernel-attributes.ts';
import type { GraphLaunchOptions } from './graph-launch-options.ts';
import { nodeHandle, usesOf, type GraphNode, type GraphStructure } from './graph-structure.ts';
import { kernelParams, memcpyParams, memsetParams, owners } from './graph-params.ts';
import { recording } from '../captures.ts';
import { eventOf, graphOf, streamOf, type EventLike, type StreamLike } from '../lifetime/resource-kind.ts';
import { noteUse, useOf, Uses } from '../lifetime/recording.ts';
import { EventFlags, GraphExecUpdateResult, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUgraphExec = Opaque<'CUgraphExec'>;
type CUcontext = Opaque<'CUcontext'>;
type CUstream = Opaque<'CUstream'>;
type CUevent = Opaque<'CUevent'>;

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const UPDATE_FAILURE = statuses.CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE[0];
const slot = slotOf('CUevent');
const flagSlot = slotOf('unsigned int');
const update = new BigUint64Array(structs.CUgraphExecUpdateResultInfo.size / 8);

const REASONS: ReadonlyMap<number, string> = new Map<number, string>([
  [GraphExecUpdateResult.ERROR_TOPOLOGY_CHANGED, 'The graph has other nodes or other dependencies'],
  [GraphExecUpdateResult.ERROR_NODE_TYPE_CHANGED, 'A node became one of another kind'],
  [GraphExecUpdateResult.ERROR_FUNCTION_CHANGED, "A node's kernel was replaced by one that it cannot be replaced by"],
  [GraphExecUpdateResult.ERROR_PARAMETERS_CHANGED, "A node's parameters changed in a way that cannot be updated"],
  [GraphExecUpdateResult.ERROR_NOT_SUPPORTED, 'A node is of a kind that cannot be updated'],
  [GraphExecUpdateResult.ERROR_UNSUPPORTED_FUNCTION_CHANGE, "A node's kernel was replaced by one of another context"],
  [GraphExecUpdateResult.ERROR_ATTRIBUTES_CHANGED, "A node's attributes changed in a way that cannot be updated"],
]);

/** What an executable graph owns besides itself. */
interface Belongings {
  readonly context: Handle<CUcontext>;
  readonly uses: Uses;
  /** Recorded behind the last launch, where host memory is used. */
  event: CUevent | undefined;
}

/**
 * A graph that was made ready to run. Made by {@link Graph.instantiate}. It runs as often as it is launched, one launch
 * after the other; the graph that it was made of may change or be closed meanwhile.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Graph, memAlloc, Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream({ nonBlocking: true });
 * using memory = memAlloc(1024);
 * using graph = new Graph();
 * graph.addMemset(memory, 0, 256, { elementBytes: 4 });
 * using exec = graph.instantiate();
 * exec.launch(stream);
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html | Graph management}
 */
export class GraphExec extends Resource<CUgraphExec> {
  readonly #belongings: Belongings;

  /** @internal */
  constructor(raw: CUgraphExec, context: Handle<CUcontext>, uses: Uses) {
    checkMade(context instanceof Handle, 'GraphExec', 'call graph.instantiate()');
    const belongings: Belongings = { context, uses: new Uses(), event: undefined };
    belongings.uses.share(uses);
    super(own(raw, belongings));
    this.#belongings = belongings;
  }

  /**
   * Run the graph.
   *
   * Host: does not block. Stream: ordered; two launches of one executable graph never overlap.
   *
   * @throws {@link CudaLaunchError} an earlier kernel has failed
   */
  launch(stream: StreamLike | null = null): void {
    const queue = streamOf(stream, 'GraphExec.launch');
    callQuickly('cuGraphLaunch', this.use('launch'), queue);
    if (recording.active > 0) noteUse(this);
    else if (this.#belongings.uses.hasHost) this.#mark(queue);
  }

  /** Bring the graph to the device, so that its first launch need not. Host: does not block. Stream: ordered. */
  upload(stream: StreamLike | null = null): void {
    cu.cuGraphUpload(this.use('upload'), streamOf(stream, 'GraphExec.upload'));
  }

  /**
   * Take the parameters of another graph of the same shape. Launches that were made before are not changed.
   *
   * @throws {@link CudaLogicError} CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: the graphs differ in more than can be updated; the
   * message says in what. Instantiate the other graph then
   */
  update(graph: GraphStructure): void {
    const reason = this.tryUpdate(graph);
    if (reason !== undefined) throw callError('cuGraphExecUpdate', UPDATE_FAILURE, { reason });
  }

  /**
   * {@link GraphExec.update}, for when it may fail.
   *
   * @returns why the graph could not be taken; undefined where it was
   */
  tryUpdate(graph: GraphStructure): string | undefined {
    const exec = this.use('update');
    const raw = graphOf(graph, 'GraphExec.update');
    update.fill(0n);
    const status = this.#run(() => attempt('cuGraphExecUpdate', exec, raw, update));
    if (status === 0) {
      this.#belongings.uses.share(usesOf(graph));
      return undefined;
    }
    if (status !== UPDATE_FAILURE) throw callError('cuGraphExecUpdate', status);
    const why = REASONS.get(Number((update[0] ?? 0n) & 0xffff_ffffn)) ?? 'The graphs differ';
    const node = graph.nodes.find(({ handle }) => handle === update[1]);
    return node ? `${why} (node of kind ${node.kind}, number ${graph.nodes.indexOf(node)})` : why;
  }

  /** Give a kernel node other arguments, another shape, or another kernel. Its attributes stay. */
  setKernel<S extends Shape = AnyShape>(
    node: GraphNode,
    kernel: KernelAttributes<S>,
    args: Readonly<KernelArguments<S>>,
    options: GraphLaunchOptions,
  ): void {
    const raw = nodeHandle(node, ['kernel'], 'GraphExec.setKernel');
    const exec = this.use('setKernel');
    const { params, use } = kernelParams(kernel, args, options, 'GraphExec.setKernel');
    this.#set(raw, use, () => cu.cuGraphExecKernelNodeSetParams(exec, raw, params));
  }

  /** Give a memcpy node other memory of the same kind. See {@link Graph.addMemcpy}. */
  setMemcpy(
    node: GraphNode,
    destination: DeviceMemory | HostMemory,
    source: DeviceMemory | HostMemory,
    byteLength?: number,
  ): void {
    const raw = nodeHandle(node, ['memcpy'], 'GraphExec.setMemcpy');
    const exec = this.use('setMemcpy');
    const { params, use } = memcpyParams(destination, source, byteLength, 'GraphExec.setMemcpy');
    const context = this.#belongings.context.value;
    this.#set(raw, use, () => cu.cuGraphExecMemcpyNodeSetParams(exec, raw, params, context));
  }

  /** Give a memset node another memory, value or size. See {@link Graph.addMemset}. */
  setMemset(
    node: GraphNode,
    destination: DeviceMemory,
    value: number,
    count: number,
    elementBytes: 1 | 2 | 4 = 1,
  ): void {
    const raw = nodeHandle(node, ['memset'], 'GraphExec.setMemset');
    const exec = this.use('setMemset');
    const { params, use } = memsetParams(destination, value, count, elementBytes, 'GraphExec.setMemset');
    const context = this.#belongings.context.value;
    this.#set(raw, use, () => cu.cuGraphExecMemsetNodeSetParams(exec, raw, params, context));
  }

  /** Give an event node another event. */
  setEvent(node: GraphNode, event: EventLike): void {
    const raw = nodeHandle(node, ['eventRecord', 'eventWait'], 'GraphExec.setEvent');
    const exec = this.use('setEvent');
    const other = eventOf(event, 'GraphExec.setEvent');
    const use = useOf('graph node', owners([event], 'GraphExec.setEvent'), []);
    this.#set(raw, use, () => {
      if (node.kind === 'eventRecord') cu.cuGraphExecEventRecordNodeSetEvent(exec, raw, other);
      else cu.cuGraphExecEventWaitNodeSetEvent(exec, raw, other);
    });
  }

  /** Give a child node the parameters of another graph of the same shape. */
  setChild(node: GraphNode, child: GraphStructure): void {
    const raw = nodeHandle(node, ['child'], 'GraphExec.setChild');
    const exec = this.use('setChild');
    const other = graphOf(child, 'GraphExec.setChild');
    const use = useOf('graph node', usesOf(child).all, usesOf(child).hasHost ? [usesOf(child)] : []);
    this.#set(raw, use, () => cu.cuGraphExecChildGraphNodeSetParams(exec, raw, other));
  }

  /** Let later launches skip a kernel, memcpy or memset node, or run it again. */
  setEnabled(node: GraphNode, enabled: boolean): void {
    const raw = nodeHandle(node, ['kernel', 'memcpy', 'memset'], 'GraphExec.setEnabled');
    if (typeof enabled !== 'boolean') throw new TypeError(`enabled must be true or false, got ${nameOf(enabled)}`);
    cu.cuGraphNodeSetEnabled(this.use('setEnabled'), raw, enabled ? 1 : 0);
  }

  /** Whether launches run a kernel, memcpy or memset node. */
  isEnabled(node: GraphNode): boolean {
    const raw = nodeHandle(node, ['kernel', 'memcpy', 'memset'], 'GraphExec.isEnabled');
    cu.cuGraphNodeGetEnabled(this.use('isEnabled'), raw, flagSlot);
    return take(flagSlot) !== 0;
  }

  /** The driver's `CUgraphExec`, borrowed: good until {@link GraphExec.close}. */
  get handle(): CUgraphExec {
    return this.use('handle');
  }

  #run<T>(run: () => T): T {
    return inContext(this.#belongings.context, run);
  }

  #set(node: bigint, use: ReturnType<typeof useOf>, set: () => void): void {
    try {
      this.#run(set);
    } catch (error) {
      use.release();
      throw error;
    }
    this.#belongings.uses.set(node, use);
  }

  /** Know when the last launch has ended: until then its host memory must stay. */
  #mark(stream: CUstream): void {
    const belongings = this.#belongings;
    if (belongings.event === undefined) {
      this.#run(() => cu.cuEventCreate(slot, EventFlags.DISABLE_TIMING));
      belongings.event = take(slot);
    }
    cu.cuEventRecord(belongings.event, stream);
  }
}

function own(raw: CUgraphExec, belongings: Belongings): Handle<CUgraphExec> {
  const { context, uses } = belongings;
  const destroy = (exec: CUgraphExec): void => {
    const { event } = belongings;
    destroyIn(context, 'cuGraphExecDestroy', exec);
    if (event === undefined || attemptRelaxed('cuEventQuery', event) !== NOT_READY) {
      if (event !== undefined) destroyIn(context, 'cuEventDestroy', event);
      uses.release();
      return;
    }
    context.retain();
    holdUntil(
      // It was recorded outside of captures.
      () => attemptRelaxed('cuEventQuery', event) !== NOT_READY,
      () => {
        destroyIn(context, 'cuEventDestroy', event);
        uses.release();
        context.release();
      },
    );
  };
  return new Handle('GraphExec', raw, destroy, [context]);
}
