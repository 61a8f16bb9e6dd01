import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root } from '../helpers/root.ts';
import { examples, pages, programsOf, type Snippet } from './snippets.ts';

test('there is something to check', () => {
  expect(pages().flatMap(programsOf).length).toBeGreaterThan(5);
  expect(examples().length).toBeGreaterThan(10);
});

test('the programs of the docs and of the doc comments type-check', () => {
  expect(complaints([...pages().flatMap(programsOf), ...examples()])).toEqual([]);
}, 120_000);

/** What the compiler says about programs that import the package by its name. */
function complaints(snippets: readonly Snippet[]): readonly string[] {
  const texts = new Map(snippets.map((snippet, i) => [join(root, `snippet-${i}.ts`), snippet]));
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, settings, ...rest) => {
    const snippet = texts.get(path);
    // A block without imports or exports would be a script, and share its names with the others.
    if (snippet) return ts.createSourceFile(path, `${snippet.text}\nexport {};`, settings, true);
    return getSourceFile(path, settings, ...rest);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts].flatMap(([path, { name }]) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ messageText, start = 0 }) => {
      const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
      const code = file?.text.split('\n')[line]?.trim() ?? '';
      return `${name}: ${code}\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const source = (path: string): string[] => [join(root, 'src', path)];
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  return {
    ...options,
    isolatedDeclarations: false,
    declaration: false,
    declarationMap: false,
    paths: {
      rawkernel: source('index.ts'),
      'rawkernel/cuda/autoinit': source('cuda/autoinit.ts'),
      'rawkernel/*': source('*/index.ts'),
    },
  };
}
