import type { Expression, Operation } from '../tree.ts';

/** Whether an operation gives a value and does nothing else. */
export function isQuiet({ effect = 'none' }: Operation): boolean {
  return effect === 'none';
}

/** Whether reading an expression twice is the same as reading it once. */
export function isPure(expression: Expression): boolean {
  switch (expression.kind) {
    case 'assignment':
    case 'update':
    case 'device call':
    case 'print':
      return false;
    case 'call':
      return isQuiet(expression.operation) && expression.args.every(isPure);
    default:
      return childrenOf(expression).every(isPure);
  }
}

/** The expressions that one is made of. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'constant':
    case 'variable':
      return [];
    case 'unary':
    case 'conversion':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'assignment':
      return [expression.target, expression.value];
    case 'update':
      return [expression.target];
    case 'conditional':
      return [expression.test, expression.then, expression.otherwise];
    case 'sequence':
    case 'aggregate':
      return expression.items;
    case 'element':
    case 'view':
      return [expression.array, ...expression.indices];
    case 'extent':
      return [expression.array];
    case 'field':
      return [expression.object];
    case 'call':
    case 'device call':
      return expression.args;
    case 'address':
      return [expression.element];
    case 'print':
      return expression.parts.filter((part) => typeof part !== 'string');
  }
}
