import { AddressMode, ArrayFormat, FilterMode, ResourceType } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { ImageForm, ImagePart, ReferenceRecord, Unreadable } from '../abi/image-record.ts';
import type { CpuReference } from '../abi/program.ts';
import { Status } from '../abi/status.ts';
import type { DeviceMemory } from '../runtime/memory.ts';
import type { DriverState } from './state.ts';
import { recordBytes, recordOf } from './texture-record.ts';
import { readSampling, type Sampling } from './texture-sampling.ts';
import { readSource, type ImageSource } from './texture-source.ts';

/** What a reference is bound to, in the terms of a CUDA_RESOURCE_DESC. */
export type ReferenceBinding =
  | { readonly kind: 'array' | 'mipmapped'; readonly handle: number }
  | { readonly kind: 'linear'; readonly address: number; readonly byteLength: number }
  | {
      readonly kind: 'pitched';
      readonly address: number;
      readonly width: number;
      readonly height: number;
      readonly pitch: number;
    };

const RESOURCE = structs.CUDA_RESOURCE_DESC;
const TEXTURE = structs.CUDA_TEXTURE_DESC;
const TYPES = {
  array: ResourceType.ARRAY,
  mipmapped: ResourceType.MIPMAPPED_ARRAY,
  linear: ResourceType.LINEAR,
  pitched: ResourceType.PITCH2D,
} as const;

/**
 * A texture or surface reference of a loaded module, as the host has set it. Its variable in device memory has the handle of
 * a record such as a texture object's. The first settings are those of an H200's driver of CUDA 13.0.
 */
export class CpuBoundReference {
  readonly handle: number;
  readonly declared: CpuReference;
  binding: ReferenceBinding | undefined;
  format: number = ArrayFormat.FLOAT;
  channels = 1;
  flags = 0;
  filter: number = FilterMode.POINT;
  mipmapFilter: number = FilterMode.POINT;
  bias = 0;
  leastLevel = 0;
  mostLevel = 0;
  slanted = 0;
  readonly modes: [number, number, number] = [AddressMode.CLAMP, AddressMode.CLAMP, AddressMode.CLAMP];
  /** As it was given: floats, or integers in their place. */
  readonly border: Uint8Array = new Uint8Array(16);
  readonly #address: number;
  #record = 0;

  /** @param address - of its variable */
  constructor(handle: number, declared: CpuReference, address: number) {
    this.handle = handle;
    this.declared = declared;
    this.#address = address;
  }

  /** Bind something else: a status, with which it is refused and the old binding stays. */
  bind(state: DriverState, binding: ReferenceBinding): number {
    const source = this.#sourceOf(state, binding);
    if (typeof source === 'number') return source;
    if (binding.kind === 'array' || binding.kind === 'mipmapped') {
      ({ format: this.format, channels: this.channels } = source.element);
    }
    this.binding = binding;
    return this.settle(state);
  }

