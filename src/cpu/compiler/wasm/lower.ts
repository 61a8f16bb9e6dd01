import { ByteReader, WasmError } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { FunctionLowering } from './function-lowering.ts';
import { PeerQuestion } from './peer-question.ts';

/**
 * Rewrite a module with 64-bit addresses for a memory and tables with 32-bit addresses, which every version of Node
 * has. Pointers have 8 bytes wherever they are stored, passed or computed; an access ignores the upper half. The import
 * `env.__table_base` becomes an i32, since segments of tables begin there. Names and other custom sections are removed,
 * except for the linker's `dylink.0`.
 *
 * @param peers - ask before each access whether the running context may reach the memory ({@link PeerQuestion})
 * @throws WasmError the module has something that clang and its linker do not generate for kernels
 */
export function lower(wasm: Uint8Array, peers = false): Uint8Array {
  return new ModuleLowering(wasm, peers).lower();
}

const HEADER_BYTES = 8;
const Section = {
  CUSTOM: 0,
  TYPE: 1,
  IMPORT: 2,
  FUNCTION: 3,
  TABLE: 4,
  MEMORY: 5,
  GLOBAL: 6,
  EXPORT: 7,
  START: 8,
  ELEMENT: 9,
  CODE: 10,
  DATA: 11,
  DATA_COUNT: 12,
} as const;
const Kind = { FUNCTION: 0, TABLE: 1, MEMORY: 2, GLOBAL: 3 } as const;
const Limits = { MAXIMUM: 1, SHARED: 2, WIDE: 4 } as const;
const Segment = { NOT_ACTIVE: 1, NUMBERED: 2, EXPRESSIONS: 4 } as const;

const FUNCTION_TYPE = 0x60;
const I32 = 0x7f;
const END = 0x0b;
const GLOBAL_GET = 0x23;
const I32_CONST = 0x41;
const I64_CONST = 0x42;
const REF_NULL = 0xd0;
const REF_FUNC = 0xd2;

class ModuleLowering {
  readonly #reader: ByteReader;
  /** How many parameters each type of function has, and each function that is not imported. */
  readonly #typeParameters: number[] = [];
  readonly #parameters: number[] = [];
  readonly #tables: number[] = [];
  readonly #narrowed = new Set<number>();
  #globals = 0;
  #memories = 0;
  readonly #peers: boolean;
  /** The question before each access, once the numbers of its globals are known. */
  #question: PeerQuestion | undefined;

  constructor(wasm: Uint8Array, peers: boolean) {
    this.#reader = new ByteReader(wasm);
    this.#peers = peers;
  }

