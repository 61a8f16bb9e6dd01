import { nameInCamelCase, renamed } from '../core/renamed.ts';
import { Context } from './device/context.ts';
import { Device, Platform } from './device/device.ts';
import { Kernel } from './kernel/kernel.ts';
import { Buffer } from './memory/buffer.ts';
import { Image } from './memory/image.ts';
import { Program } from './program/program.ts';
import { Event } from './queue/event.ts';
import { CommandQueue } from './queue/queue.ts';

// PyOpenCL's names, for programs that are being ported. Their type in the editor, and the error of a call, name the function to write.

/** @deprecated Write `createSomeContext`. */
export const create_some_context: never = renamed('create_some_context', 'createSomeContext', 'PyOpenCL');
/** @deprecated Write `chooseDevices`. */
export const choose_devices: never = renamed('choose_devices', 'chooseDevices', 'PyOpenCL');
/** @deprecated Write `getPlatforms`. */
export const get_platforms: never = renamed('get_platforms', 'getPlatforms', 'PyOpenCL');
/** @deprecated Write `enqueueCopy`. */
export const enqueue_copy: never = renamed('enqueue_copy', 'enqueueCopy', 'PyOpenCL');
/** @deprecated Write `enqueueFill`. */
export const enqueue_fill: never = renamed('enqueue_fill', 'enqueueFill', 'PyOpenCL');
/** @deprecated Write `enqueueFill`. */
export const enqueue_fill_buffer: never = renamed('enqueue_fill_buffer', 'enqueueFill', 'PyOpenCL');
/** @deprecated Write `enqueueNDRangeKernel`. */
export const enqueue_nd_range_kernel: never = renamed('enqueue_nd_range_kernel', 'enqueueNDRangeKernel', 'PyOpenCL');
/** @deprecated Write `enqueueMapBuffer`. */
export const enqueue_map_buffer: never = renamed('enqueue_map_buffer', 'enqueueMapBuffer', 'PyOpenCL');
/** @deprecated Write `enqueueMapImage`. */
export const enqueue_map_image: never = renamed('enqueue_map_image', 'enqueueMapImage', 'PyOpenCL');
/** @deprecated Write `enqueueMarker`. */
export const enqueue_marker: never = renamed('enqueue_marker', 'enqueueMarker', 'PyOpenCL');
/** @deprecated Write `enqueueBarrier`. */
export const enqueue_barrier: never = renamed('enqueue_barrier', 'enqueueBarrier', 'PyOpenCL');
/** @deprecated Write `enqueueMigrate`. */
export const enqueue_migrate_mem_objects: never = renamed('enqueue_migrate_mem_objects', 'enqueueMigrate', 'PyOpenCL');
/** @deprecated Write `enqueueSVMMemFill`. */
export const enqueue_svm_memfill: never = renamed('enqueue_svm_memfill', 'enqueueSVMMemFill', 'PyOpenCL');
/** @deprecated Write `enqueueSVMMigrate`. */
export const enqueue_svm_migratemem: never = renamed('enqueue_svm_migratemem', 'enqueueSVMMigrate', 'PyOpenCL');
/** @deprecated Write `enqueueCopy`. */
export const enqueue_read_buffer: never = renamed('enqueue_read_buffer', 'enqueueCopy', 'PyOpenCL');
/** @deprecated Write `enqueueCopy`. */
export const enqueue_write_buffer: never = renamed('enqueue_write_buffer', 'enqueueCopy', 'PyOpenCL');
/** @deprecated Write `enqueueCopy`. */
export const enqueue_copy_buffer: never = renamed('enqueue_copy_buffer', 'enqueueCopy', 'PyOpenCL');
/** @deprecated Write `waitForEvents`. */
export const wait_for_events: never = renamed('wait_for_events', 'waitForEvents', 'PyOpenCL');
/** @deprecated Write `getSupportedImageFormats`. */
export const get_supported_image_formats: never = renamed(
  'get_supported_image_formats',
  'getSupportedImageFormats',
  'PyOpenCL',
);
/** @deprecated Write `imageFromArray`. */
export const image_from_array: never = renamed('image_from_array', 'imageFromArray', 'PyOpenCL');
/** @deprecated Write `linkProgram`. */
export const link_program: never = renamed('link_program', 'linkProgram', 'PyOpenCL');
/** @deprecated Write `svmEmpty`. */
export const svm_empty: never = renamed('svm_empty', 'svmEmpty', 'PyOpenCL');
/** @deprecated Write `svmEmptyLike`. */
export const svm_empty_like: never = renamed('svm_empty_like', 'svmEmptyLike', 'PyOpenCL');
/** @deprecated Write `csvmEmpty`. */
export const csvm_empty: never = renamed('csvm_empty', 'csvmEmpty', 'PyOpenCL');
/** @deprecated Write `csvmEmptyLike`. */
export const csvm_empty_like: never = renamed('csvm_empty_like', 'csvmEmptyLike', 'PyOpenCL');
/** @deprecated Write `fsvmEmpty`. */
export const fsvm_empty: never = renamed('fsvm_empty', 'fsvmEmpty', 'PyOpenCL');
/** @deprecated Write `fsvmEmptyLike`. */
export const fsvm_empty_like: never = renamed('fsvm_empty_like', 'fsvmEmptyLike', 'PyOpenCL');
/** @deprecated Write `MemFlags`. */
export const mem_flags: never = renamed('mem_flags', 'MemFlags', 'PyOpenCL');
/** @deprecated Write `MapFlags`. */
export const map_flags: never = renamed('map_flags', 'MapFlags', 'PyOpenCL');
/** @deprecated Write `DeviceType`. */
export const device_type: never = renamed('device_type', 'DeviceType', 'PyOpenCL');
/** @deprecated Write `DeviceInfo`. */
export const device_info: never = renamed('device_info', 'DeviceInfo', 'PyOpenCL');
/** @deprecated Write `PlatformInfo`. */
export const platform_info: never = renamed('platform_info', 'PlatformInfo', 'PyOpenCL');
/** @deprecated Write `ContextInfo`. */
export const context_info: never = renamed('context_info', 'ContextInfo', 'PyOpenCL');
/** @deprecated Write `CommandQueue`. */
export const command_queue_properties: never = renamed('command_queue_properties', 'CommandQueue', 'PyOpenCL');
/** @deprecated Write `MigrationFlags`. */
export const mem_migration_flags: never = renamed('mem_migration_flags', 'MigrationFlags', 'PyOpenCL');
/** @deprecated Write `ChannelOrder`. */
export const channel_order: never = renamed('channel_order', 'ChannelOrder', 'PyOpenCL');
/** @deprecated Write `ChannelType`. */
export const channel_type: never = renamed('channel_type', 'ChannelType', 'PyOpenCL');
/** @deprecated Write `AddressingMode`. */
export const addressing_mode: never = renamed('addressing_mode', 'AddressingMode', 'PyOpenCL');
/** @deprecated Write `FilterMode`. */
export const filter_mode: never = renamed('filter_mode', 'FilterMode', 'PyOpenCL');

for (const one of [Buffer, CommandQueue, Context, Device, Event, Image, Kernel, Platform, Program])
  nameInCamelCase(one);
