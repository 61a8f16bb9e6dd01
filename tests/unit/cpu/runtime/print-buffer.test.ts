import { expect, test } from '@jest/globals';
import { CONTROL_BYTES } from '../../../../src/cpu/runtime/control.ts';
import { PrintBuffer, type Print } from '../../../../src/cpu/runtime/print-buffer.ts';

function bufferOf(size: number): PrintBuffer {
  return new PrintBuffer(new Int32Array(new SharedArrayBuffer(CONTROL_BYTES)), new Uint8Array(size));
}

const show = (prints: readonly Print[]): [string, boolean][] =>
  prints.map(({ bytes, error }) => [Buffer.from(bytes).toString('latin1'), error]);

test('a PrintBuffer returns each record once', () => {
  const buffer = bufferOf(256);
  buffer.write('one ');
  buffer.write('two');
  buffer.write('');
  buffer.write('oh', true);
  buffer.write('three');
  expect(show(buffer.read())).toEqual([
    ['one two', false],
    ['oh', true],
    ['three', false],
  ]);
  expect(buffer.read()).toEqual([]);
});

test('a full PrintBuffer forgets the oldest', () => {
  const buffer = bufferOf(64);
  for (let i = 0; i < 100; i++) buffer.write(`line ${i};`);
  const text = show(buffer.read()).join('');
  expect(text).toMatch(/^line 9\d;(line 9\d;)*line 99;,false$/);
  buffer.write('x'.repeat(500));
  expect(show(buffer.read())).toEqual([['x'.repeat(60), false]]);
});
