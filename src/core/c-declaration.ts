import type { Declarator, Names } from './c-declarator.ts';
import { closing, NOISE, readDeclarator, splitTokens } from './c-declarator.ts';
import type { Token } from './c-token.ts';
import { joinTokens, tokenize } from './c-token.ts';
import type { CType, Dialect, TypeNode } from './c-type.ts';
import { parameterType, spell, unknownType, Unreadable } from './c-type.ts';

export interface Parameter {
  readonly name: string | undefined;
  readonly type: CType;
}

export interface Declaration {
  /** With its namespaces: `ns::scale`, `(anonymous namespace)::scale`. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly template: boolean;
  readonly externC: boolean;
  /** Of the name, from 1. */
  readonly line: number;
}

/** The kernels that a source text declares or defines. What cannot be read with certainty is left out. */
export function parseDeclarations(source: string, dialect: Dialect): Declaration[] {
  if (!source.includes(dialect === 'cuda' ? '__global__' : 'kernel') && !source.includes('\\')) return [];
  return new Walker(tokenize(source, DEFINED[dialect]), dialect).run();
}

interface Head {
  readonly name: string;
  readonly template: boolean;
  readonly linkage: string | undefined;
  readonly open: number;
  readonly line: number;
}

interface Scope {
  readonly kind: 'namespace' | 'extern' | 'block' | 'typedef';
  /** The namespaces so far; undefined if one of them could not be read. */
  readonly prefix: string | undefined;
  readonly linkage: string | undefined;
  /** Nothing but `extern "C" {` around. */
  readonly outermost: boolean;
  readonly outer: Scope | undefined;
}

const ATTRIBUTES = new Set(
  `__launch_bounds__ __cluster_dims__ __maxnreg__ __block_size__ __attribute__ __attribute __declspec alignas
  _Pragma`.split(/\s+/),
);
const SPECIFIERS = new Set([
  ...NOISE,
  'constexpr',
  'friend',
  '__host__',
  '__device__',
  '__forceinline__',
  '__inline__',
  '__noinline__',
  'extern',
]);
const KERNEL: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  cuda: new Set(['__global__']),
  opencl: new Set(['__kernel', 'kernel']),
};
const DEFINED: Readonly<Record<Dialect, ReadonlySet<string>>> = { cuda: new Set(['__cplusplus']), opencl: new Set() };
const UNREADABLE = new Set([
  'requires',
  'operator',
  'struct',
  'class',
  'union',
  'enum',
  'typedef',
  'using',
  'namespace',
  'concept',
]);
const ENDS_TYPEDEF = new Set([';', '{', 'typedef']);
// Bounds on looking ahead, in tokens: hostile text must not make the walk quadratic.
const LONGEST_TYPEDEF = 100;
const LONGEST_TEMPLATE = 300;
const LONGEST_LIST = 2000;
const LONGEST_PREFIX = 2000;

const OUTERMOST = { prefix: '', linkage: undefined, outermost: true };

class Walker {
  readonly #tokens: readonly Token[];
  readonly #dialect: Dialect;
  readonly #found: Declaration[] = [];
  readonly #aliases = new Map<string, TypeNode>();
  /** Type and template parameter names of the text that mean something we do not follow. */
  readonly #hidden = new Set<string>();
  /** The scopes where each open conditional began; its other branches begin there too. */
  readonly #conditionals: (Scope | undefined)[] = [];
  #scope: Scope | undefined;
  /** Where the statement at hand began. */
  #start = 0;
  #at = 0;

  constructor(tokens: readonly Token[], dialect: Dialect) {
    this.#tokens = tokens;
    this.#dialect = dialect;
  }

  run(): Declaration[] {
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      if (!token) break;
      if (token.kind === 'branch') this.#branch(token.text);
      else if (token.kind === 'mark') this.#mark(token.text);
      else if (token.kind === 'word') this.#word(token.text);
    }
    return withoutConflicts(this.#found);
  }

