import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { optionsForCompiler } from '../../../../src/cpu/compiler/node-options.ts';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';

test.each([
  ['', ''],
  ['--max-old-space-size=4096  --preserve-symlinks', '--max-old-space-size=4096 --preserve-symlinks'],
  ['--inspect --conditions=a', '--conditions=a'],
  ['--inspect-brk=0 --inspect-port 9229 --cpu-prof --heap-prof-dir=x', ''],
  ['--import tsx -r ./a.cjs --require=./b.cjs --experimental-loader file:///l.mjs', ''],
  ['--require "/a b/setup.cjs" --stack-size=2', '--stack-size=2'],
  [
    '--require /a/.pnp.cjs --experimental-loader file:///a/.pnp.loader.mjs',
    '--require /a/.pnp.cjs --experimental-loader file:///a/.pnp.loader.mjs',
  ],
  ['--require "/a b/.pnp.cjs" --import tsx', '--require "/a b/.pnp.cjs"'],
])('of NODE_OPTIONS="%s" the compiler gets "%s"', (given, kept) => {
  expect(optionsForCompiler(given)).toBe(kept);
});

needs
  .build()
  .test("the compiler's process loads what packages are found through, and nothing else of the program", () => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel options '));
    const log = join(folder, 'log');
    const hook = (name: string): string => {
      const text = `require('node:fs').appendFileSync(${JSON.stringify(log)}, '${name} ' + process.argv[1] + '\\n');`;
      writeFileSync(join(folder, name), text);
      return `--require "${join(folder, name).replaceAll('\\', '\\\\')}"`;
    };
    try {
      const program = `import 'rawkernel/cuda/autoinit'; import * as cuda from 'rawkernel/cuda';
      new cuda.SourceModule('__global__ void k() {}', { cache: false }).close();`;
      const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          RAWKERNEL_DEVICE: 'cpu',
          NODE_OPTIONS: `${hook('.pnp.cjs')} ${hook('other.cjs')} --no-warnings`,
        },
      });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      const inServer = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('server.js'));
      expect(inServer.map((line) => line.split(' ')[0])).toEqual(['.pnp.cjs']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
