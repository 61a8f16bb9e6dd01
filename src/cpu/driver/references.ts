import { AddressMode, Array3DFlags, FilterMode, TextureFlags } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { bytesAt, putFloat, putInt, putWide, type Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import { Status } from '../abi/status.ts';
import { elementFormat } from './array-shape.ts';
import { CpuBoundReference } from './bound-reference.ts';
import type { CpuModule } from './objects.ts';
import type { DriverState } from './state.ts';
import { TEXTURE_ALIGNMENT } from './texture-limits.ts';
import { structAt } from './texture-source.ts';

type Names =
  | 'cuModuleGetTexRef'
  | 'cuModuleGetSurfRef'
  | `cuTexRefSet${'Array' | 'MipmappedArray' | 'Address' | 'Address2D' | 'Format' | 'AddressMode' | 'FilterMode' | 'Flags'}`
  | `cuTexRefSet${'MipmapFilterMode' | 'MipmapLevelBias' | 'MipmapLevelClamp' | 'MaxAnisotropy' | 'BorderColor'}`
  | `cuTexRefGet${'Array' | 'MipmappedArray' | 'Address' | 'Format' | 'AddressMode' | 'FilterMode' | 'Flags'}`
  | `cuTexRefGet${'MipmapFilterMode' | 'MipmapLevelBias' | 'MipmapLevelClamp' | 'MaxAnisotropy' | 'BorderColor'}`
  | `cuSurfRef${'Set' | 'Get'}Array`;

type Kind = 'texture' | 'surface';

/** The references that were asked for, by their handles. */
const references = new WeakMap<DriverState, Map<number, CpuBoundReference>>();
/** And by their names. */
const named = new WeakMap<CpuModule, Map<string, CpuBoundReference>>();

const OVERRIDE_FORMAT = 1;
const KNOWN_FLAGS = Object.values(TextureFlags).reduce<number>((all, flag) => all | flag, 0);
const ARRAY = structs.CUDA_ARRAY_DESCRIPTOR;
const COLOR_BYTES = 16;

/** Texture and surface references, which CUDA 12 has removed from its language and not from its driver. */
export const referenceFunctions: Rows<DriverState, DriverTable, Names> = {
  cuModuleGetTexRef: (state, out, module, name) => find(state, out, module, name, 'texture'),
  cuModuleGetSurfRef: (state, out, module, name) => find(state, out, module, name, 'surface'),
  cuTexRefSetArray: (state, raw, array, flags) =>
    withTexture(state, raw, (one) => {
      if (flags !== OVERRIDE_FORMAT) return Status.INVALID_VALUE;
      return one.bind(state, { kind: 'array', handle: Number(array) });
    }),
  cuTexRefSetMipmappedArray: (state, raw, array, flags) =>
    withTexture(state, raw, (one) => {
      if (flags !== OVERRIDE_FORMAT) return Status.INVALID_VALUE;
      return one.bind(state, { kind: 'mipmapped', handle: Number(array) });
    }),
  cuTexRefSetAddress: (state, out, raw, pointer, byteLength) =>
    withTexture(state, raw, (one) => {
      // The texture begins where one may; the offset is for the kernel's indices.
      const offset = Number(pointer) % TEXTURE_ALIGNMENT;
      if (offset !== 0 && out === 0n) return Status.INVALID_VALUE;
      const address = Number(pointer) - offset;
      const status = one.bind(state, { kind: 'linear', address, byteLength: Number(byteLength) + offset });
      return status === 0 ? putWide(out, offset) : status;
    }),
  cuTexRefSetAddress2D: (state, raw, description, pointer, pitch) =>
    withTexture(state, raw, (one) => {
      const view = structAt(description, ARRAY.size);
      if (!view) return Status.INVALID_VALUE;
      const size = (name: 'Width' | 'Height'): number => Number(view.getBigUint64(ARRAY.fields[name], true));
      const format = view.getInt32(ARRAY.fields.Format, true);
      const element = elementFormat(format, view.getUint32(ARRAY.fields.NumChannels, true));
      if (!element) return Status.INVALID_VALUE;
      const before = { format: one.format, channels: one.channels };
      Object.assign(one, { format: element.format, channels: element.channels });
      const shape = { width: size('Width'), height: size('Height'), pitch: Number(pitch) };
      const status = one.bind(state, { kind: 'pitched', address: Number(pointer), ...shape });
      if (status !== 0) Object.assign(one, before);
      return status;
    }),
  cuTexRefSetFormat: (state, raw, format, channels) =>
    withTexture(state, raw, (one) => {
      if (!elementFormat(format, channels)) return Status.INVALID_VALUE;
      const { kind } = one.binding ?? {};
      const same = one.format === format && one.channels === channels;
      // Arrays have a format, and so does memory with a pitch from the time that it is bound.
      if (kind !== undefined && kind !== 'linear') return same ? Status.SUCCESS : Status.INVALID_VALUE;
      Object.assign(one, { format, channels });
      return one.settle(state);
    }),
  cuTexRefSetAddressMode: (state, raw, axis, mode) =>
    set(state, raw, axis >= 0 && axis < 3 && mode >= 0 && mode <= AddressMode.BORDER, ({ modes }) => {
      modes[axis] = mode;
    }),
  cuTexRefSetFilterMode: (state, raw, mode) => set(state, raw, isFilter(mode), (one) => void (one.filter = mode)),
  cuTexRefSetMipmapFilterMode: (state, raw, mode) =>
    set(state, raw, isFilter(mode), (one) => void (one.mipmapFilter = mode)),
  cuTexRefSetMipmapLevelBias: (state, raw, bias) => set(state, raw, true, (one) => void (one.bias = bias)),
  cuTexRefSetMipmapLevelClamp: (state, raw, leastLevel, mostLevel) =>
    set(state, raw, true, (one) => Object.assign(one, { leastLevel, mostLevel })),
  cuTexRefSetMaxAnisotropy: (state, raw, most) => set(state, raw, true, (one) => void (one.slanted = most)),
  cuTexRefSetBorderColor: (state, raw, color) =>
    set(state, raw, true, ({ border }) => {
      border.set(bytesAt(color, COLOR_BYTES).subarray(0, COLOR_BYTES));
    }),
  cuTexRefSetFlags: (state, raw, flags) =>
    set(state, raw, (flags & ~KNOWN_FLAGS) === 0, (one) => void (one.flags = flags)),
  cuTexRefGetAddress: (state, out, raw) =>
    withTexture(state, raw, ({ binding }) => {
      return binding && 'address' in binding ? putWide(out, binding.address) : Status.INVALID_VALUE;
    }),
  cuTexRefGetArray: (state, out, raw) => withTexture(state, raw, (one) => putArray(out, one, 'array')),
  cuTexRefGetMipmappedArray: (state, out, raw) => withTexture(state, raw, (one) => putArray(out, one, 'mipmapped')),
  cuTexRefGetAddressMode: (state, out, raw, axis) =>
    withTexture(state, raw, ({ modes }) => {
      const mode = modes[axis];
      return mode === undefined ? Status.INVALID_VALUE : putInt(out, mode);
    }),
  cuTexRefGetFilterMode: (state, out, raw) => withTexture(state, raw, ({ filter }) => putInt(out, filter)),
  cuTexRefGetFormat: (state, format, channels, raw) =>
    withTexture(state, raw, (one) => {
      if (format !== 0n) putInt(format, one.format);
      return channels === 0n ? Status.SUCCESS : putInt(channels, one.channels);
    }),
  cuTexRefGetMipmapFilterMode: (state, out, raw) =>
    withTexture(state, raw, ({ mipmapFilter }) => putInt(out, mipmapFilter)),
  cuTexRefGetMipmapLevelBias: (state, out, raw) => withTexture(state, raw, ({ bias }) => putFloat(out, bias)),
  cuTexRefGetMipmapLevelClamp: (state, least, most, raw) =>
    withTexture(state, raw, (one) => {
      putFloat(least, one.leastLevel);
      return putFloat(most, one.mostLevel);
    }),
  cuTexRefGetMaxAnisotropy: (state, out, raw) => withTexture(state, raw, ({ slanted }) => putInt(out, slanted)),
  cuTexRefGetBorderColor: (state, out, raw) =>
    withTexture(state, raw, ({ border }) => {
      bytesAt(out, COLOR_BYTES).set(border);
      return Status.SUCCESS;
    }),
  cuTexRefGetFlags: (state, out, raw) => withTexture(state, raw, ({ flags }) => putInt(out, flags)),
  cuSurfRefSetArray: (state, raw, array, flags) =>
    withReference(state, raw, 'surface', (one) => {
      const shape = state.images.arrays.get(Number(array))?.shape;
      if (flags !== 0 || ((shape?.flags ?? 0) & Array3DFlags.SURFACE_LDST) === 0) return Status.INVALID_VALUE;
      return one.bind(state, { kind: 'array', handle: Number(array) });
    }),
  cuSurfRefGetArray: (state, out, raw) => withReference(state, raw, 'surface', (one) => putArray(out, one, 'array')),
};

function find(state: DriverState, out: Out, raw: bigint, name: string, kind: Kind): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const module = state.modules.get(Number(raw));
  if (!module) return Status.INVALID_HANDLE;
  const [declared, address] = module.loaded?.program.references.get(name) ?? [];
  if (declared?.kind !== kind || address === undefined) return Status.NOT_FOUND;
  const names = mapOf(named, module);
  const reference = names.get(name) ?? new CpuBoundReference(state.newHandle(), declared, address);
  if (!names.has(name)) keep(state, module, reference);
  names.set(name, reference);
  return putWide(out, reference.handle);
}

