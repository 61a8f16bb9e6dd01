import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../../src/core/in-flight.ts';
import { recording } from '../../../../src/cuda/captures.ts';
import { managedEmpty, managedFree } from '../../../../src/cuda/managed/managed-memory.ts';
import { pagelockedEmpty, pagelockedFree } from '../../../../src/cuda/memory/host-memory.ts';
import { registerHostMemory } from '../../../../src/cuda/memory/registered-memory.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { OpaqueArray } from '../../../../src/cuda/texture/opaque-array.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
import { ClosedError } from '../../../../src/core/errors.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
let calls: string[] = [];

beforeEach(() => {
  calls = [];
  fake.onCall = (routine) => {
    if (/Destroy|Free|Unregister|CtxSynchronize|Capture$/.test(routine)) calls.push(routine);
  };
});
afterEach(() => {
  fake.fail.clear();
  sweepFlights();
  expect([recording.active, flightCount()]).toEqual([0, 0]);
});

/** What waits for the context before it goes, and the call that it ends with. */
const WAITERS: readonly (readonly [what: string, make: () => () => void, last: string])[] = [
  [
    'an array and its surface',
    () => {
      const array = new OpaqueArray({ width: 8, dtype: 'f32', surface: true });
      const surface = new Surface(array);
      return () => {
        array.close();
        surface.close();
      };
    },
    'cuArrayDestroy',
  ],
  [
    'page-locked memory',
    () => {
      const array = pagelockedEmpty(8, 'f32');
      return () => {
        pagelockedFree(array);
        expect(array.length).toBe(0);
        expect(() => {
          pagelockedFree(array);
        }).toThrow(ClosedError);
      };
    },
    'cuMemFreeHost',
  ],
  [
    'managed memory',
    () => {
      const array = managedEmpty(8, 'f32');
      return () => {
        managedFree(array);
        expect(() => array.ptr).toThrow(ClosedError);
      };
    },
    'cuMemFree',
  ],
  [
    'registered memory',
    () => {
      const memory = registerHostMemory(new Float32Array(1024));
      return () => {
        memory.close();
      };
    },
    'cuMemHostUnregister',
  ],
];

test.each(WAITERS)('%s goes after the end of a capture', (_, make, last) => {
  const close = make();
  using stream = new Stream();
  stream.beginCapture('global');
  calls = [];
  close();
  sweepFlights();
  expect(calls).toEqual([]);
  stream.endCapture().close();
  sweepFlights();
  expect([calls.includes('cuCtxSynchronize'), calls.at(-1)]).toEqual([true, last]);
});

test.each(WAITERS)('%s goes after the end of a capture that was begun elsewhere', (_, make, last) => {
  const close = make();
  calls = [];
  fake.fail.set('cuCtxSynchronize', 900);
  close();
  sweepFlights();
  expect(calls).not.toContain(last);
  // A driver that says so has its capture unbroken.
  fake.fail.set('cuStreamIsCapturing', 906);
  calls = [];
  sweepFlights();
  expect(calls).toEqual([]);
  fake.fail.clear();
  sweepFlights();
  expect(calls.at(-1)).toBe(last);
});

test('a stream that is closed gives its capture up before it goes', () => {
  const stream = new Stream();
  stream.beginCapture('global');
  stream.close();
  expect(calls.filter((name) => !name.startsWith('cuThread'))).toEqual([
    'cuStreamBeginCapture',
    'cuStreamEndCapture',
    'cuGraphDestroy',
    'cuStreamDestroy',
  ]);
});

test('so it does when something still waits for the stream, and when the capture is broken', async () => {
  const stream = new Stream();
  fake.busy = true;
  const done = stream.done();
  stream.beginCapture();
  fake.fail.set('cuStreamEndCapture', 901);
  stream.close();
  expect([recording.active, calls.includes('cuStreamEndCapture'), calls.includes('cuStreamDestroy')]).toEqual([
    0,
    true,
    false,
  ]);
  fake.busy = false;
  await done;
});

test('another object for the same stream leaves the capture open', () => {
  using stream = new Stream();
  stream.beginCapture();
  Stream.fromHandle(stream.handle).close();
  expect(recording.active).toBe(1);
  stream.endCapture().close();
});
