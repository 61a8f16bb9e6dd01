import { afterEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { LaunchAttributeId as Id } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.onCall = undefined;
});

/** The attributes that are set while `run` runs: their numbers, and the words of their values. */
function setBy(run: () => void): [id: unknown, words: number[]][] {
  const seen: [unknown, number[]][] = [];
  fake.onCall = (routine, args) => {
    if (routine !== 'cuStreamSetAttribute') return;
    const words = new Uint32Array((args[2] as DataView<ArrayBuffer>).buffer.slice(0));
    seen.push([args[1], [...words.subarray(0, words.findLastIndex((word) => word !== 0) + 1)]]);
  };
  run();
  fake.onCall = undefined;
  return seen;
}

test('setAttributes() sets what is given, and only that', () => {
  using stream = new Stream();
  using memory = memAlloc(4096);
  const pointer = new Uint32Array(BigUint64Array.of(memory.ptr).buffer);
  const half = new Uint32Array(Float32Array.of(0.5).buffer)[0] ?? 0;
  const set = setBy(() => {
    stream.setAttributes({ priority: -2, accessPolicy: { memory, byteLength: 1024, hitRatio: 0.5 } });
    stream.setAttributes({ synchronizationPolicy: 'spin', memSyncDomain: 'remote' });
    stream.setAttributes({ memSyncDomainMap: { default: 1, remote: 3 }, priority: undefined as never });
    stream.setAttributes({});
  });
  expect(set).toEqual([
    [Id.ACCESS_POLICY_WINDOW, [...pointer, 1024, 0, half, 2, 1]],
    [Id.PRIORITY, [0xffff_fffe]],
    [Id.SYNCHRONIZATION_POLICY, [2]],
    [Id.MEM_SYNC_DOMAIN, [1]],
    [Id.MEM_SYNC_DOMAIN_MAP, [0x0301]],
  ]);
});

test('getAttributes() tells what is set, and copyAttributes() takes it over', () => {
  using stream = new Stream();
  using other = new Stream();
  using memory = memAlloc(256);
  stream.setAttributes({ accessPolicy: { memory, hit: 'streaming', miss: 'normal' }, synchronizationPolicy: 'yield' });
  const known = {
    accessPolicy: { memory: memory.ptr, byteLength: 256, hitRatio: 1, hit: 'streaming', miss: 'normal' },
    synchronizationPolicy: 'yield',
    priority: 0,
    memSyncDomain: 'default',
    memSyncDomainMap: { default: 0, remote: 0 },
  };
  expect(stream.getAttributes()).toEqual(known);
  expect(other.getAttributes().accessPolicy).toBeNull();
  other.copyAttributes(stream);
  expect(other.getAttributes()).toEqual(known);
  stream.setAttributes(other.getAttributes());
  expect(stream.getAttributes()).toEqual(known);
  other.setAttributes({ accessPolicy: null });
  expect(other.getAttributes()).toEqual({ ...known, accessPolicy: null });
});

test('an attribute that the driver does not know is left out, and refused by its name', () => {
  using stream = new Stream();
  fake.fail.set('cuStreamGetAttribute', 801);
  expect(stream.getAttributes()).toEqual({});
  fake.fail.set('cuStreamGetAttribute', 700);
  expect(() => stream.getAttributes()).toThrow(/cuStreamGetAttribute failed: CUDA_ERROR_ILLEGAL_ADDRESS/);
  fake.fail.set('cuStreamSetAttribute', 801);
  expect(() => {
    stream.setAttributes({ memSyncDomain: 'remote' });
  }).toThrow(/CUDA_ERROR_NOT_SUPPORTED[^]*attribute +memSyncDomain/);
});

test('a driver is not asked for what it is too old for', () => {
  useTables({ driver: { ...fake.table, cuDriverGetVersion: (out: Int32Array) => ((out[0] = 11_060), 0) } as never });
  try {
    using stream = new Stream();
    expect(Object.keys(stream.getAttributes())).toEqual(['accessPolicy', 'synchronizationPolicy']);
    const set = (): void => {
      stream.setAttributes({ synchronizationPolicy: 'spin', memSyncDomain: 'remote' });
    };
    expect(setBy(() => expect(set).toThrow(/memSyncDomain needs a driver of CUDA 12.0; this one is of 11.6/))).toEqual(
      [],
    );
  } finally {
    useTables({ driver: fake.table });
  }
});

test('attributes are asked for in the context of the stream, of the default streams in the current one', () => {
  using stream = new Stream();
  const birth = Context.current;
  const seen: bigint[] = [];
  fake.onCall = (routine, _, context) => {
    if (/^cuStream(?:Get|Set|Copy)Attribute/.test(routine)) seen.push(context);
  };
  const away = Context.pop();
  stream.getAttributes();
  stream.setAttributes({ priority: 0 });
  stream.copyAttributes(stream);
  expect(new Set(seen)).toEqual(new Set([birth?.handle]));
  expect(() => Stream.perThread()).toThrow(/No context is current/);
  away?.makeCurrent();
  const legacy = Stream.fromHandle(0n);
  Context.pop();
  expect(() => legacy.getAttributes()).toThrow(/No context is current/);
  away?.makeCurrent();
});

test.each<[unknown, new (message?: string) => Error, RegExp]>([
  [{ priorities: 1 }, TypeError, /Stream.setAttributes has no option 'priorities'/],
  [{ priority: 0.5 }, RangeError, /priority must be an integer/],
  [{ priority: 2 ** 40 }, RangeError, /priority must be an integer/],
  [{ synchronizationPolicy: 'wait' }, TypeError, /must be 'auto' or 'spin' or 'yield' or 'blockingSync'/],
  [{ priority: 0, memSyncDomain: 1 }, TypeError, /memSyncDomain must be 'default' or 'remote', got 1/],
  [{ priority: 0, memSyncDomainMap: { default: 0, remote: 256 } }, RangeError, /from 0 to 255, got 256/],
  [{ priority: 0, accessPolicy: { memory: 16n } }, TypeError, /a raw address has no size; give byteLength/],
  [{ priority: 0, accessPolicy: 5 }, TypeError, /accessPolicy must be an options object, got 5/],
  [null, TypeError, /must be an options object, got null/],
])('setAttributes(%p) throws and sets nothing', (attributes, kind, message) => {
  using stream = new Stream();
  const set = (): void => {
    stream.setAttributes(attributes as never);
  };
  expect(
    setBy(() => {
      expect(set).toThrow(kind);
      expect(set).toThrow(message);
    }),
  ).toEqual([]);
});

test('memory that is too small, or freed, is not an access policy', () => {
  using stream = new Stream();
  const memory = memAlloc(256);
  expect(() => {
    stream.setAttributes({ accessPolicy: { memory, byteLength: 257 } });
  }).toThrow(/accessPolicy.memory has 256 bytes; 257 were asked for/);
  memory.close();
  expect(() => {
    stream.setAttributes({ accessPolicy: { memory } });
  }).toThrow(ClosedError);
});

test('id is the driver\u2019s; of a closed stream nothing can be asked', () => {
  const stream = new Stream();
  using other = new Stream();
  expect(stream.id).toBe(stream.handle + 1n);
  expect(() => {
    stream.copyAttributes(5 as never);
  }).toThrow(/Stream.copyAttributes takes a Stream, got 5/);
  stream.close();
  for (const use of [
    () => stream.id,
    () => stream.getAttributes(),
    () => {
      stream.setAttributes({});
    },
    () => {
      other.copyAttributes(stream);
    },
  ]) {
    expect(use).toThrow(ClosedError);
  }
});
