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
  boxEntries(entry, shared);
  spaceEntries(entry, shared);
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
  entry('managedView', cuda.managedView, [managed, 'host'], ['f32', 'type']);
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

/** Rectangles, boxes, lists of copies, peers. */
function boxEntries(entry: AddEntry, { memory, host, stream, device }: Shared): void {
  for (const Copy of [cuda.Memcpy2D, cuda.Memcpy3D, cuda.Memcpy3DPeer]) {
    const copy = new Copy().setSrcHost(host).setDstDevice(memory);
    for (const end of ['Src', 'Dst'] as const) {
      const of =
        (kind: 'Host' | 'Device'): ((place: never) => unknown) =>
        (place) =>
          copy[`set${end}${kind}`](place);
      entry(`${Copy.name}.set${end}Host`, of('Host'), [host, 'host']);
      entry(`${Copy.name}.set${end}Device`, of('Device'), [memory, 'device']);
    }
    for (const name of ['widthInBytes', 'srcPitch', 'dstY'] as const) {
      const set = (value: never): void => {
        Object.assign(copy, { widthInBytes: 1, srcPitch: 0, dstY: 0, [name]: value });
        copy.run();
      };
      entry(`${Copy.name}.${name}`, set, [1, 'amount']);
    }
    const runAsync = (on: never): void => {
      Object.assign(copy, { widthInBytes: 1, srcPitch: 0, dstY: 0 });
      copy.runAsync(on);
    };
    entry(`${Copy.name}.runAsync`, runAsync, [stream, 'stream']);
  }
  const peer = new cuda.Memcpy3DPeer();
  entry('Memcpy3DPeer.setSrcContext', (context: never) => peer.setSrcContext(context), [cuda.Context.current, 'event']);
  for (const bits of [8, 16, 32] as const) {
    const rest = [
      [16, 'size'],
      [1, 'offset'],
      [1, 'size'],
      [1, 'size'],
    ] as const;
    entry(`memsetD2D${bits}`, cuda[`memsetD2D${bits}`], [memory, 'device'], ...rest);
    entry(`memsetD2D${bits}Async`, cuda[`memsetD2D${bits}Async`], [memory, 'device'], ...rest, [stream, 'stream']);
  }
  entry('memcpyBatchAsync', cuda.memcpyBatchAsync, [[{ dst: memory, src: host }], 'type'], [stream, 'stream']);
  const boxes = [Object.assign(new cuda.Memcpy3D().setSrcHost(host).setDstDevice(memory), { widthInBytes: 8 })];
  entry('memcpy3DBatchAsync', cuda.memcpy3DBatchAsync, [boxes, 'type'], [stream, 'stream']);
  entry('memcpyPeer', cuda.memcpyPeer, [memory, 'device'], [memory, 'device'], [8, 'length']);
  entry('memcpyPeerAsync', cuda.memcpyPeerAsync, [memory, 'device'], [memory, 'device'], [8, 'length']);
  entry('enablePeerAccess', cuda.enablePeerAccess, [cuda.Context.current, 'event']);
  entry('disablePeerAccess', cuda.disablePeerAccess, [cuda.Context.current, 'event']);
  entry('peerAttributes', cuda.peerAttributes, [device, 'event'], [device, 'event']);
}

/** Address space, and memory of other processes. */
function spaceEntries(entry: AddEntry, { memory, device }: Shared): void {
  entry(
    'new PhysicalMemory',
    (size: never, how: never) => new cuda.PhysicalMemory(size, how),
    [65_536, 'size'],
    [{}, 'options'],
  );
  entry('PhysicalMemory.fromHandle', (fd: never) => cuda.PhysicalMemory.fromHandle(fd, 65_536), [-1, 'amount']);
  entry(
    'new AddressRange',
    (size: never, how: never) => new cuda.AddressRange(size, how),
    [65_536, 'size'],
    [{}, 'options'],
  );
  entry('memGranularity', (how: never) => cuda.memGranularity(how), [{}, 'options']);
  entry('memIpcHandle', cuda.memIpcHandle, [memory, 'device']);
  entry('openIpcMemory', cuda.openIpcMemory, [new Uint8Array(64), 'host'], [16, 'length']);
  entry('Event.fromIpcHandle', (bytes: never) => cuda.Event.fromIpcHandle(bytes), [new Uint8Array(64), 'host']);
  if (device.getAttributes().VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED === 0) return;
  const range = new cuda.AddressRange(2 << 20);
  const map = (at: never, physical: never): void => {
    range.map(at, physical);
  };
  entry('AddressRange.map', map, [0, 'amount'], [new cuda.PhysicalMemory(2 << 20), 'event']);
  const unmap = (at: never): void => {
    range.unmap(at);
  };
  entry('AddressRange.unmap', unmap, [0, 'offset']);
  entry('AddressRange.getAccess', (of: never, at: never) => range.getAccess(of, at), [device, 'event'], [0, 'length']);
}
