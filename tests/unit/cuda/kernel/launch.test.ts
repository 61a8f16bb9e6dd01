import { expect, test } from '@jest/globals';
import { SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { CudaLaunchError } from '../../../../src/cuda/errors.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.0\n.target sm_80\n.address_size 64
.visible .entry _Z1fil(.param .u32 a, .param .u64 b) { ret; }`;

const fake = withFakeDriver();

test('a launch without cuLaunchKernelEx goes through cuLaunchKernel', () => {
  const missing = {
    get cuLaunchKernelEx(): never {
      throw new SymbolNotFoundError('cuLaunchKernelEx', 'the driver', 'x', undefined);
    },
  };
  const old = Object.defineProperties({ ...fake.table }, Object.getOwnPropertyDescriptors(missing));
  useTables({ driver: old });
  using module = moduleFromBuffer(PTX);
  using stream = new Stream();
  module.getFunction('f')(5, -6, { block: [4, 2], grid: [7, 1, 3], shared: 64, stream });
  useTables({ driver: fake.table });
  const launch = fake.launches.at(-1);
  expect(launch).toMatchObject({ grid: [7, 1, 3], block: [4, 2, 1], shared: 64, stream: stream.handle });
  expect([launch?.args.getInt32(0, true), launch?.args.getBigInt64(8, true)]).toEqual([5, -6n]);
});

test('a cooperative launch carries the attribute, and the next one of the same kernel does not', () => {
  using module = moduleFromBuffer(PTX);
  const f = module.getFunction('f');
  f(1, 2, { block: 4, cooperative: true });
  expect(fake.launches.at(-1)?.attributes).toEqual([[2, 0, 1]]);
  f(1, 2, { block: 4, cooperative: false });
  f(1, 2, { block: 4 });
  expect(fake.launches.slice(-2).map(({ attributes }) => attributes)).toEqual([[], []]);
  expect(() => {
    f(1, 2, { block: 4, cooperative: 1 as never });
  }).toThrow('cooperative must be true or false, got 1');
});

test('a launch that the driver refuses tells kernel, grid and block', () => {
  using module = moduleFromBuffer(PTX);
  fake.fail.set('cuLaunchKernelEx', 701);
  const launch = (): void => {
    module.getFunction('f')(5, 6, { block: 64, grid: [2, 2], shared: 16 });
  };
  expect(launch).toThrow(CudaLaunchError);
  expect(launch).toThrow(
    /cuLaunchKernelEx failed: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES\n.*\n {2}kernel {2}f\(int, long\)\n {2}grid {4}\[2, 2, 1\]\n {2}block {3}\[64, 1, 1\] {3}shared 16 B/,
  );
  fake.fail.clear();
});

test('a launch on a closed stream does not reach the driver', () => {
  using module = moduleFromBuffer(PTX);
  const stream = new Stream();
  const prepared = module.getFunction('f').prepare({ block: 1, stream });
  stream.close();
  const before = fake.launches.length;
  expect(() => {
    prepared(1, 2);
  }).toThrow('Stream.f: this Stream is closed');
  expect(() => {
    module.getFunction('f')(1, 2, { block: 1, stream });
  }).toThrow('Stream.f: this Stream is closed');
  expect(fake.launches).toHaveLength(before);
});

test('shared memory above 48 KiB is opted in once', () => {
  using module = moduleFromBuffer(PTX);
  const set: unknown[] = [];
  fake.onCall = (routine, args) => {
    if (routine === 'cuFuncSetAttribute') set.push(args[2]);
  };
  const f = module.getFunction('f');
  for (const shared of [49_152, 60_000, 50_000, 70_000]) f(1, 2, { block: 1, shared });
  fake.onCall = undefined;
  expect(set).toEqual([60_000, 70_000]);
});
