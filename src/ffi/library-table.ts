import { formatMessage, LibraryNotFoundError, warn, type GpuError } from '../core/errors.ts';
import { traceCalls } from '../core/trace.ts';
import { bind, withStandIns, wrapTable } from './bind.ts';
import { guard, type Checked, type Policy } from './guard.ts';
import { findLibrary, namedFile, openLibrary, type LibraryDescription, type LibraryReport } from './library.ts';
import type { ThreadCall } from './call-thread.ts';
import { prototypeOf, typesOf, type Bound, type NameOf, type Table, type TypesOf } from './prototype.ts';
import { keepsSignalHandlers } from './signals.ts';
import { slotsOf, type SlotMaker } from './slot.ts';
import { StatusTable, type StatusRows } from './status-table.ts';
import { traced, type Describers } from './traced.ts';

/** What a library's folder says of it. */
export interface LibraryParts<T extends Table> {
  /** Where it is looked for, and what to install. */
  readonly description: LibraryDescription;
  /** Its prototypes, and the C types that they mention. */
  readonly functions: T;
  /** Functions whose callers check the arguments themselves. */
  readonly hot?: readonly string[];
  /** Functions in which the library may take signals for itself that the runtime has handlers for. */
  readonly signalTakers?: readonly string[];
  /** Tells of a function which version has it. */
  readonly whoHas?: (name: string) => string | undefined;
  /** Asks for the version. */
  readonly version?: (table: Bound<T>) => string | undefined;
  /** Makes what stands in for a function that the installed version lacks. Default: using it throws */
  readonly standIn?: (name: string) => () => unknown;
  /** How a trace spells out what a pointer leads to. */
  readonly describers?: Describers;
  /**
   * Puts something over the table, such as a measurement.
   *
   * @param traced - what goes under it
   * @param bare - the same without a trace, for calls of its own
   */
  readonly over?: (traced: Bound<T>, bare: Bound<T>) => Bound<T>;
}

/** How a library without a contract of its own reports failure. */
export interface LibraryErrors<T extends Table> extends Omit<Policy<T>, 'error' | 'missing'> {
  /** Its statuses, with blame and hint. */
  readonly statuses: StatusRows;
  /** Of the name that a status without a row gets: `'NVVM_ERROR_'`. */
  readonly prefix: string;
  readonly errorClass: new (message: string, code: string, status: number, routine: string) => GpuError;
  /** The vendor's page. */
  readonly docs: string;
}

/**
 * A library: its table, bound on first use, checked, and traced on request. A test puts a fake under it. How
 * its failures become errors is {@link libraryCalls}' business, or a half's guard's.
 */
export class LibraryTable<T extends Table> {
  readonly functions: T;
  readonly #parts: LibraryParts<T>;
  #native: Bound<T> | undefined;
  #path: string | undefined;
  /** What a test has put in its place; null: not installed. */
  #other: Bound<T> | null | undefined;

  constructor(parts: LibraryParts<T>) {
    this.functions = parts.functions;
    this.#parts = parts;
  }

  /**
   * The table in use: the fake where there is one, else the installed library's.
   *
   * @throws {@link LibraryNotFoundError} it is not installed, or cannot be loaded
   */
  get(): Bound<T> {
    return this.#other ?? this.native();
  }

