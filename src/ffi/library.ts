import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import koffi, { type LibraryHandle, type TypeObject } from 'koffi';
import { LibraryNotFoundError, SymbolNotFoundError } from '../core/errors.ts';

type Platforms = Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;

/** Where a library may be, and the advice of the error where it is not. */
export interface LibraryDescription {
  /** For people: 'the CUDA driver'. */
  readonly title: string;
  /** The environment variable that names a file to use instead of searching. */
  readonly variable: string;
  /** A function that every version has: what lacks it is another library. */
  readonly symbol: string;
  /** File names for the system's loader, in order. */
  readonly names: Platforms;
  /** Folders to look in after the loader has failed, absolute. A file name matches whole or with a version suffix. */
  readonly folders?: (platform: NodeJS.Platform) => readonly string[];
  /** What to install, a line an option. */
  readonly advice: readonly string[];
}

/** What became of the search for a library. */
export interface LibraryReport {
  /** For people: `'the CUDA driver'`. */
  readonly title: string;
  /** The environment variable that names a file to use instead of searching. */
  readonly variable: string;
  /** The file that was loaded; undefined without one. */
  readonly path: string | undefined;
  /** Its version, where the library tells it: `'12.8'`. */
  readonly version: string | undefined;
  /** Each place looked at before, with the loader's answer. */
  readonly tried: readonly string[];
  /** Whether it is not installed; false for a file that cannot be loaded. */
  readonly absent: boolean;
  /** What to install, a line an option. */
  readonly advice: readonly string[];
}

/** What koffi gives for a symbol. */
export interface NativeFunction {
  (...args: unknown[]): unknown;
  async: (...args: unknown[]) => void;
}

/** An opened shared library. */
export class Library {
  readonly path: string;
  readonly #title: string;
  readonly #handle: LibraryHandle;
  #version: () => string | undefined;

  constructor(title: string, path: string, handle: LibraryHandle) {
    this.#title = title;
    this.path = path;
    this.#handle = handle;
    this.#version = () => undefined;
  }

  /** Tell how to ask for the version, so that an error about a missing symbol can name it. */
  describeVersion(version: () => string | undefined): this {
    this.#version = version;
    return this;
  }

  /** Bind one symbol; `hint` names the versions that have it, for the error where this library lacks it. */
  find(symbol: string, result: TypeObject, params: readonly TypeObject[], hint?: string): NativeFunction {
    try {
      return this.#handle.func(symbol, result, [...params]) as NativeFunction;
    } catch (error) {
      throw new SymbolNotFoundError(symbol, this.#title, this.path, this.#askVersion(), error, hint);
    }
  }

  /** Undefined where it cannot be told: the function that tells it may be the missing one. */
  #askVersion(): string | undefined {
    const version = this.#version;
    this.#version = () => undefined;
    try {
      return version();
    } catch {
      return undefined;
    } finally {
      this.#version = version;
    }
  }
}

/** Open a library: the override if one is set, else the loader's names, else the folders. */
export function openLibrary(description: LibraryDescription, platform: NodeJS.Platform = process.platform): Library {
  const { library, tried } = search(description, platform);
  if (library) return library;
  throw new LibraryNotFoundError(description.title, tried, adviceOf(description));
}

/**
 * Look for a library as {@link openLibrary} does, and tell what was found.
 *
 * @param version - asks the library; an error of it means an unknown version
 */
export function findLibrary(
  description: LibraryDescription,
  version: (library: Library) => string | undefined,
): LibraryReport {
  const { title, variable } = description;
  const { library, tried } = search(description, process.platform);
  const advice = adviceOf(description);
  const absent = library === undefined && isAbsent({ tried });
  return { title, variable, path: library && fileOf(library.path), version: library && asked(), tried, absent, advice };

  function asked(): string | undefined {
    try {
      return library && version(library);
    } catch {
      return undefined;
    }
  }
}

function search(
  description: LibraryDescription,
  platform: NodeJS.Platform,
): { readonly library: Library | undefined; readonly tried: readonly string[] } {
  const tried: string[] = [];
  if (process.env[description.variable] === NONE)
    return { library: undefined, tried: [`${description.variable} is ${NONE}`] };
  for (const path of candidates(description, platform)) {
    try {
      const handle = koffi.load(path);
      if (has(handle, description.symbol)) return { library: new Library(description.title, path, handle), tried };
      handle.unload();
      tried.push(`${path}: this is another library, without ${description.symbol}`);
    } catch (error) {
      tried.push(`${path}: ${reason(error)}`);
    }
  }
  if (tried.length === 0) tried.push(`no file name is known for ${platform}`);
  return { library: undefined, tried };
}

function has(handle: LibraryHandle, symbol: string): boolean {
  try {
    handle.func(symbol, 'void', []);
    return true;
  } catch {
    return false;
  }
}

function adviceOf({ advice, variable }: LibraryDescription): readonly string[] {
  return [...advice, `or set ${variable} to the file`];
}

/** The file behind a name that the loader was asked for; Linux lists what is loaded. */
function fileOf(path: string): string {
  if (isAbsolute(path) || !existsSync('/proc/self/maps')) return path;
  const files = readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/[^\n]+)$/gm);
  const stem = path.replace(/\.so.*$/, '.so');
  return [...files].map(([, file = '']) => file).find((file) => basename(file).startsWith(stem)) ?? path;
}

/** The loaders' answers for a file that is not there at all. */
const ABSENT =
  /^(?:[^:]+: (?:cannot open shared object file|Error loading shared library [^:]+): No such file[^(]*$|no file name|\w+ is none$)/;

/** Whether a library is not installed; false for an installed library that cannot be loaded. */
export function isAbsent(error: Pick<LibraryNotFoundError, 'tried'>): boolean {
  return error.tried.every((answer) => (process.platform === 'win32' ? !namesFile(answer) : ABSENT.test(answer)));
}

/** Windows has one error for all causes; whether the file exists tells them apart. */
function namesFile(answer: string): boolean {
  const [path = ''] = answer.split(': ', 1);
  return (isAbsolute(path) && existsSync(path)) || answer.includes(': this is another library');
}

/** The file that the user names instead of a search; undefined without one. */
export function namedFile({ variable }: Pick<LibraryDescription, 'variable'>): string | undefined {
  const value = process.env[variable];
  return value === '' || value === NONE ? undefined : value;
}

/** The same as the variable and its value, for a message. */
export function variableOf(description: Pick<LibraryDescription, 'variable'>): string | undefined {
  const file = namedFile(description);
  return file === undefined ? undefined : `${description.variable}=${file}`;
}

/** The value of a variable that hides the library: all is as on a machine that has none. */
const NONE = 'none';

function* candidates(description: LibraryDescription, platform: NodeJS.Platform): Generator<string> {
  const named = namedFile(description);
  if (named !== undefined) {
    yield named;
    return;
  }
  const names = description.names[platform] ?? [];
  yield* names;
  for (const folder of description.folders?.(platform) ?? []) {
    for (const file of filesIn(folder)) {
      if (names.some((name) => !isAbsolute(name) && (file === name || file.startsWith(`${name}.`)))) {
        yield join(folder, file);
      }
    }
  }
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function reason(error: unknown): string {
  const message = String((error as { message?: unknown } | undefined)?.message ?? error);
  return message.replace(/^Failed to load shared library:\s*/i, '').trim();
}
