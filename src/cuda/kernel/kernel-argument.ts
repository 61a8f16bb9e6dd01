import type { RefPointer, RefValue } from '../../core/ref-value.ts';
import type { Value } from '../../core/value.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import type { LaunchObject } from '../lifetime/launch-object.ts';
import type { Transfer } from '../copy/transfer.ts';

/**
 * What a kernel takes: device memory, numbers, typed values, structs, textures and surfaces, host arrays in {@link In} or
 * {@link Out}.
 */
export type KernelArgument =
  DeviceMemory | LaunchObject | number | boolean | null | Value | Transfer | RefValue | RefPointer;
