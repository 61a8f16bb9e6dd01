import { beforeAll, expect, test } from '@jest/globals';
import type { OpenCLBench } from './opencl/bench.ts';
import { COMPILE_MS, openCLBench } from './opencl/compile.ts';
import { convert, CONVERSIONS, conversionKernel, edgesOf, SCALAR_TYPES, wantedOf } from './opencl/conversions.ts';

let bench: OpenCLBench;
beforeAll(async () => {
  const kernels = SCALAR_TYPES.map(conversionKernel);
  bench = await openCLBench(['#pragma OPENCL EXTENSION cl_khr_fp16 : enable', ...kernels].join('\n'), '-cl-std=CL1.2');
}, COMPILE_MS);

test.each(SCALAR_TYPES)('from %s to every type, in every mode, saturated or not', (from) => {
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
