import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import * as cuda from '../../../src/cuda/index.ts';
import { isEmbedded } from '../../../src/cuda/selection.ts';
import { talkToChild } from '../../helpers/child.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

// The embedded device counts two in this process, and one in most others; a machine's GPUs do not change by it.
process.env['RAWKERNEL_CPU_DEVICES'] = '2';
const ONE = { RAWKERNEL_CPU_DEVICES: '1' };

const SOURCE = `
extern "C" __global__ void change(int *x, int times, int plus, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = times * x[i] + plus;
}
extern "C" __global__ void await(volatile int *flag) { while (*flag == 0) ; }`;

/** What another process does for each message: its answer is the function's result. */
const OTHER = `
import * as cuda from '@/src/cuda/index.ts';
const context = new cuda.Context(new cuda.Device(Number(process.env.OTHER_DEVICE ?? 0)));
const mod = new cuda.SourceModule(${JSON.stringify(SOURCE)});
const [change, wait] = [mod.getFunction('change'), mod.getFunction('await')];
const kept = {};
process.on('message', ({ text, given }) => {
  let answer;
  try {
    answer = new Function('cuda', 'context', 'change', 'wait', 'kept', 'given', text)(cuda, context, change, wait, kept, given);
  } catch (error) {
    answer = { error: String(error), code: error.code };
  }
  process.send({ answer });
});
process.send({ answer: 'ready' });`;

type Ask = (text: string, given?: unknown) => Promise<unknown>;

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [{ readonly answer: unknown }];
  return message.answer;
}

async function withOther<T>(
  talk: (ask: Ask, child: ChildProcess) => Promise<T>,
  env: Readonly<Record<string, string>> = ONE,
): Promise<T> {
  return talkToChild(OTHER, env, async (child) => {
    await answerOf(child);
    return talk((text, given) => {
      child.send({ text, given });
      return answerOf(child);
    }, child);
  });
}

const open = 'kept.memory = cuda.openIpcMemory(given, 4 * 1000); return kept.memory.byteLength;';
const read = 'return cuda.fromDevice(kept.memory, "i32");';

