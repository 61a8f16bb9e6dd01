import { expect, test } from '@jest/globals';
import { accessOf, DISTINCT } from '../../../helpers/access-function.ts';
import { ACCESSES } from '../../../helpers/wasm-accesses.ts';
import { runLowered } from '../../../helpers/wide-module.ts';

const TABLE = 60_000;
test.each(ACCESSES.map((access) => [access.name, access] as const))('%s is asked about', (_, access) => {
  const asking = runLowered([accessOf(access, 64)], undefined, true);
  const plain = runLowered([accessOf(access, 64)]);
  const valuesOf = (at: number): unknown[] =>
    Array.from(access.operands, (letter, i) => {
      const value = access.values?.[i];
      return letter === 'a' ? BigInt(value ?? at) : (value ?? DISTINCT[letter]?.[i % 2]);
    });
  const fill = ({ bytes }: typeof plain): void => {
    for (let i = 0; i < 8192; i++) bytes[i] = i * 37 + 11;
  };
  const table = asking.exports['__rk_access'] as { value: number };
  const refused = asking.exports['__rk_refused'] as { value: number };
  table.value = TABLE;
  fill(asking);
  fill(plain);
  expect(asking.call(0, ...valuesOf(4096))).toEqual(plain.call(0, ...valuesOf(4096)));
  expect(Buffer.compare(asking.bytes.subarray(0, 8192), plain.bytes.subarray(0, 8192))).toBe(0);
  expect(refused.value).toBe(0);
  asking.bytes[TABLE] = 1;
  const before = Buffer.from(asking.bytes);
  expect(() => asking.call(0, ...valuesOf(4096))).toThrow(/out of bounds/);
  expect(refused.value).toBeGreaterThan(0);
  expect(Buffer.compare(asking.bytes, before)).toBe(0);
});
