import type { CheckMode } from '../../../core/check-mode.ts';
import type { CpuObject, CpuPlace, CpuSite } from '../../abi/program.ts';
import { accessOf, calleeOf, type Access } from '../ir/instruction.ts';
import { closing, NAME, splitList, takeType } from '../ir/text.ts';
import { splitHead, type IrFunction } from '../ir/module.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';
import { ASKED } from './initialised.ts';
import { reachOf, type Reach } from './reach.ts';
import { Origins, type Origin, type Variables } from './origin.ts';
import type { Sites } from './sites.ts';
import type { ObjectNames } from './object-names.ts';
import { questionOf, type Question } from './undefined.ts';

/** The checks of a program. */
export type Checks = CheckMode['checks'];

/** The options of instrumentation. */
export interface Instrumentation {
  readonly checks: Checks;
  /** Names of the variables that are checked for a missing value, by their numbers. */
  readonly unset: readonly string[];
  readonly variables: Variables;
  readonly types: TypeNames;
  readonly sites: Sites;
  readonly names: ObjectNames;
  /** The kernel's pointer parameters, with their numbers. */
  readonly parameters: ReadonlyMap<string, number>;
  /** The subject of a sanitizer check, by its data argument. */
  readonly sanitized: (data: string) => CpuSite['object'];
  /** Parameters that point to memory of the thread alone. */
  readonly own: ReadonlySet<string>;
  /** The place of instructions without a debug location. */
  readonly place: CpuPlace;
  /** The place of each access is noted: it may be refused for want of peer access. */
  readonly peers?: boolean | undefined;
  /** Of a kernel: what is known of the memory that its parameters lead to. */
  readonly reach?: Reach | undefined;
}

/** The numbers by which a launch tells a kernel of the memory that a parameter leads to: `Range` of check.h. */
const RANGE = ['from', 'bytes', 'calm'] as const;
const rangeName = (parameter: number, part: string): string => `%rk.${part}${parameter}`;

/** The kind of an access for the functions of the checked mode: `Kind` of check.h. */
export const Does = { WRITE: 1, ATOMIC: 2, VOLATILE: 4, SCALAR: 8, VALUE: 16, THREADS: 32, BLOCKS: 64 } as const;
/** The bits of the races that are looked for on global memory. */
const TOLD: Readonly<Record<Checks, number>> = {
  ...{ bounds: 0, shared: 0, blocks: Does.BLOCKS, all: Does.BLOCKS | Does.THREADS },
};

/** The worker's variable with the running thread and block, and the site of the latest call: `Now` of check.h. */
export const NOW = '__rk_now';
const SITE_OFFSET = 8;
/** The offset of its mark of an ended thread: `left` of check.h. */
export const LEFT_OFFSET = 12;
/** The offset of what the launch knows of the memory behind pointers: `ranges` of check.h. */
export const RANGES_OFFSET = 472;
/**
 * A function with more checks calls them. Each inlined one has some ten branches, and LLVM takes time with the square of
 * the number of a function's blocks: the pass that makes control flow reducible for WebAssembly, for example.
 */
const MAX_INLINED = 40;
const INLINED = /^ {2}(?:%rk\.\d+ = )?call \w+ @__rk_(?!undefined|unset)\w+\(/;
const DEBUG = /, !dbg !(\d+)/;
const RESULT = new RegExp(`^(%(?:${NAME})) = (.*)$`);
const TRANSFER = /^llvm\.(memcpy|memmove|memset)\./;
const ORDERING = / (?:syncscope\([^)]*\) )?(?:unordered|monotonic|acquire|release|acq_rel|seq_cst)$/;
const VOLATILE = /^\w+ (?:atomic )?volatile\b/;
const SWAPPED = new RegExp(`\\bcmpxchg (?:weak |volatile )*ptr (%(?:${NAME})|@(?:${NAME}))`);
const INDIRECT = new RegExp(`\\bcall\\b[^@(]* %(?:${NAME})\\(`);

/** A function with a check before each access to memory and each trap. */
export function instrument(fn: IrFunction, how: Instrumentation): IrFunction {
  return { ...fn, head: withRanges(fn, how.reach), body: new Instrumenter(fn, how).write() };
}

