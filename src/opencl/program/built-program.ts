import type { Resource } from '../../core/resource.ts';
import type { Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import type { RawProgram } from './raw-program.ts';

/** The native program, once there is one. */
export interface NativeProgram {
  raw: RawProgram | undefined;
}

/** A {@link Program} as far as its kernels need it. */
export interface BuiltProgram extends Resource<NativeProgram> {
  readonly context: Context;
  /** The devices that it is built for. */
  readonly devices: readonly Device[];
  /** The source text; '' for a program that was not made of source. */
  readonly source: string;
  /** The options that the compiler was given. */
  readonly options: string;
  /** The native program; throws before it is built. @internal */
  raw(method: string): RawProgram;
  /** Refuse a name that is not a kernel's. @internal */
  checkKernel(name: string): void;
}
