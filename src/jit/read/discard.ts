import type * as Acorn from 'acorn';
import { I32 } from '../kernel-type.ts';
import type { Expression, Span } from '../tree.ts';
import { constantOf } from './convert.ts';
import { isPatternAssignment, readPatternAssignment } from './exchange.ts';
import { conditional, unknown } from './operator.ts';
import { spanOf, type Reading } from './reading.ts';
import { readTest } from './test.ts';

/**
 * An expression whose value nothing uses, as the first of `a(), b`. Minifiers write `test && change()` and `test ? one() : other()` in
 * such places, whose operands need not have a value.
 */
export function readDiscarded(reading: Reading, node: Acorn.Expression): Expression {
  const { fail } = reading;
  switch (node.type) {
    case 'ParenthesizedExpression':
      return readDiscarded(reading, node.expression);
    case 'SequenceExpression': {
      const items = node.expressions.map((item) => readDiscarded(reading, item));
      return { kind: 'sequence', items, type: (items.at(-1) as Expression).type, ...spanOf(node) };
    }
    case 'LogicalExpression': {
      if (node.operator === '??') return reading.expression(node);
      const test = readTest(reading, node.left);
      const change = done(readDiscarded(reading, node.right));
      const nothing = zero(node);
      const [then, otherwise] = node.operator === '&&' ? [change, nothing] : [nothing, change];
      return conditional(test, then, otherwise, node, fail);
    }
    case 'ConditionalExpression': {
      const test = readTest(reading, node.test);
      const [then, otherwise] = [node.consequent, node.alternate].map((part) => done(readDiscarded(reading, part)));
      return conditional(test, then as Expression, otherwise as Expression, node, fail);
    }
    default:
      if (isPatternAssignment(node)) return inTurn(readPatternAssignment(reading, node), node);
      return reading.expression(node);
  }
}

function inTurn(items: readonly Expression[], span: Span): Expression {
  const last = items.at(-1);
  return last ? { kind: 'sequence', items, type: last.type, ...spanOf(span) } : unknown(span);
}

/** `(change, 0)`: an operand of ?: has a value. */
function done(change: Expression): Expression {
  return { kind: 'sequence', items: [change, zero(change)], type: I32, ...spanOf(change) };
}

function zero(span: Span): Expression {
  return { ...constantOf(0, span), type: I32 };
}
