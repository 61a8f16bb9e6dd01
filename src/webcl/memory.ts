import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import { nameOf } from '../core/check.ts';
import { trueByteLength } from '../core/host-memory.ts';
import type { CLMem } from '../node-opencl/objects.ts';
import { BufferCreateType, MemFlags } from '../opencl/sys/enums.ts';
import { constants } from './constants.ts';
import { checkLive, cl, WebCLException } from './exception.ts';
import { answer } from './object.ts';
import type { Owner } from './owner.ts';

const { MEM_READ_WRITE, MEM_WRITE_ONLY, MEM_READ_ONLY } = constants;
const { COPY_HOST_PTR } = MemFlags;
/** The flags that WebCL has. */
const KNOWN_FLAGS = MEM_READ_WRITE | MEM_WRITE_ONLY | MEM_READ_ONLY;

/** A buffer or an image. */
export class WebCLMemoryObject extends PublicObject {
  /** @internal */
  readonly handle: CLMem;
  /** @internal */
  readonly context: Owner;
  readonly #parent: WebCLMemoryObject | null;

  /** @internal */
  constructor(maker: Maker, context: Owner, handle: CLMem, parent: WebCLMemoryObject | null = null) {
    super();
    checkMade(maker === MAKER, new.target.name, 'call context.createBuffer() or context.createImage()');
    this.context = context;
    this.handle = handle;
    this.#parent = parent;
    context.family.add(this);
  }

  /** A property: `webcl.MEM_SIZE`. */
  getInfo(name: number): unknown {
    return this.memoryInfo(name);
  }

  /** Free the memory, once its commands have ended. */
  release(): void {
    cl.releaseMemObject(this.handle);
  }

  /** @internal */
  protected memoryInfo(name: number): unknown {
    const own = {
      [constants.MEM_CONTEXT]: () => this.context,
      [constants.MEM_ASSOCIATED_MEMOBJECT]: () => this.#parent,
      [constants.MEM_FLAGS]: () => (cl.getMemObjectInfo(this.handle, constants.MEM_FLAGS) as number) & KNOWN_FLAGS,
    };
    checkLive(this.handle, 'CLMem');
    return answer(name, { prefix: MEMORY, own }, (asked) => cl.getMemObjectInfo(this.handle, asked));
  }
}

const MEMORY = /^MEM_(?:TYPE|FLAGS|SIZE|CONTEXT|ASSOCIATED_MEMOBJECT|OFFSET)$/;

/** Bytes of the device. */
export class WebCLBuffer extends WebCLMemoryObject {
  /** A part of the buffer, from an offset in bytes. */
  createSubBuffer(memFlags: number, origin: number, sizeInBytes: number): WebCLBuffer {
    const region = { origin, size: sizeInBytes };
    checkLive(this.handle, 'CLMem');
    const handle = cl.createSubBuffer(this.handle, checkFlags(memFlags), BufferCreateType.REGION, region);
    return new WebCLBuffer(MAKER, this.context, handle, this);
  }
}

/** The handle of memory for a command of a context; refuses another kind, released memory and other contexts. */
export function memoryHandle(
  value: unknown,
  kind: abstract new (...args: never[]) => WebCLMemoryObject,
  context: Owner,
): CLMem {
  if (!(value instanceof kind))
    throw new WebCLException('INVALID_MEM_OBJECT', `The memory must be a ${kind.name}, got ${nameOf(value)}`);
  checkLive(value.handle, 'CLMem');
  if (value.context === context) return value.handle;
  throw new WebCLException('INVALID_CONTEXT', `The ${kind.name} is of another context`);
}

/** Refuse flags that WebCL does not have. */
export function checkFlags(flags: unknown): number {
  if (flags === MEM_READ_WRITE || flags === MEM_WRITE_ONLY || flags === MEM_READ_ONLY) return flags;
  throw new WebCLException(
    'INVALID_VALUE',
    'The flags must be one of MEM_READ_WRITE, MEM_WRITE_ONLY and MEM_READ_ONLY',
  );
}

/** The flags and the array of the first content, which is zeros without an array: earlier content never shows. */
export function initial(flags: number, byteLength: number, hostPtr: unknown): readonly [number, ArrayBufferView] {
  if (hostPtr === undefined || hostPtr === null) return [flags | COPY_HOST_PTR, zeros(byteLength)];
  if (!ArrayBuffer.isView(hostPtr)) throw new TypeError('hostPtr must be a typed array or a DataView');
  const room = trueByteLength(hostPtr);
  if (room >= byteLength) return [flags | COPY_HOST_PTR, hostPtr];
  const message = `hostPtr must have ${byteLength} bytes, got ${room}`;
  throw new WebCLException('INVALID_HOST_PTR', message);
}

function zeros(byteLength: number): Uint8Array {
  try {
    return new Uint8Array(byteLength);
  } catch (error) {
    throw new WebCLException('OUT_OF_HOST_MEMORY', `There is no memory for ${byteLength} bytes of zeros`, error);
  }
}
