import { expect, test } from '@jest/globals';
import { getDevicePointer, pagelockedZeros } from '../../../src/cuda/memory/host-memory.ts';
import { fromDevice, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memsetD32Async } from '../../../src/cuda/copy/memset.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { HostAllocFlags } from '../../../src/cuda/sys/enums.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('values that streams write and wait for', () => {
  withDevice();

  test('what one stream writes another one waits for', () => {
    using first = new Stream({ nonBlocking: true });
    using second = new Stream({ nonBlocking: true });
    using memory = toDevice(new Uint32Array(4));
    const word = memory.slice(4, 4);
    first.writeValue(word, 0x8000_0001);
    second.waitValue(word, 0x8000_0001, { compare: 'eq' });
    second.waitValue(word, 1, { compare: 'and' });
    second.waitValue(word, 0x7fff_fff0, { compare: 'geq' });
    memsetD32Async(memory, 9, 1, second);
    second.synchronize();
    expect([...fromDevice(memory, 'u32')]).toEqual([9, 0x8000_0001, 0, 0]);
  });

  test('a batch writes and waits in its order', () => {
    using stream = new Stream({ nonBlocking: true });
    using memory = toDevice(new Uint32Array(3));
    stream.batchMemOp([
      { write: memory, value: 3 },
      { wait: memory, value: 3, compare: 'eq' },
      { write: memory.slice(8), value: 4 },
    ]);
    stream.synchronize();
    expect([...fromDevice(memory, 'u32')]).toEqual([3, 0, 4]);
  });
});

needs.attribute('CAN_USE_64_BIT_STREAM_MEM_OPS').describe('values of 64 bits, and values of the host', () => {
  withDevice();

  test('64 bits are written and waited for', () => {
    using stream = new Stream({ nonBlocking: true });
    using memory = toDevice(new BigUint64Array(2));
    stream.writeValue(memory, 2n ** 63n + 5n, { bits: 64 });
    stream.waitValue(memory, 2n ** 63n + 5n, { bits: 64, compare: 'eq' });
    stream.synchronize();
    expect([...fromDevice(memory, 'u64')]).toEqual([2n ** 63n + 5n, 0n]);
  });

  test('a stream waits until the host has written', async () => {
    using stream = new Stream({ nonBlocking: true });
    using flag = pagelockedZeros(1, 'u32', HostAllocFlags.DEVICEMAP);
    using memory = toDevice(new Uint32Array(1));
    stream.waitValue(getDevicePointer(flag), 3);
    memsetD32Async(memory, 7, 1, stream);
    expect(stream.isDone()).toBe(false);
    flag[0] = 3;
    await stream.done();
    expect(fromDevice(memory, 'u32')[0]).toBe(7);
  });
});
