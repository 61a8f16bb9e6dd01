import type { CType, TypeNode } from '../../core/c-type.ts';
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
} from '../../core/c-type.ts';
import type { TypeReader } from './mangled-expression.ts';
import { readExpression, readLiteral } from './mangled-expression.ts';
import { MangledText } from './mangled-text.ts';
import type { Argument, Context, Encoding, Name, Type } from './mangled-type.ts';
import {
  builtinNode,
  classNode,
  isPack,
  lastName,
  single,
  spellAll,
  Substitutions,
  TypeBuilder,
  unwrapped,
} from './mangled-type.ts';
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

class Demangler implements TypeReader {
  readonly text: MangledText;
  readonly build = new TypeBuilder();
  readonly #seen = new Substitutions();
  #depth = 0;
  #context: Context = { args: undefined };

  constructor(symbol: string) {
    this.text = new MangledText(symbol, 2);
  }

  symbol(): Demangled {
    const { name, base, parameters, suffix } = this.#encoding();
    if (!this.text.ended || !parameters || suffix !== '') throw new Unreadable('no kernel');
    return { name, base, parameters: parameters.map(parameterType) };
  }

  entity(): string {
    return this.#encoding().name;
  }

  nest<T>(read: () => T): T {
    if (++this.#depth > DEEPEST) throw new Unreadable('too deep');
    const result = read();
    this.#depth--;
    return result;
  }

  #encoding(): Encoding {
    return this.nest(() => {
      const outer = this.#context;
      this.#context = { args: undefined };
      const { type, base, args, suffix } = this.#name();
      const hasType = !this.text.ended && this.text.peek() !== 'E';
      this.#context = { args: args ?? [] };
      // Only templates say what they return.
      if (args && hasType) this.type();
      const parameters = hasType ? this.#parameters() : undefined;
      this.#context = outer;
      return { name: spell(single(type)), base, parameters, suffix };
    });
  }

