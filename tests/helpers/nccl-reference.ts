/** Numbers of an NCCL element type: written and read without the code under test. */
export interface Numbers {
  readonly name: string;
  readonly bytes: number;
  readonly isFloat: boolean;
  readonly read: (from: DataView, at: number) => number | bigint;
  /** Round to the type and write. */
  readonly write: (to: DataView, at: number, value: number | bigint) => void;
}

/** A minifloat's value by the definition of its format. */
function valueOf(bits: number, width: number, fraction: number, bias: number, top: 'inf' | 'nan'): number {
  const sign = bits >> (width - 1) ? -1 : 1;
  const exponent = (bits >> fraction) & ((1 << (width - 1 - fraction)) - 1);
  const rest = bits & ((1 << fraction) - 1);
  const most = (1 << (width - 1 - fraction)) - 1;
  if (exponent === most && top === 'inf') return rest === 0 ? sign * Infinity : NaN;
  if (exponent === most && rest === (1 << fraction) - 1) return NaN;
  if (exponent === 0) return sign * rest * 2 ** (1 - bias - fraction);
  return sign * (1 + rest / 2 ** fraction) * 2 ** (exponent - bias);
}

function minifloat(name: string, width: 8 | 16, fraction: number, bias: number, top: 'inf' | 'nan'): Numbers {
  const positive: number[] = [];
  for (let bits = 0; ; bits++) {
    const value = valueOf(bits, width, fraction, bias, top);
    if (!Number.isFinite(value)) break;
    positive.push(value);
  }
  const largest = positive.length - 1;
  const read = (from: DataView, at: number): number => {
    const bits = width === 8 ? from.getUint8(at) : from.getUint16(at, true);
    return valueOf(bits, width, fraction, bias, top);
  };
  const nearest = (value: number): number => {
    const step = (positive[largest] as number) - (positive[largest - 1] as number);
    // CUDA's 8-bit types saturate.
    if (value >= (positive[largest] as number) + step / 2) return width === 8 ? largest : largest + 1;
    let [low, high] = [0, largest];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((positive[middle] as number) <= value) low = middle;
      else high = middle;
    }
    const [below, above] = [value - (positive[low] as number), (positive[high] as number) - value];
    if (below === above) return low % 2 === 0 ? low : high;
    return below < above ? low : high;
  };
  return {
    name,
    bytes: width / 8,
    isFloat: true,
    read,
    write: (to, at, value) => {
      const number = Number(value);
      const minus = number < 0 || Object.is(number, -0) ? 1 << (width - 1) : 0;
      const bits = Number.isNaN(number) ? (1 << (width - 1)) - 1 : nearest(Math.abs(number)) | minus;
      if (width === 8) to.setUint8(at, bits);
      else to.setUint16(at, bits, true);
    },
  };
}

/** NCCL's element types, in the order of `ncclDataType_t`. */
export const NUMBERS: readonly Numbers[] = [
  integer('i8', 'Int8'),
  integer('u8', 'Uint8'),
  integer('i32', 'Int32'),
  integer('u32', 'Uint32'),
  wide('i64', 'BigInt64'),
  wide('u64', 'BigUint64'),
  minifloat('f16', 16, 10, 15, 'inf'),
  float('f32', 'Float32'),
  float('f64', 'Float64'),
  minifloat('bf16', 16, 7, 127, 'inf'),
  minifloat('f8e4m3', 8, 3, 7, 'nan'),
  minifloat('f8e5m2', 8, 2, 15, 'inf'),
];

function integer(name: string, type: 'Int8' | 'Uint8' | 'Int32' | 'Uint32'): Numbers {
  return {
    name,
    bytes: type.endsWith('8') ? 1 : 4,
    isFloat: false,
    read: (view, at) => BigInt(view[`get${type}`](at, true)),
    write: (view, at, value) => {
      view[`set${type}`](at, Number(BigInt.asIntN(32, BigInt(value))), true);
    },
  };
}

function wide(name: string, type: 'BigInt64' | 'BigUint64'): Numbers {
  return {
    name,
    bytes: 8,
    isFloat: false,
    read: (view, at) => view[`get${type}`](at, true),
    write: (view, at, value) => {
      view[`set${type}`](at, BigInt(value), true);
    },
  };
}

function float(name: string, type: 'Float32' | 'Float64'): Numbers {
  return {
    name,
    bytes: type === 'Float32' ? 4 : 8,
    isFloat: true,
    read: (view, at) => view[`get${type}`](at, true),
    write: (view, at, value) => {
      view[`set${type}`](at, Number(value), true);
    },
  };
}

/** Reductions, in the order of `ncclRedOp_t`; the last one multiplies by a scalar before a sum. */
export const REDUCTIONS = ['sum', 'prod', 'max', 'min', 'avg', 'premulsum'] as const;

/** Combine the elements of all ranks in the ranks' order, rounded at each step. */
export function reduced(
  numbers: Numbers,
  reduction: (typeof REDUCTIONS)[number],
  parts: readonly Uint8Array[],
  scalar: Uint8Array,
): Uint8Array {
  const [first = new Uint8Array()] = parts;
  const result = new Uint8Array(first.length);
  const into = new DataView(result.buffer);
  const scratch = new DataView(new ArrayBuffer(8));
  const rounded = (value: number | bigint): number | bigint => {
    numbers.write(scratch, 0, value);
    return numbers.read(scratch, 0);
  };
  const factor = numbers.read(viewOf(scalar), 0);
  for (let at = 0; at < first.length; at += numbers.bytes) {
    const values = parts.map((part) => numbers.read(viewOf(part), at));
    const scaled = reduction === 'premulsum' ? values.map((value) => rounded(times(value, factor))) : values;
    const all = scaled.reduce((a, b) => rounded(combined(reduction, a, b)));
    numbers.write(into, at, reduction === 'avg' ? over(all, parts.length) : all);
  }
  return result;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function times(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'bigint' ? a * BigInt(b) : a * Number(b);
}

function over(a: number | bigint, count: number): number | bigint {
  return typeof a === 'bigint' ? a / BigInt(count) : a / count;
}

function combined(reduction: string, a: number | bigint, b: number | bigint): number | bigint {
  if (reduction === 'prod') return times(a, b);
  if (reduction === 'max' || reduction === 'min') {
    if (Number.isNaN(a)) return b;
    if (Number.isNaN(b)) return a;
    return (reduction === 'max') === a > b ? a : b;
  }
  return typeof a === 'bigint' ? a + BigInt(b) : a + Number(b);
}

/** Random elements: floats of many sizes, integers of all bits. */
export function randomElements(numbers: Numbers, count: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(count * numbers.bytes);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    const wide = BigInt(Math.floor(random() * 2 ** 32)) * 2n ** 32n + BigInt(Math.floor(random() * 2 ** 32));
    const value = numbers.isFloat ? (random() - 0.5) * 2 ** Math.floor(random() * 12 - 4) : wide;
    numbers.write(view, i * numbers.bytes, value);
  }
  return bytes;
}

/** A generator of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
