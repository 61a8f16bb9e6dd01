import { MAKER } from '../core/maker.ts';
import { addressOf } from '../ffi/memory.ts';
import { isHostMemory } from '../core/host-memory.ts';
import { readBytes } from '../opencl/info.ts';
import { poclFault } from '../opencl/program/pocl-binary.ts';
import { programQuery } from '../opencl/program/program-query.ts';
import { DeviceInfo, ProgramBuildInfo, ProgramInfo } from '../opencl/sys/enums.ts';
import { array, bytesOf, context, device, object, objects, pointerTo, size, text, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { ask, rawText, wrapped, wrappedList, readers, type Readers } from './info.ts';
import { CLProgram, CLProgramBinary, retained, type CLContext, type CLDeviceId } from './objects.ts';

const programOf = object('CLProgram');

const READERS: Readers = readers(
  [ProgramInfo.CONTEXT[0], wrapped(retained.context)],
  [ProgramInfo.DEVICES[0], wrappedList(retained.device)],
);

const DRIVER = DeviceInfo.DRIVER_VERSION[0];
const { OPTIONS, LOG } = ProgramBuildInfo;
const BUILD_READERS: Readers = readers([OPTIONS[0], rawText], [LOG[0], rawText]);

/** A program of a source text. */
export function createProgramWithSource(...args: [context: CLContext, source: string]): CLProgram {
  expectArguments(args, 2);
  const owner = context(args[0], 0);
  const bytes = new TextEncoder().encode(text(args[1], 1));
  // An empty array has no address.
  const source = bytes.length > 0 ? bytes : new Uint8Array(1);
  const strings = BigUint64Array.of(addressOf(source));
  const raw = cl.clCreateProgramWithSource(owner, 1, strings, BigUint64Array.of(BigInt(bytes.length)));
  return new CLProgram(MAKER, raw);
}

/** A program of binaries, one for each device: the answer to `cl.PROGRAM_BINARIES`, or the bytes of files. */
export function createProgramWithBinary(
  ...args: [
    context: CLContext,
    devices: readonly CLDeviceId[],
    sizes: readonly number[],
    binaries: readonly (CLProgramBinary | ArrayBufferView)[],
  ]
): CLProgram {
  expectArguments(args, 4);
  const owner = context(args[0], 0);
  const devices = objects('CLDeviceId')(args[1], 1);
  const given = array(args[2], 2).map((bytes) => size(bytes, 2));
  const binaries = array(args[3], 3).map((binary) => {
    const bytes = CLProgramBinary.bytes(binary) ?? (isHostMemory(binary) ? bytesOf(binary) : undefined);
    if (!bytes || bytes.length === 0) throw failure('CL_INVALID_BINARY');
    return bytes;
  });
  const lists = [devices.length, given.length, binaries.length];
  if (devices.length === 0 || lists.some((length) => length !== devices.length)) {
    throw failure('CL_INVALID_VALUE', new RangeError(`The lists must have the same length, got ${lists.join(', ')}`));
  }
  const short = binaries.findIndex((binary, i) => (given[i] ?? 0) > binary.length);
  if (short >= 0) throw failure('CL_INVALID_VALUE', new RangeError(`Binary ${short} is shorter than its size`));
  binaries.forEach((binary, i) => {
    const driver = new TextDecoder().decode(readBytes(cl.clGetDeviceInfo.bind(undefined, devices[i] as never), DRIVER));
    const fault = poclFault(binary.subarray(0, given[i]), driver);
    if (fault !== undefined) throw failure('CL_INVALID_BINARY', new Error(`Binary ${i} is damaged: ${fault}`));
  });
  const sizes = BigUint64Array.from(given, BigInt);
  const pointers = BigUint64Array.from(binaries, (binary) => addressOf(binary));
  const statuses = new Int32Array(devices.length);
  return new CLProgram(MAKER, cl.clCreateProgramWithBinary(owner, devices.length, devices, sizes, pointers, statuses));
}

/** A program of kernels that devices have built in. */
export function createProgramWithBuiltInKernels(
  ...args: [context: CLContext, devices: readonly CLDeviceId[], names: readonly string[]]
): CLProgram {
  expectArguments(args, 3);
  const owner = context(args[0], 0);
  array(args[1], 1);
  const devices = objects('CLDeviceId')(args[1], 1);
  const names = array(args[2], 2);
  if (devices.length === 0 || names.length === 0 || names.some((name) => typeof name !== 'string')) {
    throw failure('CL_INVALID_VALUE');
  }
  return new CLProgram(
    MAKER,
    cl.clCreateProgramWithBuiltInKernels(owner, devices.length, pointerTo(devices), names.join(';')),
  );
}

/** A property of a program: `cl.PROGRAM_BINARIES`. */
export function getProgramInfo(...args: [program: CLProgram, name: number]): unknown {
  expectArguments(args, 2);
  const program = programOf(args[0], 0);
  const query = cl.clGetProgramInfo.bind(undefined, program);
  // The number after the driver's conversion. This answer must not be read as bytes: the driver would take them as
  // addresses to write to.
  const name = uint(args[1], 1);
  if (name !== ProgramInfo.BINARIES[0]) return ask(programQuery(query), [ProgramInfo], READERS, name);
  const sizes = ask(query, [ProgramInfo], READERS, ProgramInfo.BINARY_SIZES[0]) as number[];
  const binaries = sizes.map((bytes) => new Uint8Array(bytes));
  // The query takes an address for each device, and NULL for binaries that are missing.
  const pointers = BigUint64Array.from(binaries, (binary) => (binary.length > 0 ? addressOf(binary) : 0n));
  if (pointers.length > 0) query(ProgramInfo.BINARIES[0], pointers.byteLength, pointers, 0n);
  return binaries.map((binary) => new CLProgramBinary(MAKER, binary));
}

/** A property of a build: `cl.PROGRAM_BUILD_LOG`. Texts end with C's NUL. */
export function getProgramBuildInfo(...args: [program: CLProgram, device: CLDeviceId, name: number]): unknown {
  expectArguments(args, 3);
  const [program, target] = [programOf(args[0], 0), device(args[1], 1)];
  return ask(cl.clGetProgramBuildInfo.bind(undefined, program, target), [ProgramBuildInfo], BUILD_READERS, args[2]);
}
