import type { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { GRANULE_SHIFT, PEER_EXPORTS } from '../../abi/peers.ts';

const IF = 0x04;
const NOTHING = 0x40;
const END = 0x0b;
const LOCAL_GET = 0x20;
const LOCAL_TEE = 0x22;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I32_LOAD8_U = 0x2d;
const I32_CONST = 0x41;
const I32_ADD = 0x6a;
const I32_SHR_U = 0x76;
const I32 = 0x7f;
const MUTABLE = 1;
const GLOBAL_EXPORT = 3;
const DROP = 0x1a;
/** Twice this is beyond every memory of 32 bits. */
const BEYOND = 2 ** 32 - 16;

/**
 * The question before an access in a process with several devices: whether the running context may reach the memory. A
 * table has a byte for each granule of the memory, which is not 0 where it may not. One global has the table's address,
 * another the address of the access that was refused, which traps like an access beyond the memory.
 */
export class PeerQuestion {
  /** The number of the table's global; the other one follows. */
  readonly #table: number;

  constructor(firstGlobal: number) {
    this.#table = firstGlobal;
  }

  /** The section of globals with these two. */
  addGlobals(content: ByteReader, count: number): Uint8Array {
    const out = extended(content, count);
    for (let i = 0; i < PEER_EXPORTS.length; i++) {
      for (const byte of [I32, MUTABLE, I32_CONST, 0, END]) out.byte(byte);
    }
    return out.bytes;
  }

  /** The section of exports with these two. */
  addExports(content: ByteReader): Uint8Array {
    const out = extended(content, content.leb());
    for (const [i, name] of PEER_EXPORTS.entries()) {
      out.counted(Buffer.from(name));
      out.byte(GLOBAL_EXPORT);
      out.leb(this.#table + i);
    }
    return out.bytes;
  }

  /**
   * Write the question about the address on the stack, which it takes.
   *
   * @param offset - the access's offset
   * @param local - a local of 32 bits, which gets another value
   */
  write(code: ByteWriter, offset: number, local: number): void {
    if (offset !== 0) {
      code.byte(I32_CONST);
      code.signed(offset | 0);
      code.byte(I32_ADD);
    }
    numbered(code, LOCAL_TEE, local);
    code.byte(I32_CONST);
    code.signed(GRANULE_SHIFT);
    code.byte(I32_SHR_U);
    numbered(code, GLOBAL_GET, this.#table);
    code.byte(I32_ADD);
    load(code, 0);
    code.byte(IF);
    code.byte(NOTHING);
    numbered(code, LOCAL_GET, local);
    numbered(code, GLOBAL_SET, this.#table + 1);
    code.byte(I32_CONST);
    code.signed(BEYOND | 0);
    load(code, BEYOND);
    code.byte(DROP);
    code.byte(END);
  }
}

function load(code: ByteWriter, offset: number): void {
  code.byte(I32_LOAD8_U);
  code.leb(0);
  code.leb(offset);
}

function numbered(code: ByteWriter, opcode: number, number: number): void {
  code.byte(opcode);
  code.leb(number);
}

/** A list that gets two more items. */
function extended({ bytes, at, end }: ByteReader, count: number): ByteWriter {
  const out = new ByteWriter(end - at + 64);
  out.leb(count + PEER_EXPORTS.length);
  out.copy(bytes, at, end);
  return out;
}
