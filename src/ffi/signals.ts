import koffi from 'koffi';

type Sigaction = (signal: number, set: BigUint64Array | null, get: BigUint64Array | null) => number;

/** SIGINT and SIGTERM. */
const SIGNALS = [2, 15];
/** More than a `struct sigaction` has on any Linux: the handler, the mask of signals, flags. */
const WORDS = 32;

/** The last handlers that C's `signal` had not installed. */
const kept = new Map<number, BigUint64Array>();
let known: Sigaction | undefined;

/**
 * Run a native compiler that takes SIGINT and SIGTERM for itself and puts the handlers back with C's `signal`. That loses
 * their flags and masks: Node's own handler, which is to run once and raise the signal again, then runs for ever, and
 * Ctrl-C hangs the process (NVRTC 13.0).
 */
export function withSignalHandlers<T>(compile: () => T): T {
  keepSignalHandlers();
  try {
    return compile();
  } finally {
    restoreSignalHandlers();
  }
}

/** {@link withSignalHandlers} of a compiler on a worker thread. */
export async function withSignalHandlersLater<T>(compile: () => Promise<T>): Promise<T> {
  keepSignalHandlers();
  try {
    return await compile();
  } finally {
    restoreSignalHandlers();
  }
}

function keepSignalHandlers(): void {
  if (process.platform !== 'linux') return;
  for (const signal of SIGNALS) {
    const now = read(signal);
    if (!isBare(now, signal)) kept.set(signal, now);
  }
}

function restoreSignalHandlers(): void {
  for (const [signal, before] of kept) {
    if (isBare(read(signal), signal)) sigaction()(signal, before, null);
  }
}

/** Whether C's `signal` put a handler there: its mask is the signal itself. Where compilers overlap it may be one's own. */
function isBare([, mask]: BigUint64Array, signal: number): boolean {
  return mask === 1n << BigInt(signal - 1);
}

function read(signal: number): BigUint64Array {
  const words = new BigUint64Array(WORDS);
  sigaction()(signal, null, words);
  return words;
}

function sigaction(): Sigaction {
  const pointer = koffi.pointer(koffi.types['void']);
  const int = koffi.types['int'];
  return (known ??= koffi.load(null).func('sigaction', int, [int, pointer, pointer]) as Sigaction);
}
