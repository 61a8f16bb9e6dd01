import type { MemoryGuard } from '../runtime/guard.ts';

/** x in bytes, y in rows, z in slices. */
export type Extent = readonly [number, number, number];

/** The bytes of the device or of the host. */
export type Bytes = Pick<Layout, 'bytes' | 'guard'>;

/** Where places are in a run of bytes. */
export type Places = Omit<Layout, 'bytes' | 'guard'>;

/** Rows and slices in a run of bytes. */
export interface Layout {
  readonly bytes: Uint8Array;
  /** The guard of checked device memory, which records writes. */
  readonly guard?: MemoryGuard | undefined;
  /** Where x, y and z are 0. */
  readonly base: number;
  readonly rowPitch: number;
  readonly slicePitch: number;
}

/** The byte of a place. */
export function placeOf(layout: Places, [x, y, z]: Extent): number {
  return layout.base + x + y * layout.rowPitch + z * layout.slicePitch;
}

/** The byte behind a region's last one; 0 for an empty region. */
export function endOf(layout: Places, origin: Extent, region: Extent): number {
  if (region.some((size) => size === 0)) return 0;
  const [x, y, z] = origin;
  const [width, height, depth] = region;
  return placeOf(layout, [x + width, y + height - 1, z + depth - 1]);
}

/** The pitches of a region: 0 stands for rows and slices without gaps. Undefined where they overlap. */
export function pitchesOf(
  rowPitch: number,
  slicePitch: number,
  [width, height]: Extent,
): readonly [row: number, slice: number] | undefined {
  const row = rowPitch === 0 ? width : rowPitch;
  if (row < width) return undefined;
  const slice = slicePitch === 0 ? row * height : slicePitch;
  return slice < row * height || slice % row !== 0 ? undefined : [row, slice];
}

/** Copy a region row by row. */
export function copyRect(to: Layout, toOrigin: Extent, from: Layout, fromOrigin: Extent, region: Extent): void {
  const [width, height, depth] = region;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const source = placeOf(from, [fromOrigin[0], fromOrigin[1] + y, fromOrigin[2] + z]);
      const target = placeOf(to, [toOrigin[0], toOrigin[1] + y, toOrigin[2] + z]);
      to.bytes.set(from.bytes.subarray(source, source + width), target);
      to.guard?.write(target, width);
    }
  }
}

/** Whether two regions of one run of bytes share a byte. */
export function overlap(layout: Places, one: Extent, other: Extent, region: Extent): boolean {
  const apart = one.some((at, i) => Math.abs(at - (other[i] ?? 0)) >= (region[i] ?? 0));
  if (!apart) return true;
  const [first, second] = [placeOf(layout, one), placeOf(layout, other)].sort((a, b) => a - b) as [number, number];
  const length = endOf(layout, one, region) - placeOf(layout, one);
  // Rows may run into each other where a region reaches beyond the end of a row.
  const wraps = [one, other].some(
    ([x, y]) => x + region[0] > layout.rowPitch || (y + region[1]) * layout.rowPitch > layout.slicePitch,
  );
  return wraps && second < first + length;
}
