import { describe, expect, test } from '@jest/globals';
import { decodeNpy, encodeNpy } from '../../../src/array/npy.ts';
import { isNpy, readNpyHeader } from '../../../src/array/npy-header.ts';
import { thrown } from '../../helpers/thrown.ts';

const PREFIX = 'SyntaxError: The .npy file has a header that cannot be read: ';
const REST = "'fortran_order': False, 'shape': ()}";

// Written by NumPy 2.4, the second one with ml_dtypes 0.6.
const EMPTY =
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPGkyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsIDApLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo=';
const BFLOAT16 =
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPFYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqAPyDA';
const VERSION_2 =
  'k05VTVBZAgB0AAAAeydkZXNjcic6ICc8ZjQnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMiwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/AACAPw==';
const RECORDS =
  'k05VTVBZAQB2AHsnZGVzY3InOiBbKCfkJywgJzxmNCcpXSwgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAA';

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

/** A file of a version with this header, and nothing behind it. */
function fileOf(header: string, version = 2): Uint8Array {
  const text = new TextEncoder().encode(header);
  const length = [0, 8, 16, 24].slice(0, version === 1 ? 2 : 4).map((shift) => (text.length >> shift) & 255);
  return Buffer.concat([Uint8Array.of(0x93, 78, 85, 77, 80, 89, version, 0, ...length), text]);
}

describe('files of NumPy', () => {
  test('an array without elements', () => {
    const { dtype, shape, data } = decodeNpy(bytesOf(EMPTY));
    expect({ dtype, shape, length: data.length }).toEqual({ dtype: 'i16', shape: [3, 0], length: 0 });
  });

  test('bfloat16 of ml_dtypes, if the caller says so, and the same bytes again', () => {
    const file = bytesOf(BFLOAT16);
    const read = decodeNpy(file, { void2: 'bf16' });
    expect(read).toEqual({
      dtype: 'bf16',
      shape: [2],
      fortranOrder: false,
      data: Uint8Array.of(0x80, 0x3f, 0x20, 0xc0),
    });
    expect(encodeNpy(read, read.data)).toEqual(file);
    expect(() => decodeNpy(file)).toThrow("pass { void2: 'bf16' }");
  });

  test('version 2.0', () => {
    const { shape, data } = decodeNpy(bytesOf(VERSION_2));
    expect([shape, ...new Float32Array(data.slice().buffer)]).toEqual([[2], 1, 1]);
  });

  test('a name outside ASCII among records', () => {
    expect(() => decodeNpy(bytesOf(RECORDS))).toThrow("'[('ä', '<f4')]' stands for records");
  });
});

