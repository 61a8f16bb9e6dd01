import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CASES } from './cases.ts';
import { Workshop } from './workshop.ts';

// Packs the package, installs it as users do, and runs a kernel on the embedded device in each way.
// `npm run test:install` tries what is quick, `-- --all` the rest too, `-- pnpm` those whose names hold a word.
const words = process.argv.slice(2).filter((word) => word !== '--all');
const wanted = CASES.filter(({ name, quick }) =>
  words.length > 0
    ? words.some((word) => name.toLowerCase().includes(word.toLowerCase()))
    : quick || process.argv.includes('--all'),
);

const scratch = mkdtempSync(join(tmpdir(), 'rawkernel-install-'));
let failed = 0;
try {
  const shop = new Workshop(scratch);
  for (const { name, run } of wanted) {
    const start = performance.now();
    let why = '';
    try {
      run(shop);
    } catch (error) {
      failed++;
      why = `\n${String(error).split('\n').slice(-60).join('\n')}`;
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${why === '' ? 'ok    ' : 'FAILED'} ${`${seconds} s`.padStart(6)}  ${name}${why}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${wanted.length - failed} of ${wanted.length} ways to install pass`);
process.exitCode = failed === 0 && wanted.length > 0 ? 0 : 1;
