import { expect, test } from '@jest/globals';
import { functions } from '../../src/nvml/sys/nvml.ts';
import { coverage, injectFaults, unexplained, type Reasons } from '../helpers/faults.ts';
import { fakeNvmlGround } from '../helpers/nvml-ground.ts';
import { NVML_PROGRAMS, nvmlReadings } from '../helpers/nvml-programs.ts';

/** NVML_ERROR_UNKNOWN: no answer of any function. */
const STATUS = 999;

/** What programs do not reach. */
const REASONS: Reasons = {
  'only rawkernel/nvml/sys has it': ['nvmlDeviceGetApplicationsClock'],
  'called when the process ends': ['nvmlShutdown'],
  'for drivers without the function of the other version': [
    'nvmlDeviceGetMemoryInfo',
    'nvmlDeviceGetCurrentClocksEventReasons',
    'nvmlDeviceGetSupportedClocksEventReasons',
  ],
};

/** A failure of these is an answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  nvmlDeviceGetNumFans: 'the first fan is asked',
  nvmlDeviceGetNvLinkState: 'the link is not there',
  nvmlDeviceGetMigDeviceHandleByIndex: 'the place is free',
  nvmlDeviceGetNvLinkErrorCounter: 'errors that are not counted',
  nvmlDeviceGetNvLinkRemotePciInfo: 'the other end is not told',
};

test('every NVML function may fail: nothing leaks, the error names it', async () => {
  const outcome = await injectFaults({
    table: functions,
    begin: fakeNvmlGround,
    fail: () => STATUS,
    programs: { ...NVML_PROGRAMS, ...nvmlReadings() },
    destroys: /Free|Shutdown/,
    forgiving: /snapshot|toString/,
    answers: ANSWERS,
  });
  process.stderr.write(coverage('NVML', functions, outcome.failed, REASONS));
  expect(outcome.wrong).toEqual([]);
  expect(unexplained(functions, outcome.failed, REASONS)).toEqual([]);
});
