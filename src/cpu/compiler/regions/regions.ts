import { commonName, commonParameters, commonPlace } from './common-slots.ts';
import { MASK, stateOf, type CutBlock } from './cut.ts';
import { accessOf, calleeOf, incomingOf, withValues, type Instruction } from '../ir/instruction.ts';
import { idOf, rootOf, writesMemory, type KernelPlan, type Slot } from './plan.ts';
import { blocksOf, startOf } from './region-graph.ts';
import { DISTANCE, type RowIndices } from './row-indices.ts';

/** The index parameters of a region, in this order. */
export const THREAD_IDS = ['tx', 'ty', 'tz', 'lin'] as const;
export const BLOCK_IDS = ['bx', 'by', 'bz', 'dx', 'dy', 'dz', 'gx', 'gy', 'gz'] as const;

/** The options that all regions of a program share. */
export interface RegionStyle {
  /** Metadata of memory accesses that are independent between threads; '' where they are not known to be. */
  readonly group: string;
  /** Store the indices where functions that are not inlined find them. */
  readonly spillIds: boolean;
  /** The checked mode's variable with the running thread. */
  readonly thread?: string | undefined;
  /** The threads whose end is reported to the checked mode: all, or only those that have written. */
  readonly left?: { readonly pointer: string; readonly always: boolean };
}

/** Whether the thread has written since its barrier. */
const WROTE = '%rt.wrote';

/** Where functions that are not inlined find a thread's indices. */
export const SPILLED_IDS = '__rk_ids';
export const SPILLED_DYNAMIC = '__rk_spilled_dynamic';

/**
 * The code of one region: from its barrier (0: from the start) to the next ones, for one thread.
 *
 * @param free - known conditions of the code; with it the function is named by {@link freeName}
 */
export function emitRegion(plan: KernelPlan, region: number, style: RegionStyle, free?: Free): string[] {
  return new RegionWriter(plan, region, style, free).write();
}

/** The known conditions of a region's free code. */
export interface Free {
  /** The values of some. */
  readonly assumed?: ReadonlyMap<string, boolean>;
  /** Conditions that are equal for all threads of a strip; this code gets the value of the first thread. */
  readonly settled?: ReadonlySet<string>;
  /** Indices that are computed for a whole row; this code gets the first thread and the distance to it. */
  readonly indices?: RowIndices;
}

/** The first thread of a strip: parameters of free code with settled conditions, besides its own thread. */
const STRIP_PARAMETERS: readonly string[] = ['i32 %rt.tx.a', 'i32 %rt.lin.a'];
const ROW_PARAMETERS: readonly string[] = [...STRIP_PARAMETERS, `i64 ${DISTANCE}`];

/** The suffixes of a region's function, and of its form with known conditions. */
export const regionName = (region: number): string => `region${region}`;
export const freeName = (region: number): string => `free${region}`;

/** The parameters of a region, as declared or as passed. */
export function regionParameters(plan: KernelPlan): string[] {
  return [
    ...plan.parameters.map(({ type, name }) => `${type} ${name}`),
    ...[...THREAD_IDS, ...BLOCK_IDS].map((id) => `i32 %rt.${id}`),
    'ptr %rt.dynamic',
    'ptr %rt.ctx',
    'i64 %rt.n',
  ];
}

class RegionWriter {
  readonly #plan: KernelPlan;
  readonly #region: number;
  readonly #style: RegionStyle;
  readonly #free: Free | undefined;
  readonly #blocks: readonly CutBlock[];
  readonly #predecessors = new Map<string, Set<string>>();
  readonly #out: string[] = [];
  /** Repeated values that were made for the first thread of the strip. */
  readonly #firsts = new Set<string>();
  #temporaries = 0;

  constructor(plan: KernelPlan, region: number, style: RegionStyle, free: Free | undefined) {
    this.#plan = plan;
    this.#region = region;
    this.#style = style;
    this.#free = free;
    this.#blocks = blocksOf(plan, region);
    for (const { name, barrier, successors } of this.#blocks) {
      if (barrier !== undefined) continue;
      for (const next of successors) {
        this.#predecessors.set(next, (this.#predecessors.get(next) ?? new Set()).add(name));
      }
    }
  }

