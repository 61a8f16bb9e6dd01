import { describe, expect, test } from '@jest/globals';
import { lower } from '../../../../src/cpu/compiler/wasm/lower.ts';
import { wasm } from '../../../../src/cpu/abi/webassembly.ts';
import { accessOf, DISTINCT } from '../../../helpers/access-function.ts';
import { ACCESSES } from '../../../helpers/wasm-accesses.ts';
import { counted, list, name, signed, Type, unsigned, wasmOf } from '../../../helpers/wasm-module.ts';
import {
  isValid,
  moduleOf,
  run,
  runLowered,
  TABLE_BASE,
  type Sections,
  type TestFunction,
} from '../../../helpers/wide-module.ts';

const UNREACHABLE = 0x00;
const END = 0x0b;
const I64_ADD = 0x7c;
const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const global = (number: number): number[] => [0x23, number];
const i32 = (value: number): number[] => [0x41, ...signed(value)];
const i64 = (value: number | bigint): number[] => [0x42, ...signed(value)];
const MEMORY_BASE = 0;
const TABLE_BASE_GLOBAL = 1;

describe('an access is the same with an address of 64 bits', () => {
  test.each(ACCESSES.map((access) => [access.name, access] as const))('%s', (_, access) => {
    const wide = runLowered([accessOf(access, 64)]);
    const narrow = run(moduleOf(32, [accessOf(access, 32)]));
    const outcome = ({ bytes, call }: typeof wide, far: bigint, zeros: boolean): unknown[] => {
      const reached = bytes.subarray(0, 8192);
      reached.set(reached.map((__, i) => (zeros ? 0 : i * 37 + 11)));
      const values = Array.from(access.operands, (letter, i) => {
        const value = access.values?.[i];
        if (letter === 'a') return BigInt(value ?? 4096) + far;
        if (value !== undefined) return value;
        // A comparison with what is there is true with zeros, and false otherwise.
        return zeros ? (typeof DISTINCT[letter]?.[0] === 'bigint' ? BigInt(i - 1) : i - 1) : DISTINCT[letter]?.[i % 2];
      });
      return [call(0, ...values), Buffer.from(reached).toString('latin1')];
    };
    for (const zeros of [true, false]) {
      // Of an address only the lower half counts.
      expect(outcome(wide, 3n << 32n, zeros)).toEqual(outcome(narrow, 0n, zeros));
    }
  });

  test("in every one of the target's instructions", () => {
    expect(ACCESSES).toHaveLength(23 + 14 + 8 + 63 + 3 + 2);
  });
});

describe('operands above an address keep their values', () => {
  test('of every type, in a function with many locals', () => {
    const store = (opcode: number, align: number, at: number, value: readonly number[]): number[] => [
      ...get(0),
      ...value,
      opcode,
      align,
      at,
    ];
    const { bytes, call } = runLowered([
      {
        parameters: ['i64', 'i32', 'i64', 'f32', 'f64'],
        locals: Array.from({ length: 150 }, (_, i) => (i % 2 ? 'i32' : 'f64')),
        results: ['i32'],
        code: [
          ...[...get(1), ...set(154)],
          ...store(0x36, 2, 0, get(1)),
          ...store(0x37, 3, 8, get(2)),
          ...store(0x38, 2, 16, get(3)),
          ...store(0x39, 3, 24, get(4)),
          ...store(0x36, 2, 32, [...get(0), 0x28, 2, 0]),
          ...get(154),
        ],
      },
    ]);
    expect(call(0, 256n, 77, -5n, 0.5, 1e100)).toBe(77);
    const view = new DataView(bytes.buffer, 256);
    expect([view.getInt32(0, true), view.getBigInt64(8, true), view.getFloat32(16, true)]).toEqual([77, -5n, 0.5]);
    expect([view.getFloat64(24, true), view.getInt32(32, true)]).toEqual([1e100, 77]);
  });

  test('and where nothing arrives', () => {
    const { call } = runLowered([{ code: [UNREACHABLE, 0x36, 2, 0, UNREACHABLE] }]);
    expect(() => call(0)).toThrow(/unreachable/);
  });
});

