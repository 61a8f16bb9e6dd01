import { WasmError, type ByteReader } from './byte-reader.ts';
import { Prefix, stackEffectOf, type StackEffect } from './stack-effect.ts';

const { BULK, VECTOR, ATOMIC } = Prefix;

/** The immediates of an opcode: one of these kinds, or a number of bytes. */
export type Immediates =
  'none' | 'number' | 'signed' | 'numbers' | 'global' | 'block' | 'labels' | 'types' | 'memory' | 'lane' | Bytes;

type Bytes = 1 | 4 | 8 | 16;

/** The facts that are needed to skip an instruction and to change the size of its addresses. */
export interface Instruction {
  readonly immediates: Immediates;
  /**
   * The topmost operands of the stack, the last one on top, beginning with the first address, table index or number of
   * pages or elements. One letter each: such an operand (a), i32 (i), i64 (l), f32 (f), f64 (d), v128 (v), an element
   * of the table (r).
   */
  readonly operands: string;
  /** The result is a number of pages or elements. */
  readonly counts: boolean;
  /** What it takes from the stack and gives; undefined for calls, branches and others that do not tell by their opcode. */
  readonly effect: StackEffect | undefined;
}

type Row = readonly [first: number, last: number, immediates: Immediates, operands?: string, counts?: 'counts'];

/** The types that each atomic operation comes with: i32, i64, then parts of them. */
const ATOMIC_TYPES = 'iliilll';
const ATOMIC_STORES = 0x17;
const ATOMIC_CMPXCHG = 0x48;
const ATOMIC_END = 0x4f;

/** Every instruction of the features that clang may use; other instructions are refused. */
const ROWS: Readonly<Record<Prefix, readonly Row[]>> = {
  [Prefix.NONE]: [
    [0x00, 0x01, 'none'],
    [0x02, 0x04, 'block'],
    [0x05, 0x05, 'none'],
    [0x0b, 0x0b, 'none'],
    [0x0c, 0x0d, 'number'],
    [0x0e, 0x0e, 'labels'],
    [0x0f, 0x0f, 'none'],
    [0x10, 0x10, 'number'],
    [0x11, 0x11, 'numbers', 'a'], // call_indirect
    [0x12, 0x12, 'number'],
    [0x13, 0x13, 'numbers', 'a'], // return_call_indirect
    [0x1a, 0x1b, 'none'],
    [0x1c, 0x1c, 'types'],
    [0x20, 0x22, 'number'],
    [0x23, 0x23, 'global'], // global.get
    [0x24, 0x24, 'number'],
    [0x25, 0x25, 'number', 'a'], // table.get
    [0x26, 0x26, 'number', 'ar'], // table.set
    [0x28, 0x35, 'memory', 'a'], // loads
    [0x36, 0x36, 'memory', 'ai'],
    [0x37, 0x37, 'memory', 'al'],
    [0x38, 0x38, 'memory', 'af'],
    [0x39, 0x39, 'memory', 'ad'],
    [0x3a, 0x3b, 'memory', 'ai'], // i32.store8 and 16
    [0x3c, 0x3e, 'memory', 'al'], // i64.store8, 16 and 32
    [0x3f, 0x3f, 'number', '', 'counts'], // memory.size
    [0x40, 0x40, 'number', 'a', 'counts'], // memory.grow
    [0x41, 0x42, 'signed'],
    [0x43, 0x43, 4],
    [0x44, 0x44, 8],
    [0x45, 0xc4, 'none'],
    [0xd0, 0xd0, 'number'],
    [0xd1, 0xd1, 'none'],
    [0xd2, 0xd2, 'number'],
  ],
  [BULK]: [
    [0, 7, 'none'],
    [8, 8, 'numbers', 'aii'], // memory.init
    [9, 9, 'number'],
    [10, 10, 'numbers', 'aaa'], // memory.copy
    [11, 11, 'number', 'aia'], // memory.fill
    [12, 12, 'numbers', 'aii'], // table.init
    [13, 13, 'number'],
    [14, 14, 'numbers', 'aaa'], // table.copy
    [15, 15, 'number', 'a', 'counts'], // table.grow, whose other operand lies below
    [16, 16, 'number', '', 'counts'], // table.size
    [17, 17, 'number', 'ara'], // table.fill
  ],
  [VECTOR]: [
    [0x00, 0x0a, 'memory', 'a'], // loads
    [0x0b, 0x0b, 'memory', 'av'],
    [0x0c, 0x0d, 16],
    [0x0e, 0x14, 'none'],
    [0x15, 0x22, 1],
    [0x23, 0x53, 'none'],
    [0x54, 0x5b, 'lane', 'av'], // loads and stores of one lane
    [0x5c, 0x5d, 'memory', 'a'], // loads that fill up with zeros
    [0x5e, 0x99, 'none'],
    [0x9b, 0xa1, 'none'],
    [0xa3, 0xa4, 'none'],
    [0xa7, 0xae, 'none'],
    [0xb1, 0xb1, 'none'],
    [0xb5, 0xba, 'none'],
    [0xbc, 0xc1, 'none'],
    [0xc3, 0xc4, 'none'],
    [0xc7, 0xce, 'none'],
    [0xd1, 0xd1, 'none'],
    [0xd5, 0xe1, 'none'],
    [0xe3, 0xed, 'none'],
    [0xef, 0xff, 'none'],
  ],
  [ATOMIC]: [
    [0x00, 0x00, 'memory', 'ai'], // notify
    [0x01, 0x01, 'memory', 'ail'], // wait32
    [0x02, 0x02, 'memory', 'all'], // wait64
    [0x03, 0x03, 1], // fence
    [0x10, 0x16, 'memory', 'a'], // loads
    ...Array.from({ length: ATOMIC_END - ATOMIC_STORES }, (_, i): Row => {
      const opcode = ATOMIC_STORES + i;
      const type = ATOMIC_TYPES[i % ATOMIC_TYPES.length] ?? '';
      return [opcode, opcode, 'memory', opcode < ATOMIC_CMPXCHG ? `a${type}` : `a${type}${type}`];
    }),
  ],
};

const tableOf = (prefix: Prefix): readonly (Instruction | undefined)[] => {
  const table: (Instruction | undefined)[] = Array.from({ length: 256 });
  for (const [first, last, immediates, operands = '', counts] of ROWS[prefix]) {
    for (let opcode = first; opcode <= last; opcode++) {
      const effect = stackEffectOf(prefix, opcode, operands);
      table[opcode] = { immediates, operands, counts: counts !== undefined, effect };
    }
  }
  return table;
};

const PLAIN = tableOf(Prefix.NONE);
const PREFIXED: ReadonlyMap<number, ReturnType<typeof tableOf>> = new Map(
  [BULK, VECTOR, ATOMIC].map((prefix) => [prefix, tableOf(prefix)]),
);

/** The instructions that copy and fill memory. */
export const MEMORY_COPY: Instruction | undefined = PREFIXED.get(BULK)?.[10];
export const MEMORY_FILL: Instruction | undefined = PREFIXED.get(BULK)?.[11];

/** Read an opcode. */
export function instructionOf(code: ByteReader): Instruction {
  const first = code.byte();
  const plain = PLAIN[first];
  if (plain) return plain;
  const table = PREFIXED.get(first);
  const second = table ? code.leb() : 0;
  const instruction = table?.[second];
  if (instruction) return instruction;
  const hex = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;
  throw new WasmError(`unknown instruction ${hex(first)}${table ? ` ${hex(second)}` : ''}`);
}
