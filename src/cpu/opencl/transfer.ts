import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import { Outcome } from './event.ts';
import { Limits } from './limits.ts';
import type { OpenCLState } from './state.ts';

/** Up to this size the main thread copies and fills instead of a worker, if it waits for no command. */
const SMALL = 256 * 1024;

/** The outcome or the status of a command that was given to the engine. */
export function outcomeOf(engineStatus: number): number {
  return engineStatus === 0 ? Outcome.SUBMITTED : Code.OUT_OF_RESOURCES;
}

/** Copy within the device's memory. */
export function copyWithin(
  state: OpenCLState,
  context: ClContext,
  to: number,
  from: number,
  byteLength: number,
): number {
  if (byteLength === 0) return Outcome.DONE;
  if (byteLength > SMALL || !state.engine.queue.isFree) {
    return outcomeOf(state.engine.copy(context.index, to, from, byteLength));
  }
  state.memory.bytes.copyWithin(to, from, from + byteLength);
  state.memory.guard?.copy(to, from, byteLength);
  return Outcome.DONE;
}

/** Copy bytes of the host to the device. The host's bytes are free to change afterwards. */
export function upload(state: OpenCLState, context: ClContext, to: number, bytes: Uint8Array): number {
  const { engine } = state;
  if (engine.queue.isFree) {
    state.put(to, bytes);
    return Outcome.DONE;
  }
  if (bytes.length === 0 || bytes.length > engine.stageable) return Outcome.ON_HOST;
  return outcomeOf(engine.upload(context.index, to, bytes));
}

/** Whether a fill can have a pattern of this size. */
export function isPattern(byteLength: number): boolean {
  return byteLength > 0 && byteLength <= Limits.ALIGNMENT && (byteLength & (byteLength - 1)) === 0;
}

/** Repeat a pattern. */
export function fillWith(
  state: OpenCLState,
  context: ClContext,
  to: number,
  byteLength: number,
  pattern: Uint8Array,
): number {
  const { engine } = state;
  if (byteLength === 0) return Outcome.DONE;
  if (byteLength <= SMALL && engine.queue.isFree) {
    repeat(state.memory.bytes, to, byteLength, pattern);
    state.memory.guard?.write(to, byteLength);
    return Outcome.DONE;
  }
  if (pattern.length > 4) {
    // Write the pattern once, then double the filled part.
    let status = engine.upload(context.index, to, pattern);
    for (let done = pattern.length; done < byteLength && status === 0; done *= 2) {
      status = engine.copy(context.index, to + done, to, Math.min(done, byteLength - done));
    }
    return outcomeOf(status);
  }
  const view = new DataView(pattern.buffer, pattern.byteOffset, pattern.length);
  const value =
    pattern.length === 4 ? view.getInt32(0, true) : pattern.length === 2 ? view.getInt16(0, true) : view.getInt8(0);
  return outcomeOf(engine.fill(context.index, to, byteLength, value, pattern.length));
}

/** Write a pattern once and double it. */
export function repeat(bytes: Uint8Array, to: number, byteLength: number, pattern: Uint8Array): void {
  bytes.set(pattern, to);
  for (let done = pattern.length; done < byteLength; done *= 2) {
    bytes.copyWithin(to + done, to, to + Math.min(done, byteLength - done));
  }
}
