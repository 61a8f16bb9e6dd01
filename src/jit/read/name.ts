import type * as Acorn from 'acorn';

/** The parts of `a.b.c`, or undefined for what is no such name. `(0, a.b)`, which compilers to CommonJS write, is `a.b`. */
export function nameParts(node: Acorn.Node): readonly string[] | undefined {
  const expression = node as Acorn.Expression;
  if (expression.type === 'Identifier') return [expression.name];
  if (expression.type === 'SequenceExpression') {
    const [first, second, ...rest] = expression.expressions;
    const isPlain = first?.type === 'Literal' && first.value === 0 && second !== undefined && rest.length === 0;
    return isPlain ? nameParts(second) : undefined;
  }
  if (expression.type === 'ParenthesizedExpression') return nameParts(expression.expression);
  if (expression.type !== 'MemberExpression') return undefined;
  const base = nameParts(expression.object);
  const key = keyOf(expression);
  return base !== undefined && key !== undefined ? [...base, key] : undefined;
}

/** The name of a member: `.x` or `['x']`. */
export function keyOf({ property, computed }: Acorn.MemberExpression): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}
