import type { Access } from './wasm-accesses.ts';
import { signed, unsigned, type TypeName } from './wasm-module.ts';
import type { TestFunction } from './wide-module.ts';

const WRAP = 0xa7;
const I64_ADD = 0x7c;
const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const i64 = (value: number | bigint): number[] => [0x42, ...signed(value)];

const PARAMETERS: Readonly<Record<string, TypeName>> = { a: 'i64', i: 'i32', l: 'i64', f: 'f32', d: 'f64', v: 'i64' };
/** Values of operands by their letters. */
export const DISTINCT: Readonly<Record<string, readonly (number | bigint)[]>> = {
  i: [0x1234_5678, 0x0fed_cba9],
  l: [0x1122_3344_5566_7788n, 0x7edc_ba98_7654_3210n],
  f: [1.5, 2.5],
  d: [-1e300, 3],
  v: [0x0102_0304_0506_0708n, 0x1112_1314_1516_1718n],
};

/** The access with the function's parameters: a vector comes as 64 bits twice, and goes as a sum. */
export function accessOf({ opcode, immediates, operands, result }: Access, bits: 32 | 64): TestFunction {
  const letters = Array.from(operands);
  const operandOf = (letter: string, i: number): number[] => {
    if (letter === 'v') return [...get(i), 0xfd, 0x12];
    return letter === 'a' && bits === 32 ? [...get(i), WRAP] : get(i);
  };
  // Locals of the function's own keep their numbers.
  const vector = letters.length + 1;
  const lane = (i: number): number[] => [...get(vector), 0xfd, 0x1d, i];
  const sum = [...set(vector), ...lane(0), ...lane(1), ...i64(7), 0x7e, I64_ADD];
  return {
    parameters: letters.map((letter) => PARAMETERS[letter] ?? 'i64'),
    results: result === '' ? [] : [PARAMETERS[result] ?? 'i64'],
    locals: ['f64', 'v128'],
    code: [...letters.flatMap(operandOf), ...opcode, ...immediates(bits), ...(result === 'v' ? sum : [])],
  };
}
