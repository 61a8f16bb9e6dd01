import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClosedError, LibraryNotFoundError, SymbolNotFoundError } from '../../../src/core/errors.ts';
import * as cuda from '../../../src/cuda/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';

// Values of which the language, not this package, would complain where they are used without a look.

withFakeDriver();

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

const CALLS: readonly (readonly [name: string, call: () => unknown])[] = [
  ['tensorMap() without options', () => cuda.tensorMap(given.memory, undefined as never)],
  ['tensorMapIm2col() without options', () => cuda.tensorMapIm2col(given.memory, undefined as never)],
  [
    'Stream.setAttributes() of nothing',
    () => {
      given.stream.setAttributes(undefined as never);
    },
  ],
  [
    'nvtx.nameStream() of nothing',
    () => {
      cuda.nvtx.nameStream(undefined as never, 'x');
    },
  ],
  [
    'disablePeerAccess() of a revoked proxy',
    () => {
      cuda.disablePeerAccess(revoked as never);
    },
  ],
  ['new Stream() of a revoked proxy', () => new cuda.Stream(revoked)],
  [
    'memcpyHtoD() to a revoked proxy',
    () => {
      cuda.memcpyHtoD(revoked as never, new Uint8Array(4));
    },
  ],
  [
    'memcpyHtoD() to a proxy of memory',
    () => {
      cuda.memcpyHtoD(new Proxy(given.memory, {}), new Uint8Array(4));
    },
  ],
  [
    'Memcpy2D.setDstUnified() of a proxy of memory',
    () => new cuda.Memcpy2D().setDstUnified(new Proxy(given.memory, {})),
  ],
  [
    'a pointer in a struct that is a proxy of memory',
    () => cuda.struct({ at: 'ptr' })({ at: new Proxy(given.memory, {}) }),
  ],
  ['DynamicModule.addSource() with null', () => new cuda.DynamicModule().addSource('', null as never)],
  ['new Context() with bytes for check', () => new cuda.Context({ check: new ArrayBuffer(4) as never })],
  ['new Context() with an unknown check', () => new cuda.Context({ check: 'race' as never })],
  ['CompileError of nothing', () => new cuda.CompileError('x', undefined as never)],
  ['ClosedError of symbols', () => new ClosedError(Symbol('x') as never, 'y')],
  ['LibraryNotFoundError of nothing', () => new LibraryNotFoundError('x', undefined as never, [])],
  ['SymbolNotFoundError of symbols', () => new SymbolNotFoundError('x', 'y', Symbol('z') as never, '1')],
];

let given: { readonly memory: cuda.DeviceAllocation; readonly stream: cuda.Stream };
beforeAll(() => {
  given = { memory: cuda.memAlloc(64), stream: new cuda.Stream() };
});
afterAll(() => {
  given.memory.close();
  given.stream.close();
});

test.each(CALLS)('what %s says is ours', (_, call) => {
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(TypeError);
  const { message } = error as Error;
  expect(message).toMatch(/must|takes|made of|cannot read its options|cannot be device memory/);
  expect(message).not.toMatch(/Cannot|is not a function|iterable|Cannot perform/);
});

test('a copy goes by the true size of an array that has properties of its own', () => {
  const small = new Uint8Array(16);
  for (const name of ['byteLength', 'length']) Object.defineProperty(small, name, { value: 1e6 });
  const from = given.memory;
  expect(() => {
    cuda.memcpyDtoH(small, from);
  }).not.toThrow();
  const large = new Uint8Array(128);
  Object.defineProperty(large, 'byteLength', { value: 16 });
  expect(() => {
    cuda.memcpyDtoH(large, from);
  }).toThrow(/has 64 bytes; 128 were asked for/);
});
