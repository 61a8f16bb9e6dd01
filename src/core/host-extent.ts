import { types } from 'node:util';

/** Where host memory lies. */
export interface HostExtent {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}

type Getter = (this: unknown) => unknown;
type Getters = Readonly<Record<keyof HostExtent, Getter>>;

const getterOf = (prototype: object, name: string): Getter =>
  Reflect.get(Object.getOwnPropertyDescriptor(prototype, name) ?? {}, 'get') as Getter;
const gettersOf = (prototype: object): Getters => ({
  buffer: getterOf(prototype, 'buffer'),
  byteOffset: getterOf(prototype, 'byteOffset'),
  byteLength: getterOf(prototype, 'byteLength'),
});

// The runtime's own getters: a property of that name on an array hides them, and a copy by what it says leaves the memory.
const typedArray = gettersOf(Object.getPrototypeOf(Uint8Array.prototype) as object);
const dataView = gettersOf(DataView.prototype);
const bufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const sharedLength = getterOf(SharedArrayBuffer.prototype, 'byteLength');

const typedLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, 'length');

/** The elements that a typed array really has; 0 where it is detached. */
export function trueLength(value: ArrayBufferView): number {
  return typedLength.call(value) as number;
}

/** Where host memory really lies, own properties ignored; nowhere (0 bytes) where it is detached. */
export function hostExtent(value: ArrayBufferView | ArrayBufferLike): HostExtent {
  if (!ArrayBuffer.isView(value)) {
    const length = types.isSharedArrayBuffer(value) ? sharedLength : bufferLength;
    return { buffer: value, byteOffset: 0, byteLength: length.call(value) as number };
  }
  if (types.isTypedArray(value)) return readExtent(value, typedArray);
  try {
    return readExtent(value, dataView);
  } catch {
    // A DataView over detached memory has no size to read.
    return { buffer: dataView.buffer.call(value) as ArrayBufferLike, byteOffset: 0, byteLength: 0 };
  }
}

function readExtent(view: ArrayBufferView, getters: Getters): HostExtent {
  return {
    buffer: getters.buffer.call(view) as ArrayBufferLike,
    byteOffset: getters.byteOffset.call(view) as number,
    byteLength: getters.byteLength.call(view) as number,
  };
}

/** The bytes that host memory really has; 0 where it is detached. */
export function trueByteLength(value: ArrayBufferView | ArrayBufferLike): number {
  return types.isTypedArray(value) ? (typedArray.byteLength.call(value) as number) : hostExtent(value).byteLength;
}

/** Buffers over memory that is not the runtime's. */
const natives = new WeakSet<ArrayBufferLike>();

/**
 * Tell of a buffer over native memory: it stays where it is, independent of the buffer, and the code that frees it must be
 * able to detach the buffer at any time.
 */
export function noteNative(buffer: ArrayBuffer): void {
  natives.add(buffer);
}

/** Whether {@link noteNative} was told of a buffer. */
export function isNative(buffer: ArrayBufferLike): boolean {
  return natives.has(buffer);
}