needs.cuda().describe('memory and events of another process', () => {
  withDevice();

  const isPossible = (): boolean => new cuda.Device(0).ipcEventSupported === 1;
  const numbers = (): Int32Array => Int32Array.from({ length: 1000 }, (_, i) => i);

  test('both read and write one allocation', async () => {
    if (!isPossible()) return;
    // In front of it, and behind it: what belongs to no other process.
    using front = cuda.toDevice(Int32Array.of(7));
    using memory = cuda.toDevice(numbers());
    using behind = cuda.toDevice(Int32Array.of(8));
    await withOther(async (ask) => {
      expect(await ask(open, cuda.memIpcHandle(memory))).toBe(4000);
      expect(await ask(read)).toEqual(numbers());
      await ask('cuda.memcpyHtoD(kept.memory, Int32Array.of(-1, -2));');
      expect([...cuda.fromDevice(memory, 'i32', 3)]).toEqual([-1, -2, 2]);
      cuda.memsetD32(memory, 5, 1000);
      expect(await ask(read)).toEqual(new Int32Array(1000).fill(5));
      await ask('kept.memory.free();');
    });
    expect([...cuda.fromDevice(front, 'i32'), ...cuda.fromDevice(behind, 'i32')]).toEqual([7, 8]);
    expect([...cuda.fromDevice(memory, 'i32', 2)]).toEqual([5, 5]);
  });

  test('several allocations, the same one twice, and one of many pages', async () => {
    if (!isPossible()) return;
    const lengths = [10, 1000, 100_000, 3];
    const all = lengths.map((length, k) => cuda.toDevice(Int32Array.from({ length }, (_, i) => 10 * i + k)));
    await withOther(async (ask) => {
      const handles = all.map((memory) => cuda.memIpcHandle(memory));
      const answer = await ask(
        `kept.all = given.map((handle, k) => cuda.openIpcMemory(handle, [40, 4000, 400000, 12][k]));
         const again = cuda.openIpcMemory(given[1], 4000);
         const isSame = again.ptr === kept.all[1].ptr;
         again.free();
         for (const memory of kept.all) change(memory, 1, 1, memory.byteLength / 4, { block: 128, grid: 1000 });
         const read = kept.all.map((memory) => cuda.fromDevice(memory, 'i32').at(-1));
         for (const memory of kept.all) memory.free();
         return { isSame, read };`,
        handles,
      );
      expect(answer).toEqual({ isSame: true, read: lengths.map((length, k) => 10 * (length - 1) + k + 1) });
    });
    for (const [k, memory] of all.entries()) {
      expect(cuda.fromDevice(memory, 'i32')).toEqual(
        Int32Array.from({ length: lengths[k] as number }, (_, i) => 10 * i + k + 1),
      );
      memory.free();
    }
  });

  test('streams of both processes wait for events of the other', async () => {
    if (!isPossible()) return;
    using mod = new cuda.SourceModule(SOURCE);
    const [change, wait] = [mod.getFunction('change'), mod.getFunction('await')];
    using memory = cuda.toDevice(numbers());
    using stream = new cuda.Stream();
    using there = new cuda.Event({ interprocess: true, timing: false });
    using back = new cuda.Event({ interprocess: true, timing: false });
    using flag = cuda.pagelockedZeros(1, 'i32', cuda.HostAllocFlags.DEVICEMAP);
    await withOther(async (ask) => {
      await ask(
        `kept.memory = cuda.openIpcMemory(given.memory, 4000);
         kept.there = cuda.Event.fromIpcHandle(given.there);
         kept.back = cuda.Event.fromIpcHandle(given.back);
         kept.stream = new cuda.Stream();`,
        { memory: cuda.memIpcHandle(memory), there: there.ipcHandle(), back: back.ipcHandle() },
      );
      // Nothing here can end before the host opens the gate.
      wait(cuda.getDevicePointer(flag), { block: 1, stream });
      change(memory, 2, 0, 1000, { block: 128, grid: 8, stream });
      there.record(stream);
      const isPassed = await ask(
        `const passed = kept.there.query();
         kept.stream.waitForEvent(kept.there);
         change(kept.memory, 1, 1, 1000, { block: 128, grid: 8, stream: kept.stream });
         kept.back.record(kept.stream);
         return [passed, kept.back.query(), kept.stream.isDone()];`,
      );
      expect(isPassed).toEqual([false, false, false]);
      expect([there.query(), back.query()]).toEqual([false, false]);
      stream.waitForEvent(back);
      change(memory, 3, 0, 1000, { block: 128, grid: 8, stream });
      flag[0] = 1;
      stream.synchronize();
      expect(cuda.fromDevice(memory, 'i32')).toEqual(numbers().map((x) => 3 * (2 * x + 1)));
      expect(await ask('kept.there.synchronize(); return [kept.there.query(), kept.back.query()];')).toEqual([
        true,
        true,
      ]);
      back.synchronize();
      expect(back.query()).toBe(true);
      await ask('kept.memory.free(); kept.there.close(); kept.back.close();');
    });
  });

  test('other bytes than those of a handle, and the handles of the process itself, are refused', async () => {
    if (!isPossible()) return;
    using memory = cuda.memAlloc(4000);
    using pinned = cuda.pagelockedZeros(4, 'i32', cuda.HostAllocFlags.DEVICEMAP);
    using event = new cuda.Event();
    expect(() => cuda.openIpcMemory(cuda.memIpcHandle(memory))).toThrow(cuda.CudaError);
    expect(() => cuda.openIpcMemory(new Uint8Array(64))).toThrow(cuda.CudaError);
    expect(() => cuda.Event.fromIpcHandle(new Uint8Array(64))).toThrow(cuda.CudaError);
    expect(() => cuda.memIpcHandle(cuda.getDevicePointer(pinned))).toThrow(cuda.CudaError);
    expect(() => event.ipcHandle()).toThrow(cuda.CudaError);
    expect(() => new cuda.Event({ interprocess: true })).toThrow(/pass timing: false/);
    await withOther(async (ask) => {
      const handle = cuda.memIpcHandle(memory);
      expect(await ask('cuda.openIpcMemory(given, 2 ** 40);', handle)).toEqual(
        expect.objectContaining({
          error: expect.stringMatching(/the memory has \d+ bytes; 1099511627776 were asked for/),
        }),
      );
    });
  });

  test('memory is named while a stream waits for the process that asks for it', async () => {
    if (!isPossible()) return;
    using memory = cuda.toDevice(numbers());
    using late = cuda.toDevice(Int32Array.of(1, 2));
    using stream = new cuda.Stream();
    using event = new cuda.Event({ interprocess: true, timing: false });
    await withOther(async (ask) => {
      await ask(
        `kept.event = cuda.Event.fromIpcHandle(given.event);
         kept.flag = cuda.pagelockedZeros(1, 'i32', cuda.HostAllocFlags.DEVICEMAP);
         kept.stream = new cuda.Stream({ nonBlocking: true });
         wait(cuda.getDevicePointer(kept.flag), { block: 1, stream: kept.stream });
         kept.event.record(kept.stream);`,
        { event: event.ipcHandle() },
      );
      stream.waitForEvent(event);
      cuda.memsetD32Async(memory, 9, 1000, stream);
      expect(await ask(open.replace('4 * 1000', '8'), cuda.memIpcHandle(late))).toBe(8);
      expect([stream.isDone(), await ask(read)]).toEqual([false, Int32Array.of(1, 2)]);
      await ask('kept.flag[0] = 1; kept.stream.synchronize(); kept.memory.free(); kept.event.close();');
      stream.synchronize();
      expect(cuda.fromDevice(memory, 'i32')[999]).toBe(9);
    });
  });

  test('a process on another device', async () => {
    if (!isPossible() || cuda.Device.count() < 2) return;
    if (!new cuda.Device(1).canAccessPeer(new cuda.Device(0))) return;
    using memory = cuda.toDevice(numbers());
    await withOther(
      async (ask) => {
        await ask(open, cuda.memIpcHandle(memory));
        await ask(
          'change(kept.memory, 2, 1, 1000, { block: 128, grid: 8 }); context.synchronize(); kept.memory.free();',
        );
      },
      { OTHER_DEVICE: '1' },
    );
    expect(cuda.fromDevice(memory, 'i32')).toEqual(numbers().map((x) => 2 * x + 1));
  });

  test('the checked mode knows where the memory of another process ends', async () => {
    if (!isPossible() || !isEmbedded()) return;
    using front = cuda.toDevice(Int32Array.of(7));
    using memory = cuda.toDevice(numbers());
    await withOther(
      async (ask) => {
        await ask(open, cuda.memIpcHandle(memory));
        expect(await ask('change(kept.memory, 2, 0, 1000, { block: 128, grid: 8 }); context.synchronize();')).toBe(
          undefined,
        );
        expect(await ask('change(kept.memory, 2, 0, 1001, { block: 128, grid: 8 }); context.synchronize();')).toEqual(
          expect.objectContaining({ error: expect.stringMatching(/x has 1000 elements, allocated/) }),
        );
      },
      { ...ONE, RAWKERNEL_CPU_CHECK: '1' },
    );
    expect([...cuda.fromDevice(front, 'i32')]).toEqual([7]);
  });

  test('a handle with a wrong bit is refused, or names other memory of that process', async () => {
    if (!isPossible() || !isEmbedded()) return;
    await withOther(async (ask) => {
      const handle = (await ask(
        'kept.mine = cuda.toDevice(Int32Array.of(1, 2, 3)); return cuda.memIpcHandle(kept.mine);',
      )) as Uint8Array;
      const refused = Array.from({ length: 8 * 48 }, (_, bit) => {
        const wrong = Uint8Array.from(handle);
        wrong[bit >>> 3] = (wrong[bit >>> 3] as number) ^ (1 << (bit & 7));
        try {
          cuda.openIpcMemory(wrong).free();
          return 0;
        } catch (error) {
          expect(error).toBeInstanceOf(cuda.CudaError);
          return 1;
        }
      });
      // All but those of the address and the size that are still within reach, and four bytes that mean nothing.
      expect(refused.filter((one) => one === 1).length).toBeGreaterThan(250);
      using memory = cuda.openIpcMemory(handle, 12);
      expect([...cuda.fromDevice(memory, 'i32')]).toEqual([1, 2, 3]);
    });
  });

  test('memory of a process that has ended stays, and cannot be opened any more', async () => {
    if (!isPossible() || !isEmbedded()) return;
    const lent = 'kept.mine = cuda.toDevice(Int32Array.of(1, 2, 3)); return cuda.memIpcHandle(kept.mine);';
    const { handle, opened } = await withOther(async (ask, child) => {
      const handle = (await ask(lent)) as Uint8Array;
      const opened = cuda.openIpcMemory(handle, 12);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      return { handle, opened };
    });
    expect([...cuda.fromDevice(opened, 'i32')]).toEqual([1, 2, 3]);
    opened.free();
    expect(() => cuda.openIpcMemory(handle, 12)).toThrow(cuda.CudaError);
  });

  test('a wait for a process that ends is over', async () => {
    if (!isPossible() || !isEmbedded()) return;
    using memory = cuda.toDevice(numbers());
    using stream = new cuda.Stream();
    using event = new cuda.Event({ interprocess: true, timing: false });
    await withOther(async (ask, child) => {
      await ask(
        `kept.event = cuda.Event.fromIpcHandle(given);
         const flag = cuda.pagelockedZeros(1, 'i32', cuda.HostAllocFlags.DEVICEMAP);
         kept.stream = new cuda.Stream();
         wait(cuda.getDevicePointer(flag), { block: 1, stream: kept.stream });
         kept.event.record(kept.stream);`,
        event.ipcHandle(),
      );
      stream.waitForEvent(event);
      cuda.memsetD32Async(memory, 9, 1000, stream);
      expect([event.query(), stream.isDone()]).toEqual([false, false]);
      child.kill('SIGKILL');
      stream.synchronize();
      event.synchronize();
      expect(cuda.fromDevice(memory, 'i32')[999]).toBe(9);
    });
  });
});
