import { WasmError, type ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { AddressTrees, Form, TO_32_BITS, Value } from './address-trees.ts';
import { instructionOf, MEMORY_COPY, MEMORY_FILL, type Instruction } from './instruction.ts';
import type { PeerQuestion } from './peer-question.ts';

/** The parts of a module that its functions refer to by index. */
export interface Surroundings {
  /** The element type of each table. */
  readonly tables: readonly number[];
  /** Globals that had 64 bits and have 32. */
  readonly narrowed: ReadonlySet<number>;
  /** The question before each access, where the process has several devices. */
  readonly question?: PeerQuestion | undefined;
}

const IF = 0x04;
const END = 0x0b;
const DROP = 0x1a;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_CONST = 0x41;
const I64_CONST = 0x42;
const I32_ADD = 0x6a;
const I32_WRAP_I64 = 0xa7;
const I64_EXTEND_I32_S = 0xac;
const I64_EXTEND_I32_U = 0xad;

const I32 = 0x7f;
const TYPES: Readonly<Record<string, number>> = { a: I32, i: I32, l: 0x7e, f: 0x7d, d: 0x7c, v: 0x7b };
/** In place of an alignment's bit 6: the memory has a number. */
const NUMBERED = 0x40;
/** Twice this is in no memory of 32 bits, and its alignment is that of every access. */
const BEYOND = 2 ** 32 - 16;
const MEMORY_END = 2 ** 32;
/**
 * A constant in an address may move into the access's offset, which does not wrap at 32 bits as a sum does, if no valid
 * address is lower: the runtime leaves the first page out.
 */
const MOST_OFFSET = 65_536;

/** The place of the local that a question uses; operands have those below. */
const ASKED = 3;

/** An instruction that changes with the size of addresses. */
interface Change {
  readonly instruction: Instruction;
  readonly start: number;
  readonly opcodeEnd: number;
  end: number;
  /** The offset of an access; else the first immediate, if it is a number. */
  number: number;
  alignment: number;
  /** The instructions that compute the address give 32 bits. */
  known: boolean;
}

/** Rewrites functions with 64-bit addresses for a memory and tables with 32-bit addresses. */
export class FunctionLowering {
  readonly #around: Surroundings;
  readonly #code = new ByteWriter(1 << 16);
  /** The types of the locals that a function gets more than it has, and their numbers by type and place. */
  readonly #added: number[] = [];
  readonly #places = new Map<number, number>();
  #locals = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Write the locals and the code of a function, and their length before them. */
  lower(body: ByteReader, parameters: number, out: ByteWriter): void {
    const groups = body.leb();
    const declared = body.at;
    this.#locals = parameters;
    for (let i = 0; i < groups; i++) {
      this.#locals += body.leb();
      body.type();
    }
    const begin = body.at;
    this.#added.length = 0;
    this.#places.clear();
    this.#code.clear();
    this.#lowerCode(body);

    const locals = new ByteWriter();
    locals.leb(groups + this.#added.length);
    locals.copy(body.bytes, declared, begin);
    for (const type of this.#added) {
      locals.leb(1);
      locals.byte(type);
    }
    out.leb(locals.length + this.#code.length);
    out.copy(locals.bytes);
    out.copy(this.#code.bytes);
  }

  /**
   * Two passes, since the way in which an address is computed is known only at its access: one notes the instructions
   * that change, one writes.
   */
  #lowerCode(body: ByteReader): void {
    const begin = body.at;
    const changes = this.#changesOf(body);
    const code = this.#code;
    const { bytes } = body;
    let copied = begin;
    for (const change of changes) {
      if (change instanceof Value) {
        if (change.form === Form.SAME) continue;
        code.copy(bytes, copied, change.start);
        this.#writeValue(change, bytes);
      } else {
        code.copy(bytes, copied, change.start);
        this.#writeInstruction(change, bytes);
      }
      copied = change.end;
    }
    code.copy(bytes, copied, body.at);
  }

  #changesOf(body: ByteReader): readonly (Value | Change)[] {
    const changes: (Value | Change)[] = [];
    const trees = new AddressTrees();
    const { narrowed } = this.#around;
    while (!body.done) {
      const start = body.at;
      const instruction = instructionOf(body);
      const opcodeEnd = body.at;
      const change: Change = { instruction, start, opcodeEnd, end: 0, number: 0, alignment: 0, known: false };
      const { immediates, operands, counts, effect } = instruction;
      if (immediates === 'memory' || immediates === 'lane') {
        change.alignment = body.leb();
        if (change.alignment >= NUMBERED) throw new WasmError('an access to a memory with a number');
        change.number = body.leb();
        if (immediates === 'lane') body.skip(1);
        if (change.number < MEMORY_END && effect) narrowAddress(change, trees.operand(effect.takes));
      } else change.number = immediateOf(instruction, body);
      change.end = body.at;
      const opcode = body.bytes[start] ?? 0;
      const changed = operands !== '' || counts || (immediates === 'global' && narrowed.has(change.number));
      if (changed) changes.push(change);
      // What is done to the result of an instruction that changes comes after it.
      const value = trees.note(instruction, opcode, change.number, changed ? body.at : start, body.at);
      if (value) changes.push(value);
    }
    return changes;
  }

  #writeValue({ form, start, end, opcode, constant }: Value, bytes: Uint8Array): void {
    const code = this.#code;
    if (form === Form.CUT) {
      code.copy(bytes, start, end);
      code.byte(I32_WRAP_I64);
    } else if (form === Form.NARROW) {
      if (opcode === I64_CONST) {
        code.byte(I32_CONST);
        code.signed(constant | 0);
      } else code.byte(opcode + TO_32_BITS);
    }
  }

  #writeInstruction(change: Change, bytes: Uint8Array): void {
    const { instruction, start, opcodeEnd, end, alignment, number } = change;
    const { immediates, operands, counts } = instruction;
    const code = this.#code;
    if (immediates === 'memory' || immediates === 'lane') {
      const reached = number < MEMORY_END;
      const question = reached ? this.#around.question : undefined;
      if (question) this.#ask(question, change);
      else if (!change.known) this.#narrow(operands, 0, reached);
      code.copy(bytes, start, opcodeEnd);
      code.leb(alignment);
      code.leb(reached ? number : BEYOND);
      if (immediates === 'lane') code.copy(bytes, end - 1, end);
      return;
    }
    this.#narrow(operands, this.#around.tables[number] ?? 0, true);
    if (this.#around.question && isBulk(change)) this.#askBulk(this.#around.question, operands);
    code.copy(bytes, start, end);
    if (immediates === 'global') code.byte(I64_EXTEND_I32_U);
    // Growth fails with -1, which must stay -1 in 64 bits. No number of pages or elements has the sign bit of 32 bits.
    else if (counts) code.byte(I64_EXTEND_I32_S);
  }

  /** Narrow an access's address, and ask whether it may be reached. */
  #ask(question: PeerQuestion, { instruction: { operands }, number, known }: Change): void {
    const code = this.#code;
    for (let i = operands.length - 1; i > 0; i--) this.#local(LOCAL_SET, operands[i], i, 0);
    if (!known) code.byte(I32_WRAP_I64);
    this.#local(LOCAL_TEE, 'i', 0, 0);
    question.write(code, number, this.#localOf(I32, ASKED));
    this.#local(LOCAL_GET, 'i', 0, 0);
    for (let i = 1; i < operands.length; i++) this.#local(LOCAL_GET, operands[i], i, 0);
  }

  /** Ask about the first and the last byte of a copy or a fill, unless it has none. */
  #askBulk(question: PeerQuestion, operands: string): void {
    const code = this.#code;
    const last = operands.length - 1;
    for (let i = last; i >= 0; i--) this.#local(LOCAL_SET, 'i', i, 0);
    this.#local(LOCAL_GET, 'i', last, 0);
    code.byte(IF);
    code.byte(EMPTY);
    for (let i = 0; i < last; i++) {
      if (operands[i] !== 'a') continue;
      this.#local(LOCAL_GET, 'i', i, 0);
      question.write(code, 0, this.#localOf(I32, ASKED));
      this.#local(LOCAL_GET, 'i', i, 0);
      this.#local(LOCAL_GET, 'i', last, 0);
      code.byte(I32_ADD);
      question.write(code, -1, this.#localOf(I32, ASKED));
    }
    code.byte(END);
    for (let i = 0; i <= last; i++) this.#local(LOCAL_GET, 'i', i, 0);
  }

  /**
   * Convert the addresses among the operands to 32 bits. Operands above an address are kept in locals meanwhile.
   *
   * @param element - the element type of the table
   * @param reached - false where the access's offset exceeds 32 bits, so that every access must fail
   */
  #narrow(operands: string, element: number, reached: boolean): void {
    const code = this.#code;
    for (let i = operands.length - 1; i >= 0; i--) {
      if (operands[i] === 'a') {
        if (reached) code.byte(I32_WRAP_I64);
        else {
          code.byte(DROP);
          code.byte(I32_CONST);
          code.signed(BEYOND | 0);
        }
      }
      if (i > 0) this.#local(LOCAL_SET, operands[i], i, element);
    }
    for (let i = 1; i < operands.length; i++) this.#local(LOCAL_GET, operands[i], i, element);
  }

  #local(opcode: number, letter: string | undefined, place: number, element: number): void {
    this.#code.byte(opcode);
    this.#code.leb(this.#localOf(TYPES[letter ?? ''] ?? element, place));
  }

  /** The number of an added local. */
  #localOf(type: number, place: number): number {
    const key = (type << 2) | place;
    let local = this.#places.get(key);
    if (local === undefined) {
      local = this.#locals + this.#added.length;
      this.#added.push(type);
      this.#places.set(key, local);
    }
    return local;
  }
}

