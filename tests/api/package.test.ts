import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';

needs.build().test('the package holds the build, the kernels and what npm shows, nothing else', () => {
  // Under `npm run`, this is npm's own file: it needs no shell on any system.
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const output = execFileSync(command, [...first, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [report] = JSON.parse(output) as [{ readonly files: readonly { readonly path: string }[] }];

  const paths = report.files.map(({ path }) => path);
  const allowed =
    /^(dist\/.+\.(js|d\.ts)(\.map)?|dist\/cpu\/(prebuilt\/[\da-f]{64}|build-state)|kernels\/.+\.(cu|cuh|cl|h|cc)|kernels\/cpu\/include\/(cuda\/(std\/)?)?\w+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
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
