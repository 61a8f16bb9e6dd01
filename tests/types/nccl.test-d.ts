import { expectTypeOf } from 'expect-type';
import type { NDArray } from '../../src/cuda/array/index.ts';
import type { DeviceAllocation } from '../../src/cuda/index.ts';
import { Communicator, group, UniqueId, type NcclDType, type PreMulSum } from '../../src/nccl/index.ts';
import type { NcclTable } from '../../src/nccl/sys/index.ts';

declare const comm: Communicator;
declare const array: NDArray<'f32'>;
declare const memory: DeviceAllocation;

expectTypeOf(Communicator.init({ rank: 0, size: 1, id: UniqueId.create() })).toEqualTypeOf<Promise<Communicator>>();
expectTypeOf(Communicator.initAll([0, 1])).toEqualTypeOf<Promise<Communicator[]>>();
expectTypeOf(comm.allReduce(array)).toEqualTypeOf<Promise<void>>();
expectTypeOf(comm.split({ color: 1 })).toEqualTypeOf<Promise<Communicator>>();
expectTypeOf(comm.split({ color: null })).toEqualTypeOf<Promise<Communicator | undefined>>();
expectTypeOf(comm.createPreMulSum(2, 'f16')).toEqualTypeOf<Promise<PreMulSum>>();
expectTypeOf(group(() => [comm.send(memory, 1, { dtype: 'f32' })])).toEqualTypeOf<Promise<void>>();
expectTypeOf<'i16'>().not.toExtend<NcclDType>();
expectTypeOf<ReturnType<NcclTable['ncclCommAbort']>>().toBeNumber();

// @ts-expect-error the root gets all parts, so that allGather needs out
void comm.allGather(array);
// @ts-expect-error NCCL has no 16-bit integers
void comm.allReduce(memory, { dtype: 'u16' });
// @ts-expect-error a broadcast reduces nothing
void comm.broadcast(array, { op: 'sum' });
// @ts-expect-error an id is not its bytes
void Communicator.init({ rank: 0, size: 1, id: new Uint8Array(128) });
// @ts-expect-error communicators never block
void Communicator.fromEnvironment({ config: { blocking: true } });
