import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK = 512;
const NAME = [0, 100] as const;
const SIZE = [124, 135] as const;
/** OpenCL C finds these; the headers of instruction sets, the largest ones, mean nothing on this device. */
const KEPT = /^include(?:\/(?!\w*intrin)[^/]+\.h)?\/?$/;
const MAX_BYTES = 1 << 16;

/** Reads a part of an archive. */
type Read = (at: number, length: number) => Buffer;

/**
 * Of the package's archive the headers of clang itself. The package makes a tree of all files for each run of a tool: the
 * C++ library and the libraries of other targets, 2400 files and 28 MB, which no kernel can use.
 */
export function headersOfClang(tar: Uint8Array): Uint8Array {
  const from = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  return kept((at, length) => from.subarray(at, at + length), from.length);
}

/** The same of an archive on disk, of which little is read. */
export function headersOfClangIn(file: URL): Uint8Array {
  const open = openSync(file, 'r');
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(open, bytes, 0, length, at));
  };
  try {
    return kept(read, fstatSync(open).size);
  } finally {
    closeSync(open);
  }
}

function kept(read: Read, size: number): Uint8Array {
  const files: Uint8Array[] = [];
  for (let at = 0; at + BLOCK <= size;) {
    const head = read(at, BLOCK);
    const name = textOf(head, NAME);
    if (name === '') break;
    const bytes = parseInt(textOf(head, SIZE), 8) || 0;
    const next = at + BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
    if (KEPT.test(name) && bytes <= MAX_BYTES) files.push(read(at, next - at));
    at = next;
  }
  return Buffer.concat([...files, Buffer.alloc(2 * BLOCK)]);
}

function textOf(head: Buffer, [begin, end]: readonly [number, number]): string {
  return head.toString('latin1', begin, end).replace(/\0.*$/s, '');
}
