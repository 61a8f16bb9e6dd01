import { hostBytes } from '../core/host-memory.ts';
import { WebCLException } from './exception.ts';

/** A parameter that takes a value: its element type, and how many of them. */
const VALUE = /^(?:(unsigned|signed) )?([a-z]+)(2|3|4|8|16)?$/;

/** The typed arrays of OpenCL C's types, and how many of their elements one of the type's is. */
const ARRAYS: Readonly<Record<string, readonly (readonly [array: string, elements: number])[]>> = {
  char: [['Int8Array', 1]],
  uchar: [
    ['Uint8Array', 1],
    ['Uint8ClampedArray', 1],
  ],
  short: [['Int16Array', 1]],
  ushort: [['Uint16Array', 1]],
  int: [['Int32Array', 1]],
  uint: [['Uint32Array', 1]],
  long: [
    ['Int32Array', 2],
    ['Uint32Array', 2],
    ['BigInt64Array', 1],
  ],
  ulong: [
    ['Uint32Array', 2],
    ['BigUint64Array', 1],
  ],
  half: [
    ['Uint16Array', 1],
    ['Float16Array', 1],
  ],
  float: [['Float32Array', 1]],
  double: [['Float64Array', 1]],
};

/**
 * The bytes of an argument by value.
 *
 * @param typeName - of the parameter: `'uint4'`; a struct's takes any array
 */
export function checkValue(index: number, typeName: string, value: ArrayBufferView): ArrayBufferView {
  const [, sign, word = '', digits = '1'] = VALUE.exec(typeName) ?? [];
  const rows = ARRAYS[sign === 'unsigned' ? `u${word}` : word];
  if (!rows) return value;
  const name = nameOfArray(value);
  const row = rows.find(([array]) => array === name);
  const lanes = Number(digits);
  const length = 'length' in value ? (value.length as number) : 0;
  const wanted = row && row[1] * lanes;
  if (row && length === wanted) return lanes === 3 ? withFourthLane(value, length) : value;
  // A vector of three is as large as one of four.
  if (row && lanes === 3 && length === 4 * row[1]) return value;
  const arrays = rows.map(([array, elements]) => `${array} of ${elements * lanes}`).join(' or ');
  throw new WebCLException(
    'INVALID_ARG_VALUE',
    `Argument ${index}, ${typeName}, takes a ${arrays}, got ${name} of ${length}`,
  );
}

/** The name of a typed array's type; the array may be of another realm. */
export function nameOfArray(value: ArrayBufferView): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function withFourthLane(value: ArrayBufferView, length: number): Uint8Array {
  const given = hostBytes(value, 'The argument');
  const bytes = new Uint8Array((given.length / length) * (length / 3) * 4);
  bytes.set(given);
  return bytes;
}
