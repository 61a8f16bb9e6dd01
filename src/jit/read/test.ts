import type * as Acorn from 'acorn';
import type { Expression } from '../tree.ts';
import { condition, logical } from './convert.ts';
import { unary, unknown } from './operator.ts';
import { spanOf, type Reading } from './reading.ts';

/** A test: of `&&`, `||` and `!` it matters alone whether each side is true. */
export function readTest(reading: Reading, node: Acorn.Node): Expression {
  const test = node as Acorn.Expression;
  if (test.type === 'ParenthesizedExpression') return readTest(reading, test.expression);
  if (test.type === 'LogicalExpression' && test.operator !== '??') {
    const [left, right] = [readTest(reading, test.left), readTest(reading, test.right)];
    if (left.type.kind === 'unknown' || right.type.kind === 'unknown') return unknown(test);
    return { ...logical(test.operator, left, right), ...spanOf(test) };
  }
  if (test.type === 'UnaryExpression' && test.operator === '!')
    return unary('!', readTest(reading, test.argument), test, reading.fail);
  return condition(reading.expression(test), reading.fail);
}
