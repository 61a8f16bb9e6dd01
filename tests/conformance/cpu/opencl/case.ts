import type { Dims } from '../../../../src/core/dims.ts';
import type { Buffer } from '../../../../src/opencl/memory/buffer.ts';
import type { KernelArgument } from '../../../../src/opencl/kernel/kernel-arguments.ts';
import type { Image } from '../../../../src/opencl/memory/image.ts';
import type { ImageSize } from '../../../../src/opencl/memory/image-shape.ts';
import type { ChannelOrder, ChannelType } from '../../../../src/opencl/sys/enums.ts';
import type { Buffers, Numbers, Tolerance } from '../case.ts';
import type { Random } from '../random.ts';

/** One launch of a case. */
export interface Launch {
  readonly kernel: string;
  readonly args: readonly KernelArgument[];
  readonly global: Dims;
  readonly local: Dims | null;
  readonly offset?: Dims;
}

/** An image with its first content. */
export interface CaseImage {
  readonly order: keyof typeof ChannelOrder;
  readonly channel: keyof typeof ChannelType;
  readonly shape: ImageSize;
  readonly isArray?: boolean;
  readonly data: Numbers;
}

/** A kernel in OpenCL C with its inputs and a reference that computes the same in another way. */
export interface OpenCLCase<B extends Buffers = Buffers> {
  readonly name: string;
  /** Cases of one file with the same options are compiled together: no two of them define the same name. */
  readonly source: string;
  /** Version 1.2 if not given. */
  readonly options?: string;
  /** Extensions and features that not every device has, and `non-uniform groups`. */
  readonly needs?: readonly string[];
  /** The inputs, and room for the outputs; the same in every run. */
  buffers(random: Random): B;
  images?(buffers: B): Readonly<Record<string, CaseImage>>;
  launches(memory: { readonly [K in keyof B]: Buffer }, buffers: B, images: (name: string) => Image): readonly Launch[];
  /** What the buffers hold after the last launch; those that it leaves out are not compared. */
  expected(buffers: B): { readonly [K in keyof B]?: ArrayLike<number> | ArrayLike<bigint> };
  /** For floating-point buffers; the results must be equal where there is none. */
  readonly tolerance?: Tolerance;
}

/** Check a case's types against each other, then forget them, so that cases fit into one list. */
export function openCLCase<B extends Buffers>(one: OpenCLCase<B>): OpenCLCase {
  return one;
}
