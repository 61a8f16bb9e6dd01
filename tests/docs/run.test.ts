import { spawnSync } from 'node:child_process';
import { describe, expect } from '@jest/globals';
import { transformSync } from '@swc/core';
import { isFull, some } from '../helpers/full.ts';
import { openclChoices } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { examples, pages, programsOf } from './snippets.ts';

const built = needs.build();

describe('the programs of the docs run', () => {
  for (const [i, { name, text }] of some([...pages().flatMap(programsOf), ...examples()], 16, 4).entries()) {
    const isNvml = text.includes("'rawkernel/nvml");
    const isNccl = text.includes("'rawkernel/nccl");
    const isCuda = isNccl || text.includes("'rawkernel/cuda");
    const device = isNccl ? needs.nccl() : isNvml ? needs.nvml() : isCuda ? needs.cuda() : needs.opencl();
    // One device for each program, another one for the next: what a program does depends little on the device.
    const opencl = isFull ? openclChoices.slice(i % openclChoices.length) : openclChoices.slice(-1);
    const choices = isNvml ? [['NVML', {}] as const] : isCuda ? [['CUDA', {}] as const] : opencl;
    for (const [on, env] of choices.slice(0, 1)) {
      (built.missing === undefined ? device : built).test(
        `${name} on ${on}`,
        () => expect(run(text, env)).toEqual({ stderr: '', status: 0 }),
        60_000,
      );
    }
  }
});

function run(
  text: string,
  env: Readonly<Record<string, string>>,
): { readonly stderr: string; readonly status: number | null } {
  const { code } = transformSync(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } });
  const args = ['--input-type=module', '--eval', code];
  const { stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { stderr, status };
}
