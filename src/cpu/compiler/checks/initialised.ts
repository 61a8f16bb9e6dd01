import { closing, NAME, splitList, takeType } from '../ir/text.ts';
import { editModule, parseModule, reaching, type IrFunction } from '../ir/module.ts';
import { variableOf } from './variable-names.ts';

/** The check of a value that decides something; its last argument is the variable's number. */
export const ASKED = '__rk_asked';
const DECLARATION = `declare void @${ASKED}(i1, i32) nounwind memory(inaccessiblemem: readwrite)`;
const SCALAR = /^(?:i(?:1|8|16|32|64)|half|bfloat|float|double|ptr)$/;
const RESULT = new RegExp(`^\\s+(%(?:${NAME})) = (.*)$`);
const LOCAL = new RegExp(`%(?:${NAME})`, 'g');
const LOAD = new RegExp(`^load (?:volatile )?(\\S+), ptr (%(?:${NAME}))`);
const STORE = new RegExp(`^store (?:volatile )?(\\S+) (\\S+), ptr (%(?:${NAME})|\\S+?)(?:,|$)`);
const LIFETIME = /^call void @llvm\.lifetime\./;
/** OpenCL's functions of work-groups and sub-groups. */
const GROUP_FUNCTION = /_group_/;
/** The atomic functions of both languages, which write their arguments. */
const ATOMIC_CALL = /@_ZL?\d+atom(?:ic)?_?[A-Za-z]/;
const DEBUG = /, !dbg !\d+/;
const DERIVES = new Set(
  (
    'add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg freeze phi select icmp fcmp ' +
    'trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast getelementptr call'
  ).split(' '),
);

/** A module with a flag beside each value that may come from an unset variable, and the names of those variables. */
export interface Marked {
  readonly lines: readonly string[];
  readonly variables: readonly string[];
}

/**
 * Track variables that are declared without a value, in the manner of MemorySanitizer (Stepanov and Serebryany, CGO
 * 2015), but only through the scalars of one function: each value that may depend on such a variable gets a bit that
 * tells whether it does, and a check where such a value decides a branch or an address, or is written to memory.
 *
 * The input is clang's code before any optimisation, with a pattern as the value of each variable without one.
 *
 * @param ends - functions in which threads wait for each other; their results are often unused
 */
export function markVariables(lines: readonly string[], ends: ReadonlySet<string>): Marked {
  const module = parseModule(lines);
  const mixing = reaching(module.functions, ends);
  const variables: string[] = [];
  const out = editModule(module, (fn) => [fn.head, ...new Marker(fn, mixing, variables).write(), '}']);
  if (variables.length > 0) out.push(DECLARATION);
  return { lines: out, variables };
}

/** A parsed line. */
interface Line {
  readonly text: string;
  readonly result: string | undefined;
  readonly op: string;
  /** Values that it names, without its result. */
  readonly uses: readonly string[];
}

class Marker {
  readonly #body: readonly string[];
  readonly #lines: readonly (Line | undefined)[];
  readonly #mixing: ReadonlySet<string>;
  readonly #variables: string[];
  /** Slots that only loads and stores name. */
  readonly #slots = new Set<string>();
  /** Values and slots that may depend on a variable without a value, with the variable. */
  readonly #doubtful = new Map<string, string>();
  readonly #out: string[] = [];
  #temporaries = 0;

  constructor(fn: IrFunction, mixing: ReadonlySet<string>, variables: string[]) {
    this.#body = fn.body;
    this.#mixing = mixing;
    this.#variables = variables;
    this.#lines = fn.body.some((line) => line.includes('!annotation')) ? fn.body.map(readLine) : [];
  }

