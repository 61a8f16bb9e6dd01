import { describe, expect, test } from '@jest/globals';
import { compile } from '../../../src/cuda/compiler.ts';
import { CompileError } from '../../../src/cuda/errors.ts';
import type { Case } from './case.ts';
import { corpus } from './corpus.ts';
import { nativeNvrtc } from './native-compiler.ts';

const nvrtc = nativeNvrtc();

/** NVRTC needs no GPU: it says whether the corpus is CUDA C++. Headers come with a toolkit, which may be missing. */
nvrtc.describe('the conformance corpus compiles with NVRTC', () => {
  const cases = Object.values(corpus).flat();
  const headers = [...new Set(cases.flatMap(headersOf))];
  const missing = nvrtc.missing === undefined ? headers.filter((header) => !hasHeader(header)) : [];
  const exempt = cases.filter((one) => headersOf(one).some((header) => missing.includes(header)));

  test.each(cases.filter((one) => !exempt.includes(one)).map((one) => [one.name, one] as const))('%s', (_, one) => {
    const { source, options = [], nameExpressions = [] } = one;
    expect(() => compile(source, { arch: 'compute_80', options, nameExpressions }, () => 80)).not.toThrow();
  });

  if (exempt.length > 0) {
    describe(`without ${missing.join(', ')}`, () => {
      test.skip.each(exempt.map((one) => [one.name]))('%s', () => undefined);
    });
  }
});

function headersOf({ source }: Case): string[] {
  return [...source.matchAll(/^\s*#include <(.+?)>/gm)].map(([, header]) => header ?? '');
}

function hasHeader(header: string): boolean {
  try {
    compile(`#include <${header}>\n__global__ void k() {}`, { arch: 'compute_80' }, () => 80);
    return true;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return false;
  }
}
