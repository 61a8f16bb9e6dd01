import { expect, test } from '@jest/globals';
import { installMethods } from '../../src/array/methods.ts';
import * as arrayNames from '../../src/array/python-names.ts';
import * as cudaArray from '../../src/cuda/array/index.ts';
import * as cuda from '../../src/cuda/index.ts';
import * as cudaNames from '../../src/cuda/python-names.ts';
import * as cl from '../../src/opencl/index.ts';
import * as clNames from '../../src/opencl/python-names.ts';

const rows = [
  ...Object.entries(cudaNames).map(([name, stub]) => ['PyCUDA', name, stub, cuda] as const),
  ...Object.entries(clNames).map(([name, stub]) => ['PyOpenCL', name, stub, cl] as const),
  ...Object.entries(arrayNames).map(([name, stub]) => ['NumPy|PyCUDA|PyOpenCL', name, stub, cudaArray] as const),
];

test.each(rows)('%s: %s says what it is called here', (from, name, stub: unknown, module) => {
  let message = '';
  try {
    (stub as () => void)();
  } catch (error) {
    ({ message } = error as Error);
  }
  const ours = new RegExp(`^${name} is (?:${from})'s name: write (\\w+)$`).exec(message)?.[1] ?? '';
  expect(module).toHaveProperty(ours);
  expect(() => new (stub as new () => unknown)()).toThrow(TypeError);
  expect(() => (stub as { READ_ONLY: unknown }).READ_ONLY).toThrow(TypeError);
});

test('a member in snake_case says its name', () => {
  const of = (constructor: object): Readonly<Record<string, unknown>> =>
    (constructor as { prototype: Readonly<Record<string, unknown>> }).prototype;
  expect(() => of(cuda.Module)['get_function']).toThrow('get_function is not a member of Module: write getFunction');
  expect(() => of(cuda.SourceModule)['get_global']).toThrow(/write getGlobal/);
  expect(() => of(cuda.Device)['compute_capability']).toThrow(/write computeCapability/);
  expect(() => of(cuda.Event)['time_since']).toThrow(/write timeSince/);
  expect(() => of(cl.Device)['get_info']).toThrow('get_info is not a member of Device: write getInfo');
  expect(() => of(cl.Device)['max_compute_units']).toThrow(/write maxComputeUnits/);
  expect(() => of(cl.Kernel)['set_arg']).toThrow(/write setArg/);
  installMethods();
  expect(() => of(cudaArray.NDArray)['to_array']).toThrow('to_array is not a member of NDArray: write toArray');
});

test('what a program may probe an object for is not refused', () => {
  const { prototype } = cuda.Module as unknown as { prototype: Readonly<Record<string, unknown>> };
  for (const name of ['then', 'toJSON', '__cuda_array_interface__', 'nothing_like_it', 'asymmetricMatch']) {
    expect(prototype[name]).toBeUndefined();
  }
});
