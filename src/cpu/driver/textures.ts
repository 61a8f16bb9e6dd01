import type { DriverTable } from '../../cuda/sys/tables.ts';
import { Array3DFlags } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { putWide, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';
import { recordBytes, recordOf } from './texture-record.ts';
import { readSampling, type Sampling } from './texture-sampling.ts';
import { readSource, type ImageSource } from './texture-source.ts';

type Names = 'cuTexObjectCreate' | 'cuTexObjectDestroy' | 'cuSurfObjectCreate' | 'cuSurfObjectDestroy';

/** Textures and surfaces. The handle of one is the address of a record that kernels read. */
export const textureFunctions: Rows<DriverState, DriverTable, Names> = {
  cuTexObjectCreate: (state, out, resource, description, view) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const source = readSource(state, resource, view);
    if (typeof source === 'number') return source;
    const sampling = readSampling(description, source);
    return typeof sampling === 'number' ? sampling : create(state, out, source, sampling);
  },
  cuTexObjectDestroy: (state, handle) => destroy(state, handle, false),
  cuSurfObjectCreate: (state, out, resource) => {
    const refused = state.refuse();
    if (refused !== 0) return refused;
    const source = readSource(state, resource, 0n);
    if (typeof source === 'number') return source;
    const { array } = source;
    // CUDA's driver takes a surface of an array only, made for it.
    const fits = array && !source.mipmapped && (array.shape.flags & Array3DFlags.SURFACE_LDST) !== 0;
    return fits ? create(state, out, source) : Status.INVALID_VALUE;
  },
  cuSurfObjectDestroy: (state, handle) => destroy(state, handle, true),
};

function create(state: DriverState, out: Out, source: ImageSource, sampling?: Sampling): number {
  const context = state.current;
  if (!context) return Status.INVALID_CONTEXT;
  const { memory } = state;
  state.engine.collect();
  const address = memory.allocate(recordBytes(source, sampling));
  if (address === undefined) return Status.OUT_OF_MEMORY;
  memory.bytes.set(recordOf(address, source, sampling), address);
  state.images.objects.set(address, { context, surface: !sampling });
  return putWide(out, address);
}

function destroy(state: DriverState, handle: number | bigint, surface: boolean): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const found = state.images.objects.get(Number(handle));
  if (found?.surface !== surface) return Status.INVALID_VALUE;
  // Commands that still run may use the record.
  state.settle(found.context);
  state.images.destroy(state.memory, Number(handle));
  return state.refuse();
}
