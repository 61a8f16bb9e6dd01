import { SymbolNotFoundError } from '../../core/errors.ts';
import { callOnWorker, lazily, provideAsync } from '../../ffi/bind.ts';
import { functions } from '../sys/opencl.ts';
import { OLDER_FORMS } from './forms.ts';
import type { OpenCLTable } from '../sys/tables.ts';
import { Ages, type PlatformAge } from './owner.ts';
import { sinceOf, whoHas } from './since.ts';

type Callable = (...args: unknown[]) => unknown;
type Form = (cl: OpenCLTable, refuse: () => never) => Callable;

/**
 * A table in which older forms stand in for functions that a loader or a platform is too old for: OpenCL 1.0 to 1.2. A
 * function that the loader lacks has its stand-in from the start. Where the loader has the function, an older platform may
 * lack it: if no platform is so old, the function is the loader's own; if some are, each call asks its object's platform.
 */
export function withOlderForms(table: OpenCLTable): OpenCLTable {
  const ages = new Ages(table);
  const all = table as unknown as Readonly<Record<string, Callable>>;
  const forms = OLDER_FORMS as unknown as Readonly<Record<string, Form | undefined>>;
  const whole: OpenCLTable = lazily(functions, (name, text) => {
    const form = forms[name];
    let own: Callable;
    try {
      own = all[name] as Callable;
    } catch (error) {
      if (!form || !(error instanceof SymbolNotFoundError)) throw error;
      return form(whole, () => {
        throw error;
      });
    }
    const since = sinceOf(name);
    if (ages.oldest >= since) return own;
    const { only } = ages;
    if (only) return standIn(form, whole, name, only);
    const find = ages.finder(text);
    return find ? byAge(own, since, find, (age) => standIn(form, whole, name, age)) : own;
  });
  return whole;
}

function standIn(form: Form | undefined, whole: OpenCLTable, name: string, age: PlatformAge): Callable {
  const refuse = (): never => {
    throw new SymbolNotFoundError(name, 'the OpenCL platform', age.name, age.text, undefined, whoHas(name));
  };
  return form?.(whole, refuse) ?? refuse;
}

/** A function, or its stand-in on an older platform. */
function byAge(
  own: Callable,
  since: number,
  find: (args: readonly unknown[]) => PlatformAge | undefined,
  makeStandIn: (age: PlatformAge) => Callable,
): Callable {
  const made = new Map<PlatformAge, Callable>();
  const choose = (args: readonly unknown[]): Callable => {
    const age = find(args);
    if (!age || age.version >= since) return own;
    let found = made.get(age);
    if (!found) made.set(age, (found = makeStandIn(age)));
    return found;
  };
  const call: Callable = (...args) => choose(args)(...args);
  provideAsync(call, async (...args: unknown[]) => callOnWorker(choose(args), ...args));
  return call;
}
