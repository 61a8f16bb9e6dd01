import type { ElementName, TAKEN } from '../../core/element-table.ts';
import type { ArgumentsOf } from '../../core/typed/arguments.ts';
import type { Numbers, OpenCLTypes, Pointees } from '../../core/typed/c-type.ts';
import type { AnyElement, Holds } from '../../core/typed/element.ts';
import type { IsUnknown, Shape, SignatureOf, TypesOf } from '../../core/typed/kernels.ts';
import type { Buffer } from '../memory/buffer.ts';
import type { Image } from '../memory/image.ts';
import type { MemoryObject } from '../memory/memory-object.ts';
import type { Pipe } from '../memory/pipe.ts';
import type { Sampler } from '../memory/sampler.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';
import type { DeviceQueue } from '../queue/device-queue.ts';
import type { KernelCallOptions } from './call-options.ts';
import type { KernelArgument, LocalMemory } from './kernel-arguments.ts';

/** What a pointer parameter takes: memory of these elements, bytes, or memory of which nothing is known. */
export type PointerArgument<E extends ElementName = AnyElement> = BufferOf<E> | (SVMMemory & Holds<E>) | null;

/** A {@link Buffer}, of whatever it was made: what counts are its elements. */
export interface BufferOf<E extends ElementName> extends MemoryObject, Holds<E> {
  readonly offset: number;
  readonly root: Buffer;
}

/** The arguments of a kernel: one for each parameter in its signature, or any number of any where that is not known. */
export type KernelArguments<S extends Shape> =
  IsUnknown<S> extends true ? KernelArgument[] : ArgumentsOf<SignatureOf<S>, TypesOf<S>, OpenCLArguments>;

/** The arguments, and the options that may follow them. */
export type CallArguments<S extends Shape, Options = KernelCallOptions> =
  IsUnknown<S> extends true
    ? (KernelArgument | Options)[]
    : WithOptions<ArgumentsOf<SignatureOf<S>, TypesOf<S>, OpenCLArguments>, Options>;

type WithOptions<Arguments extends unknown[], Options> = number extends Arguments['length']
  ? (KernelArgument | Options)[]
  : [...Arguments, options?: Options];

type Elements = Pointees<OpenCLTypes>;
type ImageName = `image${'1d' | '1d_array' | '1d_buffer' | '2d' | '2d_array' | '3d'}${'' | '_msaa'}${'' | '_depth'}_t`;

interface OpenCLArguments {
  readonly values: Numbers<OpenCLTypes> & { readonly [Name in ImageName]: Image } & {
    readonly sampler_t: Sampler;
    readonly queue_t: DeviceQueue;
  };
  readonly pointers: { readonly [Name in keyof Elements]: PointerArgument<Elements[Name]> };
  readonly pointer: PointerArgument;
  readonly addresses: PointerArgument<(typeof TAKEN)['pointer'][number]>;
  readonly local: LocalMemory;
  readonly pipe: Pipe;
  readonly any: KernelArgument;
}
