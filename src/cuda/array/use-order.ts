import { handleOf } from '../../core/resource.ts';
import type { Handle } from '../../core/handle.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cleanup, cu } from '../call.ts';
import { recording } from '../captures.ts';
import { captureStatus } from '../lifetime/hold-on-stream.ts';
import { noteUse } from '../lifetime/recording.ts';
import { pointOn } from '../lifetime/stream-point.ts';
import { redirect, type Farewell } from '../pool/stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';
import { CaptureStatus } from '../sys/enums.ts';

type CUstream = Opaque<'CUstream'>;

/** A stream that has read since the last write; its record keeps it until it is waited for. */
interface Reader {
  readonly stream: CUstream;
  readonly kept: Handle<CUstream> | undefined;
}

/**
 * Which streams have used a piece of memory, so that work on another one comes after theirs: a writer after all, a reader
 * after the last writer. Streams wait for each other by events; the host never does.
 */
export class UseOrder {
  /** The last writer: the memory goes back to its pool on this stream. */
  readonly #home: Farewell;
  #readers: Reader[] | undefined;
  /** The stream of the last writer, as users have it. */
  lane: Stream | null;

  constructor(home: Farewell, lane: Stream | null) {
    this.#home = home;
    this.lane = lane;
  }

  /**
   * Have work on a stream come after earlier uses, and note it.
   *
   * @param handle - the memory's record, which a graph that is being captured keeps
   */
  use(stream: Stream | null, raw: CUstream, isWrite: boolean, handle: Handle<bigint>): void {
    if (recording.active > 0) {
      noteUse(handle);
      // Nothing runs yet; what a graph does is ordered by those who launch it.
      if (captureStatus(raw) === CaptureStatus.ACTIVE) return;
    }
    if (raw === this.#home.stream) {
      if (isWrite && this.#readers !== undefined) this.#afterReaders(raw);
      return;
    }
    if (isWrite) {
      this.#afterReaders(raw);
      waitFor(this.#home.stream, raw);
      redirect(this.#home, stream, 'NDArray');
      this.lane = stream;
      return;
    }
    const readers = (this.#readers ??= []);
    for (const reader of readers) if (reader.stream === raw) return;
    waitFor(this.#home.stream, raw);
    readers.push({ stream: raw, kept: stream ? handleOf(stream, 'NDArray').retain() : undefined });
  }

  /**
   * Have the memory's own stream wait for all that use it.
   *
   * @returns the stream, which later users of the memory have to wait for
   */
  end(): CUstream {
    this.#afterReaders(this.#home.stream);
    return this.#home.stream;
  }

  #afterReaders(raw: CUstream): void {
    const readers = this.#readers;
    if (readers === undefined) return;
    this.#readers = undefined;
    for (const { stream, kept } of readers) {
      if (stream !== raw) waitFor(stream, raw);
      kept?.release();
    }
  }
}

/** Have a stream wait for what another one has been given so far. */
export function waitFor(earlier: CUstream, later: CUstream): void {
  const event = pointOn(earlier);
  // A failed query means that the context is lost: the work itself will say so.
  if (event === undefined) return;
  try {
    cu.cuStreamWaitEvent(later, event, 0);
  } finally {
    cleanup('cuEventDestroy', event);
  }
}
