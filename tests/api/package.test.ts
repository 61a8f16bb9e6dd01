import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { linksOf } from '../docs/links.ts';

/** What `npm pack` puts into the tarball. */
function packed(): readonly string[] {
  // Under `npm run`, this is npm's own file: it needs no shell on any system.
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const output = execFileSync(command, [...first, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [report] = JSON.parse(output) as [{ readonly files: readonly { readonly path: string }[] }];

  return report.files.map(({ path }) => path);
}

needs.build().test('the package holds the build, the kernels, the docs and the examples, nothing else', () => {
  const paths = packed();
  const allowed =
    /^(dist\/.+\.(js|d\.ts)(\.map)?|docs\/.+\.(md|svg)|examples\/.+|dist\/cpu\/(prebuilt\/[\da-f]{64}|build-state)|kernels\/.+\.(cu|cuh|cl|h|cc)|kernels\/cpu\/include\/(cuda\/(std\/)?)?\w+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  expect(bin).toEqual({ rawkernel: 'dist/cli/main.js' });
  expect(readFileSync(join(root, 'dist/cli/main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/cli/main.js',
      'package.json',
    ]),
  );
});

needs.build().test('no link of a packed page leads out of the package', () => {
  const paths = packed();
  const pages = paths.filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/index.md', 'examples/README.md']));
  const inside = (path: string): boolean => paths.some((file) => file === path || file.startsWith(`${path}/`));
  const dead = pages.flatMap((page) =>
    linksOf(page).flatMap(({ href, path }) => (inside(path) ? [] : [`${page}: ${href}`])),
  );
  expect(dead).toEqual([]);
});

test('TypeScript before 4.7, and tools that know no exports, find each entry', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly main: string;
    readonly types: string;
    readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
    readonly typesVersions: Readonly<Record<string, object>>;
  };
  expect({ types: manifest.types, default: manifest.main }).toEqual(manifest.exports['.']);
  const entries = Object.entries(manifest.exports).filter(([name]) => name !== '.' && name !== './package.json');
  const types = entries.map(([name, entry]) => [name.replace('./', ''), [entry.types]] as const);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(types) });
});
