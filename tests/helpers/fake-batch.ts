import { Memcpy3DOperandType } from '../../src/cuda/sys/enums.ts';
import { structs } from '../../src/cuda/sys/structs.ts';
import type { FakeArray } from './fake-arrays.ts';

/** What the fake driver lends to its batches of boxes. */
export interface FakeBatchTools {
  readonly arrays: ReadonlyMap<bigint, FakeArray>;
  readonly bytesOf: (value: unknown) => Uint8Array;
  /** Memory of either side. */
  readonly bytesAt: (address: bigint, byteLength: number) => Uint8Array;
}

const { size, fields } = structs.CUDA_MEMCPY3D_BATCH_OP;
const INVALID_VALUE = 1;

/** The fake driver's `cuMemcpy3DBatchAsync`: copies, one after the other. */
export function fakeBatch({ arrays, bytesOf, bytesAt }: FakeBatchTools): (count: number, list: unknown) => number {
  const rowOf = (view: DataView, end: 'src' | 'dst', y: number, z: number, width: number): Uint8Array | undefined => {
    const get = (field: keyof typeof fields): number => Number(view.getBigUint64(fields[field], true));
    const array = arrays.get(view.getBigUint64(fields[`${end}.op.array.array`], true));
    const element = elementOf(view);
    if (view.getInt32(fields[`${end}.type`], true) === Memcpy3DOperandType.ARRAY) {
      if (!array) return undefined;
      const layer = (get(`${end}.op.array.offset.z`) + z) * array.rows;
      const first = (layer + get(`${end}.op.array.offset.y`) + y) * array.pitch;
      return array.bytes.subarray(first + get(`${end}.op.array.offset.x`) * element).subarray(0, width * element);
    }
    const pitch = element * (get(`${end}.op.ptr.rowLength`) || width);
    const rows = get(`${end}.op.ptr.layerHeight`) || get('extent.height');
    const base = view.getBigUint64(fields[`${end}.op.ptr.ptr`], true);
    return bytesAt(base + BigInt((z * rows + y) * pitch), width * element);
  };
  const elementOf = (view: DataView): number => {
    for (const end of ['src', 'dst'] as const) {
      if (view.getInt32(fields[`${end}.type`], true) !== Memcpy3DOperandType.ARRAY) continue;
      return arrays.get(view.getBigUint64(fields[`${end}.op.array.array`], true))?.element ?? 1;
    }
    return 1;
  };
  return (count, list) => {
    const { buffer, byteOffset } = bytesOf(list);
    for (let i = 0; i < count; i++) {
      const view = new DataView(buffer, byteOffset + size * i, size);
      const [width, height, depth] = (['width', 'height', 'depth'] as const).map((side) =>
        Number(view.getBigUint64(fields[`extent.${side}`], true)),
      ) as [number, number, number];
      const order = view.getInt32(fields.srcAccessOrder, true);
      if (width * height * depth === 0 || order < 1 || order > 3) return INVALID_VALUE;
      for (let z = 0; z < depth; z++) {
        for (let y = 0; y < height; y++) {
          const [from, to] = [rowOf(view, 'src', y, z, width), rowOf(view, 'dst', y, z, width)];
          if (!from || !to) return INVALID_VALUE;
          to.set(from);
        }
      }
    }
    return 0;
  };
}
