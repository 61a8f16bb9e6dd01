import { appendFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/** Whether all is run. Tests ask tests/helpers/full.ts, which notes that they do. */
export const isFullRun: boolean = process.env['RAWKERNEL_TEST_FULL'] === '1';

let isWhole = true;

/** This file leaves tests out: for what this machine lacks, or for the time they take. */
export function leaveOut(): void {
  isWhole = false;
}

/** Have the gate know that all tests of this file were run: it does not run them again beside the parts of others. */
export function noteWhole(): void {
  const list = process.env['RAWKERNEL_TEST_WHOLE'];
  if (list !== undefined && isWhole) appendFileSync(list, `${expect.getState().testPath ?? ''}\n`);
}
