import type { CLMem } from '../node-opencl/objects.ts';
import { BufferCreateType, MemFlags } from '../opencl/sys/enums.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { cl, WebCLException } from './exception.ts';
import { answer } from './object.ts';

const { MEM_READ_WRITE, MEM_WRITE_ONLY, MEM_READ_ONLY } = constants;
const { COPY_HOST_PTR } = MemFlags;

/** A buffer or an image. */
export class WebCLMemoryObject {
  /** @internal */
  readonly handle: CLMem;
  /** @internal */
  readonly context: WebCLContext;
  readonly #parent: WebCLMemoryObject | null;

  /** @internal */
  constructor(context: WebCLContext, handle: CLMem, parent: WebCLMemoryObject | null = null) {
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
    };
    return answer(name, { prefix: MEMORY, own }, (asked) => cl.getMemObjectInfo(this.handle, asked));
  }
}

const MEMORY = /^MEM_(?:TYPE|FLAGS|SIZE|CONTEXT|ASSOCIATED_MEMOBJECT|OFFSET)$/;

/** Bytes of the device. */
export class WebCLBuffer extends WebCLMemoryObject {
  /** A part of the buffer, from a byte on. */
  createSubBuffer(memFlags: number, origin: number, sizeInBytes: number): WebCLBuffer {
    const region = { origin, size: sizeInBytes };
    const handle = cl.createSubBuffer(this.handle, checkFlags(memFlags), BufferCreateType.REGION, region);
    return new WebCLBuffer(this.context, handle, this);
  }
}

/** Refuse flags that WebCL has not. */
export function checkFlags(flags: unknown): number {
  if (flags === MEM_READ_WRITE || flags === MEM_WRITE_ONLY || flags === MEM_READ_ONLY) return flags;
  throw new WebCLException('INVALID_VALUE', 'The flags are one of MEM_READ_WRITE, MEM_WRITE_ONLY and MEM_READ_ONLY');
}

/** The flags and the array by which memory begins as an array, or as zeros: it never shows what was there before. */
export function initial(flags: number, byteLength: number, hostPtr: unknown): readonly [number, ArrayBufferView] {
  if (hostPtr === undefined || hostPtr === null) return [flags | COPY_HOST_PTR, new Uint8Array(byteLength)];
  if (!ArrayBuffer.isView(hostPtr)) throw new TypeError('hostPtr is a typed array or a DataView');
  if (hostPtr.byteLength >= byteLength) return [flags | COPY_HOST_PTR, hostPtr];
  const message = `hostPtr has ${hostPtr.byteLength} bytes; ${byteLength} are wanted`;
  throw new WebCLException('INVALID_HOST_PTR', message);
}
