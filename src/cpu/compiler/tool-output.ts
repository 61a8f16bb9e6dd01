export type Memory = { readonly buffer: ArrayBuffer };
/** `fd_write` of WASI: a file's number, pieces as addresses and lengths, their number, and where the sum goes. */
export type FdWrite = (file: number, pieces: number, count: number, written: number) => number;

const STDOUT = 1;

let sink: ((bytes: Uint8Array) => void) | undefined;

/** Run a tool, and give its standard output to a function where its instance writes by {@link toSink}. */
export function withSink<T>(add: (bytes: Uint8Array) => void, run: () => T): T {
  sink = add;
  try {
    return run();
  } finally {
    sink = undefined;
  }
}

/**
 * A tool's `fd_write` with a short way for standard output. LLVM takes that for a terminal and writes every word by
 * itself: the texts of a small kernel are ten thousand calls, each of which the package takes through several layers.
 *
 * @param memory - of the tool, once it is there
 */
export function toSink(write: FdWrite, memory: () => Memory): FdWrite {
  let bytes = new Uint8Array();
  let view = new DataView(bytes.buffer);
  return (file, pieces, count, written) => {
    if (file !== STDOUT || !sink) return write(file, pieces, count, written);
    const { buffer } = memory();
    if (buffer !== bytes.buffer) {
      bytes = new Uint8Array(buffer);
      view = new DataView(buffer);
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(pieces + 8 * i, true);
      const length = view.getUint32(pieces + 8 * i + 4, true);
      if (length > 0) sink(bytes.subarray(at, at + length));
      sum += length;
    }
    view.setUint32(written, sum, true);
    return 0;
  };
}
