import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { run } from '../../helpers/child.ts';
import { jitReport, type JitReport } from '../../helpers/jit-report.ts';
import { jitReportFiles } from '../../helpers/jit-report-files.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

// Programs in TypeScript, as they are, have kernels with the same results, and mistakes in the same places, in what runs TypeScript
// without a step before. `npm run test:install` looks at Deno, Bun and the newest Node.js, on the embedded device.

const MAIN = join(root, 'tests', 'helpers', 'jit-report-main.ts');
const EMBEDDED = { RAWKERNEL_DEVICE: 'cpu' };

/** What this process finds, whose files jest has transformed. */
const here = jitReport('simulate');

async function reportOf(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<JitReport> {
  const { code, stdout, stderr } = await run([...flags, MAIN, 'simulate'], { ...EMBEDDED, ...env }, root);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as JitReport;
}

test('jest', () => {
  expect(here.misplaced).toEqual([]);
});

test('the files of the report import what users can, and each other', () => {
  const files = jitReportFiles();
  const names = files.map(([name]) => name);
  for (const [, text] of files) {
    for (const [, path = ''] of text.matchAll(/ from '(\.[^']*)'/g)) expect(names).toContain(path.replace('./', ''));
  }
});

test('tsx', async () => {
  expect(await reportOf(['--import', 'tsx'])).toEqual(here);
});

test("tsx, with V8's coverage", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-coverage-'));
  try {
    expect(await reportOf(['--import', 'tsx'], { NODE_V8_COVERAGE: folder })).toEqual(here);
    expect(readdirSync(folder)).not.toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

needs.typeStripping().test('Node.js, which takes types away', async () => {
  expect(await reportOf([])).toEqual(here);
});
