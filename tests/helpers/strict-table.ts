import { argumentChecks } from '../../src/ffi/check.ts';
import { entriesOf, parsePrototype, type Bound, type Table } from '../../src/ffi/prototype.ts';

type Callable = (...args: never[]) => unknown;
type Around = (routine: string, args: readonly unknown[], next: () => unknown) => unknown;

/**
 * A fake table that refuses what a native one refuses: arguments are checked as the prototypes say, and a routine that
 * the fake lacks says so. `around` sees each call first.
 */
export function strictTable<T extends Table>(
  prototypes: T,
  fake: Readonly<Record<string, Callable>>,
  title: string,
  around: Around = (_routine, _args, next) => next(),
): Bound<T> {
  const table: Record<string, (...args: unknown[]) => unknown> = {};
  for (const [name, text] of entriesOf(prototypes)) {
    const check = argumentChecks(parsePrototype(text));
    const call = fake[name] as ((...args: unknown[]) => unknown) | undefined;
    table[name] = (...args) => {
      if (!call) throw new Error(`The fake ${title} has no ${name}`);
      check(args);
      return around(name, args, () => call(...args));
    };
  }
  return table as unknown as Bound<T>;
}
