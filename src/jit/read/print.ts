import type * as Acorn from 'acorn';
import type { Expression } from '../tree.ts';
import { typeText, VOID } from '../kernel-type.ts';
import { spanOf, type Reading } from './reading.ts';

/** `console.log(…)`: texts, numbers and templates of both; it prints from the device. */
export function printOf(reading: Reading, node: Acorn.CallExpression, path: readonly string[]): Expression {
  if (path.join('.') !== 'console.log')
    return reading.fail(node.callee, `kernels do not have ${path.join('.')}: there is console.log`);
  const parts: (string | Expression)[] = [];
  for (const [i, arg] of node.arguments.entries()) {
    if (i > 0) parts.push(' ');
    if (arg.type === 'Literal' && typeof arg.value === 'string') parts.push(arg.value);
    else if (arg.type === 'TemplateLiteral') template(reading, arg, parts);
    else parts.push(printed(reading, arg));
  }
  parts.push('\n');
  return { kind: 'print', parts, type: VOID, ...spanOf(node) };
}

function template(
  reading: Reading,
  { quasis, expressions }: Acorn.TemplateLiteral,
  parts: (string | Expression)[],
): void {
  for (const [i, { value }] of quasis.entries()) {
    parts.push(value.cooked ?? value.raw);
    const expression = expressions[i];
    if (expression) parts.push(printed(reading, expression));
  }
}

function printed(reading: Reading, node: Acorn.Node): Expression {
  const value = reading.expression(node);
  if (value.type.kind === 'scalar' || value.type.kind === 'unknown') return value;
  return reading.fail(node, `console.log must be given texts and numbers, got ${typeText(value.type)}`);
}
