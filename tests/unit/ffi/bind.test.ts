import { expect, test } from '@jest/globals';
import { SymbolNotFoundError } from '../../../src/core/errors.ts';
import { bind, callOnWorker, unchecked, wrapInPlace } from '../../../src/ffi/bind.ts';
import { openLibrary, type Library, type NativeFunction } from '../../../src/ffi/library.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { needs } from '../../helpers/require.ts';

const TABLE = {
  STRING: {
    length: 'size_t strlen(const char *text)',
    lengthAt: 'size_t strlen(const void *text)',
    negate: 'int abs(int value)',
    compare: 'int memcmp(const void *a, const void *b, size_t count)',
    copy: 'void *memcpy(_Out_ void *to, const void *from, size_t count)',
    hot: 'int labs(int value)',
  },
  MISSING: { nothing: 'int rawkernel_no_such_symbol(int value)' },
} as const;

/** A library that records what is looked up, and answers with a function of its own. */
function recording(): { library: Library; found: string[] } {
  const found: string[] = [];
  const library = {
    find: (symbol: string) => {
      found.push(symbol);
      return ((...args: unknown[]) => args.length) as NativeFunction;
    },
  };
  return { library: library as unknown as Library, found };
}

function openLibc(): Library {
  return openLibrary({
    title: 'the C library',
    variable: 'RAWKERNEL_TEST_LIBC',
    symbol: 'malloc',
    names: { linux: ['libc.so.6'], darwin: ['libSystem.B.dylib'], win32: ['msvcrt.dll'] },
    advice: [],
  });
}

test('bind() looks nothing up before a function is used', () => {
  const { library, found } = recording();
  const bound = bind(TABLE, library);
  expect(Object.keys(bound)).toContain('length');
  expect(found).toEqual([]);
});

test('bind() looks a function up once, by its symbol', () => {
  const { library, found } = recording();
  const bound = bind(TABLE, library);
  bound.length('a');
  bound.length('b');
  expect(found).toEqual(['strlen']);
});

test('bind() gives the same function each time', () => {
  const bound = bind(TABLE, recording().library);
  expect(bound.negate).toBe(bound.negate);
});

test('bind() checks the arguments, except of hot functions', () => {
  const bound = bind(TABLE, recording().library, ['hot']);
  expect(() => bound.negate(0.5)).toThrow(RangeError);
  expect(bound.hot(0.5)).toBe(1);
});

test('bind() calls a real library', () => {
  const libc = bind(TABLE, openLibc());
  expect(libc.length('four')).toBe(4);
  expect(libc.negate(-3)).toBe(3);
  expect(libc.compare(Uint8Array.of(1, 2), Uint8Array.of(1, 3), 1)).toBe(0);
});

test('bind() passes the first byte of a view, not of its buffer', () => {
  const libc = bind(TABLE, openLibc());
  const text = Buffer.from('abcdef\0');
  expect(libc.lengthAt(text.subarray(2))).toBe(4);
  expect(libc.lengthAt(new DataView(text.buffer, text.byteOffset + 5, 2))).toBe(1);
});

test('bind() takes addresses and gives pointers as bigints', () => {
  const libc = bind(TABLE, openLibc());
  const to = new Uint8Array(4);
  const from = Uint8Array.of(9, 8, 7, 6);
  expect(libc.copy(to, addressOf(from), 4)).toBe(addressOf(to));
  expect([...to]).toEqual([9, 8, 7, 6]);
});

test('bind() fails for a missing symbol only when it is used', () => {
  const libc = bind(TABLE, openLibc());
  expect(libc.negate(-1)).toBe(1);
  const use = (): unknown => libc.nothing;
  expect(use).toThrow(SymbolNotFoundError);
  expect(use).toThrow(/^rawkernel_no_such_symbol is not in the C library \(.*\); a newer version may have it$/);
});

test('bind() names the version of a library that lacks a symbol, where that is known', () => {
  const library = openLibc().describeVersion(() => '2.36');
  expect(() => bind(TABLE, library).nothing).toThrow(
    expect.objectContaining({ code: 'ERR_RAWKERNEL_SYMBOL_NOT_FOUND', version: '2.36', library: library.path }),
  );
});

test('bind() names the version that has a symbol, where that is known', () => {
  const libc = bind(TABLE, openLibc(), [], (name) => (name === 'nothing' ? 'C 3.0 has it' : undefined));
  expect(() => libc.nothing).toThrow(/^rawkernel_no_such_symbol is not in the C library \(.*\); C 3.0 has it$/);
});

test('callOnWorker() runs a native function on another thread', async () => {
  const libc = bind(TABLE, openLibc());
  await expect(callOnWorker(libc.negate, -7)).resolves.toBe(7);
});

test('callOnWorker() checks the arguments', async () => {
  const libc = bind(TABLE, openLibc());
  await expect(callOnWorker(libc.negate, 2 ** 40)).rejects.toThrow(RangeError);
});

test('callOnWorker() simply calls what is not native', async () => {
  await expect(callOnWorker((a: number, b: number) => a + b, 1, 2)).resolves.toBe(3);
});

const LOADER = {
  title: 'OpenCL',
  variable: 'RAWKERNEL_LIBOPENCL',
  symbol: 'clGetPlatformIDs',
  names: { linux: ['libOpenCL.so.1'], win32: ['OpenCL.dll'] },
  advice: [],
};

needs.library(LOADER).test('bind() calls an OpenCL loader', () => {
  const table = {
    TYPES: { cl_int: 'i32', cl_uint: 'u32', cl_platform_id: 'handle' },
    P: { get: 'cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *list, _Out_ cl_uint *count)' },
  } as const;
  const cl = bind(table, openLibrary(LOADER));
  const count = new Uint32Array(1);
  expect([0, -1001]).toContain(cl.get(0, 0n, count));
});

test('wrapInPlace() looks nothing up before a function is used, and keeps its other forms', () => {
  const { library, found } = recording();
  const bound = bind(TABLE, library);
  const seen: unknown[][] = [];
  const log =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      seen.push(args);
      return call(...args);
    };
  expect(bound.negate(1)).toBe(1);
  wrapInPlace(bound, 'negate', log as never);
  wrapInPlace(bound, 'length', log as never);
  expect(found).toEqual(['abs']);
  expect([bound.negate(2), bound.length('a'), bound.length('b'), unchecked(bound.length)('c')]).toEqual([1, 1, 1, 1]);
  expect(found).toEqual(['abs', 'strlen']);
  expect(seen).toEqual([[2], ['a'], ['b'], ['c']]);
  expect(bound.length).toBe(bound.length);
  wrapInPlace(bound, 'nothing', log as never);
  const lacking = bind(TABLE, openLibc());
  wrapInPlace(lacking, 'nothing', log as never);
  expect(() => lacking.nothing(1)).toThrow(SymbolNotFoundError);
  expect(() => lacking.nothing(1)).toThrow(SymbolNotFoundError);
});
