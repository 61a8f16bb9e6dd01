/** Options of clBuildProgram, clCompileProgram or clLinkProgram in clang's terms. */
export interface OpenCLOptions {
  /** `CL1.2` */
  readonly standard: string;
  readonly flags: readonly string[];
  /** Folders for `#include`. */
  readonly includes: readonly string[];
  /** The link's result is to be linked again. */
  readonly library: boolean;
  /** Messages for unknown options. */
  readonly errors: readonly string[];
}

/** Options that are passed to clang unchanged. */
const PASSED = new RegExp(
  `^-(?:cl-(?:${[
    'single-precision-constant|fp32-correctly-rounded-divide-sqrt|mad-enable|no-signed-zeros',
    'unsafe-math-optimizations|finite-math-only|fast-relaxed-math|strict-aliasing|uniform-work-group-size',
  ].join('|')})|w|Werror)$`,
);
/** Options that have no effect on this device, or name a default. */
const IGNORED =
  /^-(?:cl-(?:opt-disable|denorms-are-zero|kernel-arg-info|no-subgroup-ifp|intel-.*|nv-.*)|enable-link-options|g|O[0-5])$/;
const STANDARD = /^-cl-std=(CL(?:1\.[012]|2\.0|3\.0))$/;

/** Translate an option string. */
export function openCLOptions(text: string): OpenCLOptions {
  const words = splitOptions(text);
  const flags: string[] = [];
  const includes: string[] = [];
  const errors: string[] = [];
  let standard = 'CL1.2';
  let library = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const letter = /^-([DIU])/.exec(word)?.[1];
    if (letter !== undefined) {
      const value = word.length > 2 ? word.slice(2) : words[++i];
      if (value === undefined) errors.push(`error: option ${word} has no value`);
      else if (letter === 'I') includes.push(value);
      else flags.push(`-${letter}${value}`);
    } else if (STANDARD.test(word)) standard = STANDARD.exec(word)?.[1] ?? standard;
    else if (word.startsWith('-cl-std=')) errors.push(`error: unknown language version ${word.slice(8)}`);
    else if (word === '-create-library') library = true;
    else if (PASSED.test(word)) flags.push(word);
    else if (!IGNORED.test(word)) errors.push(`error: unknown option ${word}`);
  }
  return { standard, flags, includes, library, errors };
}

/** The words of an option string; quotes keep blanks. On Windows a backslash is a part of a path, unless before a quote. */
export function splitOptions(text: string, windows: boolean = process.platform === 'win32'): string[] {
  const pattern = windows ? /(?:"(?:\\"|[^"])*"|\\"|[^\s"])+/g : /(?:"(?:[^"\\]|\\.)*"|\\.|[^\s"\\])+/g;
  const mark = windows ? /\\(")|"/g : /\\(.)|"/g;
  return [...text.matchAll(pattern)].map(([word]) => word.replace(mark, (_, escaped?: string) => escaped ?? ''));
}
