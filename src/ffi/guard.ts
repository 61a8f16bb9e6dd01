import { SymbolNotFoundError } from '../core/errors.ts';
import {
  entriesOf,
  type Bound,
  type CFunction,
  type NameOf,
  type Table,
  type TextOf,
  type TypesOf,
} from './prototype.ts';

/** How one library reports failure. */
export interface Policy<T extends Table> {
  /** The C type whose values are statuses; 0 is success. */
  readonly status: string;
  /** Statuses that answer a question and are returned instead of thrown. */
  readonly answers?: { readonly [Name in NameOf<T>]?: readonly number[] };
  /** The error of a failed call. */
  readonly error: (routine: string, status: number, group: string) => Error;
  /** What is thrown instead of the error of a function that the library lacks. Default: that error */
  readonly missing?: (error: SymbolNotFoundError) => Error;
}

type DropLast<List extends unknown[]> = List extends [...infer Head, unknown] ? Head : never;

type CheckedFunction<Text extends string, Types> = Text extends `${string}_Out_ cl_int *errcode_ret)`
  ? (...args: DropLast<Parameters<CFunction<Text, Types>>>) => ReturnType<CFunction<Text, Types>>
  : (...args: Parameters<CFunction<Text, Types>>) => ReturnType<CFunction<Text, Types>>;

/** A table's functions that throw. They return the status (0, or an answer), or the handle they create. */
export type Checked<T extends Table> = { readonly [Name in NameOf<T>]: CheckedFunction<TextOf<T, Name>, TypesOf<T>> };

type Callable = (...args: unknown[]) => unknown;

/** The only place where a status becomes an error: wrap every function of a table. */
export function guard<T extends Table>(functions: T, table: () => Bound<T>, policy: Policy<T>): Checked<T> {
  const checked: Record<string, Callable> = {};
  for (const [name, text, group] of entriesOf(functions)) {
    const answers = (policy.answers as Readonly<Record<string, readonly number[]>> | undefined)?.[name] ?? [];
    const check = (status: number): void => {
      if (status !== 0 && !answers.includes(status)) throw policy.error(name, status, group);
    };
    const find = (): Callable => (table() as unknown as Readonly<Record<string, Callable>>)[name] as Callable;
    let form: Callable;
    // To parse all prototypes of a table takes milliseconds of a program's start.
    if (text.startsWith(`${policy.status} `)) form = statusForm(find, check);
    else if (text.endsWith('*errcode_ret)')) form = creatingForm(find, check);
    else form = (...args) => find()(...args);
    checked[name] = policy.missing ? translated(form, policy.missing) : form;
  }
  return checked as unknown as Checked<T>;
}

function translated(form: Callable, missing: (error: SymbolNotFoundError) => Error): Callable {
  return (...args) => {
    try {
      return form(...args);
    } catch (error) {
      throw error instanceof SymbolNotFoundError ? missing(error) : error;
    }
  };
}

function statusForm(find: () => Callable, check: (status: number) => void): Callable {
  return (...args) => {
    const status = find()(...args) as number;
    check(status);
    return status;
  };
}

function creatingForm(find: () => Callable, check: (status: number) => void): Callable {
  const slot = new Int32Array(1);
  return (...args) => {
    slot[0] = 0;
    const value = find()(...args, slot);
    const status = slot[0];
    check(status);
    return value ?? 0n;
  };
}