  /**
   * The table in use; undefined where no such library is installed.
   *
   * @throws {@link LibraryNotFoundError} the environment names a library that cannot be loaded
   */
  ifFound(): Bound<T> | undefined {
    if (this.#other !== undefined) return this.#other ?? undefined;
    try {
      return this.native();
    } catch (error) {
      if (!(error instanceof LibraryNotFoundError) || namedFile(this.#parts.description) !== undefined) throw error;
      // Searching again at each call would cost more than the call.
      this.#other = null;
      return undefined;
    }
  }

  /** The installed library's table. */
  native(): Bound<T> {
    if (this.#native) return this.#native;
    const { description, functions, hot, whoHas, version, standIn } = this.#parts;
    const library = openLibrary(description);
    this.#path = library.path;
    const bound = this.#withSignals(bind(functions, library, hot, whoHas));
    if (version) library.describeVersion(() => version(bound));
    return (this.#native = this.watched(standIn ? withStandIns(functions, bound, standIn) : bound));
  }

  #withSignals(bound: Bound<T>): Bound<T> {
    const { functions, signalTakers } = this.#parts;
    if (signalTakers === undefined) return bound;
    return wrapTable(functions, bound, (name, _, call) =>
      signalTakers.includes(name) ? keepsSignalHandlers(call) : call,
    );
  }

  /** Whether a table is the installed library's. */
  isNative(table: Bound<T>): boolean {
    return table === this.#native;
  }

  /** The library's file, as the loader was asked for it; undefined before it is open. */
  get path(): string | undefined {
    return this.#path;
  }

  /** A call of the installed library for {@link callOnThread}. */
  threadCall(name: NameOf<T>, args: readonly unknown[], good: readonly number[]): ThreadCall {
    const { functions, path } = this;
    return { library: path ?? '', prototype: prototypeOf(functions, name), types: typesOf(functions), args, good };
  }

  /** With `RAWKERNEL_TRACE` a table prints its calls, or is measured; without it, it is as it was. */
  watched(bare: Bound<T>): Bound<T> {
    const { describers, over } = this.#parts;
    const table = traceCalls ? wrapTable(this.functions, bare, (...call) => traced(...call, describers)) : bare;
    return over ? over(table, bare) : table;
  }

  /** Put another table in its place, such as a fake; null for none, undefined for the installed library again. */
  use(table: Bound<T> | null | undefined): void {
    this.#other = table;
    if (table === undefined) this.#native = undefined;
  }

  /** Look for the library, whether it is needed or not. */
  report(): LibraryReport {
    const { description, functions, version } = this.#parts;
    return findLibrary(description, (library) => version?.(bind(functions, library)));
  }
}

/** The functions of a library as the code above its table calls them. */
export interface LibraryCalls<T extends Table> {
  /** The functions, throwing. */
  readonly calls: Checked<T>;
  readonly statuses: StatusTable;
  /**
   * Open the library, for what must be known before the first call.
   *
   * @throws {@link LibraryNotFoundError} it is not installed, or cannot be loaded
   */
  readonly open: () => void;
  /** The library's file, as the loader was asked for it; undefined before it is open. */
  readonly path: () => string | undefined;
  /** Call, and return any status: for callers that know what a failure means. */
  readonly attempt: <Name extends NameOf<T>>(name: Name, ...args: Parameters<Bound<T>[Name]>) => number;
  /** Call a destroying function: it warns where others throw. */
  readonly cleanup: <Name extends NameOf<T>>(name: Name, ...args: Parameters<Bound<T>[Name]>) => void;
  /** Memory for what a function writes, by the C type of its parameter. */
  readonly slotOf: SlotMaker<TypesOf<T>>;
}

/** A library's functions, throwing, as its statuses say. */
export function libraryCalls<T extends Table>(library: LibraryTable<T>, errors: LibraryErrors<T>): LibraryCalls<T> {
  const statuses = new StatusTable(errors.statuses, errors.prefix);
  const calls = guard(library.functions, () => library.get(), {
    ...errors,
    error: (routine, status) => {
      const code = statuses.nameOf(status);
      const headline = `${routine} failed: ${code}`;
      const message = formatMessage({ headline, reason: statuses.hintOf(status), docs: errors.docs });
      return new errors.errorClass(message, code, status, routine);
    },
  });
  const attempt: LibraryCalls<T>['attempt'] = (name, ...args) => {
    const call = library.get()[name] as (...list: typeof args) => number;
    return call(...args);
  };
  return {
    calls,
    statuses,
    open: () => void library.get(),
    path: () => library.path,
    attempt,
    slotOf: slotsOf(typesOf(library.functions)),
    cleanup: (name, ...args) => {
      const status = attempt(name, ...args);
      if (status !== 0) warn(`${name} failed: ${statuses.nameOf(status)}`, 'RAWKERNEL_CLEANUP');
    },
  };
}
