import { types } from 'node:util';

/** Host memory that a copy reads or writes: a typed array, a Buffer, a DataView, or a whole (shared) ArrayBuffer. */
export type HostMemory = ArrayBufferView | ArrayBufferLike;

/** Whether a value is host memory, from whatever realm it comes. */
export function isHostMemory(value: unknown): value is HostMemory {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/**
 * The size of host memory in bytes.
 *
 * @param value - what the caller passed
 * @param what - its name in the error
 * @throws TypeError it is no host memory, or its buffer is detached
 * @throws RangeError it has no bytes
 */
export function hostByteLength(value: unknown, what: string): number {
  if (!isHostMemory(value)) {
    throw new TypeError(`${what} must be a typed array, a Buffer, a DataView or an ArrayBuffer; ${nameOf(value)} came`);
  }
  const { byteLength } = value;
  if (byteLength > 0) return byteLength;
  if (isDetached(ArrayBuffer.isView(value) ? value.buffer : value)) {
    throw new TypeError(`${what} is detached: its buffer was transferred or freed`);
  }
  throw new RangeError(`${what} is empty; a copy needs at least one byte`);
}

/**
 * Host memory as bytes, the same memory.
 *
 * @throws what {@link hostByteLength} throws
 */
export function hostBytes(value: HostMemory, what: string): Uint8Array {
  hostByteLength(value, what);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

/** Name what came, for an error: 'a string', 'an Array', 'NaN'. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case 'number':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'string':
      return `the string ${JSON.stringify(value.length > 20 ? `${value.slice(0, 20)}…` : value)}`;
    case 'boolean':
      return String(value);
    case 'function':
      return value.name === '' ? 'a function' : `the function ${value.name}`;
    case 'object': {
      const name = (value.constructor as { name?: string } | undefined)?.name ?? 'object';
      return `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
    }
    default:
      return `a ${typeof value}`;
  }
}

/**
 * Check a size, offset or count.
 *
 * @throws TypeError no number (a bigint is accepted up to 2^53)
 * @throws RangeError not an integer within the limits; the message names both
 */
export function checkInteger(value: unknown, what: string, min = 0, max: number = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') throw new TypeError(`${what} must be a number; ${nameOf(value)} came`);
  if (!Number.isInteger(number) || number < min || number > max) {
    const limit = max === Number.MAX_SAFE_INTEGER ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
    throw new RangeError(`${what} must be ${limit}; ${String(value)} came`);
  }
  return number;
}

/** Refuse option names that nobody reads: a misspelt option would be ignored in silence. */
export function checkOptions(options: unknown, known: readonly string[], what: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || ArrayBuffer.isView(options)) {
    throw new TypeError(`${what} must be an options object; ${nameOf(options)} came`);
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new TypeError(`${what} has no option '${key}'; it knows ${known.join(', ')}`);
  }
}
