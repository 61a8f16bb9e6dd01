import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { libraryFromBuffer } from '../../../../src/cuda/module/library.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n';
const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.onCall = undefined;
});

test('Function.load() loads in its own context, not in the current one', () => {
  const before = Context.current as Context;
  using module = moduleFromBuffer(PTX);
  const k = module.getFunction('k');
  expect(k.isLoaded()).toBe(false);
  const contexts: bigint[] = [];
  const own = new Context(new Device(0), { own: true });
  fake.onCall = (routine, _args, context) => {
    if (/^cuFunc(Load|IsLoaded)$/.test(routine)) contexts.push(context);
  };
  k.load();
  expect([k.isLoaded(), Context.current]).toEqual([true, own]);
  expect(contexts).toEqual([before.handle, before.handle]);
  own.close();
  before.makeCurrent();
});

test('Kernel.load() loads in the current context', () => {
  using library = libraryFromBuffer(PTX);
  const k = library.getKernel('k');
  expect([k.isLoaded(), k.function.isLoaded()]).toEqual([false, false]);
  k.load();
  expect([k.isLoaded(), k.function.isLoaded()]).toEqual([true, true]);
});

test('what the driver says is thrown, and nothing of a closed module reaches it', () => {
  const module = moduleFromBuffer(PTX);
  const k = module.getFunction('k');
  fake.fail.set('cuFuncLoad', 2);
  expect(() => {
    k.load();
  }).toThrow(/cuFuncLoad failed: CUDA_ERROR_OUT_OF_MEMORY/);
  module.close();
  expect(() => k.isLoaded()).toThrow(ClosedError);
  expect(() => {
    k.load();
  }).toThrow(ClosedError);
});
