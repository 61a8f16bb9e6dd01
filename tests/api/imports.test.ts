import { posix } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { sourceFiles } from '../helpers/sources.ts';

/** The layers from the bottom up. A file belongs to the first that matches; it imports from its own or a lower one. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['index', /^src\/([\w-]+\/(sys\/)?)?index\.ts$/],
  ['cli', /^src\/cli\//],
  ['ports', /^src\/(node-opencl|webcl)\//],
  ['core', /^src\/core\//],
  ['ffi', /^src\/ffi\//],
  ['sys', /^src\/\w+\/sys\//],
  ['cpu', /^src\/cpu\//],
  [
    'guard',
    /^src\/\w+\/(select|installed|toolkit|merge|handle-parameters|older\/[\w-]+|call|captures|errors|recent-launches|launch-config|profiling\/(timeline|kernel-title))\.ts$/,
  ],
  ['conveniences', /^src\/\w+\/(array|elementwise|reduction|scan|tools|characterize|autoinit)\.ts$/],
  ['objects', /^src\/\w+\/([\w-]+\/)?[\w-]+\.ts$/],
];
const order = ['core', 'ffi', 'sys', 'cpu', 'guard', 'objects', 'conveniences', 'ports', 'index', 'cli'];

const files = sourceFiles();
const imports = new Map([...files].map(([path, file]) => [path, importsOf(path, file)]));

test('imports go downwards', () => {
  const upwards: string[] = [];
  for (const [from, list] of imports) {
    for (const to of list) {
      // ffi/memory.ts is what core may use of ffi: it imports nothing.
      if (rank(to) > rank(from) && to !== 'src/ffi/memory.ts') upwards.push(`${from} → ${to}`);
    }
  }
  expect(upwards).toEqual([]);
});

test('the halves do not import each other', () => {
  const sideways = [...imports].flatMap(([from, list]) =>
    list.filter((to) => half(from) && half(to) && half(from) !== half(to)).map((to) => `${from} → ${to}`),
  );
  expect(sideways).toEqual([]);
});

test('imports are acyclic', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    else if (!done.has(path)) {
      for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of files.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

function rank(path: string): number {
  const layer = layers.find(([, pattern]) => pattern.test(path));
  if (!layer) throw new Error(`${path} belongs to no layer`);
  return order.indexOf(layer[0]);
}

function half(path: string): string | undefined {
  return /^src\/(cuda|opencl|nvml)\//.exec(path)?.[1];
}

/** The files that a file imports at run time, static and dynamic. */
function importsOf(path: string, file: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const add = (name: ts.Node | undefined): void => {
    if (name && ts.isStringLiteral(name) && name.text.startsWith('.')) {
      found.push(posix.join(posix.dirname(path), name.text));
    }
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && !isTypeOnly(node)) add(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || allTypes(node.exportClause);
  const clause = node.importClause;
  if (!clause) return false;
  return clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (!clause.name && allTypes(clause.namedBindings));
}

function allTypes(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!names || !('elements' in names) || names.elements.length === 0) return false;
  return names.elements.every((element) => element.isTypeOnly);
}
