import koffi from 'koffi';

type Sigaction = (signal: number, set: BigUint64Array | null, get: BigUint64Array | null) => number;

/** SIGINT and SIGTERM, which NVRTC takes. */
const SIGNALS = [2, 15];
/** SIGFPE, which PoCL handles for divisions by zero in kernels, and the two that nobody can handle. */
const NOT_OURS = new Set([8, 9, 19]);
const LAST_SIGNAL = 31;
const DEFAULT = 0n;
/** Words of a `struct sigaction`: the handler, the signals of its mask that exist, the flags. C leaves others as they were. */
const COMPARED = [0, 1, 17];
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

/**
 * A function of a library that takes signals for itself for good, as LLVM does in every driver that has it inside: what had a
 * handler before has it afterwards. Its handler of SIGSEGV would run before that of V8, which makes errors of the traps of
 * WebAssembly, and is for one signal: two threads that trap at once end the process. That of SIGUSR1 keeps the debugger away.
 *
 * @param call - or its form that does not block
 */
export function keepsSignalHandlers<Args extends readonly unknown[], Result>(
  call: (...args: Args) => Result,
): (...args: Args) => Result {
  if (process.platform !== 'linux') return call;
  return (...args) => {
    const before = handled();
    const restore = (): void => {
      for (const [signal, words] of before) {
        if (!isSame(words, read(signal))) sigaction()(signal, words, null);
      }
    };
    let result: Result | undefined;
    try {
      result = call(...args);
    } finally {
      if (!(result instanceof Promise)) restore();
    }
    return result instanceof Promise ? (result.finally(restore) as Result) : result;
  };
}

/** The signals that have a handler, or are ignored. */
function handled(): ReadonlyMap<number, BigUint64Array> {
  const found = new Map<number, BigUint64Array>();
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
    if (NOT_OURS.has(signal)) continue;
    const words = read(signal);
    if (words[0] !== DEFAULT) found.set(signal, words);
  }
  return found;
}

function isSame(a: BigUint64Array, b: BigUint64Array): boolean {
  return COMPARED.every((i) => a[i] === b[i]);
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
