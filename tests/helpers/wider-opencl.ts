import type { CheckedOpenCL } from '../../src/cpu/opencl-table.ts';
import { addressOf } from '../../src/ffi/memory.ts';
import { bytesAt, propertiesAt, type Pointer } from '../../src/ffi/pointer.ts';
import type { ExtensionTable, OpenCLTable } from '../../src/opencl/sys/tables.ts';
import {
  CommandExecutionStatus,
  CommandType,
  DeviceInfo,
  EventInfo,
  ExternalMemoryHandle,
  MemFlags,
  MemInfo,
  MemObjectType,
  PipeInfo,
  PlatformInfo,
  SemaphoreHandle,
  SemaphoreProperty,
} from '../../src/opencl/sys/enums.ts';
import { EXTENSIONS } from '../../src/opencl/sys/extensions.ts';
import { nameVersions } from './fake-extensions.ts';

/** What the device is to be. */
export interface Wider {
  readonly version: '2.0' | '3.0';
  /** Of `cl_khr_command_buffer`: since 0.9.5 its commands take properties. */
  readonly commandBuffers: '0.9.4' | '0.9.5';
  /** What its programs of intermediate language and its built-in kernels are. */
  readonly binary: () => Uint8Array;
}

const INVALID_VALUE = -30;
const ROOM = 64;

/**
 * The embedded device as one that has all that OpenCL knows: pipes, queues of its own, intermediate language, memory and
 * semaphores of others. What it adds computes nothing; its objects are the embedded device's, and counted as such.
 */