  #branch(text: string): void {
    if (text === 'if') this.#conditionals.push(this.#scope);
    else if (text === 'endif') this.#conditionals.pop();
    else this.#scope = this.#conditionals.at(-1);
  }

  #mark(text: string): void {
    if (text === '{') {
      this.#scope = this.#opened();
    } else if (text === '}') {
      if (this.#scope?.kind === 'typedef') this.#hideUntilSemicolon();
      this.#scope = this.#scope?.outer;
    } else if (text !== ';') {
      return;
    }
    this.#start = this.#at + 1;
  }

  #opened(): Scope {
    const { prefix, linkage, outermost } = this.#scope ?? OUTERMOST;
    const inherited = { prefix, linkage, outermost: false, outer: this.#scope };
    let i = this.#start;
    while (this.#tokens[i]?.kind === 'branch' || this.#tokens[i]?.text === 'inline') i++;
    const first = this.#tokens[i]?.text;
    if (first === 'extern' && i + 2 === this.#at) {
      return { ...inherited, kind: 'extern', linkage: this.#tokens[i + 1]?.text, outermost };
    }
    if (first !== 'namespace') return { ...inherited, kind: first === 'typedef' ? 'typedef' : 'block' };
    const words = this.#tokens.slice(i + 1, Math.min(this.#at, i + LONGEST_TYPEDEF));
    const name = joinTokens(words.filter((token) => token.text !== 'inline')) || '(anonymous namespace)';
    const sure = /^(?:\w+(?:::\w+)*|\(anonymous namespace\))$/.test(name) && !words.some((token) => token.doubt);
    const known = sure && prefix !== undefined && prefix.length < LONGEST_PREFIX;
    return { ...inherited, kind: 'namespace', prefix: known ? `${prefix}${name}::` : undefined };
  }

  #word(text: string): void {
    if (KERNEL[this.#dialect].has(text)) this.#kernel();
    else if (text === 'typedef') this.#alias(this.#at + 1, undefined);
    else if (text === 'using') this.#using();
    else if (text === 'template') this.#hideTemplate();
    else if (text === 'struct' || text === 'class' || text === 'union' || text === 'enum') this.#hideTag();
  }

  #hide(name: string): void {
    this.#aliases.delete(name);
    this.#hidden.add(name);
  }

  #hideTag(): void {
    const [name, next] = this.#tokens.slice(this.#at + 1, this.#at + 3);
    if (name?.kind === 'word' && next && /^(?:[{;:]|final)$/.test(next.text)) this.#hide(name.text);
  }

  #hideUntilSemicolon(): void {
    for (let i = this.#at + 1; i < this.#at + LONGEST_TYPEDEF; i++) {
      const token = this.#tokens[i];
      if (!token || token.text === ';') return;
      if (token.kind === 'word') this.#hide(token.text);
    }
  }

  #hideTemplate(): void {
    const open = this.#at + 1;
    const end = this.#tokens[open]?.text === '<' ? closing(this.#tokens, open, LONGEST_TEMPLATE) : -1;
    for (const piece of end < 0 ? [] : splitTokens(this.#tokens.slice(open + 1, end))) {
      const name = splitTokens(piece, '=')[0]?.at(-1);
      if (name?.kind === 'word') this.#hide(name.text);
    }
  }

  #using(): void {
    const [name, equals] = this.#tokens.slice(this.#at + 1, this.#at + 3);
    if (name?.kind === 'word' && equals?.text === '=') this.#alias(this.#at + 3, name.text);
  }

  /** Follows a typedef of the outermost scope; any other one hides its name. */
  #alias(from: number, using: string | undefined): void {
    const tokens = this.#tokens.slice(from, from + LONGEST_TYPEDEF);
    const end = tokens.findIndex((token) => ENDS_TYPEDEF.has(token.text));
    const ended = tokens[end]?.text === ';';
    const body = tokens.slice(0, Math.max(0, end));
    if (!ended) {
      if (using !== undefined) this.#hide(using);
      return;
    }
    const known = read(body, this.#names());
    const name = using ?? known?.name;
    if (name === undefined) {
      for (const token of body) if (token.kind === 'word') this.#hide(token.text);
      return;
    }
    const sure =
      known &&
      (this.#scope ?? OUTERMOST).outermost &&
      this.#conditionals.length === 0 &&
      !body.some((token) => token.doubt);
    const old = this.#aliases.get(name);
    if (!sure || this.#hidden.has(name) || (old && spell(old) !== spell(known.node))) this.#hide(name);
    else this.#aliases.set(name, known.node);
  }

  #names(): Names {
    return { dialect: this.#dialect, aliases: this.#aliases, hidden: (name) => this.#hidden.has(name) };
  }

  #kernel(): void {
    const reach = this.#reach();
    const head = this.#head(reach);
    const close = head ? closing(this.#tokens, head.open, reach - head.open) : -1;
    const list = head && close > 0 ? this.#parameters(head.open + 1, close) : undefined;
    const { prefix, linkage } = this.#scope ?? OUTERMOST;
    this.#start = this.#at + 1;
    if (!head || !list || prefix === undefined || !this.#endsHead(close + 1)) return;
    const template = head.template || list.template;
    const name = head.name.startsWith('::') ? head.name.slice(2) : prefix + head.name;
    const externC = this.#dialect === 'opencl' || (!template && (head.linkage ?? linkage) === '"C"');
    this.#found.push({ name, parameters: list.parameters, template, externC, line: head.line });
    this.#at = close;
    this.#start = close + 1;
  }

  /** How far this declaration can reach: not past a semicolon or the next kernel. */
  #reach(): number {
    const last = Math.min(this.#tokens.length, this.#at + LONGEST_LIST);
    for (let i = this.#at + 1; i < last; i++) {
      const text = this.#tokens[i]?.text ?? '';
      if (text === ';' || KERNEL[this.#dialect].has(text)) return i;
    }
    return last;
  }

  /** Reads a declaration from its start up to the parameter list. */
  #head(reach: number): Head | undefined {
    const tokens = this.#tokens;
    let i = this.#start;
    while (tokens[i]?.kind === 'branch') i++;
    const seen = { kernel: false, result: false, template: false };
    let linkage: string | undefined;
    for (;;) {
      const token = tokens[i];
      const next = tokens[i + 1];
      if (!token || !next || token.kind === 'branch' || i >= reach) return undefined;
      const { text } = token;
      if (KERNEL[this.#dialect].has(text)) seen.kernel = true;
      else if (text === 'void' || text === 'auto') seen.result = true;
      else if (text === 'extern' && next.kind === 'string') {
        linkage = next.text;
        i++;
      } else if (text === 'template' || (text === '[' && next.text === '[')) {
        seen.template ||= text === 'template';
        if (text === '[' || next.text === '<') i = closing(tokens, text === '[' ? i : i + 1, reach - i);
        if (i < 0) return undefined;
      } else if (!SPECIFIERS.has(text)) {
        if (UNREADABLE.has(text) || token.doubt === 'anything' || (token.kind !== 'word' && text !== '::'))
          return undefined;
        const group = next.text === '(';
        if (
          !ATTRIBUTES.has(text) &&
          seen.kernel &&
          seen.result &&
          (group || next.text === '::' || next.text === '<' || text === '::')
        ) {
          const named = this.#qualifiedName(i, reach);
          return named && { ...named, template: seen.template || named.template, linkage, line: token.line };
        }
        // Anything else before the name is a macro or an attribute.
        if (group) i = closing(tokens, i + 1, reach - i);
        if (i < 0) return undefined;
      }
      i++;
    }
  }

  #qualifiedName(from: number, reach: number): { name: string; template: boolean; open: number } | undefined {
    let name = '';
    let template = false;
    for (let i = from; i < reach; i++) {
      const token = this.#tokens[i];
      const text = token?.text;
      if (text === '(') return name === '' || name.endsWith('::') ? undefined : { name, template, open: i };
      const word = token?.kind === 'word' && !UNREADABLE.has(token.text) && !token.doubt;
      if (text === '<') {
        template = true;
        i = closing(this.#tokens, i, reach - i);
        if (i < 0) return undefined;
      } else if (text === '::' ? name.endsWith('::') : !word || (name !== '' && !name.endsWith('::'))) return undefined;
      else name += text ?? '';
    }
    return undefined;
  }

  #parameters(from: number, to: number): { parameters: Parameter[]; template: boolean } | undefined {
    const tokens = this.#tokens.slice(from, to);
    const hazard = (token: Token): boolean => token.doubt === 'anything' && !SPECIFIERS.has(token.text);
    if (tokens.some((token) => token.kind === 'branch' || hazard(token))) return undefined;
    const template = tokens.some((token) => token.text === '...' || token.text === 'auto');
    const pieces = splitTokens(tokens);
    if (pieces.length === 1 && tokens.length === 1 && tokens[0]?.text === 'void') return { parameters: [], template };
    const parameters: Parameter[] = [];
    for (const piece of pieces) {
      const declared = splitTokens(piece, '=')[0] ?? [];
      const [only] = declared;
      if (!only || (declared.length === 1 && !this.#isType(only))) return undefined;
      parameters.push(readParameter(declared, this.#names()));
    }
    return { parameters, template };
  }

  /** A lone unknown word may as well be a macro for the whole parameter list. */
  #isType({ text }: Token): boolean {
    return (
      this.#hidden.has(text) ||
      (text !== 'void' && read([{ kind: 'word', text, line: 0 }], this.#names())?.node.plain !== undefined)
    );
  }

  #endsHead(at: number): boolean {
    const token = this.#tokens[at];
    const next = this.#tokens[at + 1];
    if (!token) return false;
    if (token.text === '->') return next?.text === 'void';
    return token.kind === 'branch' || /^[{;[]$|^noexcept$/.test(token.text) || ATTRIBUTES.has(token.text);
  }
}

/** One declaration a C symbol, and none where its declarations differ: only one of them is compiled. */
function withoutConflicts(found: readonly Declaration[]): Declaration[] {
  const chosen = new Map<string, Declaration>();
  const conflicts = new Set<string>();
  for (const declaration of found) {
    if (!declaration.externC) continue;
    const symbol = symbolOf(declaration);
    const other = chosen.get(symbol);
    if (other && typesOf(other) !== typesOf(declaration)) conflicts.add(symbol);
    if (!other?.parameters.every(({ name }) => name)) chosen.set(symbol, declaration);
  }
  return found.filter((declaration) => {
    if (!declaration.externC) return true;
    const symbol = symbolOf(declaration);
    return chosen.get(symbol) === declaration && !conflicts.has(symbol);
  });
}

function symbolOf({ name }: Declaration): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function typesOf({ parameters }: Declaration): string {
  return parameters.map(({ type }) => `${type.space ?? ''} ${type.text}`).join();
}

export function readParameter(tokens: readonly Token[], names: Names): Parameter {
  const known = read(tokens, names);
  return { name: known?.name, type: known ? parameterType(known.node) : unknownType(joinTokens(tokens)) };
}

function read(tokens: readonly Token[], names: Names): Declarator | undefined {
  try {
    return readDeclarator(tokens, names);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
