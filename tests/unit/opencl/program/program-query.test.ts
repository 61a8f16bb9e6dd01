import { expect, test } from '@jest/globals';
import { readBytes, readString, type InfoQuery } from '../../../../src/opencl/info.ts';
import { programQuery } from '../../../../src/opencl/program/program-query.ts';
import { ProgramInfo } from '../../../../src/opencl/sys/enums.ts';

/** A driver that NVIDIA's 580 is like: it does not survive the question for names where there are none. */
function driver(kernels: bigint, asked: number[]): InfoQuery {
  return (param, byteLength, value, byteLengthReturned) => {
    asked.push(param);
    if (param === ProgramInfo.KERNEL_NAMES[0] && kernels === 0n) throw new Error('the end of the process');
    const bytes =
      param === ProgramInfo.NUM_KERNELS[0] ? new Uint8Array(BigUint64Array.of(kernels).buffer) : Buffer.from('a;b\0');
    if (typeof value !== 'bigint') value.set(bytes.subarray(0, byteLength));
    if (typeof byteLengthReturned !== 'bigint') byteLengthReturned[0] = BigInt(bytes.length);
    return 0;
  };
}

const [NAMES] = ProgramInfo.KERNEL_NAMES;

test('names of kernels are not asked for where there are none', () => {
  const asked: number[] = [];
  const query = programQuery(driver(0n, asked));
  expect(readString(query, NAMES)).toBe('');
  expect(readBytes(query, NAMES)).toEqual(Uint8Array.of(0));
  expect(new Set(asked)).toEqual(new Set([ProgramInfo.NUM_KERNELS[0]]));
});

test('they are where there are some, and other properties are asked for as they are', () => {
  const asked: number[] = [];
  const query = programQuery(driver(2n, asked));
  expect(readString(query, NAMES)).toBe('a;b');
  asked.length = 0;
  readBytes(query, ProgramInfo.SOURCE[0]);
  expect(asked).toEqual([ProgramInfo.SOURCE[0], ProgramInfo.SOURCE[0]]);
});
