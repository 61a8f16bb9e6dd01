import type * as Acorn from 'acorn';
import type { Expression, Label, Loop, Span, Statement, Variable } from '../tree.ts';
import { I32, I64, typeText, type ArrayType } from '../kernel-type.ts';
import { blockOf, readNested } from './block.ts';
import type { Body } from './body.ts';
import { constantOf, convert } from './convert.ts';
import { readDeclarations } from './declaration.ts';
import { declarationOf } from './declare.ts';
import { readDiscarded } from './discard.ts';
import { elementOf, viewOf } from './element.ts';
import { useOf } from './hold.ts';
import { namesOf } from './hoisted.ts';
import { arrayOfList, declareList } from './list.ts';
import { binary } from './operator.ts';
import { takePattern } from './pattern.ts';
import { spanOf } from './reading.ts';
import { readTest } from './test.ts';

export function readFor(body: Body, node: Acorn.ForStatement, label?: Label): Loop {
  return body.inScope(() => {
    const { init } = node;
    const first = !init
      ? []
      : init.type === 'VariableDeclaration'
        ? readDeclarations(body, init)
        : body.statement({ type: 'ExpressionStatement', expression: init, ...spanOf(init) });
    const test = node.test ? readTest(body, node.test) : undefined;
    const inner = readNested(body, node.body);
    const update = node.update ? readDiscarded(body, node.update) : undefined;
    return { kind: 'loop', init: first, test, update, body: inner, isPostTested: false, label, ...spanOf(node) };
  });
}

export function readWhile(body: Body, node: Acorn.WhileStatement | Acorn.DoWhileStatement, label?: Label): Loop {
  const inner = readNested(body, node.body);
  const test = readTest(body, node.test);
  const isPostTested = node.type === 'DoWhileStatement';
  return { kind: 'loop', init: [], test, update: undefined, body: inner, isPostTested, label, ...spanOf(node) };
}

/** `for (const v of a)`: the elements of an array along its first axis, or of a list of numbers, which becomes an array. */
export function readForOf(body: Body, node: Acorn.ForOfStatement, label?: Label): readonly Statement[] {
  if (node.await) return body.fail(node, 'a kernel cannot wait for a promise: take await away');
  const { left, right } = node;
  if (left.type !== 'VariableDeclaration')
    return body.fail(left, 'for … of must declare its variable: for (const v of a)');
  return body.inScope(() => {
    const list = body.expression(right);
    if (list.type.kind === 'unknown') return declared(body, left, node);
    const { before, array } = arrayOf(body, list, right);
    const position = body.made('place', left, false);
    position.type = body.isWide ? I64 : I32;
    position.isNatural = true;
    const use = useOf(position, left);
    const zero = convert(constantOf(0, left), position.type, body.fail);
    const length = lengthOf(body, array, right);
    const statement: Loop = {
      kind: 'loop',
      init: [declarationOf(position, zero, left)],
      test: binary('<', use, length, right, body.fail),
      update: { kind: 'update', operator: '++', isPrefix: false, target: use, type: position.type, ...spanOf(left) },
      body: body.inScope(() => {
        const first = valueIn(body, left, array, use);
        return blockOf([...first, ...inBody(body, node)], node.body);
      }),
      isPostTested: false,
      label,
      ...spanOf(node),
    };
    return [...before, statement];
  });
}

function inBody(body: Body, node: Acorn.ForOfStatement): readonly Statement[] {
  return [readNested(body, node.body)];
}

/** While types are not known: what the loop declares is. */
function declared(body: Body, left: Acorn.VariableDeclaration, node: Acorn.ForOfStatement): readonly Statement[] {
  for (const { id } of left.declarations)
    for (const one of namesOf(id)) body.declare(one.name, one, left.kind === 'var');
  return inBody(body, node);
}

function valueIn(
  body: Body,
  left: Acorn.VariableDeclaration,
  array: Expression,
  use: Expression,
): readonly Statement[] {
  const { id } = left.declarations[0] as Acorn.VariableDeclarator;
  const { rank } = array.type as ArrayType;
  const value = rank === 1 ? elementOf(array, [use], left) : viewOf(array, use, left);
  return takePattern(body, id, { ...value, ...spanOf(left) }, left.kind === 'var');
}

function lengthOf(body: Body, array: Expression, span: Span): Expression {
  const known = array.kind === 'variable' ? array.variable.shape?.[0] : undefined;
  if (known !== undefined) return constantOf(known, span);
  return { kind: 'extent', array, axis: 0, type: body.isWide ? I64 : I32, ...spanOf(span) };
}

function arrayOf(
  body: Body,
  list: Expression,
  node: Acorn.Node,
): { readonly before: readonly Statement[]; readonly array: Expression } {
  if (list.type.kind === 'array') return { before: [], array: list };
  if (list.type.kind !== 'tuple')
    return body.fail(node, `for … of must be given an array or a list of numbers, got ${typeText(list.type)}`);
  const found = arrayOfList(list.type);
  if (found?.type.rank !== 1)
    return body.fail(node, `the values of the list must be numbers of one type, got ${typeText(list.type)}`);
  const variable: Variable = body.made('items', node, false);
  return { before: declareList(body, variable, list, node), array: useOf(variable, node) };
}
