import { unsigned } from './wasm-module.ts';

/** An instruction that takes addresses. */
export interface Access {
  readonly name: string;
  readonly opcode: readonly number[];
  /** What follows it; for 64 bits, numbers have the width that a linker leaves them. */
  readonly immediates: (bits: 32 | 64) => readonly number[];
  /** A letter for each: a(ddress), i(32), l (i64), f(32), d (f64), v(ector). */
  readonly operands: string;
  /** The same, or nothing. */
  readonly result: string;
  /** Operands, where not every number will do. */
  readonly values?: readonly number[];
}

/** Name, opcode, binary logarithm of the number of bytes, operands and result. */
const PLAIN = `
  i32.load 28 2 a i        i64.load 29 3 a l        f32.load 2a 2 a f        f64.load 2b 3 a d
  i32.load8_s 2c 0 a i     i32.load8_u 2d 0 a i     i32.load16_s 2e 1 a i    i32.load16_u 2f 1 a i
  i64.load8_s 30 0 a l     i64.load8_u 31 0 a l     i64.load16_s 32 1 a l    i64.load16_u 33 1 a l
  i64.load32_s 34 2 a l    i64.load32_u 35 2 a l
  i32.store 36 2 ai -      i64.store 37 3 al -      f32.store 38 2 af -      f64.store 39 3 ad -
  i32.store8 3a 0 ai -     i32.store16 3b 1 ai -
  i64.store8 3c 0 al -     i64.store16 3d 1 al -    i64.store32 3e 2 al -`;

const VECTOR = `
  v128.load 00 4 a v       v128.load8x8_s 01 3 a v  v128.load8x8_u 02 3 a v   v128.load16x4_s 03 3 a v
  v128.load16x4_u 04 3 a v v128.load32x2_s 05 3 a v v128.load32x2_u 06 3 a v
  v128.load8_splat 07 0 a v   v128.load16_splat 08 1 a v   v128.load32_splat 09 2 a v   v128.load64_splat 0a 3 a v
  v128.store 0b 4 av -     v128.load32_zero 5c 2 a v   v128.load64_zero 5d 3 a v`;

const LANES = `
  v128.load8_lane 54 0 av v   v128.load16_lane 55 1 av v   v128.load32_lane 56 2 av v   v128.load64_lane 57 3 av v
  v128.store8_lane 58 0 av -  v128.store16_lane 59 1 av -  v128.store32_lane 5a 2 av -  v128.store64_lane 5b 3 av -`;

/** Each for two types and five parts of them. */
const TYPES = ['i32 2 i', 'i64 3 l', 'i32.8_u 0 i', 'i32.16_u 1 i', 'i64.8_u 0 l', 'i64.16_u 1 l', 'i64.32_u 2 l'];
const ATOMICS = 'load 10 a x,store 17 ax -,add 1e ax x,sub 25 ax x,and 2c ax x,or 33 ax x,xor 3a ax x,xchg 41 ax x';
const COMPARE_EXCHANGE = 'cmpxchg 48 axx x';

const OFFSET = 24;

function rows(text: string, prefix: readonly number[], after: readonly number[] = []): Access[] {
  return [...text.matchAll(/(\S+) ([0-9a-f]{2}) (\d) ([a-z]+) (\S)/g)].map(
    ([, name = '', opcode = '', log = '', operands = '', result = '']) => ({
      name,
      opcode: [...prefix, Number.parseInt(opcode, 16)],
      immediates: (bits) => [Number(log), ...unsigned(OFFSET, bits === 64 ? 10 : 1), ...after],
      operands,
      result: result.replace('-', ''),
    }),
  );
}

const ATOMIC_ROWS = `${ATOMICS},${COMPARE_EXCHANGE}`.split(',').flatMap((operation) => {
  const [what = '', first = '', operands = '', result = ''] = operation.split(' ');
  return TYPES.map((type, i) => {
    const [which = '', log = '', letter = ''] = type.split(' ');
    const opcode = (Number.parseInt(first, 16) + i).toString(16);
    return `${which}.atomic.${what} ${opcode} ${log} ${operands.replaceAll('x', letter)} ${result.replace('x', letter)}`;
  });
});

/** Every instruction with addresses in memory that the features of the device's target have. */
export const ACCESSES: readonly Access[] = [
  ...rows(PLAIN, []),
  ...rows(VECTOR, [0xfd]),
  ...rows(LANES, [0xfd], [1]),
  ...rows(ATOMIC_ROWS.join(' '), [0xfe]),
  ...rows('notify 00 2 ai i wait32 01 2 ail i wait64 02 3 all i', [0xfe]),
  {
    name: 'memory.fill',
    opcode: [0xfc, 11],
    immediates: () => [0],
    operands: 'aia',
    result: '',
    values: [4096, 0x5a, 300],
  },
  {
    name: 'memory.copy',
    opcode: [0xfc, 10],
    immediates: () => [0, 0],
    operands: 'aaa',
    result: '',
    values: [5000, 4096, 999],
  },
];
