import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireModule } from '../../../src/core/require-module.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const NAME = 'new Device(0).name';
const PRINTED = /^rawkernel CPU \(.+\)\n$/;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-require-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const urlOf = (path: string): string => pathToFileURL(path).href;

function run(name: string, text: string, flags: readonly string[] = []): { stdout: string; stderr: string } {
  const file = join(folder, name);
  const built = join(root, 'dist', 'cuda', 'index.js');
  // `import` takes a URL, `require` a path, which on Windows has backslashes.
  writeFileSync(file, text.replace("'rawkernel/cuda'", JSON.stringify(name.endsWith('.cjs') ? built : urlOf(built))));
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, file], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, RAWKERNEL_DEVICE: 'cpu' },
  });
  return { stdout, stderr };
}

test('requireModule() loads an ES module', () => {
  writeFileSync(join(folder, 'module.mjs'), 'export const value = 42;');
  const from = urlOf(join(folder, 'from.mjs'));
  expect(requireModule(from, './module.mjs')).toMatchObject({ value: 42 });
});

test('requireModule() tells of bundles where a module is missing', () => {
  const bundle = urlOf(join(folder, 'bundle.mjs'));
  for (const from of [bundle, undefined]) {
    for (const path of ['../cpu/device.js', '@babel/nothing']) {
      expect(() => requireModule(from, path)).toThrow(
        new RegExp(`there is no ${path} for .*keep rawkernel out of it.*docs/guide/installing\\.md#bundlers`),
      );
    }
  }
});

needs.build().test.each([
  ['an ES module', 'main.mjs', `import { Device } from 'rawkernel/cuda'; console.log(${NAME});`, []],
  ['CommonJS', 'main.cjs', `const { Device } = require('rawkernel/cuda'); console.log(${NAME});`, []],
  [
    'TypeScript under tsx',
    'main.mts',
    `import { Device } from 'rawkernel/cuda'; console.log(${NAME} as string);`,
    ['--import', 'tsx'],
  ],
] as const)('the embedded device loads from %s', (_, name, text, flags) => {
  const { stdout, stderr } = run(name, text, flags);
  expect(stderr).toBe('');
  expect(stdout).toMatch(PRINTED);
});
