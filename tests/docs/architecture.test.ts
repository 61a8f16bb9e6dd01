import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';
import { read } from './links.ts';

interface Rules {
  readonly default: {
    readonly forbidden: readonly { readonly name: string; readonly to: { readonly path?: string } }[];
  };
}

/** The folders of each half from the ground up, by the rule of the lowest one: it imports none of the others. */
async function floors(): Promise<readonly string[]> {
  const rules = (await import(pathToFileURL(join(root, '.dependency-cruiser.js')).href)) as Rules;
  const lowest = new Map<string, string>();
  for (const { name, to } of rules.default.forbidden) {
    const [, half = '', folder = ''] = /^floor-(\w+)-(\w+)$/.exec(name) ?? [];
    const [, above] = /\(\?:(.*)\)\/$/.exec(to.path ?? '') ?? [];
    if (above === undefined || half === '' || lowest.has(half)) continue;
    const others = above
      .replace(/\(\?:(.*?)\)/g, (_, siblings: string) => siblings.replaceAll('|', ' and '))
      .split('|');
    lowest.set(half, `| \`src/${half}\` | ${[folder, ...others].join(' < ')} |`);
  }
  return [...lowest.values()];
}

test('the page has the floors that the structure is checked by', async () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\| `src\/\w+` +\| .* < .*\|$/gm)].map(([row]) => row);
  const found = await floors();
  expect(found).toHaveLength(3);
  expect(rows.map((row) => row.replace(/ +/g, ' '))).toEqual(found);
});
