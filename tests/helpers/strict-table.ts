import { types } from 'node:util';
import { argumentChecks } from '../../src/ffi/check.ts';
import { entriesOf, parsePrototype, typesOf, type Bound, type Table } from '../../src/ffi/prototype.ts';

type Callable = (...args: never[]) => unknown;

const UNCHECKED = Symbol.for('rawkernel.unchecked');
type Around = (routine: string, args: readonly unknown[], next: () => unknown) => unknown;

type Checks = readonly (readonly [name: string, check: (args: unknown[]) => void])[];

const known = new Map<Table, Checks>();

/** Many fakes are made of one table, and its prototypes take longest. */
function checksOf(prototypes: Table): Checks {
  const found = known.get(prototypes);
  if (found) return found;
  const types = typesOf(prototypes);
  const made = [...entriesOf(prototypes)].map(
    ([name, text]) => [name, argumentChecks(parsePrototype(text), types)] as const,
  );
  known.set(prototypes, made);
  return made;
}

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
  for (const [name, check] of checksOf(prototypes)) {
    const call = fake[name] as ((...args: unknown[]) => unknown) | undefined;
    const checked = (...args: unknown[]): unknown => {
      if (!call) throw new Error(`The fake ${title} has no ${name}`);
      check(args);
      return around(name, args, () => call(...args));
    };
    // Past the checks koffi is met, which does not know everything that they take.
    const bare = (...args: unknown[]): unknown => {
      if (args.some((arg) => types.isSharedArrayBuffer(arg))) {
        throw new TypeError('Unexpected Object value, expected void *');
      }
      return checked(...args);
    };
    table[name] = Object.assign(checked, { [UNCHECKED]: bare });
  }
  return table as unknown as Bound<T>;
}
