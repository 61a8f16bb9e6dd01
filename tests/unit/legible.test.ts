import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Callable } from '../../src/core/callable.ts';
import { PublicObject } from '../../src/core/public-object.ts';
import * as cuda from '../../src/cuda/index.ts';
import * as nodeOpenCL from '../../src/node-opencl/objects.ts';
import * as nccl from '../../src/nccl/index.ts';
import * as nvml from '../../src/nvml/index.ts';
import * as opencl from '../../src/opencl/index.ts';
import * as webcl from '../../src/webcl/index.ts';
import { withFakeDriver } from '../helpers/cuda.ts';
import { embeddedDescribe, embeddedOpenCL } from '../helpers/opencl-devices.ts';

withFakeDriver();

/** Data, which may be cloned. */
const DATA = ['KernelReport'];
const entries = { cuda, nccl, nvml, opencl, webcl, nodeOpenCL };
const classes = Object.entries(entries).flatMap(([entry, module]) =>
  Object.entries(module).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value)) && !DATA.includes(name)
      ? [[`${entry}.${name}`, value as { readonly prototype: object }] as const]
      : [],
  ),
);

/** A prototype is not an object of its class: `instanceof` holds for what a constructor made. */
function descends(prototype: object, base: { readonly prototype: object }): boolean {
  return prototype === base.prototype || Object.prototype.isPrototypeOf.call(base.prototype, prototype);
}

test.each(classes)('%s is shown legibly, and stays in its thread', (_, { prototype }) => {
  if (prototype instanceof Error) return;
  expect([PublicObject, Callable].some((base) => descends(prototype, base))).toBe(true);
});

test('there are classes to look at', () => {
  expect(classes.length).toBeGreaterThan(90);
});

/** Shown without the driver's numbers, which are other ones each time. */
function plain(value: unknown): string {
  return inspect(value).replace(/0x[0-9a-f]+/g, '0x…');
}

function cloneError(value: unknown): string {
  try {
    structuredClone(value);
    return 'cloned';
  } catch (error) {
    return (error as Error).name;
  }
}

describe('CUDA', () => {
  test('objects tell what they are, closed ones that they are closed', () => {
    using stream = new cuda.Stream();
    const memory = cuda.memAlloc(64);
    const part = memory.slice(4);
    const device = new cuda.Device(0);
    expect([stream, memory, part, device].map(plain)).toEqual([
      'Stream { handle: 0x… }',
      'DeviceAllocation { handle: 0x…, byteLength: 64 }',
      'DeviceSlice { byteLength: 60, byteOffset: 4 }',
      'Device { ordinal: 0 }',
    ]);
    expect(String(device)).toBe('Device(ordinal 0)');
    expect(String(memory)).toMatch(/^DeviceAllocation\(handle 0x[0-9a-f]+, byteLength 64\)$/);
    expect([stream, memory, part, device].map(cloneError)).toEqual(Array(4).fill('DataCloneError'));
    memory.close();
    expect([plain(memory), String(memory)]).toEqual(['DeviceAllocation { closed }', 'DeviceAllocation(closed)']);
  });

  test('values are shown as they are written', () => {
    const values = [cuda.int32(3), cuda.uint64(5n), cuda.float4(1, 2, 3, 4)];
    expect(values.map(plain)).toEqual(['int32(3)', 'uint64(5)', 'float4(1, 2, 3, 4)']);
    expect(values.map(String)).toEqual(values.map(plain));
    expect(values.map(cloneError)).toEqual(Array(3).fill('DataCloneError'));
  });

  test('an object inside another one takes one line', () => {
    using stream = new cuda.Stream();
    expect(plain({ nested: { deep: { stream } } })).toMatch(/deep: \{ stream: Stream/);
    expect(plain({ a: { b: { c: [stream] } } })).not.toMatch(/uncloneable/);
  });

  test('a compile error prints its message once, not its source and log', () => {
    const source = `// ${'long '.repeat(50)}\nx`;
    const details = { log: 'the log', source, file: 'k.cu', options: ['-x'], diagnostics: [] };
    const error = new cuda.CompileError('k.cu does not compile', details);
    expect(inspect(error)).not.toMatch(/long long|diagnostics/);
    expect([error.source, error.log]).toEqual([source, 'the log']);
  });
});

embeddedDescribe()('OpenCL', () => {
  let context: opencl.Context;
  let queue: opencl.CommandQueue;
  beforeAll(() => {
    context = new opencl.Context([embeddedOpenCL as opencl.Device]);
    queue = new opencl.CommandQueue(context);
  });
  afterAll(() => {
    queue.close();
    context.close();
  });

  test('objects tell what they are, closed ones that they are closed', () => {
    const buffer = new opencl.Buffer(context, opencl.MemFlags.READ_WRITE, 64);
    using program = new opencl.Program(context, '__kernel void twice(__global int *a) { a[0] *= 2; }').build();
    const event = opencl.enqueueMarker(queue);
    queue.finish();
    event.wait();
    expect(plain(buffer)).toBe(
      'Buffer {\n  handle: 0x…,\n  context: Context(handle 0x…),\n  flags: 1,\n  byteLength: 64,\n  offset: 0\n}',
    );
    expect(plain(event)).toBe('Event { ended: true }');
    expect(plain(program.kernels.twice)).toBe('Kernel { name: "twice" }');
    expect(String(program.kernels.twice)).toBe('Kernel(twice)');
    expect(String(context.devices[0])).toMatch(/^Device\(rawkernel CPU/);
    expect(plain(new opencl.LocalMemory(16))).toBe('LocalMemory { byteLength: 16 }');
    const all = [buffer, program, event, program.kernels.twice, context, queue, context.platform, context.devices[0]];
    expect(all.map(cloneError)).toEqual(Array(all.length).fill('DataCloneError'));
    buffer.close();
    expect(plain(buffer)).toBe('Buffer { closed }');
  });
});

test('a proxy of an object and its prototype can be shown', () => {
  using stream = new cuda.Stream();
  expect(() => inspect(cuda.Stream.prototype)).not.toThrow();
  expect(() => inspect(new Proxy(stream, {}), { showProxy: false })).not.toThrow();
});
