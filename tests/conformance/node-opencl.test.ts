import { expect, test } from '@jest/globals';
import cl from '../../src/node-opencl/index.ts';
import { complaints, constants, describeWith } from './emit.ts';

const headers = ['CL/cl.h', 'CL/cl_ext.h'];
const version = '#define CL_TARGET_OPENCL_VERSION 300';

const numbers = Object.fromEntries(
  Object.entries(cl as Readonly<Record<string, unknown>>).filter(
    (row): row is [string, number] => typeof row[1] === 'number' && !row[0].startsWith('size_'),
  ),
);

test('there are some 380 numbers', () => {
  expect(Object.keys(numbers).length).toBeGreaterThan(375);
});

describeWith(...headers)('CL/cl.h', () => {
  test('has the values of node-opencl, without a sign', () => {
    // Masks of 32 bits and negative numbers are what unsigned ones are compared with.
    const asserts = constants(numbers, (name) => `(CL_${name}) & 0xffffffffLL`);
    expect(complaints(headers, asserts, version)).toBe('');
  });
});
