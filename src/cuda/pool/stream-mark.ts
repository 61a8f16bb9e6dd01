import type { Opaque } from '../../ffi/ctype.ts';
import { attempt } from '../call.ts';
import { recording } from '../captures.ts';
import { destroyIn, inContext, type requireContext } from '../device/context.ts';
import { beforeStreamEnds, captureStatus } from '../lifetime/hold-on-stream.ts';
import { pointOn } from '../lifetime/stream-point.ts';
import { CaptureStatus, status as statuses } from '../sys/enums.ts';
import type { Farewell } from './stream-allocation.ts';

type CUevent = Opaque<'CUevent'>;
type Context = ReturnType<typeof requireContext>;

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];

/**
 * A point of a stream that comes after the release of some blocks. Work on the same stream needs no event to come after them: one
 * is recorded, for all of them, when another stream asks for a block, or when the stream ends.
 */
export class StreamMark {
  readonly stream: Farewell['stream'];
  /** The stream's record; undefined for the default stream. The driver may reuse a handle. */
  readonly kept: Farewell['kept'];
  readonly #context: Context;
  readonly #settle: () => void;
  #event: CUevent | undefined;
  #ended = false;
  #blocks = 0;

  /** @param settle - is called once blocks that are given back later need another mark */
  constructor(context: Context, { stream, kept }: Farewell, settle: () => void) {
    this.#context = context;
    this.stream = stream;
    this.kept = kept;
    this.#settle = settle;
  }

  /** Another block waits for it. */
  join(): void {
    this.#blocks++;
  }

  /** A block has gone to somebody, or away. */
  leave(): void {
    this.#blocks--;
    if (this.#blocks > 0 || this.#event === undefined) return;
    destroyIn(this.#context, 'cuEventDestroy', this.#event);
    this.#event = undefined;
  }

  /** Whether the stream has passed it. A failed query means that the context is lost, and nothing runs any more. */
  passed(): boolean {
    this.#record();
    return this.#event !== undefined && attempt('cuEventQuery', this.#event) !== NOT_READY;
  }

  /** The stream goes: what it still does has to be marked now. */
  end(): void {
    if (this.#blocks > 0) this.#record();
    this.#ended = true;
    this.#settle();
  }

  #record(): void {
    if (this.#event !== undefined || this.#ended) return;
    // An event in a capture marks no point of time.
    if (recording.active > 0 && captureStatus(this.stream) !== CaptureStatus.NONE) return;
    const event = inContext(this.#context, () => pointOn(this.stream));
    if (event === undefined) return;
    this.#event = event;
    this.#settle();
  }
}

/** The marks of one pool that blocks can still join, by their streams. */
export class StreamMarks {
  readonly #context: Context;
  readonly #open = new Map<bigint, { readonly mark: StreamMark; readonly forget: () => void }>();
  #latest: StreamMark | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The mark for a block that is given back now. */
  at(farewell: Farewell): StreamMark {
    const { stream } = farewell;
    // The same stream as before, nearly always.
    if (this.#latest?.stream === stream) return this.#latest;
    this.#latest = (this.#open.get(stream) ?? this.#start(farewell)).mark;
    return this.#latest;
  }

  /** Let go of the streams. */
  clear(): void {
    for (const { forget } of this.#open.values()) forget();
    this.#open.clear();
    this.#latest = undefined;
  }

  #start(farewell: Farewell): { readonly mark: StreamMark; readonly forget: () => void } {
    const { stream } = farewell;
    const mark = new StreamMark(this.#context, farewell, () => {
      this.#open.get(stream)?.forget();
      this.#open.delete(stream);
      this.#latest = undefined;
    });
    const one = {
      mark,
      forget: beforeStreamEnds(stream, () => {
        mark.end();
      }),
    };
    this.#open.set(stream, one);
    return one;
  }
}