/** The memory that a kernel reaches by its parameters. */
export function memoryOf(fn: IrFunction, how: Instrumentation, isQuiet: (name: string) => boolean): Reach {
  const origins = new Origins(fn.body, how.own, how.variables, how.types, how.parameters);
  const lines = fn.body.map((line) => {
    const { op, text } = partsOf(line);
    const access = accessOf({ op, text, result: undefined, uses: [], debug: undefined });
    return { op, text, pointer: access?.pointer.replace(ORDERING, '') };
  });
  return reachOf(lines, (pointer) => origins.of(pointer), isQuiet);
}

/** A kernel's head with parameters for the ranges behind its pointers. The driver reads them from the launch's record. */
function withRanges(fn: IrFunction, reach: Reach | undefined): string {
  if (!reach || reach.parameters.length === 0) return fn.head;
  const { before, list, behind } = splitHead(fn);
  const named = list.map((text, i) => (/%\S+$/.test(text) ? text : `${text} %${i}`));
  const ranges = reach.parameters.flatMap((one) => RANGE.map((part) => `i64 ${rangeName(one, part)}`));
  return `${before}(${[...named, ...ranges].join(', ')})${behind}`;
}

class Instrumenter {
  readonly #fn: IrFunction;
  readonly #how: Instrumentation;
  readonly #origins: Origins;
  /** Addresses of compare-and-swap loops, whose plain read belongs to the atomic update. */
  readonly #swapped: ReadonlySet<string>;
  /** Debug locations of checked accesses. */
  readonly #looked: ReadonlySet<number>;
  readonly #out: string[] = [];
  #temporaries = 0;
  #debug: number | undefined;

  constructor(fn: IrFunction, how: Instrumentation) {
    this.#fn = fn;
    this.#how = how;
    this.#origins = new Origins(fn.body, how.own, how.variables, how.types, how.parameters);
    this.#swapped = new Set(fn.body.map((line) => SWAPPED.exec(line)?.[1]).filter((pointer) => pointer !== undefined));
    this.#looked = new Set(fn.body.flatMap((line) => this.#lookedAt(line)));
  }

  write(): string[] {
    for (const line of this.#fn.body) {
      const { op, text, debug } = partsOf(line);
      this.#debug = debug;
      this.#out.push(this.#edit(line, op, text));
    }
    const isCheck = (line: string): boolean => INLINED.test(line);
    if (this.#out.filter(isCheck).length <= MAX_INLINED) return this.#out;
    return this.#out.map((line) => (isCheck(line) ? `${line} noinline` : line));
  }

  #lookedAt(line: string): number[] {
    const { op, text, debug } = partsOf(line);
    const access = accessOf({ op, text, result: undefined, uses: [], debug });
    if (!access || debug === undefined) return [];
    return this.#isSafe(this.#origins.of(access.pointer.replace(ORDERING, ''))) ? [] : [debug];
  }

  /** The instrumented line, after the lines in front of it. */
  #edit(line: string, op: string, text: string): string {
    if (op === 'call') return this.#call(line, text);
    if (op === 'fence') {
      if (this.#how.checks !== 'bounds' && !text.includes('singlethread')) this.#line('call void @__rk_fence()');
      return line;
    }
    const access = accessOf({ op, text, result: undefined, uses: [], debug: undefined });
    if (!access) return line;
    return this.#access(line, op, text, { ...access, pointer: access.pointer.replace(ORDERING, '') });
  }

