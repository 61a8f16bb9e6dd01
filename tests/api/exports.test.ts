import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root } from '../helpers/root.ts';
import { sourceFiles } from '../helpers/sources.ts';

interface Conditions {
  readonly types: string;
  readonly default: string;
}
interface Manifest {
  readonly exports: Readonly<Record<string, string | Conditions>>;
  readonly sideEffects: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const files = sourceFiles();
const indexes = [...files.keys()].filter((path) => basename(path) === 'index.ts');

test('the exports map names the index files, and what has a side effect', () => {
  const entries = Object.entries(manifest.exports).filter(([subpath]) => subpath !== './package.json');
  const extra = manifest.sideEffects.map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
  const expected = [...indexes, ...extra].map((path) => {
    const file = path.replace(/^src\//, './dist/').replace(/\.ts$/, '');
    const subpath = path.replace(/^src\//, './').replace(/(\/index)?\.ts$/, '');
    return [subpath, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(expected));
});

test('an index file only exports from other files', () => {
  const others = indexes.flatMap((path) =>
    (files.get(path)?.statements ?? [])
      .filter((statement) => !ts.isExportDeclaration(statement) || !statement.moduleSpecifier)
      .map((statement) => `${path}: ${statement.getText()}`),
  );
  expect(others).toEqual([]);
});

test('a file is named after the one thing inside', () => {
  const vague = [...files.keys()].filter((path) => /^(utils?|helpers?|common|misc|types?)\.ts$/.test(basename(path)));
  const odd = [...files.keys()].filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(basename(path)));
  expect([...vague, ...odd]).toEqual([]);
});
