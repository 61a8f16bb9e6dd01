import type { DriverTable } from '../../cuda/sys/tables.ts';
import { addressOf } from '../../ffi/memory.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { CpuStream, DriverState } from './state.ts';

type Names =
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

/** Up to this size the main thread does what it could leave to a worker, if nothing has to be waited for. */
const SMALL = 256 * 1024;

/** Copies and fills. */
export function copyFunctions(state: DriverState): Pick<DriverTable, Names> {
  /** Where device memory begins, if all of it is allocated. */
  const place = (pointer: bigint, byteLength: number): number | undefined => {
    const address = Number(pointer);
    return byteLength >= 0 && state.memory.find(address, byteLength) ? address : undefined;
  };

  /** Host memory that lies in the device's own: page-locked. */
  const pinned = (pointer: Out, byteLength: number): number | undefined => {
    const address = state.memory.deviceAddress(typeof pointer === 'bigint' ? pointer : addressOf(pointer));
    return address !== undefined && state.memory.find(address, byteLength) ? address : undefined;
  };

  const stream = (handle: bigint): CpuStream | undefined => state.streamOf(Number(handle));

  /** Wait for all that the legacy default stream waits for. */
  const settle = (): number => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    return context.lastBlocking === undefined ? Status.SUCCESS : state.finish(context, context.lastBlocking);
  };

  const put = (address: number, bytes: Uint8Array): void => {
    state.memory.bytes.set(bytes, address);
    state.memory.guard?.write(address, bytes.length);
  };

  const upload = (to: bigint, from: Out, byteLength: number): number => {
    const address = place(to, byteLength);
    if (address === undefined) return Status.INVALID_VALUE;
    const source = bytesAt(from, byteLength);
    if (source.length < byteLength) return Status.INVALID_VALUE;
    put(address, source.subarray(0, byteLength));
    return Status.SUCCESS;
  };

  const download = (to: Out, from: bigint, byteLength: number): number => {
    const address = place(from, byteLength);
    if (address === undefined) return Status.INVALID_VALUE;
    const target = bytesAt(to, byteLength);
    if (target.length < byteLength) return Status.INVALID_VALUE;
    target.set(state.memory.bytes.subarray(address, address + byteLength));
    return Status.SUCCESS;
  };

  /** Run `now` if nothing is enqueued and it does not take long, else enqueue. */
  const order = (to: CpuStream, byteLength: number, now: () => void, later: () => number): number => {
    const refused = state.refusal(to.context);
    if (refused !== 0) return refused;
    if (byteLength === 0) return Status.SUCCESS;
    if (byteLength <= SMALL && state.engine.queue.idle) {
      now();
      return Status.SUCCESS;
    }
    const status = later();
    if (status === Status.SUCCESS) state.enqueued(to);
    return status;
  };

  const move = (to: number, from: number, byteLength: number, on: CpuStream): number =>
    order(
      on,
      byteLength,
      () => {
        state.memory.bytes.copyWithin(to, from, from + byteLength);
        state.memory.guard?.copy(to, from, byteLength);
      },
      () => state.engine.copy(on.context.index, to, from, byteLength),
    );

  const uploadAsync = (to: bigint, from: Out, size: number | bigint, handle: bigint): number => {
    const byteLength = Number(size);
    const on = stream(handle);
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!on) return Status.INVALID_HANDLE;
    const address = place(to, byteLength);
    if (address === undefined) return Status.INVALID_VALUE;
    const { engine } = state;
    const source = pinned(from, byteLength);
    if (source !== undefined) return move(address, source, byteLength, on);
    if (!engine.queue.idle && byteLength <= engine.stageable) {
      const bytes = bytesAt(from, byteLength);
      if (bytes.length < byteLength) return Status.INVALID_VALUE;
      const now = (): void => put(address, bytes.subarray(0, byteLength));
      const later = (): number => engine.upload(on.context.index, address, bytes.subarray(0, byteLength));
      return order(on, byteLength, now, later);
    }
    return state.finish(on.context, on.context.last) || upload(to, from, byteLength);
  };

  const downloadAsync = (to: Out, from: bigint, size: number | bigint, handle: bigint): number => {
    const byteLength = Number(size);
    const on = stream(handle);
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!on) return Status.INVALID_HANDLE;
    const address = place(from, byteLength);
    if (address === undefined) return Status.INVALID_VALUE;
    const target = pinned(to, byteLength);
    if (target !== undefined) return move(target, address, byteLength, on);
    return state.finish(on.context, on.context.last) || download(to, from, byteLength);
  };

  const copy = (to: bigint, from: bigint, size: number | bigint, handle: bigint): number => {
    const byteLength = Number(size);
    const on = stream(handle);
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!on) return Status.INVALID_HANDLE;
    const target = place(to, byteLength);
    const source = place(from, byteLength);
    if (target === undefined || source === undefined) return Status.INVALID_VALUE;
    return move(target, source, byteLength, on);
  };

  const fillNow = (address: number, byteLength: number, value: number, width: number): void => {
    const { buffer } = state.memory.bytes;
    if (width === 4) new Int32Array(buffer, address, byteLength / 4).fill(value);
    else if (width === 2) new Int16Array(buffer, address, byteLength / 2).fill(value);
    else state.memory.bytes.fill(value, address, address + byteLength);
    state.memory.guard?.write(address, byteLength);
  };

  const fill = (to: bigint, value: number, count: number | bigint, width: number, handle: bigint): number => {
    const byteLength = Number(count) * width;
    const on = stream(handle);
    const refused = state.refuse();
    if (refused !== 0) return refused;
    if (!on) return Status.INVALID_HANDLE;
    const address = place(to, byteLength);
    if (address === undefined || address % width !== 0) return Status.INVALID_VALUE;
    return order(
      on,
      byteLength,
      () => fillNow(address, byteLength, value, width),
      () => state.engine.fill(on.context.index, address, byteLength, value, width),
    );
  };

  return {
    cuMemcpyHtoD: (to, from, size) => settle() || upload(to, from, Number(size)),
    cuMemcpyDtoH: (to, from, size) => settle() || download(to, from, Number(size)),
    cuMemcpyDtoD: (to, from, size) => copy(to, from, size, 0n),
    cuMemcpyHtoDAsync: uploadAsync,
    cuMemcpyDtoHAsync: downloadAsync,
    cuMemcpyDtoDAsync: copy,
    cuMemsetD8: (to, value, count) => fill(to, value, count, 1, 0n),
    cuMemsetD8Async: (to, value, count, handle) => fill(to, value, count, 1, handle),
    cuMemsetD16: (to, value, count) => fill(to, value, count, 2, 0n),
    cuMemsetD16Async: (to, value, count, handle) => fill(to, value, count, 2, handle),
    cuMemsetD32: (to, value, count) => fill(to, value, count, 4, 0n),
    cuMemsetD32Async: (to, value, count, handle) => fill(to, value, count, 4, handle),
  };
}