  #access(line: string, op: string, text: string, access: Access): string {
    const origin = this.#origins.of(access.pointer);
    if (this.#isSafe(origin)) return line;
    const size = storeBytes(access.type, this.#how.types);
    const swapped = op === 'load' && this.#swapped.has(access.pointer);
    const atomic = access.kind === 'atomic' || swapped || /^\w+ atomic\b/.test(text);
    const align = atomic ? size : Math.min(Number(/, align (\d+)/.exec(text)?.[1] ?? size), 16);
    const kind = atomic && !swapped ? 'atomic' : access.kind;
    const site = this.#site(kind, size, this.#objectOf(origin), VOLATILE.test(text));
    const checked = this.#check(origin, access.pointer, size, align, site, () => this.#does(op, text, access, atomic));
    const old = `ptr ${access.pointer}`;
    const at = access.kind === 'atomic' ? line.indexOf(old) : line.lastIndexOf(`, ${old}`) + 2;
    return `${line.slice(0, at)}ptr ${checked}${line.slice(at + old.length)}`;
  }

  /** Whether an access needs no check. */
  #isSafe(origin: Origin): boolean {
    if (origin.kind === 'own') return true;
    const known = 'fixed' in origin && origin.fixed;
    return known && (origin.kind === 'private' || this.#how.checks === 'bounds');
  }

  /** The address to use instead. */
  #check(
    origin: Origin,
    pointer: string,
    size: number,
    align: number,
    site: number,
    does: () => readonly [kind: number, value: string],
  ): string {
    const tail = `i32 ${size}, i32 ${align}, i32 ${site}`;
    const all = this.#how.checks !== 'bounds';
    const more = (): string => {
      const [kind, value] = does();
      return `${tail}, i32 ${kind}, i64 ${value}`;
    };
    switch (origin.kind) {
      case 'private':
        return this.#made(`call ptr @__rk_inside(ptr ${pointer}, ptr ${origin.base}, i64 ${origin.bytes}, ${tail})`);
      case 'shared':
      case 'variable': {
        const where = `ptr ${pointer}, ptr ${origin.base}, i64 ${origin.bytes}`;
        if (!all) return this.#made(`call ptr @__rk_inside(${where}, ${tail})`);
        return this.#made(`call ptr @__rk_${origin.kind}(${where}, ${more()})`);
      }
      case 'dynamic':
        return all
          ? this.#made(`call ptr @__rk_dynamic_shared(ptr ${pointer}, ${more()})`)
          : this.#made(`call ptr @__rk_dynamic(ptr ${pointer}, ${tail})`);
      default: {
        if (this.#how.peers === true) this.#note(site);
        const args = `ptr ${pointer}, ${all ? more() : tail}`;
        const range = this.#rangeOf(origin, does);
        return this.#made(
          `call ptr @__rk_${all ? 'memory' : 'bounds'}${range ? `_in(${args}, ${range})` : `(${args})`}`,
        );
      }
    }
  }

