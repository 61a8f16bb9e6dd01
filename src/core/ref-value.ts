import { trueByteLength } from './host-memory.ts';

/**
 * What the npm packages ref-struct-di and ref-array-di make, and their forks. It is told by its shape: a struct has its
 * bytes under `'ref.buffer'`, an array under `buffer`, which of a typed array is not a view.
 */
export type RefValue = { readonly 'ref.buffer': Uint8Array } | { readonly buffer: Uint8Array; readonly length: number };

/** A number in memory, as `ref.alloc('int', 5)` makes it. */
export type RefPointer = Uint8Array & { readonly type: { readonly size: number; readonly indirection: number } };

/** The bytes of a struct or an array of ref's, the same memory; undefined for anything else. */
export function refBytes(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  try {
    const { 'ref.buffer': struct, buffer, length } = value as Readonly<Record<string, unknown>>;
    if (isBytes(struct)) return struct;
    return typeof length === 'number' && isBytes(buffer) ? buffer : undefined;
  } catch {
    // What inherits from an array of the language has getters that refuse it.
    return undefined;
  }
}

/** What a caller passed as host memory, with the bytes in place of a value of ref's. */
export function hostOf<T>(value: T | RefValue): T {
  return (refBytes(value) as T | undefined) ?? (value as T);
}

/** What a number of ref's is. */
export interface RefNumber {
  readonly bytes: Uint8Array;
  readonly kind: 'int' | 'float';
}

/** A number of ref's; undefined for anything else, a pointer too. */
export function refNumber(value: unknown): RefNumber | undefined {
  if (!isBytes(value)) return undefined;
  const { type } = value as { readonly type?: { readonly [key in 'size' | 'indirection' | 'name']?: unknown } | null };
  if (typeof type !== 'object' || type === null) return undefined;
  if (type.indirection !== 1 || type.size !== trueByteLength(value) || typeof type.name !== 'string') return undefined;
  return { bytes: value, kind: /^(?:float|double)$/.test(type.name) ? 'float' : 'int' };
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}
