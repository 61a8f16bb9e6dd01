import { expect, test } from '@jest/globals';
import { functions as driver } from '../../../src/cuda/sys/driver.ts';
import { functions as nvrtc } from '../../../src/cuda/sys/nvrtc.ts';
import { koffiType } from '../../../src/ffi/ctype.ts';
import { entriesOf, parsePrototype, requiredPlaces, typesOf } from '../../../src/ffi/prototype.ts';
import { functions as opencl } from '../../../src/opencl/sys/opencl.ts';

test('parsePrototype() reads the result, the symbol and no parameters', () => {
  expect(parsePrototype('CUresult cuCtxSynchronize(void)')).toEqual({
    result: 'CUresult',
    resultStars: 0,
    symbol: 'cuCtxSynchronize',
    params: [],
  });
});

test('parsePrototype() reads types of several words', () => {
  const { params } = parsePrototype('CUresult f(unsigned int a, unsigned long long b)');
  expect(params.map(({ type, name }) => [type, name])).toEqual([
    ['unsigned int', 'a'],
    ['unsigned long long', 'b'],
  ]);
});

test('parsePrototype() tells const, stars and out-parameters', () => {
  const { params } = parsePrototype('int f(const void *data, _Out_ CUdeviceptr *dptr, void **extra, const char *name)');
  expect(params).toEqual([
    { name: 'data', type: 'void', stars: 1, const: true, out: false },
    { name: 'dptr', type: 'CUdeviceptr', stars: 1, const: false, out: true },
    { name: 'extra', type: 'void', stars: 2, const: false, out: false },
    { name: 'name', type: 'char', stars: 1, const: true, out: false },
  ]);
});

test('parsePrototype() reads what may be NULL and what may not', () => {
  const { params } = parsePrototype('int f(_In_ const void *data, _Out_opt_ unsigned int *count)');
  expect(params).toEqual([
    { name: 'data', type: 'void', stars: 1, const: true, out: false },
    { name: 'count', type: 'unsigned int', stars: 1, const: false, out: true },
  ]);
});

test('requiredPlaces() gives the parameters that refuse NULL', () => {
  expect(requiredPlaces('int f(_Out_ int *a, _Out_opt_ int *b, _In_ const void *c, const void *d, int e)')).toEqual([
    0, 2,
  ]);
  expect(requiredPlaces('int f(void)')).toEqual([]);
});

test('parsePrototype() reads a result that is a pointer', () => {
  expect(parsePrototype('void *clSVMAlloc(cl_context c)')).toMatchObject({ result: 'void', resultStars: 1 });
});

test.each([
  '',
  'int f',
  'f()',
  'int f()',
  'int f(int)',
  'int f(int a,int b)',
  'int f(int a',
  'int f(int *)',
  'int f(...)',
])('parsePrototype() refuses %j', (text) => {
  expect(() => parsePrototype(text)).toThrow(SyntaxError);
});

test('parsePrototype() quotes the text that it refuses', () => {
  expect(() => parsePrototype('int f(int)')).toThrow("Not a C parameter: 'int' in 'int f(int)'");
});

test.each([
  ['cuda', driver],
  ['nvrtc', nvrtc],
  ['opencl', opencl],
])('parsePrototype() reads every line of the %s table, and its types have rows', (_, table) => {
  const types = typesOf(table);
  for (const [, text] of entriesOf(table)) {
    const { result, resultStars, params } = parsePrototype(text);
    expect(koffiType(result, resultStars, types)).toBeDefined();
    for (const { type, stars } of params) expect(koffiType(stars > 0 ? 'void' : type, stars, types)).toBeDefined();
  }
});

test('koffiType() refuses a type without a row', () => {
  expect(() => koffiType('CUnothing', 0)).toThrow("Unknown C type 'CUnothing': add its row to the table's TYPES");
});

test('entriesOf() walks the groups in order', () => {
  const table = { A: { f: 'int f(void)', g: 'int g(void)' }, B: { h: 'int h(void)' } };
  expect([...entriesOf(table)]).toEqual([
    ['f', 'int f(void)', 'A'],
    ['g', 'int g(void)', 'A'],
    ['h', 'int h(void)', 'B'],
  ]);
});
