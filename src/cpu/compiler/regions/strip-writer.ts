import { argumentsOf } from '../checks/look.ts';
import { calleeOf, incomingOf, resultType, withValues, type Instruction } from '../ir/instruction.ts';
import { commonName, commonValues } from './common-slots.ts';
import type { CutBlock } from './cut.ts';
import { idOf, type KernelPlan, type Slot } from './plan.ts';
import { startOf } from './region-graph.ts';
import { part, regionParameters } from './regions.ts';
import { withoutFlags } from './slopes.ts';
import { apartCalls, checkCall, noteCall, stretchedOf, whereOf } from './strip-calls.ts';
import type { StripSlopes } from './strip-slopes.ts';
import { latestOf, placesOf, Unsteady, writes, type Placed } from './strip-places.ts';

/** The suffixes of the functions that check a strip, and that record its accesses. */
export const stripName = (region: number): string => `strip${region}`;
export const noteName = (region: number): string => `note${region}`;

const FIRST = '.a';
const LAST = '.b';

/** Writes the functions that check a strip, and that record its accesses. */
export class StripWriter {
  readonly #plan: KernelPlan;
  readonly #region: number;
  readonly #slopes: StripSlopes;
  readonly #blocks: readonly CutBlock[];
  /** Check accesses, or record checked ones. */
  readonly #tests: boolean;
  readonly #predecessors = new Map<string, Set<string>>();
  readonly #needed = new Set<string>();
  readonly #placed: ReadonlyMap<Instruction, Placed>;
  readonly #latest: ReadonlyMap<Placed, string>;
  readonly #out: string[] = [];
  #temporaries = 0;

  constructor(plan: KernelPlan, region: number, slopes: StripSlopes, blocks: readonly CutBlock[], tests: boolean) {
    this.#plan = plan;
    this.#region = region;
    this.#slopes = slopes;
    this.#blocks = blocks;
    this.#tests = tests;
    this.#placed = placesOf(blocks, slopes);
    this.#latest = latestOf(this.#placed.values());
    for (const { name, barrier, successors } of blocks) {
      if (barrier !== undefined) continue;
      for (const next of successors) {
        this.#predecessors.set(next, (this.#predecessors.get(next) ?? new Set()).add(name));
      }
    }
  }

