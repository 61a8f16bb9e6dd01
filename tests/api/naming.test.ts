import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { sourceFiles } from '../helpers/sources.ts';

// "Async" is CUDA's word for stream-ordered. Nothing that returns a promise is called so.

interface Callable {
  readonly where: string;
  readonly name: string;
  readonly promise: boolean;
}

const callables = [...sourceFiles()].flatMap(([path, file]) => callablesOf(path, file));

test('there is something to look at', () => {
  expect(callables.length).toBeGreaterThan(50);
});

test('a function that returns a promise does not end in Async or Sync', () => {
  expect(callables.filter(({ name, promise }) => promise && /(Async|Sync)$/.test(name))).toEqual([]);
});

/** Exported functions, and methods of exported classes and interfaces. */
function callablesOf(path: string, file: ts.SourceFile): readonly Callable[] {
  const found: Callable[] = [];
  const add = (node: ts.SignatureDeclaration, named: ts.Node | undefined): void => {
    if (!named || ts.isPrivateIdentifier(named) || ts.isComputedPropertyName(named)) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ where: `${path}:${String(line)}`, name: named.getText(), promise: returnsPromise(node) });
  };
  const visit = (node: ts.Node, name: ts.Node | undefined): void => {
    if (ts.isFunctionLike(node)) add(node, node.name ?? name);
    else if (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) {
      const content = node.type ?? node.initializer;
      if (content) visit(content, node.name);
    } else if (ts.isPropertySignature(node)) {
      if (node.type) visit(node.type, node.name);
    } else if (ts.isVariableStatement(node)) node.declarationList.declarations.forEach((one) => visit(one, undefined));
    else if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      node.members.forEach((member) => visit(member, undefined));
    } else if (ts.isTypeAliasDeclaration(node)) visit(node.type, node.name);
    else if (ts.isTypeLiteralNode(node)) node.members.forEach((member) => visit(member, name));
  };
  file.statements.filter(isExported).forEach((statement) => visit(statement, undefined));
  return found;
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function returnsPromise(node: ts.SignatureDeclaration): boolean {
  return /^(Promise|PromiseLike|AsyncGenerator|AsyncIterable\w*)</.test(node.type?.getText() ?? '');
}
