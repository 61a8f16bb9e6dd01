import type { DriverTable } from '../../cuda/sys/tables.ts';
import { fitsLimits } from './texture-limits.ts';
import { ImageForm } from '../abi/image-record.ts';
import { Status } from '../abi/status.ts';
import { putWide } from '../abi/out.ts';
import { levelOf, mostLevels, putArrayShape, readArrayShape, type CpuArrayShape } from './array-shape.ts';
import type { CpuArray, CpuMipmapped } from './images.ts';
import type { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuArray3DCreate'
  | 'cuArray3DGetDescriptor'
  | 'cuArrayDestroy'
  | 'cuMipmappedArrayCreate'
  | 'cuMipmappedArrayGetLevel'
  | 'cuMipmappedArrayDestroy';

/** Levels begin at multiples of this, as allocations do. */
const LEVEL_ALIGNMENT = 256;

/** Arrays for textures and surfaces. Their elements lie row by row and slice by slice, without gaps. */
export const arrayFunctions: Rows<DriverState, DriverTable, Names> = {
  cuArray3DCreate: (state, out, description) => {
    const shape = readArrayShape(description);
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (typeof shape === 'number') return shape;
    const address = allocate(state, context, shape.byteLength);
    if (address === undefined) return Status.OUT_OF_MEMORY;
    const { handle } = add(state, { context, shape, address, parent: undefined });
    return putWide(out, handle);
  },
  cuArray3DGetDescriptor: (state, out, handle) => {
    const found = state.images.arrays.get(Number(handle));
    return state.refuse() || (found ? putArrayShape(out, found.shape) : Status.INVALID_HANDLE);
  },
  cuArrayDestroy: (state, handle) => {
    const found = state.images.arrays.get(Number(handle));
    if (!found) return state.refuse() || Status.INVALID_HANDLE;
    // A level goes with its mipmapped array.
    return found.parent ? Status.INVALID_VALUE : free(state, found);
  },
  cuMipmappedArrayCreate: (state, out, description, wanted) => {
    const shape = readArrayShape(description);
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (typeof shape === 'number') return shape;
    if (!hasMipmapLimits(shape)) return Status.INVALID_VALUE;
    // CUDA takes the nearest number of levels that there can be.
    const count = Math.max(1, Math.min(wanted, mostLevels(shape)));
    const shapes = Array.from({ length: count }, (_, level) => levelOf(shape, level));
    const starts = startsOf(shapes);
    const address = allocate(state, context, starts.at(-1) ?? 0);
    if (address === undefined) return Status.OUT_OF_MEMORY;
    const levels: CpuArray[] = [];
    const whole: CpuMipmapped = { handle: state.newHandle(), context, address, levels };
    for (const [i, one] of shapes.entries()) {
      levels.push(add(state, { context, shape: one, address: address + (starts[i] ?? 0), parent: whole }));
    }
    state.images.mipmapped.set(whole.handle, whole);
    return putWide(out, whole.handle);
  },
  cuMipmappedArrayGetLevel: (state, out, handle, level) => {
    const found = state.images.mipmapped.get(Number(handle));
    if (!found) return state.refuse() || Status.INVALID_HANDLE;
    const array = found.levels[level];
    return state.refuse() || (array ? putWide(out, array.handle) : Status.INVALID_VALUE);
  },
  cuMipmappedArrayDestroy: (state, handle) => {
    const found = state.images.mipmapped.get(Number(handle));
    return found ? free(state, found) : state.refuse() || Status.INVALID_HANDLE;
  },
};

/** Where the levels begin, and in the end how long all of them are. */
function startsOf(shapes: readonly CpuArrayShape[]): number[] {
  const starts = [0];
  for (const { byteLength } of shapes) {
    starts.push(Math.ceil(((starts.at(-1) ?? 0) + byteLength) / LEVEL_ALIGNMENT) * LEVEL_ALIGNMENT);
  }
  return starts;
}

function hasMipmapLimits({ form, width, height }: CpuArrayShape): boolean {
  const isPlain = form === 1 || form === 2;
  return !isPlain || fitsLimits(`TEXTURE${form & ImageForm.DIMENSIONS}D_MIPMAPPED`, { WIDTH: width, HEIGHT: height });
}

function allocate(state: DriverState, context: CpuContext, byteLength: number): number | undefined {
  if (!Number.isSafeInteger(byteLength) || byteLength > state.memory.total) return undefined;
  state.engine.collect();
  // The owner is not the context itself: cuMemFree must not free an array.
  return state.allocate(byteLength, { context }, context);
}

function add(state: DriverState, array: Omit<CpuArray, 'handle'>): CpuArray {
  const made = { ...array, handle: state.newHandle() };
  state.images.arrays.set(made.handle, made);
  return made;
}

function free(state: DriverState, array: CpuArray | CpuMipmapped): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  // Commands that still run may use the memory.
  state.settle(array.context);
  state.images.free(state.memory, array);
  return state.refuse();
}
