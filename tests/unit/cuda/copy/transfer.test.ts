import { afterEach, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { Graph } from '../../../../src/cuda/graph/graph.ts';
import { In, InOut, Out, Transfer } from '../../../../src/cuda/copy/transfer.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.0\n.target sm_80\n.address_size 64
.visible .entry _Z4incrPii(.param .u64 a, .param .u32 b) { ret; }`;

const fake = withFakeDriver();
fake.kernels.set('incr', ({ args }, memory) => {
  const bytes = memory(args.getBigUint64(0, true), 16);
  const values = new Int32Array(bytes.buffer, bytes.byteOffset, 4);
  values.forEach((value, i) => (values[i] = value + args.getInt32(8, true)));
});

afterEach(() => {
  fake.fail.clear();
  fake.busy = false;
  fake.onCall = undefined;
  sweepFlights();
  expect([fake.live.memory, fake.live.event]).toEqual([0, 0]);
});

function incr(...args: unknown[]): void {
  using module = moduleFromBuffer(PTX);
  (module.getFunction('incr') as unknown as (...args: unknown[]) => void)(...args);
}

test('In copies to the device and not back', () => {
  const array = Int32Array.of(1, 2, 3, 4);
  incr(In(array), 10, { block: 4 });
  expect([...array]).toEqual([1, 2, 3, 4]);
});

test('Out copies back and not to the device', () => {
  const copies: string[] = [];
  fake.onCall = (routine) => {
    if (routine.startsWith('cuMemcpy')) copies.push(routine);
  };
  incr(Out(new Int32Array(4)), 10, { block: 4 });
  expect(copies).toEqual(['cuMemcpyDtoH']);
});

test('InOut copies both ways', () => {
  const array = Int32Array.of(1, 2, 3, 4);
  incr(InOut(array), 10, { block: 4 });
  expect([...array]).toEqual([11, 12, 13, 14]);
});

test('a part of an array is all that is copied', () => {
  const array = Int32Array.of(0, 1, 2, 3, 4, 0);
  incr(InOut(array.subarray(1, 5)), 10, { block: 4 });
  expect([...array]).toEqual([0, 11, 12, 13, 14, 0]);
});

test('transfers on a stream are ordered on it, and free when it has passed', () => {
  using stream = new Stream();
  const calls: string[] = [];
  fake.busy = true;
  fake.onCall = (routine) => {
    if (/^cu(Memcpy|Launch|MemFree|MemAlloc)/.test(routine)) calls.push(routine);
  };
  const array = Int32Array.of(1, 2, 3, 4);
  incr(InOut(array), 1, { block: 4, stream });
  expect(calls).toEqual(['cuMemAlloc', 'cuMemcpyHtoDAsync', 'cuLaunchKernelEx', 'cuMemcpyDtoHAsync']);
  fake.busy = false;
  sweepFlights();
  expect(calls.at(-1)).toBe('cuMemFree');
});

test.each([
  ['the copy to the device', 'cuMemcpyHtoD'],
  ['the launch', 'cuLaunchKernelEx'],
  ['the copy back', 'cuMemcpyDtoH'],
  ['the allocation', 'cuMemAlloc'],
])('%s fails: the memory is freed', (_, routine) => {
  fake.fail.set(routine, 1);
  expect(() => {
    incr(InOut(new Int32Array(4)), 1, { block: 4 });
  }).toThrow(`${routine} failed: CUDA_ERROR_INVALID_VALUE`);
});

test('a wrong argument beside a transfer frees the memory and launches nothing', () => {
  const before = fake.launches.length;
  expect(() => {
    incr(In(new Int32Array(4)), 'x', { block: 4 });
  }).toThrow(TypeError);
  expect(fake.launches).toHaveLength(before);
});

test('an array that was detached after it was wrapped is refused at the launch', () => {
  const array = new Int32Array(4);
  const transfer = In(array);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  expect(() => {
    incr(transfer, 1, { block: 4 });
  }).toThrow(/The array of a transfer is detached/);
});

test('a prepared launch takes transfers', () => {
  using module = moduleFromBuffer(PTX);
  const array = Int32Array.of(1, 2, 3, 4);
  module.getFunction('incr').prepare({ block: 4 })(InOut(array), 5);
  expect([...array]).toEqual([6, 7, 8, 9]);
});

test.each([
  ['In', In, 'cuda.In'],
  ['Out', Out, 'cuda.Out'],
  ['InOut', InOut, 'cuda.Out'],
])('%s() refuses what is not a host memory', (_, wrap, name) => {
  for (const value of [undefined, null, 5, [1, 2], 'x', { ptr: 5n }]) {
    expect(() => wrap(value as never)).toThrow(new RegExp(`^${name}: the array must be a typed array`));
  }
  expect(() => wrap(new Int32Array(0))).toThrow(RangeError);
});

test('a wrong argument beside a transfer is refused before memory is allocated', () => {
  const calls: string[] = [];
  fake.onCall = (routine) => calls.push(routine);
  expect(() => {
    incr(In(new Int32Array(4)), 'ten', { block: 4 });
  }).toThrow(/argument 1 \(int/);
  expect(() => {
    incr(5n, In(new Int32Array(4)), { block: 4 });
  }).toThrow(/argument 1 \(int\) is int32: it takes an integer, got a Transfer/);
  expect(calls).not.toContain('cuMemAlloc');
  expect(Out(new Int32Array(1))).toBeInstanceOf(Transfer);
});

test('a graph takes no transfers', () => {
  using module = moduleFromBuffer(PTX);
  using graph = new Graph();
  expect(() => graph.addKernel(module.getFunction('incr'), [Out(new Int32Array(4)), 1], { block: 4 })).toThrow(
    new TypeError('Graph.addKernel: a kernel in a graph takes no cuda.In, Out or InOut; copy with nodes of their own'),
  );
});
