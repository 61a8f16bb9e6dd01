import { readFileSync } from 'node:fs';
import { compileCuda } from '../compile/compile-cuda.ts';
import { compileOpenCL } from '../compile/compile-opencl.ts';
import type { CompiledFile, CompileOptions } from '../compile/compiled-file.ts';
import { checkOutputFile, writeOutputFile } from '../output-file.ts';
import { UsageError, type IO, type Outcome, type Paint } from '../output.ts';
import { readSource, type SourceFile } from '../source-file.ts';
import { table } from '../table.ts';
import { declarationOf } from './declaration.ts';

/** The options of `rawkernel types`. */
export interface TypesOptions extends Omit<CompileOptions, 'output'> {
  /** Instances of templates: `scale<float>`. */
  readonly name?: readonly string[];
  readonly check?: boolean;
}

/** One declaration file. */
interface Written {
  readonly file: string;
  readonly declarations: string;
  readonly kernels: readonly string[];
  readonly state: 'written' | 'unchanged' | 'stale';
}

/** `rawkernel types`: a declaration file beside each source. */
export async function writeTypes(paths: readonly string[], options: TypesOptions, io: IO): Promise<Outcome> {
  const sources = paths.map((path) => {
    const source = readSource(path, options);
    if (source.code) throw new UsageError(`${path} is compiled already`);
    if (options.check !== true) checkOutputFile(outputOf(path), outputOf(path), paths);
    return source;
  });
  checkNames(options.name ?? [], sources);
  const files: Written[] = [];
  for (const source of sources) files.push(await declare(source, options, io));
  const stale = files.filter(({ state }) => state === 'stale');
  return {
    document: { files },
    text: (paint) => show(files, paint),
    code: stale.length > 0 ? 1 : 0,
  };
}

function outputOf(path: string): string {
  return `${path}.d.ts`;
}

async function declare(source: SourceFile, options: TypesOptions, io: IO): Promise<Written> {
  const { path } = source;
  const declarations = outputOf(path);
  const { kernels } = await compiled(source, options, io);
  const signatures = kernels.map(({ signature }) => signature);
  const text = declarationOf(source, signatures);
  const isNew = text !== earlier(declarations);
  if (isNew && options.check !== true) writeOutputFile(declarations, Buffer.from(text), declarations);
  const state = !isNew ? 'unchanged' : options.check === true ? 'stale' : 'written';
  return { file: path, declarations, kernels: signatures, state };
}

function compiled(source: SourceFile, options: TypesOptions, io: IO): Promise<CompiledFile> {
  if (source.language === 'opencl') return compileOpenCL(source, false, options, [], io);
  const names = (options.name ?? []).filter((name) => isTemplateOf(name, source));
  return compileCuda(source, undefined, { ...options, names }, [], io);
}

/** Whether a source seems to have the template of a name. */
function isTemplateOf(name: string, { language, text }: SourceFile): boolean {
  const base = /(\w+)\s*</.exec(name)?.[1];
  return language === 'cuda' && base !== undefined && new RegExp(`\\b${base}\\b`).test(text);
}

function checkNames(names: readonly string[], sources: readonly SourceFile[]): void {
  for (const name of names) {
    if (!name.includes('<')) throw new UsageError(`--name ${name}: write the instance of a template: 'scale<float>'`);
    if (!sources.some((source) => isTemplateOf(name, source))) {
      throw new UsageError(`--name ${name}: no CUDA source has such a template`);
    }
  }
}

function earlier(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function show(files: readonly Written[], paint: Paint): string {
  const colours = { written: 'green', unchanged: 'dim', stale: 'red' } as const;
  const rows = files.flatMap(({ declarations, kernels, state }) => {
    const [first = '(no kernels)', ...others] = kernels;
    return [[declarations, paint(colours[state], state), first], ...others.map((kernel) => ['', '', kernel])];
  });
  return table(['file', 'state', 'kernels'], rows);
}
