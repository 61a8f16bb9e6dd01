import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { CaptureStatus, GraphNodeType, LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { freeze } from './frozen.ts';
import type { CpuGraph, CpuNode, GraphStore, Step } from './graph-store.ts';
import { bytesAt, putInt, putWide } from '../abi/out.ts';
import type { CpuStream, DriverState } from './state.ts';

type CUstream = Opaque<'CUstream'>;

/** A graph that is made of what is enqueued. */
interface Capture {
  readonly id: number;
  readonly graph: CpuGraph;
  readonly origin: CpuStream;
  /** Of each stream that takes part: what its next node waits for. */
  readonly tails: Map<CpuStream, readonly CpuNode[]>;
  broken: boolean;
}

const BLOCKS = 7;
/** Where the stream stands among the arguments of what a capture forbids. */
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

/**
 * Functions that record what is enqueued on a stream that is being captured, over those that enqueue it. The device runs all
 * streams' work in the order in which it comes, so that a graph's steps need no more than their order.
 */
export function withCapture(state: DriverState, store: GraphStore, plain: DriverTable): DriverTable {
  const captures = new Map<CpuStream, Capture>();
  const events = new Map<bigint, { readonly capture: Capture; readonly tails: readonly CpuNode[] }>();
  let lastId = 0;

  const find = (stream: bigint): CpuStream | undefined => state.streamOf(Number(stream));
  const captureOf = (stream: bigint): Capture | undefined => {
    if (captures.size === 0) return undefined;
    const found = find(stream);
    return found && captures.get(found);
  };
  const breakAll = (status: number): number => {
    for (const capture of captures.values()) capture.broken = true;
    return status;
  };

  const record = (capture: Capture, stream: bigint, type: number, step: Step): number => {
    if (capture.broken) return Status.STREAM_CAPTURE_INVALIDATED;
    const on = find(stream);
    if (!on) return Status.INVALID_HANDLE;
    capture.tails.set(on, [store.addNode(capture.graph, type, capture.tails.get(on) ?? [], step)]);
    return Status.SUCCESS;
  };

  const end = (capture: Capture): void => {
    for (const stream of capture.tails.keys()) captures.delete(stream);
    for (const [event, { capture: other }] of events) if (other === capture) events.delete(event);
  };

  /** Whether all of a capture comes before the end of its first stream. */
  const isJoined = (capture: Capture): boolean => {
    const seen = new Set<CpuNode>();
    const open = [...(capture.tails.get(capture.origin) ?? [])];
    for (let node = open.pop(); node; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      open.push(...node.after);
    }
    return seen.size === capture.graph.nodes.size;
  };

  /** A function whose stream is its last argument. */
  const recorded =
    <Args extends unknown[]>(type: number, call: (...args: [...Args, CUstream]) => number) =>
    (...args: [...Args, CUstream]): number => {
      const stream = args[args.length - 1] as CUstream;
      const capture = captureOf(stream);
      if (!capture) return call(...args);
      const own = args.slice(0, -1) as Args;
      return record(capture, stream, type, (on) => call(...own, on as CUstream));
    };

  const launchEx: DriverTable['cuLaunchKernelEx'] = (config, raw, params, extra) => {
    if (captures.size === 0 || config === 0n) return plain.cuLaunchKernelEx(config, raw, params, extra);
    const words = new BigUint64Array(bytesAt(config, structs.CUlaunchConfig.size).slice(0, 56).buffer);
    const stream = words[fields.hStream / 8] ?? 0n;
    const capture = captureOf(stream);
    if (!capture) return plain.cuLaunchKernelEx(config, raw, params, extra);
    const shape = new Uint8Array(words.buffer).subarray(0, 4 * BLOCKS);
    const count = Number((words[fields.numAttrs / 8] ?? 0n) & 0xffff_ffffn);
    const cooperative = isCooperative(words[fields.attrs / 8] ?? 0n, count);
    if (cooperative === undefined) return Status.NOT_SUPPORTED;
    const frozen = freeze(state, plain, raw, shape, params, extra, cooperative);
    return frozen ? record(capture, stream, GraphNodeType.KERNEL, frozen.step) : Status.INVALID_VALUE;
  };

  /** What enqueues in a way that is not recorded here, or waits, breaks a capture. */
  const others: Record<string, (...args: unknown[]) => number> = {};
  for (const [name, call] of Object.entries(plain) as [string, (...args: unknown[]) => number][]) {
    const at = name.endsWith('Async') ? -1 : UNRECORDED.get(name);
    if (at === undefined) continue;
    others[name] = (...args) => {
      const stream = args.at(at);
      const caught = typeof stream === 'bigint' && captureOf(stream) !== undefined;
      return caught ? breakAll(Status.STREAM_CAPTURE_UNSUPPORTED) : call(...args);
    };
  }

  return {
    ...plain,
    ...others,
    cuLaunchKernelEx: launchEx,
    cuLaunchKernel: (...args) => {
      const [raw, , , , , , , , stream, params, extra] = args;
      const capture = captureOf(stream);
      if (!capture) return plain.cuLaunchKernel(...args);
      const shape = new Uint8Array(Uint32Array.from(args.slice(1, 1 + BLOCKS) as number[]).buffer);
      const frozen = freeze(state, plain, raw, shape, params, extra, false);
      return frozen ? record(capture, stream, GraphNodeType.KERNEL, frozen.step) : Status.INVALID_VALUE;
    },
    cuMemcpyHtoDAsync: recorded(GraphNodeType.MEMCPY, plain.cuMemcpyHtoDAsync),
    cuMemcpyDtoHAsync: recorded(GraphNodeType.MEMCPY, plain.cuMemcpyDtoHAsync),
    cuMemcpyDtoDAsync: recorded(GraphNodeType.MEMCPY, plain.cuMemcpyDtoDAsync),
    cuMemsetD8Async: recorded(GraphNodeType.MEMSET, plain.cuMemsetD8Async),
    cuMemsetD16Async: recorded(GraphNodeType.MEMSET, plain.cuMemsetD16Async),
    cuMemsetD32Async: recorded(GraphNodeType.MEMSET, plain.cuMemsetD32Async),
    cuCtxSynchronize: () =>
      captures.size > 0 ? breakAll(Status.STREAM_CAPTURE_UNSUPPORTED) : plain.cuCtxSynchronize(),
    cuStreamDestroy: (raw) => {
      const capture = captureOf(raw);
      if (capture) {
        end(capture);
        store.removeGraph(capture.graph);
      }
      return plain.cuStreamDestroy(raw);
    },
    cuEventRecord: (event, stream) => {
      const capture = captureOf(stream);
      const on = find(stream);
      if (!capture || !on) {
        events.delete(event);
        return plain.cuEventRecord(event, stream);
      }
      if (capture.broken) return Status.STREAM_CAPTURE_INVALIDATED;
      if (!state.events.has(Number(event))) return Status.INVALID_HANDLE;
      events.set(event, { capture, tails: capture.tails.get(on) ?? [] });
      return Status.SUCCESS;
    },
    cuStreamWaitEvent: (stream, event, flags) => {
      const known = events.get(event);
      const capture = captureOf(stream);
      const on = find(stream);
      if (!on || (!known && !capture)) return plain.cuStreamWaitEvent(stream, event, flags);
      // A wait for what was recorded outside is over when the graph runs; CUDA refuses it.
      if (!known || (capture && capture !== known.capture)) {
        return breakAll(known ? Status.STREAM_CAPTURE_MERGE : Status.STREAM_CAPTURE_ISOLATION);
      }
      const before = known.capture.tails.get(on) ?? [];
      known.capture.tails.set(on, [...new Set([...before, ...known.tails])]);
      captures.set(on, known.capture);
      return Status.SUCCESS;
    },
    cuEventQuery: (event) => (events.has(event) ? breakAll(Status.CAPTURED_EVENT) : plain.cuEventQuery(event)),
    cuEventSynchronize: (event) =>
      events.has(event) ? breakAll(Status.CAPTURED_EVENT) : plain.cuEventSynchronize(event),
    cuEventDestroy: (event) => {
      events.delete(event);
      return plain.cuEventDestroy(event);
    },
    cuStreamBeginCapture: (raw, mode) => {
      const stream = find(raw);
      const refused = state.refuse();
      if (refused !== 0) return refused;
      if (!stream) return Status.INVALID_HANDLE;
      if (mode < 0 || mode > 2) return Status.INVALID_VALUE;
      if (stream === stream.context.legacy) return Status.STREAM_CAPTURE_UNSUPPORTED;
      if (captures.has(stream)) return Status.ILLEGAL_STATE;
      const graph = store.newGraph(stream.context);
      captures.set(stream, { id: ++lastId, graph, origin: stream, tails: new Map([[stream, []]]), broken: false });
      return Status.SUCCESS;
    },
    cuStreamEndCapture: (raw, out) => {
      const capture = captureOf(raw);
      putWide(out, 0);
      if (!capture) return find(raw) ? Status.ILLEGAL_STATE : Status.INVALID_HANDLE;
      if (find(raw) !== capture.origin) return breakAll(Status.STREAM_CAPTURE_UNMATCHED);
      end(capture);
      const joined = isJoined(capture);
      if (!capture.broken && joined) return putWide(out, capture.graph.handle);
      store.removeGraph(capture.graph);
      return capture.broken ? Status.STREAM_CAPTURE_INVALIDATED : Status.STREAM_CAPTURE_UNJOINED;
    },
    cuStreamIsCapturing: (raw, out) => (find(raw) ? putInt(out, statusOf(captureOf(raw))) : Status.INVALID_HANDLE),
    cuStreamGetCaptureInfo: (raw, out, id, graph, dependencies, count) => {
      const stream = find(raw);
      if (!stream) return Status.INVALID_HANDLE;
      if (dependencies !== 0n) return Status.NOT_SUPPORTED;
      const capture = captureOf(raw);
      putInt(out, statusOf(capture));
      if (!capture) return Status.SUCCESS;
      putWide(id, capture.id);
      putWide(graph, capture.graph.handle);
      return putWide(count, capture.tails.get(stream)?.length ?? 0);
    },
  };
}

function statusOf(capture: Capture | undefined): number {
  if (!capture) return CaptureStatus.NONE;
  return capture.broken ? CaptureStatus.INVALIDATED : CaptureStatus.ACTIVE;
}

/** Whether a launch's attributes make it cooperative; undefined for one that the device lacks. */
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
