import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { IO } from '../../../src/cli/output.ts';
import { blocking, progress } from '../../../src/cli/progress.ts';

function terminal(isTTY: boolean): { readonly io: IO; readonly text: () => string } {
  let text = '';
  const output = { isTTY, write: (data: string | Uint8Array) => (text += String(data)) };
  const io = {
    stdout: output,
    stderr: output,
    env: {},
    again: () => Promise.resolve(''),
    watch: () => () => undefined,
  };
  return { io, text: () => text };
}

test('what takes long is said in one line, which is erased', async () => {
  const { io, text } = terminal(true);
  expect(await progress(io, 'compiling a.cu', setTimeout(1500, 3))).toBe(3);
  const said = text().replaceAll('\r\x1b[2K', '|');
  expect(said).toMatch(/^\|compiling a\.cu \.\.\.\|compiling a\.cu \.\.\. 1 s\|$/);
});

test('what is quick says nothing, nor does anything without a terminal', async () => {
  const quick = terminal(true);
  await progress(quick.io, 'compiling', Promise.resolve());
  const file = terminal(false);
  await progress(file.io, 'compiling', setTimeout(500));
  blocking(file.io, 'measuring', () => undefined);
  expect(quick.text() + file.text()).toBe('');
});

test('the line goes when the work fails', async () => {
  const { io, text } = terminal(true);
  await expect(
    progress(
      io,
      'compiling',
      setTimeout(400).then(() => Promise.reject(new Error('no'))),
    ),
  ).rejects.toThrow('no');
  expect(() => blocking(io, 'measuring', () => JSON.parse('{') as unknown)).toThrow();
  expect(text().endsWith('measuring ...\r\x1b[2K')).toBe(true);
});