describe('the dictionary', () => {
  test.each([
    ["{'descr':'<f4','fortran_order':True,'shape':(2,3)}", [2, 3]],
    ['\t{ "shape" : ( 2 , 3L , ) ,\n "descr" : u\'<f4\' , \'fortran_order\' : True }\r\n', [2, 3]],
    ["{'shape': (), 'fortran_order': True, 'descr': '<f4',}", []],
    ["{'shape': (7), 'fortran_order': True, 'descr': \"<f4\"}   ", [7]],
    ["{'shape': (007,), 'fortran_order': True, 'descr': '<f4'}", [7]],
  ])('%j is read', (text, shape) => {
    const header = fileOf(text);
    expect(readNpyHeader(header)).toEqual({ descr: '<f4', fortranOrder: true, shape, start: header.length });
  });

  test.each([
    ['', "expected '{' at its character 0, got the end"],
    ['[]', "expected '{' at its character 0, got []"],
    [`{'descr': '<f4', ${REST} x`, 'expected its end at its character 54, got x'],
    [`{'descr': '<f4' ${REST}`, "expected '}' at its character 16, got 'fortran_order': False, 'shape': ()}"],
    [`{'descr' '<f4', ${REST}`, "expected ':' at its character 9, got '<f4', 'fortran_order': False, 'shape..."],
    [`{'descr': , ${REST}`, "expected a value at its character 10, got , 'fortran_order': False, 'shape': ()}"],
    [`{'descr: <f4\n, ${REST}`, "'descr: <f4?, 'fortran_order': False,... is not closed"],
    ["{'descr': [(", '[( is not closed'],
    ["{'descr': '<f4\\'", "'<f4\\' is not closed"],
    [`{1: '<f4', ${REST}`, 'its keys must be strings'],
    [`{'descr': '<f4', 'descr': '<f8', ${REST}`, "'descr' is there twice"],
    [`{'descr': '<f4', 'x': 1, ${REST}`, "it has the key 'x'; there is descr, fortran_order, shape"],
    [`{${REST}`, "it has no 'descr'"],
    ["{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "'fortran_order' must be True or False, got 0"],
    ["{'descr': '<f4', 'fortran_order': 'True', 'shape': ()}", "'fortran_order' must be True or False, got 'True'"],
  ])('%j is refused', (text, reason) => {
    expect(thrown(() => readNpyHeader(fileOf(text)))).toBe(PREFIX + reason);
  });

  test.each(['3', '[3]', '(True,)', '((3,),)', '(3 4)', '(,)', '(+3,)', '(0x3,)', '(9007199254740992,)', 'None'])(
    'the shape %s is refused',
    (shape) => {
      const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}}`;
      expect(thrown(() => readNpyHeader(fileOf(text)))).toBe(
        `${PREFIX}'shape' must be a tuple of integers >= 0 below 2^53, got ${shape}`,
      );
    },
  );

  test('brackets of any depth, and long words and strings, are refused without a deep stack', () => {
    for (const text of ['('.repeat(500_000), 'x'.repeat(1e6), `'${'\\x'.repeat(400_000)}`, ','.repeat(1e6)]) {
      const started = performance.now();
      expect(() => readNpyHeader(fileOf(`{'descr': ${text}`))).toThrow('cannot be read');
      expect(performance.now() - started).toBeLessThan(5000);
    }
  });
});

describe('the lengths of a header', () => {
  test.each([7, 9, 11])('a file of %i bytes', (length) => {
    const file = fileOf('{}').subarray(0, length);
    expect(isNpy(file)).toBe(true);
    expect(thrown(() => readNpyHeader(file))).toBe(
      `RangeError: The file is cut off: its header begins at byte 12, ${length} bytes are there`,
    );
  });

  test('another version', () => {
    expect(thrown(() => readNpyHeader(fileOf('{}', 4)))).toBe(
      'SyntaxError: Version 4.0 of the .npy format is not known; 1.0, 2.0 and 3.0 are',
    );
  });

  test('one that is longer than the file is not made', () => {
    const file = Uint8Array.of(0x93, 78, 85, 77, 80, 89, 3, 0, 255, 255, 255, 255, 123);
    expect(thrown(() => readNpyHeader(file))).toBe(
      'RangeError: The file is cut off: its header has 4294967295 bytes, 1 are there',
    );
  });

  test('one that no array of numbers has is not read', () => {
    expect(thrown(() => readNpyHeader(fileOf(' '.repeat(2 ** 20 + 1))))).toBe(
      "RangeError: The .npy file's header must have at most 1048576 bytes, got 1048577",
    );
  });

  test('up to 64 KiB are version 1.0, above it is 2.0, and 1 MiB is the most', () => {
    const versions = new Set<number>();
    for (let axes = 21_820; axes <= 21_828; axes++) {
      const shape = new Array<number>(axes).fill(1);
      const file = encodeNpy({ dtype: 'u8', shape }, Uint8Array.of(9));
      const { start, shape: read } = readNpyHeader(file);
      versions.add(file[6] ?? 0);
      if (start % 64 !== 0 || start !== file.length - 1) expect({ axes, start }).toEqual({ axes, start: 'aligned' });
      if (read.length !== axes) expect(read).toHaveLength(axes);
    }
    expect([...versions]).toEqual([1, 2]);
    const shape = new Array<number>(400_000).fill(1);
    expect(thrown(() => encodeNpy({ dtype: 'u8', shape }, Uint8Array.of(9)))).toBe(
      'RangeError: The shape must fit in a header of 1048576 bytes, got 400000 axes',
    );
  });
});

