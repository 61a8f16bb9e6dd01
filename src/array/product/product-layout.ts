import { collapse } from '../collapse.ts';
import { lengthAt, needsWide, strideAt, type Layout } from '../layout.ts';
import { sizeOf } from '../shape.ts';
import { BATCH_AXES } from './product-text.ts';

/** One matrix of an operand: its distances along rows and columns. */
export interface MatrixSteps {
  readonly row: number;
  readonly column: number;
}

/** Axes that every operand has, outermost first: those of batches. */
export interface Batch {
  readonly shape: readonly number[];
  readonly size: number;
  /** The steps of the output, the left and the right operand. */
  readonly steps: readonly (readonly number[])[];
}

/** Batches of products of matrices, `[..., rows, k]` and `[..., k, columns]`, whose shapes fit. */
export interface ProductLayout {
  readonly rows: number;
  readonly columns: number;
  readonly k: number;
  readonly batch: Batch;
  readonly out: MatrixSteps;
  readonly left: MatrixSteps;
  readonly right: MatrixSteps;
  readonly at: readonly [out: number, left: number, right: number];
  readonly wide: boolean;
}

/** The layout of a product; undefined where the batches have more axes than a kernel has. */
export function productLayout(out: Layout, left: Layout, right: Layout): ProductLayout | undefined {
  const operands = [out, left, right] as const;
  const shape = out.shape.slice(0, -2);
  const walk = collapse(
    shape,
    operands.map(({ strides }) => strides.slice(0, -2)),
  );
  if (walk.shape.length > BATCH_AXES) return undefined;
  const steps = ({ strides }: Layout): MatrixSteps => {
    return { row: strideAt(strides, strides.length - 2), column: strideAt(strides, strides.length - 1) };
  };
  return {
    rows: lengthAt(out.shape, out.shape.length - 2),
    columns: lengthAt(out.shape, out.shape.length - 1),
    k: lengthAt(left.shape, left.shape.length - 1),
    batch: { shape: walk.shape, size: sizeOf(walk.shape), steps: walk.strides },
    out: steps(out),
    left: steps(left),
    right: steps(right),
    at: [out.offset, left.offset, right.offset],
    wide: needsWide(operands),
  };
}

/** Rows of products with vectors: of a matrix and one vector, or of two matrices row by row, or sums of rows. */
export interface RowLayout {
  readonly rows: number;
  readonly k: number;
  readonly batch: Batch;
  /** From row to row. */
  readonly outStep: number;
  /** From row to row, and along a row. */
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
  readonly at: readonly [out: number, left: number, right: number];
  readonly wide: boolean;
}

/** A product in which an operand is a vector, as rows; undefined where none is. The second value says that the operands swap. */
export function rowLayout(layout: ProductLayout): readonly [RowLayout, boolean] | undefined {
  const { rows, columns, k, batch, out, left, right, at, wide } = layout;
  if (columns === 1 && (rows > 1 || batch.shape.length === 0)) {
    const [l, r] = [left, right];
    const value: RowLayout = { rows, k, batch, outStep: out.row, left: [l.row, l.column], right: [0, r.row], at, wide };
    return [value, false];
  }
  if (rows === 1 && columns > 1) {
    const swapped: Batch = { ...batch, steps: [0, 2, 1].map((i) => batch.steps[i] as readonly number[]) };
    const value: RowLayout = {
      rows: columns,
      k,
      batch: swapped,
      outStep: out.column,
      left: [right.column, right.row],
      right: [0, left.column],
      at: [at[0], at[2], at[1]],
      wide,
    };
    return [value, true];
  }
  if (rows > 1 || columns > 1) return undefined;
  // Vectors with vectors: the longest axis of batches has the rows.
  const axis = batch.shape.indexOf(Math.max(...batch.shape));
  const step = (i: number): number => batch.steps[i]?.[axis] ?? 0;
  const value: RowLayout = {
    rows: lengthAt(batch.shape, axis),
    k,
    batch: withoutAxis(batch, axis),
    outStep: step(0),
    left: [step(1), left.column],
    right: [step(2), right.row],
    at,
    wide,
  };
  return [value, false];
}

function withoutAxis({ shape, steps }: Batch, axis: number): Batch {
  const rest = <T>(values: readonly T[]): readonly T[] => values.filter((_, each) => each !== axis);
  return { shape: rest(shape), size: sizeOf(rest(shape)), steps: steps.map(rest) };
}
