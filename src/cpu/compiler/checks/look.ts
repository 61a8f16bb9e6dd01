import { calleeOf, type Instruction } from '../ir/instruction.ts';
import { closing, splitList, takeType } from '../ir/text.ts';

/** The check before an access, as it is in the instrumented code. */
export interface Look {
  readonly what: 'bounds' | 'inside' | 'dynamic' | 'memory' | 'variable' | 'shared' | 'dynamic_shared';
  readonly pointer: string;
  /** The variable that it must stay inside of, and its size. */
  readonly base: string | undefined;
  readonly bytes: string | undefined;
  readonly size: number;
  readonly align: number;
  readonly site: number;
  /** The effect of the access: bits of `Does`; 0 where only bounds are checked. */
  readonly does: number;
  /** The values that say which bytes a launch knows behind the pointer: first, count, and whether it writes none of them. */
  readonly range: readonly string[] | undefined;
}

const LOOK = /^__rk_(bounds|inside|dynamic|memory|variable|shared|dynamic_shared)(_in)?$/;
const RANGE_VALUES = 3;
const WITH_BASE = new Set(['inside', 'variable', 'shared']);

/** The check that a call makes; undefined for other instructions. */
export function lookOf(one: Instruction): Look | undefined {
  const [, name, within] = LOOK.exec(calleeOf(one) ?? '') ?? [];
  if (name === undefined) return undefined;
  const what = name as Look['what'];
  const args = argumentsOf(one);
  const pointer = args[0] ?? '';
  const [base, bytes] = WITH_BASE.has(what) ? args.slice(1, 3) : [];
  const [size = 0, align = 0, site = 0, does = 0] = args.slice(base === undefined ? 1 : 3).map(Number);
  const range = within === undefined ? undefined : args.slice(-RANGE_VALUES);
  const isNoted = what !== 'bounds' && !Number.isNaN(does);
  return { what, pointer, base, bytes, size, align, site, does: isNoted ? does : 0, range };
}

/** The operands of a call. */
export function argumentsOf({ text }: Instruction): string[] {
  const open = text.indexOf('(', text.indexOf('@'));
  return splitList(text.slice(open + 1, closing(text, open) - 1)).map((part) => takeType(part).rest);
}

/** Whether a call is a check other than of an access. */
export function isQuestion(one: Instruction): boolean {
  return /^__rk_(?:unset|undefined)$/.test(calleeOf(one) ?? '');
}
