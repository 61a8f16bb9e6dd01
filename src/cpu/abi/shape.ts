import type { CpuShape } from './program.ts';

/** The name of a byte in a value: `[3].y` of an array of structures. Bytes before or behind an array have an index, too. */
export function pathAt(shape: CpuShape | undefined, offset: number): string {
  if (!shape) return '';
  const { element, members } = shape;
  if (element) return elementAt(element, offset);
  for (const { name, offset: start, shape: own } of members ?? []) {
    if (offset < start || offset >= start + own.bytes) continue;
    return `${name === '' ? '' : `.${name}`}${pathAt(own, offset - start)}`;
  }
  return '';
}

/** The name of a byte in a pointee, which may be an array of any length. */
export function elementAt(element: CpuShape, offset: number): string {
  if (element.bytes === 0) return '';
  const index = Math.floor(offset / element.bytes);
  return `[${index}]${pathAt(element, offset - index * element.bytes)}`;
}

/**
 * The name of an array in a value, found by the array's type. The last index is written as `#`.
 *
 * @returns undefined for no member of this type, or several
 */
export function pathTo(shape: CpuShape, type: string): string | undefined {
  const [found, ...others] = pathsTo(shape, type);
  return others.length === 0 ? found : undefined;
}

function pathsTo({ type: own, element, members }: CpuShape, type: string): string[] {
  if (element) return own === type ? ['[#]'] : pathsTo(element, type).map((path) => `[…]${path}`);
  return (members ?? []).flatMap(({ name, shape }) =>
    pathsTo(shape, type).map((path) => `${name === '' ? '' : `.${name}`}${path}`),
  );
}
