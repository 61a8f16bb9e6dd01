import type { CpuReference, CpuVariable } from '../../abi/program.ts';
import { IrError, NAME, takeType } from '../ir/text.ts';
import type { IrModule } from '../ir/module.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';
import type { Annotation } from './annotations.ts';
import { readReference, referenceLine } from './references.ts';

/** Variables that name expressions are read from. */
export const NAME_VARIABLE = '__rawkernel_name_';

/**
 * Rename the runtime library's variables. Otherwise the first stage would link their definitions, see no write to them
 * and take them for constants: the scheduler writes to them, but is only linked in the second stage.
 */
export function hideLibraryVariables(text: string): string {
  const names = [...text.matchAll(/^@__rt_(\w+) = external thread_local/gm)].map(([, name = '']) => name);
  return names.length === 0 ? text : text.replace(new RegExp(`@__rt_(?=(?:${names.join('|')})\\b)`, 'g'), HIDDEN);
}

/** The reverse of {@link hideLibraryVariables}. */
export function showLibraryVariables(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(HIDDEN, '@__rt_'));
}

const HIDDEN = '@__rk_hidden_';

/** A module's variables, sorted by their use on the device. */
export interface Globals {
  /** The lines of the module, edited. */
  readonly lines: ReadonlyMap<string, string>;
  /** `__shared__` variables with their sizes. */
  readonly shared: ReadonlyMap<string, number>;
  /** `extern __shared__` arrays: all of them name the same memory. */
  readonly dynamic: ReadonlySet<string>;
  readonly variables: readonly CpuVariable[];
  readonly references: readonly CpuReference[];
  /** Symbols of the name expressions, by their number. */
  readonly lowered: ReadonlyMap<number, string>;
}

const GLOBAL = new RegExp(`^@(${NAME}) = (.*)$`);
const LOWERED = new RegExp(`global ptr @(${NAME})`);
// A symbol that other modules may define too would become an import.
const MERGED = /^(?:(?:linkonce_odr|linkonce|weak_odr|weak|hidden|protected|dso_local) )+/;
const SPECIAL = new Set(['llvm.global.annotations', 'llvm.used', 'llvm.compiler.used']);

/** Sort and edit the lines of a module that define variables. */
export function readGlobals(module: IrModule, annotations: readonly Annotation[]): Globals {
  const named = (kind: string): Set<string> =>
    new Set(annotations.filter((annotation) => annotation.kind === kind).map(({ symbol }) => symbol));
  const sharedNames = named('shared');
  const constants = named('constant');
  const managed = named('managed');
  const lines = new Map<string, string>();
  const shared = new Map<string, number>();
  const dynamic = new Set<string>();
  const variables: CpuVariable[] = [];
  const references: CpuReference[] = [];
  const lowered = new Map<number, string>();
  for (const line of module.lines) {
    const match = line.startsWith('@') ? GLOBAL.exec(line) : undefined;
    if (!match) continue;
    const [, name = '', rest = ''] = match;
    const content = rest.replace(/, comdat(?:\([^)]*\))?/, '');
    const { kind, type, value } = readContent(content);
    const reference = readReference(name, type, module.types);
    if (SPECIAL.has(name)) lines.set(line, '');
    else if (reference) {
      lines.set(line, referenceLine(name, type, references.length, module.types));
      references.push(reference);
    } else if (name.startsWith(NAME_VARIABLE)) {
      lowered.set(Number(name.slice(NAME_VARIABLE.length)), LOWERED.exec(content)?.[1] ?? '');
      lines.set(line, '');
    } else if (sharedNames.has(name)) {
      if (!/^(?:undef|zeroinitializer|poison)\b/.test(value))
        throw new IrError(`__shared__ variable ${name} has an initial value`);
      shared.set(name, sizeOf(type, module.types));
      const tail = value.replace(/^\w+/, 'zeroinitializer');
      lines.set(line, `@${name} = hidden thread_local(localexec) global ${type} ${tail}`);
    } else if (/^external .*\bglobal \[0 x /.test(content)) {
      dynamic.add(name);
      lines.set(line, '');
    } else if (name.startsWith('__rt_') && content.startsWith('external ')) {
      lines.set(line, `@${name} = external thread_local(localexec) global ${type}${value}`);
    } else if (content.includes('externally_initialized') && kind !== undefined) {
      const own = { symbol: name, byteLength: sizeOf(type, module.types), constant: constants.has(name) };
      variables.push(managed.has(name) ? { ...own, managed: true } : own);
      // Hidden: the linker takes the address of any other symbol, in a variable's first value, for that of an import.
      lines.set(line, `@${name} = hidden externally_initialized ${kind} ${type} ${value}`);
    } else lines.set(line, `@${name} = ${content.replace(MERGED, 'internal ')}`);
  }
  return { lines, shared, dynamic, variables, references, lowered };
}

/** `external global i32, align 4` → kind, type, rest. */
export function readContent(content: string): { kind: string | undefined; type: string; value: string } {
  const match = /^(?:.*? )?(global|constant) (.*)$/.exec(content);
  if (!match) return { kind: undefined, type: '', value: '' };
  const { type, rest } = takeType(match[2] ?? '');
  return { kind: match[1], type, value: rest };
}

function sizeOf(type: string, types: TypeNames): number {
  return layoutOf(type, types).size;
}
