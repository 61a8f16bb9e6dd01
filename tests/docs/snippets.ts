import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../helpers/root.ts';

/** A program of the docs. */
export interface Snippet {
  /** Where it begins: `docs/guide/memory.md:12`. */
  readonly name: string;
  readonly text: string;
}

/** README.md and every page under docs, by their paths from the root. */
export function pages(): readonly string[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const found = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.split(sep).join('/')}`);
  return ['README.md', 'CHANGELOG.md', ...found.filter((path) => !path.startsWith('docs/api/')).sort()];
}

/** The `ts` programs of a page. A block that begins with an import starts one; the others go on from the one before. */
export function programsOf(path: string): readonly Snippet[] {
  const programs: Snippet[] = [];
  for (const block of blocksOf(readFileSync(join(root, path), 'utf8'), path)) {
    const last = programs.at(-1);
    if (last === undefined || block.text.startsWith('import ')) programs.push(block);
    else programs[programs.length - 1] = { name: last.name, text: `${last.text}\n${block.text}` };
  }
  return programs;
}

/** The `ts` blocks of the doc comments under src, each a program. */
export function examples(): readonly Snippet[] {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const path = `src/${name.split(sep).join('/')}`;
      const text = readFileSync(join(root, path), 'utf8');
      const comments = text.replace(/^(?! *(\/\*\*|\*)).*$/gm, '').replace(/^ *\* ?/gm, '');
      return blocksOf(comments, path);
    });
}

function blocksOf(text: string, path: string): readonly Snippet[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => ({
    name: `${path}:${text.slice(0, match.index).split('\n').length + 1}`,
    text: match[1] ?? '',
  }));
}
