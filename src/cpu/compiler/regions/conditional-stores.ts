import { accessOf, incomingOf, resultType, storeOf, type Instruction } from '../ir/instruction.ts';
import type { Block, Body } from '../ir/body.ts';
import { FreshNames } from '../ir/fresh-names.ts';

/** The most instructions that all threads run where some had to. */
const MOST = 8;
const PURE = new Set('add sub mul shl lshr ashr and or xor sext zext trunc icmp fcmp select fadd fsub fmul'.split(' '));
const SIMPLE = /^(?:load|store) (?!atomic|volatile)/;

/** A block that some threads run on their way from one block to the next. */
interface Detour {
  readonly from: Block;
  readonly on: Block;
  readonly to: Block;
  readonly condition: string;
  /** Whether the threads go there for which the condition holds. */
  readonly holds: boolean;
  /** What was read where the stores write, by address. */
  readonly before: ReadonlyMap<string, string>;
}

/**
 * Make stores under a condition stores of a selection: of the new value, or of what the thread has read there before.
 * Threads of a sorting network (`if (a > b) { s[i] = b; s[j] = a; }`) take either way as often, and a processor guesses
 * the way wrong half of the time.
 *
 * Only memory of a block counts: one worker runs all its threads, so that nothing is written between the read and the
 * store. For the same reason such a store has its place in the order of threads.
 *
 * @param isOfBlock - whether an address points to memory that the threads of one block share
 */
export function withSelections(body: Body, isOfBlock: (pointer: string) => boolean): Body {
  const blocks = new Map(body.blocks.map((block) => [block.name, block]));
  const entries = new Map<string, number>();
  for (const { successors } of body.blocks)
    for (const name of successors) entries.set(name, (entries.get(name) ?? 0) + 1);
  const names = new FreshNames([
    ...body.parameters,
    ...body.blocks.flatMap(({ instructions }) => instructions.map(({ result }) => result)),
  ]);
  for (const { name } of body.blocks) {
    for (;;) {
      const from = blocks.get(name);
      const detour = from && detourOf(from, blocks, entries, isOfBlock);
      if (!detour) break;
      straighten(blocks, detour, names);
      entries.set(detour.to.name, (entries.get(detour.to.name) ?? 0) - 1);
    }
  }
  return blocks.size === body.blocks.length ? body : { ...body, blocks: [...blocks.values()] };
}

function detourOf(
  from: Block,
  blocks: ReadonlyMap<string, Block>,
  entries: ReadonlyMap<string, number>,
  isOfBlock: (pointer: string) => boolean,
): Detour | undefined {
  const branch = from.instructions.at(-1)?.text ?? '';
  const [, condition, first = '', second = ''] = /^br i1 (\S+), label %(b\w+), label %(b\w+)/.exec(branch) ?? [];
  if (condition === undefined || first === second) return undefined;
  for (const holds of [true, false]) {
    const on = blocks.get(holds ? first : second);
    const to = blocks.get(holds ? second : first);
    if (!on || !to || entries.get(on.name) !== 1 || on.successors.length !== 1 || on.successors[0] !== to.name)
      continue;
    const before = on === from || to === from ? undefined : readBefore(from, on, isOfBlock);
    if (before) return { from, on, to, condition, holds, before };
  }
  return undefined;
}

/** The values that a block has read where the next one writes; undefined if that does anything but write there. */
function readBefore(
  from: Block,
  on: Block,
  isOfBlock: (pointer: string) => boolean,
): ReadonlyMap<string, string> | undefined {
  const instructions = on.instructions.slice(0, -1);
  if (instructions.length > MOST) return undefined;
  const before = new Map<string, string>();
  for (const one of instructions) {
    if (PURE.has(one.op)) continue;
    const access = accessOf(one);
    if (access?.kind !== 'write' || !SIMPLE.test(one.text) || !isOfBlock(access.pointer)) return undefined;
    const read = lastRead(from, access.pointer, access.type);
    if (read === undefined) return undefined;
    before.set(access.pointer, read);
  }
  return before.size > 0 ? before : undefined;
}

/** The value that a block reads from an address after everything that may write. */
function lastRead({ instructions }: Block, pointer: string, type: string): string | undefined {
  for (const one of [...instructions].reverse()) {
    if (['store', 'call', 'atomicrmw', 'cmpxchg', 'fence'].includes(one.op)) return undefined;
    const access = accessOf(one);
    if (access?.pointer === pointer && access.type === type && SIMPLE.test(one.text)) return one.result;
  }
  return undefined;
}

/** Put what some threads do on their detour on the way of all. */
function straighten(
  blocks: Map<string, Block>,
  { from, on, to, condition, holds, before }: Detour,
  names: FreshNames,
): void {
  const straight: Instruction[] = from.instructions.slice(0, -1);
  const select = (type: string, there: string, past: string, debug: number | undefined): string => {
    const result = names.next();
    const [yes, no] = holds ? [there, past] : [past, there];
    const text = `select i1 ${condition}, ${type} ${yes}, ${type} ${no}`;
    straight.push({ result, op: 'select', text, uses: valuesOf([condition, yes, no]), debug });
    return result;
  };
  for (const one of on.instructions.slice(0, -1)) {
    const access = accessOf(one);
    if (!access) {
      straight.push(one);
      continue;
    }
    const { type, pointer } = access;
    const { value, tail } = storeOf(one, access);
    const selected = select(type, value, before.get(pointer) ?? '', one.debug);
    const text = `store ${type} ${selected}, ptr ${pointer}${tail}`;
    straight.push({ ...one, text, uses: valuesOf([selected, pointer]), isOrdered: true });
  }
  const meet = (phi: Instruction): Instruction => {
    const incoming = incomingOf(phi);
    const comes = (block: Block): string => incoming.find((one) => one.block === block.name)?.value ?? '';
    const type = resultType(phi);
    const value = comes(on) === comes(from) ? comes(on) : select(type, comes(on), comes(from), phi.debug);
    const others = incoming.filter(({ block }) => block !== on.name && block !== from.name);
    const all = [...others, { value, block: from.name }];
    const text = `phi ${type} ${all.map((one) => `[ ${one.value}, %${one.block} ]`).join(', ')}`;
    return { ...phi, text, uses: valuesOf(all.map((one) => one.value)) };
  };
  const met = to.instructions.map((one) => (one.op === 'phi' ? meet(one) : one));
  const debug = on.instructions.at(-1)?.debug;
  straight.push({ result: undefined, op: 'br', text: `br label %${to.name}`, uses: [], debug });
  blocks.delete(on.name);
  blocks.set(from.name, { ...from, instructions: straight, successors: [to.name] });
  blocks.set(to.name, { ...to, instructions: met });
}

function valuesOf(operands: readonly string[]): string[] {
  return [...new Set(operands.filter((operand) => operand.startsWith('%')))];
}
