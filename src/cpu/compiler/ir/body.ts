import { labelsOf, readInstruction, type Instruction } from './instruction.ts';
import { IrError, NAME } from './text.ts';
import type { IrFunction, IrParameter } from './module.ts';
import type { TypeNames } from './value-type.ts';

/** A basic block; its name is `b3`. */
export interface Block {
  readonly name: string;
  readonly instructions: readonly Instruction[];
  readonly successors: readonly string[];
}

/** A function's inside, with every value named `%v…` and every block `b…`. */
export interface Body {
  readonly blocks: readonly Block[];
  /** The names that the parameters have here. */
  readonly parameters: readonly string[];
}

const LABEL = new RegExp(`^(${NAME}):`);
const RESULT = new RegExp(`^\\s+(%(?:${NAME})) = `);
const LOCAL = new RegExp(`%(?:${NAME})`, 'g');

/** Read a function's blocks. */
export function readBody(fn: IrFunction, parameters: readonly IrParameter[], types: TypeNames): Body {
  const lines = joinSwitches(fn.body);
  const names = nameLocals(lines, parameters);
  const rename = (token: string): string => {
    const own = names.get(unquoted(token));
    if (own === undefined && !types.has(token)) throw new IrError(`unknown name ${token}`);
    return own ?? token;
  };
  const blocks: Block[] = [];
  let instructions: Instruction[] = [];
  let name = 'b0';
  const close = (): void => {
    const last = instructions.at(-1);
    if (last) blocks.push({ name, instructions, successors: labelsOf(last) });
    instructions = [];
  };
  for (const line of lines) {
    const label = LABEL.exec(line)?.[1];
    if (label !== undefined) {
      close();
      name = (names.get(`%${unquoted(label)}`) ?? '').slice(1);
    } else instructions.push(readLine(line.trim(), rename));
  }
  close();
  return { blocks, parameters: parameters.map((parameter) => rename(parameter.name)) };
}

function readLine(line: string, rename: (token: string) => string): Instruction {
  try {
    return readInstruction(line.replace(LOCAL, rename));
  } catch (error) {
    const debug = /!dbg !(\d+)/.exec(line)?.[1];
    throw error instanceof IrError && debug !== undefined ? new IrError(error.message, Number(debug)) : error;
  }
}

/** Values become `%v…`, labels `%b…`; the first block may have no label, only a number. */
function nameLocals(lines: readonly string[], parameters: readonly IrParameter[]): Map<string, string> {
  const names = new Map<string, string>();
  let values = 0;
  let blocks = 0;
  for (const { name } of parameters) names.set(unquoted(name), `%v${values++}`);
  if (!LABEL.test(lines[0] ?? '')) {
    const unnamed = parameters.filter(({ name }) => /^%\d+$/.test(name)).length;
    names.set(`%${unnamed}`, `%b${blocks++}`);
  }
  for (const line of lines) {
    const label = LABEL.exec(line)?.[1];
    const result = RESULT.exec(line)?.[1];
    if (label !== undefined) names.set(`%${unquoted(label)}`, `%b${blocks++}`);
    else if (result !== undefined) names.set(unquoted(result), `%v${values++}`);
  }
  return names;
}

/** Lines with one instruction or label each: a switch has its cases on lines of their own. */
function joinSwitches(body: readonly string[]): string[] {
  const lines: string[] = [];
  let open = false;
  for (const line of body) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith(';') || bare.startsWith('#dbg_')) continue;
    if (open) lines.push(`${lines.pop() ?? ''} ${bare}`);
    else lines.push(line);
    if (open) open = !bare.startsWith(']');
    else open = bare.startsWith('switch ') && !bare.includes(']');
  }
  return lines;
}

function unquoted(name: string): string {
  return name.replace(/"/g, '');
}
