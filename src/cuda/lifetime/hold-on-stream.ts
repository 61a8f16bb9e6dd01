import type { Handle } from '../../core/handle.ts';
import type { HostMemory } from '../../core/host-memory.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { pin } from '../../core/pin.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { attempt, attemptRelaxed } from '../call.ts';
import { requireContext, destroyIn, inContext } from '../device/context.ts';
import { comeToRest } from '../device/idle.ts';
import { recording } from '../captures.ts';
import { isDefaultStream } from './default-stream.ts';
import { noteEnd } from './recording.ts';
import { pointOn } from './stream-point.ts';
import { CaptureStatus, status } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUstream = Opaque<'CUstream'>;
type CUevent = Opaque<'CUevent'>;
type CUcontext = Opaque<'CUcontext'>;

/** What is held until a stream has passed one point: marking each copy's own would cost as much as a small copy. */
interface Batch {
  readonly stream: CUstream;
  readonly context: Handle<CUcontext>;
  readonly lands: (() => void)[];
  /** Host arrays that are only to be kept, and what lets go of each. */
  readonly kept: HostMemory[];
  readonly pins: (() => void)[];
  /** Marks the point; NULL until it is marked. */
  event: CUevent;
  /** Nothing runs any more: the context is lost. */
  lost: boolean;
  /** The stream went in a capture: no mark can be made. */
  orphan: boolean;
}

const NOT_READY = status.CUDA_ERROR_NOT_READY[0];
/** How much one mark is for. */
const MAX = 16;
const intSlot = slotOf('CUstreamCaptureStatus');

/** Streams whose end is told to {@link endStream}. */
const lasting = new Set<CUstream>();
/** What is done before a stream ends. */
const farewells = new Map<CUstream, Set<() => void>>();
/** Batches that can still grow. */
const open = new Map<CUstream, Batch>();

/** Keep what a stream still works on until it has passed this point, then run `land`: some time after that. */
export function holdOnStream(stream: CUstream, land: () => void): void {
  // In a capture nothing runs yet; the graph keeps it then.
  if (isNoted(stream, land)) return;
  const batch = batchOf(stream);
  batch.lands.push(land);
  grown(batch);
}

/**
 * Keep the memory of a host array where it is until a stream has passed this point. Of memory that is not page-locked CUDA
 * says only that a copy "might be synchronous" (API synchronization behavior): where a device reads such memory by itself,
 * it is not.
 */
export function keepOnStream(stream: CUstream, memory: HostMemory): void {
  if (recording.active > 0) {
    keepAllOnStream(stream, [memory]);
    return;
  }
  const batch = batchOf(stream);
  batch.kept.push(memory);
  batch.pins.push(pin(memory, 'command'));
  grown(batch);
}

/** {@link keepOnStream} for several. A graph that is being captured keeps them as long as it lasts. */
export function keepAllOnStream(stream: CUstream, memories: readonly HostMemory[]): void {
  const kept = [...memories];
  const time = recording.active > 0 ? 'object' : 'command';
  const pins = memories.map((memory) => pin(memory, time));
  holdOnStream(stream, () => {
    kept.length = 0;
    for (const unpin of pins) unpin();
  });
}

/** Whether a graph that is being captured has taken it over. */
function isNoted(stream: CUstream, land: () => void): boolean {
  return recording.active > 0 && captureStatus(stream) === CaptureStatus.ACTIVE && noteEnd(land);
}

function batchOf(stream: CUstream): Batch {
  const batch = open.get(stream);
  // A stream has one context, save those that every context has.
  if (batch && lasting.has(stream)) return batch;
  const context = requireContext('cuEventRecord');
  if (batch?.context === context) return batch;
  if (batch) close(batch);
  return start(stream, context);
}

function grown(batch: Batch): void {
  const count = batch.lands.length + batch.kept.length;
  // Not before there is something in it: it may land at once.
  if (count === 1) holdBatch(batch);
  if (!isLasting(batch.stream) || count >= MAX) close(batch);
}

function holdBatch(batch: Batch): void {
  holdUntil(
    () => hasLanded(batch),
    () => {
      if (batch.event !== NULL) destroyIn(batch.context, 'cuEventDestroy', batch.event);
      batch.context.release();
      batch.kept.length = 0;
      for (const unpin of batch.pins) unpin();
      for (const one of batch.lands) one();
    },
  );
}

/** Tell that a stream will be ended by {@link endStream}, so that marks on it can be made later. */
export function beginStream(stream: CUstream): void {
  lasting.add(stream);
}

/** Whether a mark can be made on a stream at any time: its end is told, or it has none. */
export function isLasting(stream: CUstream): boolean {
  return lasting.has(stream) || isDefaultStream(stream);
}

/** Do something right before a lasting stream is destroyed. Returns what takes that back. */
export function beforeStreamEnds(stream: CUstream, run: () => void): () => void {
  const runs = farewells.get(stream) ?? new Set();
  farewells.set(stream, runs.add(run));
  return () => {
    if (runs.delete(run) && runs.size === 0) farewells.delete(stream);
  };
}

/** Mark what is still held for a stream that is about to be destroyed. */
export function endStream(stream: CUstream): void {
  lasting.delete(stream);
  for (const run of [...(farewells.get(stream) ?? [])]) run();
  const batch = open.get(stream);
  if (!batch) return;
  close(batch);
  if (batch.event !== NULL) return;
  open.delete(stream);
  batch.orphan = true;
}

function start(stream: CUstream, context: Handle<CUcontext>): Batch {
  context.retain();
  const batch: Batch = { stream, context, lands: [], kept: [], pins: [], event: NULL, lost: false, orphan: false };
  open.set(stream, batch);
  return batch;
}

/** A failed query means that the context is lost, and nothing runs any more. What has no mark yet waits for a capture's end. */
function hasLanded(batch: Batch): boolean {
  close(batch);
  if (batch.lost) return true;
  return batch.event !== NULL && attemptRelaxed('cuEventQuery', batch.event) !== NOT_READY;
}

/** Mark the point. Of a stream that is captured the mark would be a part of the capture: it is made afterwards. */
function close(batch: Batch): void {
  if (batch.event !== NULL || batch.lost) return;
  if (batch.orphan) {
    batch.lost = comeToRest(batch.context);
    return;
  }
  if (recording.active > 0 && captureStatus(batch.stream) !== CaptureStatus.NONE) return;
  if (open.get(batch.stream) === batch) open.delete(batch.stream);
  try {
    const event = inContext(batch.context, () => pointOn(batch.stream));
    batch.lost = event === undefined;
    batch.event = event ?? NULL;
  } catch {
    // The attempt failed: the context was destroyed outside of this library.
    batch.lost = true;
  }
}

/** Undefined where the driver refuses to answer: for the legacy default stream while another stream is captured. */
export function captureStatus(stream: CUstream): number | undefined {
  return attempt('cuStreamIsCapturing', stream, intSlot) === 0 ? take(intSlot) : undefined;
}
