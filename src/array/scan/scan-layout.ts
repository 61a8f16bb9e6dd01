import { collapse } from '../collapse.ts';
import { lengthAt, needsWide, strideAt, type Layout } from '../layout.ts';

/** The lines of two arrays along one axis: both have the same shape. */
export interface ScanLayout {
  /** Elements of a line. */
  readonly n: number;
  readonly lines: number;
  /** Lines that follow each other with one distance. */
  readonly n0: number;
  /** Along a line, from line to line, and from one row of `n0` lines to the next. */
  readonly inSteps: readonly [number, number, number];
  readonly outSteps: readonly [number, number, number];
  /** The places of the first elements. */
  readonly inAt: number;
  readonly outAt: number;
  /** Whether places need 64 bits. */
  readonly wide: boolean;
}

/** The lines of an input and an output; undefined where they lie along more than two axes, so that an array has to be copied. */
export function scanLayout(input: Layout, output: Layout, axis: number): ScanLayout | undefined {
  const rest = <T>(values: readonly T[]): readonly T[] => values.filter((_, each) => each !== axis);
  const walk = collapse(rest(input.shape), [rest(output.strides), rest(input.strides)]);
  const rank = walk.shape.length;
  if (rank > 2) return undefined;
  const n = lengthAt(input.shape, axis);
  const n0 = walk.shape[rank - 1] ?? 1;
  const lines = n0 * (rank === 2 ? lengthAt(walk.shape, 0) : 1);
  const steps = ({ strides }: Layout, outer: readonly number[] | undefined): [number, number, number] => {
    return [strideAt(strides, axis), outer?.[rank - 1] ?? 0, rank === 2 ? (outer?.[0] ?? 0) : 0];
  };
  return {
    n,
    lines,
    n0,
    inSteps: steps(input, walk.strides[1]),
    outSteps: steps(output, walk.strides[0]),
    inAt: input.offset,
    outAt: output.offset,
    wide: needsWide([input, output]),
  };
}

/** Whether neighbours of both arrays lie along different lines. */
export function liesAcross({ n0, inSteps, outSteps }: ScanLayout): boolean {
  const isNearer = ([step, next]: readonly [number, number, number]): boolean => Math.abs(next) < Math.abs(step);
  return n0 > 1 && isNearer(inSteps) && isNearer(outSteps);
}
