import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as swc from '@swc/core';
import { build, transform, type TransformOptions } from 'esbuild';
import { createInstrumenter } from 'istanbul-lib-instrument';
import { minify, type MinifyOptions } from 'terser';
import ts from 'typescript';

/** What a tool makes of a file in TypeScript. */
export interface Made {
  readonly code: string;
  readonly isCommonJs: boolean;
}

type Tool = (file: string) => Promise<Made> | Made;

const read = (file: string): string => readFileSync(file, 'utf8');

function esbuild(options: TransformOptions): Tool {
  return async (file) => {
    const { code } = await transform(read(file), { loader: 'ts', target: 'es2022', ...options });
    return { code, isCommonJs: options.format === 'cjs' };
  };
}

/** All files in one, but for the package. */
function bundled(isMinified: boolean, format: 'cjs' | 'esm'): Tool {
  return async (file) => {
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      platform: 'node',
      external: ['*/jit/index.ts', '*/cuda/index.ts'],
      minify: isMinified,
      format,
    });
    return { code: outputFiles[0]?.text ?? '', isCommonJs: format === 'cjs' };
  };
}

function swcWith(options: swc.Options, isMinified = false): Tool {
  return (file) => {
    const { code } = swc.transformSync(read(file), {
      filename: file,
      swcrc: false,
      minify: isMinified,
      ...options,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript' },
        ...(isMinified ? { minify: { compress: true, mangle: { toplevel: true } } } : {}),
        ...options.jsc,
      },
    });
    return { code, isCommonJs: options.module?.type === 'commonjs' };
  };
}

/** On what TypeScript's own compiler makes. */
function terser(options: MinifyOptions): Tool {
  return async (file) => {
    const { code = '' } = await minify(tsc({})(file).code, { module: true, ...options });
    return { code, isCommonJs: false };
  };
}

function tsc(options: ts.CompilerOptions): (file: string) => Made {
  return (file) => {
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, ...options };
    const { outputText } = ts.transpileModule(read(file), { compilerOptions, fileName: basename(file) });
    return { code: outputText, isCommonJs: compilerOptions.module === ts.ModuleKind.CommonJS };
  };
}

/** As jest, nyc and vitest do for coverage. */
function counted(file: string): Made {
  const { code, isCommonJs } = tsc({})(file);
  return { code: createInstrumenter({ esModules: true }).instrumentSync(code, file), isCommonJs };
}

/** What people do to their code, each with its usual options. */
export const tools: Readonly<Record<string, Tool>> = {
  'esbuild, as tsx runs it': esbuild({ keepNames: true, minifySyntax: true, sourcemap: 'inline' }),
  esbuild: esbuild({}),
  'esbuild for es2015': esbuild({ target: 'es2015' }),
  'esbuild for es2018, syntax minified': esbuild({ target: 'es2018', minifySyntax: true }),
  'esbuild to CommonJS': esbuild({ format: 'cjs', target: 'es2020' }),
  'esbuild, minified': esbuild({ minify: true, format: 'esm' }),
  'esbuild, minified, names kept': esbuild({ minify: true, keepNames: true, target: 'es2020' }),
  'esbuild, a bundle': bundled(false, 'esm'),
  'esbuild, a minified bundle': bundled(true, 'esm'),
  'esbuild, a minified bundle of CommonJS': bundled(true, 'cjs'),
  swc: swcWith({}),
  'swc to CommonJS': swcWith({ module: { type: 'commonjs' } }),
  'swc for es2015': swcWith({ jsc: { target: 'es2015' } }),
  'swc, minified': swcWith({}, true),
  'swc to CommonJS, minified': swcWith({ module: { type: 'commonjs' } }, true),
  terser: terser({}),
  'terser, three passes': terser({ compress: { passes: 3, toplevel: true }, mangle: { toplevel: true } }),
  'terser, hoisted': terser({ compress: { hoist_vars: true, hoist_funs: true, sequences: 100 } }),
  tsc: tsc({}),
  'tsc to CommonJS': tsc({ module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2017 }),
  'istanbul, counters of coverage': counted,
};