  /** The parameters of a function, up to the end or an `E`. */
  #parameters(): TypeNode[] {
    const parameters: TypeNode[] = [];
    if (this.text.take('v')) {
      if (!this.text.ended && this.text.peek() !== 'E') throw new Unreadable('void');
      return parameters;
    }
    do {
      if (this.text.take('z')) {
        parameters.push(namedType('...'));
        break;
      }
      const types = this.text.startsWith('Dp') ? this.#expansion() : [single(this.type())];
      this.build.count(types.length);
      parameters.push(...types);
    } while (!this.text.ended && this.text.peek() !== 'E');
    if (parameters.some((node) => node.form === 'base' && node.mark === 'void')) throw new Unreadable('void');
    return parameters;
  }

  #expansion(): readonly TypeNode[] {
    this.text.expect('Dp');
    const since = this.#seen.uses;
    const pack = this.type();
    if (!isPack(pack)) throw new Unreadable('no pack');
    this.#seen.add(pack, since, this.#context);
    return pack;
  }

  #name(): Name {
    if (this.text.take('N')) return this.#nested();
    if (this.text.take('Z')) return this.#local();
    if (this.text.peek() === 'S' && this.text.peek(1) !== 't') {
      const template = this.#substitution();
      const args = this.templateArguments();
      return { type: this.build.apply(template, args), base: lastName(template), args, suffix: '' };
    }
    const scope = this.text.take('St') ? 'std::' : '';
    const base = this.#unqualified();
    const name = classNode(scope + base);
    if (this.text.peek() !== 'I') return { type: name, base, args: undefined, suffix: '' };
    this.#seen.add(name, this.#seen.uses, this.#context);
    const args = this.templateArguments();
    return { type: this.build.apply(name, args), base, args, suffix: '' };
  }

  #nested(): Name {
    const since = this.#seen.uses;
    const qualifiers = this.text.match(/r?V?K?[RO]?/y) ?? '';
    let type: Type | undefined;
    let base = '';
    let args: readonly Argument[] | undefined;
    while (!this.text.take('E')) {
      let candidate = true;
      const next = this.text.peek();
      if (next === 'I') {
        if (!type || args) throw new Unreadable('arguments');
        args = this.templateArguments();
        type = this.build.apply(type, args);
      } else {
        args = undefined;
        if (next === 'T' && !type) {
          type = this.#parameterType();
          candidate = false;
        } else if (next === 'S' && !type) {
          type = this.text.take('St') ? namedType('std') : this.#substitution();
          base = lastName(type);
          candidate = false;
        } else {
          const part = this.#unqualified();
          type = type ? this.build.map(type, (scope) => namedType(`${spell(scope)}::${part}`)) : namedType(part);
          base = part;
        }
      }
      // The whole name is not a candidate here; where it is a type, the type is.
      if (candidate && this.text.peek() !== 'E') this.#seen.add(type, since, this.#context);
    }
    if (!type || base === '') throw new Unreadable('no name');
    const words = Array.from(qualifiers, (letter) => own(QUALIFIERS, letter) ?? '');
    return { type, base, args, suffix: words.join('') };
  }

  #local(): Name {
    const { name, parameters, suffix } = this.#encoding();
    this.text.expect('E');
    if (/[sd]/.test(this.text.peek())) throw new Unreadable('local string or default argument');
    const scope = parameters ? `${name}(${spellAll(parameters)})${suffix}` : name;
    const entity = this.#name();
    this.text.match(/_(?:\d|_\d+_)/y);
    return { ...entity, type: this.build.map(entity.type, (node) => namedType(`${scope}::${spell(node)}`)) };
  }

  #unqualified(): string {
    this.text.take('L');
    let name: string;
    if (this.text.take('Ut')) {
      name = `{unnamed type#${this.text.ordinal()}}`;
    } else if (this.text.take('Ul')) {
      const outer = this.#context;
      this.#context = { args: 'auto' };
      const parameters = spellAll(this.#parameters());
      this.#context = outer;
      this.text.expect('E');
      name = `{lambda(${parameters})#${this.text.ordinal()}}`;
    } else if (/\d/.test(this.text.peek())) {
      name = this.text.sourceName();
    } else {
      const code = this.text.read(2);
      const operator = own(CALLS, code) ?? own(BINARY, code) ?? own(UNARY, code);
      if (operator === undefined) throw new Unreadable('name');
      name = `operator${operator}`;
    }
    while (this.text.take('B')) name += `[abi:${this.text.sourceName()}]`;
    return name;
  }

  templateArguments(): readonly Argument[] {
    this.text.expect('I');
    return this.nest(() => {
      const args: Argument[] = [];
      while (!this.text.take('E')) args.push(this.#argument());
      return args;
    });
  }

  #argument(): Argument {
    const next = this.text.peek();
    if (next === 'L') return readLiteral(this);
    if (this.text.take('X')) {
      const value = readExpression(this);
      this.text.expect('E');
      return this.build.map(value, (node) => namedType(unwrapped(spell(node))));
    }
    if (this.text.startsWith('Dp')) return { list: this.#expansion() };
    // I is what J was before there was J.
    if (next !== 'J' && next !== 'I') return this.type();
    this.text.read(1);
    const list: TypeNode[] = [];
    this.nest(() => {
      while (!this.text.take('E')) {
        const argument = this.#argument();
        if ('list' in argument) list.push(...argument.list);
        else list.push(single(argument));
      }
    });
    this.build.count(list.length);
    return { list };
  }

  type(): Type {
    return this.nest(() => {
      const next = this.text.peek();
      const builtin = own(BUILTINS, next);
      if (builtin !== undefined) {
        this.text.read(1);
        return builtinNode(builtin);
      }
      if (next === 'D') return this.#dType();
      const since = this.#seen.uses;
      let type: Type;
      if (next === 'T' || (next === 'S' && this.text.peek(1) !== 't')) {
        type = next === 'T' ? this.#parameterType() : this.#substitution();
        if (this.text.peek() !== 'I') return type;
        type = this.build.apply(type, this.templateArguments());
      } else {
        type = this.#compound(next);
      }
      this.#seen.add(type, since, this.#context);
      return type;
    });
  }

  #compound(next: string): Type {
    const qualifiers = this.text.match(/r?V?K?/y) ?? '';
    if (qualifiers !== '') {
      if (/[FrVK]/.test(this.text.peek())) throw new Unreadable('member function');
      const cv = (qualifiers.includes('K') ? 1 : 0) | (qualifiers.includes('V') ? 2 : 0);
      return this.build.map(this.type(), (of) => qualify(of, cv));
    }
    if (/[NZS\d]/.test(next)) {
      const { type, suffix } = this.#name();
      if (suffix !== '') throw new Unreadable('member function');
      return type;
    }
    this.text.read(1);
    switch (next) {
      case 'P':
        return this.build.map(this.type(), (of) => pointerTo(of));
      case 'R':
        return this.build.map(this.type(), (of) => referenceTo(of, '&'));
      case 'O':
        return this.build.map(this.type(), (of) => referenceTo(of, '&&'));
      case 'A':
        return this.#array();
      case 'F':
        return this.#function();
      case 'M':
        return this.build.map2(this.type(), this.type(), (owner, of) => memberOf(spell(owner), of));
      case 'U':
        return this.#vendorQualified();
      case 'u':
        return this.#vendorType();
      default:
        throw new Unreadable(next);
    }
  }

  #array(): Type {
    const digits = this.text.match(/\d+/y);
    const bound = digits === undefined && this.text.peek() !== '_' ? readExpression(this) : namedType(digits ?? '');
    this.text.expect('_');
    return this.build.map2(bound, this.type(), (size, of) => arrayOf(of, unwrapped(spell(size))));
  }

  #function(): Type {
    this.text.take('Y');
    const result = single(this.type());
    const parameters = this.#parameters().map((node) => spell(parameterNode(node)));
    this.text.expect('E');
    return functionOf(result, parameters);
  }

  #vendorQualified(): Type {
    const name = this.text.sourceName();
    if (this.text.peek() === 'I') throw new Unreadable('vendor qualifier');
    // An address space leaves the layout alone; of any other qualifier we cannot know.
    return this.build.map(this.type(), (of) => (/^AS\d+$/.test(name) ? of : namedType(`${spell(of)} ${name}`)));
  }

  #dType(): Type {
    const float = this.text.match(/DF(?:16b|(?:16|32|64|128)_|(?:32|64)x)/y);
    if (float !== undefined) {
      return builtinNode(float === 'DF16b' ? '__bf16' : `_Float${float.slice(2).replace('_', '')}`);
    }
    const name = own(D_BUILTINS, this.text.peek(1));
    if (name === undefined) throw new Unreadable('D');
    this.text.read(2);
    return builtinNode(name);
  }

  #vendorType(): Type {
    const name = this.text.sourceName();
    if (this.text.peek() === 'I') throw new Unreadable('vendor type');
    return name === '__bf16' ? builtinNode(name) : namedType(name);
  }

  /** A template parameter as a type, which may be substituted later. */
  #parameterType(): Type {
    const index = this.text.sequence('T', 10);
    const since = this.#seen.uses;
    const type = this.#seen.resolve(index, this.#context);
    this.#seen.add(type, since, this.#context, index);
    return type;
  }

  templateParameter(): Type {
    return this.#seen.resolve(this.text.sequence('T', 10), this.#context);
  }

  /** `St` is left to the callers, for it begins a name. */
  #substitution(): Type {
    const standard = own(STANDARD, this.text.peek(1));
    if (standard !== undefined) {
      this.text.read(2);
      return namedType(standard);
    }
    return this.#seen.get(this.text.sequence('S', 36), this.#context);
  }
}
