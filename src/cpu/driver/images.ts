import type { DeviceMemory } from '../runtime/memory.ts';
import { ImageRecord } from '../abi/image-record.ts';
import type { CpuArrayShape } from './array-shape.ts';

/** The context that has an array or an object. */
interface Owner {
  /** Its last command. */
  readonly last: number | undefined;
}

/** An array, or a level of a mipmapped one. */
export interface CpuArray {
  readonly handle: number;
  readonly context: Owner;
  readonly shape: CpuArrayShape;
  /** The device address of its first element. */
  readonly address: number;
  /** What it is a level of. */
  readonly parent: CpuMipmapped | undefined;
}

/** An array with several levels, in one piece of memory. */
export interface CpuMipmapped {
  readonly handle: number;
  readonly context: Owner;
  readonly address: number;
  readonly levels: CpuArray[];
}

/** A texture or a surface: its handle is the device address of its record. */
export interface CpuImageObject {
  readonly context: Owner;
  readonly surface: boolean;
}

/** The arrays, textures and surfaces of a device, by their handles. */
export class CpuImages {
  readonly arrays: Map<number, CpuArray> = new Map();
  readonly mipmapped: Map<number, CpuMipmapped> = new Map();
  readonly objects: Map<number, CpuImageObject> = new Map();

  /** Destroy a texture or a surface. Kernels that use it after that can tell. */
  destroy(memory: DeviceMemory, handle: number): void {
    const at = handle + ImageRecord.MARK;
    memory.view.setInt32(at, ~memory.view.getInt32(at, true), true);
    this.objects.delete(handle);
    memory.release(handle);
  }

  /** Forget an array with its levels, and free its memory. */
  free(memory: DeviceMemory, { handle, address, ...rest }: CpuArray | CpuMipmapped): void {
    if ('levels' in rest) for (const level of rest.levels) this.arrays.delete(level.handle);
    this.arrays.delete(handle);
    this.mipmapped.delete(handle);
    memory.release(address);
  }

  /** Free all of a context. */
  empty(memory: DeviceMemory, context: Owner): void {
    for (const [handle, object] of this.objects) if (object.context === context) this.destroy(memory, handle);
    for (const array of this.mipmapped.values()) if (array.context === context) this.free(memory, array);
    for (const array of this.arrays.values()) if (array.context === context) this.free(memory, array);
  }
}
