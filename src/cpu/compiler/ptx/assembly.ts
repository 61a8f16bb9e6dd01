import { KernelError } from '../kernel-error.ts';
import { readDebugInfo } from '../ir/debug-info.ts';
import { readAssembly, type AssemblyCall } from './assembly-call.ts';
import { writeFunction, type StatementFunction } from './function.ts';
import { PtxError } from './ptx-error.ts';

/** A module whose inline PTX has become functions. */
export interface Translated {
  readonly text: string;
  /** Whether it names functions of the library of PTX. */
  readonly isLinked: boolean;
}

/** The carry flag of the worker's running thread, where it lives from one statement to the next. */
const CARRY = '@__rt_carry';

/**
 * Replace each statement of inline PTX by a call of a function that is made for it and does the same. The function is
 * inlined, so that its variables become values.
 */
export function translateAssembly(text: string): Translated {
  if (!text.includes(' asm ')) return { text, isLinked: false };
  const lines = text.split('\n');
  const calls = lines.map(readAssembly);
  if (calls.every((call) => call === undefined)) return { text, isLinked: false };
  const write = (carry: string | undefined): Made => functionsOf(calls, lines, carry);
  let made = write(undefined);
  // A carry from one statement to another is in memory, which costs a store in each.
  if (made.functions.some(({ wantsCarry }) => wantsCarry)) made = write(CARRY);
  return { text: replaced(lines, calls, made), isLinked: true };
}

interface Made {
  readonly functions: readonly StatementFunction[];
  /** The function of each line. */
  readonly names: readonly (string | undefined)[];
}

function functionsOf(
  calls: readonly (AssemblyCall | undefined)[],
  lines: readonly string[],
  carry: string | undefined,
): Made {
  const known = new Map<string, StatementFunction>();
  const names = calls.map((call) => {
    if (!call) return undefined;
    const types = call.arguments.map(({ type, value }, i) => (isFixed(call, i) ? `${type} ${value}` : type));
    const key = JSON.stringify([call.template, call.type, call.letters, call.outputs, call.inputs, types]);
    let own = known.get(key);
    if (!own) {
      try {
        own = writeFunction(`__rk_ptx_${known.size}`, call, lines, carry);
      } catch (error) {
        if (!(error instanceof PtxError)) throw error;
        const place = readDebugInfo(lines).placeOf(call.debug);
        throw new KernelError(error.message, place?.line ?? 0, place);
      }
      known.set(key, own);
    }
    return own.name;
  });
  return { functions: [...known.values()], names };
}

/** Whether an argument's value is a part of the statement. */
function isFixed({ inputs }: AssemblyCall, i: number): boolean {
  return /^[ni]$/.test(inputs[i] ?? '');
}

function replaced(lines: readonly string[], calls: readonly (AssemblyCall | undefined)[], made: Made): string {
  const out = lines.map((line, i) => {
    const [call, name] = [calls[i], made.names[i]];
    if (!call || name === undefined) return line;
    const args = call.arguments.flatMap(({ type, value }, j) => (isFixed(call, j) ? [] : [`${type} ${value}`]));
    const target = call.result === undefined ? '' : `${call.result} = `;
    return `${call.indent}${target}call ${call.type} @${name}(${args.join(', ')})${call.rest}`;
  });
  const declared = new Set(lines.flatMap((line) => /^(?:declare|define) .*@(__\w+)\(/.exec(line)?.[1] ?? []));
  const wanted = new Map(made.functions.flatMap(({ called }) => [...called]));
  const carries = made.functions.some(({ text }) => text.includes(CARRY));
  return [
    ...out,
    ...(carries ? [`${CARRY} = external global i32, align 4`] : []),
    ...made.functions.map(({ text }) => text),
    ...[...wanted].flatMap(([name, line]) => (declared.has(name) ? [] : [withFacts(name, line)])),
  ].join('\n');
}

/** What the splitter replaces depends on nothing in memory. */
function withFacts(name: string, line: string): string {
  return name.startsWith('__rt_id_') ? `${line} nounwind willreturn memory(none)` : `${line} nounwind`;
}
