import { describe, expect, test } from '@jest/globals';
import * as xp from '../../../src/array/public.ts';
import { FusedValue } from '../../../src/array/expression/fused-value.ts';
import { installMethods } from '../../../src/array/methods.ts';
import { NDArray } from '../../../src/array/ndarray.ts';
import { aliases, shortNames } from '../../../src/array/operation/alias.ts';
import { operations, type OperationName } from '../../../src/array/operation/table.ts';

const functions = xp as unknown as Readonly<Record<string, unknown>>;
installMethods();
const methods = NDArray.prototype as unknown as Readonly<Record<string, unknown>>;
const fused = FusedValue.prototype as unknown as Readonly<Record<string, unknown>>;
const names = Object.keys(operations) as OperationName[];

describe('every operation', () => {
  test.each(names)('%s is a function, a method, and a method in fused functions', (name) => {
    expect(functions[name]).toBeInstanceOf(Function);
    expect(methods[name]).toBeInstanceOf(Function);
    expect(fused[name]).toBeInstanceOf(Function);
  });
});

describe('other names', () => {
  test.each(Object.entries(aliases))('%s is %s', (alias, name) => {
    expect(functions[alias]).toBe(functions[name]);
    expect(Object.keys(operations)).not.toContain(alias);
  });

  test.each(Object.keys(shortNames))('%s is a method too', (name) => {
    expect(methods[name]).toBeInstanceOf(Function);
  });
});
