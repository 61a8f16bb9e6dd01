import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpuDriver } from '../../../../src/cpu/driver-table.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';
import { until } from '../../../helpers/until.ts';

describe('events of the CPU device', () => {
  // Without a time limit: the kernel runs until the host lets it end, however slow that is.
  const table = cpuDriver({ workers: 1, memoryBytes: 64 << 20, timeoutMs: 0 });
  let context: cuda.Context;
  let module: cuda.Module;

  beforeAll(() => {
    useTables({ driver: table });
    context = new cuda.Context();
    module = cuda.moduleFromBuffer(cpuTestProgram());
  });
  afterAll(() => {
    module.close();
    context.close();
  });

  /** Hold the device up until `open()` is called. */
  function hold(): { readonly runs: () => boolean; readonly open: () => void } & Disposable {
    const flags = cuda.pagelockedZeros(2, 'i32', cuda.HostAllocFlags.DEVICEMAP);
    module.getFunction('hold')(cuda.int64(cuda.getDevicePointer(flags)), { block: 1 });
    const open = (): void => {
      flags[1] = 1;
    };
    return {
      runs: () => flags[0] === 1,
      open,
      [Symbol.dispose]: () => {
        open();
        context.synchronize();
        cuda.pagelockedFree(flags);
      },
    };
  }

  test('measure the time between events that have completed', async () => {
    const began = performance.now();
    using start = new cuda.Event().record();
    using gate = hold();
    using end = new cuda.Event().record();
    await until('the kernel runs', () => gate.runs());
    const ran = performance.now();
    expect(start.query()).toBe(true);
    expect(end.query()).toBe(false);
    expect(() => end.timeSince(start)).toThrow(/has not passed/);
    await until('the clock goes on', () => performance.now() > ran + 1);
    const atLeast = performance.now() - ran;
    gate.open();
    end.synchronize();
    expect(end.timeSince(start)).toBeGreaterThanOrEqual(atLeast);
    expect(end.timeSince(start)).toBeLessThan(performance.now() - began);
  });
});
