import { expect, test } from '@jest/globals';
import { guard } from '../../../src/ffi/guard.ts';
import type { Bound } from '../../../src/ffi/prototype.ts';

const TABLE = {
  TYPES: { CUresult: 'i32', cl_context: 'handle', cl_uint: 'u32', cl_int: 'i32' },
  A: {
    doIt: 'CUresult doIt_v2(int value)',
    query: 'CUresult query(int value)',
    count: 'size_t count(int value)',
  },
  B: { make: 'cl_context make(cl_uint n, _Out_ cl_int *errcode_ret)' },
} as const;
type Fake = Bound<typeof TABLE>;

function checked(fake: Partial<Record<keyof Fake, unknown>>): ReturnType<typeof guardOf> {
  return guardOf(() => fake as unknown as Fake);
}

function guardOf(table: () => Fake): ReturnType<typeof guard<typeof TABLE>> {
  return guard(TABLE, table, {
    status: 'CUresult',
    answers: { query: [600] },
    error: (routine, status, group) => new Error(`${routine} ${status} ${group}`),
  });
}

test('guard() passes the arguments on and returns the status', () => {
  const seen: unknown[] = [];
  const { doIt } = checked({ doIt: (...args: unknown[]) => (seen.push(...args), 0) });
  expect(doIt(7)).toBe(0);
  expect(seen).toEqual([7]);
});

test('guard() throws the error of a failed call, with its routine, status and group', () => {
  expect(() => checked({ doIt: () => 700 }).doIt(1)).toThrow('doIt 700 A');
});

test('guard() returns a status that is an answer', () => {
  expect(checked({ query: () => 600 }).query(1)).toBe(600);
});

test('guard() throws a status that is an answer of another function', () => {
  expect(() => checked({ doIt: () => 600 }).doIt(1)).toThrow('doIt 600 A');
});

test('guard() throws other statuses of a function that answers', () => {
  expect(() => checked({ query: () => 1 }).query(1)).toThrow('query 1 A');
});

test('guard() leaves a function alone that returns no status', () => {
  expect(checked({ count: () => 5 }).count(1)).toBe(5);
});

test('guard() returns the handle of a creating function, and takes errcode_ret upon itself', () => {
  const make = (n: number, status: Int32Array): bigint => {
    status[0] = 0;
    return BigInt(n);
  };
  expect(checked({ make }).make(3)).toBe(3n);
});

test('guard() throws what a creating function writes to errcode_ret', () => {
  const make = (_: number, status: Int32Array): null => {
    status[0] = -5;
    return null;
  };
  expect(() => checked({ make }).make(3)).toThrow('make -5 B');
});

test('guard() does not mistake an old errcode_ret for a new one', () => {
  let fail = true;
  const { make } = checked({
    make: (_: number, status: Int32Array) => {
      if (fail) status[0] = -5;
      return 1n;
    },
  });
  expect(() => make(1)).toThrow('make -5 B');
  fail = false;
  expect(make(1)).toBe(1n);
});

test('guard() asks for the table at each call, so that it can be replaced', () => {
  let answer = 0;
  const { query } = guardOf(() => ({ query: () => answer }) as unknown as Fake);
  expect(query(1)).toBe(0);
  answer = 600;
  expect(query(1)).toBe(600);
});

test('guard() does not touch the table before a call', () => {
  const untouched = (): never => {
    throw new Error('touched');
  };
  expect(() => guardOf(untouched)).not.toThrow();
});
