import { expect, test } from '@jest/globals';
import * as nvml from '../../src/nvml/index.ts';
import { functions } from '../../src/nvml/sys/nvml.ts';
import { walkMissing } from '../helpers/missing-arguments.ts';
import { looks } from '../helpers/null-arguments.ts';
import { fakeNvmlGround } from '../helpers/nvml-ground.ts';
import { NVML_PROGRAMS } from '../helpers/nvml-programs.ts';
import { retrying } from '../helpers/retrying.ts';

/** What NVML's documentation says may be NULL: a list whose length is asked for. */
const NULLABLE = new Set([
  'nvmlDeviceGetComputeRunningProcesses.infos',
  'nvmlDeviceGetGraphicsRunningProcesses.infos',
  'nvmlDeviceGetMPSComputeRunningProcesses.infos',
  'nvmlDeviceGetRetiredPages.addresses',
  'nvmlDeviceGetSamples.samples',
  'nvmlDeviceGetSupportedGraphicsClocks.clocksMHz',
]);

test('nothing that is missing reaches NVML', async () => {
  const { wrong, count, missed } = await walkMissing({
    entry: nvml,
    begin: fakeNvmlGround,
    look: looks(functions, NULLABLE, []),
    programs: { ...NVML_PROGRAMS, boost },
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
  // It is not a call of a user's.
  expect(missed).toEqual(['Resource.use']);
});

function boost(): void {
  try {
    new (retrying(nvml).Device)(0).clocks.boostMaxMHz('graphics');
  } catch {
    // The fake has no such clock.
  }
}
