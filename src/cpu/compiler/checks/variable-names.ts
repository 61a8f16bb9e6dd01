import { NAME } from '../ir/text.ts';
import { editModule, parseModule, type IrFunction } from '../ir/module.ts';

/** The prefix of the name of a stack slot for a variable of the source: `%var.sum.7`. */
const PREFIX = 'var.';
const DECLARED = new RegExp(`^\\s+#dbg_declare\\(ptr (%(?:${NAME})), !(\\d+),`);
const SLOT = new RegExp(`^\\s+(%(?:${NAME})) = alloca `);
const VARIABLE = /^!(\d+) = (?:distinct )?!DILocalVariable\((.*)\)$/;
const LOCAL = new RegExp(`%(?:${NAME})`, 'g');

/**
 * Rename stack slots to their variables' names in the source, from clang's debug information. The names last as long as
 * the slots. The debug records are removed, so that later steps need not handle them.
 */
export function nameVariables(text: string): string[] {
  const module = parseModule(text);
  const names = new Map<number, string>();
  for (const line of module.lines) {
    const match = line.startsWith('!') ? VARIABLE.exec(line) : undefined;
    const name = /\bname: "(\w+)"/.exec(match?.[2] ?? '')?.[1];
    if (match && name !== undefined) names.set(Number(match[1]), name);
  }
  return editModule(module, (fn) => [fn.head, ...renamed(fn, names), '}']);
}

function renamed({ body }: IrFunction, names: ReadonlyMap<number, string>): readonly string[] {
  // An aggregate that a caller passes has no slot of its own.
  const own = new Set(body.map((line) => SLOT.exec(line)?.[1]).filter((slot) => slot !== undefined));
  const slots = new Map<string, string>();
  for (const line of body) {
    const [, slot = '', variable] = line.includes('#dbg_') ? (DECLARED.exec(line) ?? []) : [];
    const name = names.get(Number(variable));
    if (name !== undefined && own.has(slot)) slots.set(slot, `%${PREFIX}${name}.${slots.size}`);
  }
  const kept = body.filter((line) => !/^\s+#dbg_/.test(line));
  return slots.size === 0 ? kept : kept.map((line) => line.replace(LOCAL, (slot) => slots.get(slot) ?? slot));
}

/** The variable of a stack slot, even if the optimiser has extended its name; undefined for a slot without one. */
export function variableOf(slot: string): string | undefined {
  return /^%"?var\.(\w+)\.\d+/.exec(slot)?.[1];
}