  /** The range of memory behind the kernel's pointer, where an access in it may need no further check. */
  #rangeOf(origin: Origin, does: () => readonly [kind: number, value: string]): string | undefined {
    const { checks, reach } = this.#how;
    if (origin.kind !== 'parameter' || reach?.parameters.includes(origin.parameter) !== true) return undefined;
    if (checks === 'blocks' || checks === 'all') {
      const [kind] = does();
      if (!reach.written || reach.written.has(origin.parameter)) return undefined;
      // Atomic and volatile accesses order others.
      if ((kind & (Does.WRITE | Does.ATOMIC | Does.VOLATILE)) !== 0) return undefined;
    }
    return RANGE.map((part) => `i64 ${rangeName(origin.parameter, part)}`).join(', ');
  }

  /** The kind of an access, and the written value where it is known. */
  #does(op: string, text: string, { kind, type }: Access, atomic: boolean): readonly [number, string] {
    let does: number = TOLD[this.#how.checks];
    if (kind !== 'read') does |= Does.WRITE;
    if (atomic) does |= Does.ATOMIC;
    if (VOLATILE.test(text)) does |= Does.VOLATILE;
    if ((kind === 'read' && text.includes('!tbaa')) || (kind === 'atomic' && !text.startsWith('atomicrmw xchg')))
      does |= Does.SCALAR;
    const value = op === 'store' && !atomic ? this.#bits(type, text) : undefined;
    return value === undefined ? [does, '0'] : [does | Does.VALUE, value];
  }

  /** The value of a store as 64 bits. */
  #bits(type: string, text: string): string | undefined {
    const first = splitList(text.slice('store'.length).replace(/^ volatile/, ''))[0] ?? '';
    const value = takeType(first).rest;
    if (type === 'i64') return value;
    if (type === 'ptr') return this.#made(`ptrtoint ptr ${value} to i64`);
    const integer = /^i(\d+)$/.exec(type)?.[1];
    if (integer !== undefined) {
      return Number(integer) < 64 ? this.#made(`zext ${type} ${value} to i64`) : undefined;
    }
    const bits = type === 'double' ? 64 : type === 'float' ? 32 : /^b?half$|^bfloat$/.test(type) ? 16 : undefined;
    if (bits === undefined) return undefined;
    const made = this.#made(`bitcast ${type} ${value} to i${bits}`);
    return bits === 64 ? made : this.#made(`zext i${bits} ${made} to i64`);
  }

  #call(line: string, text: string): string {
    const callee = calleeOf({ op: 'call', text, result: undefined, uses: [], debug: undefined });
    if (callee === undefined) {
      if (INDIRECT.test(text)) this.#note(this.#site('call', 0));
      return line;
    }
    // The library's headers pass -1, since they do not know the number of their site.
    if (callee === '__rt_fault') return line.replace(/i32 (?:noundef )?-1\)/, () => `i32 ${this.#site('trap', 0)})`);
    if (callee === ASKED) return this.#unset(line);
    const question = questionOf(callee);
    if (question) return this.#answer(line, question);
    const transfer = TRANSFER.exec(callee)?.[1];
    return transfer === undefined ? line : this.#transfer(line, transfer, callee);
  }

  /** The check that a variable has a value. The optimiser removes it where the variable always has one. */
  #unset(line: string): string {
    const [bit = '', number = ''] = argumentsOf(line).map((one) => operandOf(one));
    if (bit === 'false') return '';
    const name = this.#how.unset[Number(number)] ?? '';
    const site = this.#site('variable', 0, { name, bytes: 0 });
    return `  call void @__rk_unset(i1 ${bit}, i32 ${site})`;
  }

  /** Replace a call of the sanitizer, which is only reached after a failed check, by a report of a finding. */
  #answer(line: string, { site, finding, access }: Question): string {
    if (access === true && this.#debug !== undefined && this.#looked.has(this.#debug)) return '';
    if (this.#how.checks === 'bounds' && site !== 'index') return '';
    const [data = '', value = '0', amount = value] = argumentsOf(line).map((one) => operandOf(one));
    const object = this.#how.sanitized(data);
    if (site === 'index' && object === undefined) return '';
    const variable = site === 'index' && object ? this.#indexed(object.name) : undefined;
    const place = this.#site(site, 0, object && variable !== undefined ? { ...object, variable } : object);
    return `  call void @__rk_undefined(i32 ${finding}, i64 ${amount}, i32 ${place})`;
  }

  /** A copy or a fill: it touches all of its bytes, or after a finding none. */
  #transfer(line: string, name: string, callee: string): string {
    const open = line.indexOf('(', line.indexOf(`@${callee}`));
    const end = closing(line, open);
    const args = splitList(line.slice(open + 1, end - 1));
    const target = operandOf(args[0]);
    const length = takeType(args[2] ?? '');
    const wide = length.type === 'i64' ? length.rest : this.#made(`zext ${length.type} ${length.rest} to i64`);
    const known = /^\d+$/.test(wide) ? Number(wide) : 0;
    const seen = (pointer: string): boolean => !['own', 'private'].includes(this.#origins.of(pointer).kind);
    const looked: string[] = [];
    const place = (pointer: string, kind: CpuSite['kind']): number =>
      seen(pointer) ? this.#site(kind, known, this.#objectOf(this.#origins.of(pointer))) : -1;
    const writes = place(target, 'write');
    if (name === 'memset') {
      if (writes >= 0) {
        const value = this.#made(`zext i8 ${operandOf(args[1])} to i32`);
        const how = `i32 ${alignOf(args[0])}, i32 ${writes}, i32 ${value}`;
        looked.push(`@__rk_fill(ptr ${target}, i64 ${wide}, ${how})`);
      }
    } else {
      const source = operandOf(args[1]);
      const reads = place(source, 'read');
      const aligns = `i32 ${alignOf(args[0])}, i32 ${alignOf(args[1])}`;
      if (writes >= 0 || reads >= 0)
        looked.push(`@__rk_copy(ptr ${target}, ptr ${source}, i64 ${wide}, ${aligns}, i32 ${writes}, i32 ${reads})`);
    }
    const [call] = looked;
    if (call === undefined) return line;
    const checked = this.#made(`call i64 ${this.#how.checks !== 'bounds' ? call : call.replace('(', '_bounds(')}`);
    const narrow = length.type === 'i64' ? checked : this.#made(`trunc i64 ${checked} to ${length.type}`);
    const rest = [args[0] ?? '', args[1] ?? '', `${length.type} ${narrow}`, ...args.slice(3)];
    return `${line.slice(0, open + 1)}${rest.join(', ')}${line.slice(end - 1)}`;
  }

  /** The array of this type that the code at the same place computes an address in. */
  #indexed(type: string): string | undefined {
    const bases = new Set<string | undefined>();
    for (const line of this.#fn.body) {
      if (!line.includes(' getelementptr ')) continue;
      const { debug, text } = partsOf(line);
      if (debug === undefined || debug !== this.#debug) continue;
      const object = this.#objectOf(this.#origins.of(/, ptr ([^,\s]+)/.exec(text)?.[1] ?? ''));
      const variable = object && this.#how.names.arrayIn(object, type);
      if (variable !== undefined) bases.add(variable);
    }
    const [found] = bases;
    return bases.size === 1 ? found : undefined;
  }

  #objectOf(origin: Origin): CpuObject | undefined {
    return this.#how.names.of(origin, this.#fn.name);
  }

  #note(site: number): void {
    const address = this.#made(`getelementptr i8, ptr @${NOW}, i64 ${SITE_OFFSET}`);
    this.#line(`store volatile i32 ${site + 1}, ptr ${address}`);
  }

  #site(kind: CpuSite['kind'], size: number, object?: CpuSite['object'], isVolatile = false): number {
    return this.#how.sites.share(this.#debug, kind, size, this.#how.place, object, isVolatile);
  }

  #made(text: string): string {
    const name = `%rk.${this.#temporaries++}`;
    this.#line(`${name} = ${text}`);
    return name;
  }

  #line(text: string): void {
    this.#out.push(`  ${text}`);
  }
}

