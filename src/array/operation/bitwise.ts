import { INTEGERS, type Row } from './operation.ts';

const BITS = ['bool', ...INTEGERS] as const;

function bits(sign: string): Row<2, 'same'> {
  return { arity: 2, rule: 'same', kinds: BITS, text: ([a = '', b = ''], t) => `(${t})(${a} ${sign} ${b})` };
}

/** Operations on the bits of integers; of truth values they are the logical ones. */
export interface BitwiseOperations {
  /** The bits that both have. */
  readonly bitwiseAnd: Row<2, 'same'>;
  /** The bits that one has. */
  readonly bitwiseOr: Row<2, 'same'>;
  /** The bits that exactly one has. */
  readonly bitwiseXor: Row<2, 'same'>;
  /** The bits that it does not have. */
  readonly bitwiseInvert: Row<1, 'same'>;
  /** The bits of the first moved up by the second; by the width or more it is 0. */
  readonly bitwiseLeftShift: Row<2, 'same'>;
  /** The bits of the first moved down by the second; the sign stays. */
  readonly bitwiseRightShift: Row<2, 'same'>;
  /** How many bits of the absolute value are 1. */
  readonly bitwiseCount: Row<1, 'count'>;
  /** The greatest common divisor, not negative. */
  readonly gcd: Row<2, 'same'>;
  /** The least common multiple, not negative; of 0 it is 0. */
  readonly lcm: Row<2, 'same'>;
}

export const bitwiseOperations: BitwiseOperations = {
  bitwiseAnd: bits('&'),
  bitwiseOr: bits('|'),
  bitwiseXor: bits('^'),
  bitwiseInvert: {
    arity: 1,
    rule: 'same',
    kinds: BITS,
    text: ([a = ''], t) => (t === 'bool' ? `(!${a})` : `(${t})(~${a})`),
  },
  bitwiseLeftShift: {
    arity: 2,
    rule: 'same',
    kinds: INTEGERS,
    text: ([a = '', b = ''], t) => `shift_left_${t}(${a}, ${b})`,
  },
  bitwiseRightShift: {
    arity: 2,
    rule: 'same',
    kinds: INTEGERS,
    text: ([a = '', b = ''], t) => `shift_right_${t}(${a}, ${b})`,
  },
  bitwiseCount: {
    arity: 1,
    rule: 'count',
    kinds: BITS,
    text: ([a = ''], t) => (t === 'bool' ? `(u8)${a}` : `count_bits_${t}(${a})`),
  },
  gcd: { arity: 2, rule: 'same', kinds: INTEGERS, text: ([a = '', b = ''], t) => `int_gcd_${t}(${a}, ${b})` },
  lcm: { arity: 2, rule: 'same', kinds: INTEGERS, text: ([a = '', b = ''], t) => `int_lcm_${t}(${a}, ${b})` },
};