describe('instructions without an address stay unchanged', () => {
  const same = (code: readonly number[]): boolean => {
    const functions = [{ locals: ['i32'] as const, code: [UNREACHABLE, ...code, UNREACHABLE] }];
    return Buffer.compare(lower(moduleOf(64, functions)), moduleOf(32, functions)) === 0;
  };
  const valid = (code: readonly number[]): boolean =>
    isValid(moduleOf(32, [{ locals: ['i32'], code: [UNREACHABLE, ...code, UNREACHABLE] }]));
  const range = (first: number, last: number): number[] =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i);

  test('the instructions of numbers and vectors are those that the engine knows', () => {
    const candidates = [
      ...range(0x45, 0xcf).map((opcode) => [opcode]),
      ...range(0, 7).map((opcode) => [0xfc, opcode]),
      ...[...range(0x0e, 0x14), ...range(0x23, 0x53), ...range(0x5e, 0xff)].map((opcode) => [
        0xfd,
        ...unsigned(opcode),
      ]),
    ];
    const known = candidates.filter(valid);
    expect(known).toHaveLength(128 + 8 + 198);
    for (const code of candidates) {
      if (valid(code)) expect(same(code)).toBe(true);
      else expect(() => lower(moduleOf(64, [{ code }]))).toThrow(/unknown instruction/);
    }
  });

  const bytes = Array.from({ length: 16 }, () => 0x28 - 0x10);
  test.each<[string, number[]]>([
    ['nop', [0x01]],
    ['block', [0x02, 0x40, END]],
    ['block with a result', [0x02, 0x7f, ...i32(1), END, 0x1a]],
    ['block of a function type', [0x02, ...signed(0), END]],
    ['loop', [0x03, 0x40, 0x0c, 0, END]],
    ['if and else', [...i32(1), 0x04, 0x7e, ...i64(-1), 0x05, ...i64(2n ** 62n), END, 0x1a]],
    ['br_if', [...i32(0), 0x0d, 0]],
    ['br_table', [0x02, 0x40, ...i32(0), 0x0e, 3, 0, 1, 0, 1, END]],
    ['return', [0x0f]],
    ['call', [0x10, 0]],
    ['return_call', [0x12, 0]],
    ['drop', [...i32(1), 0x1a]],
    ['select', [...i32(1), ...i32(2), ...i32(3), 0x1b, 0x1a]],
    ['select with a type', [0xd0, 0x70, 0xd0, 0x70, ...i32(3), 0x1c, 1, 0x70, 0x1a]],
    ['local.tee', [...i32(-300), 0x22, 0, 0x1a]],
    ['global.get', [...global(MEMORY_BASE), 0x1a]],
    ['f32.const', [0x43, 0x36, 0x37, 0x28, 0x29, 0x1a]],
    ['f64.const', [0x44, 0x36, 0x37, 0x28, 0x29, 0x36, 0x37, 0x28, 0x29, 0x1a]],
    ['ref.null and ref.is_null', [0xd0, 0x70, 0xd1, 0x1a]],
    ['ref.func', [0xd2, 0, 0x1a]],
    ['elem.drop', [0xfc, 13, 0]],
    ['v128.const', [0xfd, 0x0c, ...bytes, 0x1a]],
    ['i8x16.shuffle', [0xfd, 0x0d, ...bytes, 0x1a]],
    ...range(0x15, 0x22).map((opcode): [string, number[]] => [`lane instruction ${opcode}`, [0xfd, opcode, 1]]),
    ['atomic.fence', [0xfe, 0x03, 0]],
  ])('%s', (_, code) => {
    expect(valid(code)).toBe(true);
    expect(same(code)).toBe(true);
  });
});

