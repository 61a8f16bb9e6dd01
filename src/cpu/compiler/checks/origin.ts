import { closing, NAME, splitList } from '../ir/text.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';

/** The memory that an address points into, if the code tells it. */
export type Origin =
  /** A variable or a private array. */
  | {
      readonly kind: 'private' | 'shared' | 'variable';
      readonly base: string;
      readonly bytes: number;
      /** The offset is a constant, which the compiler has seen. */
      readonly fixed: boolean;
    }
  /** Dynamic shared memory; in OpenCL C, with the kernel's parameter. */
  | { readonly kind: 'dynamic'; readonly parameter?: number }
  /** Memory that a kernel's argument points to. */
  | { readonly kind: 'parameter'; readonly parameter: number }
  /** Memory that only the compiler's and the library's own code uses. */
  | { readonly kind: 'own' }
  /** Anything. */
  | { readonly kind: 'any' };

/** The known variables of a module. */
export interface Variables {
  /** `__shared__` variables with their sizes, by symbol. */
  readonly shared: ReadonlyMap<string, number>;
  /** `__device__` and `__constant__` variables with their sizes, by symbol. */
  readonly device: ReadonlyMap<string, number>;
}

const ANY: Origin = { kind: 'any' };
const OWN: Origin = { kind: 'own' };
/** The most steps of a search. */
const PATIENCE = 400;
const DEFINITION = new RegExp(`^\\s+(%(?:${NAME})) = (.*?)(?:, !dbg !\\d+)?$`);
/** As `opencl/adapt.ts` calls them. */
const LOCAL_PARAMETER = /^%rk\.local(\d+)$/;
const SYMBOL = new RegExp(`^@(${NAME})$`);

/** Finds where the addresses of one function come from. */
export class Origins {
  readonly #definitions = new Map<string, string>();
  readonly #own: ReadonlySet<string>;
  readonly #parameters: ReadonlyMap<string, number>;
  readonly #variables: Variables;
  readonly #types: TypeNames;
  readonly #known = new Map<string, Origin>();
  #steps = 0;

  /**
   * @param own - parameters that point to memory of the thread alone
   * @param parameters - the kernel's pointer parameters, with their numbers
   */
  constructor(
    body: readonly string[],
    own: ReadonlySet<string>,
    variables: Variables,
    types: TypeNames,
    parameters: ReadonlyMap<string, number> = new Map(),
  ) {
    for (const line of body) {
      const match = DEFINITION.exec(line);
      if (match) this.#definitions.set(match[1] ?? '', match[2] ?? '');
    }
    this.#own = own;
    this.#parameters = parameters;
    this.#variables = variables;
    this.#types = types;
  }

  /** The origin of an operand: a value, a symbol or a constant expression. */
  of(pointer: string): Origin {
    this.#steps = 0;
    return this.#of(pointer, new Set()) ?? ANY;
  }

  /** Undefined for a value whose origin is being computed. */
  #of(pointer: string, asked: Set<string>): Origin | undefined {
    if (++this.#steps > PATIENCE) return ANY;
    const symbol = SYMBOL.exec(pointer)?.[1];
    if (symbol !== undefined) return this.#ofSymbol(symbol);
    if (pointer.startsWith('getelementptr')) return this.#ofElement(pointer, asked);
    const known = this.#known.get(pointer);
    if (known) return known;
    if (this.#own.has(pointer)) return OWN;
    const parameter = this.#parameters.get(pointer);
    if (parameter !== undefined) return { kind: 'parameter', parameter };
    const local = LOCAL_PARAMETER.exec(pointer)?.[1];
    if (local !== undefined) return { kind: 'dynamic', parameter: Number(local) };
    const text = this.#definitions.get(pointer);
    if (text === undefined) return ANY;
    if (asked.has(pointer)) return undefined;
    asked.add(pointer);
    const found = this.#ofValue(pointer, text, asked);
    asked.delete(pointer);
    // A result from inside a loop is not complete.
    if (found && asked.size === 0) this.#known.set(pointer, found);
    return found;
  }

  #ofValue(name: string, text: string, asked: Set<string>): Origin | undefined {
    if (text.startsWith('alloca ')) {
      const parts = splitList(text.slice('alloca '.length));
      if (!parts.slice(1).every((part) => /^(?:align \d+|!.*)$/.test(part))) return OWN;
      return { kind: 'private', base: name, bytes: layoutOf(parts[0] ?? '', this.#types).size, fixed: true };
    }
    if (text.startsWith('getelementptr ')) return this.#ofElement(text, asked);
    if (text.startsWith('phi ptr ')) {
      const values = [...text.matchAll(/\[ (.+?), %(?:"[^"]+"|[-\w.$]+) \]/g)].map(([, value = '']) => value);
      return this.#common(values, asked);
    }
    if (text.startsWith('select ')) {
      const values = splitList(text.slice('select '.length)).slice(1, 3);
      return this.#common(
        values.map((value) => value.replace(/^ptr /, '')),
        asked,
      );
    }
    const frozen = /^freeze ptr (.*)$/.exec(text)?.[1];
    if (frozen !== undefined) return this.#of(frozen, asked);
    if (text.includes('call ') && text.includes('@__rt_id_dynamic(')) return { kind: 'dynamic' };
    return ANY;
  }

  #ofSymbol(symbol: string): Origin {
    const { shared, device } = this.#variables;
    const inShared = shared.get(symbol);
    if (inShared !== undefined) return { kind: 'shared', base: `@${symbol}`, bytes: inShared, fixed: true };
    const inDevice = device.get(symbol);
    if (inDevice !== undefined) return { kind: 'variable', base: `@${symbol}`, bytes: inDevice, fixed: true };
    return OWN;
  }

  /** `getelementptr inbounds i8, ptr %4, i64 8`, or the same with brackets. */
  #ofElement(text: string, asked: Set<string>): Origin | undefined {
    const open = text.indexOf('(');
    const flat = /^getelementptr (?:\w+ )*\(/.test(text) && !/^getelementptr [^(]*\binrange\(/.test(text);
    const list = splitList(
      flat
        ? text.slice(open + 1, closing(text, open) - 1)
        : text.replace(/^getelementptr (?:inbounds |nuw |nusw )*/, ''),
    );
    const base = /^ptr (.*)$/.exec(list[1] ?? '')?.[1];
    if (base === undefined) return ANY;
    const origin = this.#of(base, asked);
    if (!origin || !('fixed' in origin)) return origin;
    return { ...origin, fixed: origin.fixed && list.slice(2).every((index) => /^i\d+ -?\d+$/.test(index)) };
  }

  #common(values: readonly string[], asked: Set<string>): Origin | undefined {
    let common: Origin | undefined;
    for (const value of values) {
      const origin = this.#of(value, asked);
      if (!origin || value === 'null' || value === 'poison' || value === 'undef') continue;
      if (!common) common = origin;
      else if (!same(common, origin)) return ANY;
    }
    return common && 'fixed' in common ? { ...common, fixed: false } : common;
  }
}

function same(a: Origin, b: Origin): boolean {
  const of = (origin: Origin): number | undefined => ('parameter' in origin ? origin.parameter : undefined);
  return a.kind === b.kind && of(a) === of(b) && (!('base' in a) || !('base' in b) || a.base === b.base);
}