  lower(): Uint8Array {
    const reader = this.#reader;
    const out = new ByteWriter(2 * reader.end);
    reader.skip(HEADER_BYTES);
    out.copy(reader.bytes, 0, HEADER_BYTES);
    while (!reader.done) {
      const id = reader.byte();
      const content = reader.part(reader.leb());
      if (id === Section.CUSTOM && !isLink(content)) continue;
      if (id === Section.EXPORT && this.#peers && !this.#question) {
        out.byte(Section.GLOBAL);
        out.counted(this.#withQuestion(new ByteReader(Uint8Array.of(0))));
      }
      out.byte(id);
      out.counted(this.#section(id, content));
    }
    return out.bytes;
  }

  #section(id: number, content: ByteReader): Uint8Array {
    switch (id) {
      case Section.TYPE:
        return each(content, (_, out) => this.#type(content, out));
      case Section.IMPORT:
        return each(content, (_, out) => this.#import(content, out));
      case Section.FUNCTION:
        return each(content, (_, out) => {
          const type = content.leb();
          this.#parameters.push(this.#typeParameters[type] ?? 0);
          out.leb(type);
        });
      case Section.TABLE:
        return each(content, (_, out) => this.#table(content, out));
      case Section.MEMORY:
        return each(content, (_, out) => this.#memory(content, out));
      case Section.ELEMENT:
        return each(content, (_, out) => this.#elements(content, out));
      case Section.CODE: {
        const around = { tables: this.#tables, narrowed: this.#narrowed, question: this.#question };
        const functions = new FunctionLowering(around);
        return each(content, (i, out) => functions.lower(content.part(content.leb()), this.#parameters[i] ?? 0, out));
      }
      case Section.DATA:
        return each(content, (_, out) => this.#data(content, out));
      case Section.GLOBAL:
        return this.#peers ? this.#withQuestion(content) : rest(content);
      case Section.EXPORT:
        return this.#question ? this.#question.addExports(content) : rest(content);
      case Section.CUSTOM:
      case Section.START:
      case Section.DATA_COUNT:
        return rest(content);
      default:
        throw new WasmError(`a section of kind ${id}`);
    }
  }

  /** The section of globals with those of the question behind the others. */
  #withQuestion(content: ByteReader): Uint8Array {
    const count = content.leb();
    this.#question = new PeerQuestion(this.#globals + count);
    return this.#question.addGlobals(content, count);
  }

  #type(content: ByteReader, out: ByteWriter): void {
    const from = content.at;
    const form = content.byte();
    if (form !== FUNCTION_TYPE) throw new WasmError(`a type of form ${form}`);
    const parameters = content.leb();
    this.#typeParameters.push(parameters);
    for (let i = 0; i < parameters; i++) content.type();
    for (let results = content.leb(); results > 0; results--) content.type();
    out.copy(content.bytes, from, content.at);
  }

  #import(content: ByteReader, out: ByteWriter): void {
    const from = content.at;
    const module = content.name();
    const name = content.name();
    const kind = content.byte();
    out.copy(content.bytes, from, content.at);
    switch (kind) {
      case Kind.FUNCTION:
        out.leb(content.leb());
        break;
      case Kind.TABLE:
        this.#table(content, out);
        break;
      case Kind.MEMORY:
        this.#memory(content, out);
        break;
      case Kind.GLOBAL: {
        const narrowed = module === 'env' && name === '__table_base';
        if (narrowed) this.#narrowed.add(this.#globals);
        this.#globals++;
        const type = content.type();
        out.byte(narrowed ? I32 : type);
        out.byte(content.byte());
        break;
      }
      default:
        throw new WasmError(`an import of kind ${kind}`);
    }
  }

  #table(content: ByteReader, out: ByteWriter): void {
    const type = content.type();
    this.#tables.push(type);
    out.byte(type);
    narrowLimits(content, out);
  }

  #memory(content: ByteReader, out: ByteWriter): void {
    if (++this.#memories > 1) throw new WasmError('a second memory');
    narrowLimits(content, out);
  }

  #elements(content: ByteReader, out: ByteWriter): void {
    const flags = content.leb();
    out.leb(flags);
    if ((flags & Segment.NOT_ACTIVE) === 0) {
      if (flags & Segment.NUMBERED) out.leb(content.leb());
      this.#offset(content, out);
    }
    const from = content.at;
    if (flags & (Segment.NOT_ACTIVE | Segment.NUMBERED)) content.skip(1);
    for (let elements = content.leb(); elements > 0; elements--) {
      if (flags & Segment.EXPRESSIONS) skipReference(content);
      else content.skipLeb();
    }
    out.copy(content.bytes, from, content.at);
  }

  #data(content: ByteReader, out: ByteWriter): void {
    const flags = content.leb();
    out.leb(flags);
    if ((flags & Segment.NOT_ACTIVE) === 0) {
      if (flags & Segment.NUMBERED) out.leb(content.leb());
      this.#offset(content, out);
    }
    const { bytes, at, end } = content.part(content.leb());
    out.counted(bytes.subarray(at, end));
  }

  /** Where an active segment begins. */
  #offset(content: ByteReader, out: ByteWriter): void {
    const opcode = content.byte();
    if (opcode === I64_CONST) {
      const value = content.signed();
      if (value < 0 || value >= 2 ** 32) throw new WasmError(`a segment at ${value}`);
      out.byte(I32_CONST);
      out.signed(value | 0);
    } else {
      const global = content.leb();
      if (opcode !== GLOBAL_GET || !this.#narrowed.has(global)) throw new WasmError('a segment at a place of 64 bits');
      out.byte(GLOBAL_GET);
      out.leb(global);
    }
    end(content);
    out.byte(END);
  }
}

/** A section as it is. */
function rest({ bytes, at, end }: ByteReader): Uint8Array {
  return bytes.subarray(at, end);
}

/** Whether a custom section is the linker's. */
function isLink({ bytes, at, end }: ByteReader): boolean {
  return new ByteReader(bytes, at, end).name() === 'dylink.0';
}

/** Lower a section that is a list. */
function each(content: ByteReader, lowerOne: (i: number, out: ByteWriter) => void): Uint8Array {
  const out = new ByteWriter(2 * (content.end - content.at));
  const count = content.leb();
  out.leb(count);
  for (let i = 0; i < count; i++) lowerOne(i, out);
  if (!content.done) throw new WasmError('a section longer than what is in it');
  return out.bytes;
}

function narrowLimits(content: ByteReader, out: ByteWriter): void {
  const flags = content.byte();
  if (!(flags & Limits.WIDE)) throw new WasmError('a memory or a table of 32 bits');
  if (flags > (Limits.MAXIMUM | Limits.SHARED | Limits.WIDE)) throw new WasmError(`limits of kind ${flags}`);
  out.byte(flags & ~Limits.WIDE);
  for (let numbers = flags & Limits.MAXIMUM ? 2 : 1; numbers > 0; numbers--) {
    const limit = content.leb();
    if (limit >= 2 ** 32) throw new WasmError(`a limit of ${limit}`);
    out.leb(limit);
  }
}

/** Go past an element that is an expression. */
function skipReference(content: ByteReader): void {
  const opcode = content.byte();
  if (opcode !== REF_NULL && opcode !== REF_FUNC && opcode !== GLOBAL_GET)
    throw new WasmError('an element that is computed');
  content.skipLeb();
  end(content);
}

function end(content: ByteReader): void {
  if (content.byte() !== END) throw new WasmError('an expression that goes on');
}
