import { beforeAll, expect, test } from '@jest/globals';
import type { OpenCLBench } from './bench.ts';
import { COMPILE_MS, openCLBench } from './compile.ts';
import { convert, CONVERSIONS, conversionKernel, edgesOf, wantedOf, type ScalarType } from './conversions.ts';
import { some } from '../../../helpers/full.ts';

/** All conversions from types; without `npm run test:full`, from every fourth. */
export function testConversions(all: readonly ScalarType[]): void {
  const types = some(all, 4);
  let bench: OpenCLBench;
  beforeAll(async () => {
    const kernels = types.map(conversionKernel);
    bench = await openCLBench(
      ['#pragma OPENCL EXTENSION cl_khr_fp16 : enable', ...kernels].join('\n'),
      '-cl-std=CL1.2',
    );
  }, COMPILE_MS);

  test.each(types)('from %s to every type, in every mode, saturated or not', (from) => {
    const { numbers, data } = edgesOf(from);
    expect(numbers.length).toBeGreaterThan(20);
    const wrong = CONVERSIONS.flatMap((conversion, which) => {
      const results = convert(bench, from, which, data);
      const { to, saturated, mode, width } = conversion;
      return numbers.flatMap((number, i) => {
        const wanted = wantedOf(conversion, from, number);
        if (wanted === undefined || Object.is(results[i], wanted)) return [];
        return [
          `convert_${to}${width}${saturated ? '_sat' : ''}${mode}(${number}) = ${String(results[i])}, not ${wanted}`,
        ];
      });
    });
    expect(wrong.slice(0, 10)).toEqual([]);
  });
}
