import * as cuda from '../../src/cuda/index.ts';
import type { AddEntry } from './cuda-misuse.ts';

/** What the entries share. */
interface Shared {
  readonly memory: cuda.DeviceAllocation;
  readonly host: Uint8Array;
  readonly stream: cuda.Stream;
  readonly device: cuda.Device;
}

/** The functions and methods for memory beyond plain allocations and copies. */
export function memoryEntries(entry: AddEntry, shared: Shared): void {
  const { memory, stream } = shared;
  poolEntries(entry, shared);
  hostEntries(entry, shared);
  entry('memAllocAsync', cuda.memAllocAsync, [16, 'size'], [stream, 'stream']);
  entry(
    'StreamAllocation.freeAsync',
    (on: never) => {
      cuda.memAllocAsync(16).freeAsync(on);
    },
    [stream, 'stream'],
  );
  entry('pointerAttributes', cuda.pointerAttributes, [memory, 'device']);
  entry('memGetAddressRange', cuda.memGetAddressRange, [memory, 'device']);
}

function poolEntries(entry: AddEntry, { memory, stream, device }: Shared): void {
  const pool = new cuda.MemPool();
  entry('memAllocAsync', cuda.memAllocAsync, [16, 'size'], [stream, 'stream']);
  entry('MemPool.alloc', (size: never, on: never) => pool.alloc(size, on), [16, 'size'], [stream, 'stream']);
  entry('new MemPool', (options: never) => new cuda.MemPool(options), [{}, 'options']);
  entry(
    'MemPool.trimTo',
    (bytes: never) => {
      pool.trimTo(bytes);
    },
    [0, 'length'],
  );
  entry(
    'MemPool.setAccess',
    (to: never, access: never) => {
      pool.setAccess(to, access);
    },
    [device, 'event'],
    ['readwrite', 'type'],
  );
  entry('MemPool.getAccess', (to: never) => pool.getAccess(to), [device, 'event']);
  entry('MemPool.default', (of: never) => cuda.MemPool.default(of), [device, 'object']);
  entry('MemPool.current', (of: never) => cuda.MemPool.current(of), [device, 'object']);
  entry('MemPool.exportPointer', (of: never) => cuda.MemPool.exportPointer(of), [memory, 'device']);
  entry('MemPool.fromHandle', (fd: never) => cuda.MemPool.fromHandle(fd), [-1, 'amount']);
  const devicePool = new cuda.DeviceMemoryPool();
  entry(
    'DeviceMemoryPool.allocate',
    (size: never, on: never) => devicePool.allocate(size, on),
    [16, 'size'],
    [stream, 'stream'],
  );
  const hostPool = new cuda.PageLockedMemoryPool();
  entry('new PageLockedMemoryPool', (flags: never) => new cuda.PageLockedMemoryPool(flags), [0, 'length']);
  entry(
    'PageLockedMemoryPool.allocate',
    (length: never, type: never, on: never) => hostPool.allocate(length, type, on),
    [16, 'size'],
    ['u8', 'type'],
    [stream, 'stream'],
  );
  entry(
    'PageLockedMemoryPool.free',
    (array: never) => {
      hostPool.free(array);
    },
    [hostPool.allocate(4, 'u8'), 'host'],
  );
}

/** Memory that host and device share. */
function hostEntries(entry: AddEntry, { memory, host, stream, device }: Shared): void {
  const managed = cuda.managedEmpty(16, 'u8');
  entry('managedEmpty', cuda.managedEmpty, [4, 'size'], ['f32', 'type']);
  entry('managedZeros', cuda.managedZeros, [4, 'size'], ['f32', 'type']);
  entry('managedFree', cuda.managedFree, [managed, 'host']);
  entry(
    'memPrefetchAsync',
    cuda.memPrefetchAsync,
    [managed.ptr, 'device'],
    [device, 'event'],
    [stream, 'stream'],
    [4, 'size'],
  );
  entry(
    'memAdvise',
    cuda.memAdvise,
    [managed.ptr, 'device'],
    ['setReadMostly', 'text'],
    [device, 'object'],
    [4, 'size'],
  );
  entry('memRangeAttributes', cuda.memRangeAttributes, [memory, 'device'], [4, 'length']);
  entry('streamAttachMemAsync', cuda.streamAttachMemAsync, [stream, 'stream'], [memory, 'device'], [4, 'length']);
  entry('registerHostMemory', cuda.registerHostMemory, [host, 'host'], [0, 'length']);
}
