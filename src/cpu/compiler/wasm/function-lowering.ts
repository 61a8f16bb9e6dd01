import { WasmError, type ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { instructionOf, skipCommon, type Instruction } from './instruction.ts';

/** The parts of a module that its functions refer to by index. */
export interface Surroundings {
  /** The element type of each table. */
  readonly tables: readonly number[];
  /** Globals that had 64 bits and have 32. */
  readonly narrowed: ReadonlySet<number>;
}

const DROP = 0x1a;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const I32_CONST = 0x41;
const I32_WRAP_I64 = 0xa7;
const I64_EXTEND_I32_S = 0xac;
const I64_EXTEND_I32_U = 0xad;

const I32 = 0x7f;
const TYPES: Readonly<Record<string, number>> = { a: I32, i: I32, l: 0x7e, f: 0x7d, d: 0x7c, v: 0x7b };
/** In place of an alignment's bit 6: the memory has a number. */
const NUMBERED = 0x40;
/** Twice this is in no memory of 32 bits, and its alignment is that of every access. */
const BEYOND = 2 ** 32 - 16;

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

  #lowerCode(body: ByteReader): void {
    const code = this.#code;
    const { bytes } = body;
    let copied = body.at;
    skipCommon(body);
    while (!body.done) {
      const start = body.at;
      const instruction = instructionOf(body);
      if (instruction.operands !== '' || instruction.counts) {
        code.copy(bytes, copied, start);
        copied = this.#lowerInstruction(instruction, body, start);
      } else if (instruction.immediates === 'global') {
        if (this.#around.narrowed.has(body.leb())) {
          code.copy(bytes, copied, body.at);
          copied = body.at;
          code.byte(I64_EXTEND_I32_U);
        }
      } else skipImmediates(instruction, body);
      skipCommon(body);
    }
    code.copy(bytes, copied, body.at);
  }

  /** @returns up to where the instruction is written */
  #lowerInstruction(instruction: Instruction, body: ByteReader, start: number): number {
    const { immediates, operands, counts } = instruction;
    const code = this.#code;
    const opcodeEnd = body.at;
    if (immediates === 'memory' || immediates === 'lane') {
      const alignment = body.leb();
      if (alignment >= NUMBERED) throw new WasmError('an access to a memory with a number');
      const offset = body.leb();
      const reached = offset < 2 ** 32;
      this.#narrow(operands, 0, reached);
      code.copy(body.bytes, start, opcodeEnd);
      code.leb(alignment);
      code.leb(reached ? offset : BEYOND);
      const end = body.at;
      if (immediates === 'lane') body.skip(1);
      return end;
    }
    const first = skipImmediates(instruction, body);
    this.#narrow(operands, this.#around.tables[first] ?? 0, true);
    code.copy(body.bytes, start, body.at);
    // Growth fails with -1, which must stay -1 in 64 bits. No number of pages or elements has the sign bit of 32 bits.
    if (counts) code.byte(I64_EXTEND_I32_S);
    return body.at;
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
    const type = TYPES[letter ?? ''] ?? element;
    const key = (type << 2) | place;
    let local = this.#places.get(key);
    if (local === undefined) {
      local = this.#locals + this.#added.length;
      this.#added.push(type);
      this.#places.set(key, local);
    }
    this.#code.byte(opcode);
    this.#code.leb(local);
  }
}

/**
 * Skip the immediates of an opcode.
 *
 * @returns the first immediate, if it is an unsigned number
 */
function skipImmediates({ immediates }: Instruction, body: ByteReader): number {
  switch (immediates) {
    case 'none':
      break;
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
