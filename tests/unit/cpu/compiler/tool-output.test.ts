import { expect, test } from '@jest/globals';
import { toSink, withSink } from '../../../../src/cpu/compiler/tool-output.ts';

const PIECES = 64;
const WRITTEN = 96;

function tool() {
  const memory = { buffer: new ArrayBuffer(256) };
  const passedOn: number[] = [];
  const write = toSink(
    (file) => {
      passedOn.push(file);
      return 8;
    },
    () => memory,
  );
  /** Write texts in one call, each a piece, as a tool does. */
  const print = (file: number, ...texts: string[]): number => {
    const view = new DataView(memory.buffer);
    let at = 128;
    for (const [i, text] of texts.entries()) {
      view.setUint32(PIECES + 8 * i, at, true);
      view.setUint32(PIECES + 8 * i + 4, text.length, true);
      new Uint8Array(memory.buffer).set(Buffer.from(text), at);
      at += text.length;
    }
    return write(file, PIECES, texts.length, WRITTEN);
  };
  return { memory, passedOn, print };
}

test('standard output goes to the sink, piece by piece, also after the memory has grown', () => {
  const { memory, passedOn, print } = tool();
  let text = '';
  const add = (bytes: Uint8Array): void => void (text += Buffer.from(bytes).toString());
  withSink(add, () => {
    expect(print(1, 'one, ', '', 'two')).toBe(0);
    expect(new DataView(memory.buffer).getUint32(WRITTEN, true)).toBe(8);
    memory.buffer = new ArrayBuffer(512);
    expect(print(1, ', three')).toBe(0);
  });
  expect([text, passedOn]).toEqual(['one, two, three', []]);
});

test('other files, and what is written outside of a run, take the usual way', () => {
  const { passedOn, print } = tool();
  const add = (): never => {
    throw new Error('not for the sink');
  };
  expect(() => withSink(add, () => print(1, 'text'))).toThrow('not for the sink');
  expect(withSink(add, () => print(2, 'a message'))).toBe(8);
  expect(print(1, 'text')).toBe(8);
  expect(passedOn).toEqual([2, 1]);
});
