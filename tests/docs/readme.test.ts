import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import ts from 'typescript';
import { root } from '../helpers/root.ts';
import { sourceFiles } from '../helpers/sources.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the block for an empty folder saves the first example, and installs the compiler that the package wants', () => {
  const [, lines, program] = /^```sh\n(mkdir .*?)<<'EOF'\n(.*?)^EOF\nnode hello\.mjs\n```$/ms.exec(readme) ?? [];
  expect(program).toBe(readFileSync(join(root, 'examples/01-hello.ts'), 'utf8'));
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const clang = Object.entries(peerDependencies).map((pair) => pair.join('@'));
  expect(lines?.split('\n')).toContain(`npm install rawkernel ${clang.join(' ')}`);
});

test('every program of the README is JavaScript that Node 20 reads', () => {
  const programs = [...readme.matchAll(/<<'EOF'\n(.*?)^EOF$|^```ts\n(.*?)^```$/gms)].map(
    ([, here, block]) => here ?? block,
  );
  expect(programs.length).toBeGreaterThan(1);
  for (const program of programs)
    expect(() => transformSync(program ?? '', { jsc: { target: 'es2022' } })).not.toThrow();
  // The transformer reads newer JavaScript.
  expect(programs.join('\n')).not.toMatch(/^\s*(?:await )?using /m);
});

/** Variables of the system, which have their usual meaning. */
const SYSTEM: ReadonlySet<string> = new Set(['HOME', 'PATH', 'TERM']);

test('the README lists every environment variable that is read, and no other', () => {
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)/gm)].flatMap(([, name]) => name ?? []);
  const read = [...sourceFiles().values()].flatMap((file) => variablesOf(file)).filter((name) => !SYSTEM.has(name));
  expect(listed.sort()).toEqual([...new Set(read)].sort());
});

/** The names that a file looks up in `process.env`, and the `variable:` of each library description. */
function variablesOf(file: ts.SourceFile): readonly string[] {
  const constants = new Map<string, string>();
  const found: string[] = [];
  const text = (node: ts.Node | undefined): string | undefined => {
    if (node && ts.isStringLiteral(node)) return node.text;
    return node && ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  };
  const visit = (node: ts.Node): void => {
    let name: string | undefined;
    if (ts.isVariableDeclaration(node)) {
      const value = text(node.initializer);
      if (value !== undefined) constants.set(node.name.getText(file), value);
      if (ts.isObjectBindingPattern(node.name) && node.initializer?.getText(file) === 'process.env') {
        found.push(...node.name.elements.map((element) => (element.propertyName ?? element.name).getText(file)));
      }
    } else if (ts.isElementAccessExpression(node) && node.expression.getText(file) === 'process.env') {
      name = text(node.argumentExpression);
    } else if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'variable') {
      name = text(node.initializer);
    }
    if (name !== undefined) found.push(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
