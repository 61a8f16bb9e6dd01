import { viewOf } from '../../src/ffi/memory.ts';
import { MemPoolAttribute, PointerAttribute } from '../../src/cuda/sys/enums.ts';
import { structs } from '../../src/cuda/sys/structs.ts';
import type { FakeArray } from './fake-arrays.ts';
import { fakeBatch } from './fake-batch.ts';

/** What the fake driver lends to its functions for memory. */
export interface FakeMemoryTools {
  readonly live: (kind: 'pool' | 'registered' | 'physical' | 'reserved' | 'mapped' | 'opened', by: number) => void;
  readonly bytesOf: (value: unknown) => Uint8Array;
  readonly openEvent: (out: unknown) => number;
  readonly find: (address: bigint, byteLength: number) => Uint8Array | undefined;
  readonly blockAt: (address: bigint) => readonly [base: bigint, byteLength: number] | undefined;
  /** The device of an allocation. */
  readonly deviceAt: (base: bigint) => number;
  readonly arrays: ReadonlyMap<bigint, FakeArray>;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
  readonly allocate: (out: unknown, size: number, kind: 'memory' | 'host') => number;
  readonly release: (address: bigint, kind: 'memory' | 'host') => number;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_VALUE = 1;
const DEFAULT_POOL = 0x9000n;
const HOST = 1;
const ARRAY = 3;

/** The fake driver's functions for pools, managed and registered memory, boxes, peers, other processes, address space. */
export function fakeMemory(tools: FakeMemoryTools): Functions {
  const { live, bytesOf, openEvent, find, blockAt, deviceAt, arrays, fresh, put, allocate, release } = tools;
  const pools = new Set<bigint>([DEFAULT_POOL]);
  const attributes = new Map<string, bigint>();
  const managed = new Set<bigint>();
  const registered = new Map<bigint, number>();
  const reserved = new Map<bigint, Uint8Array>();
  let current = DEFAULT_POOL;

  const counted = (status: number, kind: Parameters<typeof live>[0], by: number): number => {
    if (status === SUCCESS) live(kind, by);
    return status;
  };
  const withPool = (pool: bigint, run: () => number): number => (pools.has(pool) ? run() : INVALID_VALUE);
  const at = (address: bigint, byteLength: number): Uint8Array | undefined => {
    for (const [base, bytes] of reserved) {
      const offset = Number(address - base);
      if (offset >= 0 && offset + byteLength <= bytes.length) return bytes.subarray(offset, offset + byteLength);
    }
    return find(address, byteLength);
  };

  /** Copy a box: `layout` is the struct's, the 3-D one or the 2-D one. */
  const box = (description: unknown): number => {
    const bytes = bytesOf(description);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const fields: Readonly<Record<string, number>> =
      bytes.length >= structs.CUDA_MEMCPY3D.size ? structs.CUDA_MEMCPY3D.fields : structs.CUDA_MEMCPY2D.fields;
    const get = (name: string): number => {
      const offset = fields[name];
      return offset === undefined ? 0 : Number(view.getBigUint64(offset, true));
    };
    const [width, height, depth] = [get('WidthInBytes'), get('Height'), get('Depth') || 1];
    for (let z = 0; z < depth; z++) {
      for (let y = 0; y < height; y++) {
        const [from, to] = (['src', 'dst'] as const).map((end) => {
          const kind = view.getInt32(fields[`${end}MemoryType`] as number, true);
          const host = kind === HOST;
          if (kind === ARRAY) {
            const array = arrays.get(view.getBigUint64(fields[`${end}Array`] as number, true));
            const layer = (get(`${end}Z`) + z) * (array?.rows ?? 0);
            const first = (layer + get(`${end}Y`) + y) * (array?.pitch ?? 0) + get(`${end}XInBytes`);
            return array?.bytes.subarray(first, first + width);
          }
          const base = view.getBigUint64(fields[`${end}${host ? 'Host' : 'Device'}`] as number, true);
          const row = (get(`${end}Z`) + z) * get(`${end}Height`) + get(`${end}Y`) + y;
          const address = base + BigInt(row * get(`${end}Pitch`) + get(`${end}XInBytes`));
          return host ? new Uint8Array(viewOf(address, width)) : at(address, width);
        });
        if (!from || !to) return INVALID_VALUE;
        to.set(from);
      }
    }
    return SUCCESS;
  };
  const hostBytes = (value: unknown, size: number): Uint8Array =>
    typeof value === 'bigint' ? new Uint8Array(viewOf(value, size)) : bytesOf(value);
  const copy = (to: Uint8Array | undefined, from: Uint8Array | undefined): number => {
    if (!to || !from) return INVALID_VALUE;
    to.set(from);
    return SUCCESS;
  };
  const fillRun = (address: bigint, pattern: Uint8Array, count: number): number => {
    const target = find(address, pattern.length * count);
    if (!target) return INVALID_VALUE;
    for (let i = 0; i < count; i++) target.set(pattern, i * pattern.length);
    return SUCCESS;
  };
  const fill = (to: bigint, pitch: number, pattern: Uint8Array, width: number, height: number): number => {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const cell = at(to + BigInt(y * pitch + x * pattern.length), pattern.length);
        if (!cell) return INVALID_VALUE;
        cell.set(pattern);
      }
    }
    return SUCCESS;
  };
  const fill8 = (to: bigint, pitch: number, value: number, width: number, height: number): number =>
    fill(to, pitch, Uint8Array.of(value), width, height);
  const fill16 = (to: bigint, pitch: number, value: number, width: number, height: number): number =>
    fill(to, pitch, bytesOf(Uint16Array.of(value)), width, height);
  const fill32 = (to: bigint, pitch: number, value: number, width: number, height: number): number =>
    fill(to, pitch, bytesOf(Uint32Array.of(value)), width, height);
  const move = (to: bigint, from: bigint, size: number): number => {
    const target = at(to, size) ?? new Uint8Array(viewOf(to, size));
    target.set(at(from, size) ?? new Uint8Array(viewOf(from, size)));
    return SUCCESS;
  };
  const peer = (to: bigint, _first: bigint, from: bigint, _second: bigint, size: number): number => {
    return copy(at(to, size), at(from, size));
  };

  const bytesAt = (address: bigint, size: number): Uint8Array =>
    at(address, size) ?? new Uint8Array(viewOf(address, size));

  return {
    cuMemcpy3DBatchAsync: fakeBatch({ arrays, bytesOf, bytesAt }),
    cuStreamBatchMemOp: () => SUCCESS,
    cuDeviceCanAccessPeer: (out: unknown) => put(out, 0),
    cuDeviceGetP2PAttribute: (out: unknown) => put(out, 0),
    cuCtxEnablePeerAccess: () => SUCCESS,
    cuCtxDisablePeerAccess: () => SUCCESS,
    cuDeviceGetDefaultMemPool: (out: unknown) => put(out, DEFAULT_POOL),
    cuDeviceGetMemPool: (out: unknown) => put(out, current),
    cuDeviceSetMemPool: (_device: number, pool: bigint) =>
      withPool(pool, () => {
        current = pool;
        return SUCCESS;
      }),
    cuMemAllocAsync: (out: unknown, size: number) => allocate(out, size, 'memory'),
    cuMemAllocFromPoolAsync: (out: unknown, size: number, pool: bigint) =>
      withPool(pool, () => allocate(out, size, 'memory')),
    cuMemFreeAsync: (address: bigint) => release(address, 'memory'),
    cuMemPoolCreate: (out: unknown) => {
      const pool = fresh();
      pools.add(pool);
      live('pool', 1);
      return put(out, pool);
    },
    cuMemPoolDestroy: (pool: bigint) => counted(pools.delete(pool) ? SUCCESS : INVALID_VALUE, 'pool', -1),
    cuMemPoolGetAttribute: (pool: bigint, attribute: number, out: unknown) =>
      withPool(pool, () => {
        const value = attributes.get(`${pool} ${attribute}`) ?? 0n;
        return put(out, attribute <= MemPoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES ? Number(value) : value);
      }),
    cuMemPoolSetAttribute: (pool: bigint, attribute: number, value: BigUint64Array | Int32Array) =>
      withPool(pool, () => {
        attributes.set(`${pool} ${attribute}`, BigInt(value[0] ?? 0));
        return SUCCESS;
      }),
    cuMemPoolTrimTo: (pool: bigint) => withPool(pool, () => SUCCESS),
    cuMemPoolSetAccess: (pool: bigint) => withPool(pool, () => SUCCESS),
    cuMemPoolGetAccess: (out: unknown, pool: bigint) => withPool(pool, () => put(out, 3)),
    cuMemPoolExportToShareableHandle: (out: unknown, pool: bigint) => withPool(pool, () => put(out, 77)),
    cuMemPoolImportFromShareableHandle: (out: unknown) => {
      const pool = fresh();
      pools.add(pool);
      live('pool', 1);
      return put(out, pool);
    },
    cuMemPoolExportPointer: (out: unknown, address: bigint) => {
      new BigUint64Array(bytesOf(out).buffer)[0] = address;
      return SUCCESS;
    },
    cuMemPoolImportPointer: (out: unknown) => allocate(out, 16, 'memory'),
    cuMemGetAddressRange: (base: unknown, size: unknown, address: bigint) => {
      const found = blockAt(address);
      return found ? put(base, found[0]) || put(size, BigInt(found[1])) : INVALID_VALUE;
    },
    cuPointerGetAttribute: (out: unknown, attribute: number, address: bigint) => {
      const found = blockAt(address);
      if (!found) return INVALID_VALUE;
      const isManaged = managed.has(found[0]);
      switch (attribute) {
        case PointerAttribute.MEMORY_TYPE:
          return put(out, 2);
        case PointerAttribute.CONTEXT:
          return put(out, 0x77n);
        case PointerAttribute.DEVICE_POINTER:
          return put(out, address);
        case PointerAttribute.HOST_POINTER:
          return isManaged ? put(out, address) : INVALID_VALUE;
        case PointerAttribute.IS_MANAGED:
          return put(out, isManaged ? 1 : 0);
        case PointerAttribute.DEVICE_ORDINAL:
          return put(out, deviceAt(found[0]));
        case PointerAttribute.RANGE_START_ADDR:
          return put(out, found[0]);
        case PointerAttribute.RANGE_SIZE:
          return put(out, BigInt(found[1]));
        default:
          return 801;
      }
    },
    cuPointerSetAttribute: () => SUCCESS,
    cuMemAllocManaged: (out: BigUint64Array, size: number) => {
      const status = allocate(out, size, 'memory');
      if (status === SUCCESS) managed.add(out[0] ?? 0n);
      return status;
    },
    cuMemPrefetchAsync: () => SUCCESS,
    cuMemAdvise: () => SUCCESS,
    cuMemRangeGetAttribute: (out: Int32Array) => put(out, 1),
    cuStreamAttachMemAsync: () => SUCCESS,
    cuMemHostRegister: (address: bigint, size: number) => {
      if (registered.has(address)) return 712;
      registered.set(address, size);
      return counted(SUCCESS, 'registered', 1);
    },
    cuMemHostUnregister: (address: bigint) => counted(registered.delete(address) ? SUCCESS : 713, 'registered', -1),
    cuMemcpyHtoD: (to: bigint, from: unknown, size: number) => copy(find(to, size), hostBytes(from, size)),
    cuMemcpyDtoH: (to: unknown, from: bigint, size: number) => copy(hostBytes(to, size), find(from, size)),
    cuMemcpyDtoD: (to: bigint, from: bigint, size: number) => copy(find(to, size), find(from, size)),
    cuMemcpyHtoDAsync: (to: bigint, from: unknown, size: number) => copy(find(to, size), hostBytes(from, size)),
    cuMemcpyDtoHAsync: (to: unknown, from: bigint, size: number) => copy(hostBytes(to, size), find(from, size)),
    cuMemcpyDtoDAsync: (to: bigint, from: bigint, size: number) => copy(find(to, size), find(from, size)),
    cuMemsetD8: (to: bigint, value: number, count: number) => fillRun(to, Uint8Array.of(value), count),
    cuMemsetD16: (to: bigint, value: number, count: number) => fillRun(to, bytesOf(Uint16Array.of(value)), count),
    cuMemsetD32: (to: bigint, value: number, count: number) => fillRun(to, bytesOf(Uint32Array.of(value)), count),
    cuMemsetD8Async: (to: bigint, value: number, count: number) => fillRun(to, Uint8Array.of(value), count),
    cuMemsetD16Async: (to: bigint, value: number, count: number) => fillRun(to, bytesOf(Uint16Array.of(value)), count),
    cuMemsetD32Async: (to: bigint, value: number, count: number) => fillRun(to, bytesOf(Uint32Array.of(value)), count),
    cuMemcpy2D: box,
    cuMemcpy2DUnaligned: box,
    cuMemcpy2DAsync: box,
    cuMemcpy3D: box,
    cuMemcpy3DAsync: box,
    cuMemcpy3DPeer: box,
    cuMemcpy3DPeerAsync: box,
    cuMemcpyPeer: peer,
    cuMemcpyPeerAsync: peer,
    cuMemcpyBatchAsync: (to: BigUint64Array, from: BigUint64Array, sizes: BigUint64Array, count: number) => {
      for (let i = 0; i < count; i++) move(to[i] ?? 0n, from[i] ?? 0n, Number(sizes[i]));
      return SUCCESS;
    },
    cuMemsetD2D8: fill8,
    cuMemsetD2D8Async: fill8,
    cuMemsetD2D16: fill16,
    cuMemsetD2D16Async: fill16,
    cuMemsetD2D32: fill32,
    cuMemsetD2D32Async: fill32,
    cuIpcGetMemHandle: (out: unknown) => {
      bytesOf(out).fill(7);
      return SUCCESS;
    },
    cuIpcOpenMemHandle: (out: BigUint64Array) => counted(allocate(out, 64, 'memory'), 'opened', 1),
    cuIpcCloseMemHandle: (address: bigint) => counted(release(address, 'memory'), 'opened', -1),
    cuIpcGetEventHandle: (out: unknown) => {
      bytesOf(out).fill(9);
      return SUCCESS;
    },
    cuIpcOpenEventHandle: openEvent,
    cuMemAddressReserve: (out: BigUint64Array, size: number) => {
      const address = fresh() << 32n;
      reserved.set(address, new Uint8Array(size));
      live('reserved', 1);
      return put(out, address);
    },
    cuMemAddressFree: (address: bigint) => counted(reserved.delete(address) ? SUCCESS : INVALID_VALUE, 'reserved', -1),
    cuMemCreate: (out: unknown) => counted(put(out, fresh()), 'physical', 1),
    cuMemRelease: () => counted(SUCCESS, 'physical', -1),
    cuMemMap: () => counted(SUCCESS, 'mapped', 1),
    cuMemUnmap: () => counted(SUCCESS, 'mapped', -1),
    cuMemSetAccess: () => SUCCESS,
    cuMemGetAccess: (out: unknown) => put(out, 3n),
    cuMemGetAllocationGranularity: (out: unknown) => put(out, 65_536n),
    cuMemExportToShareableHandle: (out: unknown) => put(out, 78),
    cuMemImportFromShareableHandle: (out: unknown) => counted(put(out, fresh()), 'physical', 1),
  };
}
