import { nameOf } from '../../core/check.ts';
import { describeSlot, type ArgumentBlock, type Slot } from '../../core/pack.ts';
import { DeviceQueue } from '../queue/device-queue.ts';
import { Image } from '../memory/image.ts';
import { imageTypeName } from '../memory/image-shape.ts';
import { MemoryObject } from '../memory/memory-object.ts';
import { Pipe } from '../memory/pipe.ts';
import { Sampler } from '../memory/sampler.ts';
import { MemFlags, MemObjectType } from '../sys/enums.ts';
import type { Binding, Setter } from './binding.ts';

/** An object that a kernel takes by its handle, not as a pointer. */
export type ObjectArgument = Image | Sampler | Pipe | DeviceQueue;

/** How kernels use an image or a pipe. */
export type Access = 'read_only' | 'write_only' | 'read_write';

const IMAGE = /^image(1d_array|1d_buffer|1d|2d_array|2d|3d)(_msaa)?(_depth)?_t$/;
const IMAGE_TYPES: Readonly<Record<string, number>> = {
  '1d': MemObjectType.IMAGE1D,
  '1d_array': MemObjectType.IMAGE1D_ARRAY,
  '1d_buffer': MemObjectType.IMAGE1D_BUFFER,
  '2d': MemObjectType.IMAGE2D,
  '2d_array': MemObjectType.IMAGE2D_ARRAY,
  '3d': MemObjectType.IMAGE3D,
};
const DENIED: Readonly<Record<Access, number>> = {
  read_only: MemFlags.WRITE_ONLY,
  write_only: MemFlags.READ_ONLY,
  read_write: MemFlags.READ_ONLY | MemFlags.WRITE_ONLY,
};

/** The handle of an object of the kernel's context; undefined for other values. */
export function objectHandle(
  value: unknown,
  { context, name, submission }: Binding,
  method: string,
): bigint | undefined {
  if (!isObject(value)) return undefined;
  if (value.context.identity !== context.identity) {
    throw new TypeError(
      `${name}: arguments must belong to the kernel's context, got ${nameOf(value)} of another context`,
    );
  }
  if (value instanceof MemoryObject) submission.use(value.uses);
  return value.use(method);
}

function isObject(value: unknown): value is ObjectArgument {
  return value instanceof Image || value instanceof Sampler || value instanceof Pipe || value instanceof DeviceQueue;
}

/**
 * The setter of a parameter whose type is an image's, a sampler's, a pipe's or a queue's; undefined for other types.
 *
 * @param access - as the kernel declares it, where that is known
 */
export function objectSetter(
  slot: Slot,
  binding: Binding,
  block: ArgumentBlock,
  base: bigint,
  access: Access | undefined,
): Setter | undefined {
  const check = checkOf(slot, access);
  if (!check) return undefined;
  const { table, kernel } = binding;
  const method = `argument of ${binding.name}`;
  const address = base + BigInt(slot.byteOffset);
  const at = slot.byteOffset >> 3;
  return (value) => {
    check(value);
    block.u64[at] = objectHandle(value, binding, method) as bigint;
    return table.clSetKernelArg(kernel, slot.index, 8, address);
  };
}

function checkOf(slot: Slot, access: Access | undefined): ((value: unknown) => void) | undefined {
  const text = slot.type?.text ?? '';
  const what = describeSlot(slot);
  const image = IMAGE.exec(text);
  if (image) return imageCheck(what, IMAGE_TYPES[image[1] ?? ''] ?? MemObjectType.IMAGE2D, access);
  if (text === 'sampler_t') return classCheck(what, 'a Sampler', Sampler);
  if (/^pipe\b/.test(text)) return classCheck(what, 'a Pipe', Pipe);
  if (text === 'queue_t') return classCheck(what, 'a DeviceQueue', DeviceQueue);
  return undefined;
}

function classCheck(
  what: string,
  wanted: string,
  type: typeof Sampler | typeof Pipe | typeof DeviceQueue,
): (value: unknown) => void {
  return (value) => {
    if (!(value instanceof type)) throw new TypeError(`${what} takes ${wanted}, got ${nameOf(value)}`);
  };
}

function imageCheck(what: string, type: number, access: Access | undefined): (value: unknown) => void {
  return (value) => {
    if (!(value instanceof Image)) {
      throw new TypeError(`${what} takes an Image, a ${imageTypeName(type)}, got ${nameOf(value)}`);
    }
    if (value.type !== type) {
      throw new TypeError(`${what} takes a ${imageTypeName(type)}, got a ${imageTypeName(value.type)}`);
    }
    if (access === undefined || (value.flags & DENIED[access]) === 0) return;
    const made = (value.flags & MemFlags.READ_ONLY) !== 0 ? 'READ_ONLY' : 'WRITE_ONLY';
    throw new TypeError(`${what} is ${access}; the image was made ${made}`);
  };
}
