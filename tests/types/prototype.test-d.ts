import { expectTypeOf } from 'expect-type';
import type { driverTypes } from '../../src/cuda/sys/ctypes.ts';
import type { functions as nvrtc } from '../../src/cuda/sys/nvrtc.ts';
import type { OutOf, Opaque, Pointer, Slot } from '../../src/ffi/ctype.ts';
import type { Bound, CFunction as CFunctionOf, NameOf, TextOf, TypesOf } from '../../src/ffi/prototype.ts';
import type { SlotMaker, take } from '../../src/ffi/slot.ts';
import type { types as openclTypes } from '../../src/opencl/sys/ctypes.ts';

type Types = typeof driverTypes & typeof openclTypes & TypesOf<typeof nvrtc>;
type CFunction<Text extends string> = CFunctionOf<Text, Types>;

// No parameters, and parameters passed by value.
expectTypeOf<CFunction<'CUresult cuCtxSynchronize(void)'>>().toEqualTypeOf<() => number>();
expectTypeOf<CFunction<'CUresult cuInit(unsigned int Flags)'>>().toEqualTypeOf<(flags: number) => number>();
expectTypeOf<CFunction<'cl_int f(size_t a, unsigned long long b, cl_ulong c, float d)'>>().toEqualTypeOf<
  (a: number | bigint, b: number | bigint, c: number | bigint, d: number) => number
>();

// Pointers in, text in, arrays of text in.
expectTypeOf<CFunction<'CUresult f(const void *data, CUdevice *list, void **extra)'>>().toEqualTypeOf<
  (data: Pointer, list: Pointer, extra: Pointer) => number
>();
expectTypeOf<CFunction<'nvrtcResult f(const char *name)'>>().toEqualTypeOf<(name: string) => number>();
expectTypeOf<CFunction<'nvrtcResult f(const char **names)'>>().toEqualTypeOf<(names: Pointer) => number>();

// Out-parameters take a slot of their type, the typed array that fits, or an address.
expectTypeOf<OutOf<'int'>>().toEqualTypeOf<bigint | Slot<'int'>>();
expectTypeOf<Int32Array>().toExtend<OutOf<'int'>>();
expectTypeOf<BigUint64Array>().not.toExtend<OutOf<'int'>>();
expectTypeOf<CFunction<'CUresult f(_Out_ int *count)'>>().toEqualTypeOf<(count: bigint | Slot<'int'>) => number>();
expectTypeOf<CFunction<'CUresult f(_Out_ CUstream *stream)'>>().toEqualTypeOf<
  (stream: bigint | Slot<'CUstream', Types>) => number
>();
expectTypeOf<CFunction<'CUresult f(_Out_opt_ int *count)'>>().toEqualTypeOf<(count: bigint | Slot<'int'>) => number>();
expectTypeOf<CFunction<'CUresult f(_In_ const void *data)'>>().toEqualTypeOf<(data: Pointer) => number>();
expectTypeOf<CFunction<'CUresult f(_Out_ void **p)'>>().toEqualTypeOf<(p: bigint | Slot<'size_t'>) => number>();

// Results: a handle is branded, a pointer is an address.
expectTypeOf<CFunction<'cl_context f(cl_uint n)'>>().returns.toEqualTypeOf<Opaque<'cl_context'>>();
expectTypeOf<CFunction<'void *f(cl_uint n)'>>().returns.toEqualTypeOf<bigint>();

// Handles do not mix, and a plain bigint is not a handle.
declare const synchronize: CFunction<'CUresult cuStreamSynchronize(CUstream hStream)'>;
declare const stream: Opaque<'CUstream'>;
declare const event: Opaque<'CUevent'>;
expectTypeOf(synchronize(stream)).toEqualTypeOf<number>();
expectTypeOf(stream).toExtend<bigint>();
// @ts-expect-error an event is not a stream
synchronize(event);
// @ts-expect-error an address is not a stream
synchronize(0x1000n);
// @ts-expect-error an argument is missing
synchronize();

// A slot goes to parameters of its own type only, and its content has that type.
declare const slotOf: SlotMaker<typeof driverTypes>;
declare const read: typeof take;
declare const createStream: CFunction<'CUresult cuStreamCreate(_Out_ CUstream *phStream, unsigned int Flags)'>;
const streamSlot = slotOf('CUstream');
const eventSlot = slotOf('CUevent');
expectTypeOf(createStream(streamSlot, 0)).toEqualTypeOf<number>();
expectTypeOf(createStream(new BigUint64Array(1), 0)).toEqualTypeOf<number>();
expectTypeOf(read(streamSlot)).toEqualTypeOf<Opaque<'CUstream'>>();
expectTypeOf(read(slotOf('size_t'))).toEqualTypeOf<bigint>();
expectTypeOf(read(slotOf('int'))).toEqualTypeOf<number>();
// @ts-expect-error the memory of an event is not that of a stream
createStream(eventSlot, 0);
// @ts-expect-error the table has no such type
slotOf('CUnknown');

// A text that is not a literal gives the wide signature; an unknown C type says what to do.
expectTypeOf<CFunction<string>>().toEqualTypeOf<(...args: never[]) => unknown>();
expectTypeOf<CFunction<'CUresult f(CUnknown x)'>>()
  .parameter(0)
  .toEqualTypeOf<"Unknown C type 'CUnknown': add its row to the table's TYPES">();

// A table's names, texts and bound form; its groups play no part.
type Functions = {
  readonly TYPES: { readonly CUresult: 'i32'; readonly CUdeviceptr: 'handle' };
  readonly MEM: { readonly cuMemFree: 'CUresult cuMemFree_v2(CUdeviceptr dptr)' };
  readonly CTX: { readonly cuCtxSynchronize: 'CUresult cuCtxSynchronize(void)' };
};
expectTypeOf<NameOf<Functions>>().toEqualTypeOf<'cuMemFree' | 'cuCtxSynchronize'>();
expectTypeOf<TextOf<Functions, 'cuMemFree'>>().toEqualTypeOf<'CUresult cuMemFree_v2(CUdeviceptr dptr)'>();
expectTypeOf<Bound<Functions>>().toEqualTypeOf<{
  readonly cuMemFree: (dptr: Opaque<'CUdeviceptr'>) => number;
  readonly cuCtxSynchronize: () => number;
}>();
