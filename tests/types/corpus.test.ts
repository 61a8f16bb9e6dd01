import { expect } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseDeclarations, type Declaration, type Dialect } from '../../src/core/signature.ts';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { check } from '../helpers/type-program.ts';

/** A source of kernels that the reader at run time understands. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly kernels: ReadonlyMap<string, Declaration>;
}

const FOLDERS = ['examples', 'kernels', 'tests', 'docs'];
// These show what no reader understands.
const ODD = /^tests\/(?:types\/|unit\/core\/signature)/;

function sourceOf(file: string, text: string): Source[] {
  const dialect = text.includes('__global__') ? 'cuda' : /\bkernel\b|__kernel/.test(text) ? 'opencl' : undefined;
  const found = dialect ? parseDeclarations(text, dialect) : [];
  // A kernel that another source defines has no type here.
  const isElsewhere = (name: string): boolean => new RegExp(`extern __global__ [^;{]*\\b${name}\\([^{]*;`).test(text);
  const named = found.map((one) => [one.name.slice(one.name.lastIndexOf(':') + 1), one] as const);
  const kernels = new Map(named.filter(([name]) => !isElsewhere(name)));
  return dialect && kernels.size > 0 ? [{ file, text, dialect, kernels }] : [];
}

/** The literals of a TypeScript file that are sources. */
function literals(file: string, code: string): Source[] {
  const found: Source[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(...sourceOf(file, node.text));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return found;
}

function collect(): Source[] {
  return FOLDERS.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .map((name) => join(folder, name))
      .filter((file) => /\.(?:ts|cu|cl)$/.test(file) && !ODD.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return file.endsWith('.ts') ? literals(file, text) : sourceOf(file, text);
      }),
  );
}

const HALVES = { cuda: 'Cuda', opencl: 'OpenCL' } as const;
const HEAD = `
  import type { CudaKernels, KernelArgument as CudaAny, KernelArguments as CudaArguments, ShapeOf } from '../../src/cuda/index.ts';
  import type { OpenCLKernels, KernelArgument as OpenCLAny, KernelArguments as OpenCLArguments } from '../../src/opencl/index.ts';
  type Known<A extends unknown[], Any> = number extends A['length'] ? 'open' : { [I in keyof A]: [Any] extends [A[I]] ? 'any' : 'typed' };
  type Cuda<S extends string> = { [N in keyof CudaKernels<S> & string]: Known<CudaArguments<ShapeOf<CudaKernels<S>, N, {}>>, CudaAny> };
  type OpenCL<S extends string> = { [N in keyof OpenCLKernels<S> & string]: Known<OpenCLArguments<ShapeOf<OpenCLKernels<S>, N, {}>>, OpenCLAny> };
`;

needs.full().test('the type checker finds the kernels of our own sources, and types their parameters', () => {
  const sources = collect();
  const lines = sources.map(
    ({ text, dialect }, i) => `export type T${i} = ${HALVES[dialect]}<${JSON.stringify(text)}>;`,
  );
  const { errors, types, instantiations } = check([HEAD, ...lines].join('\n'));
  expect(errors).toEqual([]);
  const missed: string[] = [];
  const miscounted: string[] = [];
  let kernels = 0;
  let parameters = 0;
  let typed = 0;
  sources.forEach(({ file, kernels: declared }, i) => {
    const known = types.get(`T${i}`);
    for (const [name, declaration] of declared) {
      kernels++;
      parameters += declaration.parameters.length;
      const text = known?.get(name);
      if (text === undefined) missed.push(`${file}: ${name}`);
      const words = [...(text?.matchAll(/any|typed/g) ?? [])].map(([word]) => word);
      typed += words.filter((word) => word === 'typed').length;
      if (text?.startsWith('[') && words.length !== declaration.parameters.length) miscounted.push(`${file}: ${name}`);
    }
  });
  expect(new Set(sources.map(({ file }) => file)).size).toBeGreaterThan(150);
  expect(missed).toEqual([]);
  expect(miscounted).toEqual([]);
  expect(typed / parameters).toBeGreaterThan(0.95);
  // Their arguments included.
  expect(instantiations / kernels).toBeLessThan(300 * 1.2);
});
