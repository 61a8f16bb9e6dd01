import type { AssemblyCall } from './assembly-call.ts';
import { parseTemplate } from './parser.ts';
import { PtxError } from './ptx-error.ts';
import { writeStatements } from './statement-writer.ts';
import { typeOf, type PtxType } from './ptx-type.ts';
import { Writer, type Register } from './writer.ts';

/** The function that stands for a statement. */
export interface StatementFunction {
  readonly name: string;
  readonly text: string;
  /** Functions of the library and of the splitter, with their declarations. */
  readonly called: ReadonlyMap<string, string>;
  /** Whether it reads a carry flag that it has not written. */
  readonly wantsCarry: boolean;
}

/** The types of registers by their letters (Inline PTX Assembly in CUDA, Constraints). */
const LETTERS: Readonly<Record<string, string>> = { h: 'u16', r: 'u32', l: 'u64', f: 'f32', d: 'f64' };

/**
 * Write the function of a statement.
 *
 * @param lines - of the module, in which the text of a constraint C is
 * @param carry - where the carry flag is; a variable of the function by default
 */
export function writeFunction(
  name: string,
  call: AssemblyCall,
  lines: readonly string[],
  carry: string | undefined,
): StatementFunction {
  const writer = new Writer(carry ?? '%carry');
  const { registers, constants, start } = operandsOf(writer, call);
  writer.take(registers, constants);
  writeStatements(writer, parseTemplate(withTexts(call, lines)));
  finish(writer, call.type, registers.slice(0, call.results.length));
  const parameters = call.arguments.flatMap(({ type }, i) =>
    /^[ni]$/.test(call.inputs[i] ?? '') ? [] : [`${type} %a${i}`],
  );
  const text = [
    `define internal ${call.type} @${name}(${parameters.join(', ')}) alwaysinline nounwind {`,
    ...(carry === undefined ? ['  %carry = alloca i32', '  store i32 0, ptr %carry'] : []),
    ...writer.variables,
    ...start,
    ...writer.lines,
    '}',
  ].join('\n');
  return { name, text, called: writer.called, wantsCarry: writer.wantsCarry };
}

function operandsOf(
  writer: Writer,
  call: AssemblyCall,
): { registers: Register[]; constants: Map<number, bigint>; start: string[] } {
  const { outputs, inputs, letters, results } = call;
  const constants = new Map<number, bigint>();
  const start: string[] = [];
  const registers = outputs.map((constraint, i) => {
    if (constraint.includes('*'))
      throw new PtxError(`operand %${i} must be in a register, got constraint '${constraint}'`);
    return registerOf(writer, i, results[i] ?? '', letters[i]);
  });
  for (const [i, { type, value }] of call.arguments.entries()) {
    const number = outputs.length + i;
    const constraint = inputs[i] ?? '';
    const tied = /^\d+$/.test(constraint) ? registers[Number(constraint)] : undefined;
    if (/^[ni]$/.test(constraint)) {
      if (/^-?\d+$/.test(value)) constants.set(number, BigInt(value));
      else if (/^(?:true|false)$/.test(value)) constants.set(number, value === 'true' ? 1n : 0n);
      registers.push({ slot: '', type: typeOf('b64'), ir: 'ptr', told: `%${number}` });
    } else {
      const register = tied ?? registerOf(writer, number, type, letters[number]);
      registers.push(register);
      start.push(`  store ${type} %a${i}, ptr ${register.slot}`);
    }
  }
  return { registers, constants, start };
}

function registerOf(writer: Writer, number: number, ir: string, letter: string | undefined): Register {
  const type = typeOf(LETTERS[letter ?? ''] ?? ofIr(ir, number));
  const own = ofIr(ir, number);
  if (typeOf(own).bits !== type.bits) {
    throw new PtxError(
      `asm operand %${number} has ${typeOf(own).bits} bits, which constraint '${letter ?? ''}' does not fit: ` +
        "'h' is for 16 bits, 'r' and 'f' for 32, 'l' and 'd' for 64",
    );
  }
  return { slot: writer.variable(ir), type: { ...type, ir } satisfies PtxType, ir, told: `%${number}` };
}

function ofIr(ir: string, number: number): string {
  if (ir === 'ptr') return 'u64';
  if (ir === 'float') return 'f32';
  if (ir === 'double') return 'f64';
  if (/^i(?:8|16|32|64)$/.test(ir)) return `u${ir.slice(1)}`;
  throw new PtxError(`asm operand %${number} must be a number or a pointer of 16, 32 or 64 bits, got ${ir}`);
}

function finish(writer: Writer, type: string, results: readonly Register[]): void {
  const values = results.map(({ ir, slot }) => writer.value(`load ${ir}, ptr ${slot}`));
  const [first] = values;
  if (first === undefined) writer.line('ret void');
  else if (!type.startsWith('{')) writer.line(`ret ${type} ${first}`);
  else {
    let whole = 'poison';
    for (const [i, value] of values.entries()) {
      whole = writer.value(`insertvalue ${type} ${whole}, ${results[i]?.ir ?? ''} ${value}, ${i}`);
    }
    writer.line(`ret ${type} ${whole}`);
  }
}

/** The template with the characters of its arguments with the constraint C in place. */
function withTexts({ template, letters, outputs, arguments: args }: AssemblyCall, lines: readonly string[]): string {
  if (!letters.includes('C')) return template;
  return template.replace(/\$(\$|\d+|\{\d+[^}]*\})/g, (all, which: string) => {
    const number = Number(/\d+/.exec(which)?.[0] ?? NaN);
    if (letters[number] !== 'C') return all;
    const symbol = /@("[^"]+"|[-\w.$]+)/.exec(args[number - outputs.length]?.value ?? '')?.[1] ?? '';
    const definition = lines.find((line) => line.startsWith(`@${symbol} = `)) ?? '';
    const text = / c"([^"]*)"/.exec(definition)?.[1];
    if (text === undefined)
      throw new PtxError(`operand %${number} with constraint 'C' must be a constant array of characters`);
    return text
      .replace(/\\([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/\0[^]*$/, '')
      .replace(/\$/g, '$$$$');
  });
}
