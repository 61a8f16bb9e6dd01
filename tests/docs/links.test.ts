import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as cuda from '../../src/cuda/index.ts';
import { root } from '../helpers/root.ts';
import { sourceFiles } from '../helpers/sources.ts';
import { anchorsOf, brokenLinks, linksOf, read } from './links.ts';
import { pages } from './snippets.ts';

test('every relative link of the docs leads somewhere', () => {
  expect([...pages(), 'tests/README.md'].flatMap(brokenLinks)).toEqual([]);
});

test('every page that an error names is there, with the heading', () => {
  const named = [...sourceFiles().values()].flatMap((file) => [
    ...file.text.matchAll(/docs\/[\w/-]+\.md(?:#([\w-]+))?/g),
  ]);
  expect(named.length).toBeGreaterThan(2);
  const broken = named.filter(([link, anchor]) => {
    const page = link.replace(/#.*/, '');
    return !existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(page).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('every page of the docs is reached from the README', () => {
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page) || !page.endsWith('.md')) return;
    reached.add(page);
    for (const { path } of linksOf(page)) if (existsSync(join(root, path))) visit(path);
  };
  visit('README.md');
  expect(pages().filter((page) => !reached.has(page))).toEqual([]);
});

/** Pages where `cuda` has the names of kernels, and Numba's; snippets.test.ts compiles their programs. */
const OF_KERNELS = ['docs/guide/kernels-in-typescript.md', 'docs/guide/simulating-kernels.md'];

test('every cuda.name in the docs is exported', () => {
  const others = pages().filter((page) => !OF_KERNELS.includes(page));
  const unknown = others.flatMap((page) =>
    [...read(page).matchAll(/(?<![\w./])cuda\.([A-Za-z]\w*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in cuda) && !['core', 'h'].includes(name))
      .map((name) => `${page}: cuda.${name}`),
  );
  expect(unknown).toEqual([]);
});
