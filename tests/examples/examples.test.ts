import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { openclChoices } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';

const folder = join(root, 'examples');
const files = readdirSync(folder).filter((file) => /^\d\d-.*\.ts$/.test(file));
const built = needs.build();

describe('examples', () => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const wanted = /^\/\/ requires: (cuda|opencl)$/m.exec(text)?.[1];
    const device = wanted === 'cuda' ? needs.cuda() : needs.opencl();
    const choices = wanted === 'cuda' ? [['CUDA', {}] as const] : openclChoices;
    for (const [name, env] of choices) {
      (built.missing === undefined ? device : built).test(
        `${file} says PASSED on ${name}`,
        () => {
          const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', join(folder, file)], {
            cwd: root,
            encoding: 'utf8',
            env: { ...process.env, ...env },
          });
          expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
          expect(stdout).toContain('PASSED');
        },
        60_000,
      );
    }
  }
});
