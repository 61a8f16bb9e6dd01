import type { CTypes, OutOf, Pointer, ValueOf } from './ctype.ts';

/** One parameter of a C function. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  /** How many `*` it has. */
  readonly stars: number;
  readonly const: boolean;
  /** The function writes through it. */
  readonly out: boolean;
}

export interface Prototype {
  readonly result: string;
  readonly resultStars: number;
  readonly symbol: string;
  readonly params: readonly Parameter[];
}

const PROTOTYPE = /^([\w ]+?) (\**)(\w+)\((.*)\)$/;
const PARAMETER = /^(?:(_Out_|_Out_opt_) |_In_ )?(const )?([\w ]+?) (\**)(\w+)$/;

/**
 * Parse a header-style line, `CUresult cuInit(unsigned int Flags)`.
 * {@link CFunction} is its twin at type level: what one understands, so must the other.
 */
export function parsePrototype(text: string): Prototype {
  const match = PROTOTYPE.exec(text);
  if (!match) throw new SyntaxError(`Not a C prototype: '${text}'`);
  const [, result = '', stars = '', symbol = '', list = ''] = match;
  const params = list === 'void' ? [] : list.split(', ').map((param) => parseParameter(param, text));
  return { result, resultStars: stars.length, symbol, params };
}

function parseParameter(param: string, text: string): Parameter {
  const match = PARAMETER.exec(param);
  if (!match) throw new SyntaxError(`Not a C parameter: '${param}' in '${text}'`);
  const [, out, constant, type = '', stars = '', name = ''] = match;
  return { name, type, stars: stars.length, const: constant !== undefined, out: out !== undefined };
}

/**
 * The places of the parameters that refuse NULL: `_Out_` and `_In_` do; `_Out_opt_`, and what has no annotation, take it.
 * The annotations are those of Microsoft's SAL. Only the CUDA driver's table has them all.
 */
export function requiredPlaces(text: string): number[] {
  const list = text.slice(text.indexOf('(') + 1).split(', ');
  return list.flatMap((param, place) => (/^_(?:Out|In)_ /.test(param) ? [place] : []));
}

type Parameters_<List extends string, Types> = List extends 'void'
  ? []
  : List extends `${infer Head}, ${infer Rest}`
    ? [ParameterType<Head, Types>, ...Parameters_<Rest, Types>]
    : [ParameterType<List, Types>];

type ParameterType<P extends string, Types> = P extends `_Out_opt_ ${infer Rest}`
  ? AnnotatedType<`_Out_ ${Rest}`, Types>
  : P extends `_In_ ${infer Rest}`
    ? AnnotatedType<Rest, Types>
    : AnnotatedType<P, Types>;

type AnnotatedType<P extends string, Types> = P extends `_Out_ ${infer T} *${infer Rest}`
  ? Rest extends `*${string}`
    ? OutOf<'size_t'>
    : OutOf<T, Types>
  : P extends `const char *${infer Name}`
    ? Name extends `*${string}`
      ? Pointer
      : string
    : P extends `${string}*${string}`
      ? Pointer
      : P extends `unsigned long long ${string}`
        ? ValueOf<'unsigned long long'>
        : P extends `unsigned ${infer T} ${string}`
          ? ValueOf<`unsigned ${T}`>
          : P extends `${infer T} ${string}`
            ? ValueOf<T, Types>
            : never;

type Result<Head extends string, Types> = Head extends `${string} *${string}`
  ? bigint
  : Head extends `unsigned ${infer T} ${string}`
    ? ValueOf<`unsigned ${T}`>
    : Head extends `${infer T} ${string}`
      ? ValueOf<T, Types>
      : never;

/**
 * The TypeScript signature of a prototype's text, where these C types are known besides C's own. A text that is no
 * literal gives the wide signature.
 */
export type CFunction<Text extends string, Types = object> = string extends Text
  ? (...args: never[]) => unknown
  : Text extends `${infer Head}(${infer List})`
    ? (...args: Parameters_<List, Types>) => Result<Head, Types>
    : never;

/**
 * Prototypes by documentation group, then by the name that users know. The group `TYPES` has no functions: it holds the
 * C types that the prototypes mention besides C's own.
 */
export type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every function name of a table. */
export type NameOf<T extends Table> = { [Group in Exclude<keyof T, 'TYPES'>]: keyof T[Group] & string }[Exclude<
  keyof T,
  'TYPES'
>];

/** The C types of a table. */
export type TypesOf<T extends Table> = T extends { readonly TYPES: infer Types } ? Types : object;

/** The prototype text of a function of a table. */
export type TextOf<T extends Table, Name extends string> = {
  [Group in keyof T]: Name extends keyof T[Group] ? T[Group][Name] : never;
}[keyof T];

/** A table's functions, typed. A native library, a fake in a test and the embedded device all have this shape. */
export type Bound<T extends Table> = { readonly [Name in NameOf<T>]: CFunction<TextOf<T, Name>, TypesOf<T>> };

/** Every `[name, prototype, group]` of a table. */
export function* entriesOf(table: Table): Generator<readonly [name: string, text: string, group: string]> {
  for (const [group, functions] of Object.entries(table)) {
    if (group === 'TYPES') continue;
    for (const [name, text] of Object.entries(functions)) yield [name, text, group];
  }
}

/** The vendor's group of a function; undefined where the table does not have the function. */
export function groupOf(table: Table, name: string): string | undefined {
  for (const [group, functions] of Object.entries(table)) if (group !== 'TYPES' && name in functions) return group;
  return undefined;
}

/** The C types of a table. */
export function prototypeOf<T extends Table>(table: T, name: NameOf<T>): string {
  for (const [known, text] of entriesOf(table)) if (known === name) return text;
  throw new TypeError(`The table has no function '${name}'`);
}

export function typesOf(table: Table): CTypes {
  return table['TYPES'] ?? {};
}
