import { expect } from '@jest/globals';
import * as nvml from '../../src/nvml/index.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';
import { turns, untilCollected } from '../helpers/until.ts';

const { test } = needs.nvml();

test('no event set is left that was closed', () => {
  for (let i = 0; i < 200; i++) new nvml.EventSet().close();
  expect(nvml.liveObjects()).toEqual({});
});

test('one that was dropped is freed, and said', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  (() => new nvml.EventSet())();
  await untilCollected('it is gone', () => nvml.liveObjects()['EventSet'] === undefined);
  await turns();
  expect(nvml.liveObjects()).toEqual({});
  expect(warnings).toHaveLength(1);
});
