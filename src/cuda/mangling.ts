import type { CType, TypeNode } from '../core/c-type.ts';
import {
  arrayOf,
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
import { MangledText } from './mangled-text.ts';
import type { Argument, Encoding, Name, Type } from './mangled-type.ts';
import { builtinNode, classNode, isPack, lastName, single, spellAll, TypeBuilder, unwrapped } from './mangled-type.ts';
import { BINARY, BUILTINS, CALLS, D_BUILTINS, own, QUALIFIERS, STANDARD, UNARY } from './mangling-codes.ts';

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

const LONGEST = 65_536;
const DEEPEST = 256;

class Demangler {
  readonly #text: MangledText;
  readonly #build = new TypeBuilder();
  readonly #seen: Type[] = [];
  #depth = 0;
  #args: readonly Argument[] | undefined;
  /** Inside a lambda's parameter list template parameters are its `auto`s. */
  #lambda = false;

  constructor(symbol: string) {
    this.#text = new MangledText(symbol, 2);
  }

  symbol(): Demangled {
    const { name, base, parameters, suffix } = this.#encoding();
    if (!this.#text.ended || !parameters || suffix !== '') throw new Unreadable('no kernel');
    return { name, base, parameters: parameters.map(parameterType) };
  }

  #encoding(): Encoding {
    this.#deeper();
    const [outer, lambda] = [this.#args, this.#lambda];
    this.#args = undefined;
    this.#lambda = false;
    const { type, base, args, suffix } = this.#name();
    const hasType = !this.#text.ended && this.#text.peek() !== 'E';
    this.#args = args;
    // Only templates say what they return.
    if (args && hasType) this.#type();
    const parameters = hasType ? this.#parameters() : undefined;
    this.#args = outer;
    this.#lambda = lambda;
    this.#depth--;
    return { name: spell(single(type)), base, parameters, suffix };
  }

  /** The parameters of a function, up to the end or an `E`. */
  #parameters(): TypeNode[] {
    const parameters: TypeNode[] = [];
    if (this.#text.take('v')) {
      if (!this.#text.ended && this.#text.peek() !== 'E') throw new Unreadable('void');
      return parameters;
    }
    do {
      if (this.#text.take('z')) {
        parameters.push(namedType('...'));
        break;
      }
      const types = this.#text.startsWith('Dp') ? this.#expansion() : [single(this.#type())];
      this.#build.count(types.length);
      parameters.push(...types);
    } while (!this.#text.ended && this.#text.peek() !== 'E');
    if (parameters.some((node) => node.form === 'base' && node.mark === 'void')) throw new Unreadable('void');
    return parameters;
  }

  #expansion(): readonly TypeNode[] {
    this.#text.expect('Dp');
    const pack = this.#type();
    if (!isPack(pack)) throw new Unreadable('no pack');
    this.#seen.push(pack);
    return pack;
  }

  #name(): Name {
    if (this.#text.take('N')) return this.#nested();
    if (this.#text.take('Z')) return this.#local();
    if (this.#text.peek() === 'S' && this.#text.peek(1) !== 't') {
      const template = this.#substitution();
      const args = this.#arguments();
      return { type: this.#build.apply(template, args), base: lastName(template), args, suffix: '' };
    }
    const scope = this.#text.take('St') ? 'std::' : '';
    const base = this.#unqualified();
    const name = classNode(scope + base);
    if (this.#text.peek() !== 'I') return { type: name, base, args: undefined, suffix: '' };
    this.#seen.push(name);
    const args = this.#arguments();
    return { type: this.#build.apply(name, args), base, args, suffix: '' };
  }

  #nested(): Name {
    const qualifiers = this.#text.match(/r?V?K?[RO]?/y) ?? '';
    let type: Type | undefined;
    let base = '';
    let args: readonly Argument[] | undefined;
    while (!this.#text.take('E')) {
      let candidate = true;
      const next = this.#text.peek();
      if (next === 'I') {
        if (!type || args) throw new Unreadable('arguments');
        args = this.#arguments();
        type = this.#build.apply(type, args);
      } else {
        args = undefined;
        if (next === 'T' && !type) {
          type = this.#templateParameter();
        } else if (next === 'S' && !type) {
          type = this.#text.take('St') ? namedType('std') : this.#substitution();
          base = lastName(type);
          candidate = false;
        } else {
          const part = this.#unqualified();
          type = type ? this.#build.map(type, (scope) => namedType(`${spell(scope)}::${part}`)) : namedType(part);
          base = part;
        }
      }
      // The whole name is no candidate here; where it is a type, the type is.
      if (candidate && this.#text.peek() !== 'E') this.#seen.push(type);
    }
    if (!type || base === '') throw new Unreadable('no name');
    const words = [...qualifiers].map((letter) => own(QUALIFIERS, letter) ?? '');
    return { type, base, args, suffix: words.join('') };
  }

  #local(): Name {
    const { name, parameters, suffix } = this.#encoding();
    this.#text.expect('E');
    if (/[sd]/.test(this.#text.peek())) throw new Unreadable('local string or default argument');
    const scope = parameters ? `${name}(${spellAll(parameters)})${suffix}` : name;
    const entity = this.#name();
    this.#text.match(/_(?:\d|_\d+_)/y);
    return { ...entity, type: this.#build.map(entity.type, (node) => namedType(`${scope}::${spell(node)}`)) };
  }

  #unqualified(): string {
    this.#text.take('L');
    let name: string;
    if (this.#text.take('Ut')) {
      name = `{unnamed type#${this.#text.ordinal()}}`;
    } else if (this.#text.take('Ul')) {
      const outer = this.#lambda;
      this.#lambda = true;
      const parameters = spellAll(this.#parameters());
      this.#lambda = outer;
      this.#text.expect('E');
      name = `{lambda(${parameters})#${this.#text.ordinal()}}`;
    } else if (/\d/.test(this.#text.peek())) {
      name = this.#text.sourceName();
    } else {
      const code = this.#text.read(2);
      const operator = own(CALLS, code) ?? own(BINARY, code) ?? own(UNARY, code);
      if (operator === undefined) throw new Unreadable('name');
      name = `operator${operator}`;
    }
    while (this.#text.take('B')) name += `[abi:${this.#text.sourceName()}]`;
    return name;
  }

  #arguments(): readonly Argument[] {
    this.#text.expect('I');
    this.#deeper();
    const args: Argument[] = [];
    while (!this.#text.take('E')) args.push(this.#argument());
    this.#depth--;
    return args;
  }

  #argument(): Argument {
    const next = this.#text.peek();
    if (next === 'L') return this.#literal();
    if (this.#text.take('X')) {
      const value = this.#expression();
      this.#text.expect('E');
      return this.#build.map(value, (node) => namedType(unwrapped(spell(node))));
    }
    if (this.#text.startsWith('Dp')) return { list: this.#expansion() };
    // I is what J was before there was J.
    if (next !== 'J' && next !== 'I') return this.#type();
    this.#text.read(1);
    this.#deeper();
    const list: TypeNode[] = [];
    while (!this.#text.take('E')) {
      const argument = this.#argument();
      if ('list' in argument) list.push(...argument.list);
      else list.push(single(argument));
    }
    this.#depth--;
    this.#build.count(list.length);
    return { list };
  }

  #literal(): TypeNode {
    this.#text.expect('L');
    if (this.#text.take('_Z')) {
      const { name } = this.#encoding();
      this.#text.expect('E');
      return namedType(name);
    }
    const type = single(this.#type());
    const spelled = spell(type);
    const value = (this.#text.match(/n?\d{0,40}/y) ?? '').replace('n', '-');
    this.#text.expect('E');
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
    const next = this.#text.peek();
    if (next === 'L') return this.#literal();
    if (next === 'T') return this.#templateParameter();
    const code = this.#text.read(2);
    const binary = own(BINARY, code);
    if (binary !== undefined) {
      return this.#build.map2(this.#expression(), this.#expression(), (a, b) =>
        namedType(`(${spell(a)} ${binary} ${spell(b)})`),
      );
    }
    const unary = own(UNARY, code);
    if (unary !== undefined) return this.#build.map(this.#expression(), (a) => namedType(`${unary}${spell(a)}`));
    if (code === 'st') return this.#build.map(this.#type(), (a) => namedType(`sizeof(${spell(a)})`));
    if (code === 'sr') {
      const scope = this.#type();
      const name = this.#text.sourceName();
      const args = this.#text.peek() === 'I' ? this.#arguments() : undefined;
      const member = this.#build.map(scope, (a) => namedType(`${spell(a)}::${name}`));
      return args ? this.#build.apply(member, args) : member;
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
    const next = this.#text.peek();
    const builtin = own(BUILTINS, next);
    if (builtin !== undefined) {
      this.#text.read(1);
      return builtinNode(builtin);
    }
    if (next === 'S' && this.#text.peek(1) !== 't') {
      const known = this.#substitution();
      return this.#text.peek() === 'I' ? this.#remember(this.#build.apply(known, this.#arguments())) : known;
    }
    if (next === 'D') return this.#dType();
    if (this.#text.take('u')) {
      const name = this.#text.sourceName();
      if (this.#text.peek() === 'I') throw new Unreadable('vendor type');
      return this.#remember(name === '__bf16' ? builtinNode(name) : namedType(name));
    }
    return this.#remember(this.#compound(next));
  }

  #compound(next: string): Type {
    const qualifiers = this.#text.match(/r?V?K?/y) ?? '';
    if (qualifiers !== '') {
      if (/[FrVK]/.test(this.#text.peek())) throw new Unreadable('member function');
      const cv = (qualifiers.includes('K') ? 1 : 0) | (qualifiers.includes('V') ? 2 : 0);
      return this.#build.map(this.#type(), (of) => qualify(of, cv));
    }
    if (/[NZS\d]/.test(next)) {
      const { type, suffix } = this.#name();
      if (suffix !== '') throw new Unreadable('member function');
      return type;
    }
    if (next === 'T') {
      const parameter = this.#templateParameter();
      if (this.#text.peek() !== 'I') return parameter;
      this.#seen.push(parameter);
      return this.#build.apply(parameter, this.#arguments());
    }
    this.#text.read(1);
    switch (next) {
      case 'P':
        return this.#build.map(this.#type(), (of) => pointerTo(of));
      case 'R':
        return this.#build.map(this.#type(), (of) => referenceTo(of, '&'));
      case 'O':
        return this.#build.map(this.#type(), (of) => referenceTo(of, '&&'));
      case 'A':
        return this.#array();
      case 'F':
        return this.#function();
      case 'M':
        return this.#build.map2(this.#type(), this.#type(), (owner, of) => memberOf(spell(owner), of));
      case 'U':
        return this.#vendorQualified();
      default:
        throw new Unreadable(next);
    }
  }

  #array(): Type {
    const digits = this.#text.match(/\d+/y);
    const bound = digits === undefined && this.#text.peek() !== '_' ? this.#expression() : namedType(digits ?? '');
    this.#text.expect('_');
    return this.#build.map2(bound, this.#type(), (size, of) => arrayOf(of, unwrapped(spell(size))));
  }

  #function(): Type {
    this.#text.take('Y');
    const result = single(this.#type());
    const parameters = this.#parameters().map((node) => spell(parameterNode(node)));
    this.#text.expect('E');
    return functionOf(result, parameters);
  }

  #vendorQualified(): Type {
    const name = this.#text.sourceName();
    if (this.#text.peek() === 'I') throw new Unreadable('vendor qualifier');
    // An address space leaves the layout alone; of any other qualifier we cannot know.
    return this.#build.map(this.#type(), (of) => (/^AS\d+$/.test(name) ? of : namedType(`${spell(of)} ${name}`)));
  }

  #dType(): Type {
    const float = this.#text.match(/DF(?:16b|(?:16|32|64|128)_|(?:32|64)x)/y);
    if (float !== undefined) {
      return builtinNode(float === 'DF16b' ? '__bf16' : `_Float${float.slice(2).replace('_', '')}`);
    }
    const name = own(D_BUILTINS, this.#text.peek(1));
    if (name === undefined) throw new Unreadable('D');
    this.#text.read(2);
    return builtinNode(name);
  }

  #remember(type: Type): Type {
    this.#seen.push(type);
    return type;
  }

  #templateParameter(): Type {
    const index = this.#text.sequence('T', 10);
    if (this.#lambda) return namedType(`auto:${index + 1}`);
    const argument = this.#args?.[index];
    if (!argument) throw new Unreadable('no such template parameter');
    return 'list' in argument ? argument.list : argument;
  }

  /** `St` is left to the callers, for it begins a name. */
  #substitution(): Type {
    const standard = own(STANDARD, this.#text.peek(1));
    if (standard !== undefined) {
      this.#text.read(2);
      return namedType(standard);
    }
    const type = this.#seen[this.#text.sequence('S', 36)];
    if (!type) throw new Unreadable('no such substitution');
    return type;
  }

  #deeper(): void {
    if (++this.#depth > DEEPEST) throw new Unreadable('too deep');
  }
}