describe('tables', () => {
  const ref = (i: number): number[] => [0xd2, i];
  const functions: TestFunction[] = [
    { results: ['i32'], code: i32(10) },
    { results: ['i32'], code: i32(20) },
    { parameters: ['i64'], results: ['i32'], code: [...get(0), 0x11, 0, 0] },
    { parameters: ['i64'], results: ['i32'], code: [...get(0), 0x13, 0, 0] },
    { parameters: ['i64'], results: ['funcref'], code: [...get(0), 0x25, 0] },
    { parameters: ['i64'], code: [...get(0), ...ref(1), 0x26, 0] },
    { parameters: ['i64', 'i64'], code: [...get(0), ...ref(0), ...get(1), 0xfc, 17, 0] },
    { parameters: ['i64', 'i64', 'i64'], code: [...get(0), ...get(1), ...get(2), 0xfc, 14, 0, 0] },
    { parameters: ['i64', 'i32', 'i32'], code: [...get(0), ...get(1), ...get(2), 0xfc, 12, 1, 0] },
    { results: ['i64'], code: [0xfc, 16, 0] },
    { parameters: ['i64'], results: ['i64'], code: [...ref(0), ...get(0), 0xfc, 15, 0] },
    { parameters: ['i64', 'externref'], code: [...get(0), ...get(1), 0x26, 1] },
    { parameters: ['i64'], results: ['externref'], code: [...get(0), 0x25, 1] },
    { results: ['i64'], code: [...global(TABLE_BASE_GLOBAL), ...i64(-1), I64_ADD] },
  ];
  const names = ['ten', 'twenty', 'call', 'tailCall', 'get', 'set', 'fill', 'copy', 'init', 'size', 'grow'] as const;
  type Name = (typeof names)[number];
  const more: Sections = [
    [4, list([[Type.externref, 4, 3]])],
    [
      9,
      list([
        [3, 0, ...list(functions.map((_, i) => [i]))],
        [1, 0, ...list([[1], [0], [1]])],
      ]),
    ],
  ];
  const start = (): ReturnType<typeof runLowered> & { readonly of: (which: Name, ...args: unknown[]) => unknown } => {
    const running = runLowered(functions, more);
    return { ...running, of: (which, ...args) => running.call(names.indexOf(which), ...args) };
  };

  test('are filled, copied and read', () => {
    const {
      of,
      functions: [ten, twenty],
      table,
    } = start();
    const content = (): unknown[] => Array.from({ length: table.length }, (_, i) => table.get(i));
    of('fill', 1n, 3n);
    of('set', 2n);
    expect(content()).toEqual([null, ten, twenty, ten, null, null, null, null]);
    of('copy', 4n, 2n, 2n);
    expect(content()).toEqual([null, ten, twenty, ten, twenty, ten, null, null]);
    of('init', 5n, 1, 2);
    expect(content()).toEqual([null, ten, twenty, ten, twenty, ten, twenty, null]);
    expect([of('get', 0n), of('get', 5n)]).toEqual([null, ten]);
  });

  test('are called through', () => {
    const { of } = start();
    of('fill', 0n, 8n);
    of('set', 3n);
    expect([of('call', 2n), of('call', 3n), of('tailCall', 3n)]).toEqual([10, 20, 20]);
    expect(() => of('call', 8n)).toThrow(wasm.RuntimeError);
  });

  test('grow, and say -1 where they cannot', () => {
    const { of } = start();
    expect([of('size'), of('grow', 20n), of('size'), of('grow', 5n), of('size')]).toEqual([8n, 8n, 28n, -1n, 28n]);
  });

  test('hold values of the host', () => {
    const { call } = start();
    const thing = {};
    call(11, 2n, thing);
    expect([call(12, 0n), call(12, 2n)]).toEqual([null, thing]);
  });

  test('have a base of 32 bits, which code reads as 64', () => {
    expect(start().call(13)).toBe(BigInt(TABLE_BASE - 1));
  });
});

