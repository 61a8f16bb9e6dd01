import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';

interface Row {
  readonly name: string;
  readonly file: string;
  readonly begins: string;
}

/** The rows of the table behind a sentence of the page. */
function rows(sentence: string): readonly Row[] {
  const page = readFileSync(join(root, 'tests', 'README.md'), 'utf8');
  const [, behind = ''] = page.split(sentence);
  const [, table = ''] = behind.split('\n\n');
  const cells = /^\| `(\w+)`.*\| `([\w/-]+\.test\.ts)` +\| (\S.*?) +\|$/gm;
  return [...table.matchAll(cells)].map(([, name = '', file = '', begins = '']) => ({ name, file, begins }));
}

test.each([
  ["PyCUDA's driver tests", 33, 'are rows here'],
  ["PyOpenCL's tests of its wrapper", 43, '(`test_wrapper.py`) are rows here'],
  ["PyCUDA's tests of arrays (`test_gpuarray.py`)", 81, 'are rows here'],
  ["PyCUDA's tests of functions (`test_cumath.py`)", 28, 'are rows here'],
  ["PyOpenCL's tests of arrays (`test_array.py`)", 69, 'are rows here'],
  ["PyOpenCL's tests of generated kernels (`test_algorithm.py`)", 29, 'are rows here'],
  ["PyOpenCL's tests of functions (`test_clmath.py`)", 23, 'are rows here'],
])('each of %s, %i of them, stands for one that is there', (whose, count, are) => {
  const found = rows(`${whose} ${are}, under their names:`);
  expect(new Set(found.map(({ name }) => name)).size).toBe(count);
  const absent = found.filter(({ file, begins }) => {
    const text = readFileSync(join(root, 'tests', file), 'utf8').replace(/\(\s+/g, '(');
    return ![`('${begins}`, `['${begins}`].some((opening) => text.includes(opening));
  });
  expect(absent).toEqual([]);
});
