import { MemFlags } from '../../opencl/sys/enums.ts';
import type { Callback, ClContext } from './context.ts';
import type { ImageShape } from './image-shape.ts';
import { ClObject } from './object.ts';

/** The user's memory under an object with USE_HOST_PTR. The device works on a copy; mapping updates the user's memory. */
export interface HostPart {
  readonly bytes: Uint8Array;
  readonly address: bigint;
  /** Of an image, in bytes. */
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** A mapping of the host. */
export interface Mapping {
  /** The host's address. */
  readonly pointer: bigint;
  /** Byte offsets in the object: of the first byte, and behind the last. */
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
  /** Update the device's copy. */
  readonly writeBack: (() => void) | undefined;
}

/** The parts of a memory object. */
export interface MemoryParts {
  readonly context: ClContext;
  /** `MemObjectType` */
  readonly type: number;
  /** `MemFlags` */
  readonly flags: number;
  readonly byteLength: number;
  /** The device address. */
  readonly address: number;
  readonly parent?: ClMemory | undefined;
  /** The offset in the parent, in bytes. */
  readonly offset?: number;
  readonly host?: HostPart | undefined;
  /** The pointer given for USE_HOST_PTR; 0n for NULL. */
  readonly hostPointer?: bigint;
  /** Device addresses of the allocations that the object owns. */
  readonly owned: readonly number[];
  readonly image?: ImageShape | undefined;
  /** For an image: the device address of its record. */
  readonly record?: number;
  readonly properties?: readonly bigint[];
  readonly usesSvm?: boolean;
}

const KERNEL_ACCESS = MemFlags.READ_WRITE | MemFlags.WRITE_ONLY | MemFlags.READ_ONLY;
const HOST_ACCESS = MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;
const HOST_POINTER = MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR | MemFlags.COPY_HOST_PTR;

/** A buffer or an image. */
export class ClMemory extends ClObject implements MemoryParts {
  readonly context: ClContext;
  readonly type: number;
  readonly flags: number;
  readonly byteLength: number;
  readonly address: number;
  readonly parent: ClMemory | undefined;
  readonly offset: number;
  readonly host: HostPart | undefined;
  readonly hostPointer: bigint;
  readonly owned: readonly number[];
  readonly image: ImageShape | undefined;
  readonly record: number;
  readonly properties: readonly bigint[];
  readonly usesSvm: boolean;
  readonly maps: Mapping[] = [];
  readonly destructors: Callback[] = [];
  readonly #gone: (memory: ClMemory) => void;

  constructor(parts: MemoryParts, gone: (memory: ClMemory) => void) {
    super();
    this.context = parts.context;
    this.type = parts.type;
    this.flags = parts.flags;
    this.byteLength = parts.byteLength;
    this.address = parts.address;
    this.parent = parts.parent;
    this.offset = parts.offset ?? 0;
    this.host = parts.host;
    this.hostPointer = parts.hostPointer ?? 0n;
    this.owned = parts.owned;
    this.image = parts.image;
    this.record = parts.record ?? 0;
    this.properties = parts.properties ?? [];
    this.usesSvm = parts.usesSvm ?? false;
    this.#gone = gone;
    this.context.retain();
    this.parent?.retain();
  }

  destroy(): void {
    this.#gone(this);
    this.parent?.release();
    this.context.release();
  }

  /** Whether commands of the host may read or write the object. */
  hostMay(what: 'read' | 'write'): boolean {
    const denied = what === 'read' ? MemFlags.HOST_WRITE_ONLY : MemFlags.HOST_READ_ONLY;
    return (this.flags & (denied | MemFlags.HOST_NO_ACCESS)) === 0;
  }
}

/** Whether all flags are known and compatible. */
export function flagsAgree(flags: number): boolean {
  const known = KERNEL_ACCESS | HOST_ACCESS | HOST_POINTER | MemFlags.KERNEL_READ_AND_WRITE;
  if ((flags & ~known) !== 0 || several(flags & KERNEL_ACCESS) || several(flags & HOST_ACCESS)) return false;
  const copies = flags & (MemFlags.COPY_HOST_PTR | MemFlags.ALLOC_HOST_PTR);
  return (flags & MemFlags.USE_HOST_PTR) === 0 || copies === 0;
}

/** The flags of a sub-object: missing flags come from the parent. Undefined where the parent denies a flag. */
export function flagsOfPart(flags: number, whole: number): number | undefined {
  if (!flagsAgree(flags) || (flags & HOST_POINTER) !== 0) return undefined;
  const { READ_WRITE, READ_ONLY, WRITE_ONLY, HOST_READ_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS } = MemFlags;
  const asks = (bits: number): boolean => (flags & bits) !== 0;
  const has = (bits: number): boolean => (whole & bits) !== 0;
  if (has(WRITE_ONLY) && asks(READ_WRITE | READ_ONLY)) return undefined;
  if (has(READ_ONLY) && asks(READ_WRITE | WRITE_ONLY)) return undefined;
  if (has(HOST_WRITE_ONLY) && asks(HOST_READ_ONLY)) return undefined;
  if (has(HOST_READ_ONLY) && asks(HOST_WRITE_ONLY)) return undefined;
  if (has(HOST_NO_ACCESS) && asks(HOST_READ_ONLY | HOST_WRITE_ONLY)) return undefined;
  const kernel = asks(KERNEL_ACCESS) ? 0 : whole & KERNEL_ACCESS;
  const host = asks(HOST_ACCESS) ? 0 : whole & HOST_ACCESS;
  return flags | kernel | host | (whole & HOST_POINTER);
}

/** The flags, with the default access of kernels if they give none. */
export function withAccess(flags: number): number {
  return (flags & KERNEL_ACCESS) === 0 ? flags | MemFlags.READ_WRITE : flags;
}

function several(bits: number): boolean {
  return (bits & (bits - 1)) !== 0;
}
