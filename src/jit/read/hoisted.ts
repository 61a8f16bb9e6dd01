import type * as Acorn from 'acorn';

/** The names that `var` declares in a function, wherever they stand. */
export function hoistedNames(node: Acorn.Node): readonly Acorn.Identifier[] {
  if (node.type === 'VariableDeclaration') {
    const { kind, declarations } = node as Acorn.VariableDeclaration;
    return kind === 'var' ? declarations.flatMap(({ id }) => namesOf(id)) : [];
  }
  return innerStatements(node).flatMap((inner) => hoistedNames(inner));
}

/** The names of a pattern: `x` and `y` of `[x, y]`. */
export function namesOf(pattern: Acorn.Pattern): readonly Acorn.Identifier[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((one) => (one ? namesOf(one) : []));
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((one) => (one.type === 'Property' ? namesOf(one.value) : []));
  return [];
}

function innerStatements(node: Acorn.Node): readonly Acorn.Node[] {
  const statement = node as Acorn.Statement;
  const some = (...list: readonly (Acorn.Node | null | undefined)[]): readonly Acorn.Node[] =>
    list.filter((one) => one !== null && one !== undefined);
  switch (statement.type) {
    case 'BlockStatement':
      return statement.body;
    case 'IfStatement':
      return some(statement.consequent, statement.alternate);
    case 'ForStatement':
      return some(statement.init, statement.body);
    case 'ForOfStatement':
      return [statement.left, statement.body];
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return [statement.body];
    case 'SwitchStatement':
      return statement.cases.flatMap(({ consequent }) => consequent);
    default:
      return [];
  }
}
