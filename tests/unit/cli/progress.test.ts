import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
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
  return { io, text: () => text.replaceAll('\r\x1b[2K', '|') };
}

/** Work that ends when it is told to. */
function work(): { readonly done: Promise<number>; readonly end: (value: number) => void; readonly fail: () => void } {
  let end: (value: number) => void = () => undefined;
  let fail: () => void = () => undefined;
  const done = new Promise<number>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('no'));
  });
  return { done, end, fail };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('what takes long is said in one line, which is erased', async () => {
  const { io, text } = terminal(true);
  const { done, end } = work();
  const said = progress(io, 'compiling a.cu', done);
  jest.advanceTimersByTime(299);
  expect(text()).toBe('');
  jest.advanceTimersByTime(1);
  expect(text()).toBe('|compiling a.cu ...');
  jest.advanceTimersByTime(1000);
  expect(text()).toBe('|compiling a.cu ...|compiling a.cu ... 1 s');
  end(3);
  expect(await said).toBe(3);
  expect(text()).toBe('|compiling a.cu ...|compiling a.cu ... 1 s|');
});

test('what is quick says nothing, nor does anything without a terminal', async () => {
  const quick = terminal(true);
  await progress(quick.io, 'compiling', Promise.resolve());
  const file = terminal(false);
  const { done, end } = work();
  const said = progress(file.io, 'compiling', done);
  jest.advanceTimersByTime(5000);
  end(0);
  await said;
  blocking(file.io, 'measuring', () => undefined);
  expect(quick.text() + file.text()).toBe('');
});

test('the line goes when the work fails', async () => {
  const { io, text } = terminal(true);
  const { done, fail } = work();
  const said = progress(io, 'compiling', done);
  jest.advanceTimersByTime(400);
  fail();
  await expect(said).rejects.toThrow('no');
  expect(text()).toBe('|compiling ...|');
  expect(() => blocking(io, 'measuring', () => JSON.parse('{') as unknown)).toThrow();
  expect(text()).toBe('|compiling ...||measuring ...|');
});
