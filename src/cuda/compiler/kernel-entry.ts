import type { Slot } from '../../core/pack.ts';
import { formatSignature, parseType, splitParameters, type Declaration, type Parameter } from '../../core/signature.ts';
import { demangle } from './mangling.ts';
import type { PtxEntry, PtxParameter } from './ptx.ts';

/** A kernel of a compiled module: its symbol, and what its sources and PTX tell of its parameters. */
export interface KernelEntry {
  /** The name in the binary: `_Z3addPfPKfi`. */
  readonly symbol: string;
  /** The name in C++: `ns::scale<float>`. */
  readonly name: string;
  /** The name without namespaces and template arguments. */
  readonly base: string;
  /** C types, and names where the source is at hand; undefined where nothing is known. */
  readonly parameters: readonly Parameter[] | undefined;
  readonly layout: readonly PtxParameter[] | undefined;
}

/** Where a parameter lies. */
export interface ParameterLayout {
  readonly offset: number;
  readonly size: number;
}

/** Describe the entries of a module by their symbols, their PTX and the declarations of their source. */
export function describeEntries(
  entries: readonly Pick<PtxEntry, 'symbol'>[],
  declarations: readonly Declaration[],
): KernelEntry[] {
  return entries.map((entry) => describeEntry(entry, declarations));
}

function describeEntry(
  entry: Pick<PtxEntry, 'symbol'> & Partial<PtxEntry>,
  declarations: readonly Declaration[],
): KernelEntry {
  const { symbol, parameters: layout } = entry;
  const mangled = demangle(symbol);
  if (mangled) {
    const names = declaredNames(mangled.name, mangled.parameters, declarations);
    const parameters = mangled.parameters.map((type, i) => ({ type, name: names[i] }));
    return { symbol, name: mangled.name, base: mangled.base, parameters, layout };
  }
  // C linkage leaves the namespaces out of the symbol.
  const declared = declarations.find(({ externC, name }) => externC && name.split('::').at(-1) === symbol);
  return { symbol, name: symbol, base: symbol, parameters: declared?.parameters, layout };
}

/** The names of a kernel's parameters, from the one declaration that fits. */
function declaredNames(
  name: string,
  types: readonly Parameter['type'][],
  declarations: readonly Declaration[],
): readonly (string | undefined)[] {
  const plain = withoutArguments(name);
  const fitting = declarations.filter(
    (declaration) => declaration.name === plain && declaration.parameters.length === types.length,
  );
  const exact = fitting.filter((declaration) =>
    declaration.parameters.every((parameter, i) => parameter.type.text === types[i]?.text),
  );
  const declaration = exact.length === 1 ? exact[0] : fitting.length === 1 ? fitting[0] : undefined;
  return declaration?.parameters.map((parameter) => parameter.name) ?? [];
}

/** `ns::scale<float>` → `ns::scale`. */
function withoutArguments(name: string): string {
  if (!name.endsWith('>')) return name;
  let depth = 0;
  for (let i = name.length - 1; i >= 0; i--) {
    if (name[i] === '>') depth++;
    else if (name[i] === '<' && --depth === 0) return name.slice(0, i);
  }
  return name;
}

/** `add(float *a, const float *b, int n)`; the name alone where no parameters are known. */
export function entrySignature(entry: KernelEntry): string {
  return entry.parameters ? formatSignature(entry.name, entry.parameters) : entry.name;
}

/**
 * The entry that a name means: a symbol, `add`, `ns::add`, `scale<float>`, or one overload as `add(float*, int)`.
 *
 * @returns undefined for an unknown name
 * @throws TypeError the name is ambiguous; the message lists what there is
 */
export function findEntry(entries: readonly KernelEntry[], query: string): KernelEntry | undefined {
  const exact = entries.find((entry) => entry.symbol === query);
  if (exact) return exact;
  const { name, parameters } = readQuery(query);
  const named = entries.filter((entry) => sameName(entry, name));
  const fitting = parameters === undefined ? named : named.filter((entry) => sameTypes(entry, parameters));
  if (fitting.length <= 1) return fitting[0];
  const list = fitting.map((entry) => `  ${entrySignature(entry)}`).join('\n');
  throw new TypeError(`'${query}' is ambiguous; name one as in its signature:\n${list}`);
}

function readQuery(query: string): { name: string; parameters: readonly string[] | undefined } {
  const text = query.trim();
  const open = text.endsWith(')') ? openingParenthesis(text) : -1;
  if (open < 0) return { name: normalName(text), parameters: undefined };
  const parameters = splitParameters(text.slice(open + 1, -1)).map((part) => parseType(part, 'cuda').text);
  return { name: normalName(text.slice(0, open).trim()), parameters };
}

function openingParenthesis(text: string): number {
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ')') depth++;
    else if (text[i] === '(' && --depth === 0) return i;
  }
  return -1;
}

function normalName(name: string): string {
  return name
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\s*([<>,:*&()])\s*/g, '$1');
}

function sameName(entry: KernelEntry, name: string): boolean {
  return [entry.name, entry.base, withoutArguments(entry.name)].some((candidate) => normalName(candidate) === name);
}

function sameTypes(entry: KernelEntry, wanted: readonly string[]): boolean {
  const types = entry.parameters;
  return (
    types?.length === wanted.length &&
    types.every(({ type }, i) => normalName(type.text) === normalName(wanted[i] ?? ''))
  );
}

/**
 * Where each parameter lies and what it takes. The driver's layout wins, then the PTX's; C types are used where they
 * agree with it, and dropped where they do not.
 *
 * @returns undefined when nothing tells the layout
 */
export function parameterSlots(
  entry: KernelEntry,
  driverLayout: readonly ParameterLayout[] | undefined,
): Slot[] | undefined {
  const layout = driverLayout ?? entry.layout ?? layoutOfTypes(entry.parameters);
  if (!layout) return undefined;
  const parameters = entry.parameters?.length === layout.length ? entry.parameters : undefined;
  return layout.map(({ offset, size }, index) => {
    const parameter = parameters?.[index];
    const scalar = entry.layout?.[index]?.scalar;
    return {
      kernel: entry.base,
      index,
      name: parameter?.name,
      type: parameter && agreeing(parameter.type, size, scalar),
      byteOffset: offset,
      byteLength: size,
    };
  });
}

function agreeing(type: Parameter['type'], size: number, scalar: string | undefined): Parameter['type'] | undefined {
  if (type.kind !== 'named') return type.size === size ? type : undefined;
  if (scalar === undefined || size === 8) return type;
  // PTX passes a struct as bytes: a named type in a register is an enum or a typedef of a number.
  return { ...type, kind: scalar.startsWith('f') ? 'float' : 'int', size, signed: true };
}

function layoutOfTypes(parameters: readonly Parameter[] | undefined): ParameterLayout[] | undefined {
  if (!parameters) return undefined;
  let end = 0;
  const layout: ParameterLayout[] = [];
  for (const { type } of parameters) {
    if (type.size === undefined || type.align === undefined) return undefined;
    const offset = Math.ceil(end / type.align) * type.align;
    layout.push({ offset, size: type.size });
    end = offset + type.size;
  }
  return layout;
}
