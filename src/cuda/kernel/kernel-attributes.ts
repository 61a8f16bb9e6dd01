import { Callable } from '../../core/callable.ts';
import { checkInteger } from '../../core/check.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import { readInnerWith, type KernelInner } from '../lifetime/kernel-inner.ts';
import { FunctionAttribute } from '../sys/enums.ts';

/**
 * What the driver knows of a compiled kernel: what it needs, and how it is to run.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html | cuFuncGetAttribute}
 */
export abstract class KernelAttributes<S extends Shape = AnyShape> extends Callable {
  /** What it is known by, for the type checker alone: no value has the property. */
  declare readonly '~shape'?: S;
  readonly #inner: KernelInner;

  /** @internal */
  constructor(call: (...args: never[]) => unknown, name: string, inner: KernelInner) {
    super(call, name);
    this.#inner = inner;
  }

  /** An attribute of the kernel on its device; {@link FunctionAttribute} has their numbers. */
  abstract getAttribute(attribute: FunctionAttribute): number;

  /** Set an attribute: dynamic shared memory limit, shared memory carve-out. */
  abstract setAttribute(attribute: FunctionAttribute, value: number): void;

  /** Registers that a thread uses. */
  get numRegs(): number {
    return this.getAttribute(FunctionAttribute.NUM_REGS);
  }

  /** Static shared memory of a block, in bytes. */
  get sharedSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.SHARED_SIZE_BYTES);
  }

  /** Local memory of a thread, in bytes: spilled registers and arrays. */
  get localSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.LOCAL_SIZE_BYTES);
  }

  /** Constant memory that the module's user allocated, in bytes. */
  get constSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.CONST_SIZE_BYTES);
  }

  /** Threads that a block of this kernel can have on its device. */
  get maxThreadsPerBlock(): number {
    return this.getAttribute(FunctionAttribute.MAX_THREADS_PER_BLOCK);
  }

  /** The PTX version that it was compiled for, 10 × major + minor. */
  get ptxVersion(): number {
    return this.getAttribute(FunctionAttribute.PTX_VERSION);
  }

  /** The machine code's version, 10 × major + minor. */
  get binaryVersion(): number {
    return this.getAttribute(FunctionAttribute.BINARY_VERSION);
  }

  /** Dynamic shared memory that a launch may ask for, in bytes. Set by itself when a launch asks for more. */
  get maxDynamicSharedSizeBytes(): number {
    return this.getAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES);
  }

  set maxDynamicSharedSizeBytes(bytes: number) {
    this.setAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }

  /** How a multiprocessor's memory is split for this kernel: percent of it that is shared memory; -1: the driver's choice. */
  get preferredSharedMemoryCarveout(): number {
    return this.getAttribute(FunctionAttribute.PREFERRED_SHARED_MEMORY_CARVEOUT);
  }

  set preferredSharedMemoryCarveout(percent: number) {
    const value = checkInteger(percent, 'The carve-out', -1, 100);
    this.setAttribute(FunctionAttribute.PREFERRED_SHARED_MEMORY_CARVEOUT, value);
  }

  /** The cluster that the kernel was compiled for (`__cluster_dims__`), in blocks; all 0 for none. */
  get requiredCluster(): readonly [x: number, y: number, z: number] {
    return [
      this.getAttribute(FunctionAttribute.REQUIRED_CLUSTER_WIDTH),
      this.getAttribute(FunctionAttribute.REQUIRED_CLUSTER_HEIGHT),
      this.getAttribute(FunctionAttribute.REQUIRED_CLUSTER_DEPTH),
    ];
  }

  /** Every attribute of the kernel that its driver knows, by name. */
  getAttributes(): Readonly<Partial<Record<keyof typeof FunctionAttribute, number>>> {
    const found: Partial<Record<keyof typeof FunctionAttribute, number>> = {};
    for (const [name, attribute] of Object.entries(FunctionAttribute)) {
      const value = this.#inner.tryAttribute(attribute);
      if (value !== undefined) found[name as keyof typeof FunctionAttribute] = value;
    }
    return found;
  }

  static {
    readInnerWith((value) => (#inner in value ? value.#inner : undefined));
  }
}
