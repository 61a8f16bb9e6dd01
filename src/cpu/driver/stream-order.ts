/** What the order of a stream's commands is told by. */
interface OrderedStream {
  readonly flags: number;
  readonly context: OrderedContext;
  /** The commands that its next one follows. */
  tails: number[];
  /** Whether its context lists it as a blocking stream with commands. */
  listed: boolean;
}

/** A context's default stream, and its blocking streams with commands that the default stream has not followed yet. */
interface OrderedContext {
  readonly legacy: OrderedStream;
  blocking: OrderedStream[];
}

const NON_BLOCKING = 1;
/** With more streams than this, those whose commands were waited for are looked up. */
const SWEEP_AT = 64;

/**
 * The commands that a stream's next one waits for. The legacy default stream and blocking streams wait for each other
 * (CUDA Driver API, "Stream synchronization behavior").
 */
export function ahead(stream: OrderedStream): readonly number[] {
  const { legacy } = stream.context;
  if (stream === legacy) return pending(stream);
  if (legacy.tails.length === 0 || !isBlocking(stream)) return stream.tails;
  return [...stream.tails, ...legacy.tails];
}

/** The commands that the wait for a stream covers. That for the legacy default stream covers all blocking streams. */
export function pending(stream: OrderedStream): readonly number[] {
  const { legacy, blocking } = stream.context;
  if (stream !== legacy || blocking.length === 0) return stream.tails;
  return [...legacy.tails, ...blocking.flatMap(({ tails }) => tails)];
}

/** Note a stream's latest command. */
export function setTail(stream: OrderedStream, sequence: number): void {
  // To make a list for each command takes longer.
  if (stream.tails.length === 1) stream.tails[0] = sequence;
  else stream.tails = [sequence];
  note(stream);
}

/** Note a stream's latest commands, which follow all that came before. */
export function setTails(stream: OrderedStream, tails: number[]): void {
  stream.tails = tails;
  note(stream);
}

function note(stream: OrderedStream): void {
  const { legacy, blocking } = stream.context;
  if (stream !== legacy) list(stream);
  else if (blocking.length > 0) {
    for (const one of blocking) one.listed = false;
    blocking.length = 0;
  }
}

/** Note the commands that a stream's next one waits for. */
export function addTails(stream: OrderedStream, tails: number[]): void {
  stream.tails = tails;
  list(stream);
}

function list(stream: OrderedStream): void {
  if (stream.listed || !isBlocking(stream) || stream === stream.context.legacy) return;
  stream.listed = true;
  stream.context.blocking.push(stream);
}

/** Forget the streams of a context all of whose commands have finished. */
export function sweep(context: OrderedContext, done: (sequence: number) => boolean): void {
  if (context.blocking.length < SWEEP_AT) return;
  for (const stream of context.blocking) stream.listed = !stream.tails.every(done);
  context.blocking = context.blocking.filter(({ listed }) => listed);
}

function isBlocking({ flags }: OrderedStream): boolean {
  return (flags & NON_BLOCKING) === 0;
}
