import { nameOf } from './check.ts';

/**
 * Make `instanceof` test a brand: errors cross realms (workers, test runners) where prototypes do not.
 *
 * @param isWhole - whether what has the brand has its private state, too
 */
export function brand(
  constructor: { readonly prototype: object },
  name: string,
  isWhole: (value: object) => boolean = () => true,
): void {
  const key = Symbol.for(`rawkernel.${name}`);
  Object.defineProperty(constructor.prototype, key, { value: true });
  Object.defineProperty(constructor.prototype, 'name', { value: name, writable: true, configurable: true });
  Object.defineProperty(constructor, Symbol.hasInstance, {
    // A class that a user derives inherits this: without a brand of its own `instanceof` uses its prototype, as usual.
    value(this: unknown, value: unknown) {
      if (this !== constructor) return Function.prototype[Symbol.hasInstance].call(this, value);
      if (typeof value !== 'object' || value === null) return false;
      try {
        return key in value && isWhole(value);
      } catch {
        return false; // a revoked proxy
      }
    },
  });
}

/** What a message is made of, in the order in which it is read. */
export interface ErrorDetails {
  /** What a kernel did wrong: it is said first, and the function that noticed it last. */
  readonly found?: readonly unknown[] | undefined;
  /** What failed: `cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE`. */
  readonly headline: string;
  /** The fix first, then the reason. */
  readonly reason?: string | undefined;
  /** Lines of `name  value`. */
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  readonly docs?: string | undefined;
}

/** Lay out a message: headline, reason, facts in a column, link. */
export function formatMessage({ found = [], headline, reason, facts, docs }: ErrorDetails): string {
  const lines = found.slice(0, MAX_FOUND).map(String);
  if (found.length > MAX_FOUND) lines.push(`… and ${found.length - MAX_FOUND} more in error.reports`);
  const told = lines.length > 0;
  if (!told) lines.push(headline);
  if (reason) lines.push(reason);
  for (const [name, value] of Object.entries({ ...facts, docs: told ? undefined : docs })) {
    if (value !== undefined && value !== '') lines.push(`  ${name.padEnd(7)} ${value}`);
  }
  if (told) lines.push(headline);
  return lines.join('\n');
}

/** Reports in one message. */
const MAX_FOUND = 3;

/** Refuse what an error cannot be made of: its text would be put together by the language, in its own words or not. */
function checkTexts(what: string, ...values: readonly unknown[]): void {
  const wrong = values.findIndex((value) => typeof value !== 'string');
  if (wrong >= 0) throw new TypeError(`${what} takes strings, got ${nameOf(values[wrong])}`);
}

function texts(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [list];
}

/** Keep what is long out of what is printed of an error: its message has said it, or a property tells. */
export function hide<T extends Error>(error: T, ...names: readonly (keyof T & string)[]): void {
  for (const name of names) Object.defineProperty(error, name, { enumerable: false });
}

/** The base of every error that a vendor's library reports. */
export abstract class GpuError extends Error {
  /** The vendor's constant: `'CUDA_ERROR_INVALID_VALUE'`. */
  readonly code: string;
  /** The vendor's number. */
  readonly status: number;
  /** The C function that reported it. */
  readonly routine: string;

  constructor(message: string, code: string, status: number, routine: string, options?: ErrorOptions) {
    checkTexts(new.target.name, message);
    super(message, options);
    this.code = code;
    this.status = status;
    this.routine = routine;
  }
}
brand(GpuError, 'GpuError');

/** An object was used after `close()`, `free()` or `release()`. */
export class ClosedError extends Error {
  readonly code = 'ERR_RAWKERNEL_CLOSED';

  constructor(className: string, method: string) {
    checkTexts('ClosedError', className, method);
    super(`${className}.${method}: this ${className} is closed`);
  }
}
brand(ClosedError, 'ClosedError');

/** A shared library could not be opened. */
export class LibraryNotFoundError extends Error {
  readonly code = 'ERR_RAWKERNEL_LIBRARY_NOT_FOUND';
  /** Each place looked at, with the loader's answer. */
  readonly tried: readonly string[];
  /** What to do, a line an option. */
  readonly advice: readonly string[];

  constructor(title: string, tried: readonly string[], advice: readonly string[]) {
    checkTexts('LibraryNotFoundError', title, ...texts(tried), ...texts(advice));
    const list = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join('\n');
    super(`Could not load ${title}\nTried:\n${list(tried)}\nWhat to do:\n${list(advice)}`);
    this.tried = tried;
    this.advice = advice;
    hide(this, 'tried', 'advice');
  }
}
brand(LibraryNotFoundError, 'LibraryNotFoundError');

/** The installed library is too old, or not the one it is taken for. */
export class SymbolNotFoundError extends Error {
  readonly code = 'ERR_RAWKERNEL_SYMBOL_NOT_FOUND';
  readonly symbol: string;
  readonly library: string;
  readonly version: string | undefined;

  /** @param hint - the versions that have it, where they are known: `CUDA 12.4 and newer have it` */
  constructor(
    symbol: string,
    title: string,
    path: string,
    version: string | undefined,
    cause?: unknown,
    hint: string = 'a newer version may have it',
  ) {
    checkTexts('SymbolNotFoundError', symbol, title, path, version ?? '', hint);
    const release = version === undefined ? '' : ` ${version}`;
    super(`${symbol} is not in ${title}${release} (${path}); ${hint}`, { cause });
    this.symbol = symbol;
    this.library = path;
    this.version = version;
  }
}
brand(SymbolNotFoundError, 'SymbolNotFoundError');

/** Say what could not be thrown: a failure in a finalizer, a leak that the collector found. */
export function warn(text: string, code: string): void {
  process.emitWarning(text, { type: 'GpuWarning', code });
}
