import { readBody, type Block } from '../ir/body.ts';
import {
  accessOf,
  calleeOf,
  incomingOf,
  readInstruction,
  resultType,
  storeOf,
  withValues,
  type Instruction,
} from '../ir/instruction.ts';
import { parametersOf, parseModule } from '../ir/module.ts';
import { splitList, takeType } from '../ir/text.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';
import { DISTANCE } from './row-indices.ts';
import { Slopes } from './slopes.ts';
import { FREE, stepOf, WIDE_CALL } from './width.ts';

/** The number of threads that run as one: as many as a vector has numbers of 32 bits. */
export const LANES = 4;

/** The suffix of the function for them. */
export const lanesName = (region: number): string => `lanes${region}`;

const SCALAR = /^(?:i1|i8|i16|i32|i64|float|double)$/;
/** What rises from one thread of a row to the next, and is 1 in the code for one thread. */
const RISING = new Map([
  ['%rt.tx', 'call i32 @__rt_id_tx()'],
  ['%rt.lin', 'call i32 @__rt_id_lin()'],
  [DISTANCE, 'call i64 @__rt_id_tx()'],
]);

/**
 * The code of a region for four threads side by side, from its code for one. All take the same path. What is the same for
 * the four stays one number: LLVM, which vectorises the loop around a loop, makes vectors of it and reads one element
 * four times.
 *
 * @param code - the function for one thread
 * @param define - the head of the new function, up to its name
 * @param group - the mark of accesses that threads make in any order
 * @returns undefined where it has a form that has no lanes
 */
export function withLanes(
  code: readonly string[],
  types: TypeNames,
  define: string,
  group: string,
): string[] | undefined {
  const fn = parseModule(code).functions[0];
  if (!fn) return undefined;
  const parameters = parametersOf(fn, types);
  const { blocks, parameters: names } = readBody(fn, parameters, types);
  const rising = parameters.flatMap(({ name }, i) => {
    const text = RISING.get(name);
    return text === undefined ? [] : [readInstruction(`${names[i] ?? ''} = ${text}`)];
  });
  const writer = new LaneWriter(blocks, types, rising, group);
  if (!writer.isPossible()) return undefined;
  const list = parameters.map(({ type }, i) => `${type} ${names[i] ?? ''}`);
  const entry = parameters.map(({ type }, i) => readInstruction(`${names[i] ?? ''} = freeze ${type} poison`));
  return [`${define}(${list.join(', ')}) alwaysinline nounwind {`, ...writer.write(entry), '}'];
}

/** Variables of one type that only loads and stores of this type name. */
function slotsOf(all: readonly Instruction[]): ReadonlyMap<string, string> {
  const slots = new Map<string, string>();
  for (const { op, result = '', text } of all) {
    const type = op === 'alloca' ? /^alloca (\w+)$/.exec(text)?.[1] : undefined;
    if (type !== undefined && SCALAR.test(type)) slots.set(result, type);
  }
  for (const one of all) {
    const access = accessOf(one);
    const isPlain =
      access !== undefined && slots.get(access.pointer) === access.type && !one.text.includes(' volatile ');
    const stored = access?.kind === 'write' ? storeOf(one, access).value : '';
    for (const use of one.uses) if (!isPlain || use !== access.pointer || withWord(stored, use)) slots.delete(use);
  }
  return slots;
}

function withWord(text: string, value: string): boolean {
  return new RegExp(`${value}\\b`).test(text);
}

class LaneWriter {
  readonly #blocks: readonly Block[];
  readonly #types: TypeNames;
  readonly #rising: readonly Instruction[];
  readonly #group: string;
  readonly #definitions: ReadonlyMap<string, Instruction>;
  /** Values that differ between the threads. */
  readonly #varying = new Set<string>();
  /** Values that are the same, and are needed as a vector. */
  readonly #splats = new Set<string>();
  /** Variables on the stack that only loads and stores name, with their types. */
  readonly #slots: ReadonlyMap<string, string>;
  readonly #slopes: Slopes;
  readonly #out: string[] = [];

