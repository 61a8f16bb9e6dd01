import type { CType, TypeNode } from '../core/c-type.ts';
import {
  arrayOf,
  builtinType,
  functionOf,
  memberOf,
  namedType,
  parameterNode,
  parameterType,
  pointerTo,
  qualify,
  referenceTo,
  spell,
  Unreadable,
} from '../core/c-type.ts';

export interface Demangled {
  /** `ns::scale<float>`; integer template arguments without suffix. */
  readonly name: string;
  /** `scale` */
  readonly base: string;
  readonly parameters: readonly CType[];
}

/** Reads a function's symbol by the Itanium C++ ABI; undefined if any of it is not understood. */
export function demangle(symbol: string): Demangled | undefined {
  // nvcc -rdc=true puts the file before a static kernel's symbol.
  const file = /^__nv_static_(\d{1,4})__/.exec(symbol);
  const mangled = file ? symbol.slice(file[0].length + Number(file[1])) : symbol;
  if (!mangled.startsWith('_Z') || mangled.length > LONGEST) return undefined;
  try {
    return new Demangler(mangled).symbol();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A type that depends on a pack has one node for each element of the pack. */
type Type = TypeNode | readonly TypeNode[];

/** Template arguments that stand in the place of one. */
interface List {
  readonly list: readonly TypeNode[];
}

type Argument = Type | List;

interface Name {
  readonly type: Type;
  readonly base: string;
  /** Set if the name ends in template arguments. */
  readonly args: readonly Argument[] | undefined;
  /** ` const` of a member function. */
  readonly suffix: string;
}

interface Encoding {
  readonly name: string;
  readonly base: string;
  /** None: a variable, or a function with C linkage. */
  readonly parameters: readonly TypeNode[] | undefined;
  readonly suffix: string;
}

const LONGEST = 65_536;
const DEEPEST = 256;
const MOST_ELEMENTS = 100_000;

const BUILTINS: Readonly<Record<string, string | undefined>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
};

const D_BUILTINS: Readonly<Record<string, string | undefined>> = {
  h: '__fp16',
  s: 'char16_t',
  i: 'char32_t',
  u: 'char8_t',
  n: 'std::nullptr_t',
  a: 'auto',
  c: 'decltype(auto)',
  f: 'decimal32',
  d: 'decimal64',
  e: 'decimal128',
};

const STANDARD: Readonly<Record<string, string | undefined>> = {
  a: 'std::allocator',
  b: 'std::basic_string',
  s: 'std::string',
  i: 'std::istream',
  o: 'std::ostream',
  d: 'std::iostream',
};

const UNARY: Readonly<Record<string, string | undefined>> = { ng: '-', ps: '+', nt: '!', co: '~', ad: '&', de: '*' };

const BINARY: Readonly<Record<string, string | undefined>> = {
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  an: '&',
  or: '|',
  eo: '^',
  ls: '<<',
  rs: '>>',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  aa: '&&',
  oo: '||',
};

const CALLS: Readonly<Record<string, string | undefined>> = {
  cl: '()',
  ix: '[]',
  aS: '=',
  pL: '+=',
  pp: '++',
  mm: '--',
};

const CUDA_CLASS =
  /^(?:__half2?|__nv_bfloat162?|dim3|(?:u?(?:char|short|int|long|longlong)|float|double)(?:[1-4]|4_(?:16|32)a))$/;

class Demangler {
  readonly #text: string;
  readonly #seen: Type[] = [];
  #at = 0;
  #depth = 0;
  #elements = 0;
  #args: readonly Argument[] | undefined;
  /** Inside a lambda's parameter list template parameters are its `auto`s. */
  #lambda = false;

  constructor(text: string) {
    this.#text = text;
  }

  symbol(): Demangled {
    this.#at = 2;
    const { name, base, parameters, suffix } = this.#encoding();
    if (this.#at !== this.#text.length || !parameters || suffix !== '') throw new Unreadable('no kernel');
    return { name, base, parameters: parameters.map(parameterType) };
  }

  #encoding(): Encoding {
    this.#deeper();
    const outer = this.#args;
    this.#args = undefined;
    const { type, base, args, suffix } = this.#name();
    const hasType = this.#at < this.#text.length && this.#peek() !== 'E';
    this.#args = args;
    // Only templates say what they return.
    if (args && hasType) this.#type();
    const parameters = hasType ? this.#parameters() : undefined;
    this.#args = outer;
    this.#depth--;
    return { name: spell(single(type)), base, parameters, suffix };
  }

  /** The parameters of a function, up to the end or an `E`. */
  #parameters(): TypeNode[] {
    const parameters: TypeNode[] = [];
    if (this.#take('v')) {
      if (this.#at < this.#text.length && this.#peek() !== 'E') throw new Unreadable('void');
      return parameters;
    }
    do {
      if (this.#take('z')) {
        parameters.push(namedType('...'));
        break;
      }
      const types = this.#text.startsWith('Dp', this.#at) ? this.#expansion() : [single(this.#type())];
      this.#count(types.length);
      parameters.push(...types);
    } while (this.#at < this.#text.length && this.#peek() !== 'E');
    if (parameters.some((node) => node.form === 'base' && node.mark === 'void')) throw new Unreadable('void');
    return parameters;
  }

  #expansion(): readonly TypeNode[] {
    this.#expect('Dp');
    const pack = this.#type();
    if (!isPack(pack)) throw new Unreadable('no pack');
    this.#seen.push(pack);
    return pack;
  }

  #name(): Name {
    if (this.#take('N')) return this.#nested();
    if (this.#take('Z')) return this.#local();
    if (this.#peek() === 'S' && this.#text[this.#at + 1] !== 't') {
      const template = this.#substitution();
      const args = this.#arguments();
      return { type: this.#apply(template, args), base: lastName(template), args, suffix: '' };
    }
    const scope = this.#take('St') ? 'std::' : '';
    const base = this.#unqualified();
    const name = CUDA_CLASS.test(scope + base) ? builtinNode(base) : namedType(scope + base);
    if (this.#peek() !== 'I') return { type: name, base, args: undefined, suffix: '' };
    this.#seen.push(name);
    const args = this.#arguments();
    return { type: this.#apply(name, args), base, args, suffix: '' };
  }

  #nested(): Name {
    const qualifiers = this.#match(/r?V?K?[RO]?/y) ?? '';
    let type: Type | undefined;
    let base = '';
    let args: readonly Argument[] | undefined;
    while (!this.#take('E')) {
      let candidate = true;
      const next = this.#peek();
      if (next === 'I') {
        if (!type || args) throw new Unreadable('arguments');
        args = this.#arguments();
        type = this.#apply(type, args);
      } else {
        args = undefined;
        if (next === 'T' && !type) {
          type = this.#templateParameter();
        } else if (next === 'S' && !type) {
          type = this.#take('St') ? namedType('std') : this.#substitution();
          base = lastName(type);
          candidate = false;
        } else {
          const part = this.#unqualified();
          type = type ? this.#map(type, (scope) => namedType(`${spell(scope)}::${part}`)) : namedType(part);
          base = part;
        }
      }
      // The whole name is no candidate here; where it is a type, the type is.
      if (candidate && this.#peek() !== 'E') this.#seen.push(type);
    }
    if (!type || base === '') throw new Unreadable('no name');
    const words = { V: ' volatile', K: ' const', R: ' &', O: ' &&' };
    return {
      type,
      base,
      args,
      suffix: Object.entries(words).reduce(
        (text, [letter, word]) => text + (qualifiers.includes(letter) ? word : ''),
        '',
      ),
    };
  }

  #local(): Name {
    const { name, parameters, suffix } = this.#encoding();
    this.#expect('E');
    if (this.#peek() === 's' || this.#peek() === 'd') throw new Unreadable('local string or default argument');
    const scope = parameters ? `${name}(${spellAll(parameters)})${suffix}` : name;
    const entity = this.#name();
    if (this.#match(/_(?:\d|_\d+_)/y) === undefined && this.#peek() === '_') throw new Unreadable('discriminator');
    return { ...entity, type: this.#map(entity.type, (node) => namedType(`${scope}::${spell(node)}`)) };
  }

  #unqualified(): string {
    this.#take('L');
    let name: string;
    if (this.#take('Ut')) {
      name = `{unnamed type#${this.#ordinal()}}`;
    } else if (this.#take('Ul')) {
      const outer = this.#lambda;
      this.#lambda = true;
      const parameters = spellAll(this.#parameters());
      this.#lambda = outer;
      this.#expect('E');
      name = `{lambda(${parameters})#${this.#ordinal()}}`;
    } else if (/\d/.test(this.#peek())) {
      name = this.#sourceName();
    } else {
      const code = this.#text.slice(this.#at, this.#at + 2);
      const operator = own(CALLS, code) ?? own(BINARY, code) ?? own(UNARY, code);
      if (operator === undefined) throw new Unreadable('name');
      this.#at += 2;
      name = `operator${operator}`;
    }
    while (this.#take('B')) name += `[abi:${this.#sourceName()}]`;
    return name;
  }

  /** `_` is the first, `0_` the second. */
  #ordinal(): number {
    const digits = this.#match(/\d{0,6}_/y);
    if (digits === undefined) throw new Unreadable('ordinal');
    return digits === '_' ? 1 : Number.parseInt(digits, 10) + 2;
  }

  #sourceName(): string {
    const length = Number(this.#match(/[1-9]\d{0,5}/y) ?? 0);
    const name = this.#text.slice(this.#at, this.#at + length);
    if (length === 0 || name.length < length || !/^[\w$.\u0080-\uffff]+$/.test(name)) throw new Unreadable('name');
    this.#at += length;
    return /^_GLOBAL_[_.$]N/.test(name) ? '(anonymous namespace)' : name;
  }

  #arguments(): readonly Argument[] {
    this.#expect('I');
    this.#deeper();
    const args: Argument[] = [];
    while (!this.#take('E')) args.push(this.#argument());
    this.#depth--;
    return args;
  }

  #argument(): Argument {
    const next = this.#peek();
    if (next === 'L') return this.#literal();
    if (this.#take('X')) {
      const value = this.#expression();
      this.#expect('E');
      return this.#map(value, (node) => namedType(unwrapped(spell(node))));
    }
    if (this.#text.startsWith('Dp', this.#at)) return { list: this.#expansion() };
    // I is what J was before there was J.
    if (next !== 'J' && next !== 'I') return this.#type();
    this.#at++;
    this.#deeper();
    const list: TypeNode[] = [];
    while (!this.#take('E')) {
      const argument = this.#argument();
      if ('list' in argument) list.push(...argument.list);
      else list.push(single(argument));
    }
    this.#depth--;
    this.#count(list.length);
    return { list };
  }

  #literal(): TypeNode {
    this.#expect('L');
    if (this.#take('_Z')) {
      const { name } = this.#encoding();
      this.#expect('E');
      return namedType(name);
    }
    const type = single(this.#type());
    const spelled = spell(type);
    const value = (this.#match(/n?\d{0,40}/y) ?? '').replace('n', '-');
    this.#expect('E');
    if (spelled === 'std::nullptr_t') return namedType('nullptr');
    if (!/\d$/.test(value) || type.plain?.kind === 'float') throw new Unreadable('literal');
    if (spelled === 'bool' && /^[01]$/.test(value)) return namedType(value === '1' ? 'true' : 'false');
    return namedType(type.plain?.kind === 'int' && !spelled.includes('char') ? value : `(${spelled})${value}`);
  }

  /** An expression, in parentheses where it has parts. */
  #expression(): Type {
    this.#deeper();
    const value = this.#operand();
    this.#depth--;
    return value;
  }

  #operand(): Type {
    const next = this.#peek();
    if (next === 'L') return this.#literal();
    if (next === 'T') return this.#templateParameter();
    const code = this.#text.slice(this.#at, this.#at + 2);
    this.#at += 2;
    const binary = own(BINARY, code);
    if (binary !== undefined) {
      return this.#map2(this.#expression(), this.#expression(), (a, b) =>
        namedType(`(${spell(a)} ${binary} ${spell(b)})`),
      );
    }
    const unary = own(UNARY, code);
    if (unary !== undefined) return this.#map(this.#expression(), (a) => namedType(`${unary}${spell(a)}`));
    if (code === 'st') return this.#map(this.#type(), (a) => namedType(`sizeof(${spell(a)})`));
    if (code === 'sr') {
      const scope = this.#type();
      const name = this.#sourceName();
      const args = this.#peek() === 'I' ? this.#arguments() : undefined;
      const member = this.#map(scope, (a) => namedType(`${spell(a)}::${name}`));
      return args ? this.#apply(member, args) : member;
    }
    throw new Unreadable('expression');
  }

  #type(): Type {
    this.#deeper();
    const type = this.#anyType();
    this.#depth--;
    return type;
  }

  #anyType(): Type {
    const next = this.#peek();
    const builtin = own(BUILTINS, next);
    if (builtin !== undefined) {
      this.#at++;
      return builtinNode(builtin);
    }
    if (next === 'S' && this.#text[this.#at + 1] !== 't') {
      const known = this.#substitution();
      return this.#peek() === 'I' ? this.#remember(this.#apply(known, this.#arguments())) : known;
    }
    if (next === 'D') return this.#dType();
    if (this.#take('u')) {
      const name = this.#sourceName();
      if (this.#peek() === 'I') throw new Unreadable('vendor type');
      return this.#remember(name === '__bf16' ? builtinNode(name) : namedType(name));
    }
    return this.#remember(this.#compound(next));
  }

  #compound(next: string): Type {
    const qualifiers = this.#match(/r?V?K?/y) ?? '';
    if (qualifiers !== '') {
      if (/[FrVK]/.test(this.#peek())) throw new Unreadable('member function');
      const cv = (qualifiers.includes('K') ? 1 : 0) | (qualifiers.includes('V') ? 2 : 0);
      return this.#map(this.#type(), (of) => qualify(of, cv));
    }
    if (/[NZS\d]/.test(next)) return this.#name().type;
    if (next === 'T') {
      const parameter = this.#templateParameter();
      if (this.#peek() !== 'I') return parameter;
      this.#seen.push(parameter);
      return this.#apply(parameter, this.#arguments());
    }
    this.#at++;
    switch (next) {
      case 'P':
        return this.#map(this.#type(), (of) => pointerTo(of));
      case 'R':
        return this.#map(this.#type(), (of) => referenceTo(of, '&'));
      case 'O':
        return this.#map(this.#type(), (of) => referenceTo(of, '&&'));
      case 'A':
        return this.#array();
      case 'F':
        return this.#function();
      case 'M':
        return this.#map2(this.#type(), this.#type(), (owner, of) => memberOf(spell(owner), of));
      case 'U':
        return this.#vendorQualified();
      default:
        throw new Unreadable(next);
    }
  }

  #array(): Type {
    const digits = this.#match(/\d+/y);
    const bound = digits === undefined && this.#peek() !== '_' ? this.#expression() : namedType(digits ?? '');
    this.#expect('_');
    return this.#map2(bound, this.#type(), (size, of) => arrayOf(of, unwrapped(spell(size))));
  }

  #function(): Type {
    this.#take('Y');
    const result = single(this.#type());
    const parameters = this.#parameters().map((node) => spell(parameterNode(node)));
    this.#expect('E');
    return functionOf(result, parameters);
  }

  #vendorQualified(): Type {
    const name = this.#sourceName();
    if (this.#peek() === 'I') throw new Unreadable('vendor qualifier');
    // An address space leaves the layout alone; of any other qualifier we cannot know.
    return this.#map(this.#type(), (of) => (/^AS\d+$/.test(name) ? of : namedType(`${spell(of)} ${name}`)));
  }

  #dType(): Type {
    const float = this.#match(/DF(?:16b|(?:16|32|64|128)_|(?:32|64)x)/y);
    if (float !== undefined) {
      return builtinNode(float === 'DF16b' ? '__bf16' : `_Float${float.slice(2).replace('_', '')}`);
    }
    const name = own(D_BUILTINS, this.#text[this.#at + 1] ?? '');
    if (name === undefined) throw new Unreadable('D');
    this.#at += 2;
    return builtinNode(name);
  }

  #remember(type: Type): Type {
    this.#seen.push(type);
    return type;
  }

  #templateParameter(): Type {
    const match = this.#match(/T\d{0,4}_/y);
    if (match === undefined) throw new Unreadable('template parameter');
    const index = match === 'T_' ? 0 : Number(match.slice(1, -1)) + 1;
    if (this.#lambda) return namedType(`auto:${index + 1}`);
    const argument = this.#args?.[index];
    if (!argument) throw new Unreadable('no such template parameter');
    return 'list' in argument ? argument.list : argument;
  }

  /** `St` is left to the callers, for it begins a name. */
  #substitution(): Type {
    const match = this.#match(/S(?:[\dA-Z]{0,4}_|[absiod])/y);
    const standard = match?.length === 2 ? own(STANDARD, match[1] ?? '') : undefined;
    if (standard !== undefined) return namedType(standard);
    const index = match === undefined ? -1 : match === 'S_' ? 0 : Number.parseInt(match.slice(1, -1), 36) + 1;
    const type = this.#seen[index];
    if (!type) throw new Unreadable('no such substitution');
    return type;
  }

  /** A template with its arguments, once for each element where one of them depends on a pack. */
  #apply(template: Type, args: readonly Argument[]): Type {
    const packs = [template, ...args].filter((part) => isPack(part));
    const size = packs[0]?.length;
    if (packs.some((pack) => pack.length !== size)) throw new Unreadable('packs');
    this.#count(args.length * (size ?? 1));
    const nth = (i: number): TypeNode => {
      const texts = args.flatMap((arg) => ('list' in arg ? arg.list.map(spell) : [spell(at(arg, i))]));
      return namedType(`${spell(at(template, i))}<${texts.join(', ')}>`);
    };
    return size === undefined ? nth(0) : Array.from({ length: size }, (_, i) => nth(i));
  }

  #map(type: Type, make: (node: TypeNode) => TypeNode): Type {
    if (!isPack(type)) return make(type);
    this.#count(type.length);
    return type.map(make);
  }

  #map2(a: Type, b: Type, make: (a: TypeNode, b: TypeNode) => TypeNode): Type {
    if (!isPack(a)) return this.#map(b, (node) => make(a, node));
    if (isPack(b) && a.length !== b.length) throw new Unreadable('packs');
    this.#count(a.length);
    return a.map((node, i) => make(node, at(b, i)));
  }

  #count(elements: number): void {
    this.#elements += elements;
    if (this.#elements > MOST_ELEMENTS) throw new Unreadable('too many');
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Unreadable(`no ${text}`);
  }

  #match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }

  #deeper(): void {
    if (++this.#depth > DEEPEST) throw new Unreadable('too deep');
  }
}

function isPack(part: Argument): part is readonly TypeNode[] {
  return Array.isArray(part);
}

function single(type: Type): TypeNode {
  if (isPack(type)) throw new Unreadable('a pack unexpanded');
  return type;
}

function at(type: Type, index: number): TypeNode {
  const node = isPack(type) ? type[index] : type;
  if (!node) throw new Unreadable('packs');
  return node;
}

function builtinNode(name: string): TypeNode {
  return builtinType(name, 'cuda') ?? namedType(name);
}

function spellAll(parameters: readonly TypeNode[]): string {
  return parameters.map((node) => spell(parameterNode(node))).join(', ');
}

/** `b` of `a::b<c::d>` */
function lastName(type: Type): string {
  if (isPack(type)) return '';
  const text = spell(type);
  let end = text.length;
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    const char = text[i];
    if (char === '>') depth++;
    else if (char === '<' && --depth === 0) end = i;
    else if (char === ':' && depth === 0) return text.slice(i + 1, end);
  }
  return text.slice(0, end);
}

/** Without the parentheses around all of it. */
function unwrapped(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    if (depth === 0) return i > 0 && i === text.length - 1 ? text.slice(1, -1) : text;
  }
  return text;
}

function own(table: Readonly<Record<string, string | undefined>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
