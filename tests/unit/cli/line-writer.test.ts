import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { LastLines, LineWriter } from '../../../src/cli/launch/line-writer.ts';

/** Pass chunks through a writer. */
async function written(
  chunks: readonly (string | Uint8Array)[],
): Promise<{ parts: string[]; last: readonly string[] }> {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  const last = new LastLines();
  const made = new LineWriter(stream, { write: (data) => parts.push(Buffer.from(data as Uint8Array)) }, '[3] ', last);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'close');
  made.flush();
  return { parts: parts.map(String), last: last.lines };
}

test.each<[string, (string | Uint8Array)[], string]>([
  ['a line', ['abc\n'], '[3] abc\n'],
  ['parts of a line', ['a', 'b', 'c\nd', 'e\n'], '[3] abc\n[3] de\n'],
  ['a character in two parts', [Buffer.from('ü').subarray(0, 1), Buffer.from('ü\n').subarray(1)], '[3] ü\n'],
  ['empty lines', ['\n\na\n'], '[3] \n[3] \n[3] a\n'],
  ['a rest without an end', ['a\nb'], '[3] a\n[3] b\n'],
  ['nothing', [], ''],
  ['line ends of Windows, as they are', ['a\r\n'], '[3] a\r\n'],
])('%s', async (_, chunks, expected) => {
  expect((await written(chunks)).parts.join('')).toBe(expected);
});

test('a line is written at once, never in parts, so that those of others do not come between', async () => {
  expect((await written(['a', 'b\nc\nd', 'e\n'])).parts).toEqual(['[3] ab\n[3] c\n', '[3] de\n']);
});

test('a line that does not end is written in parts of 64 KiB', async () => {
  const { parts } = await written(Array.from({ length: 20 }, () => 'x'.repeat(10_000)));
  const lines = parts.join('').trimEnd().split('\n');
  expect(lines.map(({ length }) => length - 4)).toEqual([65536, 65536, 65536, 200_000 - 3 * 65536]);
});

test('the last 20 lines are kept', async () => {
  const { last } = await written([Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')]);
  expect(last).toEqual(Array.from({ length: 20 }, (_, i) => `line ${80 + i}`));
});
