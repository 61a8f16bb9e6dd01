import { IrError, NAME, splitList, takeType } from './text.ts';

/** One instruction, its values named `%v12` and its labels `%b3`. */
export interface Instruction {
  readonly result: string | undefined;
  readonly op: string;
  /** Without the result and the debug location. */
  readonly text: string;
  /** Values that it reads. */
  readonly uses: readonly string[];
  /** Number of the debug location's metadata. */
  readonly debug: number | undefined;
  /** Threads do it one after the other, though nothing in the source asks for that. */
  readonly isOrdered?: boolean;
}

/** The value of a phi from one block. */
export interface Incoming {
  readonly value: string;
  readonly block: string;
}

/** Memory that an instruction reads or writes. */
export interface Access {
  readonly kind: 'read' | 'write' | 'atomic';
  readonly type: string;
  readonly pointer: string;
}

const VALUE = /%v\d+\b/g;
const DEBUG = /, !dbg !(\d+)/;
const ARITHMETIC = new Set(
  'add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg freeze load phi'.split(' '),
);
const CASTS = new Set(
  'trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast'.split(' '),
);
const OTHERS = 'icmp fcmp select getelementptr alloca call extractelement insertelement shufflevector extractvalue';
const KNOWN = new Set([
  ...ARITHMETIC,
  ...CASTS,
  ...OTHERS.split(' '),
  ...'insertvalue atomicrmw cmpxchg store fence br switch ret unreachable'.split(' '),
]);

/** Read an instruction with complete names. */
export function readInstruction(line: string): Instruction {
  const debug = DEBUG.exec(line)?.[1];
  const bare = line.replace(DEBUG, '');
  const [, result, text = bare] = /^(%v\d+) = (.*)$/.exec(bare) ?? [];
  const word = /^[a-z]+/.exec(text)?.[0] ?? '';
  const op = word === 'tail' || word === 'musttail' || word === 'notail' ? 'call' : word;
  if (!KNOWN.has(op)) throw new IrError(`unknown instruction '${text}'`);
  return { result, op, text, uses: [...new Set(text.match(VALUE))], debug: debug === undefined ? undefined : +debug };
}

/** An instruction's text with other values in place of its own. */
export function withValues(text: string, replace: (value: string) => string): string {
  return text.replace(VALUE, replace);
}

/** The function that a call names; undefined for a call through a pointer and for other instructions. */
export function calleeOf({ op, text }: Instruction): string | undefined {
  return op === 'call' ? CALLEE.exec(text)?.[1] : undefined;
}

const CALLEE = new RegExp(`@(${NAME})\\(`);

/** The incoming values of a phi. */
export function incomingOf({ text }: Instruction): Incoming[] {
  return [...text.matchAll(/\[ (.+?), %(b\w+) \]/g)].map(([, value = '', block = '']) => ({ value, block }));
}

/** Blocks that a terminator can go to. */
export function labelsOf({ text }: Instruction): string[] {
  return [...text.matchAll(/label %(b\w+)/g)].map(([, label = '']) => label);
}

/** The type of an instruction's result. */
export function resultType({ op, text }: Instruction): string {
  const rest = text.slice(text.indexOf(op) + op.length);
  if (CASTS.has(op)) return takeType(/ to (.*?)(?:, !.*)?$/.exec(rest)?.[1] ?? '').type;
  if (ARITHMETIC.has(op) || op === 'call' || op === 'insertelement' || op === 'insertvalue') return takeType(rest).type;
  const parts = splitList(rest);
  switch (op) {
    case 'getelementptr':
    case 'alloca':
      // A vector of addresses is nothing that clang makes from CUDA C++.
      if (/<\d+ x (?:ptr|i64)>/.test(text)) throw new IrError(`unknown shape '${text}'`);
      return 'ptr';
    case 'icmp':
    case 'fcmp': {
      const lanes = /^<(\d+) x /.exec(takeType(rest).type)?.[1];
      return lanes === undefined ? 'i1' : `<${lanes} x i1>`;
    }
    case 'select':
    case 'atomicrmw':
      return takeType(parts[1] ?? '').type;
    case 'extractelement':
      return elementOf(takeType(rest).type);
    case 'shufflevector': {
      const lanes = /^<(\d+) x /.exec(takeType(parts[2] ?? '').type)?.[1] ?? '';
      return `<${lanes} x ${elementOf(takeType(parts[0] ?? '').type)}>`;
    }
    case 'cmpxchg':
      return `{ ${takeType(parts[1] ?? '').type}, i1 }`;
    case 'extractvalue':
      return partOf(takeType(rest).type, parts[1] ?? '');
    default:
      throw new IrError(`unknown result of '${text}'`);
  }
}

/** The memory that a load, store or atomic operation names. */
export function accessOf({ op, text }: Instruction): Access | undefined {
  const parts = splitList(text.slice(op.length));
  const flags = /^(?:(?:atomic|volatile|weak) )*/;
  const first = (parts[0] ?? '').replace(flags, '');
  const pointer = (part: string | undefined): string => (part ?? '').replace(/^.*?ptr /, '');
  switch (op) {
    case 'load':
      return { kind: 'read', type: takeType(first).type, pointer: pointer(parts[1]) };
    case 'store':
      return { kind: 'write', type: takeType(first).type, pointer: pointer(parts[1]) };
    case 'atomicrmw':
    case 'cmpxchg':
      return { kind: 'atomic', type: takeType(parts[1] ?? '').type, pointer: pointer(parts[0]) };
    default:
      return undefined;
  }
}

/** A store's value, and what follows the address it goes to. */
export function storeOf(
  { text }: Instruction,
  { type, pointer }: Access,
): { readonly value: string; readonly tail: string } {
  const place = `, ptr ${pointer}`;
  const at = text.lastIndexOf(place);
  return { value: text.slice(`store ${type} `.length, at), tail: text.slice(at + place.length) };
}

function elementOf(vector: string): string {
  return /^<\d+ x (.*)>$/.exec(vector)?.[1] ?? '';
}

function partOf(type: string, index: string): string {
  const array = /^\[\d+ x (.*)\]$/.exec(type)?.[1];
  const field = array ?? splitList(/^\{(.*)\}$/.exec(type)?.[1] ?? '')[Number(index)];
  if (field === undefined || !/^\d+$/.test(index)) throw new IrError(`unknown part ${index} of ${type}`);
  return field;
}
