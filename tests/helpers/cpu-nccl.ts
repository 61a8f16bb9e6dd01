import { cpuDriver, stateOf } from '../../src/cpu/driver-table.ts';
import { cpuNccl } from '../../src/cpu/nccl-table.ts';
import { readText } from '../../src/ffi/memory.ts';
import type { Opaque } from '../../src/ffi/ctype.ts';
import type { DriverTable } from '../../src/cuda/sys/tables.ts';
import type { NcclTable } from '../../src/nccl/sys/tables.ts';

export type Comm = Opaque<'ncclComm_t'>;
type Stream = Opaque<'cudaStream_t'>;
type DeviceOptions = Parameters<typeof cpuDriver>[0];

export const IN_PROGRESS = 7;

/** Ranks of one thread: an embedded device with a context for each, which count as devices of their own. */
export class NcclRanks {
  readonly driver: DriverTable;
  readonly nccl: NcclTable;
  readonly contexts: bigint[] = [];

  /** @param devices - how many contexts; `sameDevice`: all count as device 0 */
  constructor(devices: number, options: DeviceOptions & { readonly sameDevice?: boolean } = {}) {
    this.driver = cpuDriver({ workers: 2, memoryBytes: 1 << 29, ...options });
    this.driver.cuInit(0);
    for (let i = 0; i < devices; i++) {
      const context = new BigUint64Array(1);
      ok(this.driver.cuCtxCreate(context, 0, 0));
      this.contexts.push(context[0] as bigint);
    }
    const ordinalOf = ({ handle }: { readonly handle: number }): number =>
      options.sameDevice === true ? 0 : this.contexts.indexOf(BigInt(handle));
    this.nccl = cpuNccl({ driver: this.driver, state: stateOf(this.driver), ordinalOf });
  }

  use(device: number): void {
    ok(this.driver.cuCtxSetCurrent(this.contexts[device] as never));
  }

  id(): { readonly internal: Uint8Array } {
    const internal = new Uint8Array(128);
    ok(this.nccl.ncclGetUniqueId(internal));
    return { internal };
  }

  /** A communicator of the first devices. */
  communicators(size: number, config: Uint8Array | bigint = 0n): Comm[] {
    const id = this.id();
    const made = new BigUint64Array(size);
    ok(this.nccl.ncclGroupStart());
    for (let rank = 0; rank < size; rank++) {
      this.use(rank);
      const status = this.nccl.ncclCommInitRankConfig(made.subarray(rank, rank + 1), size, id, rank, config);
      ok(status);
    }
    const ended = this.nccl.ncclGroupEnd();
    if (ended !== IN_PROGRESS) ok(ended, this);
    const comms = [...made] as Comm[];
    for (const comm of comms) this.settle(comm);
    return comms;
  }

  /** Ask until a communicator is not in progress: its status. */
  settle(comm: Comm): number {
    const status = new Int32Array([IN_PROGRESS]);
    while (status[0] === IN_PROGRESS) ok(this.nccl.ncclCommGetAsyncError(comm, status), this);
    return status[0] as number;
  }

  /** @param flags - of cuStreamCreate: by default the stream does not wait for the default stream */
  stream(device: number, flags = 1): Stream {
    this.use(device);
    const stream = new BigUint64Array(1);
    ok(this.driver.cuStreamCreate(stream, flags));
    return stream[0] as bigint as Stream;
  }

  allocate(device: number, byteLength: number): bigint {
    this.use(device);
    const address = new BigUint64Array(1);
    ok(this.driver.cuMemAlloc(address, Math.max(1, byteLength)));
    return address[0] as bigint;
  }

  /** Device memory with these bytes. */
  put(device: number, bytes: Uint8Array): bigint {
    const address = this.allocate(device, bytes.length);
    ok(this.driver.cuMemcpyHtoD(address as never, bytes, bytes.length));
    return address;
  }

  get(device: number, address: bigint, byteLength: number): Uint8Array {
    this.use(device);
    const bytes = new Uint8Array(byteLength);
    ok(this.driver.cuMemcpyDtoH(bytes, address as never, byteLength));
    return bytes;
  }

  /** Device memory with a number. */
  putInt(device: number, value: number): bigint {
    return this.put(device, new Uint8Array(Int32Array.of(value).buffer));
  }

  getInt(device: number, address: bigint): number {
    return new DataView(this.get(device, address, 4).buffer).getInt32(0, true);
  }

  /** Begin a sum of one number on each rank of a list: a status. */
  sum(comms: readonly Comm[], buffers: readonly bigint[], devices: readonly number[] = [0, 1]): number {
    return this.group(() => {
      for (const device of devices) {
        const at = buffers[device] as bigint;
        ok(this.nccl.ncclAllReduce(at, at, 1, 2, 0, comms[device] as Comm, 0n as never), this);
      }
    });
  }

  free(address: bigint): void {
    ok(this.driver.cuMemFree(address as never));
  }

  sync(device: number): number {
    this.use(device);
    return this.driver.cuCtxSynchronize();
  }

  /** Calls in one group. */
  group(calls: () => void): number {
    ok(this.nccl.ncclGroupStart());
    calls();
    return this.nccl.ncclGroupEnd();
  }

  destroy(comms: readonly Comm[]): void {
    for (const comm of comms) ok(this.nccl.ncclCommDestroy(comm), this);
  }

  get lastError(): string {
    const address = this.nccl.ncclGetLastError(0n as never);
    return readText(address);
  }
}

/** An `ncclConfig_t` of NCCL 2.28 that does not block. */
export function nonblocking(): Uint8Array {
  const config = new Uint8Array(96);
  const view = new DataView(config.buffer);
  for (let at = 16; at < 96; at += 4) view.setInt32(at, -0x8000_0000, true);
  view.setUint32(0, 80, true);
  view.setUint32(8, 0xcafe_beef, true);
  view.setInt32(12, 22_800, true);
  view.setInt32(16, 0, true);
  return config;
}

/** @throws Error the status is not success */
export function ok(status: number, ranks?: NcclRanks): void {
  if (status !== 0) throw new Error(`status ${status}${ranks ? `: ${ranks.lastError}` : ''}`);
}