describe('segments', () => {
  const two: TestFunction[] = [
    { results: ['i32'], code: i32(10) },
    { results: ['i32'], code: i32(20) },
  ];
  const base = [...global(TABLE_BASE_GLOBAL), END];
  const at = (place: number): number[] => [...i64(place), END];
  const ref = (i: number): number[] => [0xd2, i, END];

  test.each<[string, number[], (0 | 1 | null)[]]>([
    ['functions at the base', [0, ...base, ...list([[1], [0]])], [null, null, 1, 0]],
    ['functions at a place', [0, ...at(1), ...list([[1], [0]])], [null, 1, 0, null]],
    ['functions that are not put anywhere', [1, 0, ...list([[1]])], [null, null, null, null]],
    ['functions for a table', [2, 0, ...at(3), 0, ...list([[0]])], [null, null, null, 0]],
    ['functions that are only announced', [3, 0, ...list([[1]])], [null, null, null, null]],
    ['expressions at the base', [4, ...base, ...list([ref(0), [0xd0, 0x70, END]])], [null, null, 0, null]],
    ['expressions that are not put anywhere', [5, 0x70, ...list([ref(1)])], [null, null, null, null]],
    ['expressions for a table', [6, 0, ...at(0), 0x70, ...list([ref(1), ref(0)])], [1, 0, null, null]],
    ['expressions that are only announced', [7, 0x70, ...list([ref(1)])], [null, null, null, null]],
  ])('%s', (_, segment, expected) => {
    const { table, functions } = runLowered(two, [[9, list([segment, [0, ...at(7), ...list([[0]])]])]]);
    expect([0, 1, 2, 3].map((i) => table.get(i))).toEqual(expected.map((i) => (i === null ? null : functions[i])));
    expect(table.get(7)).toBe(functions[0]);
  });

  test('bytes at a place, and those that code puts somewhere', () => {
    const init: TestFunction = {
      parameters: ['i64', 'i32', 'i32'],
      code: [...get(0), ...get(1), ...get(2), 0xfc, 8, 1, 0, 0xfc, 9, 1],
    };
    const { bytes, call } = runLowered(
      [init],
      [
        [12, [3]],
        [
          11,
          list([
            [0, ...at(100), ...counted([1, 2])],
            [1, ...counted([3, 4, 5, 6])],
            [2, 0, ...at(200), ...counted([7])],
          ]),
        ],
      ],
    );
    call(0, 300n, 1, 2);
    expect([...bytes.subarray(100, 103), ...bytes.subarray(200, 202)]).toEqual([1, 2, 0, 7, 0]);
    expect([...bytes.subarray(299, 303)]).toEqual([0, 4, 5, 0]);
    expect(() => call(0, 300n, 1, 2)).toThrow(wasm.RuntimeError);
  });
});

describe('memory', () => {
  test('tells its size and grows, and says -1 where it cannot', () => {
    const { call } = runLowered([
      { results: ['i64'], code: [0x3f, 0] },
      { parameters: ['i64'], results: ['i64'], code: [...get(0), 0x40, 0] },
    ]);
    expect([call(0), call(1, 3n), call(0), call(1, 13n), call(0)]).toEqual([1n, 1n, 4n, -1n, 4n]);
  });

  test("of the module's own", () => {
    const module = lower(
      wasmOf([5, list([[7, ...unsigned(1, 10), ...unsigned(65536, 10)]])], [7, list([[...name('memory'), 2, 0]])]),
    );
    const { exports } = new wasm.Instance(new wasm.Module(module), {});
    expect((exports['memory'] as { buffer: SharedArrayBuffer }).buffer.byteLength).toBe(65536);
  });

  const far = (opcode: readonly number[], offset: number | bigint, ...values: readonly number[][]): TestFunction => ({
    parameters: ['i64'],
    code: [...get(0), ...values.flat(), ...opcode, ...unsigned(offset)],
  });
  test.each<[string, TestFunction]>([
    ['a load', far([0x28, 2], 2 ** 32)],
    ['a load from the end', far([0x28, 2], 2 ** 32 - 1)],
    ['a store', far([0x37, 0], 2n ** 63n, i64(1))],
    ['an atomic operation', far([0xfe, 0x48, 2], 2 ** 33, i32(1), i32(2))],
    ['a store of a vector', far([0xfd, 0x0b, 4], 2 ** 32, [...i32(1), 0xfd, 0x11])],
  ])('%s that is 4 GiB and more from its pointer does not arrive', (_, one) => {
    const drop = one.code.includes(0x28) || one.code.includes(0x48) ? [0x1a] : [];
    const { call } = runLowered([{ ...one, code: [...one.code, ...drop] }]);
    expect(() => call(0, 0n)).toThrow(/memory access out of bounds/);
  });
});

