import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ELEMENTS, generate, numbersOf, type ElementName } from '../../../src/cli/element-type.ts';
import { readNpy, writeNpy } from '../../../src/cli/npy.ts';

const NAMES = (Object.keys(ELEMENTS) as ElementName[]).filter((name) => name !== 'bf16');
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-npy-'));
afterAll(() => rmSync(folder, { recursive: true }));

function python(text: string): string {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', `import numpy as np\n${text}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const hasNumPy = spawnSync('python3', ['-c', 'import numpy']).status === 0;
if (!hasNumPy) process.stderr.write('Tests skipped: there is no NumPy\n');

describe('what is written can be read', () => {
  test.each(NAMES)('%s', (name) => {
    const kind = ELEMENTS[name];
    const array = generate(kind, 6, (i) => i * 3);
    const back = readNpy(writeNpy({ kind, array, shape: [2, 3] }));
    expect(back).toEqual({ kind, array, shape: [2, 3] });
    expect(numbersOf(kind, back.array).map(Number)).toEqual([0, 3, 6, 9, 12, 15]);
  });

  test('a scalar and an empty array', () => {
    const kind = ELEMENTS.f32;
    for (const shape of [[], [0], [3, 0]]) {
      const array = generate(
        kind,
        shape.reduce((product, size) => product * size, 1),
        () => 7,
      );
      expect(readNpy(writeNpy({ kind, array, shape }))).toEqual({ kind, array, shape });
    }
  });
});

test.each([
  ['nothing', Buffer.alloc(0), /no \.npy file/],
  ['another file', Buffer.from('a text that is long enough'), /no \.npy file/],
  ['a version to come', withHeader('{}', 9), /Version 9/],
  ['records', withHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"), /records/],
  ['complex numbers', header('<c8'), /'<c8' cannot be passed/],
  ['the other byte order', header('>f4'), /the other order/],
  ['Fortran order', header('<f4', '(2, 3)', 'True'), /Fortran's order/],
  ['a missing shape', withHeader("{'descr': '<f4', 'fortran_order': False}"), /cannot be read/],
  ['a file that is cut off', header('<f4', '(3,)'), /12 bytes of elements wanted, 0 there/],
])('%s cannot be read', (_, bytes, message) => {
  expect(() => readNpy(bytes)).toThrow(message);
});

(hasNumPy ? describe : describe.skip)('with NumPy', () => {
  test.each(NAMES)('%s goes both ways', (name) => {
    const kind = ELEMENTS[name];
    const array = generate(kind, 6, (i) => i + 1);
    writeFileSync(join(folder, 'to.npy'), writeNpy({ kind, array, shape: [2, 3] }));
    expect(python("a = np.load('to.npy'); print(a.dtype.str, a.shape, a.sum())")).toMatch(
      new RegExp(`^${kind.npy.replace('|', '\\|')} \\(2, 3\\) 21(\\.0)?$`),
    );
    python(`np.save('from.npy', np.arange(6, dtype='${kind.npy}').reshape(3, 2))`);
    const back = readNpy(readFileSync(join(folder, 'from.npy')));
    expect({ ...back, array: numbersOf(kind, back.array).map(Number) }).toEqual({
      kind,
      array: [0, 1, 2, 3, 4, 5],
      shape: [3, 2],
    });
  });

  test('bools are bytes; a long header is fine', () => {
    python("np.save('bool.npy', np.array([True, False]))");
    expect(readNpy(readFileSync(join(folder, 'bool.npy'))).array).toEqual(new Uint8Array([1, 0]));
    python("np.lib.format.write_array(open('v2.npy', 'wb'), np.ones(2, dtype='<f4'), version=(2, 0))");
    expect(readNpy(readFileSync(join(folder, 'v2.npy'))).array).toEqual(new Float32Array([1, 1]));
  });

  test('bfloat16 is written as its bits', () => {
    const kind = ELEMENTS.bf16;
    writeFileSync(join(folder, 'bf.npy'), writeNpy({ kind, array: generate(kind, 2, (i) => i + 1), shape: [2] }));
    expect(python("print(np.load('bf.npy'))")).toBe('[16256 16384]');
  });
});

function header(descr: string, shape = '(0,)', fortran = 'False'): Buffer {
  return withHeader(`{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`);
}

function withHeader(text: string, version = 1): Buffer {
  const start = Buffer.from(`\x93NUMPY${String.fromCharCode(version)}\0\0\0`, 'latin1');
  start.writeUInt16LE(text.length + 1, 8);
  return Buffer.concat([start, Buffer.from(`${text}\n`)]);
}
