import { MemFlags, MemObjectType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import type { CpuKernel, OpenCLArgument, OpenCLKernel } from '../abi/program.ts';
import { Code } from './code.ts';
import { HostView } from './host-view.ts';
import { Limits } from './limits.ts';
import type { ClMemory } from './memory.ts';
import { ClObject, type Handles } from './object.ts';
import type { Build, ClProgram } from './program.ts';
import type { ClSampler } from './sampler.ts';

/** The objects that handles among arguments may name. */
export interface ArgumentObjects {
  readonly memories: Handles<ClMemory>;
  readonly samplers: Handles<ClSampler>;
}

const POINTER_BYTES = 8;
/** Types of images, by their names in the language. */
const IMAGE_TYPES: Readonly<Record<string, number>> = {
  image1d_t: MemObjectType.IMAGE1D,
  image1d_array_t: MemObjectType.IMAGE1D_ARRAY,
  image1d_buffer_t: MemObjectType.IMAGE1D_BUFFER,
  image2d_t: MemObjectType.IMAGE2D,
  image2d_depth_t: MemObjectType.IMAGE2D,
  image2d_array_t: MemObjectType.IMAGE2D_ARRAY,
  image2d_array_depth_t: MemObjectType.IMAGE2D_ARRAY,
  image3d_t: MemObjectType.IMAGE3D,
};

/** A kernel with its arguments, in the device's packed form. */
export class ClKernel extends ClObject {
  readonly program: ClProgram;
  readonly build: Build;
  readonly kernel: CpuKernel;
  readonly facts: OpenCLKernel;
  /** Its index in its program. */
  readonly index: number;
  /** The arguments, followed by room for the launch record. */
  readonly block: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  /** The memory objects among the arguments. */
  readonly memories: (ClMemory | undefined)[];
  /** Bytes of local memory that arguments ask for. */
  localBytes = 0;
  readonly #locals: number[];
  readonly #given: boolean[];
  readonly #views: HostView[];
  #missing: number;
  readonly #objects: ArgumentObjects;
  readonly #gone: (kernel: ClKernel) => void;

  constructor(
    program: ClProgram,
    build: Build,
    index: number,
    objects: ArgumentObjects,
    gone: (kernel: ClKernel) => void,
  ) {
    super();
    const kernel = build.program?.kernels[index];
    if (!kernel?.opencl) throw new TypeError(`Kernel ${index} is not one of OpenCL C`);
    this.program = program;
    this.build = build;
    this.kernel = kernel;
    this.facts = kernel.opencl;
    this.index = index;
    this.block = new Uint8Array(Math.max(16, kernel.argumentBytes));
    this.view = new DataView(this.block.buffer);
    const count = kernel.parameters.length;
    this.memories = Array.from({ length: count }, () => undefined);
    this.#locals = Array.from({ length: count }, () => 0);
    this.#given = Array.from({ length: count }, () => false);
    this.#views = Array.from({ length: count }, () => new HostView());
    this.#missing = count;
    this.#objects = objects;
    this.#gone = gone;
    program.retain();
    program.kernels++;
  }

  /** Whether an argument was never set. */
  get incomplete(): boolean {
    return this.#missing > 0;
  }

  destroy(): void {
    this.#gone(this);
    this.program.kernels--;
    this.program.release();
  }

  /** Another kernel with the same arguments. */
  clone(gone: (kernel: ClKernel) => void): ClKernel {
    const copy = new ClKernel(this.program, this.build, this.index, this.#objects, gone);
    copy.block.set(this.block);
    this.memories.forEach((memory, i) => (copy.memories[i] = memory));
    this.#locals.forEach((bytes, i) => (copy.#locals[i] = bytes));
    this.#given.forEach((given, i) => (copy.#given[i] = given));
    copy.localBytes = this.localBytes;
    copy.#missing = this.#missing;
    return copy;
  }

  /** Set an argument: a status. */
  set(index: number, size: number, value: Out): number {
    const argument = this.facts.arguments[index];
    const parameter = this.kernel.parameters[index];
    if (!argument || !parameter) return Code.INVALID_ARG_INDEX;
    if (argument.kind === 'local') return this.#setLocal(index, size, value);
    if (size !== (argument.kind === 'value' ? parameter.size : POINTER_BYTES)) return Code.INVALID_ARG_SIZE;
    const view = this.#views[index] as HostView;
    if (argument.kind === 'value') {
      if (value === 0n) return Code.INVALID_ARG_VALUE;
      const bytes = view.bytes(value, size);
      if (bytes.length < size) return Code.INVALID_ARG_VALUE;
      this.block.set(bytes, parameter.offset);
      return this.#note(index);
    }
    const words = value === 0n ? undefined : view.words(value, 2);
    if (words && words.length < 2) return Code.INVALID_ARG_VALUE;
    const handle = words ? (words[0] as number) + (words[1] as number) * 0x1_0000_0000 : 0;
    switch (argument.kind) {
      case 'buffer':
        return this.#setBuffer(index, parameter.offset, handle);
      case 'image':
        return this.#setImage(index, parameter.offset, handle, argument);
      case 'sampler':
        return this.#setSampler(index, parameter.offset, handle);
    }
  }

  /** Set a pointer to shared virtual memory, by the device's address. */
  setAddress(index: number, address: number): number {
    const argument = this.facts.arguments[index];
    const parameter = this.kernel.parameters[index];
    if (!argument || !parameter) return Code.INVALID_ARG_INDEX;
    if (argument.kind !== 'buffer') return Code.INVALID_ARG_VALUE;
    this.memories[index] = undefined;
    return this.#put(index, parameter.offset, address);
  }

  #setBuffer(index: number, offset: number, handle: number): number {
    const memory = handle === 0 ? undefined : this.#objects.memories.at(handle);
    if (handle !== 0) {
      if (memory?.type !== MemObjectType.BUFFER) return Code.INVALID_MEM_OBJECT;
      if (memory.context !== this.program.context) return Code.INVALID_MEM_OBJECT;
    }
    this.memories[index] = memory;
    return this.#put(index, offset, memory?.address ?? 0);
  }

  #setImage(index: number, offset: number, handle: number, { typeName, access }: OpenCLArgument): number {
    const memory = this.#objects.memories.at(handle);
    if (!memory?.image || memory.context !== this.program.context) return Code.INVALID_MEM_OBJECT;
    const wanted = IMAGE_TYPES[typeName];
    if (wanted !== undefined && wanted !== memory.type) return Code.INVALID_ARG_VALUE;
    const { READ_ONLY, WRITE_ONLY } = MemFlags;
    const denied = access === 'read_only' ? WRITE_ONLY : access === 'write_only' ? READ_ONLY : READ_ONLY | WRITE_ONLY;
    if ((memory.flags & denied) !== 0) return Code.INVALID_ARG_VALUE;
    this.memories[index] = memory;
    return this.#put(index, offset, memory.record);
  }

  #setSampler(index: number, offset: number, handle: number): number {
    const sampler = this.#objects.samplers.at(handle);
    if (!sampler || sampler.context !== this.program.context) return Code.INVALID_SAMPLER;
    return this.#put(index, offset, sampler.bits);
  }

  #setLocal(index: number, size: number, value: Out): number {
    if (value !== 0n) return Code.INVALID_ARG_VALUE;
    if (size === 0) return Code.INVALID_ARG_SIZE;
    if (size > Limits.LOCAL) return Code.MAX_SIZE_RESTRICTION_EXCEEDED;
    this.#note(index);
    if (this.#locals[index] === size) return Code.SUCCESS;
    this.#locals[index] = size;
    let total = 0;
    this.#locals.forEach((bytes, i) => {
      if (this.facts.arguments[i]?.kind !== 'local') return;
      this.#put(i, this.kernel.parameters[i]?.offset ?? 0, total, this.#given[i] === true);
      total += Math.ceil(bytes / Limits.ALIGNMENT) * Limits.ALIGNMENT;
    });
    this.localBytes = total;
    return Code.SUCCESS;
  }

  #put(index: number, offset: number, value: number, given = true): number {
    this.view.setUint32(offset, value, true);
    this.view.setUint32(offset + 4, 0, true);
    return given ? this.#note(index) : Code.SUCCESS;
  }

  #note(index: number): number {
    if (this.#given[index] !== true) {
      this.#given[index] = true;
      this.#missing--;
    }
    return Code.SUCCESS;
  }
}
