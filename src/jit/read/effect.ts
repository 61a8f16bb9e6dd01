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

/** Whether an expression may be computed sooner or later: it changes nothing but what the reader has made for it. */
export function isMovable(expression: Expression): boolean {
  if (expression.kind === 'assignment') return isOfReader(expression.target) && isMovable(expression.value);
  const isQuietItself = expression.kind !== 'call' || isQuiet(expression.operation);
  return isQuietItself && !CHANGING.has(expression.kind) && childrenOf(expression).every(isMovable);
}

const CHANGING: ReadonlySet<Expression['kind']> = new Set(['update', 'device call', 'print']);

/** `list[0]` of a list that is indexed where it stands. */
function isOfReader(target: Expression): boolean {
  if (target.kind === 'variable') return target.variable.isMade === true;
  return target.kind === 'element' && isOfReader(target.array) && target.indices.every(isMovable);
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
