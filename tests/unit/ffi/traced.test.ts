import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { bind, callOnWorker, provideAsync, wrapTable } from '../../../src/ffi/bind.ts';
import type { Library } from '../../../src/ffi/library.ts';
import type { Bound } from '../../../src/ffi/prototype.ts';
import { traced } from '../../../src/ffi/traced.ts';

const ALLOC = 'CUresult cuMemAlloc_v2(_Out_ CUdeviceptr *dptr, size_t bytesize)';
let printed = '';

beforeEach(() => {
  printed = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('traced() prints arguments, result and time of a call', () => {
  const call = traced('cuMemAlloc', ALLOC, (out) => {
    (out as BigUint64Array)[0] = 0x7f00n;
    return 0;
  });
  expect(call(new BigUint64Array(1), 16)).toBe(0);
  expect(printed).toMatch(/^cuMemAlloc\(dptr=\*, bytesize=16\) = 0 \{dptr=0x7f00\} {2}\d+\.\d us\n$/);
});

test('traced() prints the call before it is made: the last line says where a process died', () => {
  let before = '';
  const call = traced('cuMemAlloc', ALLOC, () => {
    before = printed;
    return 0;
  });
  call(new BigUint64Array(1), 16);
  expect(before).toBe('cuMemAlloc(dptr=*, bytesize=16)');
});

test('traced() ends the line of a call whose arguments are refused with the reason', () => {
  const call = traced('cuMemAlloc', ALLOC, () => {
    throw new RangeError('bytesize must be an integer');
  });
  expect(() => call(new BigUint64Array(1), 0.5)).toThrow(RangeError);
  expect(printed).toBe('cuMemAlloc(dptr=*, bytesize=0.5) refused: bytesize must be an integer\n');
});

test('traced() shortens long text, shows text that was written, and only the first of many elements', () => {
  traced('f', 'CUresult f(const char *name, _Out_ char *text, _Out_ int *list)', (_, text) => {
    (text as Uint8Array).set(Buffer.from('Fake GPU\0'));
    return 0;
  })('x'.repeat(50), new Uint8Array(64), new Int32Array(9));
  expect(printed).toContain(`f(name="${'x'.repeat(40)}…", text=*, list=*) = 0 {text="Fake GPU", list=[0, 0, 0, 0, …]}`);
});

test('traced() spells out what a describer knows', () => {
  const text = 'CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f)';
  traced('cuLaunchKernelEx', text, () => 0, { CUlaunchConfig: () => '{grid [4, 1, 1]}' })(0x10n, 0x20n);
  expect(printed).toContain('cuLaunchKernelEx(config={grid [4, 1, 1]}, f=0x20) = 0');
});

const TABLE = { TYPES: { CUresult: 'i32' }, A: { go: 'CUresult go(int value)', gone: 'CUresult gone(void)' } } as const;

test('wrapTable() is as lazy as the table under it', () => {
  const library = {
    find: (symbol: string) => {
      if (symbol === 'gone') throw new Error('no such symbol');
      return () => 7;
    },
  } as unknown as Library;
  const wrapped = wrapTable(
    TABLE,
    bind(TABLE, library),
    (_name, _text, call) =>
      (...args) =>
        Number(call(...args)) + 1,
  );
  expect(wrapped.go(1)).toBe(8);
  expect(() => wrapped.gone()).toThrow('no such symbol');
});

test('wrapTable() wraps the form that does not block too, whose line is printed at its end', async () => {
  const go = (): number => 0;
  provideAsync(go, () => Promise.resolve(6));
  const wrapped = wrapTable(TABLE, { go } as unknown as Bound<typeof TABLE>, (...call) => traced(...call));
  const promise = callOnWorker(wrapped.go, 1);
  expect(printed).toBe('');
  expect(await promise).toBe(6);
  expect(printed).toMatch(/^go\(value=1\) = 6 {2}\d+\.\d us\n$/);
});
