import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import {
  brand,
  ClosedError,
  formatMessage,
  GpuError,
  LibraryNotFoundError,
  SymbolNotFoundError,
  warn,
} from '../../../src/core/errors.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

class TestError extends GpuError {}
brand(TestError, 'TestError');
class Derived extends TestError {}

const error = new TestError('no', 'E_NO', 7, 'doIt');

test('brand() makes instanceof work for a class and its bases', () => {
  expect([error instanceof TestError, error instanceof GpuError, error instanceof Error]).toEqual([true, true, true]);
});

test('brand() tells other classes apart', () => {
  expect([error instanceof ClosedError, new Error('x') instanceof GpuError]).toEqual([false, false]);
});

test.each([null, undefined, 5, 'GpuError', Symbol('x'), () => 1, {}])('instanceof of %p is false', (value) => {
  expect(value instanceof GpuError).toBe(false);
});

test('brand() recognizes an error of another copy of the library, in another realm', () => {
  const foreign = runInNewContext(`
    class GpuError extends Error {}
    Object.defineProperty(GpuError.prototype, Symbol.for('rawkernel.GpuError'), { value: true });
    class TestError extends GpuError {}
    Object.defineProperty(TestError.prototype, Symbol.for('rawkernel.TestError'), { value: true });
    new TestError('foreign')`) as unknown;
  expect([foreign instanceof Error, foreign instanceof GpuError, foreign instanceof TestError]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a class derived from a branded one has instances of its own', () => {
  const derived = new Derived('no', 'E_NO', 7, 'doIt');
  expect([derived instanceof Derived, derived instanceof TestError, derived instanceof GpuError]).toEqual([
    true,
    true,
    true,
  ]);
  expect(error instanceof Derived).toBe(false);
});

test('brand() names the errors', () => {
  expect(error.name).toBe('TestError');
  expect(String(error)).toBe('TestError: no');
  expect(Object.keys(error)).not.toContain('name');
});

test('a GpuError keeps code, status, routine and cause', () => {
  const cause = new Error('first');
  const later = new TestError('no', 'E_NO', 7, 'doIt', { cause });
  expect(later).toMatchObject({ code: 'E_NO', status: 7, routine: 'doIt', cause });
  expect(Object.hasOwn(error, 'cause')).toBe(false);
});

test('formatMessage() puts the headline, the reason, facts in a column, and the link', () => {
  const text = formatMessage({
    headline: 'cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE',
    reason: 'Block [2048, 1, 1] has 2048 threads; this device allows 1024',
    facts: { kernel: 'saxpy(float)', grid: '[4, 1, 1]' },
    docs: 'https://docs.example/x',
  });
  expect(text.split('\n')).toEqual([
    'cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE',
    'Block [2048, 1, 1] has 2048 threads; this device allows 1024',
    '  kernel  saxpy(float)',
    '  grid    [4, 1, 1]',
    '  docs    https://docs.example/x',
  ]);
});

test('formatMessage() leaves out what is not known', () => {
  expect(formatMessage({ headline: 'no', reason: '', facts: { a: undefined, b: '' }, docs: undefined })).toBe('no');
});

test('ClosedError names class and method', () => {
  expect(new ClosedError('Stream', 'done')).toMatchObject({
    name: 'ClosedError',
    code: 'ERR_RAWKERNEL_CLOSED',
    message: 'Stream.done: this Stream is closed',
  });
});

test('LibraryNotFoundError lists what was tried and what to do', () => {
  const missing = new LibraryNotFoundError('the driver', ['a: no', 'b: no'], ['install it', 'or set X']);
  expect(missing.tried).toEqual(['a: no', 'b: no']);
  expect(missing.message.split('\n')).toEqual([
    'Could not load the driver',
    'Tried:',
    '  - a: no',
    '  - b: no',
    'What to do:',
    '  - install it',
    '  - or set X',
  ]);
});

test('SymbolNotFoundError names symbol, library and version', () => {
  const missing = new SymbolNotFoundError('cuNew', 'the driver', '/lib/libcuda.so.1', 'for CUDA 11.8');
  expect(missing).toMatchObject({ symbol: 'cuNew', library: '/lib/libcuda.so.1', version: 'for CUDA 11.8' });
  expect(missing.message).toBe(
    'cuNew is not in the driver for CUDA 11.8 (/lib/libcuda.so.1); a newer version may have it',
  );
  expect(new SymbolNotFoundError('cuNew', 'the driver', 'x', undefined).message).toMatch(
    /^cuNew is not in the driver \(x\)/,
  );
});

test('warn() emits a GpuWarning with a code', async () => {
  const warnings = expectWarnings('TEST_CODE');
  warn('careful', 'TEST_CODE');
  await new Promise(setImmediate);
  expect(warnings).toEqual([expect.objectContaining({ name: 'GpuWarning', code: 'TEST_CODE', message: 'careful' })]);
});
