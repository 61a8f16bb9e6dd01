import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { reclaim } from '../../src/core/handle.ts';
import * as nvml from '../../src/nvml/index.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';

const { test } = needs.nvml();

test('no event set is left that was closed', () => {
  for (let i = 0; i < 200; i++) new nvml.EventSet().close();
  expect(nvml.liveObjects()).toEqual({});
});

test('one that was dropped is freed, and said', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  (() => new nvml.EventSet())();
  for (let turn = 0; turn < 100 && nvml.liveObjects()['EventSet'] !== undefined; turn++) {
    await setImmediate();
    reclaim();
  }
  await setImmediate();
  expect(nvml.liveObjects()).toEqual({});
  expect(warnings).toHaveLength(1);
});
