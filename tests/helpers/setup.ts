import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach } from '@jest/globals';
import { reclaim } from '../../src/core/handle.ts';
import { noteWhole } from './left-out.ts';
import { collectWarnings, settle } from './warnings.ts';

// A warning is an error that could not be thrown, such as a leak: it fails the test in which it comes.
collectWarnings();
afterEach(failOnWarnings);
afterAll(async () => {
  // What a test has left unclosed warns each time, and not only where the collector comes by.
  reclaim();
  await failOnWarnings();
  noteWhole();
});

async function failOnWarnings(): Promise<void> {
  await setImmediate();
  const [first, ...others] = settle();
  if (first) throw new Error(`Unexpected ${[first, ...others].map(String).join('\n')}`, { cause: first });
}
