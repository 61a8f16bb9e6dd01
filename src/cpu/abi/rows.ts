/**
 * Functions of a vendor's table as free functions: their first parameter is the state that they work on, and the prototype
 * gives the other parameters and the result.
 */
export type Rows<State, Table, Name extends keyof Table = keyof Table> = {
  readonly [Key in Name]: Table[Key] extends (...args: infer Args) => infer Result
    ? (state: State, ...args: Args) => Result
    : never;
};

/** The forms of such functions that do not block. */
export type AsyncRows<State, Table, Name extends keyof Table = keyof Table> = {
  readonly [Key in Name]: Table[Key] extends (...args: infer Args) => infer Result
    ? (state: State, ...args: Args) => Promise<Result>
    : never;
};

/** Rows without their first parameter: functions of the vendor's table. */
export type BoundRows<AllRows> = {
  [Name in keyof AllRows]: AllRows[Name] extends (state: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

type Row<State> = (state: State, ...args: never[]) => unknown;

/** Fix the state of rows. A bound function passes its arguments on without an array, which keeps launches fast. */
export function bindRows<State, AllRows extends Readonly<Record<keyof AllRows, Row<State>>>>(
  state: State,
  rows: AllRows,
): BoundRows<AllRows> {
  const bound: Record<string, unknown> = {};
  for (const [name, row] of Object.entries<Row<State>>(rows)) bound[name] = row.bind(undefined, state);
  return bound as BoundRows<AllRows>;
}
