import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const NAMES = ['report-main', 'report', 'mistakes', 'programs', 'puzzles', 'setting'];
/** What users import in the place of modules. */
const PACKAGE: Readonly<Record<string, string>> = {
  'cuda/autoinit': 'rawkernel/cuda/autoinit',
  'cuda/index': 'rawkernel/cuda',
  'cuda/jit/index': 'rawkernel/cuda/jit',
  'jit/jit': 'rawkernel/cuda/jit',
};

/** The files of the report on kernels in TypeScript, which import the package by its name: for a folder beside it. */
export function jitReportFiles(): readonly (readonly [name: string, text: string])[] {
  return NAMES.map((each) => {
    const name = `jit-${each}.ts`;
    const text = readFileSync(join(root, 'tests', 'helpers', name), 'utf8');
    return [
      name,
      text.replaceAll(/'\.\.\/\.\.\/src\/([^']+)\.ts'/g, (_, module: string) => {
        const path = PACKAGE[module];
        if (path === undefined) throw new Error(`${name} imports src/${module}.ts, which users cannot`);
        return `'${path}'`;
      }),
    ];
  });
}
