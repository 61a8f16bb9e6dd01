import type { Block, Body } from '../ir/body.ts';
import { accessOf, calleeOf, type Instruction } from '../ir/instruction.ts';
import { splitList } from '../ir/text.ts';
import { withPredecessors } from './cut.ts';

/** The most pauses: each one adds a region, and every region has a copy of the code after it. */
const MAX_PAUSES = 6;
const PRIVATE = 'private';
const UNKNOWN = '?';
const ELEMENT = /^getelementptr .*?, ptr (%v\d+|@"[^"]+"|@[-\w.$]+)/;
const CHECKED = /@__rk_\w+\(ptr (%v\d+|@"[^"]+"|@[-\w.$]+)/;

/**
 * Insert places at which a thread may stop after a read, so that other threads run before it continues: after reads of
 * memory that the kernel also writes. Where `__rt_pause` asks for it, the thread stops as at a barrier of its warp
 * whose mask names only itself.
 */
export function withPauses(body: Body): Body {
  const names = new Names(body);
  const definitions = new Map(
    body.blocks.flatMap(({ instructions }) => instructions.map((one) => [one.result ?? '', one] as const)),
  );
  const chosen = choose(body.blocks, definitions);
  const last = new Map<string, string>();
  const blocks = body.blocks.flatMap((block) => {
    const parts: Block[] = [];
    let { name } = block;
    let instructions: Instruction[] = [];
    for (const one of block.instructions) {
      instructions.push(one);
      if (!chosen.has(one)) continue;
      const [thread, lane, stops] = [names.value(), names.value(), names.value()];
      const number = names.block();
      const [stop, next] = [`${block.name}p${number}`, `${block.name}q${number}`];
      instructions.push(
        made('call', thread, 'call i32 @__rt_id_lin()', []),
        made('call', lane, `call i32 @__rt_pause(i32 ${thread})`, [thread]),
        made('icmp', stops, `icmp ne i32 ${lane}, 0`, [lane]),
        made('br', undefined, `br i1 ${stops}, label %${stop}, label %${next}`, [stops]),
      );
      const barrier = made('call', undefined, `call void @__rt_warp_barrier(i32 ${lane})`, [lane]);
      const away = [{ ...barrier, debug: one.debug }, made('br', undefined, `br label %${next}`, [])];
      parts.push({ name, instructions, successors: [stop, next] });
      parts.push({ name: stop, instructions: away, successors: [next] });
      name = next;
      instructions = [];
    }
    parts.push({ name, instructions, successors: block.successors });
    last.set(block.name, name);
    return parts;
  });
  return { ...body, blocks: blocks.map((block) => withPredecessors(block, last)) };
}

/** Reads of memory that is also written. Reads through an address that is also written through come first. */
function choose(blocks: readonly Block[], definitions: ReadonlyMap<string, Instruction>): ReadonlySet<Instruction> {
  const rootOf = (pointer: string): string => {
    for (let at = pointer, left = 64; left > 0; left--) {
      if (at.startsWith('@')) return at;
      const one = definitions.get(at);
      if (!one) return at;
      if (one.op === 'alloca') return PRIVATE;
      const base = ELEMENT.exec(one.text)?.[1] ?? CHECKED.exec(one.text)?.[1];
      if (base === undefined) return calleeOf(one)?.startsWith('__rt_id_') === true ? at : UNKNOWN;
      at = base;
    }
    return UNKNOWN;
  };
  const unchecked = (pointer: string): string => CHECKED.exec(definitions.get(pointer)?.text ?? '')?.[1] ?? pointer;
  const all = blocks.flatMap(({ instructions }) => instructions);
  const written = new Set<string>();
  const places = new Set<string>();
  for (const one of all) {
    if (one.op !== 'store') continue;
    const pointer = accessOf(one)?.pointer ?? '';
    written.add(rootOf(pointer));
    places.add(unchecked(pointer));
  }
  const reads = all.flatMap((one) => {
    if (one.op !== 'load' || one.text.startsWith('load atomic')) return [];
    const pointer = accessOf(one)?.pointer ?? '';
    const root = rootOf(pointer);
    if (root === PRIVATE || root.startsWith('@__r')) return [];
    if (root !== UNKNOWN && !written.has(root) && !written.has(UNKNOWN)) return [];
    return [{ one, here: places.has(unchecked(pointer)) }];
  });
  const sorted = [...reads.filter(({ here }) => here), ...reads.filter(({ here }) => !here)];
  return new Set(sorted.slice(0, MAX_PAUSES).map(({ one }) => one));
}

/** Whether a private array has a size that only the run tells. */
export function hasDynamicArray({ blocks }: Body): boolean {
  return blocks.some(({ instructions }) =>
    instructions.some(
      ({ op, text }) =>
        op === 'alloca' &&
        !splitList(text.slice('alloca'.length))
          .slice(1)
          .every((part) => /^(?:align \d+|!.*)$/.test(part)),
    ),
  );
}

function made(op: string, result: string | undefined, text: string, uses: readonly string[]): Instruction {
  return { op, result, text, uses: [...uses], debug: undefined };
}

/** Names that nothing has yet. */
class Names {
  #value: number;
  #block = 0;

  constructor({ blocks, parameters }: Body) {
    const texts = blocks.flatMap(({ instructions }) =>
      instructions.flatMap(({ result, text }) => [result ?? '', text]),
    );
    this.#value = 0;
    for (const text of [...parameters, ...texts]) {
      for (const [, number] of text.matchAll(/%v(\d+)/g)) this.#value = Math.max(this.#value, Number(number));
    }
  }

  value(): string {
    return `%v${++this.#value}`;
  }

  block(): number {
    return this.#block++;
  }
}
