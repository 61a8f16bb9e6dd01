const view = new DataView(new ArrayBuffer(8));

/** A float of 64 bits as an integer times a power of two. */
function parts(value: number): { readonly digits: bigint; readonly exponent: number } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const stored = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const digits = stored === 0 ? fraction : fraction | (1n << 52n);
  return { digits: value < 0 ? -digits : digits, exponent: Math.max(stored, 1) - 1075 };
}

/** `a * b + c`, rounded once: the sum is exact in integers. */
export function fma(type: string, a: number, b: number, c: number): number {
  const isPlain = !Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c) || a === 0 || b === 0;
  // The product of finite numbers is finite, also where it lies outside of the floats.
  if (!Number.isFinite(c) && Number.isFinite(a) && Number.isFinite(b)) return c;
  if (isPlain) return a * b + c;
  const [x, y, z] = [parts(a), parts(b), parts(c)];
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const product = (x.digits * y.digits) << BigInt(x.exponent + y.exponent - exponent);
  const sum = product + (z.digits << BigInt(z.exponent - exponent));
  // Opposite numbers make 0 without a sign; a product that is too small for the type keeps its own.
  if (sum === 0n) return 0;
  return type === 'f32' ? rounded(sum, exponent, 24, -149) : rounded(sum, exponent, 53, -1074);
}

/** `digits * 2 ** exponent` to the nearest float of so many bits, ties to even. */
function rounded(digits: bigint, exponent: number, precision: number, least: number): number {
  const size = digits < 0n ? -digits : digits;
  const length = size.toString(2).length;
  const dropped = Math.max(length - precision, least - exponent, 0);
  let kept = size >> BigInt(dropped);
  const rest = size - (kept << BigInt(dropped));
  const half = dropped === 0 ? 1n : 1n << BigInt(dropped - 1);
  if (rest > half || (rest === half && (kept & 1n) === 1n && dropped > 0)) kept += 1n;
  const value = scaled(Number(kept), exponent + dropped);
  return digits < 0n ? -value : value;
}

/** In two steps, since a power of two may lie outside of the floats where the product does not. */
function scaled(value: number, exponent: number): number {
  const first = Math.trunc(exponent / 2);
  return value * 2 ** first * 2 ** (exponent - first);
}
