import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { StreamMemOp, StreamWaitValue } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt } from '../abi/out.ts';
import type { DriverState } from './state.ts';
import { ahead } from './stream-order.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuStreamBatchMemOp'
  | 'cuStreamWaitValue32'
  | 'cuStreamWaitValue64'
  | 'cuStreamWriteValue32'
  | 'cuStreamWriteValue64';
const { size, fields } = structs.CUstreamBatchMemOpParams;
const MAX_OPERATIONS = 255;

type CUstream = Opaque<'CUstream'>;
type CUdeviceptr = Opaque<'CUdeviceptr'>;

/** The device, and the functions that write to its memory in stream order. */
export interface ValueScope {
  readonly state: DriverState;
  readonly table: Pick<DriverTable, 'cuMemsetD32Async' | 'cuMemcpyHtoDAsync'>;
}

/**
 * Waits for values, and writes of them. One queue holds the commands of all streams: the value must be there when all earlier
 * commands have run, since no later command could write it.
 */
export const valueFunctions: Rows<ValueScope, DriverTable, Names> = {
  cuStreamBatchMemOp: (scope, stream, count, params, flags) => {
    if (count > MAX_OPERATIONS || flags !== 0) return Status.INVALID_VALUE;
    const bytes = bytesAt(params, size * count);
    if (bytes.byteLength < size * count) return Status.INVALID_VALUE;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i++) {
      const status = batched(scope, stream, view, size * i);
      if (status !== 0) return status;
    }
    return Status.SUCCESS;
  },
  cuStreamWaitValue32: (scope, stream, address, value, flags) => wait(scope, stream, address, BigInt(value), 32, flags),
  cuStreamWaitValue64: (scope, stream, address, value, flags) => wait(scope, stream, address, BigInt(value), 64, flags),
  cuStreamWriteValue32: (scope, stream, address, value) => write(scope, stream, address, BigInt(value), 32),
  cuStreamWriteValue64: (scope, stream, address, value) => write(scope, stream, address, BigInt(value), 64),
};

function wait(
  scope: ValueScope,
  handle: CUstream,
  address: CUdeviceptr,
  value: bigint,
  bits: 32 | 64,
  flags: number,
): number {
  const stream = scope.state.streamOf(Number(handle));
  if (!stream) return scope.state.refuse() || Status.INVALID_HANDLE;
  const at = Number(address);
  if (at % (bits / 8) !== 0 || !scope.state.memory.find(at, bits / 8)) return Status.INVALID_VALUE;
  const refused = scope.state.finish(stream.context, ahead(stream));
  if (refused !== 0) return refused;
  const { view } = scope.state.memory;
  const found = bits === 64 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
  return holds(found, value, bits, flags & 3) ? Status.SUCCESS : Status.NOT_SUPPORTED;
}

function write(scope: ValueScope, stream: CUstream, address: CUdeviceptr, value: bigint, bits: 32 | 64): number {
  if (bits === 32) return scope.table.cuMemsetD32Async(address, Number(value & 0xffff_ffffn), 1, stream);
  if (Number(address) % 8 !== 0) return Status.INVALID_VALUE;
  return scope.table.cuMemcpyHtoDAsync(address, BigUint64Array.of(value), 8, stream);
}

function batched(scope: ValueScope, stream: CUstream, view: DataView, at: number): number {
  const address = view.getBigUint64(at + fields['waitValue.address'], true) as CUdeviceptr;
  const value = view.getBigUint64(at + fields['waitValue.value'], true);
  const flags = view.getUint32(at + fields['waitValue.flags'], true);
  switch (view.getInt32(at, true)) {
    case StreamMemOp.WAIT_VALUE_32:
      return wait(scope, stream, address, value & 0xffff_ffffn, 32, flags);
    case StreamMemOp.WAIT_VALUE_64:
      return wait(scope, stream, address, value, 64, flags);
    case StreamMemOp.WRITE_VALUE_32:
      return write(scope, stream, address, value, 32);
    case StreamMemOp.WRITE_VALUE_64:
      return write(scope, stream, address, value, 64);
    default:
      return Status.INVALID_VALUE;
  }
}

function holds(found: bigint, value: bigint, bits: 32 | 64, compare: number): boolean {
  switch (compare) {
    case StreamWaitValue.GEQ:
      return BigInt.asIntN(bits, found - value) >= 0n;
    case StreamWaitValue.EQ:
      return found === value;
    case StreamWaitValue.AND:
      return (found & value) !== 0n;
    default:
      return BigInt.asUintN(bits, ~(found | value)) !== 0n;
  }
}
