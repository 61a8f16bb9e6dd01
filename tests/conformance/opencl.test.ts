import { describe, expect, test } from '@jest/globals';
import { entriesOf, parsePrototype } from '../../src/ffi/prototype.ts';
import * as enums from '../../src/opencl/sys/enums.ts';
import { extensionFunctions } from '../../src/opencl/sys/extensions.ts';
import { callbacks, functions } from '../../src/opencl/sys/opencl.ts';
import { structs } from '../../src/opencl/sys/structs.ts';
import { clumsyHints, complaints, constants, declarations, describeWith, layouts, type Constants } from './emit.ts';

const { status, ...objects } = enums;

const prefixes: Record<keyof typeof objects, string> = {
  PlatformInfo: 'CL_PLATFORM_',
  DeviceInfo: 'CL_DEVICE_',
  ContextInfo: 'CL_CONTEXT_',
  QueueInfo: 'CL_QUEUE_',
  MemInfo: 'CL_MEM_',
  ImageInfo: 'CL_IMAGE_',
  SamplerInfo: 'CL_SAMPLER_',
  PipeInfo: 'CL_PIPE_',
  ProgramInfo: 'CL_PROGRAM_',
  ProgramBuildInfo: 'CL_PROGRAM_BUILD_',
  KernelInfo: 'CL_KERNEL_',
  KernelArgInfo: 'CL_KERNEL_ARG_',
  KernelWorkGroupInfo: 'CL_KERNEL_',
  KernelSubGroupInfo: 'CL_KERNEL_',
  KernelExecInfo: 'CL_KERNEL_EXEC_INFO_',
  EventInfo: 'CL_EVENT_',
  ProfilingInfo: 'CL_PROFILING_COMMAND_',
  DeviceType: 'CL_DEVICE_TYPE_',
  MemFlags: 'CL_MEM_',
  SvmMemFlags: 'CL_MEM_',
  MapFlags: 'CL_MAP_',
  MigrationFlags: 'CL_MIGRATE_MEM_OBJECT_',
  QueueProperties: 'CL_QUEUE_',
  QueuePropertyName: 'CL_QUEUE_',
  ContextProperty: 'CL_CONTEXT_',
  CommandExecutionStatus: 'CL_',
  CommandType: 'CL_COMMAND_',
  MemObjectType: 'CL_MEM_OBJECT_',
  BufferCreateType: 'CL_BUFFER_CREATE_TYPE_',
  BuildStatus: 'CL_BUILD_',
  ProgramBinaryType: 'CL_PROGRAM_BINARY_TYPE_',
  KernelArgAddressQualifier: 'CL_KERNEL_ARG_ADDRESS_',
  KernelArgAccessQualifier: 'CL_KERNEL_ARG_ACCESS_',
  KernelArgTypeQualifier: 'CL_KERNEL_ARG_TYPE_',
  DeviceFpConfig: 'CL_FP_',
  DeviceLocalMemType: 'CL_',
  DeviceMemCacheType: 'CL_',
  DeviceExecCapabilities: 'CL_EXEC_',
  DeviceSvmCapabilities: 'CL_DEVICE_SVM_',
  ChannelOrder: 'CL_',
  ChannelType: 'CL_',
  AddressingMode: 'CL_ADDRESS_',
  FilterMode: 'CL_FILTER_',
  SamplerProperty: 'CL_SAMPLER_',
  PartitionProperty: 'CL_DEVICE_PARTITION_',
  AffinityDomain: 'CL_DEVICE_AFFINITY_DOMAIN_',
  QueuePriority: 'CL_QUEUE_PRIORITY_',
  QueueThrottle: 'CL_QUEUE_THROTTLE_',
  CommandBufferInfo: 'CL_COMMAND_BUFFER_',
  CommandBufferState: 'CL_COMMAND_BUFFER_STATE_',
  CommandBufferCapability: 'CL_COMMAND_BUFFER_CAPABILITY_',
  CommandBufferProperty: 'CL_COMMAND_BUFFER_',
  CommandBufferFlags: 'CL_COMMAND_BUFFER_',
  SemaphoreInfo: 'CL_SEMAPHORE_',
  SemaphoreProperty: 'CL_SEMAPHORE_',
  SemaphoreType: 'CL_SEMAPHORE_TYPE_',
  SemaphoreHandle: 'CL_SEMAPHORE_HANDLE_',
  ExternalMemoryHandle: 'CL_EXTERNAL_MEMORY_HANDLE_',
};

/** Enums whose names all end in KHR in the header. */
const suffixed: ReadonlySet<string> = new Set([
  'CommandBufferInfo',
  'CommandBufferState',
  'CommandBufferCapability',
  'CommandBufferProperty',
  'CommandBufferFlags',
  'SemaphoreInfo',
  'SemaphoreProperty',
  'SemaphoreType',
  'SemaphoreHandle',
  'ExternalMemoryHandle',
]);

