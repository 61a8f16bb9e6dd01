import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion } from '../kernel/conversion.ts';
import { registerType, type Parameter } from '../kernel/dialect.ts';

/**
 * Which bin an element belongs to.
 *
 * - `integer`: the one of its number, of a single axis; it is noted whether a number was below 0 or beyond the last bin, and which was the
 *   greatest
 * - `uniform`: bins of one width, as NumPy has them: the edges decide
 * - `edges`: a bin is from one edge up to the next; the last one has both of its edges
 */
export type BinRule = 'integer' | 'uniform' | 'edges';

/** One of the arrays whose elements say which bin is counted. */
export interface BinAxis {
  readonly dtype: ArrayDType;
  readonly rule: BinRule;
  /** The dtype in which elements are compared with edges. */
  readonly compare: ArrayDType;
}

/** The dtype that edges of a dtype are compared in: halves are floats, truth values numbers. */
export function compareDType(dtype: ArrayDType): ArrayDType {
  return dtype === 'bool' ? 'u8' : (registerType(dtype) as ArrayDType);
}

/** What the bin of an element is that has none. */
export const NO_BIN = '0xffffffffu';

/** The numbers of an axis of bins: how many, then what says where those of one width are. */
export function binNumbers({ rule, compare }: BinAxis, axis: number): Parameter[] {
  const number = (name: string, dtype: ArrayDType): Parameter => ({ name: `${name}${axis}`, dtype, kind: 'number' });
  const bins = number('bins', 'u32');
  if (rule !== 'uniform') return [bins];
  return [bins, ...['first', 'last', 'scale', 'margin'].map((name) => number(name, compare))];
}

/** Edges that a group has in shared memory, at most. */
export function sharedEdges(compare: ArrayDType): number {
  return 16384 / arrayDTypes[compare].size;
}

/** The functions that find bins, one for each axis. */
export function binFunctions(axes: readonly BinAxis[], areEdgesShared: boolean): string {
  return axes.map((axis, i) => binFunction(axis, i, areEdgesShared)).join('\n');
}

/** The call of such a function for an element that has been read. */
export function binCall({ dtype, rule, compare }: BinAxis, axis: number, element: string): string {
  const at = String(axis);
  if (rule === 'integer') return `bin${at}(${element}, bins${at}, &missed, &top)`;
  const value = conversion(element, dtype, compare);
  if (rule === 'edges') return `bin${at}(${value}, bins${at}, edges${at})`;
  return `bin${at}(${value}, bins${at}, edges${at}, first${at}, last${at}, scale${at}, margin${at})`;
}

function binFunction({ dtype, rule, compare }: BinAxis, axis: number, areEdgesShared: boolean): string {
  if (rule === 'integer') return integerBin(dtype, axis);
  if (rule === 'uniform') return uniformBin(compare, axis);
  const space = areEdgesShared ? 'SHARED_POINTER' : 'GLOBAL';
  // The last edge that is not above the element, but for the one of all bins.
  return `
FN u32 bin${axis}(${compare} x, u32 bins, ${space} const ${compare} *edges) {
  if (!(x >= edges[0] && x <= edges[bins])) return ${NO_BIN};
  u32 low = 0;
  // As many steps for every element, without a branch.
  for (u32 left = bins; left > 1;) {
    const u32 middle = left / 2;
    low = x >= edges[low + middle] ? low + middle : low;
    left -= middle;
  }
  return low;
}
`;
}

function integerBin(dtype: ArrayDType, axis: number): string {
  const { kind, size } = arrayDTypes[dtype];
  const type = registerType(dtype);
  const wide = size === 8 ? 'u64' : 'u32';
  // Of numbers below 0 the bits are those of great ones. Without a branch, so that compilers put elements together.
  const miss = kind === 'int' ? '(x < 0 ? 1u : 2u)' : '2u';
  return `
FN u32 bin${axis}(${type} x, u32 bins, u32 *missed, u32 *top) {
  const ${wide} number = (${wide})x;
  const bool is_bin = number < bins;
  const u32 next = is_bin ? (u32)number + 1 : 0;
  *missed |= is_bin ? 0u : ${miss};
  *top = next > *top ? next : *top;
  return next - 1;
}
`;
}

/**
 * A product finds the bin; only of an element that is nearer to an edge than rounding may have moved it, the edges decide, with
 * NumPy's own formula. `margin` says how near that is, in widths of a bin.
 */
function uniformBin(t: ArrayDType, axis: number): string {
  return `
FN u32 bin${axis}(${t} x, u32 bins, GLOBAL const ${t} *edges, ${t} first, ${t} last, ${t} scale, ${t} margin) {
  if (!(x >= first && x <= last)) return ${NO_BIN};
  const ${t} place = (x - first) * scale;
  u32 bin = (u32)place;
  const ${t} rest = place - (${t})bin;
  if (rest >= margin && rest <= 1 - margin && bin < bins) return bin;
  bin = (u32)((x - first) / (last - first) * (${t})bins);
  if (bin >= bins) bin = bins - 1;
  if (bin > 0 && x < edges[bin]) bin--;
  if (bin + 1 < bins && x >= edges[bin + 1]) bin++;
  return bin;
}
`;
}
