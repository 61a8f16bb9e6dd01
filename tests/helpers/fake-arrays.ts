import { structs } from '../../src/cuda/sys/structs.ts';

/** An array on the fake driver's side, without gaps. */
export interface FakeArray {
  readonly bytes: Uint8Array;
  /** Bytes of a row. */
  readonly pitch: number;
  /** Rows of a layer. */
  readonly rows: number;
  /** Bytes of an element. */
  readonly element: number;
}

/** A texture or a surface on the fake driver's side. */
export interface FakeObject {
  readonly resource: DataView;
  readonly sampling: DataView | undefined;
  readonly view: DataView | undefined;
}

/** What the fake driver lends to its functions for arrays. */
export interface FakeArrayTools {
  readonly live: (kind: 'array' | 'mipmapped' | 'texture' | 'surface', by: number) => void;
  readonly bytesOf: (value: unknown) => Uint8Array;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_VALUE = 1;
const INVALID_HANDLE = 400;
const BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 4, 8: 1, 9: 2, 10: 4, 0x10: 2, 0x20: 4 };
const CUBEMAP_OR_LAYERED = 5;

/** The fake driver's functions for arrays, textures and surfaces, and what was made and not destroyed. */
export function fakeArrays({ live, bytesOf, fresh, put }: FakeArrayTools): {
  readonly functions: Functions;
  readonly objects: Map<bigint, FakeObject>;
  readonly arrays: ReadonlyMap<bigint, FakeArray>;
} {
  const objects = new Map<bigint, FakeObject>();
  const arrays = new Map<bigint, FakeArray>();
  const mipmapped = new Map<bigint, readonly bigint[]>();

  const viewOf = (value: unknown): DataView => {
    const bytes = bytesOf(value).slice();
    return new DataView(bytes.buffer);
  };
  const add = (description: unknown, level: number): bigint => {
    const { fields } = structs.CUDA_ARRAY3D_DESCRIPTOR;
    const view = viewOf(description);
    const layered = (view.getUint32(fields.Flags, true) & CUBEMAP_OR_LAYERED) !== 0;
    const size = (at: number, whole = false): number => {
      const full = Number(view.getBigUint64(at, true));
      return Math.max(1, whole ? full : full >> level);
    };
    const element = (BYTES[view.getUint32(fields.Format, true)] ?? 0) * view.getUint32(fields.NumChannels, true);
    const pitch = size(fields.Width) * element;
    const rows = size(fields.Height);
    const handle = fresh();
    arrays.set(handle, { bytes: new Uint8Array(pitch * rows * size(fields.Depth, layered)), pitch, rows, element });
    return handle;
  };
  const destroy = (kind: 'texture' | 'surface', object: bigint): number => {
    if (!objects.delete(object)) return INVALID_VALUE;
    live(kind, -1);
    return SUCCESS;
  };
  const make = (out: unknown, kind: 'texture' | 'surface', object: FakeObject): number => {
    const handle = fresh();
    objects.set(handle, object);
    live(kind, 1);
    return put(out, handle);
  };

  const functions = {
    cuArray3DCreate: (out: unknown, description: unknown) => {
      live('array', 1);
      return put(out, add(description, 0));
    },
    cuArrayDestroy: (array: bigint) => {
      if (!arrays.delete(array)) return INVALID_HANDLE;
      live('array', -1);
      return SUCCESS;
    },
    cuMipmappedArrayCreate: (out: unknown, description: unknown, levels: number) => {
      const handle = fresh();
      mipmapped.set(
        handle,
        Array.from({ length: levels }, (_, level) => add(description, level)),
      );
      live('mipmapped', 1);
      return put(out, handle);
    },
    cuMipmappedArrayGetLevel: (out: unknown, array: bigint, level: number) => {
      const handle = mipmapped.get(array)?.[level];
      return handle === undefined ? INVALID_VALUE : put(out, handle);
    },
    cuMipmappedArrayDestroy: (array: bigint) => {
      for (const level of mipmapped.get(array) ?? []) arrays.delete(level);
      if (!mipmapped.delete(array)) return INVALID_HANDLE;
      live('mipmapped', -1);
      return SUCCESS;
    },
    cuTexObjectCreate: (out: unknown, resource: unknown, sampling: unknown, view: unknown) =>
      make(out, 'texture', {
        resource: viewOf(resource),
        sampling: viewOf(sampling),
        view: view === 0n ? undefined : viewOf(view),
      }),
    cuTexObjectDestroy: (texture: bigint) => destroy('texture', texture),
    cuSurfObjectCreate: (out: unknown, resource: unknown) =>
      make(out, 'surface', { resource: viewOf(resource), sampling: undefined, view: undefined }),
    cuSurfObjectDestroy: (surface: bigint) => destroy('surface', surface),
  };
  return { functions, objects, arrays };
}
