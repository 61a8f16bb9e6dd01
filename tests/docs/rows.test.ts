import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';

interface Row {
  readonly name: string;
  readonly file: string;
  readonly begins: string;
}

function rows(): readonly Row[] {
  const page = readFileSync(join(root, 'docs', 'contributing.md'), 'utf8');
  const cells = /^\| `(\w+)`.*\| `([\w/-]+\.test\.ts)` +\| (.*?) +\|$/gm;
  return [...page.matchAll(cells)].map(([, name = '', file = '', begins = '']) => ({ name, file, begins }));
}

test("each of PyCUDA's driver tests stands for one that is there", () => {
  expect(new Set(rows().map(({ name }) => name)).size).toBe(33);
  const absent = rows().filter(({ file, begins }) => {
    const text = readFileSync(join(root, 'tests', file), 'utf8');
    return ![`('${begins}`, `['${begins}`].some((opening) => text.includes(opening));
  });
  expect(absent).toEqual([]);
});
