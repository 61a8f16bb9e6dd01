import { expect, test } from '@jest/globals';
import { parseDeclarations } from '../../../../src/core/signature.ts';
import {
  describeEntries,
  entrySignature,
  findEntry,
  parameterSlots,
  type KernelEntry,
} from '../../../../src/cuda/compiler/kernel-entry.ts';
import { parsePtx } from '../../../../src/cuda/compiler/ptx.ts';

const one = (symbol: string, source = ''): KernelEntry =>
  describeEntries([{ symbol }], parseDeclarations(source, 'cuda'))[0] as KernelEntry;

test.each([
  ['_Z3addPfi', '', 'add(float *, int)'],
  ['_Z3addPfi', '__global__ void add(float *x, int n) {}', 'add(float *x, int n)'],
  ['_Z3addPfi', '__global__ void add(float *x) {}', 'add(float *, int)'],
  ['_ZN2ns5innerEPs', 'namespace ns { __global__ void inner(short *s) {} }', 'ns::inner(short *s)'],
  ['_Z4nonev', '__global__ void none() {}', 'none()'],
  ['plain', 'extern "C" __global__ void plain(unsigned n) {}', 'plain(unsigned int n)'],
  ['plain', '__global__ void plain(unsigned n) {}', 'plain'],
  ['plain', '', 'plain'],
])('the signature of %s with %j is %s', (symbol, source, signature) => {
  expect(entrySignature(one(symbol, source))).toBe(signature);
});

const OVERLOADS = ['_Z4overPii', '_Z4overPfi', '_ZN2ns4overEPii'].map((symbol) => one(symbol));

test.each([
  ['over(int*, int)', '_Z4overPii'],
  [' over ( int * , int ) ', '_Z4overPii'],
  ['over(float *, int)', '_Z4overPfi'],
  ['ns::over', '_ZN2ns4overEPii'],
  ['_Z4overPfi', '_Z4overPfi'],
])('findEntry(%j) is %s', (query, symbol) => {
  const entries = query.startsWith('ns') ? OVERLOADS : OVERLOADS.slice(0, 2);
  expect(findEntry(entries, query)?.symbol).toBe(symbol);
});

test.each(['', 'nothing', 'over(double*, int)', 'over()', 'over(int*', '(', ')', 'over<int>'])(
  'findEntry(%j) finds no entry',
  (query) => {
    expect(findEntry(OVERLOADS, query)).toBeUndefined();
  },
);

test('findEntry() lists the candidates of an ambiguous name', () => {
  expect(() => findEntry(OVERLOADS, 'over')).toThrow(
    new TypeError(
      "'over' is ambiguous; name one as in its signature:\n  over(int *, int)\n  over(float *, int)\n  ns::over(int *, int)",
    ),
  );
});

test('parameterSlots() takes the layout of the driver first', () => {
  const slots = parameterSlots(one('_Z3addPfi'), [
    { offset: 0, size: 8 },
    { offset: 16, size: 4 },
  ]);
  expect(slots?.map(({ byteOffset, byteLength, type }) => [byteOffset, byteLength, type?.text])).toEqual([
    [0, 8, 'float *'],
    [16, 4, 'int'],
  ]);
});

test('parameterSlots() lays C types out where nothing else tells', () => {
  const slots = parameterSlots(one('_Z1fcdPf'), undefined);
  expect(slots?.map(({ byteOffset, byteLength }) => [byteOffset, byteLength])).toEqual([
    [0, 1],
    [8, 8],
    [16, 8],
  ]);
});

test('parameterSlots() drops a type that does not agree with the layout', () => {
  const slots = parameterSlots(one('_Z1fi'), [{ offset: 0, size: 8 }]);
  expect(slots?.[0]?.type).toBeUndefined();
});

test('parameterSlots() drops all types when their number does not agree', () => {
  const slots = parameterSlots(one('_Z1fii'), [{ offset: 0, size: 4 }]);
  expect(slots?.map(({ type }) => type)).toEqual([undefined]);
});

test('parameterSlots() takes an enum in a register for a number', () => {
  const { entries } = parsePtx('.entry _Z1f4Mode(.param .u32 m) { ret; }');
  const [entry] = describeEntries(entries, []);
  expect(parameterSlots(entry as KernelEntry, undefined)?.[0]?.type).toMatchObject({ kind: 'int', size: 4 });
});

test('parameterSlots() is undefined when nothing is known', () => {
  expect(parameterSlots(one('plain'), undefined)).toBeUndefined();
  expect(parameterSlots(one('_Z1f6Params'), undefined)).toBeUndefined();
});
