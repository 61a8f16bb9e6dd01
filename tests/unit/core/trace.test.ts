import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';

const SCRIPT = `
  import { timelineFile, traceCalls, traceEnd, traceLeaks, traceStart } from '@/src/core/trace.ts';
  if (traceCalls) {
    traceStart('cuInit(Flags=0)');
    traceEnd('0', 0.0015);
  }
  console.log(traceCalls, traceLeaks, timelineFile);`;

test('RAWKERNEL_TRACE can name several topics, and a call is a line with its time', async () => {
  const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: 'leaks, calls' });
  expect(ended).toMatchObject({ code: 0, stdout: 'true true undefined\n' });
  expect(ended.stderr).toBe('cuInit(Flags=0) = 0  1.5 us\n');
}, 30_000);

test('RAWKERNEL_TRACE of one topic leaves the others off', async () => {
  const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: 'leaks' });
  expect(ended).toMatchObject({ code: 0, stdout: 'false true undefined\n', stderr: '' });
}, 30_000);

test.each([
  ['timeline:C:\\traces\\a.json', 'C:\\traces\\a.json'],
  ['leaks,timeline', 'rawkernel-timeline.json'],
])(
  'RAWKERNEL_TRACE=%s names the file %s',
  async (topics, file) => {
    const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: topics });
    expect(ended.stdout.trim().split(' ').at(-1)).toBe(file);
  },
  30_000,
);

test('RAWKERNEL_TRACE with an unknown topic warns on import', async () => {
  const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: 'leaks,bogus' });
  expect(ended).toMatchObject({ code: 0, stdout: 'false true undefined\n' });
  expect(ended.stderr).toMatch(/\[RAWKERNEL_TRACE\] GpuWarning: RAWKERNEL_TRACE must be calls, .* got 'bogus'/);
}, 30_000);
