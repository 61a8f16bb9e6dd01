import type * as Acorn from 'acorn';
import type { Expression, Jump, Label, Span, Statement } from '../tree.ts';
import { blockOf, readNested } from './block.ts';
import type { Body } from './body.ts';
import { readDeclarations } from './declaration.ts';
import { isPatternAssignment, readPatternAssignment } from './exchange.ts';
import { readFor, readForOf, readWhile } from './loop.ts';
import { spanOf } from './reading.ts';
import { readSwitch } from './switch.ts';
import { readTest } from './test.ts';

/** Read a statement: none for an empty one, several for a list of declarations. */
export function readStatement(body: Body, node: Acorn.Statement): readonly Statement[] {
  const { fail } = body;
  switch (node.type) {
    case 'EmptyStatement':
    case 'DebuggerStatement':
      return [];
    case 'ExpressionStatement':
      return asStatements(body, node.expression);
    case 'VariableDeclaration':
      return readDeclarations(body, node);
    case 'BlockStatement':
      return [readBlock(body, node)];
    case 'IfStatement':
      return readIf(body, node);
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return readLoop(body, node);
    case 'SwitchStatement':
      return [readSwitch(body, node)];
    case 'LabeledStatement':
      return readLabelled(body, node);
    case 'ReturnStatement':
      return readReturn(body, node);
    case 'BreakStatement':
    case 'ContinueStatement':
      return [readJump(body, node)];
    default:
      return fail(head(node), REFUSALS[node.type] ?? `a kernel cannot have this: ${node.type}`);
  }
}

type LoopNode = Acorn.ForStatement | Acorn.ForOfStatement | Acorn.WhileStatement | Acorn.DoWhileStatement;

function readLoop(body: Body, node: LoopNode, label?: Label): readonly Statement[] {
  if (node.type === 'ForStatement') return [readFor(body, node, label)];
  return node.type === 'ForOfStatement' ? readForOf(body, node, label) : [readWhile(body, node, label)];
}

function isLoop(node: Acorn.Statement): node is LoopNode {
  return /^(?:For|ForOf|While|DoWhile)Statement$/.test(node.type);
}

/** `rows: for (…) { … continue rows; }` */
function readLabelled(body: Body, node: Acorn.LabeledStatement): readonly Statement[] {
  return body.labelled(node.label.name, node.label, (label) => {
    if (isLoop(node.body)) return readLoop(body, node.body, label);
    const inner = blockOf(
      body.inScope(() => readStatement(body, node.body)),
      node.body,
    );
    return [{ kind: 'labelled', label, body: inner, ...spanOf(node) }];
  });
}

function readJump(body: Body, node: Acorn.BreakStatement | Acorn.ContinueStatement): Jump {
  const kind = node.type === 'BreakStatement' ? 'break' : 'continue';
  const label = node.label ? body.labelNamed(node.label.name) : undefined;
  if (label && kind === 'break') label.isBroken = true;
  if (label && kind === 'continue') label.isContinued = true;
  return { kind, label, ...spanOf(node) };
}

const REFUSALS: Readonly<Record<string, string>> = {
  ForInStatement: 'a kernel has no for … in: write for (let i = 0; i < a.length; i++)',
  TryStatement: 'a kernel has no exceptions: take try away, and test before',
  ThrowStatement: 'a kernel cannot throw: write a number to an array, and look at it afterwards',
  FunctionDeclaration:
    'a kernel cannot have functions inside: make it by device((x) => …) and give it as { const: { f } }',
  ClassDeclaration: 'a kernel cannot have classes: write functions with device((x) => …)',
  WithStatement: 'a kernel has no with',
};

/** The first word of a statement, for its mark in an error. */
function head({ start, end }: Span): Span {
  return { start, end: Math.min(end, start + 5) };
}

/** Minifiers write `a && b()`, `a ? b() : c()` and `a(), b()` for statements. */
function asStatements(body: Body, node: Acorn.Expression): readonly Statement[] {
  if (node.type === 'SequenceExpression') return node.expressions.flatMap((one) => asStatements(body, one));
  if (node.type === 'Literal' && typeof node.value === 'string') return []; // 'use strict'
  if (node.type === 'UnaryExpression' && node.operator === 'void') return asStatements(body, node.argument);
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const test = readTest(body, node.left);
    const isAnd = node.operator === '&&';
    const negated: Expression = { kind: 'unary', operator: '!', operand: test, type: test.type, ...spanOf(node.left) };
    return [branch(isAnd ? test : negated, asStatements(body, node.right), undefined, node)];
  }
  if (node.type === 'ConditionalExpression') {
    const test = readTest(body, node.test);
    return [branch(test, asStatements(body, node.consequent), asStatements(body, node.alternate), node)];
  }
  if (isPatternAssignment(node))
    return readPatternAssignment(body, node).map((expression) => ({ kind: 'expression', expression, ...spanOf(node) }));
  if (node.type === 'ParenthesizedExpression') return asStatements(body, node.expression);
  return [{ kind: 'expression', expression: body.expression(node), ...spanOf(node) }];
}

function branch(
  test: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[] | undefined,
  span: Span,
): Statement {
  return {
    kind: 'if',
    test,
    then: blockOf(then, span),
    otherwise: otherwise === undefined || otherwise.length === 0 ? undefined : blockOf(otherwise, span),
    ...spanOf(span),
  };
}

function readBlock(body: Body, node: Acorn.BlockStatement): Statement {
  return body.inScope(() =>
    blockOf(
      node.body.flatMap((one) => readStatement(body, one)),
      node,
    ),
  );
}

function readIf(body: Body, node: Acorn.IfStatement): readonly Statement[] {
  // Minifiers put the statements before an if into its test.
  const parts = node.test.type === 'SequenceExpression' ? node.test.expressions : [node.test];
  const before = parts.slice(0, -1).flatMap((one) => asStatements(body, one));
  const test = readTest(body, parts.at(-1) as Acorn.Expression);
  const then = readNested(body, node.consequent);
  const otherwise = node.alternate ? readNested(body, node.alternate) : undefined;
  return [...before, { kind: 'if', test, then, otherwise, ...spanOf(node) }];
}

function readReturn(body: Body, node: Acorn.ReturnStatement): readonly Statement[] {
  const { argument } = node;
  if (!argument) return [{ kind: 'return', value: body.returned(undefined, node), ...spanOf(node) }];
  const isNothing = argument.type === 'UnaryExpression' && argument.operator === 'void';
  if (isNothing || (body.isKernel && argument.type !== 'Literal' && returnsNothing(argument))) {
    const before = asStatements(body, argument).filter(
      (one) => one.kind !== 'expression' || one.expression.kind !== 'constant',
    );
    return [...before, { kind: 'return', value: body.returned(undefined, node), ...spanOf(node) }];
  }
  const value = body.expression(argument);
  return [{ kind: 'return', value: body.returned(value, node), ...spanOf(node) }];
}

/** Minifiers write `return a[i] = x, void 0` for two statements. */
function returnsNothing(node: Acorn.Expression): boolean {
  const last = node.type === 'SequenceExpression' ? node.expressions.at(-1) : node;
  return last?.type === 'UnaryExpression' && last.operator === 'void';
}
