import { expect, test } from '@jest/globals';
import { argumentChecks } from '../../../src/ffi/check.ts';
import { entriesOf, parsePrototype, typesOf } from '../../../src/ffi/prototype.ts';
import { versionText } from '../../../src/nccl/version.ts';
import { UNIQUE_ID_BYTES } from '../../../src/nccl/sys/enums.ts';
import { functions, since } from '../../../src/nccl/sys/nccl.ts';
import { configSizes, structs } from '../../../src/nccl/sys/structs.ts';

const rows = [...entriesOf(functions)];

test('each prototype names its own function, and all its types are known', () => {
  for (const [name, text] of rows) {
    const prototype = parsePrototype(text);
    expect(prototype.symbol).toBe(name);
    expect(() => argumentChecks(prototype, typesOf(functions))).not.toThrow();
  }
});

test('a version is named for functions of the table only', () => {
  expect(Object.keys(since).filter((name) => !rows.some(([known]) => known === name))).toEqual([]);
});

test('the id travels by value: anything but its 128 bytes is refused, as a library would read past it', () => {
  const check = argumentChecks(parsePrototype(functions.COMMUNICATORS.ncclCommInitRank), typesOf(functions));
  const call =
    (id: unknown): (() => void) =>
    () =>
      check([new BigUint64Array(1), 2, id, 0]);
  expect(call({ internal: new Uint8Array(UNIQUE_ID_BYTES) })).not.toThrow();
  const wrong = 'ncclCommInitRank: commId must be { internal: 128 bytes }';
  for (const id of [
    new Uint8Array(128),
    { internal: new Uint8Array(127) },
    { reserved: new Uint8Array(128) },
    null,
    0n,
  ]) {
    expect(call(id)).toThrow(wrong);
  }
});

test('a config of each version ends where a field ends', () => {
  const { size, fields } = structs.ncclConfig_t;
  expect(configSizes[0]?.[1]).toBe(size);
  const offsets: readonly number[] = Object.values(fields);
  for (const [version, bytes] of configSizes) {
    expect(version).toBeGreaterThan(20_000);
    expect([...offsets, size].includes(bytes)).toBe(true);
  }
});

test.each([
  [22_807, '2.28.7'],
  [23_007, '2.30.7'],
  [21_803, '2.18.3'],
  [2708, '2.7.8'],
])('version %i is %s', (code, text) => {
  expect(versionText(code)).toBe(text);
});
