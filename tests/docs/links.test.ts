import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import * as cuda from '../../src/cuda/index.ts';
import { root } from '../helpers/root.ts';
import { pages } from './snippets.ts';

test('every relative link of the docs leads somewhere', () => {
  expect(pages().flatMap(brokenLinks)).toEqual([]);
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

test('every cuda.name in the docs is exported', () => {
  const unknown = pages().flatMap((page) =>
    [...read(page).matchAll(/(?<![\w./])cuda\.([A-Za-z]\w*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in cuda) && !['core', 'h'].includes(name))
      .map((name) => `${page}: cuda.${name}`),
  );
  expect(unknown).toEqual([]);
});

interface Link {
  readonly href: string;
  /** The file from the root. */
  readonly path: string;
  readonly anchor: string | undefined;
}

function linksOf(page: string): readonly Link[] {
  const prose = read(page).replace(/^```.*?^```$/gms, '');
  const hrefs = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)].map((m) => m[1] ?? m[2] ?? '');
  return hrefs
    .filter((href) => !/^[a-z]+:/.test(href))
    .map((href) => {
      const [file = '', anchor] = href.split('#');
      const path = file === '' ? page : relative(root, join(root, dirname(page), file)).replaceAll('\\', '/');
      return { href, path, anchor };
    });
}

function brokenLinks(page: string): readonly string[] {
  return linksOf(page)
    .filter(({ path, anchor }) => !existsSync(join(root, path)) || (anchor && !anchorsOf(path).includes(anchor)))
    .map(({ href }) => `${page}: ${href}`);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}
