import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { arrayDTypes } from '../../../src/array/dtype.ts';
import { ELEMENTS, generate, numbersOf, type ElementName } from '../../../src/cli/run/element-type.ts';
import { readNpy, writeNpy } from '../../../src/cli/run/npy.ts';

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
    for (const shape of [[], [0], [3, 0], [0, 2 ** 53 - 1, 2 ** 53 - 1]]) {
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
  ['nothing', Buffer.alloc(0), /not an \.npy file/],
  ['another file', Buffer.from('a text that is long enough'), /not an \.npy file/],
  ['a version to come', withHeader('{}', 9), /Version 9/],
  ['records', withHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"), /records/],
  ['complex numbers', header('<c8'), /'<c8' cannot be passed/],
  ['the other byte order', header('>f4'), /the other order/],
  ['Fortran order', header('<f4', '(2, 3)', 'True'), /Fortran's order/],
  ['a missing shape', withHeader("{'descr': '<f4', 'fortran_order': False}"), /cannot be read/],
  ['a file that is cut off', header('<f4', '(3,)'), /12 bytes of elements wanted, 0 there/],
  ['more elements than there are numbers for', header('<f4', '(9007199254740991, 9007199254740991)'), /cut off/],
  ['a size that is not a whole number of JavaScript', header('<f4', '(9007199254740993,)'), /cannot be read/],
  ['a product that is infinite', header('<f4', `(${'9007199254740991, '.repeat(40)})`), /cut off/],
  ['a negative size', header('<f4', '(-1,)'), /cannot be read/],
  ['a size that is not a number', header('<f4', '(1e3,)'), /cannot be read/],
  ['a hexadecimal size', header('<f4', '(0x10,)'), /cannot be read/],
  ['a hole in the shape', header('<f4', '(1,,2)'), /cannot be read/],
  [
    'a header longer than the file',
    Buffer.from(`\x93NUMPY\x02\0\xff\xff\xff\xff{}`, 'latin1'),
    /header has 4294967295 bytes, 2 are/,
  ],
  ['a header that is cut off', header('<f4').subarray(0, 40), /cut off: its header/],
  ['a header without an order', withHeader("{'descr': '<f4', 'shape': (1,), }"), /cannot be read/],
  ['a header of something else', withHeader("['shape', (1,)]"), /cannot be read/],
  ['objects', header('|O'), /'\|O' cannot be passed/],
  ['a type that is a name of JavaScript', header('constructor'), /'constructor' cannot be passed/],
])('%s cannot be read', (_, bytes, message) => {
  expect(() => readNpy(bytes)).toThrow(message);
});

(hasNumPy ? describe : describe.skip)('with NumPy', () => {
  // NumPy takes its time to start: once for all types.
  test('every type goes both ways', () => {
    for (const name of NAMES) {
      const kind = ELEMENTS[name];
      const array = generate(kind, 6, (i) => i + 1);
      writeFileSync(join(folder, `to-${name}.npy`), writeNpy({ kind, array, shape: [2, 3] }));
    }
    const said = python(`
for name, kind in ${JSON.stringify(NAMES.map((name) => [name, arrayDTypes[name].typestr]))}:
  a = np.load(f'to-{name}.npy')
  print(name, a.dtype.str, a.shape, float(a.sum()))
  np.save(f'from-{name}.npy', np.arange(6, dtype=kind).reshape(3, 2))`);
    expect(said.split('\n')).toEqual(NAMES.map((name) => `${name} ${arrayDTypes[name].typestr} (2, 3) 21.0`));
    for (const name of NAMES) {
      const { kind, array, shape } = readNpy(readFileSync(join(folder, `from-${name}.npy`)));
      expect({ kind, shape, array: numbersOf(kind, array).map(Number) }).toEqual({
        kind: ELEMENTS[name],
        shape: [3, 2],
        array: [0, 1, 2, 3, 4, 5],
      });
    }
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
