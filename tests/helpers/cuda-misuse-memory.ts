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
export function memoryEntries(entry: AddEntry, { memory, stream, device }: Shared): void {
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
