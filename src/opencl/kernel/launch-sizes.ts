import { readDims, type Dims } from '../../core/dims.ts';
import { addressOf } from '../../ffi/memory.ts';
import type { Device } from '../device/device.ts';
import type { KernelBase } from './kernel-base.ts';

// Offset, global and local size: three size_t each, written by their low words.
const dims = new Float64Array(9);
const words = new Uint32Array(18);
export const OFFSET: bigint = addressOf(words);
export const GLOBAL: bigint = OFFSET + 24n;
export const LOCAL: bigint = OFFSET + 48n;

interface Limits {
  readonly device: Device;
  readonly workGroupSize: number;
  /** The local size that the source asks for. */
  readonly required: readonly number[] | undefined;
  readonly workItemSizes: readonly number[];
  readonly uniformGroups: boolean;
}

/** The sizes of a kernel's launches: read, checked, and written where the driver reads them. */
export class LaunchSizes {
  readonly #kernel: KernelBase;
  #limits: Limits | undefined;
  readonly #limitsOf = new Map<Device, Limits>();

  constructor(kernel: KernelBase) {
    this.#kernel = kernel;
  }

  /**
   * Check the sizes and write them to {@link OFFSET}, {@link GLOBAL} and {@link LOCAL}.
   *
   * @param least - the smallest global size
   * @returns how many dimensions they have
   */
  read(device: Device, global: Dims, local: Dims | null, offset: Dims | undefined, least: number): number {
    const dimensions = readDims(global, 'The global size', dims, 3, least);
    readSizes(local, 'The local size', 6, dimensions, 1);
    readSizes(offset, 'The offset', 0, dimensions, 0);
    for (let i = 0; i < 9; i++) words[2 * i] = dims[i] ?? 0;
    words[7] = 0;
    this.#check(device, dimensions, hasSizes(local));
    return dimensions;
  }

  /**
   * Write the sizes of groups in one dimension, each of `width * height` work-items, for a launch of two dimensions. There may
   * be more work-items than 32 bits count.
   */
  write(device: Device, groups: number, width: number, height: number): void {
    dims.fill(1);
    dims[3] = groups * width;
    dims[4] = dims[7] = height;
    dims[6] = width;
    for (let i = 0; i < 9; i++) words[2 * i] = dims[i] ?? 0;
    words[7] = dims[3] / 2 ** 32;
    this.#check(device, 2, true);
  }

  /** Report a size that the driver would refuse, with the numbers of both sides. */
  #check(device: Device, dimensions: number, hasLocal: boolean): void {
    let limits = this.#limits;
    if (limits?.device !== device) limits = this.#limits = this.#limitsFor(device);
    const { required } = limits;
    if (!hasLocal) return;
    let total = 1;
    for (let i = 0; i < dimensions; i++) {
      const size = dims[6 + i] ?? 1;
      total *= size;
      const most = limits.workItemSizes[i] ?? 1;
      if (size > most) throw this.#error(`local size ${i} is ${size}; the device allows ${most}`, dimensions);
      if (limits.uniformGroups && (dims[3 + i] ?? 1) % size !== 0) {
        const text = `global size ${dims[3 + i]} is not a multiple of local size ${size}, which OpenCL 1.x requires`;
        throw this.#error(text, dimensions);
      }
      if (required && size !== required[i]) {
        throw this.#error(`the kernel asks for the local size [${required.join(', ')}]`, dimensions);
      }
    }
    if (total > limits.workGroupSize) {
      const text = `a work-group of ${total} work-items is too large; the limit of this kernel on the device is ${limits.workGroupSize}`;
      throw this.#error(text, dimensions);
    }
  }

  #limitsFor(device: Device): Limits {
    const known = this.#limitsOf.get(device);
    if (known) return known;
    const info = this.#kernel.workGroupInfo(device);
    const required = info.compileWorkGroupSize;
    const limits = {
      device,
      workGroupSize: info.workGroupSize,
      required: (required[0] ?? 0) > 0 ? required : undefined,
      workItemSizes: device.limits.workItemSizes,
      uniformGroups: device.limits.uniformGroups,
    };
    this.#limitsOf.set(device, limits);
    return limits;
  }

  #error(text: string, dimensions: number): RangeError {
    const sizes = `global [${list(3, dimensions)}] local [${list(6, dimensions)}]`;
    return new RangeError(`${this.#kernel.name}: ${text}\n  ${sizes}`);
  }
}

/** Whether sizes were given. */
export function hasSizes(sizes: unknown): boolean {
  return sizes !== null && sizes !== undefined;
}

/** Whether the global size that was read last has a 0. */
export function isEmpty(dimensions: number): boolean {
  for (let i = 0; i < dimensions; i++) if (dims[3 + i] === 0) return true;
  return false;
}

/** The global size that was read last, for errors. */
export function globalText(): string {
  return list(3);
}

/** The local size that was read last; undefined where the driver chooses it. */
export function localText(): string | undefined {
  return dims[6] === 0 ? undefined : list(6);
}

function readSizes(sizes: unknown, what: string, at: number, dimensions: number, min: number): void {
  if (!hasSizes(sizes)) {
    dims[at] = dims[at + 1] = dims[at + 2] = 0;
    return;
  }
  const count = readDims(sizes, what, dims, at, min);
  if (count !== dimensions) {
    throw new TypeError(`${what} has ${count} dimension${count === 1 ? '' : 's'}, the global size ${dimensions}`);
  }
}

function list(at: number, dimensions = 3): string {
  return Array.from(dims.subarray(at, at + dimensions)).join(', ');
}
