import type { DriverTable } from '../../cuda/sys/tables.ts';
import { addressOf } from '../../ffi/memory.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';
import { ahead, pending } from './stream-order.ts';

type Names =
  | 'cuMemcpy'
  | 'cuMemcpyAsync'
  | 'cuMemcpyHtoD'
  | 'cuMemcpyHtoDAsync'
  | 'cuMemcpyDtoH'
  | 'cuMemcpyDtoHAsync'
  | 'cuMemcpyDtoD'
  | 'cuMemcpyDtoDAsync'
  | 'cuMemsetD8'
  | 'cuMemsetD8Async'
  | 'cuMemsetD16'
  | 'cuMemsetD16Async'
  | 'cuMemsetD32'
  | 'cuMemsetD32Async';

/** Up to this size the main thread copies and fills instead of a worker, if no earlier command is unfinished. */
const SMALL = 256 * 1024;

/** Copies and fills. */
export const copyFunctions: Rows<DriverState, DriverTable, Names> = {
  cuMemcpy: (state, to, from, size) => copyAny(state, to, from, size, 0n),
  cuMemcpyAsync: copyAny,
  cuMemcpyHtoD: (state, to, from, size) => settle(state) || upload(state, to, from, Number(size)),
  cuMemcpyDtoH: (state, to, from, size) => settle(state) || download(state, to, from, Number(size)),
  cuMemcpyDtoD: (state, to, from, size) => copy(state, to, from, size, 0n),
  cuMemcpyHtoDAsync: uploadAsync,
  cuMemcpyDtoHAsync: downloadAsync,
  cuMemcpyDtoDAsync: copy,
  cuMemsetD8: (state, to, value, count) => fill(state, to, value, count, 1, 0n),
  cuMemsetD8Async: (state, to, value, count, handle) => fill(state, to, value, count, 1, handle),
  cuMemsetD16: (state, to, value, count) => fill(state, to, value, count, 2, 0n),
  cuMemsetD16Async: (state, to, value, count, handle) => fill(state, to, value, count, 2, handle),
  cuMemsetD32: (state, to, value, count) => fill(state, to, value, count, 4, 0n),
  cuMemsetD32Async: (state, to, value, count, handle) => fill(state, to, value, count, 4, handle),
};

/** The address of device memory; undefined unless all of its bytes are allocated, and copies may have it at one end. */
function place(state: DriverState, pointer: bigint, byteLength: number): number | undefined {
  const address = Number(pointer);
  if (byteLength < 0 || !state.memory.find(address, byteLength)) return undefined;
  const { current, devices } = state;
  return devices.granules && current && !devices.copies(current, address) ? undefined : address;
}

/** The device address of page-locked host memory, which is a part of device memory. */
function pinned(state: DriverState, pointer: Out, byteLength: number): number | undefined {
  const address = state.memory.deviceAddress(typeof pointer === 'bigint' ? pointer : addressOf(pointer));
  return address !== undefined && state.memory.find(address, byteLength) ? address : undefined;
}

function stream(state: DriverState, handle: bigint): CpuStream | undefined {
  return state.streamOf(Number(handle));
}

/** Wait for all commands that the legacy default stream waits for. */
function settle(state: DriverState): number {
  const context = state.current;
  const refused = state.refuse();
  if (!context || refused !== 0) return refused;
  return state.finish(context, pending(context.legacy));
}

function put(state: DriverState, address: number, bytes: Uint8Array): void {
  state.memory.bytes.set(bytes, address);
  state.memory.guard?.write(address, bytes.length);
}

function upload(state: DriverState, to: bigint, from: Out, byteLength: number): number {
  const address = place(state, to, byteLength);
  if (address === undefined) return Status.INVALID_VALUE;
  const source = bytesAt(from, byteLength);
  if (source.length < byteLength) return Status.INVALID_VALUE;
  put(state, address, source.subarray(0, byteLength));
  return Status.SUCCESS;
}

function download(state: DriverState, to: Out, from: bigint, byteLength: number): number {
  const address = place(state, from, byteLength);
  if (address === undefined) return Status.INVALID_VALUE;
  const target = bytesAt(to, byteLength);
  if (target.length < byteLength) return Status.INVALID_VALUE;
  target.set(state.memory.bytes.subarray(address, address + byteLength));
  return Status.SUCCESS;
}

/** Run `now` if its stream has nothing to do and it does not take long, else enqueue. */
function order(state: DriverState, to: CpuStream, byteLength: number, now: () => void, later: () => number): number {
  const refused = state.refusal(to.context);
  if (refused !== 0) return refused;
  if (byteLength === 0) return Status.SUCCESS;
  if (state.isFree(to) && byteLength <= SMALL) {
    now();
    return Status.SUCCESS;
  }
  const status = later();
  if (status === Status.SUCCESS) state.enqueued(to);
  return status;
}