  write(): readonly string[] {
    this.#findSlots();
    this.#follow();
    if (this.#doubtful.size === 0) return this.#body;
    for (const [i, line] of this.#lines.entries()) {
      const text = this.#body[i] ?? '';
      if (line) this.#edit(text, line, i);
      else this.#out.push(text);
    }
    return this.#out;
  }

  #findSlots(): void {
    for (const line of this.#lines) {
      if (line?.op === 'alloca' && SCALAR.test(/^alloca ([^,]+)/.exec(line.text)?.[1] ?? '')) {
        this.#slots.add(line.result ?? '');
      }
    }
    for (const line of this.#lines) {
      for (const slot of line?.uses ?? []) {
        if (!line || !this.#slots.has(slot) || LIFETIME.test(line.text)) continue;
        const [, , value, target] = STORE.exec(line.text) ?? [];
        const whole = LOAD.exec(line.text)?.[2] === slot || (target === slot && value !== slot);
        if (!whole) this.#slots.delete(slot);
      }
    }
  }

  /** The variables that a value may depend on. */
  #follow(): void {
    for (const line of this.#lines) {
      const slot = line?.text.includes('!annotation') === true ? STORE.exec(line.text)?.[3] : undefined;
      if (slot !== undefined && this.#slots.has(slot)) this.#doubtful.set(slot, variableOf(slot) ?? '');
    }
    for (let before = -1; this.#doubtful.size > before;) {
      before = this.#doubtful.size;
      for (const line of this.#lines) if (line) this.#followOne(line);
    }
  }

  #followOne({ text, result, op, uses }: Line): void {
    const [, , value = '', target = ''] = op === 'store' ? (STORE.exec(text) ?? []) : [];
    const to = op === 'store' ? (this.#slots.has(target) ? target : undefined) : result;
    if (to === undefined || this.#doubtful.has(to)) return;
    const from = op === 'store' ? [value] : op === 'load' || this.#derives(op, text) ? uses : [];
    // A value that is read through a doubtful address is another variable's.
    const known = op === 'load' ? from.filter((one) => this.#slots.has(one)) : from;
    const variable = known.map((one) => this.#doubtful.get(one)).find((name) => name !== undefined);
    if (variable !== undefined) this.#doubtful.set(to, variable);
  }

  #derives(op: string, text: string): boolean {
    if (!DERIVES.has(op)) return false;
    if (op !== 'call') return !/^(?:icmp|fcmp|select|phi)? ?<\d+ x/.test(text);
    const callee = new RegExp(`@(${NAME})\\(`).exec(text)?.[1];
    return (
      callee !== undefined &&
      !this.#mixing.has(callee) &&
      !GROUP_FUNCTION.test(callee) &&
      SCALAR.test(takeType(text.replace(/^.*?call /, '')).type)
    );
  }

  #edit(text: string, line: Line, index: number): void {
    const { op, result } = line;
    if (op === 'alloca' && result !== undefined && this.#doubtful.has(result)) {
      this.#out.push(text, `  ${flagOf(result)} = alloca i1`, `  store i1 false, ptr ${flagOf(result)}`);
      return;
    }
    this.#ask(line, index);
    this.#out.push(text);
    if (op === 'store') this.#store(line);
    else if (result !== undefined && this.#doubtful.has(result)) this.#derive(line, result);
  }

  #store({ text }: Line): void {
    const [, , value = '', target = ''] = STORE.exec(text) ?? [];
    if (!this.#slots.has(target) || !this.#doubtful.has(target)) return;
    const unset = text.includes('!annotation') ? 'true' : this.#bitOf(value);
    this.#out.push(`  store i1 ${unset}, ptr ${flagOf(target)}`);
  }

  #derive({ text, op, uses }: Line, result: string): void {
    const bit = bitOf(result);
    if (op === 'load') {
      this.#out.push(`  ${bit} = load i1, ptr ${flagOf(LOAD.exec(text)?.[2] ?? '')}`);
      return;
    }
    if (op === 'phi') {
      const incoming = [...text.matchAll(/\[ (.+?), (%(?:"[^"]+"|[-\w.$]+)) \]/g)];
      const list = incoming.map(([, value = '', block = '']) => `[ ${this.#bitOf(value)}, ${block} ]`);
      this.#out.push(`  ${bit} = phi i1 ${list.join(', ')}`);
      return;
    }
    const bits = [...new Set(uses)].map((value) => this.#bitOf(value)).filter((one) => one !== 'false');
    this.#out.push(`  ${bit} = or i1 ${this.#any(bits)}, false`);
  }

  /** A check before a line in which a doubtful value decides something. */
  #ask({ text, op, uses }: Line, index: number): void {
    const asked = this.#deciding(op, text).filter((value) => this.#doubtful.has(value) && !this.#slots.has(value));
    if (asked.length === 0) return;
    const variable = asked.map((value) => this.#doubtful.get(value)).find((name) => name !== undefined) ?? '';
    const known = this.#variables.indexOf(variable);
    const number = known < 0 ? this.#variables.push(variable) - 1 : known;
    const bits = [...new Set(asked.filter((value) => uses.includes(value)))].map((value) => bitOf(value));
    const debug = DEBUG.exec(text)?.[0] ?? this.#debugBehind(index);
    this.#out.push(`  call void @${ASKED}(i1 ${this.#any(bits)}, i32 ${number})${debug}`);
  }

  /** The debug location of a switch, which is behind its cases. */
  #debugBehind(index: number): string {
    const end = this.#body.findIndex((line, i) => i > index && /^\s+\]/.test(line));
    return DEBUG.exec(this.#body[end] ?? '')?.[0] ?? '';
  }

  /** The values that decide a branch, or that a line passes on to other code. */
  #deciding(op: string, text: string): readonly string[] {
    switch (op) {
      case 'br':
        return [/^br i1 (\S+),/.exec(text)?.[1] ?? ''];
      case 'switch':
        return [/^switch \S+ (\S+),/.exec(text)?.[1] ?? ''];
      case 'load':
        return [LOAD.exec(text)?.[2] ?? ''];
      case 'store': {
        const [, , value = '', target = ''] = STORE.exec(text) ?? [];
        return this.#slots.has(target) ? [] : this.#isLocal(target) ? [target] : [value, target];
      }
      case 'atomicrmw':
      case 'cmpxchg':
        return text.match(LOCAL) ?? [];
      case 'call':
        return ATOMIC_CALL.test(text) ? (text.match(LOCAL) ?? []) : [];
      default:
        return [];
    }
  }

  /** Whether an address is in this function's own arrays or structs, which no other code reads. */
  #isLocal(address: string): boolean {
    for (let at = address, steps = 0; steps < 32; steps++) {
      const line = this.#lines.find((one) => one?.result === at);
      if (line?.op === 'alloca') return true;
      if (line?.op !== 'getelementptr') return false;
      const base = splitList(line.text)[1] ?? '';
      at = base.replace(/^ptr /, '');
    }
    return false;
  }

  #bitOf(value: string): string {
    return this.#doubtful.has(value) && !this.#slots.has(value) ? bitOf(value) : 'false';
  }

  /** Whether any of some bits is set. */
  #any(bits: readonly string[]): string {
    const [first = 'false', ...others] = bits;
    return others.reduce((all, bit) => {
      const name = `%unset.any.${this.#temporaries++}`;
      this.#out.push(`  ${name} = or i1 ${all}, ${bit}`);
      return name;
    }, first);
  }
}

function readLine(text: string): Line | undefined {
  const bare = text.trim();
  if (bare === '' || !text.startsWith(' ') || /^(?:;|#dbg_|\]|i\d+ -?\d+, label )/.test(bare)) return undefined;
  const [, result, rest = bare] = RESULT.exec(text) ?? [];
  const word = /^[a-z]+/.exec(rest)?.[0] ?? '';
  const op = /^(?:tail|musttail|notail)$/.test(word) ? 'call' : word;
  const operands = op === 'call' ? rest.slice(rest.indexOf('('), closing(rest, rest.indexOf('('))) : rest;
  return { text: rest, result, op, uses: operands.match(LOCAL) ?? [] };
}

function plain(value: string): string {
  return value.slice(1).replace(/"/g, '');
}

/** The slot of a variable's bit: set while it has no value. */
function flagOf(slot: string): string {
  return `%"unset.slot.${plain(slot)}"`;
}

function bitOf(value: string): string {
  return `%"unset.of.${plain(value)}"`;
}
