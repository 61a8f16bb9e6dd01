import { MemFlags } from '../../opencl/sys/enums.ts';
import type { Callback, ClContext } from './context.ts';
import type { ImageShape } from './image-shape.ts';
import { ClObject } from './object.ts';

/** The user's own memory under an object of USE_HOST_PTR: the device works on a copy, and mapping brings it up to date. */
export interface HostPart {
  readonly bytes: Uint8Array;
  readonly address: bigint;
  /** Of an image, in bytes. */
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** What the host has mapped. */
export interface Mapping {
  /** As the host knows it. */
  readonly pointer: bigint;
  /** Bytes from the object's first, to behind its last. */
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
  /** Bring the device's copy up to date. */
  readonly writeBack: (() => void) | undefined;
}

/** What a memory object is made of. */
export interface MemoryParts {
  readonly context: ClContext;
  /** `MemObjectType` */
  readonly type: number;
  /** `MemFlags` */
  readonly flags: number;
  readonly byteLength: number;
  /** On the device. */
  readonly address: number;
  readonly parent?: ClMemory | undefined;
  /** Bytes from the parent's first. */
  readonly offset?: number;
  readonly host?: HostPart | undefined;
  /** As it was given for USE_HOST_PTR; 0n for NULL. */
  readonly hostPointer?: bigint;
  /** Bytes that the device keeps for the object alone: to be freed with it. */
  readonly owned: readonly number[];
  readonly image?: ImageShape | undefined;
  /** Of an image: where the device finds its description. */
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

  /** Whether the host may read it or write it by commands. */
  hostMay(what: 'read' | 'write'): boolean {
    const denied = what === 'read' ? MemFlags.HOST_WRITE_ONLY : MemFlags.HOST_READ_ONLY;
    return (this.flags & (denied | MemFlags.HOST_NO_ACCESS)) === 0;
  }
}

/** Whether flags are known and none excludes another. */
export function flagsAgree(flags: number): boolean {
  const known = KERNEL_ACCESS | HOST_ACCESS | HOST_POINTER | MemFlags.KERNEL_READ_AND_WRITE;
  if ((flags & ~known) !== 0 || several(flags & KERNEL_ACCESS) || several(flags & HOST_ACCESS)) return false;
  const copies = flags & (MemFlags.COPY_HOST_PTR | MemFlags.ALLOC_HOST_PTR);
  return (flags & MemFlags.USE_HOST_PTR) === 0 || copies === 0;
}

/** The flags of a part: what it does not say, the whole says. Undefined where it asks for what the whole denies. */
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

/** What kernels may do with an object whose flags do not say it. */
export function withAccess(flags: number): number {
  return (flags & KERNEL_ACCESS) === 0 ? flags | MemFlags.READ_WRITE : flags;
}

function several(bits: number): boolean {
  return (bits & (bits - 1)) !== 0;
}
