import type { RefValue } from '../ref-value.ts';
import type { Struct, StructType } from '../struct.ts';
import type { TypeBefore, TypeOf } from './c-type.ts';
import type { Open } from './signature.ts';

/** What one half knows of its own arguments. */
export interface Arguments {
  /** What goes for each type by value, by the type's name. */
  readonly values: object;
  /** What goes for a pointer to each type. */
  readonly pointers: object;
  /** What goes for any other pointer. */
  readonly pointer: unknown;
  /** What goes for a pointer to pointers. */
  readonly addresses: unknown;
  /** What goes for a pointer to `__local` memory. */
  readonly local: unknown;
  /** What goes for a pipe. */
  readonly pipe: unknown;
  /** What goes for anything. */
  readonly any: unknown;
}

/** The arguments for a signature: one for each parameter, or any number of any where it is open. */
export type ArgumentsOf<
  Signature extends string,
  Types,
  A extends Arguments,
> = Signature extends `${string}(${infer List})` ? Listed<List, Types, A> : A['any'][];

type Listed<
  List extends string,
  Types,
  A extends Arguments,
  Found extends unknown[] = [],
> = List extends `${infer First},${infer Rest}`
  ? First extends Doubtful
    ? A['any'][]
    : Listed<Rest extends ` ${infer Trimmed}` ? Trimmed : Rest, Types, A, [...Found, ArgumentOf<First, Types, A>]>
  : List extends Open
    ? A['any'][]
    : List extends '' | 'void'
      ? Found
      : List extends Clear | keyof A['values']
        ? [...Found, ArgumentOf<List, Types, A>]
        : A['any'][];

/** A template's arguments have commas of their own. */
type Doubtful = `${string}<${string}`;
/** A lone word that is no type may be a macro for several parameters. */
type Clear = `${string}${' ' | '*'}${string}`;

type ArgumentOf<Piece extends string, Types, A extends Arguments> = Piece extends `${infer Pointee}*${infer Rest}`
  ? Pointee extends Local
    ? A['local']
    : Rest extends `${string}*${string}`
      ? A['addresses']
      : Pointee extends keyof A['pointers']
        ? A['pointers'][Pointee]
        : PointerTo<TypeOf<Pointee>, A>
  : Piece extends `${infer Type} ${infer Name}`
    ? Type extends keyof A['values']
      ? Name extends `${string}${' ' | '[' | '&'}${string}`
        ? Spelled<Piece, Types, A>
        : A['values'][Type]
      : Spelled<Piece, Types, A>
    : Spelled<Piece, Types, A>;

type Local = `${'' | `${string} `}${'' | '__'}local ${string}`;

type PointerTo<Name extends string, A extends Arguments> = Name extends keyof A['pointers']
  ? A['pointers'][Name]
  : A['pointer'];

type Spelled<Piece extends string, Types, A extends Arguments> = Piece extends `${string}&${string}`
  ? A['any']
  : Piece extends `${infer Declared}[${string}`
    ? PointerTo<TypeBefore<Declared>, A>
    : Piece extends `${'' | `${string} `}pipe ${string}`
      ? A['pipe']
      : ByValue<TypeBefore<Piece>, Piece, Types, A>;

type ByValue<Name extends string, Piece extends string, Types, A extends Arguments> = Name extends keyof A['values']
  ? A['values'][Name]
  : Name extends keyof Types
    ? Types[Name] extends StructType<infer F>
      ? Struct<F> | RefValue
      : A['any']
    : TypeOf<Piece> extends infer Unnamed extends keyof A['values']
      ? A['values'][Unnamed]
      : A['any'];