  write(): readonly string[] {
    this.#need();
    const name = (this.#tests ? stripName : noteName)(this.#region);
    const ends = ['i32 %rt.tx.b', 'i32 %rt.lin.b', 'ptr %rt.changes'];
    const head = [...regionParameters(this.#plan), ...commonValues(this.#plan, this.#region), ...ends].join(', ');
    const start = startOf(this.#plan, this.#region);
    this.#out.push(
      `define internal ${this.#tests ? 'i1' : 'void'} @${part(this.#plan.symbol, name)}(${head}) alwaysinline nounwind {`,
      'rt.entry:',
    );
    this.#line('%rt.less = sub i32 %rt.lin.b, %rt.lin');
    this.#line('%rt.count = add i32 %rt.less, 1');
    if (this.#tests) {
      this.#line('%rt.ok = alloca i1');
      this.#line('store i1 true, ptr %rt.ok');
    }
    for (const { stretch } of this.#tests ? stretchedOf(this.#placed.values()) : []) {
      this.#line(`%rt.stretch${stretch} = alloca [4 x i64]`);
      this.#line(`call void @__rk_stretch_start(ptr %rt.stretch${stretch})`);
    }
    for (const latest of this.#latest.values()) this.#line(`${latest} = alloca i64`);
    for (const latest of this.#latest.values()) this.#line(`store i64 0, ptr ${latest}`);
    for (const value of this.#needed) {
      const slot = this.#plan.slots.get(value);
      for (const end of slot ? this.#ends(value) : []) this.#line(`${value}.slot${end} = alloca ${slot?.type ?? ''}`);
    }
    for (const one of this.#plan.repeated) if (this.#needed.has(one.result ?? '')) this.#repeat(one);
    for (const value of this.#region > 0 ? (this.#plan.flows.get(start)?.live ?? []) : []) this.#load(value);
    this.#line(`br label %${start}`);
    for (const block of this.#blocks) this.#block(block);
    if (this.#tests) this.#out.push('rt.fail:', '  ret i1 false');
    this.#out.push('}');
    return this.#out;
  }

  /** Find the values that addresses and conditions depend on. */
  #need(): void {
    const queue: string[] = [];
    for (const { look } of this.#placed.values()) queue.push(look.pointer);
    for (const block of this.#blocks) {
      const last = block.instructions.at(-1);
      if (block.barrier === undefined && last && /^(?:br i1|switch) /.test(last.text)) queue.push(...last.uses);
      for (const one of block.instructions) {
        if (this.#tests && calleeOf(one) === '__rk_unset') queue.push(...one.uses);
      }
    }
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      if (!value.startsWith('%') || this.#needed.has(value)) continue;
      if (this.#plan.parameters.some(({ name }) => name === value)) continue;
      const one = this.#plan.definitions.get(value);
      if (!one) throw new Unsteady();
      this.#needed.add(value);
      // A stored value is read from its slot.
      if (this.#isMadeHere(value)) queue.push(...one.uses);
    }
  }

  #isMadeHere(value: string): boolean {
    return (
      this.#plan.repeated.some(({ result }) => result === value) ||
      this.#blocks.some(({ instructions }) => instructions.some(({ result }) => result === value))
    );
  }

  /** The ends of the strip for which a value is made. */
  #ends(value: string): readonly string[] {
    const slope = this.#slopes.of(value);
    return slope === undefined ? [] : slope === 0 ? [FIRST] : [FIRST, LAST];
  }

  #repeat(one: Instruction): void {
    const id = idOf(one);
    if (id === undefined) {
      this.#make(one);
      return;
    }
    const text = (end: string): string => {
      if (id === 'dynamic') return 'getelementptr i8, ptr %rt.dynamic, i64 0';
      return `add i32 %rt.${id}${end === LAST && (id === 'tx' || id === 'lin') ? LAST : ''}, 0`;
    };
    for (const end of this.#ends(one.result ?? '')) this.#line(`${one.result ?? ''}${end} = ${text(end)}`);
  }

  /** An instruction for the ends of the strip. */
  #make(one: Instruction): void {
    const { result = '', op, text } = one;
    const bare = this.#choose(result, withoutFlags(text).replace(/, ![\w.]+ !\d+/g, ''));
    for (const end of this.#ends(result)) {
      this.#line(`${result}${end} = ${withValues(bare, this.#reader(one, end))}`);
    }
    this.#keep(result);
    const [, sign, type = '', from = ''] = /^([sz])ext i(\d+) (%v\d+) to /.exec(bare) ?? [];
    if (sign !== undefined && op !== 'trunc' && this.#tests) this.#steady(from, `i${type}`, sign === 's' ? 's' : 'u');
  }

  /** The text of a choice that all threads of the strip make alike, after a test that they do. */
  #choose(value: string, text: string): string {
    const choice = this.#slopes.choiceOf(value);
    if (!choice || this.#slopes.of(value) === undefined) return text;
    const { condition, isFirst } = choice;
    if (this.#tests) this.#test(this.#made(`icmp eq i1 ${this.#settled(condition)}, ${isFirst}`));
    return text.replace(condition, `${isFirst}`);
  }

  #keep(value: string): void {
    const slot = this.#plan.slots.get(value);
    if (!slot) return;
    for (const end of this.#ends(value)) this.#line(`store ${slot.type} ${value}${end}, ptr ${value}.slot${end}`);
  }

  /** A value that was stored before the barrier. */
  #load(value: string): void {
    const slot = this.#plan.slots.get(value);
    if (!slot || !this.#needed.has(value)) return;
    const slope = this.#slopes.of(value);
    if (this.#plan.common.has(value)) {
      if (slope !== 0) throw new Unsteady();
      this.#line(`store ${slot.type} ${commonName(value)}, ptr ${value}.slot${FIRST}`);
      return;
    }
    const width = /^i1$/.test(slot.type) ? 1 : /^i32$/.test(slot.type) ? 4 : /^(?:i64|ptr)$/.test(slot.type) ? 8 : 0;
    if (slope === undefined || width === 0) throw new Unsteady();
    for (const end of this.#ends(value)) {
      const address = this.#address(slot, end);
      const loaded = this.#made(`load ${slot.type === 'i1' ? 'i8' : slot.type}, ptr ${address}`);
      const whole = slot.type === 'i1' ? this.#made(`trunc i8 ${loaded} to i1`) : loaded;
      this.#line(`store ${slot.type} ${whole}, ptr ${value}.slot${end}`);
      if (end === FIRST && this.#tests) {
        this.#test(this.#made(`call i1 @__rk_strip_steady${width}(ptr ${address}, i32 %rt.count, i64 ${slope})`));
      }
    }
  }

  #address({ offset, size }: Slot, end: string): string {
    const base = this.#made(`mul i64 %rt.n, ${offset}`);
    const start = this.#made(`getelementptr i8, ptr %rt.ctx, i64 ${base}`);
    const wide = this.#made(`zext i32 %rt.lin${end === LAST ? LAST : ''} to i64`);
    const index = this.#made(`mul i64 ${wide}, ${size}`);
    return this.#made(`getelementptr i8, ptr ${start}, i64 ${index}`);
  }

  #block({ name, barrier, instructions, successors }: CutBlock): void {
    this.#out.push(`${name}:`);
    const phis = instructions.filter((one) => one.op === 'phi' && this.#needed.has(one.result ?? ''));
    for (const one of phis) this.#phi(one, name);
    for (const one of phis) this.#keep(one.result ?? '');
    for (const [i, one] of instructions.entries()) {
      if (one.op === 'phi') continue;
      const placed = this.#placed.get(one);
      if (placed) this.#look(placed);
      else if (calleeOf(one) === '__rk_undefined') this.#fail();
      else if (calleeOf(one) === '__rk_unset') this.#unset(one);
      else if (i < instructions.length - 1 || barrier !== undefined) {
        if (this.#needed.has(one.result ?? '') && this.#ends(one.result ?? '').length > 0) this.#make(one);
      } else {
        this.#loadForPhis(name, successors);
        this.#leave(one);
        return;
      }
    }
    this.#return();
  }

  #leave(one: Instruction): void {
    const [, condition, yes = '', no = ''] = /^br i1 (\S+), label %(\w+), label %(\w+)/.exec(one.text) ?? [];
    if (condition !== undefined) {
      const settled = this.#settled(condition);
      if (!this.#tests || this.#slopes.of(condition) === 0 || yes === no) {
        this.#line(`br i1 ${settled}, label %${yes}, label %${no}`);
        return;
      }
      // The way on is that of the first thread; where another thread takes another one, it is not looked at.
      const way = this.#made(`zext i1 ${settled} to i32`);
      const either = this.#made(`select i1 ${this.#made('load i1, ptr %rt.ok')}, i32 ${way}, i32 2`);
      this.#line(`switch i32 ${either}, label %rt.fail [ i32 1, label %${yes} i32 0, label %${no} ]`);
      return;
    }
    if (one.op === 'br') this.#line(one.text.replace(/, !.*$/, ''));
    else if (one.op === 'switch') {
      if (one.uses.some((use) => this.#slopes.of(use) !== 0)) throw new Unsteady();
      this.#line(withValues(one.text.replace(/\](?:, !.*)?$/, ']'), this.#reader(one, FIRST)));
    } else {
      if (one.op !== 'ret') this.#fail();
      this.#return();
    }
  }

  #return(): void {
    if (!this.#tests) {
      this.#line('ret void');
      return;
    }
    for (const call of apartCalls(stretchedOf(this.#placed.values()))) this.#test(this.#made(`call ${call}`));
    this.#line(`ret i1 ${this.#made('load i1, ptr %rt.ok')}`);
  }

  #look(placed: Placed): void {
    const { look, stretch, once } = placed;
    const values = {
      pointer: this.#read(look.pointer, FIRST),
      changes: once === undefined ? 'null' : this.#made(`getelementptr i8, ptr %rt.changes, i64 ${once}`),
      latest: this.#latest.get(placed),
    };
    if (!this.#tests) {
      const note = noteCall(placed, values);
      if (note !== undefined) this.#line(`call ${note}`);
      return;
    }
    this.#test(this.#made(`call ${checkCall(placed, values)}`));
    if (stretch === undefined) return;
    const where = whereOf(placed, values);
    this.#test(this.#made(`call i1 @__rk_stretch_add(ptr %rt.stretch${stretch}, ${where}, i1 ${writes(look)})`));
  }

  #unset(one: Instruction): void {
    const [bit = 'false'] = argumentsOf(one);
    if (!this.#tests || bit === 'false') return;
    if (this.#slopes.of(bit) !== 0) throw new Unsteady();
    this.#test(this.#made(`xor i1 ${this.#read(bit, FIRST)}, true`));
  }

  /** The condition of the first thread, with a test that it is the same for all threads. */
  #settled(value: string): string {
    if (this.#slopes.of(value) === 0) return this.#read(value, FIRST);
    const one = this.#plan.definitions.get(value);
    if (!one) throw new Unsteady();
    const text = withoutFlags(one.text);
    const [, logic, left = '', right = ''] =
      /^(and|or|xor) i1 (\S+), (\S+?)(?:,|$)/.exec(text) ?? /^()freeze i1 (\S+)()$/.exec(text) ?? [];
    if (logic === '') return this.#settled(left);
    if (logic !== undefined) return this.#made(`${logic} i1 ${this.#settled(left)}, ${this.#settled(right)}`);
    const [, condition, yes = '', no = ''] = /^select i1 (%v\d+), i1 (\S+), i1 (\S+?)(?:,|$)/.exec(text) ?? [];
    if (condition !== undefined) {
      const [of, a, b] = [condition, yes, no].map((part) => this.#settled(part));
      return this.#made(`select i1 ${of ?? ''}, i1 ${a ?? ''}, i1 ${b ?? ''}`);
    }
    return this.#compared(one, text);
  }

  #compared(one: Instruction, text: string): string {
    const [, relation = '', type = '', left = '', right = ''] =
      /^icmp (\w+) (i\d+|ptr) (\S+), (\S+?)(?:,|$)/.exec(text) ?? [];
    const slopes = [this.#slopes.of(left), this.#slopes.of(right)];
    const moving = slopes[0] === 0 ? right : left;
    const slope = slopes[0] === 0 ? slopes[1] : slopes[0];
    if (relation === '' || slope === undefined || slopes.includes(undefined) || (slopes[0] !== 0 && slopes[1] !== 0)) {
      throw new Unsteady();
    }
    const compare = text.replace(/(?:, ![\w.]+ !\d+)+$/, '');
    const first = this.#made(withValues(compare, this.#reader(one, FIRST)));
    if (!this.#tests) return first;
    if (relation === 'eq' || relation === 'ne') {
      if (type === 'ptr') throw new Unsteady();
      // None of the threads has the value if it is not between those of the first and the last.
      const other = slopes[0] === 0 ? left : right;
      const [a, b, x] = [this.#read(moving, FIRST), this.#read(moving, LAST), this.#read(other, FIRST)];
      const from = this.#made(slope > 0 ? `sub ${type} ${x}, ${a}` : `sub ${type} ${a}, ${x}`);
      const all = this.#made(slope > 0 ? `sub ${type} ${b}, ${a}` : `sub ${type} ${a}, ${b}`);
      this.#test(this.#made(`icmp ugt ${type} ${from}, ${all}`));
      return first;
    }
    const last = this.#made(withValues(compare, this.#reader(one, LAST)));
    this.#test(this.#made(`icmp eq i1 ${first}, ${last}`));
    this.#steady(moving, type, relation.startsWith('s') ? 's' : 'u');
    return first;
  }

  /** A test that a value does not wrap around. */
  #steady(value: string, type: string, sign: 's' | 'u'): void {
    const slope = this.#slopes.of(value);
    if (slope === undefined) throw new Unsteady();
    if (slope === 0) return;
    const [a, b] = [this.#read(value, FIRST), this.#read(value, LAST)];
    this.#test(this.#made(`icmp ${sign}${slope > 0 ? 'le' : 'ge'} ${type} ${a}, ${b}`));
  }

  #phi(one: Instruction, block: string): void {
    const result = one.result ?? '';
    const from = this.#predecessors.get(block);
    for (const end of this.#ends(result)) {
      const incoming = incomingOf(one)
        .filter(({ block: name }) => from?.has(name))
        .map(({ value, block: name }) => {
          const kept = this.#plan.slots.has(value)
            ? `${value}${this.#end(value, end)}.from.${name}`
            : this.#read(value, end);
          return `[ ${kept}, %${name} ]`;
        });
      this.#line(`${result}${end} = phi ${resultType(one)} ${incoming.join(', ')}`);
    }
  }

  /** The values for the phis of the next blocks. */
  #loadForPhis(name: string, successors: readonly string[]): void {
    const wanted = new Set<string>();
    for (const next of this.#blocks.filter((block) => successors.includes(block.name))) {
      for (const one of next.instructions) {
        if (one.op !== 'phi' || !this.#needed.has(one.result ?? '')) continue;
        for (const { value, block } of incomingOf(one)) if (block === name) wanted.add(value);
      }
    }
    for (const value of wanted) {
      const slot = this.#plan.slots.get(value);
      for (const end of slot ? this.#ends(value) : []) {
        this.#line(`${value}${end}.from.${name} = load ${slot?.type ?? ''}, ptr ${value}.slot${end}`);
      }
    }
  }

  #reader(one: Instruction, end: string): (value: string) => string {
    const isRead = (use: string): boolean => this.#slopes.choiceOf(one.result ?? '')?.condition !== use;
    const names = new Map(one.uses.filter(isRead).map((use) => [use, this.#read(use, end)]));
    return (value) => names.get(value) ?? value;
  }

  /** An operand at one end of the strip. */
  #read(value: string, end: string): string {
    if (!value.startsWith('%v') || this.#plan.parameters.some(({ name }) => name === value)) return value;
    if (this.#slopes.of(value) === undefined) throw new Unsteady();
    const at = this.#end(value, end);
    const slot = this.#plan.slots.get(value);
    return slot ? this.#made(`load ${slot.type}, ptr ${value}.slot${at}`) : `${value}${at}`;
  }

  #end(value: string, end: string): string {
    return this.#slopes.of(value) === 0 ? FIRST : end;
  }

  #test(bit: string): void {
    const before = this.#made('load i1, ptr %rt.ok');
    this.#line(`store i1 ${this.#made(`and i1 ${before}, ${bit}`)}, ptr %rt.ok`);
  }

  #fail(): void {
    if (this.#tests) this.#line('store i1 false, ptr %rt.ok');
  }

  #made(text: string): string {
    const name = `%rt.s${this.#temporaries++}`;
    this.#line(`${name} = ${text}`);
    return name;
  }

  #line(text: string): void {
    this.#out.push(`  ${text}`);
  }
}
