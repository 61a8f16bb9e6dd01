import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import * as nvtx from '../../../../src/cuda/profiling/nvtx.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import type { NvtxTable } from '../../../../src/cuda/libraries/nvtx/table.ts';
import { functions } from '../../../../src/cuda/libraries/nvtx/functions.ts';
import { nvtxStructs } from '../../../../src/cuda/libraries/nvtx/structs.ts';
import { readText } from '../../../../src/ffi/memory.ts';
import { strictTable } from '../../../helpers/strict-table.ts';

const { fields } = nvtxStructs.nvtxEventAttributes_t;
let calls: unknown[][] = [];

interface Seen {
  readonly text: string;
  readonly color: number;
  readonly category: number;
  readonly payload: number;
}

function seen(attributes: unknown): Seen {
  const view = attributes as DataView;
  expect(view.getUint16(fields.version, true)).toBe(3);
  expect(view.getUint16(fields.size, true)).toBe(48);
  return {
    text: readText(view.getBigUint64(fields.message, true)),
    color: view.getInt32(fields.colorType, true) === 1 ? view.getUint32(fields.color, true) : -1,
    category: view.getUint32(fields.category, true),
    payload: view.getInt32(fields.payloadType, true) === 3 ? view.getFloat64(fields.payload, true) : NaN,
  };
}

function fake(domain: bigint | null = 0x77n): NvtxTable {
  const note =
    (name: string, result?: unknown) =>
    (...args: unknown[]): unknown => {
      calls.push([name, ...args.map((arg) => (ArrayBuffer.isView(arg) ? seen(arg) : arg))]);
      return result;
    };
  return strictTable(
    functions,
    {
      nvtxDomainMarkEx: note('mark'),
      nvtxDomainRangeStartEx: note('start', 5n),
      nvtxDomainRangeEnd: note('end'),
      nvtxDomainRangePushEx: note('push', 0),
      nvtxDomainRangePop: note('pop', 0),
      nvtxDomainCreateA: note('create', domain),
      nvtxDomainDestroy: note('destroy'),
      nvtxDomainNameCategoryA: note('category'),
    },
    'NVTX',
  );
}

beforeEach(() => {
  calls = [];
  useTables({ nvtx: fake() });
});
afterEach(() => {
  useTables({ nvtx: undefined });
});

const plain = { color: -1, category: 0, payload: NaN };

test('range() begins a range, and the end of the scope ends it', () => {
  {
    using range = nvtx.range('work', { color: 0x76b900, category: 3, payload: 0.5 });
    expect(range.name).toBe('work');
    expect(calls).toEqual([['start', 0n, { text: 'work', color: 0xff76b900, category: 3, payload: 0.5 }]]);
  }
  expect(calls.at(-1)).toEqual(['end', 0n, 5n]);
});

test('end() twice ends a range once', () => {
  const range = nvtx.range('work');
  range.end();
  range.end();
  expect(calls.filter(([name]) => name === 'end')).toHaveLength(1);
});

test('mark(), push() and pop() reach the library', () => {
  nvtx.mark('here');
  expect(nvtx.push('outer')).toBe(0);
  nvtx.pop();
  expect(calls).toEqual([
    ['mark', 0n, { text: 'here', ...plain }],
    ['push', 0n, { text: 'outer', ...plain }],
    ['pop', 0n],
  ]);
});

test('pop() without a push says so', () => {
  expect(() => nvtx.pop()).toThrow(RangeError);
  expect(calls).toEqual([]);
});

test('a Domain has marks, ranges and categories of its own, and outlives its ranges', () => {
  const domain = new nvtx.Domain('solver');
  const range = domain.range('step');
  domain.mark('half');
  domain.nameCategory(2, 'io');
  domain.close();
  expect(calls.at(-1)?.[0]).toBe('category');
  expect(() => domain.mark('late')).toThrow(ClosedError);
  range.end();
  expect(calls.map(([name, domainHandle]) => [name, domainHandle])).toEqual([
    ['create', 'solver'],
    ['start', 0x77n],
    ['mark', 0x77n],
    ['category', 0x77n],
    ['end', 0x77n],
    ['destroy', 0x77n],
  ]);
});

test('without a profiler a Domain is the default one', () => {
  useTables({ nvtx: fake(null) });
  const domain = new nvtx.Domain('solver');
  domain.mark('half');
  domain.nameCategory(2, 'io');
  domain.close();
  expect(calls.map(([name, domainHandle]) => [name, domainHandle])).toEqual([
    ['create', 'solver'],
    ['mark', 0n],
    ['category', 0n],
  ]);
});

test.each([
  ['a number for a name', () => nvtx.range(3 as never), TypeError],
  ['a NUL in a name', () => nvtx.mark('a\0b'), TypeError],
  ['an unknown option', () => nvtx.mark('a', { colour: 1 } as never), TypeError],
  ['a color that is none', () => nvtx.mark('a', { color: 2 ** 40 }), RangeError],
  ['a category that is none', () => nvtx.mark('a', { category: -1 }), RangeError],
  ['a payload that is not a number', () => nvtx.mark('a', { payload: '1' as never }), TypeError],
])('%s is refused', (_, call, error) => {
  expect(call).toThrow(error);
  expect(calls).toEqual([]);
});

test('without a library nothing happens', () => {
  useTables({ nvtx: null });
  expect(nvtx.available()).toBe(false);
  using domain = new nvtx.Domain('d');
  using range = domain.range('r');
  nvtx.mark('m');
  nvtx.push('p');
  nvtx.pop();
  expect(range.closed).toBe(false);
  expect(calls).toEqual([]);
});
