import type { AnyHandle } from '../../core/handle.ts';
import type { FunctionAttribute } from '../sys/enums.ts';

/** Attributes of a launch as the driver reads them. */
export interface EncodedAttributes {
  /** The number of each attribute, and the address of its value. */
  entries(): Iterable<readonly [id: number, value: bigint]>;
}

/** A kernel with the shape of a launch, for code that launches nothing itself. */
export interface ConfiguredLaunch {
  /** Check and write the arguments; false where one of them needs device memory first. */
  pack(args: readonly unknown[], count: number): boolean;
  /** A `CUDA_KERNEL_NODE_PARAMS` of it. */
  nodeParams(): Uint8Array<ArrayBuffer>;
  readonly attributes: EncodedAttributes | undefined;
}

/** What a kernel gives to this package alone. */
export interface KernelInner {
  /** The record of its module or library. */
  readonly owner: (method: string) => AnyHandle;
  /** Check a launch's options and take them. */
  readonly configured: (options: unknown, method: string) => ConfiguredLaunch;
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
