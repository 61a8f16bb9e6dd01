import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
    /^(dist\/.+\.(js|d\.ts)|docs\/.+\.(md|svg)|examples\/.+|dist\/cpu\/(prebuilt\/[\da-f]{64}|build-state)|kernels\/.+\.(cu|cuh|cl|h|cc)|kernels\/cpu\/include\/(cuda\/(std\/)?)?\w+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
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

needs.build().test('no packed file leads to a map, so that every frame of a stack names a file that is there', () => {
  const code = packed().filter((path) => /^dist\/.+\.js$/.test(path));
  expect(code.length).toBeGreaterThan(100);
  expect(code.filter((path) => readFileSync(join(root, path), 'utf8').includes('# sourceMappingURL='))).toEqual([]);
});

needs.build().test('a stack trace under source maps and tsx names packed files', () => {
  const paths = new Set(packed());
  const text = `
    import { memAlloc } from 'rawkernel/cuda';
    try { memAlloc('x'); } catch (error) { console.log(error.stack); }`;
  for (const flags of [['--enable-source-maps'], ['--import', 'tsx']]) {
    const stack = execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', text], {
      cwd: root,
      encoding: 'utf8',
    });
    const frames = [...stack.matchAll(/\(?(?:file:\/\/)?([^\s()]+):\d+:\d+\)?$/gm)].map(([, file = '']) => file);
    const ours = frames
      .filter((file) => file.startsWith(root))
      .map((file) => relative(root, file).replaceAll('\\', '/'));
    expect(ours.length).toBeGreaterThan(1);
    expect(ours.filter((file) => !paths.has(file) && !file.includes('[eval'))).toEqual([]);
  }
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
