import * as entry from '../../src/opencl/index.ts';
import type { Program } from './faults.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);

/** What every program is given: a context of the device and a queue, which outlive it. */
export interface OpenCLGround {
  readonly context: entry.Context;
  readonly queue: entry.CommandQueue;
  /** A program's binary, so that nothing is compiled: kernels `add(global float *, int)` and `none()`. */
  readonly binary: Uint8Array;
}

export type Programs = Readonly<Record<string, Program>>;

/** The source of {@link OpenCLGround.binary}. */
export const FAULTS_SOURCE = `__kernel void add(__global float *a, int n) { if (n > 0) a[0] = 1; }
__kernel void none(void) {}`;

export const READ_WRITE: number = entry.MemFlags.READ_WRITE;
export const COPY_HOST_PTR: number = entry.MemFlags.COPY_HOST_PTR;
export const bytes = (): Uint8Array => new Uint8Array(64);
export const format = (): entry.ImageFormat =>
  new cl.ImageFormat(entry.ChannelOrder.RGBA, entry.ChannelType.UNSIGNED_INT8);

/** Makes what most programs need. */
export interface Makers {
  readonly image: () => entry.Image;
  readonly buffer: () => entry.Buffer;
  /** Built, of a binary. */
  readonly program: () => entry.Program;
}

export function makersOf(ground: () => OpenCLGround): Makers {
  return {
    image: () => new cl.Image(ground().context, READ_WRITE, format(), [4, 4]),
    buffer: () => new cl.Buffer(ground().context, READ_WRITE, 256),
    program: () => {
      const { context, binary } = ground();
      return cl.Program.fromBinaries(context, [binary]).build();
    },
  };
}
