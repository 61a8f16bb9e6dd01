/** The numbers of values that an instruction takes from the stack and puts there. */
export interface StackEffect {
  readonly takes: number;
  readonly gives: 0 | 1;
}

type Range = readonly [first: number, last: number];

/** The first byte of opcodes of two parts. */
export const Prefix = { NONE: 0, BULK: 0xfc, VECTOR: 0xfd, ATOMIC: 0xfe } as const;
export type Prefix = (typeof Prefix)[keyof typeof Prefix];

const VARIABLES: Readonly<Record<number, StackEffect>> = {
  0x1a: { takes: 1, gives: 0 }, // drop
  0x1b: { takes: 3, gives: 1 }, // select
  0x20: { takes: 0, gives: 1 }, // local.get
  0x21: { takes: 1, gives: 0 },
  0x22: { takes: 1, gives: 1 },
  0x23: { takes: 0, gives: 1 }, // global.get
  0x24: { takes: 1, gives: 0 },
  0x41: { takes: 0, gives: 1 }, // constants
  0x42: { takes: 0, gives: 1 },
  0x43: { takes: 0, gives: 1 },
  0x44: { takes: 0, gives: 1 },
};

const NUMBERS: Range = [0x45, 0xc4];
/** Of the numbers' instructions, those of one operand; the others have two. */
const UNARY: readonly Range[] = [
  [0x45, 0x45], // i32.eqz
  [0x50, 0x50], // i64.eqz
  [0x67, 0x69],
  [0x79, 0x7b],
  [0x8b, 0x91], // f32.abs …
  [0x99, 0x9f], // f64.abs …
  [0xa7, 0xc4], // conversions
];
/** Of the vectors' instructions without an address, those of one operand. */
const UNARY_VECTOR: readonly Range[] = [
  [0x0f, 0x16], // splats, then lanes that are taken out
  [0x18, 0x19],
  [0x1b, 0x1b],
  [0x1d, 0x1d],
  [0x1f, 0x1f],
  [0x21, 0x21],
  [0x4d, 0x4d], // not
  [0x53, 0x53], // any_true
  [0x5e, 0x64],
  [0x67, 0x6a],
  [0x74, 0x75],
  [0x7a, 0x7a],
  [0x7c, 0x81],
  [0x83, 0x84],
  [0x87, 0x8a],
  [0x94, 0x94],
  [0xa0, 0xa1],
  [0xa3, 0xa4],
  [0xa7, 0xaa],
  [0xc0, 0xc1],
  [0xc3, 0xc4],
  [0xc7, 0xca],
  [0xe0, 0xe1],
  [0xe3, 0xe3],
  [0xec, 0xed],
  [0xef, 0xef],
  [0xf8, 0xff],
];
const V128_CONST = 0x0c;
const BITSELECT = 0x52;
const LAST_SATURATING = 7;
const FIRST_LOAD = 0x28;
const MEMORY_SIZE = 0x3f;

const STORES: Readonly<Partial<Record<Prefix, readonly Range[]>>> = {
  [Prefix.NONE]: [[0x36, 0x3e]],
  [Prefix.VECTOR]: [
    [0x0b, 0x0b],
    [0x58, 0x5b],
  ],
  [Prefix.ATOMIC]: [[0x17, 0x1d]],
};

const isIn = (ranges: readonly Range[] = [], opcode: number): boolean =>
  ranges.some(([first, last]) => first <= opcode && opcode <= last);

/**
 * What an instruction takes and gives; undefined for calls, branches and others whose effect is not in their opcode.
 *
 * @param prefix - the first byte of an opcode of two parts, else 0
 * @param opcode - the opcode, or its second part
 * @param operands - the operands of an access
 */
export function stackEffectOf(prefix: Prefix, opcode: number, operands: string): StackEffect | undefined {
  if (operands.startsWith('a') && isAccess(prefix, opcode)) {
    return { takes: operands.length, gives: isIn(STORES[prefix], opcode) ? 0 : 1 };
  }
  switch (prefix) {
    case Prefix.VECTOR: {
      const takes = opcode === V128_CONST ? 0 : opcode === BITSELECT ? 3 : isIn(UNARY_VECTOR, opcode) ? 1 : 2;
      return { takes, gives: 1 };
    }
    case Prefix.BULK:
      return opcode <= LAST_SATURATING ? { takes: 1, gives: 1 } : undefined;
    case Prefix.NONE:
      return isIn([NUMBERS], opcode) ? { takes: isIn(UNARY, opcode) ? 1 : 2, gives: 1 } : VARIABLES[opcode];
    case Prefix.ATOMIC:
      return undefined;
  }
}

/** An access to memory, not to a table, and not to more than one place. */
function isAccess(prefix: Prefix, opcode: number): boolean {
  return prefix === Prefix.NONE ? opcode >= FIRST_LOAD && opcode < MEMORY_SIZE : prefix !== Prefix.BULK;
}
