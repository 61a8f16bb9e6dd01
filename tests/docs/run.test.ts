import { spawnSync } from 'node:child_process';
import { describe, expect } from '@jest/globals';
import { transformSync } from '@swc/core';
import { needs, type Needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { examples, pages, programsOf } from './snippets.ts';

describe('the programs of the docs run', () => {
  for (const { name, text } of [...pages().flatMap(programsOf), ...examples()]) {
    needsOf(text).test(name, () => expect(run(text)).toEqual({ stderr: '', status: 0 }), 60_000);
  }
});

function needsOf(text: string): Needs {
  const built = needs.build();
  if (built.missing !== undefined) return built;
  return text.includes("'rawkernel/cuda") ? needs.cuda() : needs.opencl();
}

function run(text: string): { readonly stderr: string; readonly status: number | null } {
  const { code } = transformSync(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } });
  const args = ['--input-type=module', '--eval', code];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { stderr, status };
}
