import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';

const SCRIPT = `
  import { traceCall, traceCalls, traceLeaks } from '@/src/core/trace.ts';
  if (traceCalls) traceCall('cuMemAlloc', [16n, 'a "text"', new Uint8Array(4), 3, 'x'.repeat(50)], '0');
  console.log(traceCalls, traceLeaks);`;

test('traceCall() prints a line, and RAWKERNEL_TRACE can name several topics', async () => {
  const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: 'leaks, calls' });
  expect(ended).toMatchObject({ code: 0, stdout: 'true true\n' });
  expect(ended.stderr).toBe(`cuMemAlloc(0x10, "a \\"text\\"", Uint8Array[4 B], 3, "${'x'.repeat(40)}…") = 0\n`);
}, 30_000);

test('RAWKERNEL_TRACE of one topic leaves the other off', async () => {
  const ended = await runChild(SCRIPT, { RAWKERNEL_TRACE: 'leaks' });
  expect(ended).toMatchObject({ code: 0, stdout: 'false true\n', stderr: '' });
}, 30_000);
