import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import cl from '../../../src/node-opencl/index.ts';

// Programs know these names and values, also where no header is that the conformance test could compare with.
test('the constants are those of the list', () => {
  const lines = Object.entries(cl as Readonly<Record<string, unknown>>)
    .filter(([, value]) => typeof value !== 'function')
    .map(([name, value]) => `${name} ${value instanceof Error ? `Error ${value.message}` : String(value)}`);
  const listed = readFileSync(join(import.meta.dirname, 'constants.txt'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.sort()).toEqual(listed.sort());
});
