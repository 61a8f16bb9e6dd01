import { nameInCamelCase, renamed } from '../core/renamed.ts';
import { Context } from './device/context.ts';
import { Device } from './device/device.ts';
import { KernelFunction } from './kernel/function.ts';
import { DeviceAllocation } from './memory/memory.ts';
import { Module } from './module/module.ts';
import { SourceModule } from './module/source-module.ts';
import { Event } from './stream/event.ts';
import { Stream } from './stream/stream.ts';

// PyCUDA's names, for programs that are being ported: their type says at once, and a call says at run time, what to write.

/** @deprecated Write `memAlloc`. */
export const mem_alloc: never = renamed('mem_alloc', 'memAlloc', 'PyCUDA');
/** @deprecated Write `memAllocPitch`. */
export const mem_alloc_pitch: never = renamed('mem_alloc_pitch', 'memAllocPitch', 'PyCUDA');
/** @deprecated Write `memGetInfo`. */
export const mem_get_info: never = renamed('mem_get_info', 'memGetInfo', 'PyCUDA');
/** @deprecated Write `memGetAddressRange`. */
export const mem_get_address_range: never = renamed('mem_get_address_range', 'memGetAddressRange', 'PyCUDA');
/** @deprecated Write `memIpcHandle`. */
export const mem_get_ipc_handle: never = renamed('mem_get_ipc_handle', 'memIpcHandle', 'PyCUDA');
/** @deprecated Write `memcpyHtoD`. */
export const memcpy_htod: never = renamed('memcpy_htod', 'memcpyHtoD', 'PyCUDA');
/** @deprecated Write `memcpyHtoDAsync`. */
export const memcpy_htod_async: never = renamed('memcpy_htod_async', 'memcpyHtoDAsync', 'PyCUDA');
/** @deprecated Write `memcpyDtoH`. */
export const memcpy_dtoh: never = renamed('memcpy_dtoh', 'memcpyDtoH', 'PyCUDA');
/** @deprecated Write `memcpyDtoHAsync`. */
export const memcpy_dtoh_async: never = renamed('memcpy_dtoh_async', 'memcpyDtoHAsync', 'PyCUDA');
/** @deprecated Write `memcpyDtoD`. */
export const memcpy_dtod: never = renamed('memcpy_dtod', 'memcpyDtoD', 'PyCUDA');
/** @deprecated Write `memcpyDtoDAsync`. */
export const memcpy_dtod_async: never = renamed('memcpy_dtod_async', 'memcpyDtoDAsync', 'PyCUDA');
/** @deprecated Write `memcpyPeer`. */
export const memcpy_peer: never = renamed('memcpy_peer', 'memcpyPeer', 'PyCUDA');
/** @deprecated Write `memcpyPeerAsync`. */
export const memcpy_peer_async: never = renamed('memcpy_peer_async', 'memcpyPeerAsync', 'PyCUDA');
/** @deprecated Write `memcpyHtoA`. */
export const memcpy_htoa: never = renamed('memcpy_htoa', 'memcpyHtoA', 'PyCUDA');
/** @deprecated Write `memcpyAtoH`. */
export const memcpy_atoh: never = renamed('memcpy_atoh', 'memcpyAtoH', 'PyCUDA');
/** @deprecated Write `memcpyDtoA`. */
export const memcpy_dtoa: never = renamed('memcpy_dtoa', 'memcpyDtoA', 'PyCUDA');
/** @deprecated Write `memcpyAtoD`. */
export const memcpy_atod: never = renamed('memcpy_atod', 'memcpyAtoD', 'PyCUDA');
/** @deprecated Write `memcpyAtoA`. */
export const memcpy_atoa: never = renamed('memcpy_atoa', 'memcpyAtoA', 'PyCUDA');
/** @deprecated Write `memsetD8`. */
export const memset_d8: never = renamed('memset_d8', 'memsetD8', 'PyCUDA');
/** @deprecated Write `memsetD16`. */
export const memset_d16: never = renamed('memset_d16', 'memsetD16', 'PyCUDA');
/** @deprecated Write `memsetD32`. */
export const memset_d32: never = renamed('memset_d32', 'memsetD32', 'PyCUDA');
/** @deprecated Write `memsetD8Async`. */
export const memset_d8_async: never = renamed('memset_d8_async', 'memsetD8Async', 'PyCUDA');
/** @deprecated Write `memsetD16Async`. */
export const memset_d16_async: never = renamed('memset_d16_async', 'memsetD16Async', 'PyCUDA');
/** @deprecated Write `memsetD32Async`. */
export const memset_d32_async: never = renamed('memset_d32_async', 'memsetD32Async', 'PyCUDA');
/** @deprecated Write `memsetD2D8`. */
export const memset_d2d8: never = renamed('memset_d2d8', 'memsetD2D8', 'PyCUDA');
/** @deprecated Write `memsetD2D16`. */
export const memset_d2d16: never = renamed('memset_d2d16', 'memsetD2D16', 'PyCUDA');
/** @deprecated Write `memsetD2D32`. */
export const memset_d2d32: never = renamed('memset_d2d32', 'memsetD2D32', 'PyCUDA');
/** @deprecated Write `toDevice`. */
export const to_device: never = renamed('to_device', 'toDevice', 'PyCUDA');
/** @deprecated Write `fromDevice`. */
export const from_device: never = renamed('from_device', 'fromDevice', 'PyCUDA');
/** @deprecated Write `pagelockedEmpty`. */
export const pagelocked_empty: never = renamed('pagelocked_empty', 'pagelockedEmpty', 'PyCUDA');
/** @deprecated Write `pagelockedZeros`. */
export const pagelocked_zeros: never = renamed('pagelocked_zeros', 'pagelockedZeros', 'PyCUDA');
/** @deprecated Write `managedEmpty`. */
export const managed_empty: never = renamed('managed_empty', 'managedEmpty', 'PyCUDA');
/** @deprecated Write `managedZeros`. */
export const managed_zeros: never = renamed('managed_zeros', 'managedZeros', 'PyCUDA');
/** @deprecated Write `registerHostMemory`. */
export const register_host_memory: never = renamed('register_host_memory', 'registerHostMemory', 'PyCUDA');
/** @deprecated Write `moduleFromFile`. */
export const module_from_file: never = renamed('module_from_file', 'moduleFromFile', 'PyCUDA');
/** @deprecated Write `moduleFromBuffer`. */
export const module_from_buffer: never = renamed('module_from_buffer', 'moduleFromBuffer', 'PyCUDA');
/** @deprecated Write `driverVersion`. */
export const get_driver_version: never = renamed('get_driver_version', 'driverVersion', 'PyCUDA');
/** @deprecated Write `compilerVersion`. */
export const get_version: never = renamed('get_version', 'compilerVersion', 'PyCUDA');
/** @deprecated Write `profilerStart`. */
export const start_profiler: never = renamed('start_profiler', 'profilerStart', 'PyCUDA');
/** @deprecated Write `profilerStop`. */
export const stop_profiler: never = renamed('stop_profiler', 'profilerStop', 'PyCUDA');
/** @deprecated Write `DeviceAttribute`. */
export const device_attribute: never = renamed('device_attribute', 'DeviceAttribute', 'PyCUDA');
/** @deprecated Write `FunctionAttribute`. */
export const function_attribute: never = renamed('function_attribute', 'FunctionAttribute', 'PyCUDA');
/** @deprecated Write `FuncCache`. */
export const func_cache: never = renamed('func_cache', 'FuncCache', 'PyCUDA');
/** @deprecated Write `ContextFlags`. */
export const ctx_flags: never = renamed('ctx_flags', 'ContextFlags', 'PyCUDA');
/** @deprecated Write `EventFlags`. */
export const event_flags: never = renamed('event_flags', 'EventFlags', 'PyCUDA');
/** @deprecated Write `HostAllocFlags`. */
export const host_alloc_flags: never = renamed('host_alloc_flags', 'HostAllocFlags', 'PyCUDA');
/** @deprecated Write `MemAttachFlags`. */
export const mem_attach_flags: never = renamed('mem_attach_flags', 'MemAttachFlags', 'PyCUDA');
/** @deprecated Write `ComputeMode`. */
export const compute_mode: never = renamed('compute_mode', 'ComputeMode', 'PyCUDA');
/** @deprecated Write `Limit`. */
export const limit: never = renamed('limit', 'Limit', 'PyCUDA');

for (const one of [Context, Device, DeviceAllocation, Event, KernelFunction, Module, SourceModule, Stream])
  nameInCamelCase(one);
