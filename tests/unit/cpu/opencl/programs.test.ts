import koffi from 'koffi';
import { describe, expect, test } from '@jest/globals';
import { encodeProgram } from '../../../../src/cpu/abi/program.ts';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import { addressOf } from '../../../../src/ffi/memory.ts';
import * as cl from '../../../../src/opencl/index.ts';
import {
  BuildStatus,
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelInfo,
  KernelWorkGroupInfo,
  MemFlags,
  ProgramBinaryType,
  ProgramBuildInfo,
  ProgramInfo,
} from '../../../../src/opencl/sys/enums.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';
import { openclTestProgram } from '../../../helpers/opencl-kernels.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';
import { until } from '../../../helpers/until.ts';

const embedded = withCpuOpenCL();
const { table, compiler } = embedded;
const NOBODY = 0n as never;

const sizes = (...values: number[]): BigUint64Array => BigUint64Array.from(values.map(BigInt));

/** A program of a source; release it. */
function programOf(source: string): never {
  const text = new TextEncoder().encode(source);
  const { handle, status } = make((errcode) =>
    table.clCreateProgramWithSource(
      raw(embedded.ctx), 1, BigUint64Array.of(addressOf(text)), sizes(text.length), errcode,
    ),
  ); // prettier-ignore
  expect(status).toBe(Code.SUCCESS);
  return handle;
}
function build(program: never, options = ''): number {
  return table.clBuildProgram(program, 0, 0n, options, NOBODY, 0n);
}
type Query = (param: number, size: number, value: bigint | Uint8Array, sizeOut: bigint | BigUint64Array) => number;

/** The bytes of an answer. */
function bytesOf(query: Query, param: number): Uint8Array {
  const size = new BigUint64Array(1);
  expect(query(param, 0, 0n, size)).toBe(Code.SUCCESS);
  const value = new Uint8Array(Number(size[0]));
  if (value.length > 0) expect(query(param, value.length, value, 0n)).toBe(Code.SUCCESS);
  return value;
}
const textOf = (query: Query, param: number): string =>
  new TextDecoder().decode(bytesOf(query, param)).replace('\0', '');
const numberOf = (query: Query, param: number): number => {
  const bytes = bytesOf(query, param);
  const view = new DataView(bytes.buffer);
  return bytes.length === 4 ? view.getInt32(0, true) : Number(view.getBigUint64(0, true));
};
const buildOf = (program: never): Query => table.clGetProgramBuildInfo.bind(undefined, program, embedded.device.raw);
const infoOf = (program: never): Query => table.clGetProgramInfo.bind(undefined, program);

