import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { CaptureStatus, GraphNodeType, LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { freeze, SHAPE_BYTES, streamOfStep } from './frozen.ts';
import type { CpuGraph, CpuNode, GraphStore, Step } from './graph-store.ts';
import { bytesAt, putInt, putWide } from '../abi/out.ts';
import { bindRows, type Rows } from '../abi/rows.ts';
import type { CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';

type Names =
  | 'cuLaunchKernel'
  | 'cuLaunchKernelEx'
  | 'cuMemcpyHtoDAsync'
  | 'cuMemcpyDtoHAsync'
  | 'cuMemcpyDtoDAsync'
  | 'cuMemcpyAsync'
  | 'cuMemcpyPeerAsync'
  | 'cuMemcpy2DAsync'
  | 'cuMemcpy3DAsync'
  | 'cuMemsetD8Async'
  | 'cuMemsetD16Async'
  | 'cuMemsetD32Async'
  | 'cuCtxSynchronize'
  | 'cuStreamDestroy'
  | 'cuEventRecord'
  | 'cuStreamWaitEvent'
  | 'cuEventQuery'
  | 'cuEventSynchronize'
  | 'cuEventDestroy'
  | 'cuStreamBeginCapture'
  | 'cuStreamEndCapture'
  | 'cuStreamIsCapturing'
  | 'cuStreamGetCaptureInfo';

/** A graph that is recorded from enqueued commands. */
interface Capture {
  readonly id: number;
  readonly graph: CpuGraph;
  readonly origin: CpuStream;
  /** For each stream that takes part: the nodes that its next node waits for. */
  readonly tails: Map<CpuStream, readonly CpuNode[]>;
  broken: boolean;
}

/** The position of the stream among the arguments of functions that a capture forbids. */
const UNRECORDED: ReadonlyMap<string, number> = new Map([
  ['cuGraphLaunch', 1],
  ['cuStreamQuery', 0],
  ['cuStreamSynchronize', 0],
  ['cuStreamWaitValue32', 0],
  ['cuStreamWaitValue64', 0],
  ['cuStreamWriteValue32', 0],
  ['cuStreamWriteValue64', 0],
]);
const { fields } = structs.CUlaunchConfig;
const ATTRIBUTE_BYTES = structs.CUlaunchAttribute.size;

/** The captures of a device, the functions that enqueue, and the graphs that captures make. */
class Captures {
  readonly state: DriverState;
  readonly store: GraphStore;
  /** The functions that enqueue and never record. */
  readonly plain: DriverTable;
  readonly byStream: Map<CpuStream, Capture> = new Map();
  /** Events that a capture has recorded. */
  readonly events: Map<bigint, { readonly capture: Capture; readonly tails: readonly CpuNode[] }> = new Map();
  #lastId = 0;

  constructor(state: DriverState, store: GraphStore, plain: DriverTable) {
    this.state = state;
    this.store = store;
    this.plain = plain;
  }

  findStream(stream: bigint): CpuStream | undefined {
    return this.state.streamOf(Number(stream));
  }

  /** The capture that a stream takes part in. */
  of(stream: bigint): Capture | undefined {
    if (this.byStream.size === 0) return undefined;
    const found = this.findStream(stream);
    return found && this.byStream.get(found);
  }

  begin(origin: CpuStream): void {
    const graph = this.store.newGraph(origin.context);
    this.byStream.set(origin, { id: ++this.#lastId, graph, origin, tails: new Map([[origin, []]]), broken: false });
  }

  end(capture: Capture): void {
    for (const stream of capture.tails.keys()) this.byStream.delete(stream);
    for (const [event, { capture: other }] of this.events) if (other === capture) this.events.delete(event);
  }

  /** Break all captures and answer with a status. */
  breakAll(status: number): number {
    for (const capture of this.byStream.values()) capture.broken = true;
    return status;
  }

  /** Whether one of these streams takes part in a capture. */
  isCapturing(streams: readonly CpuStream[]): boolean {
    return this.byStream.size > 0 && streams.some((stream) => this.byStream.has(stream));
  }

  /** Append a node to the parts of several streams of one capture. */
  recordAll(streams: readonly CpuStream[], type: number, step: (on: CpuStream) => number): number {
    const [capture, ...others] = new Set(streams.map((stream) => this.byStream.get(stream)));
    if (!capture || others.length > 0) return this.breakAll(Status.STREAM_CAPTURE_ISOLATION);
    if (capture.broken) return Status.STREAM_CAPTURE_INVALIDATED;
    const after = new Set(streams.flatMap((stream) => [...(capture.tails.get(stream) ?? [])]));
    const node = this.store.addNode(capture.graph, type, after, (raw) => {
      const on = this.findStream(raw);
      return on ? step(on) : Status.INVALID_HANDLE;
    });
    for (const stream of streams) capture.tails.set(stream, [node]);
    return Status.SUCCESS;
  }

  /** Append a node to a stream's part of a capture. */
  record(capture: Capture, stream: bigint, type: number, step: Step): number {
    if (capture.broken) return Status.STREAM_CAPTURE_INVALIDATED;
    const on = this.findStream(stream);
    if (!on) return Status.INVALID_HANDLE;
    capture.tails.set(on, [this.store.addNode(capture.graph, type, capture.tails.get(on) ?? [], step)]);
    return Status.SUCCESS;
  }
}

/** The functions of a table, except that commands on a stream that is being captured are recorded. */
export function withCapture(state: DriverState, store: GraphStore, plain: DriverTable): DriverTable {
  const captures = new Captures(state, store, plain);
  state.capturing = {
    isCapturing: (streams) => captures.isCapturing(streams),
    record: (streams, type, step) => captures.recordAll(streams, type, step),
  };
  return { ...plain, ...breakingFunctions(captures), ...bindRows(captures, captureFunctions) };
}

/** Functions that wait, or enqueue without a recorded form. On a stream that is being captured they break the captures. */
function breakingFunctions(captures: Captures): Record<string, (...args: unknown[]) => number> {
  const functions: Record<string, (...args: unknown[]) => number> = {};
  for (const [name, call] of Object.entries(captures.plain) as [string, (...args: unknown[]) => number][]) {
    const at = name.endsWith('Async') ? -1 : UNRECORDED.get(name);
    if (at === undefined) continue;
    functions[name] = (...args) => {
      const stream = args.at(at);
      const caught = typeof stream === 'bigint' && captures.of(stream) !== undefined;
      return caught ? captures.breakAll(Status.STREAM_CAPTURE_UNSUPPORTED) : call(...args);
    };
  }
  return functions;
}

/** A copy or a fill: a node of a capture, or a call where its stream has none. */
function recorded<A, B, C>(
  type: number,
  pick: (plain: DriverTable) => (a: A, b: B, c: C, stream: Opaque<'CUstream'>) => number,
) {
  return (captures: Captures, a: A, b: B, c: C, stream: Opaque<'CUstream'>): number =>
    recordOrRun(captures, stream, type, (on) => pick(captures.plain)(a, b, c, streamOfStep(on)));
}

const captureFunctions: Rows<Captures, DriverTable, Names> = {
  cuLaunchKernel: (captures, raw, gx, gy, gz, bx, by, bz, shared, stream, params, extra) => {
    const { state, plain } = captures;
    const capture = captures.of(stream);
    if (!capture) return plain.cuLaunchKernel(raw, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
    const shape = new Uint8Array(Uint32Array.of(gx, gy, gz, bx, by, bz, shared).buffer);
    const frozen = freeze(state, plain, raw, shape, params, extra, false);
    return frozen ? captures.record(capture, stream, GraphNodeType.KERNEL, frozen.step) : Status.INVALID_VALUE;
  },
  cuLaunchKernelEx: (captures, config, raw, params, extra) => {
    const { state, plain } = captures;
    if (captures.byStream.size === 0 || config === 0n) return plain.cuLaunchKernelEx(config, raw, params, extra);
    const words = new BigUint64Array(bytesAt(config, structs.CUlaunchConfig.size).slice(0, 56).buffer);
    const stream = words[fields.hStream / 8] ?? 0n;
    const capture = captures.of(stream);
    if (!capture) return plain.cuLaunchKernelEx(config, raw, params, extra);
    const shape = new Uint8Array(words.buffer).subarray(0, SHAPE_BYTES);
    const count = Number((words[fields.numAttrs / 8] ?? 0n) & 0xffff_ffffn);
    const cooperative = isCooperative(words[fields.attrs / 8] ?? 0n, count);
    if (cooperative === undefined) return Status.NOT_SUPPORTED;
    const frozen = freeze(state, plain, raw, shape, params, extra, cooperative);
    return frozen ? captures.record(capture, stream, GraphNodeType.KERNEL, frozen.step) : Status.INVALID_VALUE;
  },
  cuMemcpyHtoDAsync: recorded(GraphNodeType.MEMCPY, ({ cuMemcpyHtoDAsync }) => cuMemcpyHtoDAsync),
  cuMemcpyDtoHAsync: recorded(GraphNodeType.MEMCPY, ({ cuMemcpyDtoHAsync }) => cuMemcpyDtoHAsync),
  cuMemcpyDtoDAsync: recorded(GraphNodeType.MEMCPY, ({ cuMemcpyDtoDAsync }) => cuMemcpyDtoDAsync),
  cuMemcpyAsync: recorded(GraphNodeType.MEMCPY, ({ cuMemcpyAsync }) => cuMemcpyAsync),
  cuMemcpyPeerAsync: (captures, to, first, from, second, size, stream) => {
    const step: Step = (on) => captures.plain.cuMemcpyPeerAsync(to, first, from, second, size, streamOfStep(on));
    return recordOrRun(captures, stream, GraphNodeType.MEMCPY, step);
  },
  cuMemcpy2DAsync: (captures, description, stream) => {
    const copy = bytesAt(description, structs.CUDA_MEMCPY2D.size).slice(0, structs.CUDA_MEMCPY2D.size);
    const step: Step = (on) => captures.plain.cuMemcpy2DAsync(copy, streamOfStep(on));
    return recordOrRun(captures, stream, GraphNodeType.MEMCPY, step);
  },
  cuMemcpy3DAsync: (captures, description, stream) => {
    const copy = bytesAt(description, structs.CUDA_MEMCPY3D.size).slice(0, structs.CUDA_MEMCPY3D.size);
    const step: Step = (on) => captures.plain.cuMemcpy3DAsync(copy, streamOfStep(on));
    return recordOrRun(captures, stream, GraphNodeType.MEMCPY, step);
  },
  cuMemsetD8Async: recorded(GraphNodeType.MEMSET, ({ cuMemsetD8Async }) => cuMemsetD8Async),
  cuMemsetD16Async: recorded(GraphNodeType.MEMSET, ({ cuMemsetD16Async }) => cuMemsetD16Async),
  cuMemsetD32Async: recorded(GraphNodeType.MEMSET, ({ cuMemsetD32Async }) => cuMemsetD32Async),
  cuCtxSynchronize: (captures) =>
    captures.byStream.size > 0
      ? captures.breakAll(Status.STREAM_CAPTURE_UNSUPPORTED)
      : captures.plain.cuCtxSynchronize(),
  cuStreamDestroy: (captures, raw) => {
    const capture = captures.of(raw);
    if (capture) {
      captures.end(capture);
      captures.store.removeGraph(capture.graph);
    }
    return captures.plain.cuStreamDestroy(raw);
  },
  cuEventRecord: (captures, event, stream) => {
    const capture = captures.of(stream);
    const on = captures.findStream(stream);
    if (!capture || !on) {
      captures.events.delete(event);
      return captures.plain.cuEventRecord(event, stream);
    }
    if (capture.broken) return Status.STREAM_CAPTURE_INVALIDATED;
    if (!captures.state.events.has(Number(event))) return Status.INVALID_HANDLE;
    captures.events.set(event, { capture, tails: capture.tails.get(on) ?? [] });
    return Status.SUCCESS;
  },
  cuStreamWaitEvent: (captures, stream, event, flags) => {
    const known = captures.events.get(event);
    const capture = captures.of(stream);
    const on = captures.findStream(stream);
    if (!on || (!known && !capture)) return captures.plain.cuStreamWaitEvent(stream, event, flags);
    // CUDA refuses a wait for an event that was recorded outside of the capture: it would be over when the graph runs.
    if (!known || (capture && capture !== known.capture)) {
      return captures.breakAll(known ? Status.STREAM_CAPTURE_MERGE : Status.STREAM_CAPTURE_ISOLATION);
    }
    const before = known.capture.tails.get(on) ?? [];
    known.capture.tails.set(on, [...new Set([...before, ...known.tails])]);
    captures.byStream.set(on, known.capture);
    return Status.SUCCESS;
  },
  cuEventQuery: (captures, event) =>
    captures.events.has(event) ? captures.breakAll(Status.CAPTURED_EVENT) : captures.plain.cuEventQuery(event),
  cuEventSynchronize: (captures, event) =>
    captures.events.has(event) ? captures.breakAll(Status.CAPTURED_EVENT) : captures.plain.cuEventSynchronize(event),
  cuEventDestroy: (captures, event) => {
    captures.events.delete(event);
    return captures.plain.cuEventDestroy(event);
  },
  cuStreamBeginCapture: (captures, raw, mode) => {
    const stream = captures.findStream(raw);
    const refused = captures.state.refuse();
    if (refused !== 0) return refused;
    if (!stream) return Status.INVALID_HANDLE;
    if (mode < 0 || mode > 2) return Status.INVALID_VALUE;
    if (stream === stream.context.legacy) return Status.STREAM_CAPTURE_UNSUPPORTED;
    if (captures.byStream.has(stream)) return Status.ILLEGAL_STATE;
    captures.begin(stream);
    return Status.SUCCESS;
  },
  cuStreamEndCapture: (captures, raw, out) => {
    const capture = captures.of(raw);
    putWide(out, 0);
    if (!capture) return captures.findStream(raw) ? Status.ILLEGAL_STATE : Status.INVALID_HANDLE;
    if (captures.findStream(raw) !== capture.origin) return captures.breakAll(Status.STREAM_CAPTURE_UNMATCHED);
    captures.end(capture);
    const joined = isJoined(capture);
    if (!capture.broken && joined) return putWide(out, capture.graph.handle);
    captures.store.removeGraph(capture.graph);
    return capture.broken ? Status.STREAM_CAPTURE_INVALIDATED : Status.STREAM_CAPTURE_UNJOINED;
  },
  cuStreamIsCapturing: (captures, raw, out) =>
    captures.findStream(raw) ? putInt(out, statusOf(captures.of(raw))) : Status.INVALID_HANDLE,
  cuStreamGetCaptureInfo: (captures, raw, out, id, graph, dependencies, count) => {
    const stream = captures.findStream(raw);
    if (!stream) return Status.INVALID_HANDLE;
    if (dependencies !== 0n) return Status.NOT_SUPPORTED;
    const capture = captures.of(raw);
    putInt(out, statusOf(capture));
    if (!capture) return Status.SUCCESS;
    putWide(id, capture.id);
    putWide(graph, capture.graph.handle);
    return putWide(count, capture.tails.get(stream)?.length ?? 0);
  },
};

/** Record a step on a stream that is being captured; otherwise run the step at once. */
function recordOrRun(captures: Captures, stream: bigint, type: number, step: Step): number {
  const capture = captures.of(stream);
  return capture ? captures.record(capture, stream, type, step) : step(stream);
}

/** Whether all nodes of a capture precede the end of its first stream. */
function isJoined(capture: Capture): boolean {
  const seen = new Set<CpuNode>();
  const open = [...(capture.tails.get(capture.origin) ?? [])];
  for (let node = open.pop(); node; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...node.after);
  }
  return seen.size === capture.graph.nodes.size;
}

function statusOf(capture: Capture | undefined): number {
  if (!capture) return CaptureStatus.NONE;
  return capture.broken ? CaptureStatus.INVALIDATED : CaptureStatus.ACTIVE;
}

/** Whether a launch's attributes make it cooperative; undefined for an attribute that the device lacks. */
function isCooperative(at: bigint, count: number): boolean | undefined {
  if (count === 0) return false;
  if (at === 0n) return undefined;
  const bytes = bytesAt(at, ATTRIBUTE_BYTES * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let cooperative = false;
  for (let i = 0; i < count; i++) {
    const id = view.getUint32(ATTRIBUTE_BYTES * i, true);
    if (id === LaunchAttributeId.COOPERATIVE) cooperative = view.getUint32(ATTRIBUTE_BYTES * i + 8, true) !== 0;
    else if (
      id === LaunchAttributeId.CLUSTER_DIMENSION ||
      id === LaunchAttributeId.PROGRAMMATIC_STREAM_SERIALIZATION ||
      id === LaunchAttributeId.PROGRAMMATIC_EVENT ||
      id === LaunchAttributeId.LAUNCH_COMPLETION_EVENT
    ) {
      return undefined;
    }
  }
  return cooperative;
}
