import { expect, test } from '@jest/globals';
import { brand, GpuError, LibraryNotFoundError } from '../../../src/core/errors.ts';
import { libraryCalls, LibraryTable } from '../../../src/ffi/library-table.ts';

const functions = {
  TYPES: { demoResult: 'i32', demoHandle: 'handle' },
  A: {
    demoMake: 'demoResult demoMake(_Out_ demoHandle *handle)',
    demoDestroy: 'demoResult demoDestroy(demoHandle handle)',
  },
} as const;

class DemoError extends GpuError {}
brand(DemoError, 'DemoError');

const library: LibraryTable<typeof functions> = new LibraryTable({
  functions,
  description: {
    title: 'a library that nobody has',
    variable: 'RAWKERNEL_LIBDEMO',
    symbol: 'demoMake',
    names: { linux: ['libdemo-that-nobody-has.so'], win32: ['demo-that-nobody-has.dll'] },
    advice: ['install it'],
  },
});
const demo = libraryCalls(library, {
  status: 'demoResult',
  statuses: { DEMO_SUCCESS: [0, 'none', ''], DEMO_ERROR_FULL: [7, 'runtime', 'Free a handle'] },
  prefix: 'DEMO_ERROR_',
  errorClass: DemoError,
  docs: 'https://example.com/demo',
});

function withStatus(status: number): void {
  library.use({ demoMake: () => status, demoDestroy: () => status });
}

test('a library that is not installed says what was tried', () => {
  library.use(undefined);
  expect(() => library.get()).toThrow(LibraryNotFoundError);
  expect(library.ifFound()).toBeUndefined();
  expect(library.report()).toMatchObject({
    path: undefined,
    absent: true,
    advice: expect.arrayContaining(['install it']),
  });
});

test('a fake stands in for it, and null for none', () => {
  withStatus(0);
  expect(demo.calls.demoMake(new BigUint64Array(1))).toBe(0);
  library.use(null);
  expect(library.ifFound()).toBeUndefined();
});

test("a failure is the library's error, with its constant, hint and page", () => {
  withStatus(7);
  const call = (): unknown => demo.calls.demoMake(new BigUint64Array(1));
  expect(call).toThrow(DemoError);
  expect(call).toThrow(/^demoMake failed: DEMO_ERROR_FULL\nFree a handle[^]*example\.com\/demo/);
  expect(demo.attempt('demoMake', new BigUint64Array(1))).toBe(7);
});

test('a status that the table does not know has a name too', () => {
  withStatus(99);
  expect(() => demo.calls.demoMake(new BigUint64Array(1))).toThrow('DEMO_ERROR_99');
  expect(demo.statuses.has(99)).toBe(false);
});