export function widerOpenCL(raw: CheckedOpenCL, { version, commandBuffers, binary }: Wider): CheckedOpenCL {
  const own = raw[EXTENSIONS];
  const pipes = new Set<bigint>();
  const versions = {
    cl_khr_command_buffer: commandBuffers,
    cl_khr_semaphore: '1.0.0',
    cl_khr_external_semaphore: '1.0.0',
    cl_khr_external_memory: '1.0.0',
    cl_khr_suggested_local_work_size: '1.0.0',
    cl_khr_il_program: '1.0.0',
    cl_khr_subgroups: '1.0.0',
  };
  const facts = new Map<number, Uint8Array>([
    [DeviceInfo.EXTENSIONS[0], text(Object.keys(versions).join(' '))],
    [DeviceInfo.EXTENSIONS_WITH_VERSION[0], nameVersions(versions)],
    [DeviceInfo.BUILT_IN_KERNELS[0], text('add;none')],
    [DeviceInfo.IL_VERSION[0], text('SPIR-V_1.0')],
    [DeviceInfo.PIPE_SUPPORT[0], numbers(1)],
    [DeviceInfo.PIPE_MAX_PACKET_SIZE[0], numbers(ROOM)],
    [DeviceInfo.QUEUE_ON_DEVICE_MAX_SIZE[0], numbers(1 << 16)],
    [DeviceInfo.SEMAPHORE_IMPORT_HANDLE_TYPES_KHR[0], numbers(SemaphoreHandle.OPAQUE_FD)],
    [DeviceInfo.SEMAPHORE_EXPORT_HANDLE_TYPES_KHR[0], numbers(SemaphoreHandle.OPAQUE_FD)],
    [DeviceInfo.EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR[0], numbers(ExternalMemoryHandle.OPAQUE_FD)],
  ]);
  const fromBinary = (context: bigint, errcode: Pointer): never => {
    const bytes = binary();
    const device = new BigUint64Array(1);
    raw.clGetContextInfo(context as never, 0x1081, 8, device, 0n);
    const [lengths, pointers] = [BigUint64Array.of(BigInt(bytes.length)), BigUint64Array.of(addressOf(bytes))];
    return raw.clCreateProgramWithBinary(context as never, 1, device, lengths, pointers, 0n, errcode as never) as never;
  };

  // So that a wait is one each time: a kernel's end is seen at the second look.
  const looked = new Set<bigint>();
  const isFirstLook = (event: bigint): boolean => {
    const type = new Uint32Array(1);
    const answered = raw.clGetEventInfo(event as never, EventInfo.COMMAND_TYPE[0], 4, type, 0n);
    if (answered !== 0 || type[0] !== CommandType.NDRANGE_KERNEL || looked.has(event)) return false;
    looked.add(event);
    return true;
  };

  const functions: Partial<OpenCLTable> = {
    clGetEventInfo: (event, param, size, value, total) =>
      param === EventInfo.COMMAND_EXECUTION_STATUS[0] && isFirstLook(event)
        ? answer(numbers(CommandExecutionStatus.RUNNING), size, value, total)
        : raw.clGetEventInfo(event, param, size, value, total),
    clGetPlatformInfo: (platform, param, size, value, total) =>
      param === PlatformInfo.VERSION[0]
        ? answer(text(`OpenCL ${version} wider`), size, value, total)
        : raw.clGetPlatformInfo(platform, param, size, value, total),
    clGetDeviceInfo: (device, param, size, value, total) => {
      const fact = facts.get(param);
      return fact ? answer(fact, size, value, total) : raw.clGetDeviceInfo(device, param, size, value, total);
    },
    clCreateCommandQueueWithProperties: (context, device, list, errcode) => {
      const isOnDevice = (propertiesAt(list) ?? []).some((value, i) => i % 2 === 1 && (value & 4n) !== 0n);
      return raw.clCreateCommandQueueWithProperties(context, device, isOnDevice ? 0n : list, errcode);
    },
    clSetDefaultDeviceCommandQueue: () => 0,
    clCreatePipe: (context, _flags, packet, count, _list, errcode) => {
      const made = raw.clCreateBuffer(context, MemFlags.READ_WRITE, packet * count, 0n, errcode);
      pipes.add(made);
      return made;
    },
    clGetPipeInfo: (_pipe, param, size, value, total) =>
      answer(numbers(param === PipeInfo.PACKET_SIZE[0] ? 4 : 16), size, value, total),
    clGetMemObjectInfo: (memory, param, size, value, total) =>
      param === MemInfo.TYPE[0] && pipes.has(memory)
        ? answer(numbers(MemObjectType.PIPE), size, value, total)
        : raw.clGetMemObjectInfo(memory, param, size, value, total),
    clCreateBufferWithProperties: (context, _list, flags, size, host, errcode) =>
      raw.clCreateBuffer(context, flags, size, host, errcode),
    clCreateProgramWithIL: (context, _il, _length, errcode) => fromBinary(context, errcode),
    clCreateProgramWithBuiltInKernels: (context, _count, _devices, _names, errcode) => fromBinary(context, errcode),
    clSetProgramSpecializationConstant: () => 0,
    clSetKernelExecInfo: () => 0,
  };

  const marker: ExtensionTable['clEnqueueAcquireExternalMemObjectsKHR'] = (queue, _count, _objects, ...waits) =>
    raw.clEnqueueMarkerWithWaitList(queue, ...waits);
  const extensions: Partial<ExtensionTable> = {
    clCreateProgramWithILKHR: (context, _il, _length, errcode) => fromBinary(context, errcode),
    clEnqueueAcquireExternalMemObjectsKHR: marker,
    clEnqueueReleaseExternalMemObjectsKHR: marker,
    clCreateSemaphoreWithPropertiesKHR: (context, _list, errcode) =>
      own.clCreateSemaphoreWithPropertiesKHR(
        context,
        BigUint64Array.of(BigInt(SemaphoreProperty.TYPE), 1n, 0n),
        errcode,
      ),
    clGetSemaphoreHandleForTypeKHR: (_semaphore, _device, _type, size, value, total) =>
      answer(numbers(0), size, value, total),
    clCommandBarrierWithWaitListKHR_v095: (buffer, queue, _list, ...rest) =>
      own.clCommandBarrierWithWaitListKHR(buffer, queue, ...rest),
    clCommandCopyBufferKHR_v095: (buffer, queue, _list, ...rest) => own.clCommandCopyBufferKHR(buffer, queue, ...rest),
    clCommandFillBufferKHR_v095: (buffer, queue, _list, ...rest) => own.clCommandFillBufferKHR(buffer, queue, ...rest),
  };
  return Object.defineProperty({ ...raw, ...functions }, EXTENSIONS, {
    value: { ...own, ...extensions },
  });
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}

function numbers(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function answer(bytes: Uint8Array, size: number | bigint, value: Pointer, total: Pointer): number {
  if (total !== 0n) bytesAt(total, 8).set(new Uint8Array(BigUint64Array.of(BigInt(bytes.length)).buffer));
  if (value === 0n) return 0;
  if (Number(size) < bytes.length) return INVALID_VALUE;
  bytesAt(value, bytes.length).set(bytes);
  return 0;
}