describe('programs', () => {
  test('go from nothing to an executable', () => {
    const program = programOf('warning');
    const [state, info] = [buildOf(program), infoOf(program)];
    expect(numberOf(state, ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.NONE);
    expect(numberOf(state, ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.NONE);
    expect(textOf(info, ProgramInfo.SOURCE[0])).toBe('warning');
    expect(numberOf(info, ProgramInfo.BINARY_SIZES[0])).toBe(0);
    expect(info(ProgramInfo.KERNEL_NAMES[0], 0, 0n, 0n)).toBe(Code.INVALID_PROGRAM_EXECUTABLE);
    expect(make((errcode) => table.clCreateKernel(program, 'add', errcode)).status).toBe(
      Code.INVALID_PROGRAM_EXECUTABLE,
    );
    expect(build(program, '-DA="b c"')).toBe(Code.SUCCESS);
    expect(compiler.requests.at(-1)).toMatchObject({ source: 'warning', options: '-DA="b c"', result: 'program' });
    expect(numberOf(state, ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.SUCCESS);
    expect(numberOf(state, ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.EXECUTABLE);
    expect(textOf(state, ProgramBuildInfo.OPTIONS[0])).toBe('-DA="b c"');
    expect(textOf(state, ProgramBuildInfo.LOG[0])).toContain('a warning');
    expect(textOf(info, ProgramInfo.KERNEL_NAMES[0])).toMatch(/^add;record;/);
    expect(numberOf(info, ProgramInfo.NUM_KERNELS[0])).toBe(openclTestProgram().kernels.length);
    expect(table.clReleaseProgram(program)).toBe(Code.SUCCESS);
    expect(build(program)).toBe(Code.INVALID_PROGRAM);
  });

  test('that fail keep the log, and say which option was wrong', () => {
    const program = programOf('an error');
    expect(build(program)).toBe(Code.BUILD_PROGRAM_FAILURE);
    expect(numberOf(buildOf(program), ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.ERROR);
    expect(textOf(buildOf(program), ProgramBuildInfo.LOG[0])).toBe('<source>:1:1: error: an error');
    expect(build(program, '-nonsense')).toBe(Code.INVALID_BUILD_OPTIONS);
    expect(textOf(buildOf(program), ProgramBuildInfo.LOG[0])).toContain('-nonsense');
    table.clReleaseProgram(program);
    const crashed = programOf('crash');
    expect(build(crashed)).toBe(Code.COMPILER_NOT_AVAILABLE);
    expect(textOf(buildOf(crashed), ProgramBuildInfo.LOG[0])).toBe('the compiler has crashed');
    table.clReleaseProgram(crashed);
  });

  test('are built again only without kernels', () => {
    const program = programOf('anything');
    expect(build(program)).toBe(Code.SUCCESS);
    const kernel = make((errcode) => table.clCreateKernel(program, 'add', errcode)).handle;
    expect(build(program)).toBe(Code.INVALID_OPERATION);
    table.clReleaseKernel(kernel);
    expect(build(program)).toBe(Code.SUCCESS);
    table.clReleaseProgram(program);
  });

  test('are built while JavaScript continues, and call back', async () => {
    const program = programOf('anything');
    const type = koffi.proto('void', [koffi.types.uint64, koffi.types.uint64]);
    const heard: unknown[] = [];
    const call = (handle: bigint | number, data: bigint | number): number => heard.push([BigInt(handle), BigInt(data)]);
    const address = koffi.register(call, koffi.pointer(type));
    expect(table.clBuildProgram(program, 0, 0n, '', NOBODY, 5n)).toBe(Code.INVALID_VALUE);
    expect(table.clBuildProgram(program, 0, 0n, '', address as never, 5n)).toBe(Code.SUCCESS);
    expect(numberOf(buildOf(program), ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.IN_PROGRESS);
    expect(build(program)).toBe(Code.INVALID_OPERATION);
    await until('somebody is told', () => heard.length > 0);
    expect(heard).toEqual([[program, 5n]]);
    expect(numberOf(buildOf(program), ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.SUCCESS);
    koffi.unregister(address);
    table.clReleaseProgram(program);
    using compiled = await cl.Program.compile(embedded.ctx, 'more', '', { cache: false });
    expect(compiled.kernelNames).toContain('add');
  });

  test('are compiled with headers and linked', () => {
    const [header, source, other] = [programOf('int h;'), programOf('#include "h.h"'), programOf('second')];
    const name = new TextEncoder().encode('h.h\0');
    const compile = (program: never, count = 0): number => {
      const list = count === 0 ? 0n : BigUint64Array.of(header);
      const names = count === 0 ? 0n : BigUint64Array.of(addressOf(name));
      return table.clCompileProgram(program, 0, 0n, '-DX', count, list, names, NOBODY, 0n);
    };
    expect(compile(source, 1)).toBe(Code.SUCCESS);
    expect(compiler.requests.at(-1)).toMatchObject({ headers: { 'h.h': 'int h;' }, options: '-DX', result: 'object' });
    expect(compile(other)).toBe(Code.SUCCESS);
    expect(numberOf(buildOf(source), ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.COMPILED_OBJECT);
    expect(make((errcode) => table.clCreateKernel(source, 'add', errcode)).status).toBe(
      Code.INVALID_PROGRAM_EXECUTABLE,
    );
    const handlesOf = (programs: never[]): bigint | BigUint64Array =>
      programs.length === 0 ? 0n : BigUint64Array.from(programs);
    const link = (options: string, ...programs: never[]): { handle: never; status: number } =>
      make((errcode) =>
        table.clLinkProgram(
          raw(embedded.ctx), 0, 0n, options, programs.length, handlesOf(programs), NOBODY, 0n, errcode,
        ),
      ); // prettier-ignore
    const linked = link('', source, other);
    expect(linked.status).toBe(Code.SUCCESS);
    expect(compiler.requests.at(-1)?.objects).toHaveLength(2);
    expect(make((errcode) => table.clCreateKernel(linked.handle, 'add', errcode)).status).toBe(Code.SUCCESS);
    const library = link('-create-library', source, other);
    expect(numberOf(buildOf(library.handle), ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.LIBRARY);
    expect(link('', library.handle).status).toBe(Code.SUCCESS);
    expect(link('', linked.handle).status).toBe(Code.INVALID_OPERATION);
    expect(link('-nonsense', source).status).toBe(Code.INVALID_LINKER_OPTIONS);
    expect(link('').status).toBe(Code.INVALID_VALUE);
    const broken = programOf('error');
    expect(compile(broken)).toBe(Code.COMPILE_PROGRAM_FAILURE);
    expect(link('', broken).status).toBe(Code.INVALID_OPERATION);
    for (const program of [header, source, other, broken]) table.clReleaseProgram(program);
  });
});

describe('binaries', () => {
  const load = (...binaries: Uint8Array[]): { handle: never; status: number; statuses: number[] } => {
    const statuses = new Int32Array(1);
    const made = make((errcode) =>
      table.clCreateProgramWithBinary(
        raw(embedded.ctx), 1, BigUint64Array.of(embedded.device.raw), sizes(...binaries.map(({ length }) => length)),
        BigUint64Array.from(binaries.map(addressOf)), statuses, errcode,
      ),
    ); // prettier-ignore
    return { ...made, statuses: [...statuses] };
  };
  const binaryOf = (program: never): Uint8Array => {
    const binary = new Uint8Array(numberOf(infoOf(program), ProgramInfo.BINARY_SIZES[0]));
    const pointers = BigUint64Array.of(addressOf(binary));
    expect(table.clGetProgramInfo(program, ProgramInfo.BINARIES[0], 8, pointers, 0n)).toBe(Code.SUCCESS);
    return binary;
  };

  test('load again, with their build options', () => {
    const program = programOf('anything');
    build(program, '-cl-std=CL3.0');
    const again = load(binaryOf(program));
    expect([again.status, again.statuses]).toEqual([Code.SUCCESS, [Code.SUCCESS]]);
    expect(numberOf(buildOf(again.handle), ProgramBuildInfo.STATUS[0])).toBe(BuildStatus.NONE);
    expect(numberOf(buildOf(again.handle), ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.EXECUTABLE);
    const before = compiler.requests.length;
    expect(build(again.handle)).toBe(Code.SUCCESS);
    expect(compiler.requests).toHaveLength(before);
    // Sizes that do not divide are a matter of the language's version.
    const kernel = make((errcode) => table.clCreateKernel(again.handle, 'spin', errcode)).handle;
    table.clSetKernelArg(kernel, 0, 8, new BigUint64Array(1));
    const q = raw(embedded.queue);
    expect(table.clEnqueueNDRangeKernel(q, kernel, 1, 0n, sizes(10), sizes(3), 0, 0n, 0n)).toBe(Code.SUCCESS);
    table.clReleaseKernel(kernel);
    for (const one of [program, again.handle]) table.clReleaseProgram(one);
  });

  test('of objects are linked', () => {
    const program = programOf('anything');
    table.clCompileProgram(program, 0, 0n, '', 0, 0n, 0n, NOBODY, 0n);
    const again = load(binaryOf(program));
    expect(numberOf(buildOf(again.handle), ProgramBuildInfo.BINARY_TYPE[0])).toBe(ProgramBinaryType.COMPILED_OBJECT);
    const linked = make((errcode) =>
      table.clLinkProgram(
        raw(embedded.ctx), 0, 0n, '', 1, BigUint64Array.of(again.handle), NOBODY, 0n, errcode,
      ),
    ); // prettier-ignore
    expect(linked.status).toBe(Code.SUCCESS);
    expect(build(again.handle)).toBe(Code.INVALID_BINARY);
    for (const one of [program, again.handle, linked.handle]) table.clReleaseProgram(one);
  });

  test('that are none are refused', () => {
    const program = openclTestProgram();
    const good = encodeProgram(program);
    const cut = good.slice(0, 100);
    const damaged = good.slice();
    damaged.fill(0x20, 70, 90);
    for (const bytes of [Uint8Array.of(1), cut, damaged, cpuTestProgram(), new Uint8Array(64)]) {
      const { status, handle, statuses } = load(bytes);
      expect([status, handle, statuses]).toEqual([Code.INVALID_BINARY, 0n, [Code.INVALID_BINARY]]);
    }
    const broken = load(encodeProgram({ ...program, wasm: program.wasm.slice(0, -5) }));
    expect(broken.status).toBe(Code.SUCCESS);
    expect(build(broken.handle)).toBe(Code.BUILD_PROGRAM_FAILURE);
    expect(textOf(buildOf(broken.handle), ProgramBuildInfo.LOG[0])).toContain('damaged');
    table.clReleaseProgram(broken.handle);
  });
});

describe('kernels', () => {
  const kernelOf = (name: string): never =>
    make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), name, errcode)).handle;

  test('answer queries about themselves and their arguments', () => {
    const kernel = kernelOf('places');
    const info: Query = table.clGetKernelInfo.bind(undefined, kernel);
    expect(textOf(info, KernelInfo.FUNCTION_NAME[0])).toBe('places');
    expect(numberOf(info, KernelInfo.NUM_ARGS[0])).toBe(3);
    expect(numberOf(info, KernelInfo.PROGRAM[0])).toBe(Number(embedded.prg.raw('test')));
    const argument = (index: number): Query => table.clGetKernelArgInfo.bind(undefined, kernel, index);
    expect(textOf(argument(1), KernelArgInfo.NAME[0])).toBe('a');
    expect(textOf(argument(1), KernelArgInfo.TYPE_NAME[0])).toBe('int*');
    expect(numberOf(argument(1), KernelArgInfo.ADDRESS_QUALIFIER[0])).toBe(KernelArgAddressQualifier.LOCAL);
    expect(numberOf(argument(0), KernelArgInfo.ACCESS_QUALIFIER[0])).toBe(KernelArgAccessQualifier.NONE);
    expect(argument(3)(KernelArgInfo.NAME[0], 0, 0n, 0n)).toBe(Code.INVALID_ARG_INDEX);
    table.clReleaseKernel(kernel);
    const sized = kernelOf('sized');
    const group: Query = table.clGetKernelWorkGroupInfo.bind(undefined, sized, embedded.device.raw);
    expect([...new BigUint64Array(bytesOf(group, KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE[0]).buffer)]).toEqual([
      4n,
      2n,
      1n,
    ]);
    expect(numberOf(group, KernelWorkGroupInfo.WORK_GROUP_SIZE[0])).toBe(8);
    expect(numberOf(group, KernelWorkGroupInfo.LOCAL_MEM_SIZE[0])).toBe(128);
    expect(textOf(table.clGetKernelInfo.bind(undefined, sized), KernelInfo.ATTRIBUTES[0])).toBe(
      'reqd_work_group_size(4,2,1)',
    );
    expect(group(KernelWorkGroupInfo.GLOBAL_WORK_SIZE[0], 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    table.clReleaseKernel(sized);
  });

  test('of a program come all at once, and by their names', () => {
    const count = new Uint32Array(1);
    const list = new BigUint64Array(20);
    const program = embedded.prg.raw('test');
    expect(table.clCreateKernelsInProgram(program, 0, 0n, count)).toBe(Code.SUCCESS);
    expect(table.clCreateKernelsInProgram(program, 2, list, count)).toBe(Code.INVALID_VALUE);
    expect(table.clCreateKernelsInProgram(program, 20, list, count)).toBe(Code.SUCCESS);
    expect(count[0]).toBe(openclTestProgram().kernels.length);
    for (const kernel of list.subarray(0, count[0])) expect(table.clReleaseKernel(kernel as never)).toBe(Code.SUCCESS);
    expect(make((errcode) => table.clCreateKernel(program, 'none', errcode)).status).toBe(Code.INVALID_KERNEL_NAME);
  });

  test('have sub-groups of 32', () => {
    const kernel = kernelOf('add');
    const ask = (param: number, input: BigUint64Array, room = 3): bigint[] => {
      const [value, size] = [new BigUint64Array(room), new BigUint64Array(1)];
      const status = table.clGetKernelSubGroupInfo(
        kernel, embedded.device.raw, param, input.byteLength, input, value.byteLength, value, size,
      ); // prettier-ignore
      expect(status).toBe(Code.SUCCESS);
      return [...value].slice(0, Number(size[0]) / 8);
    };
    expect(ask(0x2033, sizes(100, 2))).toEqual([32n]);
    expect(ask(0x2034, sizes(100, 2))).toEqual([7n]);
    expect(ask(0x11b8, sizes(3))).toEqual([96n, 1n, 1n]);
    expect(ask(0x11b8, sizes(64))).toEqual([0n, 0n, 0n]);
    expect(ask(0x11b9, sizes(1), 1)).toEqual([32n]);
    table.clReleaseKernel(kernel);
  });

  test('refuse arguments that do not fit', () => {
    const kernel = kernelOf('places');
    const add = kernelOf('add');
    const set = (target: never, index: number, size: number, value: bigint | BigUint64Array): number =>
      table.clSetKernelArg(target, index, size, value);
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 64);
    using other = new cl.Context(embedded.device);
    using foreign = new cl.Buffer(other, MemFlags.READ_WRITE, 64);
    expect(set(kernel, 3, 8, sizes(0))).toBe(Code.INVALID_ARG_INDEX);
    expect(set(kernel, 0, 4, sizes(0))).toBe(Code.INVALID_ARG_SIZE);
    expect(set(kernel, 0, 8, sizes(77))).toBe(Code.INVALID_MEM_OBJECT);
    expect(set(kernel, 0, 8, BigUint64Array.of(raw(foreign)))).toBe(Code.INVALID_MEM_OBJECT);
    expect(set(kernel, 0, 8, BigUint64Array.of(raw(embedded.ctx)))).toBe(Code.INVALID_MEM_OBJECT);
    expect(set(kernel, 0, 8, 0n)).toBe(Code.SUCCESS);
    expect(set(kernel, 0, 8, BigUint64Array.of(raw(buffer)))).toBe(Code.SUCCESS);
    expect(set(kernel, 1, 0, 0n)).toBe(Code.INVALID_ARG_SIZE);
    expect(set(kernel, 1, 8, sizes(0))).toBe(Code.INVALID_ARG_VALUE);
    expect(set(kernel, 1, 2 ** 20, 0n)).toBe(Code.MAX_SIZE_RESTRICTION_EXCEEDED);
    expect(set(add, 1, 4, sizes(1))).toBe(Code.INVALID_ARG_SIZE);
    expect(set(add, 1, 8, 0n)).toBe(Code.INVALID_ARG_VALUE);
    expect(table.clSetKernelArg(1n as never, 0, 8, sizes(0))).toBe(Code.INVALID_KERNEL);
    for (const one of [kernel, add]) table.clReleaseKernel(one);
  });

  test('get local memory as offsets, each on a line of its own', () => {
    const kernel = kernelOf('places');
    const out = new BigUint64Array(3);
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 24);
    table.clSetKernelArg(kernel, 0, 8, BigUint64Array.of(raw(buffer)));
    table.clSetKernelArg(kernel, 2, 1, 0n);
    table.clSetKernelArg(kernel, 1, 130, 0n);
    const launch = (target: never): number =>
      table.clEnqueueNDRangeKernel(raw(embedded.queue), target, 1, 0n, sizes(1), 0n, 0, 0n, 0n);
    expect(launch(kernel)).toBe(Code.SUCCESS);
    cl.enqueueCopy(embedded.queue, out, buffer);
    const [base = 0n, ...offsets] = out;
    expect(base % 128n).toBe(0n);
    expect(base).toBeGreaterThan(0n);
    expect(offsets).toEqual([0n, 256n]);
    const group: Query = table.clGetKernelWorkGroupInfo.bind(undefined, kernel, 0n as never);
    expect(numberOf(group, KernelWorkGroupInfo.LOCAL_MEM_SIZE[0])).toBe(128 + 256 + 128);
    const copy = make((errcode) => table.clCloneKernel(kernel, errcode)).handle;
    table.clSetKernelArg(kernel, 1, 60_000, 0n);
    table.clSetKernelArg(kernel, 2, 8000, 0n);
    expect(launch(kernel)).toBe(Code.OUT_OF_RESOURCES);
    // The copy keeps its own.
    expect(launch(copy)).toBe(Code.SUCCESS);
    for (const one of [kernel, copy]) table.clReleaseKernel(one);
  });
});