test("the linker's section stays the first, names go", () => {
  const link = [...name('dylink.0'), 1, 4, 64, 4, 3, 0];
  const module = lower(
    wasmOf([0, link], [1, list([])], [0, [...name('name'), 1, 2, 3]], [0, [...name('target_features'), 0]]),
  );
  expect([...module.subarray(8)]).toEqual([0, ...counted(link), 1, 1, 0]);
});

describe('is refused', () => {
  const code = (...bytes: number[]): Uint8Array => moduleOf(64, [{ code: [UNREACHABLE, ...bytes] }]);
  const imports = (...entry: number[]): Uint8Array => wasmOf([2, list([[...name('env'), ...name('x'), ...entry]])]);
  const segment = (id: number, ...place: number[]): Uint8Array =>
    moduleOf(64, [{ code: [] }], [[id, list([[0, ...place, 0]])]]);

  test.each<[string, RegExp, Uint8Array]>([
    ['an instruction of exceptions', /unknown instruction 0x06$/, code(0x06, 0x40, END)],
    ['a relaxed vector instruction', /unknown instruction 0xfd 0x100$/, code(0xfd, ...unsigned(0x100))],
    ['an instruction that nothing has', /unknown instruction 0xfe 0x4f$/, code(0xfe, 0x4f, 0, 0)],
    ['a block of an object type', /a value of type 0x64/, code(0x02, 0x64, 0x70, END)],
    ['an access to a second memory', /a memory with a number/, code(0x28, 0x42, 0, 0)],
    ['a memory of 32 bits', /a memory or a table of 32 bits/, imports(2, 3, 1, 1)],
    ['a table of 32 bits', /a memory or a table of 32 bits/, imports(1, 0x70, 0, 1)],
    ['pages of another size', /limits of kind 12/, imports(2, 12, 1, 16)],
    ['a limit beyond 32 bits', /a limit of 4294967296/, imports(2, 4, ...unsigned(2 ** 32))],
    ['an import of an exception', /an import of kind 4/, imports(4, 0, 0)],
    [
      'a second memory',
      /a second memory/,
      wasmOf([
        5,
        list([
          [4, 1],
          [4, 1],
        ]),
      ]),
    ],
    ['a section of exceptions', /a section of kind 13/, wasmOf([13, [0]])],
    ['a type of an object', /a type of form 95/, wasmOf([1, list([[0x5f, 0]])])],
    ['bytes at a base of 64 bits', /a place of 64 bits/, segment(11, ...global(MEMORY_BASE), END)],
    ['functions at a base of 64 bits', /a place of 64 bits/, segment(9, ...global(MEMORY_BASE), END)],
    ['functions at a negative place', /a segment at -1/, segment(9, ...i64(-1), END)],
    ['a place that is computed', /an expression that goes on/, segment(9, ...i64(1), ...i64(1), I64_ADD, END)],
    [
      'an element that is computed',
      /an element that is computed/,
      moduleOf(64, [], [[9, list([[5, 0x70, 1, 0x41, 0]])]]),
    ],
    ['a section that is too long', /a section longer/, wasmOf([1, [0, 0]])],
    ['a module that is cut off', /ends too early/, code(END).subarray(0, -3)],
    ['a function that is cut off', /ends too early/, code(0x43, 0)],
    ['a number that is cut off', /ends too early/, wasmOf([10, list([counted([0, 0x41, 0x80])])])],
  ])('%s', (_, message, module) => {
    expect(() => lower(module)).toThrow(message);
  });
});
