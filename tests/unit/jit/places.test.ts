import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import * as swc from '@swc/core';
import { afterAll, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { minify } from 'terser';
import ts from 'typescript';
import * as jitNames from '../../../src/cuda/jit/index.ts';

// Errors name the line that its author wrote, whatever tool has made the file that runs, where that one names a source map: the
// runtime need not have been told to read it.

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-places-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const KERNEL = `import { cuda, jit, type F32 } from 'rawkernel/cuda/jit';

interface Unused {
  readonly x: number;
}

export const kernel = jit((a: F32, out: F32) => {
  const i: number = cuda.grid(1);
  if (i < out.length) out[i] = a[i]! + scale;
});
`;
const LINE = '  if (i < out.length) out[i] = a[i]! + scale;';
const file = join(folder, 'kernel.ts');
const main = join(folder, 'main.ts');
const out = join(folder, 'out.js');
writeFileSync(file, KERNEL);
writeFileSync(main, `import { kernel as inner } from './kernel.ts';\n\nexport const kernel = inner;\n`);

/** What the kernel of a file in CommonJS throws. */
function errorOf(code: string, name = out): jitNames.JitError {
  writeFileSync(name, code);
  const module: { exports: { kernel?: jitNames.JitFunction } } = { exports: {} };
  const make = runInThisContext(`(function (require, module, exports) {${code}\n})`, { filename: name }) as (
    ...args: unknown[]
  ) => void;
  make(() => jitNames, module, module.exports);
  try {
    module.exports.kernel?.specialize('(f32[], f32[])');
  } catch (error) {
    if (error instanceof jitNames.JitError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function expectOriginal({ message, file: found, line, column }: jitNames.JitError): void {
  expect({ found, line, column }).toEqual({ found: file, line: 9, column: LINE.indexOf('scale') + 1 });
  expect(message).toContain(`${file}:9: scale is not a variable of the kernel`);
  expect(message.split('\n').slice(1)).toEqual([`  9 | ${LINE}`, `    | ${' '.repeat(LINE.indexOf('scale'))}^^^^^`]);
}

function esbuild(options: object): string {
  const settings = { bundle: true, format: 'cjs', platform: 'node', packages: 'external', outfile: out } as const;
  const { outputFiles } = buildSync({ entryPoints: [main], ...settings, ...options, write: false });
  for (const { path, text } of outputFiles) writeFileSync(path, text);
  return outputFiles.find(({ path }) => path === out)?.text ?? '';
}

test.each<[string, () => string]>([
  ['a bundle of esbuild with its map in a file', () => esbuild({ sourcemap: true })],
  ['a minified bundle of esbuild with its map in a file', () => esbuild({ sourcemap: true, minify: true })],
  ['esbuild with its map in the text', () => esbuild({ sourcemap: 'inline' })],
  [
    'swc with its map in the text',
    () =>
      swc.transformSync(KERNEL, {
        filename: file,
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      }).code,
  ],
  ['tsc with its map in a file', () => tsc({ sourceMap: true })],
  ['tsc with its map in the text', () => tsc({ inlineSourceMap: true, inlineSources: true })],
])('%s', (_, make) => {
  expectOriginal(errorOf(make()));
});

function tsc(options: ts.CompilerOptions): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, ...options };
  const { outputText, sourceMapText } = ts.transpileModule(KERNEL, { compilerOptions, fileName: file });
  if (sourceMapText === undefined || options.inlineSourceMap === true) return outputText;
  writeFileSync(join(folder, 'kernel.js.map'), sourceMapText);
  return outputText;
}

test('terser with its map in the text, behind that of tsc', async () => {
  const before = ts.transpileModule(KERNEL, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, sourceMap: true },
    fileName: file,
  });
  const { code = '' } = await minify(before.outputText.replace(/\/\/# source.*/, ''), {
    sourceMap: { content: before.sourceMapText ?? '', url: 'inline' },
  });
  expectOriginal(errorOf(code));
});

test('a name that a tool has made another one, since an outer variable has it, is the one that was written', () => {
  const shadowed = join(folder, 'shadowed.ts');
  writeFileSync(
    shadowed,
    `import { jit, type F32 } from 'rawkernel/cuda/jit';

const a = new Float32Array(4);
export const kernel = jit((a: F32, out: F32) => {
  out[0] = a[0, 1]!;
});
kernel.a = a;
`,
  );
  const code = esbuild({ entryPoints: [shadowed], sourcemap: true });
  expect(code).toContain('a2[0, 1]');
  const { message, line } = errorOf(code);
  expect(line).toBe(5);
  expect(message.split('\n')[0]).toMatch(/ write a\[0\]\[1\]$/);
});

test('types that have become blanks, as Node runs TypeScript: lines and columns stay', () => {
  const blank = (text: string): string => ' '.repeat(text.length);
  const stripped = KERNEL.replace(/: (?:F32|number)(?=[,) ])|(?<=\])!/g, blank);
  writeFileSync(file, KERNEL);
  const code = stripped
    .replace(/^import.*$/m, (line) => 'const{cuda,jit}=require();'.padEnd(line.length))
    .replace(/^interface[^}]*\}/m, (text) => text.replace(/./g, ' '))
    .replace('export const kernel =', 'exports      . kernel =');
  const module: { exports: { kernel?: jitNames.JitFunction } } = { exports: {} };
  const make = runInThisContext(`(function (require, module, exports) {${code}\n})`, { filename: file }) as (
    ...args: unknown[]
  ) => void;
  make(() => jitNames, module, module.exports);
  let thrown: unknown;
  try {
    module.exports.kernel?.specialize('(f32[], f32[])');
  } catch (error) {
    thrown = error;
  }
  expectOriginal(thrown as jitNames.JitError);
});

test('without a map the error names the line of the file that runs, and without a file that of the function as it runs', () => {
  const code = esbuild({ sourcemap: false });
  const row = code.split('\n').findIndex((line) => line.includes('scale')) + 1;
  const error = errorOf(code);
  expect(error).toMatchObject({ file: out, line: row });
  expect(error.message).toContain(`${out}:${row}: scale is not`);
  const module: { exports: { kernel?: jitNames.JitFunction } } = { exports: {} };
  const make = runInThisContext(`(function (require, module, exports) {${code}\n})`, {
    filename: join(folder, 'nowhere.js'),
  }) as (...args: unknown[]) => void;
  make(() => jitNames, module, module.exports);
  expect(() => module.exports.kernel?.specialize('(f32[], f32[])')).toThrow(
    /^line 3 of the function as it runs: scale is not/,
  );
});
