import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TS from 'typescript';
import { root } from '../helpers/root.ts';
import { type HalfName } from './halves.ts';

const ts = createRequire(import.meta.url)('typescript') as typeof TS;

/** What the declarations say of a value; `of` and the like are numbers of {@link Model.types}. */
export type TypeOf =
  | { readonly k: 'any' | 'number' | 'string' | 'boolean' | 'bigint' | 'undefined' | 'null' | 'symbol' | 'fn' }
  | { readonly k: 'lit'; readonly v: string | number | boolean }
  | { readonly k: 'union' | 'tuple'; of: number[] }
  | { readonly k: 'list'; of: number }
  | { readonly k: 'view' | 'class'; readonly name: string }
  | { readonly k: 'object'; readonly name: string; props: Record<string, number> };

/** A parameter. */
export interface Parameter {
  readonly name: string;
  readonly type: number;
  readonly optional: boolean;
  readonly rest: boolean;
}

/** One way to call something. */
export type Signature = readonly Parameter[];

/** What the declarations say of one half. */
export interface Model {
  readonly types: TypeOf[];
  /** `Context.getLimit`, `Context#new`, `Context.prototype.close`, `memAlloc` … → the ways to call it. */
  readonly calls: Record<string, Signature[]>;
  /** `Context.prototype.cacheConfig` → its type. */
  readonly values: Record<string, number>;
}

const VIEWS =
  /^(?:(?:Big)?(?:Ui|I)nt(?:8|16|32|64)(?:Clamped)?Array|Float(?:16|32|64)Array|DataView|(?:Shared)?ArrayBuffer|Buffer)$/;
const MAX_PROPERTIES = 80;

/** Read the declarations of a half's built entry. */
export function readModel(half: HalfName): Model {
  const entry = join(root, 'dist', half, 'index.d.ts');
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!file || !module) throw new Error(`${entry} is not built: npm run build`);
  return new Reader(checker, file).read(module);
}

class Reader {
  readonly #checker: TS.TypeChecker;
  readonly #file: TS.SourceFile;
  readonly #model: Model = { types: [], calls: {}, values: {} };
  readonly #known = new Map<TS.Type, number>();
  readonly #classes = new Set<TS.Symbol>();

  constructor(checker: TS.TypeChecker, file: TS.SourceFile) {
    this.#checker = checker;
    this.#file = file;
  }