/** A line without its result and its ends. */
function partsOf(line: string): { readonly op: string; readonly text: string; readonly debug: number | undefined } {
  const bare = line.trim();
  const debug = DEBUG.exec(bare)?.[1];
  const text = RESULT.exec(bare)?.[2] ?? bare;
  const word = /^[a-z]+/.exec(text)?.[0] ?? '';
  const op = /^(?:tail|musttail|notail)$/.test(word) ? 'call' : word;
  return { op, text, debug: debug === undefined ? undefined : Number(debug) };
}

/** The arguments of a call. */
function argumentsOf(line: string): string[] {
  const open = line.indexOf('(', line.indexOf('@'));
  return splitList(line.slice(open + 1, closing(line, open) - 1));
}

/** `ptr noundef nonnull align 4 %7` → `%7` */
function operandOf(argument = ''): string {
  const { rest } = takeType(argument);
  return rest.replace(/^(?:(?:noundef|nonnull|noalias|readonly|writeonly|nocapture|align \d+|\w+\([^()]*\)) )*/, '');
}

function alignOf(argument = ''): number {
  return Math.min(16, Number(/\balign (\d+)/.exec(argument)?.[1] ?? 1));
}

/** Bytes that a load or a store of a type touches. */
function storeBytes(type: string, types: TypeNames): number {
  const vector = /^<(\d+) x (i\d+|half|bfloat|float|double|ptr)>$/.exec(type);
  if (!vector) {
    const bits = /^i(\d+)$/.exec(type)?.[1];
    return bits === undefined ? layoutOf(type, types).size : Math.ceil(Number(bits) / 8);
  }
  const element = /^i(\d+)$/.exec(vector[2] ?? '')?.[1];
  const bits = element === undefined ? 8 * layoutOf(vector[2] ?? '', types).size : Number(element);
  return Math.ceil((bits * Number(vector[1])) / 8);
}
