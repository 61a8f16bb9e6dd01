// Both corpora of right kernels in drawn orders, checked: npm run test:orders [-- --seeds 20 --first 1]
// No kernel may be reported, and all results have to be right, in every order.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../helpers/root.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    /** Only cases whose name matches. */
    only: { type: 'string', default: '' },
  },
});

const FILES = ['tests/conformance/cpu/corpus-checked.test.ts', 'tests/conformance/cpu/opencl-corpus-checked.test.ts'];
const JEST = ['--experimental-vm-modules', '--expose-gc', '--no-warnings', 'node_modules/jest/bin/jest.js'];

// Kernels are compiled for the first order, and taken from there for the others.
const cache = mkdtempSync(join(tmpdir(), 'rawkernel-orders-'));
let failed = 0;
try {
  for (let seed = Number(values.first); seed < Number(values.first) + Number(values.seeds); seed++) {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [...JEST, '--runInBand', ...FILES, ...(values.only === '' ? [] : ['--testNamePattern', values.only])],
      {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...{ RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_TEST_FULL: '1', RAWKERNEL_TEST_CACHE: cache },
          RAWKERNEL_CPU_ORDER: `random:${seed}`,
        },
      },
    );
    const output = stdout + stderr;
    const tests = /^Tests:.*$/m.exec(output)?.[0] ?? 'no tests';
    const time = /^Time:.*$/m.exec(output)?.[0] ?? '';
    console.log(`RAWKERNEL_CPU_ORDER=random:${seed}  ${tests}  ${time}`);
    if (status !== 0) {
      failed++;
      console.log(output);
    }
  }
} finally {
  rmSync(cache, { recursive: true, force: true });
}
console.log(failed === 0 ? 'every order is right' : `${failed} orders are wrong`);
process.exitCode = failed === 0 ? 0 : 1;
