import { checkOptions, nameOf } from '../../core/check.ts';
import { isHostMemory } from '../../core/host-memory.ts';
import { checkEngine, copyInto, empty, withoutGaps } from '../apply.ts';
import { broadcastTo } from '../broadcast.ts';
import { arrayDTypes, isWeakScalar, type ArrayDType, type WeakScalar } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { bytesOf, elementReader, elementWriter, hostArray, type ArrayData } from '../host-data.ts';
import { applyIndex } from '../index-key.ts';
import { engineOf, laneOf, memoryOf, NDArray, viewOf } from '../ndarray.ts';
import { toNested, type Nested } from '../nested.ts';
import { readNested } from '../read-nested.ts';
import { sharesElements } from '../sharing.ts';
import { Program } from '../program.ts';
import { pushScalar } from '../operand.ts';
import type { LaunchArgument } from '../engine.ts';
import type { PrintedElement } from '../printable.ts';
import { shapeText } from '../shape.ts';

/** {@link NDArray.get} */
export function get<D extends ArrayDType>(array: NDArray<D>, out?: ArrayData<D>): ArrayData<D> {
  array.use('get');
  const host = hostFor(array, out, 'get');
  if (array.size > 0) {
    using flat = flatOf(array);
    engineOf(flat).read(memoryOf(flat), flat.offset * flat.itemsize, bytesOf(host), laneOf(flat));
  }
  return host;
}

/** {@link NDArray.read} */
export async function read<D extends ArrayDType>(array: NDArray<D>, out?: ArrayData<D>): Promise<ArrayData<D>> {
  array.use('read');
  const host = hostFor(array, out, 'read');
  if (array.size === 0) return host;
  const flat = flatOf(array);
  try {
    await engineOf(flat).readLater(memoryOf(flat), flat.offset * flat.itemsize, bytesOf(host), laneOf(flat));
  } finally {
    flat.close();
  }
  return host;
}

/** {@link NDArray.item} */
export function item(array: NDArray, ...indices: readonly number[]): PrintedElement {
  array.use('item');
  if (indices.length === 0 && array.size !== 1) {
    throw new RangeError(
      `item must be given an index for an array of ${array.size} elements, got none; write get() for all of them`,
    );
  }
  if (indices.length > 0 && indices.length !== array.ndim) {
    throw new RangeError(
      `item must be given ${array.ndim} indices for shape ${shapeText(array.shape)}, got ${indices.length}`,
    );
  }
  const { offset } = applyIndex(array, indices.length === 0 ? array.shape.map(() => 0) : indices);
  const bytes = new Uint8Array(array.itemsize);
  engineOf(array).read(memoryOf(array), offset * array.itemsize, bytes, laneOf(array));
  return elementReader(array.dtype, bytes)(0);
}

/** {@link NDArray.toArray} */
export function toArray(array: NDArray): Nested {
  const { shape, dtype } = array;
  const element = elementReader(dtype, bytesOf(get(array)));
  return toNested({
    shape,
    dtype,
    element: (indices) => element(indices.reduce((at, index, axis) => at * (shape[axis] ?? 1) + index, 0)),
  });
}

/** {@link NDArray.set} */
export function set(array: NDArray, value: unknown, options?: LaneOptions): NDArray {
  array.use('set');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'set');
  const engine = engineOf(array);
  const lane = engine.laneOf(options, 'set') ?? laneOf(array);
  if (value instanceof NDArray) {
    value.use('set');
    checkEngine(value as NDArray, engine, 'set');
    const source = viewOf(value as NDArray, broadcastTo(value, array.shape));
    try {
      assign(array, source, lane);
    } finally {
      source.close();
    }
    return array;
  }
  if (isWeakScalar(value)) {
    fill(array, value, lane);
    return array;
  }
  using made = fromHost(value, array, lane);
  copyInto(array, made, lane);
  return array;
}

/** Copy elements between arrays that may share memory, as if those of the source were copied first. */
function assign(array: NDArray, source: NDArray, lane: ReturnType<typeof laneOf>): void {
  if (sharesElements(array, source)) {
    using first = empty(engineOf(array), source.shape, source.dtype, lane);
    copyInto(first, source, lane);
    copyInto(array, first, lane);
    return;
  }
  copyInto(array, source, lane);
}

/** What the host has, as an array of the same dtype and shape. */
function fromHost(value: unknown, like: NDArray, lane: ReturnType<typeof laneOf>): NDArray {
  const made = empty(engineOf(like), like.shape, like.dtype, lane);
  try {
    const bytes = isHostMemory(value) ? hostBytesFor(value, like) : nestedBytesFor(value, like);
    if (bytes.length > 0) engineOf(like).write(memoryOf(made), 0, bytes, lane);
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

function hostBytesFor(value: unknown, like: NDArray): Uint8Array<ArrayBuffer> {
  const wanted = hostArray(like.dtype, 0).constructor as new () => ArrayBufferView;
  if (!(value instanceof wanted) && !(ArrayBuffer.isView(value) && value.constructor.name === wanted.name)) {
    throw new TypeError(
      `set must be given ${article(wanted.name)} for elements of ${like.dtype}, got ${nameOf(value)}`,
    );
  }
  const bytes = bytesOf(value);
  if (bytes.length === like.nbytes) return bytes;
  const each = arrayDTypes[like.dtype].size;
  throw new RangeError(
    `set must be given ${like.size} elements for shape ${shapeText(like.shape)}, got ${bytes.length / each}`,
  );
}

function nestedBytesFor(value: unknown, like: NDArray): Uint8Array<ArrayBuffer> {
  const { shape, elements } = readNested(value, 'set: the value');
  if (shape.length !== like.ndim || shape.some((length, axis) => length !== like.shape[axis])) {
    throw new RangeError(`set must be given elements of shape ${shapeText(like.shape)}, got ${shapeText(shape)}`);
  }
  const bytes = new Uint8Array(like.nbytes);
  const write = elementWriter(like.dtype, bytes);
  for (const [i, element] of elements.entries()) write(i, element, 'set: an element');
  return bytes;
}

const fills = new Map<ArrayDType, Program>();

/** Give every element one value. */
export function fill(array: NDArray, value: WeakScalar, lane: ReturnType<typeof laneOf>): void {
  const { dtype } = array;
  let program = fills.get(dtype);
  if (program === undefined) {
    const node = { kind: 'scalar', index: 0, dtype } as const;
    program = new Program({ name: `fill_${dtype}`, inputs: [], scalars: [dtype], outputs: [{ dtype, node }] });
    fills.set(dtype, program);
  }
  const args: LaunchArgument[] = [];
  pushScalar(args, value, dtype);
  program.run(engineOf(array), lane, [array], args);
}

/** The elements of an array in row-major order: a view of it where they are, else a copy. */
export function flatOf(array: NDArray): NDArray {
  return withoutGaps(array, laneOf(array));
}

function hostFor<D extends ArrayDType>(array: NDArray<D>, out: ArrayData<D> | undefined, method: string): ArrayData<D> {
  if (out === undefined) return hostArray(array.dtype, array.size);
  const wanted = hostArray(array.dtype, 0).constructor.name;
  if (!ArrayBuffer.isView(out) || (out as object).constructor.name !== wanted) {
    throw new TypeError(`${method}: out must be ${article(wanted)} for elements of ${array.dtype}, got ${nameOf(out)}`);
  }
  const { byteLength } = out as ArrayBufferView;
  if (byteLength !== array.nbytes) {
    throw new RangeError(
      `${method}: out must have ${array.nbytes} bytes for ${array.size} elements, got ${byteLength}`,
    );
  }
  return out;
}

function article(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}
