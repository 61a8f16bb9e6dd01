import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { BuildStatus, ProgramBuildInfo, ProgramInfo } from '../../opencl/sys/enums.ts';
import { readText } from '../../ffi/memory.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import { answer, infoQuery, created, encodeWides, type Size } from './answer.ts';
import { decodeBinary, encodeBinary } from './binary.ts';
import { Code } from './code.ts';
import type { ClDevice } from './device.ts';
import { hostBytes, sizesAt, widesAt } from './pointer.ts';
import type { Build, ClProgram } from './program.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateProgramWithSource'
  | 'clCreateProgramWithBinary'
  | 'clCreateProgramWithBuiltInKernels'
  | 'clCreateProgramWithIL'
  | 'clRetainProgram'
  | 'clReleaseProgram'
  | 'clSetProgramReleaseCallback'
  | 'clSetProgramSpecializationConstant'
  | 'clGetProgramInfo'
  | 'clGetProgramBuildInfo';

const ask = infoQuery<typeof ProgramInfo, ClProgram>(ProgramInfo, {
  REFERENCE_COUNT: ({ references }) => references,
  CONTEXT: ({ context }) => context.handle,
  NUM_DEVICES: ({ devices }) => devices.length,
  DEVICES: ({ devices }) => devices.map(({ handle }) => handle),
  SOURCE: ({ source }) => source ?? '',
  BINARY_SIZES: (program) => binaries(program).map(({ length }) => length),
  NUM_KERNELS: ({ executable }) => executable?.program?.kernels.length ?? 0,
  KERNEL_NAMES: ({ executable }) => executable?.program?.kernels.map(({ symbol }) => symbol).join(';') ?? '',
  IL: () => new Uint8Array(0),
  SCOPE_GLOBAL_CTORS_PRESENT: () => false,
  SCOPE_GLOBAL_DTORS_PRESENT: () => false,
});

const askBuild = infoQuery<typeof ProgramBuildInfo, Build>(ProgramBuildInfo, {
  STATUS: ({ status }) => status,
  OPTIONS: ({ options }) => options,
  LOG: ({ log }) => log,
  BINARY_TYPE: ({ type }) => type,
  GLOBAL_VARIABLE_TOTAL_SIZE: ({ program }) =>
    program?.variables.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? 0,
});

/** Programs: creation and queries. */
export const programFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateProgramWithSource: (state, context, count, strings, lengths, errcode) =>
    created(fromSource(state, context, count, strings, lengths), errcode),
  clCreateProgramWithBinary: (state, context, count, devices, lengths, pointers, statuses, errcode) =>
    created(fromBinaries(state, context, count, devices, lengths, pointers, statuses), errcode),
  clCreateProgramWithBuiltInKernels: (state, context, _count, _devices, _names, errcode) =>
    created(state.contexts.find(context) ? Code.INVALID_VALUE : Code.INVALID_CONTEXT, errcode),
  // No device takes intermediate language.
  clCreateProgramWithIL: (state, context, _il, _length, errcode) =>
    created(state.contexts.find(context) ? Code.INVALID_OPERATION : Code.INVALID_CONTEXT, errcode),
  clRetainProgram: (state, handle) =>
    withProgram(state, handle, (program) => {
      program.retain();
      return Code.SUCCESS;
    }),
  clReleaseProgram: (state, handle) =>
    withProgram(state, handle, (program) => {
      program.release();
      return Code.SUCCESS;
    }),
  clSetProgramReleaseCallback: (state, handle, notify) =>
    withProgram(state, handle, () => (notify === 0n ? Code.INVALID_VALUE : Code.INVALID_OPERATION)),
  clSetProgramSpecializationConstant: (state, handle) => withProgram(state, handle, () => Code.INVALID_OPERATION),
  clGetProgramInfo: (state, handle, param, size, value, sizeOut) =>
    withProgram(state, handle, (program) => {
      if (param === ProgramInfo.BINARIES[0]) return giveBinaries(program, size, value, sizeOut);
      const needsKernels = param === ProgramInfo.NUM_KERNELS[0] || param === ProgramInfo.KERNEL_NAMES[0];
      if (needsKernels && !program.executable) return Code.INVALID_PROGRAM_EXECUTABLE;
      return ask(program, param, size, value, sizeOut);
    }),
  clGetProgramBuildInfo: (state, handle, deviceHandle, param, size, value, sizeOut) =>
    withProgram(state, handle, (program) => {
      const device = state.devices.find(deviceHandle);
      if (!device || !program.devices.includes(device)) return Code.INVALID_DEVICE;
      return askBuild(program.buildFor(device), param, size, value, sizeOut);
    }),
};

