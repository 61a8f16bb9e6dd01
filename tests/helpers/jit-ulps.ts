const view = new DataView(new ArrayBuffer(8));

/** The place of a float among all floats of its type. 0 and -0 are neighbours. */
function placeOf(type: 'f32' | 'f64', value: number): bigint {
  if (type === 'f32') view.setFloat32(0, value);
  else view.setFloat64(0, value);
  const bits = type === 'f32' ? BigInt(view.getUint32(0)) : view.getBigUint64(0);
  const sign = type === 'f32' ? 1n << 31n : 1n << 63n;
  return bits & sign ? -(bits ^ sign) - 1n : bits;
}

/** How many floats of a type lie from one to the other; infinitely many where one is NaN alone. */
export function ulpsBetween(type: 'f32' | 'f64', a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Infinity;
  const distance = placeOf(type, a) - placeOf(type, b);
  return Number(distance < 0n ? -distance : distance);
}
