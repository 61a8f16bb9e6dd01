import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType, MapFlags, MemFlags, MigrationFlags, SvmMemFlags } from '../../opencl/sys/enums.ts';
import { encodeWides, type Size } from './answer.ts';
import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import { largestBuffer } from './device-info.ts';
import type { Command } from './event.ts';
import { Limits } from './limits.ts';
import { addressAt, hostBytes, widesAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';
import { copyWithin, fillWith, isPattern } from './transfer.ts';
import type { Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clSVMAlloc'
  | 'clSVMFree'
  | 'clEnqueueSVMFree'
  | 'clEnqueueSVMMemcpy'
  | 'clEnqueueSVMMemFill'
  | 'clEnqueueSVMMap'
  | 'clEnqueueSVMUnmap'
  | 'clEnqueueSVMMigrateMem';

const ACCESS = MemFlags.READ_WRITE | MemFlags.WRITE_ONLY | MemFlags.READ_ONLY;
const { SVM_FINE_GRAIN_BUFFER, SVM_ATOMICS } = SvmMemFlags;
const MAPS = MapFlags.READ | MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;
const MIGRATIONS = MigrationFlags.HOST | MigrationFlags.CONTENT_UNDEFINED;
const NOTHING: Command = {};

/**
 * Shared virtual memory: device memory under its host address. There is one copy of it, so that
 * coarse and fine grain are the same and mapping has nothing to do.
 */
export const svmFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clSVMAlloc: allocate,
  clSVMFree: (state, handle, pointer) => {
    const context = state.contexts.find(handle);
    if (!context || pointer === 0n) return;
    free(state, context, addressAt(pointer));
  },
  clEnqueueSVMFree: (state, handle, count, pointers, notify, data, waitCount, waits, out) =>
    state.enqueue(handle, CommandType.SVM_FREE, { count: waitCount, list: waits, out }, (queue) => {
      if ((count === 0) !== (pointers === 0n)) return Code.INVALID_VALUE;
      const list = widesAt(pointers, count);
      const perform = (): number => {
        const args = [queue.handle, count, encodeWides([...list])] as const;
        if (notify !== 0n) state.notify('cl_svm_free_notify', { notify, data: addressAt(data) }, ...args);
        else for (const pointer of list) free(state, queue.context, pointer);
        return Code.SUCCESS;
      };
      return { perform };
    }),
  clEnqueueSVMMemcpy: (state, handle, blocking, to, from, size, count, waits, out) =>
    state.enqueue(
      handle,
      CommandType.SVM_MEMCPY,
      { count, list: waits, out },
      ({ context }) => copy(state, context, to, from, Number(size)),
      blocking !== 0,
    ),
  clEnqueueSVMMemFill: (state, handle, to, pattern, patternSize, size, count, waits, out) =>
    state.enqueue(handle, CommandType.SVM_MEMFILL, { count, list: waits, out }, ({ context }) =>
      fill(state, context, to, pattern, Number(patternSize), Number(size)),
    ),
  clEnqueueSVMMap: (state, handle, blocking, flags, pointer, size, count, waits, out) =>
    state.enqueue(
      handle,
      CommandType.SVM_MAP,
      { count, list: waits, out },
      () => {
        const known = (Number(flags) & ~MAPS) === 0;
        return known && pointer !== 0n && Number(size) > 0 ? NOTHING : Code.INVALID_VALUE;
      },
      blocking !== 0,
    ),
  clEnqueueSVMUnmap: (state, handle, pointer, count, waits, out) =>
    state.enqueue(handle, CommandType.SVM_UNMAP, { count, list: waits, out }, () =>
      pointer === 0n ? Code.INVALID_VALUE : NOTHING,
    ),
  clEnqueueSVMMigrateMem: (state, handle, count, pointers, sizes, flags, waitCount, waits, out) =>
    state.enqueue(handle, CommandType.SVM_MIGRATE_MEM, { count: waitCount, list: waits, out }, ({ context }) => {
      if (count === 0 || pointers === 0n || (Number(flags) & ~MIGRATIONS) !== 0) return Code.INVALID_VALUE;
      const lengths = sizes === 0n ? [] : widesAt(sizes, count);
      const all = [...widesAt(pointers, count)].every(
        (pointer, i) => find(state, context, pointer, Number(lengths[i] ?? 0n)) !== undefined,
      );
      return all ? NOTHING : Code.INVALID_VALUE;
    }),
};

/** The device's address of bytes that lie in one allocation of the context. */
function find(state: OpenCLState, context: ClContext, pointer: Out, byteLength: number): number | undefined {
  const address = state.memory.deviceAddress(addressAt(pointer));
  const start = address === undefined ? undefined : state.memory.find(address, byteLength)?.address;
  return start !== undefined && state.svm.get(start)?.context === context ? address : undefined;
}

function allocate(
  state: OpenCLState,
  handle: bigint,
  rawFlags: number | bigint,
  size: Size,
  alignment: number,
): bigint {
  const context = state.contexts.find(handle);
  const flags = Number(rawFlags);
  const byteLength = Number(size);
  const access = flags & ACCESS;
  const known = (flags & ~(ACCESS | SVM_FINE_GRAIN_BUFFER | SVM_ATOMICS)) === 0 && (access & (access - 1)) === 0;
  if (!context || !known || byteLength < 1 || byteLength > largestBuffer(state)) return 0n;
  if ((flags & SVM_ATOMICS) !== 0 && (flags & SVM_FINE_GRAIN_BUFFER) === 0) return 0n;
  if (alignment > Limits.ALIGNMENT || (alignment & (alignment - 1)) !== 0) return 0n;
  const address = state.allocate(context, byteLength);
  if (address === undefined) return 0n;
  context.retain();
  state.svm.set(address, { context, byteLength });
  // The host may write to the memory at any time.
  state.memory.guard?.write(address, byteLength);
  return state.memory.hostAddress(address);
}

function free(state: OpenCLState, context: ClContext, pointer: bigint): void {
  const address = find(state, context, pointer, 0);
  if (address === undefined || !state.svm.delete(address)) return;
  state.engine.afterAll(() => state.memory.release(address));
  context.release();
}

/** Copy between shared virtual memory and other host memory, in every combination. */
function copy(state: OpenCLState, context: ClContext, to: Out, from: Out, byteLength: number): Command | number {
  if (to === 0n || from === 0n) return Code.INVALID_VALUE;
  const [target, source] = [addressAt(to), addressAt(from)];
  const distance = target > source ? target - source : source - target;
  if (distance < BigInt(byteLength)) return Code.MEM_COPY_OVERLAP;
  const [shared, sharedSource] = [find(state, context, to, byteLength), find(state, context, from, byteLength)];
  if (shared !== undefined && sharedSource !== undefined) {
    return { submit: () => copyWithin(state, context, shared, sharedSource, byteLength) };
  }
  const [bytes, sourceBytes] = [hostBytes(to, byteLength), hostBytes(from, byteLength)];
  if (!bytes || !sourceBytes) return Code.INVALID_VALUE;
  const perform = (): number => {
    bytes.set(sourceBytes);
    return Code.SUCCESS;
  };
  return { perform };
}

function fill(
  state: OpenCLState,
  context: ClContext,
  to: Out,
  pattern: Out,
  size: number,
  byteLength: number,
): Command | number {
  if (to === 0n || pattern === 0n || !isPattern(size) || byteLength % size !== 0) return Code.INVALID_VALUE;
  if (addressAt(to) % BigInt(size) !== 0n) return Code.INVALID_VALUE;
  const bytes = hostBytes(pattern, size)?.slice();
  const address = find(state, context, to, byteLength);
  // System memory is not shared virtual memory.
  if (!bytes || address === undefined) return Code.INVALID_VALUE;
  return { submit: () => fillWith(state, context, address, byteLength, bytes) };
}