function move(state: DriverState, to: number, from: number, byteLength: number, on: CpuStream): number {
  return order(
    state,
    on,
    byteLength,
    () => {
      state.memory.bytes.copyWithin(to, from, from + byteLength);
      state.memory.guard?.copy(to, from, byteLength);
    },
    () => state.engine.copy(on.context.index, to, from, byteLength),
  );
}

function uploadAsync(state: DriverState, to: bigint, from: Out, size: number | bigint, handle: bigint): number {
  const byteLength = Number(size);
  const on = stream(state, handle);
  const refused = state.refuse();
  if (refused !== 0) return refused;
  if (!on) return Status.INVALID_HANDLE;
  const address = place(state, to, byteLength);
  if (address === undefined) return Status.INVALID_VALUE;
  const { engine } = state;
  const source = pinned(state, from, byteLength);
  if (source !== undefined) return move(state, address, source, byteLength, on);
  if (byteLength <= engine.stageable && !state.isFree(on)) {
    const bytes = bytesAt(from, byteLength);
    if (bytes.length < byteLength) return Status.INVALID_VALUE;
    const now = (): void => put(state, address, bytes.subarray(0, byteLength));
    const later = (): number => engine.upload(on.context.index, address, bytes.subarray(0, byteLength));
    return order(state, on, byteLength, now, later);
  }
  return state.finish(on.context, ahead(on)) || upload(state, to, from, byteLength);
}

function downloadAsync(state: DriverState, to: Out, from: bigint, size: number | bigint, handle: bigint): number {
  const byteLength = Number(size);
  const on = stream(state, handle);
  const refused = state.refuse();
  if (refused !== 0) return refused;
  if (!on) return Status.INVALID_HANDLE;
  const address = place(state, from, byteLength);
  if (address === undefined) return Status.INVALID_VALUE;
  const target = pinned(state, to, byteLength);
  if (target !== undefined) return move(state, target, address, byteLength, on);
  return state.finish(on.context, ahead(on)) || download(state, to, from, byteLength);
}

/** Copy device memory, of any two devices. */
export function copy(state: DriverState, to: bigint, from: bigint, size: number | bigint, handle: bigint): number {
  const byteLength = Number(size);
  const on = stream(state, handle);
  const refused = state.refuse();
  if (refused !== 0) return refused;
  if (!on) return Status.INVALID_HANDLE;
  const target = place(state, to, byteLength);
  const source = place(state, from, byteLength);
  if (target === undefined || source === undefined) return Status.INVALID_VALUE;
  return move(state, target, source, byteLength, on);
}

/** Copy between any two of device memory, page-locked memory and registered memory: the address says which it is. */
function copyAny(state: DriverState, to: bigint, from: bigint, size: number | bigint, handle: bigint): number {
  const byteLength = Number(size);
  const target = place(state, to, byteLength) ?? pinned(state, to, byteLength);
  const source = place(state, from, byteLength) ?? pinned(state, from, byteLength);
  if (target !== undefined && source !== undefined) return copy(state, BigInt(target), BigInt(source), size, handle);
  if (target !== undefined && isRegistered(state, from, byteLength)) return uploadAsync(state, to, from, size, handle);
  if (source !== undefined && isRegistered(state, to, byteLength)) return downloadAsync(state, to, from, size, handle);
  return state.refuse() || Status.INVALID_VALUE;
}

function isRegistered(state: DriverState, pointer: bigint, byteLength: number): boolean {
  for (const [start, { size }] of state.registered) {
    if (pointer >= start && pointer + BigInt(byteLength) <= start + BigInt(size)) return true;
  }
  return false;
}

function fillNow(state: DriverState, address: number, byteLength: number, value: number, width: number): void {
  const { buffer } = state.memory.bytes;
  if (width === 4) new Int32Array(buffer, address, byteLength / 4).fill(value);
  else if (width === 2) new Int16Array(buffer, address, byteLength / 2).fill(value);
  else state.memory.bytes.fill(value, address, address + byteLength);
  state.memory.guard?.write(address, byteLength);
}

function fill(
  state: DriverState,
  to: bigint,
  value: number,
  count: number | bigint,
  width: number,
  handle: bigint,
): number {
  const byteLength = Number(count) * width;
  const on = stream(state, handle);
  const refused = state.refuse();
  if (refused !== 0) return refused;
  if (!on) return Status.INVALID_HANDLE;
  const address = place(state, to, byteLength);
  if (address === undefined || address % width !== 0) return Status.INVALID_VALUE;
  if (!state.devices.reaches(on.context, address)) return Status.INVALID_VALUE;
  return order(
    state,
    on,
    byteLength,
    () => fillNow(state, address, byteLength, value, width),
    () => state.engine.fill(on.context.index, address, byteLength, value, width),
  );
}
