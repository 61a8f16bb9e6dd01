import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';
import { ask, editorPicture, wrongProgram } from './editor.ts';
import { stoppedPicture } from './stopped.ts';

test('the picture of the README shows what TypeScript says to its first program with a wrong array', () => {
  const { text, errors } = ask(wrongProgram(), 'multiplyThem');
  expect(errors.map(({ start, length }) => text.slice(start, start + length))).toEqual(['cuda.In(b)']);
  // `npm run docs:picture` writes it again.
  expect(readFileSync(join(root, 'docs/images/editor.svg'), 'utf8')).toBe(editorPicture());
});

test('the picture of a debugger shows what one sees in thread (3, 1)', async () => {
  expect(readFileSync(join(root, 'docs/images/debugger.svg'), 'utf8')).toBe(await stoppedPicture());
}, 60_000);
