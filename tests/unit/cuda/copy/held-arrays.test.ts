import { expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import { Graph } from '../../../../src/cuda/graph/graph.ts';
import {
  Memcpy2D,
  Memcpy3D,
  memAlloc,
  memcpy3DBatchAsync,
  memcpyBatchAsync,
  memcpyDtoHAsync,
  memcpyHtoDAsync,
  pagelockedEmpty,
  pagelockedFree,
  Stream,
  type DeviceAllocation,
} from '../../../../src/cuda/index.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

// A device reads and writes host arrays behind the back of the runtime: their memory has to stay where it is.

const fake = withFakeDriver();
const node = Number(process.versions.node.split('.')[0]);
/** Only what an object holds can be kept there. */
const keepsCommands = node < 21 || node > 23;
const BYTES = 64;

type Copy = (memory: DeviceAllocation, array: Uint8Array, stream: Stream) => void;

const flat = (memory: DeviceAllocation, array: Uint8Array): Memcpy2D => {
  const copy = new Memcpy2D().setSrcHost(array).setDstDevice(memory);
  return Object.assign(copy, { widthInBytes: 16, height: 4, srcPitch: 16, dstPitch: 16 });
};
const deep = (memory: DeviceAllocation, array: Uint8Array): Memcpy3D => {
  const copy = new Memcpy3D().setSrcDevice(memory).setDstHost(array);
  return Object.assign(copy, { widthInBytes: 16, height: 4, depth: 1 });
};

const COPIES: Readonly<Record<string, Copy>> = {
  memcpyHtoDAsync: (memory, array, stream) => {
    memcpyHtoDAsync(memory, array, stream);
  },
  memcpyDtoHAsync: (memory, array, stream) => {
    memcpyDtoHAsync(array, memory, stream);
  },
  'Memcpy2D.runAsync': (memory, array, stream) => {
    flat(memory, array).runAsync(stream);
  },
  'Memcpy3D.runAsync': (memory, array, stream) => {
    deep(memory, array).runAsync(stream);
  },
  memcpyBatchAsync: (memory, array, stream) => {
    memcpyBatchAsync([{ dst: memory, src: array }], stream);
  },
  memcpy3DBatchAsync: (memory, array, stream) => {
    memcpy3DBatchAsync([deep(memory, array)], stream);
  },
};

/** Whether the memory stays where it is, however the attempt to take it ends. */
function stays({ buffer }: Uint8Array<ArrayBuffer>): boolean {
  try {
    structuredClone(buffer, { transfer: [buffer] });
  } catch {
    // It is held.
  }
  return buffer.byteLength > 0;
}

function resizable(): Uint8Array {
  const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
  return new Uint8Array(new Resizable(BYTES, { maxByteLength: 2 * BYTES }));
}

test.each(Object.entries(COPIES))('%s keeps its array until the stream has executed it', (_, copy) => {
  using memory = memAlloc(BYTES);
  using stream = new Stream();
  const array = new Uint8Array(BYTES);
  fake.busy = true;
  copy(memory, array, stream);
  expect(stays(array)).toBe(keepsCommands);
  fake.busy = false;
  sweepFlights();
  if (node > 23) expect(stays(array)).toBe(false);
});

test.each(Object.entries(COPIES))('%s refuses an array that can shrink', (_, copy) => {
  using memory = memAlloc(BYTES);
  using stream = new Stream();
  expect(() => {
    copy(memory, resizable(), stream);
  }).toThrow(/must have a buffer of a fixed length, got a Uint8Array over a resizable one; pass a copy: slice\(\)/);
});

test('a graph keeps the arrays of its copies as long as it, or what was made of it, is there', () => {
  using memory = memAlloc(BYTES);
  const graph = new Graph();
  const array = new Uint8Array(BYTES);
  graph.addMemcpy(memory, array);
  const exec = graph.instantiate();
  graph.close();
  expect(stays(array)).toBe(true);
  exec.close();
  if (node > 23) expect(stays(array)).toBe(false);
});

test('a node that is given another array lets go of the one before', () => {
  using memory = memAlloc(BYTES);
  using graph = new Graph();
  const [first, second] = [new Uint8Array(BYTES), new Uint8Array(BYTES)];
  const copy = graph.addMemcpy(memory, first);
  using exec = graph.instantiate();
  exec.setMemcpy(copy, memory, second);
  expect(stays(second)).toBe(true);
});

test('a graph that was captured keeps the arrays of its copies', () => {
  using memory = memAlloc(BYTES);
  using stream = new Stream({ nonBlocking: true });
  const array = new Uint8Array(BYTES);
  stream.beginCapture();
  memcpyHtoDAsync(memory, array, stream);
  using graph = stream.endCapture();
  expect(graph.closed).toBe(false);
  expect(stays(array)).toBe(true);
});

test('a graph refuses an array that can shrink', () => {
  using memory = memAlloc(BYTES);
  using graph = new Graph();
  expect(() => graph.addMemcpy(memory, resizable())).toThrow(
    /Graph.addMemcpy: the source must have a buffer of a fixed/,
  );
  expect(() => graph.addMemcpy(resizable(), memory)).toThrow(/the destination must have a buffer of a fixed/);
});

test('page-locked memory, which is not the runtime’s, can be freed while a copy of it runs', () => {
  using memory = memAlloc(BYTES);
  using stream = new Stream();
  const array = pagelockedEmpty(BYTES, 'u8');
  fake.busy = true;
  memcpyHtoDAsync(memory, array, stream);
  pagelockedFree(array);
  expect(array.byteLength).toBe(0);
  fake.busy = false;
  sweepFlights();
});
