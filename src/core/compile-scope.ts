import { checkInteger, checkObject, nameOf } from './check.ts';
import { compileTimeoutVariable } from './environment.ts';

/** What holds for the compilations that a call starts, besides what the call itself says. */
export interface CompileScope {
  /** How long one may take, in milliseconds; 0: without a limit. */
  readonly timeoutMs: number;
  /** Ends them. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the compiler itself may look for results of earlier ones, and keep this one. */
  readonly cache: boolean;
}

/** How long a compilation may take, and what ends it. */
export interface CompileLimits {
  /** Milliseconds; 0: without a limit. Default: `RAWKERNEL_COMPILE_TIMEOUT_MS`, else five minutes. */
  readonly timeoutMs?: number;
  /** Aborting it ends the compilation; the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
}

const DEFAULT_MS = 300_000;
const MAX_MS = 2 ** 31 - 1;

let current: CompileScope | undefined;

/** What holds for a compilation that starts now. */
export function compileScope(): CompileScope {
  return current ?? { timeoutMs: compileTimeoutVariable() ?? DEFAULT_MS, cache: true };
}

/** Have something hold for the compilations that a call starts before it returns, be it a promise. */
export function withCompileScope<T>(scope: CompileScope, call: () => T): T {
  const before = current;
  current = scope;
  try {
    return call();
  } finally {
    current = before;
  }
}

/**
 * Read the limits of a compilation that no layer below is to cache.
 *
 * @param blocking - nothing can abort it
 * @throws TypeError no number, no signal, or a signal for a call that blocks
 * @throws RangeError a time out of range
 */
export function readLimits(limits: CompileLimits, what: string, blocking: boolean): CompileScope {
  checkObject(limits, what);
  const { timeoutMs, signal } = limits;
  if (signal !== undefined && !((signal as unknown) instanceof AbortSignal)) {
    throw new TypeError(`${what}: signal must be an AbortSignal, got ${nameOf(signal)}`);
  }
  if (blocking && signal !== undefined) {
    throw new TypeError(`${what}: signal is for compilations that do not block, got one for a call that blocks`);
  }
  signal?.throwIfAborted();
  const limit = timeoutMs === undefined ? undefined : checkInteger(timeoutMs, `${what}: timeoutMs`, 0, MAX_MS);
  return { timeoutMs: limit ?? compileTimeoutVariable() ?? DEFAULT_MS, signal, cache: false };
}

/** What a compiler's log says that took too long. */
export function tookTooLong(timeoutMs: number): string {
  return `error: the compilation took longer than ${timeoutMs} ms and was ended; the option timeoutMs or RAWKERNEL_COMPILE_TIMEOUT_MS allows more, and 0 any time`;
}

/**
 * Wait for a compilation that cannot be ended, up to the time limit. An abandoned compilation goes on.
 *
 * @param late - makes the error
 */
export async function interruptible<T>(
  work: Promise<T>,
  { timeoutMs, signal }: CompileScope,
  late: () => Error,
): Promise<T> {
  let giveUp: (error: Error) => void = () => undefined;
  const given = new Promise<never>((_, reject) => (giveUp = reject));
  const abort = (): void => giveUp(signal?.reason as Error);
  const timer = timeoutMs > 0 ? setTimeout(() => giveUp(late()), timeoutMs) : undefined;
  signal?.addEventListener('abort', abort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, given]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
