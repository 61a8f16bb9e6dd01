import { describe, expect, test } from '@jest/globals';
import { cpuOpenCL } from '../../../../src/cpu/opencl-table.ts';
import { HOST_EXTENSIONS } from '../../../../src/cpu/opencl/host-extensions.ts';
import { withChecks } from '../../../../src/ffi/bind.ts';
import type { ExtensionTable } from '../../../../src/opencl/sys/tables.ts';
import { EXTENSIONS, extensionFunctions } from '../../../../src/opencl/sys/extensions.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';
import { fakeOpenCLCompiler } from '../../../helpers/opencl-kernels.ts';
import * as cl from '../../../../src/opencl/index.ts';

const INVALID_OPERATION = -59;
const NONE = 0n as never;
const SYNC_POINTS = -1139;

describe('the extensions of the embedded device', () => {
  const table = cpuOpenCL({ compiler: fakeOpenCLCompiler(), workers: 1, memoryBytes: 1 << 24 });
  const known = [...HOST_EXTENSIONS.map(({ name }) => name), 'cl_khr_subgroups'].filter(
    (name): name is keyof typeof extensionFunctions => name in extensionFunctions,
  );
  const functions = table[EXTENSIONS] as unknown as Record<string, (...args: unknown[]) => unknown>;

  test.each(known.flatMap((name) => Object.entries(extensionFunctions[name])))(
    '%s is there, and refuses a handle of nothing',
    (name, text) => {
      const errcode = new Int32Array(1);
      const count = text.split(',').length;
      const args = Array.from({ length: count }, (_, i) =>
        /_uint (num|work)/.test(text.split(',')[i] ?? '') ? 1 : 0n,
      );
      const creates = text.includes('errcode_ret');
      if (creates) args[count - 1] = errcode as never;
      const result = functions[name]?.(...args);
      const status = creates ? errcode[0] : result;
      expect(status).toBeLessThan(0);
      expect(status).not.toBe(INVALID_OPERATION);
    },
  );

  test('those that it has not answer so', () => {
    expect(known.length).toBe(4);
    expect(functions['clEnqueueAcquireExternalMemObjectsKHR']?.()).toBe(INVALID_OPERATION);
  });
});

describe('command buffers in C', () => {
  const embedded = withCpuOpenCL();
  /** Of the table that the objects belong to. */
  const own = (): ExtensionTable => withChecks(extensionFunctions, embedded.extensions);

  test('refuse properties, sync points and states that make no sense', () => {
    const ext = own();
    const queues = BigUint64Array.of(raw(embedded.queue));
    const create = (count: number, list: bigint | BigUint64Array, properties: bigint | BigUint64Array) =>
      make((errcode) => ext.clCreateCommandBufferKHR(count, list, properties, errcode));
    expect(create(0, 0n, 0n).status).toBe(-30);
    expect(create(1, BigUint64Array.of(5n), 0n).status).toBe(-36);
    expect(create(1, queues, BigUint64Array.of(0x1293n, 8n, 0n)).status).toBe(-30);
    expect(create(1, queues, BigUint64Array.of(0x9999n, 1n, 0n)).status).toBe(-30);
    const { handle } = create(1, queues, 0n);
    using a = new cl.Buffer(embedded.ctx, cl.MemFlags.READ_WRITE, 64);
    const point = new Uint32Array(1);
    const pattern = Uint8Array.of(7);
    const fill = (count: number, waits: bigint | Uint32Array, mutable = 0n) =>
      ext.clCommandFillBufferKHR(handle, NONE, raw(a), pattern, 1, 0, 64, count, waits, point, mutable);
    expect(fill(0, Uint32Array.of(1))).toBe(SYNC_POINTS);
    expect(fill(1, Uint32Array.of(1))).toBe(SYNC_POINTS);
    expect(fill(1, 0n)).toBe(SYNC_POINTS);
    expect([fill(0, 0n), point[0]]).toEqual([0, 1]);
    expect([fill(1, Uint32Array.of(1)), point[0]]).toEqual([0, 2]);
    const enqueue = (count: number, list: bigint | BigUint64Array) =>
      ext.clEnqueueCommandBufferKHR(count, list, handle, 0, 0n, 0n);
    expect(enqueue(0, 0n)).toBe(INVALID_OPERATION);
    expect(ext.clFinalizeCommandBufferKHR(handle)).toBe(0);
    expect(ext.clFinalizeCommandBufferKHR(handle)).toBe(INVALID_OPERATION);
    expect(fill(0, 0n)).toBe(INVALID_OPERATION);
    expect([enqueue(0, 0n), enqueue(2, queues), enqueue(1, 0n)]).toEqual([0, -30, -30]);
    const other = new cl.CommandQueue(embedded.ctx, { outOfOrder: true });
    expect(enqueue(1, BigUint64Array.of(raw(other)))).toBe(-1140);
    other.close();
    expect([ext.clRetainCommandBufferKHR(handle), ext.clReleaseCommandBufferKHR(handle)]).toEqual([0, 0]);
    expect([ext.clReleaseCommandBufferKHR(handle), ext.clReleaseCommandBufferKHR(handle)]).toEqual([0, -1138]);
    embedded.queue.finish();
  });
});
