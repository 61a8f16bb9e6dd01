import { describe, expect, test } from '@jest/globals';
import { compile } from '../../../src/cuda/compiler/compiler.ts';
import type { SourceOptions } from '../../../src/cuda/compiler/source-options.ts';
import { compilerVersion } from '../../../src/cuda/device/version.ts';
import { CompileError } from '../../../src/cuda/errors.ts';
import { needs } from '../../helpers/require.ts';
import { brokenBounds } from './broken/bounds.ts';
import { brokenOrder } from './broken/races.ts';
import type { Case } from './case.ts';
import { corpus } from './corpus.ts';
import { printingCases } from './corpus/printing.ts';
import { some } from '../../helpers/full.ts';

// NVRTC itself, which says whether the kernels are CUDA C++, not the compiler of what else the tests run on.
process.env['RAWKERNEL_DEVICE'] = 'gpu';
const nvrtc = needs.nvrtc();

function compiles(source: string, options: Pick<SourceOptions, 'options' | 'nameExpressions'> = {}): void {
  expect(() => compile(source, { arch: 'compute_80', ...options }, () => 80)).not.toThrow();
}

/** NVRTC needs no GPU. Headers come with a toolkit, which may be missing. */
nvrtc.describe('the conformance corpus compiles with NVRTC', () => {
  const old = nvrtc.missing === undefined && compilerVersion()[0] < 12;
  const cases = some(Object.values(corpus).flat(), 10).filter(({ isOld }) => !isOld || old);
  const headers = [...new Set(cases.filter((one) => one.nvcc !== true).flatMap(headersOf))];
  const missing = nvrtc.missing === undefined ? headers.filter((header) => !hasHeader(header)) : [];
  const exempt = cases.filter((one) => one.nvcc === true || headersOf(one).some((header) => missing.includes(header)));

  test.each(cases.filter((one) => !exempt.includes(one)).map((one) => [one.name, one] as const))('%s', (_, one) => {
    const { source, options = [], nameExpressions = [], sources } = one;
    const all = sources ? [...options, '--relocatable-device-code=true'] : options;
    compiles(source, { options: all, nameExpressions });
    for (const other of sources ?? []) compiles(other, { options: all });
  });

  if (exempt.length > 0) {
    describe(`for nvcc, or without ${missing.join(', ')}`, () => {
      test.skip.each(exempt.map((one) => [one.name]))('%s', () => undefined);
    });
  }
});

nvrtc.describe('kernels that print compile with NVRTC', () => {
  test.each(some(printingCases, 10).map((one) => [one.name, one] as const))('%s', (_, { source }) => {
    compiles(source);
  });
});

nvrtc.describe('the broken kernels compile with NVRTC', () => {
  test.each(some([...brokenBounds, ...brokenOrder], 10).map((one) => [one.name, one] as const))(
    '%s',
    (_, { source }) => {
      compiles(source);
    },
  );
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
