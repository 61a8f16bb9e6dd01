import { ScalarResidence, WINDOW_ALIGNMENT } from '../../nccl/sys/enums.ts';
import { functions } from '../../nccl/sys/nccl.ts';
import { structs } from '../../nccl/sys/structs.ts';
import type { NcclTable } from '../../nccl/sys/tables.ts';
import { entriesOf } from '../../ffi/prototype.ts';
import { bytesAt, putFloat, putInt, putWide, type Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import { place } from './collective.ts';
import type { CpuComm } from './communicator.ts';
import { ELEMENTS } from './elements.ts';
import type { Batch } from './batch.ts';
import { ReduceOp, Result } from './numbers.ts';
import type { NcclScope } from './scope.ts';

type Names =
  | 'ncclGroupStart'
  | 'ncclGroupEnd'
  | 'ncclGroupSimulateEnd'
  | 'ncclRedOpCreatePreMulSum'
  | 'ncclRedOpDestroy'
  | 'ncclMemAlloc'
  | 'ncclMemFree'
  | 'ncclCommRegister'
  | 'ncclCommDeregister'
  | 'ncclCommWindowRegister'
  | 'ncclCommWindowDeregister';

const { INVALID_ARGUMENT, SUCCESS, UNHANDLED_CUDA_ERROR } = Result;
/** The first `ncclRedOp_t` of the program's own. */
const FIRST_OWN = 0x100;
const ALIGNMENT = BigInt(WINDOW_ALIGNMENT);
/** The rough cost of a simulated operation, in microseconds, and how many bytes go in one. */
const LATENCY_US = 100;
const BYTES_PER_US = 1000;

let made = FIRST_OWN;

/** Groups, reductions of the program's own, memory. */
export const otherFunctions: Rows<NcclScope, NcclTable, Names> = {
  ncclGroupStart: ({ group }) => {
    group.start();
    return SUCCESS;
  },
  ncclGroupEnd: ({ group }) => group.end(),
  ncclGroupSimulateEnd: ({ group }, info) =>
    group.end((batches) => {
      if (info === 0n) return;
      const bytes = bytesAt(info, structs.ncclSimInfo_t.size);
      putFloat(bytes.subarray(structs.ncclSimInfo_t.fields.estimatedTime), estimate(batches));
    }),
  ncclRedOpCreatePreMulSum: (scope, out, scalar, dtype, residence, handle) =>
    scope.withReady(handle, (comm) => {
      const type = ELEMENTS[dtype];
      if (!type) return scope.say(INVALID_ARGUMENT, `datatype must be below ${ELEMENTS.length}, got ${dtype}`);
      const value = scalarAt(scope, scalar, type.bytes, residence);
      if (value === undefined)
        return scope.say(INVALID_ARGUMENT, `The scalar must have ${type.bytes} bytes, and has not`);
      comm.reductions.set(++made, { op: ReduceOp.SUM, scalar: value, dtype });
      return putInt(out, made);
    }),
  ncclRedOpDestroy: (scope, op, handle) =>
    scope.withComm(handle, ({ reductions }) =>
      reductions.delete(op) ? SUCCESS : scope.say(INVALID_ARGUMENT, `The communicator has made no op ${op}`),
    ),
  ncclMemAlloc: (scope, out, size) => {
    const base = new BigUint64Array(1);
    // Windows have to begin at such multiples; the driver's allocations need not.
    const status = scope.driver.cuMemAlloc(base, BigInt(size) + ALIGNMENT);
    if (status !== 0) return scope.say(UNHANDLED_CUDA_ERROR, `cuMemAlloc of ${size} bytes gave CUDA status ${status}`);
    const [start = 0n] = base;
    const address = start + ((ALIGNMENT - (start % ALIGNMENT)) % ALIGNMENT);
    scope.allocations.set(address, start);
    return putWide(out, address);
  },
  ncclMemFree: (scope, pointer) => {
    if (pointer === 0n) return SUCCESS;
    const start = scope.allocations.get(pointer as bigint);
    if (start === undefined) return scope.say(INVALID_ARGUMENT, 'The memory must be of ncclMemAlloc');
    scope.allocations.delete(pointer as bigint);
    const status = scope.driver.cuMemFree(start as never);
    return status === 0 ? SUCCESS : scope.say(UNHANDLED_CUDA_ERROR, `cuMemFree gave CUDA status ${status}`);
  },
  ncclCommRegister: (scope, handle, buffer, size, out) =>
    scope.withReady(handle, (comm) => register(scope, comm, buffer, Number(size), out)),
  ncclCommDeregister: (scope, handle, raw) => scope.withComm(handle, (comm) => deregister(scope, comm, raw as bigint)),
  ncclCommWindowRegister: (scope, handle, buffer, size, out) =>
    scope.withReady(handle, (comm) => {
      const address = place(scope, buffer, Number(size));
      if (address === undefined || (address % WINDOW_ALIGNMENT === 0 && Number(size) % WINDOW_ALIGNMENT === 0)) {
        return register(scope, comm, buffer, Number(size), out);
      }
      const text = `A window's address and size must be multiples of ${WINDOW_ALIGNMENT}: use ncclMemAlloc; got ${address} and ${size}`;
      return scope.say(INVALID_ARGUMENT, text);
    }),
  ncclCommWindowDeregister: (scope, handle, raw) => scope.withComm(handle, (comm) => deregister(scope, comm, raw)),
};

function estimate(batches: readonly Batch[]): number {
  const all = batches.flatMap(({ operations }) => operations);
  return all.reduce(
    (sum, { count, dtype }) => sum + (count * (ELEMENTS[dtype]?.bytes ?? 1)) / BYTES_PER_US,
    all.length * LATENCY_US,
  );
}

/** A scalar's bytes now, or where they are when an operation begins. */
function scalarAt(
  scope: NcclScope,
  scalar: Out,
  byteLength: number,
  residence: number,
): Uint8Array | number | undefined {
  if (scalar === 0n) return undefined;
  if (residence === ScalarResidence.DEVICE) return place(scope, scalar, byteLength);
  const bytes = bytesAt(scalar, byteLength);
  return bytes.length < byteLength ? undefined : bytes.slice(0, byteLength);
}

function register(scope: NcclScope, comm: CpuComm, buffer: Out, size: number, out: Out): number {
  const address = size > 0 ? place(scope, buffer, size) : undefined;
  if (address === undefined)
    return scope.say(INVALID_ARGUMENT, `The buffer must have ${size} bytes of device memory, and has not`);
  const handle = scope.newHandle();
  comm.registered.set(handle, address);
  return putWide(out, handle);
}

function deregister(scope: NcclScope, comm: CpuComm, handle: bigint): number {
  if (comm.registered.delete(Number(handle))) return SUCCESS;
  return scope.say(INVALID_ARGUMENT, 'The communicator has registered no such buffer');
}

/** The functions that NCCL 2.28.3 lacks. */
export function newerFunctions(scope: () => NcclScope): NcclTable {
  const table: Record<string, unknown> = {};
  for (const [name] of entriesOf(functions)) {
    table[name] = (): number =>
      scope().say(Result.INVALID_USAGE, `${name} is not in the NCCL of the embedded device, 2.28.3`);
  }
  return table as unknown as NcclTable;
}
