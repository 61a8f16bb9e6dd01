import { expect, test } from '@jest/globals';
import { lineDirective, readLine, type FilePlace } from '../../../src/core/line-directive.ts';

/** What a compiler takes from a directive. */
function read(directive: string): FilePlace {
  const [, line = '', file = ''] = /^#line (\d+) (".*")$/.exec(directive) ?? [];
  expect(Number(line)).toBeLessThan(2 ** 31);
  return readLine(JSON.parse(file) as string, Number(line));
}

test.each([
  { file: '/src/kernel.ts', line: 1, column: 1 },
  { file: 'C:\\src\\a "b".ts', line: 400_000, column: 4095 },
])('a place comes back: %j', (place) => {
  expect(read(lineDirective(place))).toEqual(place);
});

test('a column or a line that is too large is left out, and so is an unknown one', () => {
  const file = '/bundle.js';
  expect(read(lineDirective({ file, line: 7, column: 4096 }))).toEqual({ file, line: 7 });
  expect(read(lineDirective({ file, line: 7 }))).toEqual({ file, line: 7 });
  expect(read(lineDirective({ file, line: 600_000, column: 3 }))).toEqual({ file, line: 600_000 });
});

test('the lines of other directives are as they are', () => {
  expect(readLine('a.cu', 36_886)).toEqual({ file: 'a.cu', line: 36_886 });
});
