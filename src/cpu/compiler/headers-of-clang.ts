const BLOCK = 512;
const NAME = [0, 100] as const;
const SIZE = [124, 135] as const;
/** OpenCL C finds these; the headers of instruction sets, the largest ones, mean nothing on this device. */
const KEPT = /^include(?:\/(?!\w*intrin)[^/]+\.h)?\/?$/;
const MAX_BYTES = 1 << 16;

/**
 * Of the package's archive the headers of clang itself. The package makes a tree of all files for each run of a tool: the
 * C++ library and the libraries of other targets, 2400 files and 28 MB, which no kernel can use.
 */
export function headersOfClang(tar: Uint8Array): Uint8Array {
  const from = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  const textOf = (at: number, [begin, end]: readonly [number, number]): string =>
    from.toString('latin1', at + begin, at + end).replace(/\0.*$/s, '');
  const kept: Uint8Array[] = [];
  for (let at = 0; at + BLOCK <= from.length;) {
    const name = textOf(at, NAME);
    if (name === '') break;
    const size = parseInt(textOf(at, SIZE), 8) || 0;
    const next = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (KEPT.test(name) && size <= MAX_BYTES) kept.push(from.subarray(at, next));
    at = next;
  }
  return Buffer.concat([...kept, Buffer.alloc(2 * BLOCK)]);
}
