import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/select.ts';
import { StreamWaitValue } from '../../cuda/sys/enums.ts';
import { Status } from '../status.ts';
import type { DriverState } from './state.ts';

type Names = 'cuStreamWaitValue32' | 'cuStreamWaitValue64' | 'cuStreamWriteValue32' | 'cuStreamWriteValue64';
type CUstream = Opaque<'CUstream'>;
type CUdeviceptr = Opaque<'CUdeviceptr'>;

/**
 * Waits for values, and writes of them. One queue holds the work of all streams: a value has to be there when what was enqueued
 * before has run, since nothing that comes later could write it.
 */
export function valueFunctions(
  state: DriverState,
  table: Pick<DriverTable, 'cuMemsetD32Async' | 'cuMemcpyHtoDAsync'>,
): Pick<DriverTable, Names> {
  const wait = (handle: CUstream, address: CUdeviceptr, value: bigint, bits: 32 | 64, flags: number): number => {
    const stream = state.streamOf(Number(handle));
    if (!stream) return state.refuse() || Status.INVALID_HANDLE;
    const at = Number(address);
    if (at % (bits / 8) !== 0 || !state.memory.find(at, bits / 8)) return Status.INVALID_VALUE;
    const refused = state.finish(stream.context, stream.context.last);
    if (refused !== 0) return refused;
    const { view } = state.memory;
    const found = bits === 64 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
    return holds(found, value, bits, flags & 3) ? Status.SUCCESS : Status.NOT_SUPPORTED;
  };
  return {
    cuStreamWaitValue32: (stream, address, value, flags) => wait(stream, address, BigInt(value), 32, flags),
    cuStreamWaitValue64: (stream, address, value, flags) => wait(stream, address, BigInt(value), 64, flags),
    cuStreamWriteValue32: (stream, address, value) => table.cuMemsetD32Async(address, value, 1, stream),
    cuStreamWriteValue64: (stream, address, value) =>
      Number(address) % 8 === 0
        ? table.cuMemcpyHtoDAsync(address, BigUint64Array.of(BigInt(value)), 8, stream)
        : Status.INVALID_VALUE,
  };
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
