import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { sayCompiling } from '../../../../src/cpu/compiler/waiting-line.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const ERASE = '\r\x1b[2K';
const line = (file: string, seconds: number): string =>
  `${ERASE}rawkernel: compiling ${file} ... ${seconds} s (RAWKERNEL_CPU_PROGRESS=0: no line)`;

function terminal(isTerminal: boolean) {
  const written: string[] = [];
  return { written, isTerminal: () => isTerminal, write: (text: string) => void written.push(text) };
}

test('a compilation says nothing for two seconds, then its seconds, and erases the line at its end', () => {
  const out = terminal(true);
  const end = sayCompiling('/home/me/kernel.cu', out);
  jest.advanceTimersByTime(1999);
  expect(out.written).toEqual([]);
  jest.advanceTimersByTime(2001);
  expect(out.written).toEqual([line('kernel.cu', 2), line('kernel.cu', 3), line('kernel.cu', 4)]);
  end();
  expect(out.written.at(-1)).toBe(ERASE);
  jest.advanceTimersByTime(5000);
  expect(out.written).toHaveLength(4);
});

test('a short compilation, and one without a terminal, says nothing', () => {
  const short = terminal(true);
  const end = sayCompiling('kernel.cu', short);
  jest.advanceTimersByTime(1999);
  end();
  const none = terminal(false);
  sayCompiling('kernel.cu', none);
  jest.advanceTimersByTime(9000);
  expect([short.written, none.written]).toEqual([[], []]);
});

test('a name neither wraps the line nor moves the cursor', () => {
  const out = terminal(true);
  sayCompiling(`C:\\work\\a\x1b[31m\r\n${'b'.repeat(100)}.cu`, out);
  jest.advanceTimersByTime(2000);
  expect(out.written).toEqual([line(`a[31m${'b'.repeat(34)}…`, 2)]);
});