  constructor(blocks: readonly Block[], types: TypeNames, rising: readonly Instruction[], group: string) {
    this.#group = group;
    this.#blocks = blocks;
    this.#types = types;
    this.#rising = rising;
    const all = [...rising, ...blocks.flatMap(({ instructions }) => instructions)];
    this.#definitions = new Map(all.map((one) => [one.result ?? '', one]));
    this.#slots = slotsOf(all);
    for (const { result = '' } of rising) this.#varying.add(result);
    for (let before = 0; before !== this.#varying.size;) {
      before = this.#varying.size;
      for (const one of all) {
        if (!this.#isVarying(one)) continue;
        const slot = one.op === 'store' ? accessOf(one)?.pointer : undefined;
        if (one.result !== undefined) this.#varying.add(one.result);
        else if (slot !== undefined && this.#slots.has(slot)) this.#varying.add(slot);
      }
    }
    this.#slopes = new Slopes(this.#definitions, (value) => !this.#varying.has(value));
    for (const one of all) {
      if (!this.#isVarying(one)) continue;
      for (const use of one.uses) if (!this.#varying.has(use)) this.#splats.add(use);
    }
  }

  /** Whether all threads take the same path, in any order, and each value that differs has a type that vectors have. */
  isPossible(): boolean {
    return this.#blocks.every(({ instructions }) => instructions.every((one) => this.#isPossible(one)));
  }

  #isPossible(one: Instruction): boolean {
    const { op, result, text } = one;
    if (op === 'alloca') return this.#slots.has(result ?? '');
    if (op === 'atomicrmw' || op === 'cmpxchg' || op === 'fence') return false;
    const access = accessOf(one);
    if (access) {
      // What a block keeps for all its threads lies behind a parameter, and each thread writes the same there.
      const isCommon =
        !this.#isVarying(one) && !this.#definitions.has(access.pointer) && access.pointer.startsWith('%');
      const isFree = text.endsWith(this.#group) || this.#slots.has(access.pointer) || isCommon;
      const isPlain = isFree && !/^\w+ (?:volatile|atomic) /.test(text);
      return isPlain && (!this.#isVarying(one) || SCALAR.test(access.type));
    }
    if (op === 'call' && !(calleeOf(one) ?? '').startsWith('llvm.')) return false;
    if (op === 'call' && result === undefined) return FREE.test(calleeOf(one) ?? '');
    if (!this.#isVarying(one) || op === 'getelementptr') return true;
    return op !== 'br' && op !== 'switch' && op !== 'ret' && this.#isScalar(one);
  }

  write(parameters: readonly Instruction[]): string[] {
    this.#out.push('rt.lanes:');
    for (const one of this.#rising) this.#first(one);
    for (const one of parameters) this.#splat(one);
    this.#line(`br label %${this.#blocks[0]?.name ?? ''}`);
    for (const { name, instructions } of this.#blocks) {
      this.#out.push(`${name}:`);
      const phis = instructions.filter(({ op }) => op === 'phi');
      for (const phi of phis) {
        this.#same(phi);
        if (this.#isVarying(phi)) this.#phi(phi);
      }
      for (const phi of phis) this.#splat(phi);
      for (const one of instructions.slice(phis.length)) {
        this.#instruction(one);
        this.#splat(one);
      }
    }
    return this.#out;
  }

  #isVarying({ result, uses }: Instruction): boolean {
    return (result !== undefined && this.#varying.has(result)) || uses.some((use) => this.#varying.has(use));
  }

  #isScalar(one: Instruction): boolean {
    return SCALAR.test(resultType(one)) && one.uses.every((use) => this.#hasScalar(use));
  }

  #hasScalar(value: string): boolean {
    const definition = this.#definitions.get(value);
    return definition === undefined || SCALAR.test(resultType(definition)) || !this.#varying.has(value);
  }

  /** The numbers of the four threads. */
  #first({ result = '', text }: Instruction): void {
    const type = text.split(' ')[1] ?? '';
    this.#splatOf(result, type, `${result}.s`);
    const steps = Array.from({ length: LANES }, (_, i) => `${type} ${i}`).join(', ');
    this.#line(`${result}.w = add <${LANES} x ${type}> ${result}.s, <${steps}>`);
  }

  #splat(one: Instruction): void {
    if (one.result !== undefined && this.#splats.has(one.result) && SCALAR.test(resultType(one)))
      this.#splatOf(one.result, resultType(one), `${one.result}.s`);
  }

  #splatOf(value: string, type: string, name: string): void {
    const vector = `<${LANES} x ${type}>`;
    this.#line(`${name}.0 = insertelement ${vector} poison, ${type} ${value}, i64 0`);
    this.#line(`${name} = shufflevector ${vector} ${name}.0, ${vector} poison, <${LANES} x i32> zeroinitializer`);
  }

  /** An operand as a vector. */
  #wide(operand: string, type: string): string {
    if (this.#varying.has(operand)) return `${operand}.w`;
    if (operand.startsWith('%')) return `${operand}.s`;
    return operand === 'poison' || operand === 'undef' ? operand : `splat (${type} ${operand})`;
  }

  #phi(phi: Instruction): void {
    const type = resultType(phi);
    const incoming = incomingOf(phi).map(({ value, block }) => `[ ${this.#wide(value, type)}, %${block} ]`);
    this.#line(`${phi.result ?? ''}.w = phi <${LANES} x ${type}> ${incoming.join(', ')}`);
  }

  #instruction(one: Instruction): void {
    const access = accessOf(one);
    const slot = one.op === 'alloca' ? one.result : access?.pointer;
    if (slot !== undefined && this.#slots.has(slot) && this.#varying.has(slot)) {
      this.#slot(one, slot, this.#slots.get(slot) ?? '');
      return;
    }
    if (!this.#isVarying(one) || one.result !== undefined || !access) this.#same(one);
    if (!this.#isVarying(one)) return;
    if (access) this.#access(one, access.type, access.pointer);
    else if (one.op === 'getelementptr') this.#address(one);
    else if (one.result !== undefined) {
      const text = this.#vector(one);
      if (text === undefined) this.#apart(one);
      else this.#line(`${one.result}.w = ${text}`);
    }
  }

  /** The instruction itself, of the first thread. What only varying values need of it goes. */
  #same({ result, text }: Instruction): void {
    this.#line(result === undefined ? text : `${result} = ${text}`);
  }

  /** A variable of the thread becomes one of the four. */
  #slot(one: Instruction, slot: string, type: string): void {
    const { result = '', op } = one;
    const vector = `<${LANES} x ${type}>`;
    if (op === 'alloca') this.#line(`${slot} = alloca ${vector}`);
    else if (op === 'load') {
      this.#line(`${result}.w = load ${vector}, ptr ${slot}`);
      this.#line(`${result} = extractelement ${vector} ${result}.w, i64 0`);
    } else {
      const { value } = storeOf(one, { kind: 'write', type, pointer: slot });
      this.#line(`store ${vector} ${this.#wide(value, type)}, ptr ${slot}`);
    }
  }

  #access(one: Instruction, type: string, pointer: string): void {
    const step = stepOf(pointer, { definitions: this.#definitions, types: this.#types }, this.#slopes);
    const { result } = one;
    const at = one.text.lastIndexOf(`, ptr ${pointer}`) + `, ptr ${pointer}`.length;
    const tail = one.text
      .slice(at)
      .replace(
        /, !(?:range|noundef|nonnull|align|dereferenceable\w*|invariant\.load|noalias|alias\.scope)(?: ![\w.]+)?/g,
        '',
      );
    const isRow = step === layoutOf(type, this.#types).size;
    if (result !== undefined) {
      if (isRow) this.#line(`${result}.w = load <${LANES} x ${type}>, ptr ${pointer}${tail}`);
      else if (step === 0) this.#splatOf(result, type, `${result}.w`);
      else this.#each(result, type, (lane) => `load ${type}, ptr ${this.#lane(pointer, lane, 'ptr', result)}${tail}`);
      return;
    }
    const operand = storeOf(one, { kind: 'write', type, pointer }).value;
    const value = this.#wide(operand, type);
    if (isRow) {
      this.#line(`store <${LANES} x ${type}> ${value}, ptr ${pointer}${tail}`);
      return;
    }
    const name = `%rt.s${this.#out.length}`;
    // In one place the last thread's value stays.
    for (let lane = step === 0 ? LANES - 1 : 0; lane < LANES; lane++) {
      this.#line(`${name}.${lane} = extractelement <${LANES} x ${type}> ${value}, i64 ${lane}`);
      const to = step === 0 ? pointer : this.#lane(pointer, lane, 'ptr', name);
      this.#line(`store ${type} ${name}.${lane}, ptr ${to}${tail}`);
    }
  }

  /** An operand of one thread. */
  #lane(operand: string, lane: number, type: string, user: string): string {
    if (!this.#varying.has(operand)) return operand;
    const name = `${user}.${lane}${operand.replace('%', '.')}`;
    this.#line(`${name} = extractelement <${LANES} x ${type}> ${operand}.w, i64 ${lane}`);
    return name;
  }

  /** A vector of what the threads compute one by one. */
  #each(result: string, type: string, text: (lane: number) => string): void {
    const vector = `<${LANES} x ${type}>`;
    for (let lane = 0; lane < LANES; lane++) {
      const made = text(lane);
      this.#line(`${result}.e${lane} = ${made}`);
      const before = lane === 0 ? 'poison' : `${result}.i${lane - 1}`;
      const name = lane === LANES - 1 ? `${result}.w` : `${result}.i${lane}`;
      this.#line(`${name} = insertelement ${vector} ${before}, ${type} ${result}.e${lane}, i64 ${lane}`);
    }
  }

  #apart(one: Instruction): void {
    const { result = '', text } = one;
    this.#each(result, resultType(one), (lane) => {
      const operands = new Map(
        one.uses.map((use) => {
          const definition = this.#definitions.get(use);
          return [use, this.#lane(use, lane, definition ? resultType(definition) : '', result)];
        }),
      );
      return withValues(text, (value) => operands.get(value) ?? value);
    });
  }

  /** The addresses of the threads. */
  #address({ result = '', text }: Instruction): void {
    const vector = text.replace(/(ptr|i64|i32) (%v\d+)\b/g, (whole, type: string, value: string) =>
      this.#varying.has(value) ? `<${LANES} x ${type}> ${value}.w` : whole,
    );
    this.#line(`${result}.w = ${vector}`);
  }

  /** The same instruction for a vector; undefined for those that vectors do not have. */
  #vector(one: Instruction): string | undefined {
    const { op, text } = one;
    const bare = text.replace(/(?:, !\w+(?:\.\w+)* !?\S+)+$/, '');
    const vector = (type: string): string => `<${LANES} x ${type}>`;
    const call = calleeOf(one);
    if (op === 'call') return WIDE_CALL.test(call ?? '') ? this.#call(bare, call ?? '') : undefined;
    const [, cast, from = '', value = '', to = ''] =
      /^(\w+(?: (?:nneg|nuw|nsw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc))*) (\w+) (\S+) to (\w+)$/.exec(bare) ??
      [];
    if (cast !== undefined) return `${cast} ${vector(from)} ${this.#wide(value, from)} to ${vector(to)}`;
    if (op === 'select') {
      const [head = '', yes = '', no = ''] = splitList(bare);
      const [, flags = '', condition = ''] = /^select ((?:\w+ )*)i1 (\S+)$/.exec(head) ?? [];
      const type = takeType(yes).type;
      const choice = this.#varying.has(condition) ? `<${LANES} x i1> ${condition}.w` : `i1 ${condition}`;
      const part = (operand: string): string => `${vector(type)} ${this.#wide(operand.slice(type.length + 1), type)}`;
      return `select ${flags}${choice}, ${part(yes)}, ${part(no)}`;
    }
    const [, head, type = '', left = '', right] =
      /^((?:\w+ )+?)(i1|i8|i16|i32|i64|float|double) ([^\s,]+)(?:, (\S+))?$/.exec(bare) ?? [];
    if (head === undefined || /^[us](?:div|rem) |^frem /.test(head)) return undefined;
    const second = right === undefined ? '' : `, ${this.#wide(right, type)}`;
    return `${head}${vector(type)} ${this.#wide(left, type)}${second}`;
  }

  #call(text: string, callee: string): string | undefined {
    const [, flags = '', type = '', list = ''] =
      /^(?:tail )?call ((?:fast |nnan |ninf |nsz |arcp |contract |afn |reassoc )*)(?:[\w()\d ,-]*? )?(\w+) @[\w.]+\((.*)\)/.exec(
        text,
      ) ?? [];
    if (!SCALAR.test(type)) return undefined;
    const suffix = { float: 'f32', double: 'f64' }[type] ?? type;
    const name = callee.replace(new RegExp(`\\.${suffix}$`), `.v${LANES}${suffix}`);
    if (name === callee) return undefined;
    const args = splitList(list).map((arg) => {
      const operand = arg.slice(arg.lastIndexOf(' ') + 1);
      return arg.startsWith(`${type} `) ? `<${LANES} x ${type}> ${this.#wide(operand, type)}` : arg;
    });
    return `call ${flags}<${LANES} x ${type}> @${name}(${args.join(', ')})`;
  }

  #line(text: string): void {
    this.#out.push(`  ${text}`);
  }
}
