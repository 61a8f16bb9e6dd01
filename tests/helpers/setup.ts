import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach } from '@jest/globals';
import { collect, realProcess, settle } from './warnings.ts';

// A warning is an error that could not be thrown, such as a leak: it fails the test in which it comes.
realProcess.on('warning', collect);
afterEach(failOnWarnings);
afterAll(async () => {
  await failOnWarnings();
  realProcess.off('warning', collect);
});

async function failOnWarnings(): Promise<void> {
  await setImmediate();
  const [first, ...others] = settle();
  if (first) throw new Error(`Unexpected ${[first, ...others].map(String).join('\n')}`, { cause: first });
}

// One compile cache for each jest worker, so that tests neither read nor fill the user's.
const prefix = join(tmpdir(), `rawkernel-test-${String(process.pid)}-`);
let cache = realProcess.env['RAWKERNEL_CACHE_DIR'];
if (!cache?.startsWith(prefix)) {
  const folder = mkdtempSync(prefix);
  realProcess.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cache = realProcess.env['RAWKERNEL_CACHE_DIR'] = folder;
}
process.env['RAWKERNEL_CACHE_DIR'] = cache;
