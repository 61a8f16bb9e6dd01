/** What an answer goes into. */
export type Out = Uint32Array | Int32Array | BigUint64Array | Uint8Array | DataView | ArrayBuffer | bigint;

const SUCCESS = 0;
const NOT_SUPPORTED = 3;
const INSUFFICIENT_SIZE = 7;

/** Give numbers; undefined is what the device does not have. */
export const put = (...pairs: readonly (readonly [out: Out, value: number | bigint | undefined])[]): number => {
  if (pairs.some(([, value]) => value === undefined)) return NOT_SUPPORTED;
  for (const [out, value] of pairs) (out as BigUint64Array)[0] = value as bigint;
  return SUCCESS;
};
/** Give a text, if it fits. */
export const putText = (out: Out, length: number, value: string | undefined): number => {
  if (value === undefined) return NOT_SUPPORTED;
  const bytes = new TextEncoder().encode(`${value}\0`);
  if (bytes.length > length) return INSUFFICIENT_SIZE;
  (out as Uint8Array).set(bytes);
  return SUCCESS;
};
/** The bytes of an answer. */
export const view = (out: Out): DataView =>
  ArrayBuffer.isView(out) ? new DataView(out.buffer, out.byteOffset, out.byteLength) : new DataView(out as ArrayBuffer);
/** Give fields of 64 bits. */
export const write64 = (out: Out, values: readonly (readonly [offset: number, value: number | bigint])[]): number => {
  for (const [offset, value] of values) view(out).setBigUint64(offset, BigInt(value), true);
  return SUCCESS;
};
/** Give fields of 32 bits. */
export const write32 = (out: Out, values: readonly (readonly [offset: number, value: number])[]): number => {
  for (const [offset, value] of values) view(out).setUint32(offset, value, true);
  return SUCCESS;
};
/** A list as NVML gives it: the count alone, or its elements if they fit. */
export const putList = <T>(
  count: Uint32Array,
  out: Out,
  items: readonly T[],
  each: (item: T, i: number) => void,
): number => {
  const room = count[0] ?? 0;
  count[0] = items.length;
  if (items.length === 0) return SUCCESS;
  if (typeof out === 'bigint' || room < items.length) return INSUFFICIENT_SIZE;
  items.forEach(each);
  return SUCCESS;
};
/** Give a list of numbers. */
export const numbers = (count: Uint32Array, out: Out, items: readonly (number | bigint)[]): number =>
  putList(count, out, items, (item, i) => ((out as BigUint64Array)[i] = item as bigint));
