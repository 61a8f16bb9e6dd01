import type { Pointer } from '../../ffi/pointer.ts';
import { status } from '../sys/enums.ts';

const SUCCESS = status.CL_SUCCESS[0];

/** The text of a query; '' where the query fails. */
export function textOf(ask: (size: number, value: Pointer, sizeOut: bigint | BigUint64Array) => number): string {
  const size = new BigUint64Array(1);
  if (ask(0, 0n, size) !== SUCCESS) return '';
  const bytes = new Uint8Array(Number(size[0]));
  if (bytes.length === 0 || ask(bytes.length, bytes, 0n) !== SUCCESS) return '';
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}