/** Keep a reference until its module is unloaded. */
function keep(state: DriverState, module: CpuModule, reference: CpuBoundReference): void {
  const handles = mapOf(references, state);
  handles.set(reference.handle, reference);
  module.ends.push(() => {
    handles.delete(reference.handle);
    state.engine.afterAll(() => {
      reference.forget(state.memory);
    });
  });
}

function mapOf<Owner extends object, Key>(
  maps: WeakMap<Owner, Map<Key, CpuBoundReference>>,
  owner: Owner,
): Map<Key, CpuBoundReference> {
  const map = maps.get(owner) ?? new Map<Key, CpuBoundReference>();
  maps.set(owner, map);
  return map;
}

function withReference(state: DriverState, raw: bigint, kind: Kind, run: (one: CpuBoundReference) => number): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const reference = references.get(state)?.get(Number(raw));
  return reference?.declared.kind === kind ? run(reference) : Status.INVALID_HANDLE;
}

function withTexture(state: DriverState, raw: bigint, run: (one: CpuBoundReference) => number): number {
  return withReference(state, raw, 'texture', run);
}

/** Change a setting. */
function set(state: DriverState, raw: bigint, isValid: boolean, change: (one: CpuBoundReference) => unknown): number {
  return withTexture(state, raw, (one) => {
    if (!isValid) return Status.INVALID_VALUE;
    change(one);
    return one.settle(state);
  });
}

function putArray(out: Out, { binding }: CpuBoundReference, kind: 'array' | 'mipmapped'): number {
  return binding?.kind === kind ? putWide(out, binding.handle) : Status.INVALID_VALUE;
}

function isFilter(mode: number): boolean {
  return mode === FilterMode.POINT || mode === FilterMode.LINEAR;
}
