import { createRequire } from 'node:module';
import { test } from '@jest/globals';
import type { RefPointer } from '../../src/core/ref-value.ts';

/** A type of ref's, called with `new`, or to make one. */
type RefClass<T> = new (value: unknown) => T;

/** What the tests use of ref-napi and its friends. */
export interface Ref {
  readonly alloc: (type: string, value: number) => Buffer & RefPointer;
  readonly struct: (fields: Readonly<Record<string, string>>) => RefClass<{ readonly 'ref.buffer': Buffer; n: number }>;
  readonly array: (type: string) => RefClass<{ readonly buffer: Buffer; readonly length: number }>;
}

/** The fork of ref-napi that comes compiled, with the packages for structs and arrays; undefined where it does not run. */
const ref: Ref | undefined = load();

/** `test`, which skips and says so where ref-napi's fork does not run. */
export const refTest: typeof test.skip = ref ? test : skip();

function skip(): typeof test.skip {
  process.stderr.write('Tests skipped: @lwahonen/ref-napi, ref-struct-di or ref-array-di does not run here\n');
  return test.skip;
}

function load(): Ref | undefined {
  const require = createRequire(import.meta.url);
  try {
    const napi = require('@lwahonen/ref-napi') as Pick<Ref, 'alloc'>;
    return {
      alloc: napi.alloc,
      struct: (require('ref-struct-di') as (napi: unknown) => Ref['struct'])(napi),
      array: (require('ref-array-di') as (napi: unknown) => Ref['array'])(napi),
    };
  } catch {
    return undefined;
  }
}

/** The packages, in a test that runs where they do. */
export function useRef(): Ref {
  if (!ref) throw new Error('ref-napi does not run here');
  return ref;
}
