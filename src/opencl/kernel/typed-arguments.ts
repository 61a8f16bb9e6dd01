import type { Dims } from '../../core/dims.ts';
import type { ElementName, TAKEN } from '../../core/element-table.ts';
import type { ArgumentsOf } from '../../core/typed/arguments.ts';
import type { Numbers, OpenCLTypes, Pointees } from '../../core/typed/c-type.ts';
import type { AnyElement, Holds } from '../../core/typed/element.ts';
import type { IsUnknown, Shape, SignatureOf, TypesOf } from '../../core/typed/kernels.ts';
import type { DeviceArray } from '../memory/array-place.ts';
import type { Buffer } from '../memory/buffer.ts';
import type { Image } from '../memory/image.ts';
import type { MemoryObject } from '../memory/memory-object.ts';
import type { Pipe } from '../memory/pipe.ts';
import type { Sampler } from '../memory/sampler.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';
import type { DeviceQueue } from '../queue/device-queue.ts';
import type { Event } from '../queue/event.ts';
import type { CommandQueue } from '../queue/queue.ts';
import type { KernelCallOptions } from './call-options.ts';
import type { KernelArgument, LocalMemory } from './kernel-arguments.ts';

/** What a pointer parameter takes: memory of these elements, bytes, or memory of which nothing is known. */
export type PointerArgument<E extends ElementName = AnyElement> =
  BufferOf<E> | DeviceArray<E> | (SVMMemory & Holds<E>) | null;

/** A {@link Buffer}, of whatever it was made: what counts are its elements. */
export interface BufferOf<E extends ElementName> extends MemoryObject, Holds<E> {
  readonly offset: number;
  readonly root: Buffer;
}

/** The arguments of a kernel: one for each parameter in its signature, or any number of any where that is not known. */
export type KernelArguments<S extends Shape> =
  IsUnknown<S> extends true ? KernelArgument[] : ArgumentsOf<SignatureOf<S>, TypesOf<S>, OpenCLArguments>;

/**
 * The arguments, and the options that may follow them. A key instead of a condition: where a call is generic, the type checker
 * infers into both sides of a condition, and so step by step into the reader of lists (60,000 instantiations at the first one).
 */
export type CallArguments<S extends Shape, Options = KernelCallOptions> = {
  readonly open: (KernelArgument | Options)[];
  readonly read: WithOptions<ArgumentsOf<SignatureOf<S>, TypesOf<S>, OpenCLArguments>, Options>;
}[IsUnknown<S> extends true ? 'open' : 'read'];

type WithOptions<Arguments extends unknown[], Options> = number extends Arguments['length']
  ? (KernelArgument | Options)[]
  : [...Arguments, options?: Options];

// A condition, so that no element is looked at before a kernel has it.
type PointerTo<E> = [E] extends [ElementName] ? PointerArgument<E> : never;
type Elements = Pointees<OpenCLTypes>;
type ImageName = `image${'1d' | '1d_array' | '1d_buffer' | '2d' | '2d_array' | '3d'}${'' | '_msaa'}${'' | '_depth'}_t`;

interface OpenCLArguments {
  readonly values: Numbers<OpenCLTypes> & { readonly [Name in ImageName]: Image } & {
    readonly sampler_t: Sampler;
    readonly queue_t: DeviceQueue;
  };
  readonly pointers: { readonly [Name in keyof Elements]: PointerTo<Elements[Name]> };
  readonly pointer: PointerArgument;
  readonly addresses: PointerArgument<(typeof TAKEN)['pointer'][number]>;
  readonly local: LocalMemory;
  readonly pipe: Pipe;
  readonly any: KernelArgument;
}

// Declared as a method, whose parameters TypeScript compares in both directions: a kernel whose signature is known goes
// where any kernel does.
export type Enqueue<S extends Shape> = {
  /**
   * Enqueue the kernel: `k(queue, global, local, ...args, { waitFor, offset })`. Where the source is a literal, the arguments
   * are checked against the kernel's own C parameters by the type checker too.
   *
   * Host: does not block. Queue: ordered.
   *
   * @param queue - of the program's context
   * @param global - work-items, `[x, y, z]` or a number
   * @param local - work-items of a group, as many sizes as `global` has; null lets the driver choose
   * @param args - one for each parameter; then, if you like, an object of {@link KernelCallOptions}
   * @throws TypeError a wrong count or kind of arguments
   * @throws RangeError a number that its parameter cannot hold, or sizes that the device does not allow
   */
  enqueue(queue: CommandQueue, global: Dims, local: Dims | null, ...args: CallArguments<S>): Event;
}['enqueue'];
