import type { TypeNode } from '../../core/c-type.ts';
import { builtinType, namedType, parameterNode, spell, Unreadable } from '../../core/c-type.ts';

/** A type that depends on a pack has one node for each element of the pack. */
export type Type = TypeNode | readonly TypeNode[];

/** Template arguments that stand in the place of one. */
export interface List {
  readonly list: readonly TypeNode[];
}

export type Argument = Type | List;

export interface Name {
  readonly type: Type;
  readonly base: string;
  /** Set if the name ends in template arguments. */
  readonly args: readonly Argument[] | undefined;
  /** ` const` of a member function. */
  readonly suffix: string;
}

export interface Encoding {
  readonly name: string;
  readonly base: string;
  /** None: a variable, or a function with C linkage. */
  readonly parameters: readonly TypeNode[] | undefined;
  readonly suffix: string;
}

/** What template parameters stand for, in one function's type. */
export interface Context {
  /** `auto`: the parameters of a lambda, whose template parameters are its `auto`s. */
  readonly args: readonly Argument[] | 'auto' | undefined;
}

interface Seen {
  readonly type: Type;
  /** Of a type that depends on template parameters. */
  readonly context: Context | undefined;
  /** Of a type that is a template parameter. */
  readonly parameter: number | undefined;
}

const MAX_ELEMENTS = 100_000;
const CUDA_CLASS =
  /^(?:__half2?|__nv_bfloat162?|dim3|(?:u?(?:char|short|int|long|longlong)|float|double)(?:[1-4]|4_(?:16|32)a))$/;

/** Builds types of one node or of many, and bounds the work of it. */
export class TypeBuilder {
  #elements = 0;

  /** A template with its arguments, once for each element where one of them depends on a pack. */
  apply(template: Type, args: readonly Argument[]): Type {
    const packs = [template, ...args].filter((part) => isPack(part));
    const size = packs[0]?.length;
    if (packs.some((pack) => pack.length !== size)) throw new Unreadable('packs');
    this.count(args.length * (size ?? 1));
    const nth = (i: number): TypeNode => {
      const texts = args.flatMap((arg) => ('list' in arg ? arg.list.map(spell) : [spell(at(arg, i))]));
      return namedType(`${spell(at(template, i))}<${texts.join(', ')}>`);
    };
    return size === undefined ? nth(0) : Array.from({ length: size }, (_, i) => nth(i));
  }

  map(type: Type, make: (node: TypeNode) => TypeNode): Type {
    if (!isPack(type)) return make(type);
    this.count(type.length);
    return type.map(make);
  }

  map2(a: Type, b: Type, make: (a: TypeNode, b: TypeNode) => TypeNode): Type {
    if (!isPack(a)) return this.map(b, (node) => make(a, node));
    if (isPack(b) && a.length !== b.length) throw new Unreadable('packs');
    this.count(a.length);
    return a.map((node, i) => make(node, at(b, i)));
  }

  count(elements: number): void {
    this.#elements += elements;
    if (this.#elements > MAX_ELEMENTS) throw new Unreadable('too many');
  }
}

/**
 * The parts of a symbol that `S_`, `S0_`, … repeat.
 *
 * They repeat the text, not its meaning: where a lambda's scope is a template, its `T_` is another one.
 */
export class Substitutions {
  readonly #seen: Seen[] = [];
  #uses = 0;

  /** How many template parameters have been used so far. */
  get uses(): number {
    return this.#uses;
  }

  /** Remember a type whose text began after so many uses. */
  add(type: Type, since: number, context: Context, parameter?: number): void {
    this.#seen.push({ type, context: this.#uses > since ? context : undefined, parameter });
  }

  get(index: number, context: Context): Type {
    const seen = this.#seen[index];
    if (!seen) throw new Unreadable('no such substitution');
    if (!seen.context) return seen.type;
    if (seen.parameter !== undefined) return this.resolve(seen.parameter, context);
    if (seen.context !== context) throw new Unreadable('another template');
    this.#uses++;
    return seen.type;
  }

  resolve(parameter: number, { args }: Context): Type {
    this.#uses++;
    if (args === 'auto') return namedType(`auto:${parameter + 1}`);
    const argument = args?.[parameter];
    if (!argument) throw new Unreadable('no such template parameter');
    return 'list' in argument ? argument.list : argument;
  }
}

export function isPack(part: Argument): part is readonly TypeNode[] {
  return Array.isArray(part);
}

export function single(type: Type): TypeNode {
  if (isPack(type)) throw new Unreadable('a pack unexpanded');
  return type;
}

function at(type: Type, index: number): TypeNode {
  const node = isPack(type) ? type[index] : type;
  if (!node) throw new Unreadable('packs');
  return node;
}

export function builtinNode(name: string): TypeNode {
  return builtinType(name, 'cuda') ?? namedType(name);
}

/** A class by its full name, which CUDA itself may define. */
export function classNode(name: string): TypeNode {
  return CUDA_CLASS.test(name) ? builtinNode(name) : namedType(name);
}

export function spellAll(parameters: readonly TypeNode[]): string {
  return parameters.map((node) => spell(parameterNode(node))).join(', ');
}

/** `b` of `a::b<c::d>` */
export function lastName(type: Type): string {
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
export function unwrapped(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    if (depth === 0) return i > 0 && i === text.length - 1 ? text.slice(1, -1) : text;
  }
  return text;
}
