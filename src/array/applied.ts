import { Applied } from './apply.ts';
import { operations, type OperationName } from './operation/table.ts';

/** Every operation, ready to be applied to arrays. */
export const applied: Readonly<Record<OperationName, Applied>> = Object.fromEntries(
  Object.entries(operations).map(([name, operation]) => [name, new Applied(operation)]),
) as Record<OperationName, Applied>;
