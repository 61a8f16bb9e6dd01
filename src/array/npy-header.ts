import { pythonString, readPythonDict } from './python-dict.ts';
import { brief } from './brief.ts';

/** What a `.npy` file says about its elements. */
export interface NpyHeader {
  /** NumPy's type string as it is there, `'<f4'`; the Python source of what is not a string: `"[('x', '<f4')]"`. */
  readonly descr: string;
  /** Integers from 0 to 2^53 - 1, of any number and any product. */
  readonly shape: readonly number[];
  /** Whether the elements are in column-major order. */
  readonly fortranOrder: boolean;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Where the elements begin is a multiple of this, so that a mapped file is aligned. */
const ALIGNMENT = 64;
/** Far above the headers of numbers; one of a gigabyte would be a string that no engine holds. */
const MAX_HEADER = 2 ** 20;
const KEYS = ['descr', 'fortran_order', 'shape'];
const UNREADABLE = 'The .npy file has a header that cannot be read';

/** Whether bytes begin as those of a `.npy` file. */
export function isNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/**
 * Read the header of a `.npy` file, of version 1.0, 2.0 or 3.0.
 *
 * @returns the header, and where the elements begin, in bytes
 * @throws SyntaxError it is no `.npy` file, of another version, or its header cannot be read
 * @throws RangeError the file ends before its header does, or the header is longer than 1 MiB
 */
export function readNpyHeader(bytes: Uint8Array): NpyHeader & { readonly start: number } {
  if (!isNpy(bytes)) throw new SyntaxError('It is not an .npy file');
  const [major = 0, minor = 0] = bytes.subarray(MAGIC.length);
  if (bytes.length >= 8 && (major < 1 || major > 3 || minor !== 0)) {
    throw new SyntaxError(`Version ${major}.${minor} of the .npy format is not known; 1.0, 2.0 and 3.0 are`);
  }
  const from = major === 1 ? 10 : 12;
  if (bytes.length < from) {
    throw new RangeError(`The file is cut off: its header begins at byte ${from}, ${bytes.length} bytes are there`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = from + length;
  if (start > bytes.length) {
    throw new RangeError(`The file is cut off: its header has ${length} bytes, ${bytes.length - from} are there`);
  }
  if (length > MAX_HEADER) {
    throw new RangeError(`The .npy file's header must have at most ${MAX_HEADER} bytes, got ${length}`);
  }
  const text = bytes.subarray(from, start);
  return { ...readFacts(major === 3 ? new TextDecoder().decode(text) : latin1(text)), start };
}

/**
 * The bytes before the elements: a header of version 1.0, or 2.0 where it is too long for that.
 *
 * @throws RangeError the shape has so many axes that no reader takes the header
 */
export function writeNpyHeader({ descr, shape, fortranOrder }: NpyHeader): Uint8Array {
  const lengths = shape.length === 1 ? `${shape.join()},` : shape.join(', ');
  const order = fortranOrder ? 'True' : 'False';
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${lengths}), }`;
  const end = (from: number): number => Math.ceil((from + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const major = end(10) - 10 <= 0xffff ? 1 : 2;
  const from = major === 1 ? 10 : 12;
  const start = end(from);
  if (start - from > MAX_HEADER) {
    throw new RangeError(`The shape must fit in a header of ${MAX_HEADER} bytes, got ${shape.length} axes`);
  }
  const bytes = new Uint8Array(start).fill(0x20);
  bytes.set([...MAGIC, major, 0]);
  const view = new DataView(bytes.buffer);
  if (major === 1) view.setUint16(8, start - from, true);
  else view.setUint32(8, start - from, true);
  bytes.set(new TextEncoder().encode(text), from);
  bytes[start - 1] = 0x0a;
  return bytes;
}

function readFacts(text: string): NpyHeader {
  const dict = readPythonDict(text, UNREADABLE);
  for (const key of dict.keys()) {
    if (!KEYS.includes(key)) throw unreadable(`it has the key '${brief(key)}'; there is ${KEYS.join(', ')}`);
  }
  const [descr, order, shape] = KEYS.map((key) => {
    const value = dict.get(key);
    if (value === undefined) throw unreadable(`it has no '${key}'`);
    return value;
  }) as [string, string, string];
  if (order !== 'True' && order !== 'False') {
    throw unreadable(`'fortran_order' must be True or False, got ${brief(order)}`);
  }
  return { descr: pythonString(descr) ?? descr, fortranOrder: order === 'True', shape: readTuple(shape) };
}

/** The lengths of a shape. `(3)`, which is no tuple to Python, is taken for `(3,)`; Python 2 may have written `(3L,)`. */
function readTuple(source: string): number[] {
  const parts = (/^\(([^()]*)\)$/.exec(source)?.[1] ?? 'none').split(',').map((part) => part.trim());
  // One length is written with a comma behind it, no length as nothing.
  if (parts.at(-1) === '') parts.pop();
  const lengths = parts.map((part) => (/^\d+[lL]?$/.test(part) ? Number.parseInt(part, 10) : NaN));
  if (lengths.every((length) => Number.isSafeInteger(length))) return lengths;
  throw unreadable(`'shape' must be a tuple of integers >= 0 below 2^53, got ${brief(source)}`);
}

function unreadable(reason: string): SyntaxError {
  return new SyntaxError(`${UNREADABLE}: ${reason}`);
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}