  read(module: TS.Symbol): Model {
    for (const symbol of this.#checker.getExportsOfModule(module)) this.#export(symbol.name, symbol, 0);
    return this.#model;
  }

  #export(path: string, exported: TS.Symbol, depth: number): void {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported;
    if (symbol.flags & ts.SymbolFlags.Class) {
      this.#class(path, symbol);
      // Types call it by its own name.
      if (symbol.name !== path) this.#class(symbol.name, symbol);
    }
    if (!(symbol.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.NamespaceModule))) return;
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, this.#file);
    this.#calls(path, type.getCallSignatures());
    if (symbol.flags & ts.SymbolFlags.Class || depth > 1 || !(type.flags & ts.TypeFlags.Object)) return;
    const members =
      symbol.flags & ts.SymbolFlags.NamespaceModule && !(symbol.flags & ts.SymbolFlags.Variable)
        ? this.#checker.getExportsOfModule(symbol)
        : type.getProperties().slice(0, 1000);
    for (const member of members) this.#export(`${path}.${member.name}`, member, depth + 1);
  }

  #class(name: string, symbol: TS.Symbol): void {
    this.#classes.add(symbol);
    const statics = this.#checker.getTypeOfSymbolAtLocation(symbol, this.#file);
    this.#calls(`${name}#new`, statics.getConstructSignatures());
    for (const member of statics.getProperties()) this.#member(`${name}.${keyOf(member)}`, member);
    const instance = this.#checker.getDeclaredTypeOfSymbol(symbol);
    this.#calls(`${name}.prototype.()`, instance.getCallSignatures());
    for (const member of instance.getProperties()) this.#member(`${name}.prototype.${keyOf(member)}`, member);
  }

  #member(path: string, member: TS.Symbol): void {
    const type = this.#checker.getTypeOfSymbolAtLocation(member, this.#file);
    const signatures = type.getCallSignatures();
    if (signatures.length > 0) this.#calls(path, signatures);
    else this.#model.values[path] = this.#type(type);
  }

  #calls(path: string, signatures: readonly TS.Signature[]): void {
    if (signatures.length === 0) return;
    this.#model.calls[path] = signatures.map((signature) => {
      this.#type(signature.getReturnType());
      return signature.parameters.map((parameter) => this.#parameter(parameter));
    });
  }

  #parameter(symbol: TS.Symbol): Parameter {
    const declaration = symbol.valueDeclaration;
    const own = declaration && ts.isParameter(declaration) ? declaration : undefined;
    const rest = own?.dotDotDotToken !== undefined;
    const optional = own !== undefined && (own.questionToken !== undefined || own.initializer !== undefined);
    return { name: symbol.name, type: this.#type(this.#checker.getTypeOfSymbol(symbol)), optional, rest };
  }

  #type(type: TS.Type): number {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const index = this.#model.types.push({ k: 'any' }) - 1;
    this.#known.set(type, index);
    this.#model.types[index] = this.#describe(type);
    return index;
  }

  #describe(type: TS.Type): TypeOf {
    const { flags } = type;
    const F = ts.TypeFlags;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { k: 'lit', v: type.value };
    if (flags & F.BooleanLiteral) return { k: 'lit', v: this.#checker.typeToString(type) === 'true' };
    if (flags & F.StringLike) return { k: 'string' };
    if (flags & F.NumberLike) return { k: 'number' };
    if (flags & F.BigIntLike) return { k: 'bigint' };
    if (flags & F.Boolean) return { k: 'boolean' };
    if (flags & (F.Undefined | F.Void)) return { k: 'undefined' };
    if (flags & F.Null) return { k: 'null' };
    if (flags & F.ESSymbolLike) return { k: 'symbol' };
    if (type.isUnion()) return { k: 'union', of: type.types.map((part) => this.#type(part)) };
    if (type.isIntersection()) {
      const primitive = type.types.find((part) => part.flags & (F.BigIntLike | F.NumberLike | F.StringLike));
      return primitive ? this.#describe(primitive) : this.#object(type);
    }
    if (flags & F.Object) return this.#object(type);
    const constraint = this.#checker.getBaseConstraintOfType(type);
    return constraint && constraint !== type ? this.#describe(constraint) : { k: 'any' };
  }

  #object(type: TS.Type): TypeOf {
    const symbol = type.getSymbol();
    const name = symbol?.name ?? '';
    if (VIEWS.test(name)) return { k: 'view', name };
    const checker = this.#checker;
    if (checker.isTupleType(type)) {
      return { k: 'tuple', of: checker.getTypeArguments(type as TS.TypeReference).map((part) => this.#type(part)) };
    }
    if (checker.isArrayType(type) || name === 'Iterable' || name === 'ArrayLike') {
      const [element] = checker.getTypeArguments(type as TS.TypeReference);
      return element ? { k: 'list', of: this.#type(element) } : { k: 'any' };
    }
    if (name === 'Promise') {
      for (const part of checker.getTypeArguments(type as TS.TypeReference)) this.#type(part);
      return { k: 'any' };
    }
    if (symbol && symbol.flags & ts.SymbolFlags.Class) {
      if (!this.#classes.has(symbol)) this.#class(name, symbol);
      return { k: 'class', name };
    }
    if (type.getCallSignatures().length > 0) return { k: 'fn' };
    if (['Map', 'Set', 'Date', 'RegExp', 'Function', 'AbortSignal'].includes(name)) return { k: 'class', name };
    const props: Record<string, number> = {};
    const described: TypeOf = { k: 'object', name, props };
    for (const member of type.getProperties().slice(0, MAX_PROPERTIES)) {
      props[keyOf(member)] = this.#type(checker.getTypeOfSymbolAtLocation(member, this.#file));
    }
    return described;
  }
}

/** `@@dispose` for what TypeScript calls `__@dispose@123`. */
function keyOf(symbol: TS.Symbol): string {
  const known = /^__@(\w+)@\d+$/.exec(symbol.name);
  return known ? `@@${known[1]}` : symbol.name;
}
