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
