import type { ElementName, TAKEN } from '../../core/element-table.ts';
import type { RefPointer, RefValue } from '../../core/ref-value.ts';
import type { ArgumentsOf } from '../../core/typed/arguments.ts';
import type { CudaTypes, Numbers, Pointees } from '../../core/typed/c-type.ts';
import type { AnyElement } from '../../core/typed/element.ts';
import type { IsUnknown, Shape, SignatureOf, TypesOf } from '../../core/typed/kernels.ts';
import type { Value } from '../../core/value.ts';
import type { Transfer } from '../copy/transfer.ts';
import type { LaunchObject } from '../lifetime/launch-object.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';

/**
 * What a kernel takes: device memory, numbers, typed values, structs, textures and surfaces, host arrays in {@link In} or
 * {@link Out}.
 */
export type KernelArgument =
  DeviceMemory | LaunchObject | number | boolean | null | Value | Transfer | RefValue | RefPointer;

/** What a pointer parameter takes: memory of these elements, bytes, or memory of which nothing is known. */
export type PointerArgument<E extends ElementName = AnyElement> = DeviceMemory<E> | Transfer<E> | null;

/** The arguments of a kernel: one for each parameter in its signature, or any number of any where that is not known. */
export type KernelArguments<S extends Shape> =
  IsUnknown<S> extends true ? KernelArgument[] : ArgumentsOf<SignatureOf<S>, TypesOf<S>, CudaArguments>;

// A condition, so that no element is looked at before a kernel has it.
type PointerTo<E> = [E] extends [ElementName] ? PointerArgument<E> : never;
type Elements = Pointees<CudaTypes>;

interface CudaArguments {
  readonly values: Numbers<CudaTypes, LaunchObject>;
  readonly pointers: { readonly [Name in keyof Elements]: PointerTo<Elements[Name]> };
  readonly pointer: PointerArgument;
  readonly addresses: PointerArgument<(typeof TAKEN)['pointer'][number]>;
  readonly local: KernelArgument;
  readonly pipe: KernelArgument;
  readonly any: KernelArgument;
}
