import { ELEMENTS, type ElementKind, type Elements } from './element-type.ts';

/** An array with its shape, as in a NumPy file. */
export interface ShapedArray {
  readonly kind: ElementKind;
  readonly array: Elements;
  readonly shape: readonly number[];
}

const MAGIC = '\x93NUMPY';
const ALIGNMENT = 64;

/**
 * Read a `.npy` file.
 *
 * @throws RangeError the bytes are not an `.npy` file, are cut off, or have elements that no kernel takes
 * @see {@link https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html | The format}
 */
export function readNpy(bytes: Uint8Array): ShapedArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6] ?? 0;
  if (bytes.length < 12 || latin1(bytes.subarray(0, 6)) !== MAGIC) throw new RangeError('It is not an .npy file');
  if (version < 1 || version > 3) throw new RangeError(`Version ${version} of the .npy format is not known`);
  const start = version === 1 ? 10 : 12;
  const end = start + (version === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (end > bytes.length) {
    throw new RangeError(`The file is cut off: its header has ${end - start} bytes, ${bytes.length - start} are there`);
  }
  const header = latin1(bytes.subarray(start, end));
  const kind = kindOf(header);
  const shape = shapeOf(/'shape':\s*\(([^)]*)\)/.exec(header)?.[1]);
  const order = /'fortran_order':\s*(True|False)/.exec(header)?.[1];
  if (order === undefined) throw unreadable();
  if (order === 'True' && shape.filter((size) => size > 1).length > 1) {
    throw new RangeError("The array is in Fortran's order: save numpy.ascontiguousarray(a)");
  }
  // Empty however large the other dimensions are.
  const length = shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1);
  const size = length * kind.bytes;
  if (end + size > bytes.length) {
    throw new RangeError(
      `The file is cut off: ${size} bytes of elements wanted, ${Math.max(0, bytes.length - end)} there`,
    );
  }
  return { kind, array: kind.over(new Uint8Array(bytes.subarray(end, end + size)).buffer), shape };
}

/** The bytes of a `.npy` file. bfloat16, which NumPy does not know, is written as its bits. */
export function writeNpy({ kind, array, shape }: ShapedArray): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0] ?? 0},` : shape.join(', ');
  const text = `{'descr': '${kind.npy}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const end = Math.ceil((10 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const bytes = Buffer.alloc(end + array.byteLength, ' ');
  bytes.write(`${MAGIC}\x01\x00`, 'latin1');
  bytes.writeUInt16LE(end - 10, 8);
  bytes.write(text, 10, 'latin1');
  bytes.write('\n', end - 1);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), end);
  return bytes;
}

function kindOf(header: string): ElementKind {
  if (/'descr':\s*\[/.test(header)) {
    throw new RangeError('The .npy file holds records: only plain numbers can be passed');
  }
  const descr = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  if (descr === undefined) throw unreadable();
  // A bool of NumPy is a byte, as C++'s is.
  const plain = descr === '|b1' ? '|u1' : descr.replace(/^=/, '<');
  const kind = Object.values(ELEMENTS).find(({ npy, name }) => npy === plain && name !== 'bf16');
  if (kind) return kind;
  const fix = plain.startsWith('>')
    ? "; its bytes are in the other order: save a.astype(a.dtype.newbyteorder('<'))"
    : '';
  throw new RangeError(`The .npy file's element type '${descr}' cannot be passed${fix}`);
}

function shapeOf(text: string | undefined): number[] {
  const parts = (text ?? 'none').split(',').map((part) => part.trim());
  // One dimension is written with a comma behind it, no dimension as nothing.
  if (parts.at(-1) === '') parts.pop();
  const sizes = parts.map((part) => (/^\d+L?$/.test(part) ? Number.parseInt(part, 10) : NaN));
  if (sizes.every((size) => Number.isSafeInteger(size))) return sizes;
  throw unreadable();
}

function unreadable(): RangeError {
  return new RangeError('The .npy file has a header that cannot be read');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