  write(): string[] {
    const { symbol } = this.#plan;
    const start = startOf(this.#plan, this.#region);
    const name = (this.#free ? freeName : regionName)(this.#region);
    const head = [
      ...regionParameters(this.#plan),
      ...commonParameters(this.#plan, this.#region),
      ...(this.#free?.settled ? STRIP_PARAMETERS : []),
      ...(this.#free?.indices ? ROW_PARAMETERS : []),
    ].join(', ');
    this.#out.push(`define internal i32 @${part(symbol, name)}(${head}) alwaysinline nounwind {`, 'rt.entry:');
    this.#line('%rt.lin64 = zext i32 %rt.lin to i64');
    if (this.#style.thread !== undefined) this.#line(`store i32 %rt.lin, ptr ${this.#style.thread}`);
    if (this.#tellsWrites()) {
      this.#line(`${WROTE} = alloca i1`);
      this.#line(`store i1 false, ptr ${WROTE}`);
    }
    for (const value of this.#usedSlots()) this.#line(`${value}.slot = alloca ${this.#slot(value)?.type ?? ''}`);
    for (const [value, slot] of this.#plan.privates)
      this.#line(`${value} = getelementptr i8, ptr ${this.#address(slot)}, i64 0`);
    for (const line of this.#free?.indices?.entry ?? []) this.#line(line);
    for (const one of this.#repeated()) {
      if (this.#writeIndex(one)) continue;
      const known = this.#free?.assumed?.get(one.result ?? '');
      const settled = this.#free?.settled?.has(one.result ?? '') === true ? this.#ofFirst(one) : undefined;
      this.#line(
        `${one.result ?? ''} = ${settled ?? (known === undefined ? repeatedText(one) : `and i1 true, ${known}`)}`,
      );
    }
    if (this.#style.spillIds) this.#spill();
    if (this.#region > 0) this.#load(start);
    this.#line(`br label %${start}`);
    for (const block of this.#blocks) this.#block(block);
    this.#out.push('}');
    return this.#out;
  }

  #writeIndex({ result }: Instruction): boolean {
    const lines = this.#free?.indices?.made.get(result ?? '');
    for (const line of lines ?? []) this.#line(line);
    return lines !== undefined;
  }

  /** The text of a repeated instruction for the first thread of the strip, after the text of its operands. */
  #ofFirst(one: Instruction): string {
    const id = idOf(one);
    if (id === 'tx' || id === 'lin') return `add i32 %rt.${id}.a, 0`;
    if (id !== undefined) return repeatedText(one);
    return withValues(one.text, (value) => {
      const used = this.#plan.repeated.find(({ result }) => result === value);
      if (!used) return value;
      if (!this.#firsts.has(value)) {
        this.#firsts.add(value);
        this.#line(`${value}.a = ${this.#ofFirst(used)}`);
      }
      return `${value}.a`;
    });
  }

  /** The repeated instructions whose values this region needs. */
  #repeated(): readonly Instruction[] {
    const wanted = new Set(this.#blocks.flatMap(({ instructions }) => instructions.flatMap(({ uses }) => uses)));
    // In this order, each follows its operands.
    const found = this.#plan.repeated.toReversed().filter(({ result, uses }) => {
      if (result === undefined || !wanted.has(result)) return false;
      for (const use of uses) wanted.add(use);
      return true;
    });
    return found.reverse();
  }

  #block(block: CutBlock): void {
    this.#out.push(`${block.name}:`);
    const made = new Set<string>();
    const late: string[] = [];
    const keep = (value: string | undefined): string[] => {
      const slot = value === undefined ? undefined : this.#slot(value);
      if (value === undefined) return [];
      made.add(value);
      return slot ? [`store ${slot.type} ${value}, ptr ${value}.slot`] : [];
    };
    for (const [i, one] of block.instructions.entries()) {
      if (one.op === 'phi') {
        this.#phi(one, block);
        late.push(...keep(one.result));
        continue;
      }
      for (const line of late.splice(0)) this.#line(line);
      if (this.#isPrivate(one) || this.#writeIndex(one)) continue;
      const text = withValues(one.text, this.#reader(one, made));
      if (one.op === MASK) {
        if (!this.#plan.uniform) this.#mask(text);
        continue;
      }
      if (i === block.instructions.length - 1 && block.barrier === undefined) {
        this.#loadForPhis(block);
        if (one.op === 'ret') this.#tellLeft();
        this.#line(one.op === 'ret' ? 'ret i32 0' : text);
        return;
      }
      if (this.#tellsWrites() && writesMemory(this.#plan, one)) this.#line(`store i1 true, ptr ${WROTE}`);
      this.#line(
        `${one.result === undefined ? '' : `${one.result} = `}${this.#style.spillIds && one.op === 'call' ? withoutMemory(text) : text}${this.#group(one)}`,
      );
      for (const line of keep(one.result)) this.#line(line);
    }
    for (const line of late) this.#line(line);
    const { barriers } = this.#plan;
    if (block.barrier === undefined) return;
    this.#store(barriers[block.barrier - 1]?.next ?? '');
    this.#line(`ret i32 ${stateOf(barriers, block.barrier)}`);
  }

  /** Whether a write of a thread that ends here must be known. */
  #tellsWrites(): boolean {
    return this.#style.left?.always === false && this.#endsApart();
  }

  /** Some threads may end while others continue to a barrier. */
  #endsApart(): boolean {
    return (
      !this.#plan.uniform &&
      !this.#plan.strided &&
      this.#blocks.some(({ instructions }) => instructions.at(-1)?.op === 'ret')
    );
  }

  #tellLeft(): void {
    const { left } = this.#style;
    if (!left || !this.#endsApart()) return;
    if (left.always) {
      this.#line(`store i32 1, ptr ${left.pointer}`);
      return;
    }
    const [wrote, wide, known, both] = [this.#temporary(), this.#temporary(), this.#temporary(), this.#temporary()];
    this.#line(`${wrote} = load i1, ptr ${WROTE}`);
    this.#line(`${wide} = zext i1 ${wrote} to i32`);
    this.#line(`${known} = load i32, ptr ${left.pointer}`);
    this.#line(`${both} = or i32 ${known}, ${wide}`);
    this.#line(`store i32 ${both}, ptr ${left.pointer}`);
  }

  /** Loads the values that are kept, before the instruction that reads them. */
  #reader(one: Instruction, made: ReadonlySet<string>): (value: string) => string {
    const loaded = new Map<string, string>();
    for (const use of one.uses) {
      const slot = this.#slot(use);
      if (!slot || made.has(use)) continue;
      const name = this.#temporary();
      this.#line(`${name} = load ${slot.type}, ptr ${use}.slot`);
      loaded.set(use, name);
    }
    return (value) => loaded.get(value) ?? value;
  }

  #phi(one: Instruction, block: CutBlock): void {
    const type = /^phi (.*?) \[/.exec(one.text)?.[1] ?? '';
    const from = this.#predecessors.get(block.name);
    const incoming = incomingOf(one)
      .filter(({ block: name }) => from?.has(name))
      .map(({ value, block: name }) => `[ ${this.#slot(value) ? `${value}.from.${name}` : value}, %${name} ]`);
    this.#line(`${one.result ?? ''} = phi ${type} ${incoming.join(', ')}`);
  }

  /** The values for the phis of the next blocks. */
  #loadForPhis(block: CutBlock): void {
    const wanted = new Set(
      block.successors.flatMap((name) => [...(this.#plan.flows.get(name)?.edges.get(block.name) ?? [])]),
    );
    for (const value of wanted) {
      const slot = this.#slot(value);
      if (slot) this.#line(`${value}.from.${block.name} = load ${slot.type}, ptr ${value}.slot`);
    }
  }

  #load(block: string): void {
    for (const value of this.#plan.flows.get(block)?.live ?? []) {
      const slot = this.#slot(value);
      if (!slot) continue;
      if (this.#plan.common.has(value)) {
        this.#line(`store ${slot.type} ${commonName(value)}, ptr ${value}.slot`);
        continue;
      }
      const address = this.#address(slot);
      const loaded = this.#temporary();
      if (slot.type === 'i1') {
        const byte = this.#temporary();
        this.#line(`${byte} = load i8, ptr ${address}${this.#style.group}`);
        this.#line(`${loaded} = trunc i8 ${byte} to i1`);
      } else this.#line(`${loaded} = load ${slot.type}, ptr ${address}${this.#style.group}`);
      this.#line(`store ${slot.type} ${loaded}, ptr ${value}.slot`);
    }
  }

  #store(block: string): void {
    for (const value of this.#plan.flows.get(block)?.live ?? []) {
      const slot = this.#slot(value);
      if (!slot) continue;
      const loaded = this.#temporary();
      this.#line(`${loaded} = load ${slot.type}, ptr ${value}.slot`);
      if (this.#plan.common.has(value)) {
        this.#line(`store ${slot.type} ${loaded}, ptr ${commonPlace(value)}`);
        continue;
      }
      const address = this.#address(slot);
      if (slot.type === 'i1') {
        const byte = this.#temporary();
        this.#line(`${byte} = zext i1 ${loaded} to i8`);
        this.#line(`store i8 ${byte}, ptr ${address}${this.#style.group}`);
      } else this.#line(`store ${slot.type} ${loaded}, ptr ${address}${this.#style.group}`);
    }
  }

  #mask(mask: string): void {
    const address = this.#address({ offset: this.#plan.stateOffset + 4, size: 4 });
    this.#line(`store i32 ${mask}, ptr ${address}${this.#style.group}`);
  }

  #spill(): void {
    for (const [i, id] of [...THREAD_IDS, ...BLOCK_IDS].entries()) {
      const address = this.#temporary();
      this.#line(`${address} = getelementptr i32, ptr @${SPILLED_IDS}, i64 ${i}`);
      this.#line(`store i32 %rt.${id}, ptr ${address}`);
    }
    this.#line(`store ptr %rt.dynamic, ptr @${SPILLED_DYNAMIC}`);
  }

  /** A private array of the context needs neither its instruction nor the marks of its lifetime. */
  #isPrivate(one: Instruction): boolean {
    const { privates } = this.#plan;
    if (one.op === 'alloca') return one.result !== undefined && privates.has(one.result);
    return /^llvm\.lifetime\./.test(calleeOf(one) ?? '') && one.uses.some((use) => privates.has(use));
  }

  #group(one: Instruction): string {
    // The vectorizer would take marked loops with volatile accesses, and then fails in an assertion: docs/design/compiler.md.
    if (this.#style.group === '' || one.isOrdered === true || /^(?:load|store) volatile /.test(one.text)) return '';
    const access = accessOf(one);
    if (!access) return '';
    // The library's own variables are shared by threads on purpose, but for the slots that warps exchange values in.
    const root = rootOf(this.#plan, access.pointer);
    return root?.startsWith('@__rt_') && root !== '@__rt_xchg' ? '' : this.#style.group;
  }

  #address({ offset, size, within }: Pick<Slot, 'offset' | 'size' | 'within'>): string {
    const [base, start, index, address] = [this.#temporary(), this.#temporary(), this.#temporary(), this.#temporary()];
    this.#line(`${base} = mul i64 %rt.n, ${offset}`);
    this.#line(`${start} = getelementptr i8, ptr %rt.ctx, i64 ${base}`);
    this.#line(`${index} = mul i64 %rt.lin64, ${size}`);
    this.#line(`${address} = getelementptr i8, ptr ${start}, i64 ${index}`);
    if (within !== undefined) {
      const part = this.#temporary();
      this.#line(`${part} = getelementptr inbounds i8, ptr ${address}, i64 ${within}`);
      return part;
    }
    return address;
  }

  #usedSlots(): string[] {
    const used = new Set<string>();
    for (const { name, barrier } of this.#blocks) {
      const flow = this.#plan.flows.get(name);
      const next = barrier === undefined ? undefined : this.#plan.barriers[barrier - 1]?.next;
      const live = next === undefined ? undefined : this.#plan.flows.get(next)?.live;
      const edges = [...(flow?.edges.values() ?? [])].flatMap((values) => [...values]);
      for (const value of [
        ...(flow?.reads ?? []),
        ...(flow?.makes ?? []),
        ...edges,
        ...(flow?.live ?? []),
        ...(live ?? []),
      ]) {
        if (this.#slot(value)) used.add(value);
      }
    }
    return [...used];
  }

  #slot(value: string): Slot | undefined {
    return this.#plan.slots.get(value);
  }

  #temporary(): string {
    return `%rt.t${this.#temporaries++}`;
  }

  #line(text: string): void {
    this.#out.push(`  ${text}`);
  }
}

/** A call without the attributes that say that it reads no memory. */
export function withoutMemory(call: string): string {
  return call.replace(/\) #\d+/, ')').replace(/\bmemory\([^)]*\)/, '');
}

/** A name made of a kernel's symbol. */
export function part(symbol: string, suffix: string): string {
  return symbol.startsWith('"') ? `${symbol.slice(0, -1)}.${suffix}"` : `${symbol}.${suffix}`;
}

function repeatedText(one: Instruction): string {
  const id = idOf(one);
  if (id === undefined) return one.text;
  return id === 'dynamic' ? 'getelementptr i8, ptr %rt.dynamic, i64 0' : `add i32 %rt.${id}, 0`;
}
