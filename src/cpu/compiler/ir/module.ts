import { closing, IrError, NAME, splitList, takeType } from './text.ts';
import { layoutOf, type TypeNames } from './value-type.ts';

/** A function's definition in the text of a module. */
export interface IrFunction {
  /** With its quotes, if it has any. */
  readonly name: string;
  /** The line that begins with `define`. */
  readonly head: string;
  /** Lines between the braces. */
  readonly body: readonly string[];
  /** Index of the head's line, and of the line with the closing brace. */
  readonly start: number;
  readonly end: number;
  /** Symbols that calls name. */
  readonly calls: ReadonlySet<string>;
  /** A call through a pointer. */
  readonly indirect: boolean;
}

/** A parameter of a function. */
export interface IrParameter {
  readonly type: string;
  /** `%4`; numbered by its place where the text has no name. */
  readonly name: string;
  /** The type behind the pointer, for an aggregate passed by value. */
  readonly byval: string | undefined;
  readonly size: number;
  readonly align: number;
}

/** A module as text, with its functions and types found. */
export interface IrModule {
  readonly lines: readonly string[];
  readonly functions: readonly IrFunction[];
  readonly types: TypeNames;
}

const SYMBOL_CALL = new RegExp(`@(${NAME})\\(`, 'g');
const DEFINED = new RegExp(`@(${NAME})\\(`);
const TYPE_LINE = new RegExp(`^(%(?:${NAME})) = type (.*)$`);
const LABEL = new RegExp(`^(?:${NAME}):`);
const INDIRECT = new RegExp(`\\bcall\\b[^@(]* %(?:${NAME})\\(`);

/** Read a module as clang prints it. */
export function parseModule(text: string | readonly string[]): IrModule {
  const lines = typeof text === 'string' ? text.split('\n') : text;
  const types = new Map<string, string>();
  const functions: IrFunction[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.startsWith('%')) {
      const match = TYPE_LINE.exec(line);
      if (match) types.set(match[1] ?? '', match[2] ?? '');
    } else if (line.startsWith('define ')) {
      const end = lines.indexOf('}', i);
      if (end < 0) throw new IrError('a function without an end');
      functions.push(readFunction(lines, i, end));
      i = end;
    }
  }
  return { lines, functions, types };
}

/**
 * A module's lines after an edit.
 *
 * @param onFunction - gives the replacement of a definition
 * @param onLine - gives the replacement of a line outside of definitions. Default: the line
 */
export function editModule(
  { lines, functions }: IrModule,
  onFunction: (fn: IrFunction) => readonly string[],
  onLine: (line: string) => readonly string[] = (line) => [line],
): string[] {
  const out: string[] = [];
  // One by one: a long list of arguments overflows the stack.
  const add = (some: readonly string[]): void => {
    for (const line of some) out.push(line);
  };
  let next = 0;
  for (const fn of functions) {
    for (; next < fn.start; next++) add(onLine(lines[next] ?? ''));
    add(onFunction(fn));
    next = fn.end + 1;
  }
  for (; next < lines.length; next++) add(onLine(lines[next] ?? ''));
  return out;
}

/** A body with lines at its start, behind the label of its first block. */
export function atStart(body: readonly string[], added: readonly string[]): string[] {
  const labels = LABEL.test(body[0] ?? '') ? 1 : 0;
  return [...body.slice(0, labels), ...added, ...body.slice(labels)];
}

/** The head of a definition in three parts: before its list of parameters, the list, behind it. */
export function splitHead({ name, head }: IrFunction): { before: string; list: string[]; behind: string } {
  const open = head.indexOf(`@${name}(`) + name.length + 1;
  const end = closing(head, open);
  return { before: head.slice(0, open), list: splitList(head.slice(open + 1, end - 1)), behind: head.slice(end) };
}

/** The parameters of a function's definition. */
export function parametersOf(fn: IrFunction, types: TypeNames): IrParameter[] {
  return splitHead(fn).list.map((text, i) => {
    const { type } = takeType(text);
    const byvalAt = text.indexOf('byval(');
    const byval = byvalAt < 0 ? undefined : text.slice(byvalAt + 6, closing(text, byvalAt + 5) - 1);
    const layout = layoutOf(byval ?? type, types);
    const given = Number(/\balign (\d+)/.exec(text)?.[1] ?? 1);
    const align = byval === undefined ? layout.align : Math.max(layout.align, given);
    return { type, name: new RegExp(`%(?:${NAME})$`).exec(text)?.[0] ?? `%${i}`, byval, size: layout.size, align };
  });
}

/** The functions that reach one of `targets` by calls, by way of functions of the module. */
export function reaching(functions: readonly IrFunction[], targets: ReadonlySet<string>): Set<string> {
  const callers = new Map<string, string[]>();
  for (const { name, calls } of functions) {
    for (const callee of calls) callers.set(callee, [...(callers.get(callee) ?? []), name]);
  }
  const found = new Set<string>();
  const queue = [...targets];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const caller of callers.get(next) ?? []) {
      if (found.has(caller)) continue;
      found.add(caller);
      queue.push(caller);
    }
  }
  return found;
}

function readFunction(lines: readonly string[], start: number, end: number): IrFunction {
  const head = lines[start] ?? '';
  const body = lines.slice(start + 1, end);
  const calls = new Set<string>();
  let indirect = false;
  for (const line of body) {
    if (!line.includes('call ')) continue;
    for (const match of line.matchAll(SYMBOL_CALL)) calls.add(match[1] ?? '');
    indirect ||= INDIRECT.test(line);
  }
  return { name: DEFINED.exec(head)?.[1] ?? '', head, body, start, end, calls, indirect };
}
