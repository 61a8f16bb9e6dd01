/** A type in the mangled name of one of OpenCL C's functions. */
export type MangledType =
  /** The mangled code: `f`, `Dh`, `11ocl_sampler`. */
  | { readonly kind: 'scalar'; readonly code: string }
  | { readonly kind: 'vector'; readonly count: number; readonly element: string }
  /** With the text between `P` and the type: `U8CLglobalK`. */
  | { readonly kind: 'pointer'; readonly qualifiers: string; readonly to: MangledType };

/** A function's name and the types of its parameters. */
export interface MangledName {
  readonly name: string;
  readonly parameters: readonly MangledType[];
}

type Node = MangledType | { readonly kind: 'qualified'; readonly qualifiers: string; readonly to: MangledType };

const GENERIC = 'U9CLgeneric';
const SPACE = /U\d+CL(?:global|local|private|constant)/g;
const QUALIFIER = /(?:U\d+CL(?:global|local|private|constant|generic)|[KVr])+/y;
const BUILTIN = /D[hn]|[vbcahstijlmfdx]/y;

/** Read a mangled name; undefined for a name that is not a mangled function of OpenCL C. */
export function demangle(symbol: string): MangledName | undefined {
  const start = /^_Z(\d+)/.exec(symbol);
  if (!start) return undefined;
  const from = start[0].length;
  const name = symbol.slice(from, from + Number(start[1]));
  const reader = new Reader(symbol.slice(from + name.length));
  const parameters = reader.all();
  return parameters ? { name, parameters } : undefined;
}

/** A function's mangled name over types that need no abbreviations, which those of scalar functions do not. */
export function mangle(name: string, parameters: readonly MangledType[]): string {
  return `_Z${name.length}${name}${parameters.map(codeOf).join('')}`;
}

/** The name that a function has in the library: all address spaces are one. */
export function withGenericSpace(symbol: string): string {
  return symbol.replace(SPACE, GENERIC);
}

function codeOf(type: MangledType): string {
  switch (type.kind) {
    case 'scalar':
      return type.code;
    case 'vector':
      return `Dv${type.count}_${type.element}`;
    default:
      return `P${withGenericSpace(type.qualifiers)}${codeOf(type.to)}`;
  }
}

class Reader {
  readonly #text: string;
  readonly #known: Node[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): MangledType[] | undefined {
    const types: MangledType[] = [];
    while (this.#at < this.#text.length) {
      const type = this.#type();
      if (!type) return undefined;
      types.push(type.kind === 'qualified' ? type.to : type);
    }
    return types;
  }

  #type(): Node | undefined {
    const abbreviation = this.#take(/S([0-9A-Z]*)_/y);
    if (abbreviation) return this.#known[abbreviation[1] === '' ? 0 : parseInt(abbreviation[1] ?? '', 36) + 1];
    if (this.#take(/P/y)) return this.#pointer();
    const vector = this.#take(/Dv(\d+)_/y);
    if (vector) {
      const element = this.#take(BUILTIN)?.[0];
      return element === undefined ? undefined : this.#know({ kind: 'vector', count: Number(vector[1]), element });
    }
    if (this.#take(/U7_Atomic/y)) {
      const of = this.#type();
      return of && this.#know({ kind: 'scalar', code: `U7_Atomic${of.kind === 'scalar' ? of.code : ''}` });
    }
    const qualifiers = this.#take(QUALIFIER)?.[0];
    if (qualifiers !== undefined) {
      const to = this.#type();
      if (!to || to.kind === 'qualified') return undefined;
      return this.#know({ kind: 'qualified', qualifiers, to });
    }
    return this.#word();
  }

  #pointer(): Node | undefined {
    const to = this.#type();
    if (!to) return undefined;
    return this.#know(
      to.kind === 'qualified'
        ? { kind: 'pointer', qualifiers: to.qualifiers, to: to.to }
        : { kind: 'pointer', qualifiers: '', to },
    );
  }

  #word(): Node | undefined {
    const builtin = this.#take(BUILTIN)?.[0];
    if (builtin !== undefined) return { kind: 'scalar', code: builtin };
    const length = this.#take(/\d+/y)?.[0];
    if (length === undefined) return undefined;
    const name = this.#text.slice(this.#at, this.#at + Number(length));
    if (name.length !== Number(length)) return undefined;
    this.#at += name.length;
    const type: MangledType = { kind: 'scalar', code: `${length}${name}` };
    // Clang's own opaque types are never abbreviated.
    return name.startsWith('ocl_') ? type : this.#know(type);
  }

  #know(type: Node): Node {
    this.#known.push(type);
    return type;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match ?? undefined;
  }
}