/** Whether an instruction copies or fills memory. */
function isBulk({ instruction }: Change): boolean {
  return instruction === MEMORY_COPY || instruction === MEMORY_FILL;
}

/** Compute an access's address with 32 bits, if its instructions are known. */
function narrowAddress(change: Change, address: Value | undefined): void {
  if (!address) return;
  change.known = true;
  const offset = address.leaveOffset(Math.min(MOST_OFFSET, MEMORY_END - 1 - change.number));
  change.number += offset;
  if (offset > 0) address.left?.narrow();
  else address.narrow();
}

/**
 * Go past the immediates of an opcode.
 *
 * @returns the first immediate, if it is a number
 */
function immediateOf(instruction: Instruction, body: ByteReader): number {
  const { immediates } = instruction;
  switch (immediates) {
    case 'none':
      break;
    case 'signed':
      return body.signed();
    case 'number':
    case 'global':
      return body.leb();
    case 'numbers': {
      const first = body.leb();
      body.skipLeb();
      return first;
    }
    case 'block':
      skipBlockType(body);
      break;
    case 'labels':
      // The last one comes for all that have no label of their own.
      for (let labels = body.leb() + 1; labels > 0; labels--) body.skipLeb();
      break;
    case 'types':
      for (let types = body.leb(); types > 0; types--) body.type();
      break;
    case 'memory':
    case 'lane':
      throw new WasmError('an access without an address');
    default:
      body.skip(immediates);
  }
  return 0;
}

const EMPTY = 0x40;

/** Nothing, a type, or the number of a function's type. */
function skipBlockType(body: ByteReader): void {
  const first = body.bytes[body.at] ?? 0;
  if (first >= 0x80) body.skipLeb();
  else if (first <= EMPTY) body.skip(1);
  else body.type();
}
