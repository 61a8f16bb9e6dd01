import { readDebugInfo, type DebugInfo } from './ir/debug-info.ts';
import { mentionOf, NAME } from './ir/text.ts';
import { parseModule } from './ir/module.ts';
import { layoutOf } from './ir/value-type.ts';
import type { MissingSymbol } from './link.ts';
import { linkModules } from './modules.ts';
import { NAME_VARIABLE, readContent } from './prepare/globals.ts';
import type { LinkObject } from './request.ts';
import type { Toolchain } from './toolchain.ts';

/** A symbol that a module defines or names. */
interface Symbol {
  readonly name: string;
  /** Whether other modules may define it, too. */
  readonly isMerged: boolean;
  /** Bytes of a variable; undefined for a function, 0 for an array without a length. */
  readonly bytes?: number;
  /** Metadata of a function. */
  readonly subprogram?: number;
}

/** The symbols of an object that other objects can see. */
interface Symbols {
  readonly object: LinkObject;
  readonly debug: DebugInfo;
  readonly defined: ReadonlyMap<string, Symbol>;
  /** Variables that it leaves open. */
  readonly open: readonly Symbol[];
}

const VARIABLE = new RegExp(`^@(${NAME}) = (.*)$`);
const FUNCTION = new RegExp(`^define (.*?)@(${NAME})\\(.*?(?:!dbg !(\\d+) )?\\{$`);
const OWN = /\b(?:private|internal|appending|available_externally)\b/;
const MERGED = /\b(?:linkonce_odr|linkonce|weak_odr|weak|common)\b/;
/** What clang appends to the name of a `static` kernel or variable. */
const STATIC = /\b(_Z\w+?)__(?:static|intern)__[\da-f]+\b/g;

/** Clang's text of a source as an object of a link: without what keeps the name expressions' functions alive. */
export function objectText(text: string): string {
  const isKeeper = (line: string): boolean =>
    line.startsWith(`@${NAME_VARIABLE}`) || /^@llvm\.(?:compiler\.)?used /.test(line);
  return text
    .split('\n')
    .filter((line) => !isKeeper(line))
    .join('\n');
}

/** Link relocatable programs into one module: its text, or the errors in the manner of nvlink. */
export function linkObjects(
  toolchain: Toolchain,
  objects: readonly LinkObject[],
): { readonly text?: string | undefined; readonly log: string } {
  const plain = withPlainStatics(objects);
  const symbols = plain.map(symbolsOf);
  const errors = [...multiple(symbols), ...sizes(symbols), ...openArrays(symbols)];
  if (errors.length > 0) return { log: errors.join('\n') };
  return linkModules(
    toolchain,
    plain.map(({ text }) => text),
  );
}

/** The symbols that no object defines, each with the first place in each object that uses it. */
export function describeUndefined(missing: readonly MissingSymbol[], objects: readonly LinkObject[]): string[] {
  return missing.flatMap(({ name }) => {
    const use = new RegExp(mentionOf(name));
    return objects.filter(({ text }) => use.test(text)).map((object) => undefinedIn(object, name));
  });
}

function undefinedIn(object: LinkObject, name: string): string {
  const use = new RegExp(mentionOf(name));
  const lines = object.text.split('\n');
  const debug = readDebugInfo(lines);
  const nodes = lines
    .filter((line) => line.startsWith(' ') && use.test(line))
    .map((line) => /!dbg !(\d+)/.exec(line)?.[1]);
  const place = nodes.map((node) => debug.placeOf(Number(node))).find((found) => found !== undefined);
  const where = place ? `${place.file}:${place.line}:${place.column ?? 1}` : object.file;
  return `${where}: error: undefined reference to ${named(name)} in '${object.name}': no linked program defines it`;
}

/** A symbol, and the name that its source has for it. */
function named(symbol: string): string {
  const [, length, rest = ''] = /^_Z(\d+)(.*)$/.exec(symbol) ?? [];
  return length === undefined ? `'${symbol}'` : `'${symbol}' (${rest.slice(0, Number(length))})`;
}

/**
 * A `static` kernel has its plain symbol, by which the host finds it, in the first object that has one; the others keep
 * theirs.
 */
