import { expect, test } from '@jest/globals';
import { webcl } from '../../src/webcl/index.ts';
import { complaints, constants, describeWith } from './emit.ts';

const numbers = Object.fromEntries(
  Object.entries(webcl).filter((row): row is [string, number] => typeof row[1] === 'number'),
);

test('there are some 230 numbers, and none that WebCL leaves out', () => {
  expect(Object.keys(numbers).length).toBeGreaterThan(230);
  expect(
    Object.keys(numbers).filter((name) => /REFERENCE_COUNT|HOST_PTR$|^MAP_(?!FAIL)|NATIVE_KERNEL|1_2|SVM/.test(name)),
  ).toEqual(['INVALID_HOST_PTR']);
});

describeWith('CL/cl.h')('CL/cl.h', () => {
  test('has the values of WebCL', () => {
    const asserts = constants(numbers, (name) => `CL_${name}`);
    expect(complaints(['CL/cl.h', 'CL/cl_ext.h'], asserts, '#define CL_TARGET_OPENCL_VERSION 300')).toBe('');
  });
});
