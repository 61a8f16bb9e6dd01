import { beforeAll, describe, expect, test } from '@jest/globals';
import { ARITHMETIC, OVERLOADS } from './device-functions/arithmetic.ts';
import { dataOf, type Bench } from './device-functions/bench.ts';
import { benchOf, COMPILE_MS } from './device-functions/compile.ts';
import { CONVERSIONS } from './device-functions/conversions.ts';
import { HALVES } from './device-functions/halves.ts';
import { INTEGERS } from './device-functions/integers.ts';
import { ARRAYS, combinations, differences, kernelOf, type FunctionGroup } from './device-functions/table.ts';
import { some } from '../../../helpers/full.ts';

const BLOCK = 64;

describe.each([
  ['integers', INTEGERS],
  ['conversions', CONVERSIONS],
  ['halves', HALVES],
  ['arithmetic', ARITHMETIC],
  ['overloads', OVERLOADS],
] as const)('%s', (_, all: readonly FunctionGroup[]) => {
  const groups = some(all, 4);
  let bench: Bench;
  beforeAll(async () => {
    bench = await benchOf(groups.map((group, i) => kernelOf(group, `group${i}`)).join('\n'));
  }, COMPILE_MS);

  test.each(groups.map((group, i) => [group.name, i, group] as const))('%s', (_name, i, group) => {
    const columns = combinations(group.values);
    const count = columns[0]?.length ?? 0;
    const results = new ARRAYS[group.output](group.rows.length * count);
    const inputs = group.inputs.map((type, k) => dataOf(type, columns[k] ?? []));
    bench.run(`group${i}`, BLOCK, Math.ceil(count / BLOCK), [...inputs, results, count]);
    expect(differences(group, columns, results).slice(0, 5)).toEqual([]);
  });
});
