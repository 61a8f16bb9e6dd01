import type { AnyHandle } from '../../core/handle.ts';
import type { Launcher } from '../kernel/launch.ts';
import type { FunctionAttribute } from '../sys/enums.ts';

/** What a kernel gives to this package alone. */
export interface KernelInner {
  /** The record of its module or library. */
  readonly owner: (method: string) => AnyHandle;
  /** A configured launcher, for code that needs a configuration and launches nothing. */
  readonly configured: (options: unknown, method: string) => Launcher;
  /** An attribute; undefined if the driver does not know it. */
  readonly tryAttribute: (attribute: FunctionAttribute) => number | undefined;
}

let readInner: (value: object) => KernelInner | undefined = () => undefined;

/** For the class of kernels: how to read the inside of one. Graphs are made below kernels and take them as parameters. */
export function readInnerWith(read: (value: object) => KernelInner | undefined): void {
  readInner = read;
}

/** The inside of a kernel; undefined for any other value. */
export function kernelInner(value: unknown): KernelInner | undefined {
  return typeof value === 'function' ? readInner(value) : undefined;
}