const misfits: Readonly<Record<string, string>> = {
  'DeviceInfo.DRIVER_VERSION': 'CL_DRIVER_VERSION',
  'DeviceInfo.DRIVER_UUID_KHR': 'CL_DRIVER_UUID_KHR',
  'SemaphoreProperty.DEVICE_HANDLE_LIST': 'CL_DEVICE_HANDLE_LIST_KHR',
  'ProgramBuildInfo.BINARY_TYPE': 'CL_PROGRAM_BINARY_TYPE',
};

/** What newer headers have no more: it is compared where it is. */
const dropped: ReadonlySet<string> = new Set(['CommandBufferState.INVALID', 'SemaphoreProperty.DEVICE_HANDLE_LIST']);

const { cl_khr_command_buffer: recording, 'cl_khr_command_buffer 0.9.5': later, ...others } = extensionFunctions;
const lateNames = new Set(Object.values(later).map((text) => parsePrototype(text).symbol));
const isChanged = ([name]: readonly [string, string]): boolean => lateNames.has(name);
const changed = { a: Object.fromEntries(Object.entries(recording).filter(isChanged)) };
const revised = { a: later };
const lasting = { ...others, a: Object.fromEntries(Object.entries(recording).filter((row) => !isChanged(row))) };

const headers = ['CL/cl.h', 'CL/cl_ext.h'];
const version = '#define CL_TARGET_OPENCL_VERSION 300';

function clComplaints(code: string): string {
  return complaints(headers, code, version);
}

function typedefs(): string {
  return Object.entries(callbacks)
    .map(([name, shape]) => `typedef ${shape.replace('*)', `*${name})`)};`)
    .join('\n');
}

describe('the OpenCL table', () => {
  test('parses, and names the function', () => {
    for (const [name, text] of entriesOf(functions)) expect(parsePrototype(text).symbol).toBe(name);
  });

  test('has errcode_ret last, as an output', () => {
    const lists = [...entriesOf(functions)].map(([, text]) => parsePrototype(text).params);
    const withError = lists.filter((params) => params.some(({ name }) => name === 'errcode_ret'));
    expect(withError.length).toBeGreaterThan(10);
    for (const params of withError) expect(params.at(-1)).toMatchObject({ name: 'errcode_ret', out: true });
  });

  test('has one phrase for every hint', () => {
    expect(clumsyHints(status)).toEqual([]);
  });
});

describeWith(...headers)('CL/cl.h', () => {
  test('declares every function as the table does', () => {
    expect(clComplaints(`${typedefs()}\n${declarations(functions)}`)).toBe('');
  });

  test('declares the functions of extensions as their table does', () => {
    expect(clComplaints(declarations(lasting))).toBe('');
    // A header has one revision of an extension.
    const [before, since] = [clComplaints(declarations(changed)), clComplaints(declarations(revised))];
    expect([before, since]).toContain('');
    expect([before, since].join('')).toContain('conflicting types');
  });

  test('has the values of status', () => {
    expect(clComplaints(constants(status, (key) => key))).toBe('');
  });

  test.each(Object.entries(prefixes))('has the values of %s', (name, prefix) => {
    const values: Constants = objects[name as keyof typeof objects];
    const suffix = suffixed.has(name) ? '_KHR' : '';
    const nameOf = (key: string): string => misfits[`${name}.${key}`] ?? prefix + key + suffix;
    const isDropped = ([key]: readonly [string, unknown]): boolean => dropped.has(`${name}.${key}`);
    const lasts = Object.entries(values).filter((entry) => !isDropped(entry));
    expect(clComplaints(constants(Object.fromEntries(lasts), nameOf))).toBe('');
    for (const entry of Object.entries(values).filter(isDropped)) {
      const code = constants(Object.fromEntries([entry]), nameOf);
      expect(clComplaints(`#ifdef ${nameOf(entry[0])}\n${code}\n#endif`)).toBe('');
    }
  });

  test('has the layouts of structs', () => {
    expect(clComplaints(layouts(structs))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { QUEUE: { clFinish: 'cl_int clFinish(cl_device_id command_queue)' } };
    expect(clComplaints(declarations(table))).toContain("conflicting types for 'clFinish'");
  });

  test('contradicts a wrong callback', () => {
    const { clBuildProgram } = functions.PROGRAM;
    const code = `typedef void (CL_CALLBACK *cl_program_notify)(cl_kernel, void *);\n${clBuildProgram};`;
    expect(clComplaints(code)).toContain("conflicting types for 'clBuildProgram'");
  });

  test('contradicts a wrong constant', () => {
    expect(clComplaints(constants({ CL_INVALID_VALUE: -31 }, (key) => key))).toContain('CL_INVALID_VALUE is not -31');
  });

  test('contradicts a wrong offset', () => {
    const complaint = clComplaints(layouts({ cl_image_desc: { size: 72, fields: { buffer: 56 } } }));
    expect(complaint).toContain('cl_image_desc.buffer is not 56');
  });
});
