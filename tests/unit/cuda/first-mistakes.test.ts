import { expect, test } from '@jest/globals';
import * as cuda from '../../../src/cuda/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';

const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k() { ret; }
`;
const fake = withFakeDriver();

/** What a newcomer may write: nothing of it is typed. */
type Loose = (...args: unknown[]) => unknown;

test.each<[string, object | number, RegExp]>([
  [
    'another name for block',
    { threads: 3 },
    /^k: the launch options, \{ block, grid \}, have no block; there is 'threads'$/,
  ],
  ['a grid alone', { grid: 3, stream: null }, /have no block; there is 'grid', 'stream'$/],
  ['empty options', {}, /have no block; they are empty$/],
  ['memory', Int32Array.of(1), /the last argument must be the launch options, .*, got an Int32Array$/],
  ['an event as the stream', { block: 1, stream: 'main' }, /stream must be a Stream or null, got the string "main"$/],
  [
    'an access policy of nothing',
    { block: 1, accessPolicy: {} },
    /accessPolicy.memory must be device memory .*, got undefined/,
  ],
])('a launch with %s says what is wrong', (_, options, message) => {
  using module = cuda.moduleFromBuffer(PTX);
  const launch = module.getFunction('k') as unknown as Loose;
  expect(() => launch(options)).toThrow(TypeError);
  expect(() => launch(options)).toThrow(message);
});

test('a constant by its name says which number is meant', () => {
  using module = cuda.moduleFromBuffer(PTX);
  const kernel = module.getFunction('k');
  const context = cuda.Context.current as cuda.Context;
  expect(() => kernel.getAttribute('NUM_REGS' as never)).toThrow(
    new TypeError('FunctionAttribute must be a number such as FunctionAttribute.NUM_REGS, got the string "NUM_REGS"'),
  );
  expect(() => kernel.setAttribute(undefined as never, 1)).toThrow(
    /^FunctionAttribute must be a number .*, got undefined/,
  );
  expect(() => kernel.setCacheConfig('L1' as never)).toThrow(
    /^FuncCache must be a number such as FuncCache\.\w+, got .*"L1"/,
  );
  expect(() => context.getLimit('STACK_SIZE' as never)).toThrow(/such as Limit\.STACK_SIZE/);
  expect(() => context.setLimit('stack' as never, 1)).toThrow(/^Limit must be a number such as Limit\.STACK_SIZE/);
  expect(() => {
    context.cacheConfig = 2.5 as never;
  }).toThrow(/^FuncCache must be a number/);
});

test('a number that the driver refuses is in the error, by its name', () => {
  using module = cuda.moduleFromBuffer(PTX);
  const kernel = module.getFunction('k');
  const context = cuda.Context.current as cuda.Context;
  for (const name of [
    'cuCtxSetLimit',
    'cuCtxGetLimit',
    'cuFuncSetAttribute',
    'cuFuncGetAttribute',
    'cuDeviceGetAttribute',
  ]) {
    fake.fail.set(name, 1);
  }
  const { MAX_DYNAMIC_SHARED_SIZE_BYTES } = cuda.FunctionAttribute;
  expect(() => context.setLimit(cuda.Limit.STACK_SIZE, 2 ** 40)).toThrow(/limit +STACK_SIZE\n +asked +1099511627776/);
  expect(() => context.getLimit(77 as never)).toThrow(/limit +77/);
  expect(() => kernel.setAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES, 5)).toThrow(
    /attribute +MAX_DYNAMIC_SHARED_SIZE_BYTES\n +asked +5/,
  );
  expect(() => kernel.getAttribute(999 as never)).toThrow(/attribute +999/);
  expect(() => context.device.getAttribute(9999 as never)).toThrow(/attribute +9999/);
  fake.fail.clear();
});

test('flags are true or false', () => {
  expect(() => new cuda.Stream({ nonBlocking: 1 as never })).toThrow(
    'Stream: nonBlocking must be true or false, got 1',
  );
  expect(() => new cuda.Event({ timing: 'no' as never })).toThrow(/^Event: timing must be true or false/);
  expect(() => new cuda.Event({ blockingSync: 0 as never })).toThrow(/^Event: blockingSync must be true or false/);
});

test('advice for memory that is not managed says so', () => {
  using memory = cuda.memAlloc(64);
  for (const name of ['cuMemAdvise', 'cuMemPrefetchAsync', 'cuMemRangeGetAttribute']) fake.fail.set(name, 1);
  expect(() => cuda.memAdvise(memory, 'setReadMostly')).toThrow(/has to be managed: managedEmpty/);
  expect(() => cuda.memPrefetchAsync(memory, 'host')).toThrow(/has to be managed/);
  expect(() => cuda.memRangeAttributes(memory)).toThrow(/has to be managed/);
  fake.fail.clear();
});

test('a graph is not its own part, and a node does not wait for itself', () => {
  using graph = new cuda.Graph();
  const node = graph.addEmpty();
  expect(() => graph.addDependency(node, node)).toThrow(/^Graph.addDependency: a node cannot wait for itself/);
  expect(() => graph.addChild(graph)).toThrow(/^Graph.addChild: a graph cannot be in itself/);
});

test('names of variables are strings', () => {
  using module = cuda.moduleFromBuffer(PTX);
  expect(() => module.getGlobal(3 as never)).toThrow("A variable's name must be a string, got 3");
});

test('the end of a capture that never began says what is missing', () => {
  using stream = new cuda.Stream();
  fake.fail.set('cuStreamEndCapture', 401);
  expect(() => stream.endCapture()).toThrow(
    /CUDA_ERROR_ILLEGAL_STATE\n.*endCapture\(\), for instance, comes after beginCapture/,
  );
  fake.fail.clear();
});