function withPlainStatics(objects: readonly LinkObject[]): LinkObject[] {
  const taken = new Map<string, LinkObject>();
  return objects.map((object) => ({
    ...object,
    text: object.text.replace(STATIC, (all, base: string) => {
      if (!taken.has(base)) taken.set(base, object);
      return taken.get(base) === object ? base : all;
    }),
  }));
}

function symbolsOf(object: LinkObject): Symbols {
  const module = parseModule(object.text);
  const defined = new Map<string, Symbol>();
  const open: Symbol[] = [];
  for (const { head } of module.functions) {
    const [, before = '', name = '', subprogram] = FUNCTION.exec(head) ?? [];
    if (name === '' || OWN.test(before)) continue;
    defined.set(name, {
      ...{ name, isMerged: MERGED.test(before) },
      ...(subprogram === undefined ? {} : { subprogram: Number(subprogram) }),
    });
  }
  for (const line of module.lines) {
    const [, name = '', content = ''] = (line.startsWith('@') && VARIABLE.exec(line)) || [];
    const linkage = /^.*?(?=\b(?:global|constant)\b)/.exec(content)?.[0] ?? '';
    if (name === '' || name.startsWith('llvm.') || OWN.test(linkage)) continue;
    const symbol = { name, isMerged: MERGED.test(linkage), bytes: bytesOf(content, module.types) };
    if (!/\bexternal\b/.test(linkage)) defined.set(name, symbol);
    else open.push(symbol);
  }
  return { object, debug: readDebugInfo(module.lines), defined, open };
}

function bytesOf(content: string, types: ReturnType<typeof parseModule>['types']): number {
  return layoutOf(readContent(content).type, types).size;
}

function multiple(all: readonly Symbols[]): string[] {
  const first = new Map<string, Symbols>();
  return all.flatMap((symbols) =>
    [...symbols.defined.values()].flatMap(({ name, isMerged, subprogram }) => {
      if (isMerged) return [];
      const before = first.get(name);
      if (!before) first.set(name, symbols);
      if (!before) return [];
      const place = subprogram === undefined ? undefined : symbols.debug.functionAt(subprogram);
      const where = place ? `${place.file}:${place.line}:1` : symbols.object.file;
      return [
        `${where}: error: multiple definition of ${named(name)} in '${symbols.object.name}', ` +
          `first defined in '${before.object.name}': declare it extern in all sources but one, or make it inline`,
      ];
    }),
  );
}

/** Variables that a source declares with another size than the defining one. */
function sizes(all: readonly Symbols[]): string[] {
  return all.flatMap(({ object, open }) =>
    open.flatMap(({ name, bytes }) => {
      const owner = all.find(({ defined }) => defined.has(name));
      const right = owner?.defined.get(name)?.bytes;
      if (owner === undefined || right === bytes || bytes === 0) return [];
      const what = right === undefined ? 'a function' : `${right} bytes`;
      return [
        `${object.file}: error: size does not match for ${named(name)} in '${object.name}': ` +
          `it has ${bytes} bytes here, and is ${what} in '${owner.object.name}'`,
      ];
    }),
  );
}

/**
 * Arrays without a length that nothing defines. In LLVM's text they look like `extern __shared__` ones, so that the source
 * has to say what they are.
 */
function openArrays(all: readonly Symbols[]): string[] {
  return all.flatMap(({ object, open }) =>
    open
      .filter(({ name, bytes }) => bytes === 0 && !all.some(({ defined }) => defined.has(name)))
      .filter(({ name }) => declaresGlobal(object.source, name))
      .map(({ name }) => undefinedIn(object, name)),
  );
}

function declaresGlobal(source: string, symbol: string): boolean {
  const name = /(\w+?)(?:E)?$/.exec(symbol.replace(/^_ZN?(?:\d+\w+?)?(?=\d)/, '').replace(/^\d+/, ''))?.[1] ?? symbol;
  return new RegExp(`\\b__(?:device|constant|managed)__\\b[^;{}()=]*\\b${name}\\s*\\[\\s*\\]`).test(source);
}
