import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { liveObjects, reclaim } from '../../src/core/handle.ts';
import { until } from './until.ts';
import { expectWarnings } from './warnings.ts';

/** Let the collector take what a walk has dropped: all but these, which were there before. */
export async function forget(before: Record<string, number>): Promise<void> {
  expectWarnings('RAWKERNEL_LEAK');
  await until(
    'what was dropped is gone',
    () => isDeepStrictEqual(liveObjects(), before),
    () => reclaim(),
  );
  expect(liveObjects()).toEqual(before);
}
