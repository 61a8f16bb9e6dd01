import { arithmeticOperations, type ArithmeticOperations } from './arithmetic.ts';
import { bitwiseOperations, type BitwiseOperations } from './bitwise.ts';
import { comparisonOperations, type ComparisonOperations } from './comparison.ts';
import { floatOperations, type FloatOperations } from './float.ts';
import type { Operation } from './operation.ts';
import { otherOperations, type OtherOperations } from './other.ts';

/** The rows of all operations by their names. */
export type OperationRows = ArithmeticOperations &
  BitwiseOperations &
  ComparisonOperations &
  FloatOperations &
  OtherOperations;

/** The name of an operation. */
export type OperationName = keyof OperationRows;

const rows: OperationRows = {
  ...arithmeticOperations,
  ...bitwiseOperations,
  ...comparisonOperations,
  ...floatOperations,
  ...otherOperations,
};

/** Every operation by its name. */
export const operations: Readonly<Record<OperationName, Operation>> = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [name, { ...(row as Omit<Operation, 'name'>), name }]),
) as Record<OperationName, Operation>;
