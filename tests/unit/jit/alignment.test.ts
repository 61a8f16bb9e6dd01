import { transformSync } from '@swc/core';
import { describe, expect, test } from '@jest/globals';
import { transformSync as esbuild } from 'esbuild';
import { createInstrumenter } from 'istanbul-lib-instrument';
import ts from 'typescript';
import { align } from '../../../src/jit/alignment.ts';
import { scriptTokens } from '../../../src/jit/script-token.ts';

const texts = (program: string): readonly string[] => scriptTokens(program).map(({ text }) => text);

describe('tokens', () => {
  test.each<[string, readonly string[]]>([
    ['a[i]! / 3; // b', ['a', '[', 'i', ']', '!', '/', '3', ';']],
    ['x = /[/\'"`]\\//g; y', ['x', '=', '"/[/\'"`]\\//g', ';', 'y']],
    ['return /a b/.test(c) / d', ['return', '"/a b/', '.', 'test', '(', 'c', ')', '/', 'd']],
    ['`a ${{ b: `c${d}` }.b}e` + f', ['"`a ${', '{', 'b', ':', '"`c${', 'd', '"}`', '}', '.', 'b', '"}e`', '+', 'f']],
    ['/* a */ 1_000 + 1e3 + 0x10 + 2n + .5', ['1000', '+', '1000', '+', '16', '+', '2n', '+', '0.5']],
    ['x?.#y ?? "z"', ['x', '?', '.', '#y', '?', '?', '"z']],
  ])('%s', (program, expected) => {
    expect(texts(program)).toEqual(expected);
  });

  test('an apostrophe that opens no string, as in JSX, ends with its line', () => {
    expect(texts("<p>don't</p>\nz").at(-1)).toBe('z');
  });

  test('a string and a number are the same tokens however they are written', () => {
    expect(texts(`'a' 1e3 0.5`)).toEqual(texts(`"a" 1000 .5`));
  });

  test.each(['`a ${', "'", '/* a', '`', '\\', '"\\', '}', '\u0000'])('no text fails: %j', (program) => {
    expect(() => texts(program)).not.toThrow();
  });
});

const SOURCE = `import { cuda, jit, type F32 } from 'rawkernel/cuda/jit';

interface Sizes {
  readonly width: number;
}

/** Another one, much like the next. */
export const other = jit((a: F32, out: F32<2>): void => {
  const i: number = cuda.grid(1);
  if (i >= out.length) return;
  out[i]![0] = a[i]! / 2;
});

export const kernel = jit<[F32, F32<2>]>((a, out): void => {
  const i: number = cuda.grid(1);
  const N = 4;

  // What follows is reached by some threads.
  for (let k = 0; k < N; k++) {
    if (i + k < (out.shape[0] as number)) out[i + k]![0] = a[i]! * 0x10 / N;
  }
});
`;
const CALL = SOURCE.indexOf('jit<');

/** The text of the last function of a program in JavaScript. */
function lastFunction(program: string): string {
  const file = ts.createSourceFile('program.js', program, ts.ScriptTarget.ES2022);
  let found = '';
  const visit = (node: ts.Node): void => {
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) found = node.getText(file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const swc = (code: string, module: 'commonjs' | 'es6'): string =>
  transformSync(code, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: module } }).code;

/** The function as it runs. */
const made: Readonly<Record<string, string>> = {
  'esbuild, as tsx asks for it': lastFunction(
    esbuild(SOURCE, { loader: 'ts', target: 'node20', keepNames: true, minifyWhitespace: true, minifySyntax: true })
      .code,
  ),
  'esbuild, to CommonJS': lastFunction(esbuild(SOURCE, { loader: 'ts', format: 'cjs' }).code),
  swc: lastFunction(swc(SOURCE, 'es6')),
  'swc, to CommonJS': lastFunction(swc(SOURCE, 'commonjs')),
  'TypeScript, to CommonJS': lastFunction(
    ts.transpileModule(SOURCE, { compilerOptions: { module: ts.ModuleKind.CommonJS } }).outputText,
  ),
  'istanbul, behind swc': lastFunction(
    createInstrumenter({ esModules: true }).instrumentSync(swc(SOURCE, 'es6'), 'kernel.js'),
  ),
  'constants that are folded, as Bun does': lastFunction(
    swc(SOURCE, 'es6')
      .replace(/const N = 4;\s*/, '')
      .replace('k < N', 'k < 4')
      .replace('0x10 / N', '4'),
  ),
};

describe('places', () => {
  test.each(Object.entries(made))('%s', (_, text) => {
    const found = align(SOURCE, text, CALL);
    for (const word of ['grid', 'shape', 'a[i]']) {
      const offset = text.indexOf(word);
      expect([word, found?.placeOf(offset)]).toEqual([word, SOURCE.indexOf(word, CALL)]);
    }
  });

  test('a name that a tool keeps from another one is that name', () => {
    const text = '(x2, _out, i_1) => { _out[i_1] = x2[i_1]; }';
    const source = 'jit((x, out, i) => {\n  out[i] = x[i];\n})';
    expect(align(source, text, 0)?.placeOf(text.lastIndexOf('x2'))).toBe(source.lastIndexOf('x['));
  });

  test('a function that is passed by its name stands elsewhere', () => {
    const call = `${SOURCE}\nexport const again = jit(named);`;
    const text = 'function named(x) { x[0] = 1 }';
    expect(align(`function named(x: F32): void {\n  x[0] = 1;\n}\n${call}`, text, call.length)?.placeOf(19)).toBe(30);
  });

  test('of two that are alike, the one behind the call', () => {
    const one = 'jit((x: F32) => {\n  x[0] = 1;\n});\n';
    const text = '(x) => { x[0] = 1; }';
    for (const call of [0, one.length])
      expect(align(one.repeat(3), text, call)?.placeOf(text.indexOf('x['))).toBe(call + one.indexOf('x['));
  });

  test('a file without the function has no place for it', () => {
    expect(
      align(SOURCE, '(p, q) => { const at = cuda.grid(2); q[at[0]] = Math.sin(p[at[1]]); }', CALL),
    ).toBeUndefined();
    expect(align('', made['swc'] ?? '', 0)).toBeUndefined();
    expect(align(SOURCE, '', CALL)).toBeUndefined();
  });

  test('in a file of a hundred thousand tokens, it is looked for where the package is called', () => {
    const long = `${'const a = [1, 2, 3];\n'.repeat(12_000)}${SOURCE}${'const a = [1, 2, 3];\n'.repeat(4000)}`;
    const shift = long.indexOf(SOURCE);
    const text = made['swc'] ?? '';
    expect(align(long, text, shift + CALL)?.placeOf(text.indexOf('a[i]'))).toBe(shift + SOURCE.indexOf('a[i]', CALL));
  });
});
