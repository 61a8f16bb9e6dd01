import { spawnSync } from 'node:child_process';
import { expect } from '@jest/globals';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';
import { printingCases, type PrintingCase } from './corpus/printing.ts';
import { firstOfEach } from '../../helpers/full.ts';

// What a kernel prints goes past JavaScript, and a failed assertion spoils the process: each runs in its own.
const PROGRAM = `
  import * as cuda from 'rawkernel/cuda';
  import { context } from 'rawkernel/cuda/autoinit';
  const { source, kernel, argument, block, grid } = JSON.parse(process.argv[1]);
  const module = new cuda.SourceModule(source);
  try {
    module.getFunction(kernel)(argument, { block, grid });
    context.synchronize();
  } catch (error) {
    process.stderr.write('\\n' + error.code + '\\n');
    process.exitCode = 3;
  }
  module.close();
`;

/** A process may have to load a compiler first. */
const SECONDS = 60;

const gpu = needs.cuda();
const built = needs.build();
const { describe, test } = gpu.missing === undefined ? built : gpu;
const named = firstOfEach(printingCases, ({ failure }) => failure !== undefined).map((one) => [one.name, one] as const);

describe('kernels that print', () => {
  test.each(named)(
    '%s',
    (_, one) => {
      const { stdout, stderr, status } = run(one);
      if (one.failure) {
        expect(stderr).toContain(one.failure.code);
        expect(stderr).toMatch(one.failure.stderr);
        expect(status).toBe(3);
        return;
      }
      expect({
        status,
        lines: stdout
          .split('\n')
          .filter((line) => line !== '')
          .sort(),
      }).toEqual({
        status: 0,
        lines: one.threads.flat().sort(),
      });
      // A thread's own lines keep their order.
      for (const lines of one.threads) {
        const places = lines.map((line) => stdout.indexOf(`${line}\n`));
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }
    },
    SECONDS * 1000,
  );
});

function run(one: PrintingCase): { stdout: string; stderr: string; status: number | null } {
  return spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(one)], {
    cwd: root,
    encoding: 'utf8',
    timeout: SECONDS * 1000,
  });
}
