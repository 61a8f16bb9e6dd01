import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { blameOf } from '../fuzz/classify.ts';
import { Mine } from '../fuzz/materialize.ts';
import { asksTooMuch } from '../fuzz/work.ts';
import { root } from '../helpers/root.ts';

/** An error with a stack of these frames. */
function made<T extends Error>(error: T, ...frames: string[]): T {
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const SOURCE = `new Thing (file://${root}/dist/cuda/thing.js:1:1)`;
/** An error of the package's family. */
const ours = (message: string): Error =>
  Object.assign(new Error(message), { [Symbol.for('rawkernel.GpuError')]: true });
const FUZZER = `perform (file://${root}/tests/fuzz/sequence.ts:1:1)`;
const file = (path: string): object => ({ syscall: 'open', path });

describe('whose error it is', () => {
  test.each<[string, unknown, string]>([
    ['a value of the fuzzer throws', new Mine('x'), 'mine'],
    ['what is not an error', 'x', 'foreign'],
    ['the package', made(ours('size must be a number, got null'), SOURCE), 'ours'],
    ['V8, in a class of ours', made(ours("Cannot read properties of null (reading 'x')"), SOURCE), 'foreign'],
    ['V8, over a source of ours', made(new TypeError('x.map is not a function'), SOURCE), 'foreign'],
    ['the stack', made(new RangeError('Maximum call stack size exceeded'), SOURCE), 'foreign'],
    ['a revoked proxy', made(new TypeError("Cannot perform 'get' on a proxy that has been revoked"), SOURCE), 'mine'],
    [
      'a revoked proxy, as it is put into a message',
      made(new TypeError("Cannot perform 'get' on a proxy that has been revoked"), `nameOf (${SOURCE})`, SOURCE),
      'foreign',
    ],
    [
      'a class that is called',
      made(new TypeError("Class constructor Event cannot be invoked without 'new'"), FUZZER),
      'mine',
    ],
    [
      'a property that is only read',
      made(new TypeError('Cannot set property x of #<Y> which has only a getter'), FUZZER),
      'mine',
    ],
    [
      'a native function that is called',
      made(new TypeError('Unexpected Null value for argument 1'), FUZZER),
      'foreign',
    ],
    ['a file of the user', Object.assign(new Error('ENOENT'), file('/somewhere/a.cu')), 'ours'],
    ['a file of the package', Object.assign(new Error('ENOENT'), file(join(root, 'kernels', 'a.cu'))), 'foreign'],
  ])('%s', (_, error, blame) => {
    expect(blameOf(error)).toBe(blame);
  });
});

describe('what a GPU that others use is not asked for', () => {
  test.each<[string, readonly unknown[], boolean]>([
    ['a small launch', [1, 2, { grid: 64, block: [64, 8] }], false],
    ['a large one', [{ grid: [4096, 4096], block: 1024 }], true],
    ['a shape in an array', [new Uint32Array(3).fill(0x0101_0101)], true],
    ['inherited options', [Object.create({ grid: 2 ** 20, block: 2 ** 20 })], true],
    ['arrays of data', [new Float32Array(4096).fill(1e9)], false],
    [
      'objects that throw',
      [Object.defineProperty({}, 'x', { enumerable: true, get: () => JSON.parse('') as unknown })],
      false,
    ],
  ])('%s', (_, args, expected) => {
    expect(asksTooMuch(args)).toBe(expected);
  });
});
