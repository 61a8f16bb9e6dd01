import { PublicObject } from '../core/public-object.ts';
import { claim, Handle } from '../core/handle.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { cl } from './call.ts';
import { failure, type StatusName } from './failure.ts';

/** The C type of each kind of object. */
interface CTypes {
  CLPlatformId: 'cl_platform_id';
  CLDeviceId: 'cl_device_id';
  CLContext: 'cl_context';
  CLProgram: 'cl_program';
  CLKernel: 'cl_kernel';
  CLMem: 'cl_mem';
  CLSampler: 'cl_sampler';
  CLCommandQueue: 'cl_command_queue';
  CLEvent: 'cl_event';
}

/** node-opencl's names of the kinds of objects. */
export type Kind = keyof CTypes;

/** The driver's handle of a kind. */
export type Raw<K extends Kind> = Opaque<CTypes[K]>;

/** The status of a call with a value of another kind, and how references are counted. */
const KINDS: Readonly<
  Record<Kind, readonly [invalid: StatusName, retain?: keyof typeof cl, release?: keyof typeof cl]>
> = {
  CLPlatformId: ['CL_INVALID_PLATFORM'],
  CLDeviceId: ['CL_INVALID_DEVICE', 'clRetainDevice', 'clReleaseDevice'],
  CLContext: ['CL_INVALID_CONTEXT', 'clRetainContext', 'clReleaseContext'],
  CLProgram: ['CL_INVALID_PROGRAM', 'clRetainProgram', 'clReleaseProgram'],
  CLKernel: ['CL_INVALID_KERNEL', 'clRetainKernel', 'clReleaseKernel'],
  CLMem: ['CL_INVALID_MEM_OBJECT', 'clRetainMemObject', 'clReleaseMemObject'],
  CLSampler: ['CL_INVALID_SAMPLER', 'clRetainSampler', 'clReleaseSampler'],
  CLCommandQueue: ['CL_INVALID_COMMAND_QUEUE', 'clRetainCommandQueue', 'clReleaseCommandQueue'],
  CLEvent: ['CL_INVALID_EVENT', 'clRetainEvent', 'clReleaseEvent'],
};

/** How the program makes a first object of a kind. */
const MAKERS: Readonly<Record<Kind, string>> = {
  CLPlatformId: 'getPlatformIDs',
  CLDeviceId: 'getDeviceIDs',
  CLContext: 'createContext',
  CLProgram: 'createProgramWithSource',
  CLKernel: 'createKernel',
  CLMem: 'createBuffer',
  CLSampler: 'createSampler',
  CLCommandQueue: 'createCommandQueue',
  CLEvent: 'createUserEvent',
};

type Count = (raw: bigint) => unknown;

/** The driver's object of a wrapper, and the number of references that the wrapper owns. */
interface Owned {
  readonly handle: Handle<bigint>;
  count: number;
  readonly disown: () => void;
}

/** How a wrapper gets its object. */
export interface Ownership {
  /** Whether the wrapper owns one reference. */
  readonly owns: boolean;
  /** Release the last reference in another way than by the driver's release. */
  readonly destroy?: (raw: bigint) => void;
}

/**
 * An object of the driver, opaque: no properties, no equality, a new wrapper for each query. The wrapper owns the references
 * that it was made with and those that `retain…` added; the collector releases the remaining ones.
 */
export abstract class CLObject<K extends Kind> extends PublicObject {
  readonly #kind: K;
  readonly #raw: bigint;
  #owned: Owned | undefined;

  /** @internal */
  constructor(maker: Maker, kind: K, raw: bigint, { owns, destroy }: Ownership) {
    super();
    checkMade(maker === MAKER, kind, `call ${MAKERS[kind]}()`);
    this.#kind = kind;
    this.#raw = raw;
    if (!owns || raw === 0n) return;
    const release = releaseOf(kind);
    const record = { count: 1 };
    const handle = new Handle(kind, raw, (value: bigint) => {
      for (; record.count > 1; record.count--) release(value);
      (destroy ?? release)(value);
    });
    this.#owned = Object.assign(record, { handle, disown: claim(this, handle, true) });
  }

  /** Whether another wrapper has the same object. */
  equals(other: unknown): boolean {
    return CLObject.#is(other) && other.#raw === this.#raw && other.#kind === this.#kind;
  }

  override toString(): string {
    return `[object ${this.#kind}@0x${this.#raw.toString(16)}]`;
  }

  static #is(value: unknown): value is CLObject<Kind> {
    return typeof value === 'object' && value !== null && #kind in value;
  }

  /** Whether a value is an object of a kind. */
  static isKind<K extends Kind>(value: unknown, kind: K): value is CLObject<K> {
    return CLObject.#is(value) && value.#kind === kind;
  }

  /**
   * Whether a value owns, or has owned, references.
   * @internal
   */
  static isOwner(value: unknown): boolean {
    return CLObject.#is(value) && value.#owned !== undefined;
  }

  /**
   * The driver's handle, for one call.
   * @internal
   */
  static raw<K extends Kind>(value: unknown, kind: K): Raw<K> {
    if (!CLObject.isKind(value, kind)) throw failure(KINDS[kind][0]);
    if (value.#raw === 0n || value.#owned?.count === 0) {
      throw failure(KINDS[kind][0], new Error(`This ${kind} ${value.#raw === 0n ? 'is NULL' : 'was released'}`));
    }
    return value.#raw as Raw<K>;
  }

  /**
   * The record that owns the object, for code that keeps it alive; undefined for an object without an owner.
   * @internal
   */
  static record(value: CLObject<Kind>): Handle<bigint> | undefined {
    return value.#owned?.handle;
  }

  /** @internal */
  static retain(value: unknown, kind: Kind): 0 {
    const raw = CLObject.raw(value, kind);
    retainOf(kind)(raw);
    const owned = (value as CLObject<Kind>).#owned;
    if (owned) owned.count++;
    return 0;
  }

  /**
   * Release one reference. For a wrapper that owns none any more, the result is a success, too.
   * @internal
   */
  static release(value: unknown, kind: Kind): 0 {
    if (!CLObject.isKind(value, kind)) throw failure(KINDS[kind][0]);
    const owned = value.#owned;
    if (value.#raw === 0n) throw failure(KINDS[kind][0], new Error(`This ${kind} is NULL`));
    if (owned === undefined || owned.count === 0) return 0;
    if (owned.count > 1) {
      releaseOf(kind)(value.#raw);
      owned.count--;
      return 0;
    }
    owned.count = 0;
    owned.disown();
    owned.handle.release();
    return 0;
  }
}

function retainOf(kind: Kind): Count {
  const name = KINDS[kind][1];
  return name === undefined ? () => 0 : (cl[name] as Count);
}

function releaseOf(kind: Kind): Count {
  const name = KINDS[kind][2];
  return name === undefined ? () => 0 : (cl[name] as Count);
}
