/** A floating-point format of at most 16 bits. */
export interface SmallFloat {
  readonly decode: (bits: number) => number;
  /** Round to the nearest, ties to even. */
  readonly encode: (value: number) => number;
}

interface Format {
  readonly bits: number;
  /** Bits of the fraction. */
  readonly fraction: number;
  /** The exponent of the smallest normal number. */
  readonly least: number;
  /** What is beyond the largest number: its bits without a sign. */
  readonly infinity: number;
  readonly nan: number;
  /** The largest number, where numbers beyond become it. */
  readonly saturated?: number;
}

/** Adding and subtracting it rounds a positive double to an integer, ties to even. */
const ROUNDER = 2 ** 52;
const BIAS = 1023;

/** The formats as CUDA converts to them: of the 8-bit ones, what is too large becomes the largest number. */
export const FLOAT16: SmallFloat = smallFloat({ bits: 16, fraction: 10, least: -14, infinity: 0x7c00, nan: 0x7fff });
export const BFLOAT16: SmallFloat = smallFloat({ bits: 16, fraction: 7, least: -126, infinity: 0x7f80, nan: 0x7fff });
export const FLOAT8E4M3: SmallFloat = smallFloat({
  bits: 8,
  fraction: 3,
  least: -6,
  infinity: 0x7f,
  nan: 0x7f,
  saturated: 0x7e,
});
export const FLOAT8E5M2: SmallFloat = smallFloat({
  bits: 8,
  fraction: 2,
  least: -14,
  infinity: 0x7c,
  nan: 0x7f,
  saturated: 0x7b,
});

function smallFloat(format: Format): SmallFloat {
  let table: Float64Array | undefined;
  return {
    decode: (bits) => (table ??= decodings(format))[bits] as number,
    encode: encoder(format),
  };
}

function decodings(format: Format): Float64Array {
  const sign = 1 << (format.bits - 1);
  const table = new Float64Array(2 * sign);
  for (let bits = 0; bits < sign; bits++) {
    table[bits] = decoded(bits, format);
    table[bits + sign] = -(table[bits] as number);
  }
  return table;
}

function decoded(bits: number, { fraction, least, infinity, saturated }: Format): number {
  if (bits > infinity || (bits === infinity && saturated === infinity - 1 && bits === 0x7f)) return NaN;
  if (bits === infinity) return Infinity;
  const exponent = bits >>> fraction;
  const rest = bits & ((1 << fraction) - 1);
  if (exponent === 0) return rest * 2 ** (least - fraction);
  return (rest + (1 << fraction)) * 2 ** (exponent - 1 + least - fraction);
}

function encoder({ bits, fraction, least, infinity, nan, saturated }: Format): (value: number) => number {
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  const sign = 1 << (bits - 1);
  // For each exponent, what one unit in the last place goes into 1.
  const steps = new Float64Array(128 + 2).map((_, i) => 2 ** (fraction - (least + i)));
  return (value) => {
    if (value !== value) return nan;
    double[0] = value;
    const high = words[1] as number;
    const minus = high >>> 31 === 0 ? 0 : sign;
    const above = Math.max(0, ((high >>> 20) & 0x7ff) - BIAS - least);
    const most = infinity >>> fraction;
    let found = infinity;
    if (above <= most) {
      const scaled =
        Math.abs(value) * (above < steps.length ? (steps[above] as number) : 2 ** (fraction - least - above));
      found = (above << fraction) + (scaled + ROUNDER - ROUNDER);
    }
    if (found >= infinity) found = saturated ?? infinity;
    return found | minus;
  };
}
