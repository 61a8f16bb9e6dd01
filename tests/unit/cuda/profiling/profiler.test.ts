import { expect, test } from '@jest/globals';
import { profile, profilerStart, profilerStop } from '../../../../src/cuda/profiling/profiler.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

function called(run: () => void): string[] {
  const names: string[] = [];
  fake.onCall = (routine) => names.push(routine);
  run();
  fake.onCall = undefined;
  return names;
}

test('profilerStart() and profilerStop() reach the driver', () => {
  expect(called(profilerStart)).toEqual(['cuProfilerStart']);
  expect(called(profilerStop)).toEqual(['cuProfilerStop']);
});

test('of nested profile() scopes the outermost counts', () => {
  const names = called(() => {
    using outer = profile();
    {
      using inner = profile();
      inner[Symbol.dispose]();
    }
    expect(outer).toBeDefined();
  });
  expect(names).toEqual(['cuProfilerStart', 'cuProfilerStop']);
});

test('a profile() that does not start leaves nothing behind', () => {
  fake.fail.set('cuProfilerStart', 801);
  expect(() => profile()).toThrow('CUDA_ERROR_NOT_SUPPORTED');
  fake.fail.clear();
  expect(called(() => profile()[Symbol.dispose]())).toEqual(['cuProfilerStart', 'cuProfilerStop']);
});