function binaries(program: ClProgram): Uint8Array[] {
  return program.devices.map((device) => encodeBinary(program.buildFor(device)));
}

function withProgram(state: OpenCLState, handle: bigint, run: (program: ClProgram) => number): number {
  const program = state.programs.find(handle);
  return program ? run(program) : Code.INVALID_PROGRAM;
}

function fromSource(state: OpenCLState, handle: bigint, count: number, strings: Out, lengths: Out): bigint | number {
  const context = state.contexts.find(handle);
  if (!context) return Code.INVALID_CONTEXT;
  if (count === 0 || strings === 0n) return Code.INVALID_VALUE;
  const sizes = lengths === 0n ? [] : sizesAt(lengths, count);
  const addresses = [...widesAt(strings, count)];
  if (addresses.length < count || addresses.includes(0n)) return Code.INVALID_VALUE;
  const parts = addresses.map((address, i) => {
    const size = sizes[i] ?? 0;
    if (size === 0) return readText(address);
    const bytes = hostBytes(address, size);
    return bytes && new TextDecoder().decode(bytes);
  });
  if (parts.includes(undefined)) return Code.INVALID_VALUE;
  return state.addProgram(context, context.devices, parts.join(''));
}

function fromBinaries(
  state: OpenCLState,
  handle: bigint,
  count: number,
  list: Out,
  lengths: Out,
  pointers: Out,
  statuses: Out,
): bigint | number {
  const context = state.contexts.find(handle);
  if (!context) return Code.INVALID_CONTEXT;
  if (count === 0 || list === 0n || lengths === 0n || pointers === 0n) return Code.INVALID_VALUE;
  const devices = state.devicesAt(list, count);
  if (typeof devices === 'number') return devices;
  if (devices.some((device) => !context.devices.includes(device))) return Code.INVALID_DEVICE;
  const sizes = sizesAt(lengths, count);
  const builds = new Map<ClDevice, Build>();
  const found = [...widesAt(pointers, count)].map((address, i) => {
    const size = sizes[i] ?? 0;
    if (address === 0n || size === 0) return Code.INVALID_VALUE;
    const bytes = hostBytes(address, size);
    const binary = bytes && decodeBinary(bytes.slice());
    if (!binary) return Code.INVALID_BINARY;
    const none = { status: BuildStatus.NONE, options: '', log: '' };
    builds.set(devices[i] as ClDevice, { ...none, ...binary });
    return Code.SUCCESS;
  });
  const target = statuses === 0n ? undefined : bytesAt(statuses, 4 * found.length);
  target?.set(new Uint8Array(Int32Array.from(found).buffer).subarray(0, target.length));
  const wrong = found.find((status) => status !== Code.SUCCESS);
  if (wrong !== undefined) return wrong;
  const made = state.addProgram(context, devices, undefined);
  for (const [device, build] of builds) state.programs.find(made)?.builds.set(device, build);
  return made;
}

/** Copy the binary of each device to the caller's pointer for it. A NULL pointer skips a binary. */
function giveBinaries(program: ClProgram, size: Size, value: Out, sizeOut: Out): number {
  const list = binaries(program);
  if (value === 0n) return answer(encodeWides(list.map(() => 0)), 0, 0n, sizeOut);
  if (Number(size) < 8 * list.length) return Code.INVALID_VALUE;
  const addresses = widesAt(value, list.length);
  if (addresses.length < list.length) return Code.INVALID_VALUE;
  list.forEach((binary, i) => {
    const address = addresses[i] ?? 0n;
    if (address !== 0n && binary.length > 0) hostBytes(address, binary.length)?.set(binary);
  });
  return answer(encodeWides([...addresses]), size, value, sizeOut);
}