  /** Let kernels that are launched from now on read by the present settings. */
  settle(state: DriverState): number {
    const { binding } = this;
    if (!binding) return Status.SUCCESS;
    const { memory } = state;
    const { last } = state.current ?? {};
    // Kernels read with the settings of their launch.
    if (last !== undefined) state.engine.wait(last);
    this.forget(memory);
    const source = this.#sourceOf(state, binding);
    const sampling = this.declared.kind === 'texture' ? this.#samplingOf(source) : undefined;
    const reason = this.#unreadable(source, sampling);
    const { view } = memory;
    view.setUint32(this.#address + ReferenceRecord.REASON, reason, true);
    if (reason !== 0 || typeof source === 'number' || typeof sampling === 'number') return state.refuse();
    state.engine.collect();
    const record = memory.allocate(recordBytes(source, sampling));
    if (record === undefined) return Status.OUT_OF_MEMORY;
    memory.bytes.set(recordOf(record, source, sampling), record);
    view.setBigUint64(this.#address + ReferenceRecord.HANDLE, BigInt(record), true);
    this.#record = record;
    return state.refuse();
  }

  /** Free the record. Kernels that read the reference after that can tell. */
  forget(memory: DeviceMemory): void {
    if (this.#record === 0) return;
    memory.view.setBigUint64(this.#address + ReferenceRecord.HANDLE, BigInt(this.#address), true);
    memory.release(this.#record);
    this.#record = 0;
  }

  #sourceOf(state: DriverState, binding: ReferenceBinding): ImageSource | number {
    const view = new DataView(new ArrayBuffer(RESOURCE.size));
    const put = (name: keyof typeof RESOURCE.fields, value: number): void => {
      view.setBigUint64(RESOURCE.fields[name], BigInt(value), true);
    };
    view.setInt32(RESOURCE.fields.resType, TYPES[binding.kind], true);
    if (binding.kind === 'linear') {
      put('res.linear.devPtr', binding.address);
      put('res.linear.sizeInBytes', binding.byteLength);
    } else if (binding.kind === 'pitched') {
      put('res.pitch2D.devPtr', binding.address);
      put('res.pitch2D.width', binding.width);
      put('res.pitch2D.height', binding.height);
      put('res.pitch2D.pitchInBytes', binding.pitch);
    } else put('res.array.hArray', binding.handle);
    if (binding.kind === 'linear' || binding.kind === 'pitched') {
      view.setInt32(RESOURCE.fields['res.linear.format'], this.format, true);
      view.setUint32(RESOURCE.fields['res.linear.numChannels'], this.channels, true);
    }
    return readSource(state, new Uint8Array(view.buffer), 0n);
  }

  #samplingOf(source: ImageSource | number): Sampling | number {
    if (typeof source === 'number') return source;
    const view = new DataView(new ArrayBuffer(TEXTURE.size));
    const { fields } = TEXTURE;
    this.modes.forEach((mode, axis) => {
      view.setInt32(fields.addressMode + 4 * axis, mode, true);
    });
    // Filters have no effect on linear memory: cuTexRefSetFilterMode.
    view.setInt32(fields.filterMode, this.binding?.kind === 'linear' ? FilterMode.POINT : this.filter, true);
    view.setUint32(fields.flags, this.flags, true);
    view.setUint32(fields.maxAnisotropy, this.slanted, true);
    view.setInt32(fields.mipmapFilterMode, this.mipmapFilter, true);
    view.setFloat32(fields.mipmapLevelBias, this.bias, true);
    view.setFloat32(fields.minMipmapLevelClamp, this.leastLevel, true);
    view.setFloat32(fields.maxMipmapLevelClamp, this.mostLevel, true);
    const bytes = new Uint8Array(view.buffer);
    bytes.set(this.border, fields.borderColor);
    return readSampling(bytes, source);
  }

  /** The `Unreadable` with what more it tells. */
  #unreadable(source: ImageSource | number, sampling: Sampling | number | undefined): number {
    if (typeof source === 'number' || typeof sampling === 'number') return Unreadable.SETTINGS;
    const { form: wanted, element } = this.declared;
    const form = source.form & ~ImageForm.LINEAR_MEMORY;
    // The faces of a cube are layers of two dimensions for a surface.
    const flat = !sampling && form & ImageForm.CUBE ? 2 | ImageForm.LAYERED : form;
    if (wanted !== form && wanted !== flat) return Unreadable.WRONG_FORM | (source.form << 8);
    if (!sampling || !element) return 0;
    const { channels, bytes } = source.element;
    const isFloat = sampling.part >= ImagePart.F16;
    const readsFloats = element.readsFloats || element.number === 'f';
    const wide = isFloat ? 4 : bytes / channels;
    const fits = isFloat === readsFloats && element.parts <= channels && (readsFloats ? 4 : element.partBytes) >= wide;
    return fits ? 0 : Unreadable.WRONG_TYPE | (((sampling.part << 4) | Math.log2(channels)) << 8);
  }
}
