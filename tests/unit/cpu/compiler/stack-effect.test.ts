import { describe, expect, test } from '@jest/globals';
import { ByteReader } from '../../../../src/cpu/compiler/wasm/byte-reader.ts';
import { instructionOf } from '../../../../src/cpu/compiler/wasm/instruction.ts';
import { signed, unsigned } from '../../../helpers/wasm-module.ts';
import { isValid, moduleOf } from '../../../helpers/wide-module.ts';
import { ACCESSES } from '../../../helpers/wasm-accesses.ts';

const DROP = 0x1a;
const UNREACHABLE = 0x00;
const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
/** A value of each type. */
const OPERANDS: readonly (readonly number[])[] = [
  [0x41, ...signed(0)],
  [0x42, ...signed(0)],
  [0x43, ...zeros(4)],
  [0x44, ...zeros(8)],
  [0xfd, 0x0c, ...zeros(16)],
];
/** A value that no number's instruction takes. */
const OTHER = [0xd0, 0x70];

const validates = (code: readonly number[]): boolean => isValid(moduleOf(32, [{ locals: ['i32'], code }]));

/** What the engine lets an instruction take and give: it must leave a value below its operands alone. */
function engineEffect(code: readonly number[]): { readonly takes: number; readonly gives: number } | undefined {
  let lists: (readonly number[])[] = [[]];
  for (let takes = 0; takes <= 3; takes++) {
    for (const operands of lists) {
      for (const gives of [1, 0]) {
        const drops = Array.from({ length: gives + 1 }, () => DROP);
        if (validates([...OTHER, ...operands, ...code, ...drops])) return { takes, gives };
      }
    }
    lists = lists.flatMap((list) => OPERANDS.map((operand) => [...list, ...operand]));
  }
  return undefined;
}

describe('instructions take and give what the engine says', () => {
  const lanes = range(0x15, 0x22).map((opcode) => [0xfd, opcode, 0]);
  const all = [
    [DROP],
    [0x1b],
    ...[0x20, 0x21, 0x22].map((opcode) => [opcode, 0]),
    [0x23, 0],
    ...OPERANDS,
    ...range(0x45, 0xc4).map((opcode) => [opcode]),
    ...range(0, 7).map((opcode) => [0xfc, opcode]),
    [0xfd, 0x0d, ...zeros(16)],
    ...lanes,
    ...[...range(0x0e, 0x14), ...range(0x23, 0x53), ...range(0x5e, 0xff)].map((opcode) => [0xfd, ...unsigned(opcode)]),
    ...ACCESSES.map(({ opcode, immediates }) => [...opcode, ...immediates(32)]),
  ].filter((code) => validates([UNREACHABLE, ...code, UNREACHABLE]));

  test.each(all.map((code) => [Buffer.from(code).toString('hex'), code] as const))('%s', (_, code) => {
    const { effect } = instructionOf(new ByteReader(Uint8Array.from(code)));
    // What has no effect in the table ends the straight-line code, and is allowed to.
    if (effect) expect(effect).toEqual(engineEffect(code));
    else expect([0xfc, 0xfe]).toContain(code[0]);
  });

  test('all of them', () => {
    expect(all.length).toBeGreaterThan(430);
  });
});
