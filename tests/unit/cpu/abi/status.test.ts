import { expect, test } from '@jest/globals';
import { Status } from '../../../../src/cpu/abi/status.ts';
import { status } from '../../../../src/cuda/sys/enums.ts';

const known = new Map<string, number>(
  Object.entries(status).map(([name, [value]]) => [name.replace(/^CUDA_(?:ERROR_)?/, ''), value]),
);

test.each(Object.entries(Status))('Status.%s is that of the CUDA driver', (name, value) => {
  expect(known.get(name)).toBe(value);
});
