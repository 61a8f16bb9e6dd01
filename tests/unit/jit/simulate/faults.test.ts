import { expect, test } from '@jest/globals';
import { SimulationError } from '../../../../src/cuda/jit/index.ts';
import { jitOfText } from '../../../helpers/jit-text.ts';

interface Run {
  readonly error: SimulationError;
  readonly file: string;
}

/** What a kernel throws: the text is a function of `x` and maybe `y`, whose first line is line 3 of its file. */
function failing(text: string, grid: number, block: number, ...args: readonly unknown[]): Run {
  const { kernel, file, remove } = jitOfText(`return jit(\n${text}\n);`);
  try {
    kernel.simulate(grid, block)(...(args as never[]));
  } catch (error) {
    expect(error).toBeInstanceOf(SimulationError);
    return { error: error as SimulationError, file };
  } finally {
    remove();
  }
  throw new Error('nothing was thrown');
}

const i32 = (...values: number[]): Int32Array => new Int32Array(values);
const f32 = (...values: number[]): Float32Array => new Float32Array(values);

test.each<[string, string, readonly unknown[], string]>([
  [
    'an index beyond the end',
    'x[7] = 1',
    [f32(1, 2)],
    'out-of-bounds write of x[7] by thread (0, 0, 0) of block (0, 0, 0): x has 2 elements',
  ],
  ['a negative index', 'x[0] = x[x.length - 3]', [f32(1, 2)], 'out-of-bounds read of x[-1] by thread'],
  ['an index of an atomic operation', 'cuda.atomic.add(x, 9, 1)', [f32(1)], 'out-of-bounds atomic of x[9] by thread'],
  ['a sum that overflows', 'x[0] = x[0] + x[1]', [i32(2 ** 31 - 1, 1)], 'overflow of i32: 2147483647 + 1 by thread'],
  [
    'a difference that overflows',
    'x[0] = x[0] - x[1]',
    [i32(-(2 ** 31), 1)],
    'overflow of i32: -2147483648 - 1 by thread',
  ],
  ['a product that overflows', 'x[0] = x[0] * x[1]', [i32(65536, 65536)], 'overflow of i32: 65536 * 65536 by thread'],
  ['a counter that overflows', 'x[0]++', [i32(2 ** 31 - 1)], 'overflow of i32: 2147483647 + 1 by thread'],
  ['a negation that overflows', 'x[0] = -x[0]', [i32(-(2 ** 31))], 'overflow of i32: 0 - (-2147483648) by thread'],
  [
    'a sum of 64 bits that overflows',
    'x[0] = x[0] + x[0]',
    [new BigInt64Array([2n ** 62n])],
    'overflow of i64: 4611686018427387904 + 4611686018427387904',
  ],
  ['a quotient by 0', 'x[0] = Math.trunc(x[0] / x[1])', [i32(7, 0)], 'integer division by zero: 7 / 0 by thread'],
  [
    'a quotient by 0, rounded down',
    'x[0] = Math.floor(x[0] / x[1])',
    [i32(7, 0)],
    'integer division by zero: 7 / 0 by thread',
  ],
  ['a remainder by 0', 'x[0] = x[0] % x[1]', [i32(7, 0)], 'integer division by zero: 7 % 0 by thread'],
  [
    'a float that is too large',
    'y[0] = x[0] | 0',
    [f32(3e9), i32(0)],
    'conversion of 3000000000 to i32, which does not hold it by thread',
  ],
  ['NaN as an integer', 'y[0] = x[0] | 0', [f32(NaN), i32(0)], 'conversion of NaN to i32'],
  ['a float that is too large for bytes', 'y[0] = x[0]', [f32(256), new Uint8Array(1)], 'conversion of 256 to u8'],
  [
    'an absolute value that overflows',
    'x[0] = Math.abs(x[0])',
    [i32(-(2 ** 31))],
    'overflow of i32: Math.abs(-2147483648)',
  ],
])('%s is an error', (_, text, args, message) => {
  const parameters = args.length > 1 ? 'x, y' : 'x';
  const { error, file } = failing(`(${parameters}) => {\n  ${text};\n}`, 1, 1, ...args);
  expect(error.message).toContain(message);
  expect(error.message).toContain(`${file}:4: `);
  expect(error).toMatchObject({ file, line: 4, code: 'ERR_RAWKERNEL_JIT' });
});

