import { encodeNpy, npyElement, npyElements } from '../../array/npy.ts';
import { readNpyHeader } from '../../array/npy-header.ts';
import { ELEMENTS, type ElementKind, type Elements } from './element-type.ts';

/** An array with its shape, as in a NumPy file. */
export interface ShapedArray {
  readonly kind: ElementKind;
  readonly array: Elements;
  readonly shape: readonly number[];
}

/**
 * Read a `.npy` file as a kernel takes it: elements of a type that has a pointer, in row-major order.
 *
 * @throws SyntaxError the bytes are not an `.npy` file, or its header cannot be read
 * @throws RangeError they are cut off, or have elements that no kernel takes
 */
export function readNpy(bytes: Uint8Array): ShapedArray {
  const header = readNpyHeader(bytes);
  const { descr, shape, fortranOrder } = header;
  const kind = kindOf(descr);
  if (fortranOrder && shape.filter((size) => size > 1).length > 1) {
    throw new RangeError("The array is in Fortran's order: save numpy.ascontiguousarray(a)");
  }
  // A copy, which begins where elements of any size may.
  const data = new Uint8Array(npyElements(bytes, header, kind.bytes));
  return { kind, array: kind.over(data.buffer), shape };
}

/** The bytes of a `.npy` file. bfloat16, which NumPy does not know, is written as its bits. */
export function writeNpy({ kind, array, shape }: ShapedArray): Uint8Array {
  const dtype = kind.name === 'bf16' ? 'u16' : kind.name;
  return encodeNpy({ dtype, shape }, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

function kindOf(descr: string): ElementKind {
  if (descr.startsWith('[')) throw new RangeError('The .npy file holds records: only plain numbers can be passed');
  const { dtype, isSwapped = false } = npyElement(descr) ?? {};
  // A bool of NumPy is a byte, as C++'s is.
  const name = dtype === 'bool' ? 'u8' : dtype;
  const isPassed = name !== undefined && name !== 'bf16' && name !== 'c64' && name !== 'c128';
  if (isPassed && !isSwapped) return ELEMENTS[name];
  const fix = descr.startsWith('>')
    ? "; its bytes are in the other order: save a.astype(a.dtype.newbyteorder('<'))"
    : '';
  throw new RangeError(`The .npy file's element type '${descr}' cannot be passed${fix}`);
}