describe('arguments of the wrong kind', () => {
  const bytes = new Uint8Array(1);
  test.each([
    [
      () => encodeNpy({ dtype: 'f31' as 'f32', shape: [] }, bytes),
      /^TypeError: dtype must be one of .*, got the string "f31"/,
    ],
    [
      () => encodeNpy({ dtype: 'u8', shape: 1 as unknown as number[] }, bytes),
      /^TypeError: shape must be a list of integers, got 1/,
    ],
    [() => encodeNpy({ dtype: 'u8', shape: [-1] }, bytes), /^RangeError: shape must hold integers >= 0/],
    [() => encodeNpy({ dtype: 'u8', shape: [0.5] }, bytes), /^RangeError: shape must hold integers >= 0/],
    [
      () => encodeNpy({ dtype: 'u8', shape: [2 ** 53 - 1, 2 ** 53 - 1] }, bytes),
      /^RangeError: bytes must have 8\.\d+e\+31 bytes/,
    ],
    [
      () => encodeNpy({ dtype: 'u8', shape: [], fortranOrder: 1 as unknown as boolean }, bytes),
      /^TypeError: fortranOrder must be a boolean, got 1/,
    ],
    [
      () => encodeNpy({ dtype: 'u8', shape: [] }, Int8Array.of(1) as unknown as Uint8Array),
      /^TypeError: bytes must be a Uint8Array, got an Int8Array/,
    ],
    [() => decodeNpy('x' as unknown as Uint8Array), /^TypeError: bytes must be a Uint8Array, got the string "x"/],
    [() => decodeNpy(bytes, { void: 'bf16' } as object), /^TypeError: decodeNpy has no option 'void'/],
    [() => decodeNpy(bytes, { void2: 'f16' } as object), /^TypeError: void2 must be 'bf16', got the string "f16"/],
  ])('%#', (act, message) => {
    expect(thrown(act)).toMatch(message);
  });

  test('a Buffer is read as a Uint8Array, a buffer that was transferred as nothing', () => {
    const file = encodeNpy({ dtype: 'u8', shape: [1] }, bytes);
    expect(Buffer.isBuffer(decodeNpy(Buffer.from(file)).data)).toBe(false);
    structuredClone(file.buffer, { transfer: [file.buffer] });
    expect(thrown(() => decodeNpy(file))).toBe('SyntaxError: It is not an .npy file');
  });
});

test('what has to be swapped or made true is new, all else is the memory of the file', () => {
  const make = (descr: string): Uint8Array =>
    Buffer.concat([
      fileOf(`{'descr': '${descr}', 'fortran_order': False, 'shape': (1,)}`),
      Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    ]);
  for (const [descr, bytes] of [
    ['<c8', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['=u2', [1, 2]],
    ['f4', [1, 2, 3, 4]],
    ['>u1', [1]],
    ['>u2', [2, 1]],
    ['>f4', [4, 3, 2, 1]],
    ['>c8', [4, 3, 2, 1, 8, 7, 6, 5]],
    ['>i8', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['>V2', [2, 1]],
    ['|V2', [1, 2]],
  ] as const) {
    const file = make(descr);
    const { data } = decodeNpy(file, { void2: 'bf16' });
    expect([descr, ...data]).toEqual([descr, ...bytes]);
    expect(data.buffer === file.buffer).toBe(!descr.startsWith('>') || descr === '>u1');
  }
});

test('each byte of a file changed to any other is refused in our own words, or read', () => {
  const file = encodeNpy({ dtype: 'i16', shape: [3] }, new Uint8Array(6));
  const problems = new Set<string>();
  for (let at = 0; at < 70; at++) {
    const kept = file[at] ?? 0;
    for (let byte = 0; byte < 256; byte++) {
      file[at] = byte;
      const message = thrown(() => decodeNpy(file));
      problems.add(
        /^(?:(?:Range|Syntax|Type)Error: (?:The (?:\.npy )?file|It is not|Version)|nothing)/.exec(message)?.[0] ??
          message,
      );
    }
    file[at] = kept;
  }
  expect([...problems].sort()).toEqual([
    'RangeError: The file',
    'SyntaxError: It is not',
    'SyntaxError: The .npy file',
    'SyntaxError: Version',
    'TypeError: The .npy file',
    'nothing',
  ]);
});
