import ts from 'typescript';
import { join } from 'node:path';
import { root } from './root.ts';

/** A text that the type checker has seen. */
export interface Checked {
  /** What is wrong with it, in the checker's words. */
  readonly errors: readonly string[];
  /** What the checker has done for it. */
  readonly instantiations: number;
  /** The properties of each exported type, each with its type as text. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const options = compilerOptions();
let earlier: ts.Program | undefined;

/** Have the type checker see a TypeScript text, as a file of tests/types. */
export function check(text: string): Checked {
  const file = join(root, 'tests', 'types', 'generated.ts');
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    getSourceFile: (name, version, ...rest) =>
      name === file ? ts.createSourceFile(name, text, version, true) : disk.getSourceFile(name, version, ...rest),
  };
  // What it imports was read before.
  const program = ts.createProgram([file], options, host, earlier);
  earlier = program;
  const source = program.getSourceFile(file);
  if (!source) throw new Error('The program has no file');
  const errors = program
    .getSemanticDiagnostics(source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  const checker = program.getTypeChecker();
  const instantiations = program.getInstantiationCount();
  const types = new Map<string, ReadonlyMap<string, string>>();
  source.forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node) || !ts.canHaveModifiers(node) || node.modifiers === undefined) return;
    const properties = checker.getTypeAtLocation(node).getProperties();
    const text = (property: ts.Symbol): string =>
      checker.typeToString(checker.getTypeOfSymbol(property), undefined, ts.TypeFormatFlags.NoTruncation);
    types.set(node.name.text, new Map(properties.map((property) => [property.name, text(property)])));
  });
  return { errors, instantiations, types };
}

/** The compiler's options for the whole project. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    readonly config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}
