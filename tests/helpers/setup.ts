import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach } from '@jest/globals';
import { collectWarnings, settle } from './warnings.ts';

// A warning is an error that could not be thrown, such as a leak: it fails the test in which it comes.
collectWarnings();
afterEach(failOnWarnings);
afterAll(failOnWarnings);

async function failOnWarnings(): Promise<void> {
  await setImmediate();
  const [first, ...others] = settle();
  if (first) throw new Error(`Unexpected ${[first, ...others].map(String).join('\n')}`, { cause: first });
}