test('an index outside of one axis is an error, though the element is in the array', () => {
  const { error } = failing(
    '(x) => {\n  const t = cuda.local.array([2, 3], "f32");\n  t[0][4] = x[0];\n}',
    1,
    1,
    f32(1),
  );
  expect(error.message).toContain(
    'out-of-bounds write of t[0][4] by thread (0, 0, 0) of block (0, 0, 0): t has shape [2, 3]',
  );
  expect(error.line).toBe(5);
});

test('an error has the thread and the block', () => {
  const { error } = failing('(x) => { x[cuda.grid(1)] = 1; }', 3, 4, f32(...new Array<number>(10).fill(0)));
  expect(error).toMatchObject({ threadIdx: { x: 2, y: 0, z: 0 }, blockIdx: { x: 2, y: 0, z: 0 } });
});

test('the stack names the lines of the kernel and of the device function', () => {
  const text = `const bad = device((v, at) => {
  const k = at + 5;
  return v[k];
});
return jit((x, { bad }) => {
  const i = cuda.grid(1);
  x[i] = bad(x, i);
}, { const: { bad }, name: 'caller' });`;
  const { kernel, file, remove } = jitOfText(text);
  try {
    kernel.simulate(1, 1)(f32(1));
    throw new Error('nothing was thrown');
  } catch (error) {
    const { stack = '' } = error as Error;
    expect(stack).toMatch(/^SimulationError: /);
    const frames = stack.split('\n').filter((line) => line.includes(file) && line.includes(' at '));
    expect(frames[0]).toContain(`${file}:4:`);
    expect(frames[1]).toContain(`${file}:8:`);
  } finally {
    remove();
  }
});

test('a barrier that a thread has returned before is an error with both threads', () => {
  const text = '(x) => {\n  if (cuda.threadIdx.x === 3) return;\n  cuda.syncthreads();\n  x[0] = 1;\n}';
  const { error } = failing(text, 1, 8, f32(1));
  expect(error.message).toContain(
    'divergent barrier: syncthreads is waited at by thread (0, 0, 0) of block (0, 0, 0), but thread (3, 0, 0) has returned',
  );
  expect(error.line).toBe(5);
});

test('barriers in two places are an error with both threads and both lines', () => {
  const text = '(x) => {\n  if (cuda.threadIdx.x < 3) cuda.syncthreads();\n  else cuda.syncthreads();\n  x[0] = 1;\n}';
  const { error, file } = failing(text, 1, 8, f32(1));
  expect(error.line).toBe(4);
  expect(error.message).toContain(
    `by thread (0, 0, 0) of block (0, 0, 0), but thread (3, 0, 0) waits at syncthreads in ${file}:5`,
  );
});

test('a warp function that a lane of the mask does not come to is an error', () => {
  const text =
    '(x) => {\n  if (cuda.threadIdx.x < 3) cuda.syncthreads();\n  x[0] = cuda.shfl_sync(0xffffffff, x[0], 1);\n}';
  const { error, file } = failing(text, 1, 8, f32(1));
  expect(error.message).toContain('divergent warp: shfl_sync of thread (3, 0, 0) by thread (3, 0, 0)');
  expect(error.message).toContain(`waits at syncthreads in ${file}:4`);
});

test('a mask without the calling lane is an error', () => {
  const { error } = failing('(x) => { x[0] = cuda.shfl_sync(2, x[0], 1); }', 1, 2, f32(1));
  expect(error.message).toContain('the mask of shfl_sync must have the bit of the calling lane 0, got 0x2');
});
