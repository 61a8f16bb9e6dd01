import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { isThorough, lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const SOURCE = `
__kernel void add(__global const float *a, __constant int *n, __local float *t, float x, __global float *restrict out)
{ int i = get_global_id(0); t[get_local_id(0)] = a[i] + x + n[0]; out[i] = t[get_local_id(0)]; }
__attribute__((reqd_work_group_size(4, 2, 1))) __kernel void sized(__global int *a) { a[get_global_id(0)] = 1; }`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program;
  let a: cl.Buffer;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    a = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
  });
  afterAll(() => {
    for (const resource of [a, prg, queue, ctx]) resource.close();
  });

  test('Kernel.getArgInfo() tells what the source says', () => {
    const add = prg.kernel('add');
    const space = cl.KernelArgAddressQualifier;
    const spaces = [0, 1, 2, 3].map((i) => add.getArgInfo(i, 'ADDRESS_QUALIFIER'));
    expect(spaces).toEqual([space.GLOBAL, space.CONSTANT, space.LOCAL, space.PRIVATE]);
    expect(add.getArgInfo(3, 'TYPE_NAME')).toBe('float');
    expect(add.getArgInfo(3, 'NAME')).toBe('x');
    expect(add.getArgInfo(3, 0x119a, 'string')).toBe('x');
    const { CONST, RESTRICT } = cl.KernelArgTypeQualifier;
    expect(add.getArgInfo(0, 'TYPE_QUALIFIER') & CONST).toBe(CONST);
    expect(add.getArgInfo(4, 'TYPE_QUALIFIER') & RESTRICT).toBe(RESTRICT);
    expect(add.getArgInfo(0, 'ACCESS_QUALIFIER')).toBe(cl.KernelArgAccessQualifier.NONE);
    expect(() => add.getArgInfo(5, 'NAME')).toThrow(RangeError);
    expect(() => add.getArgInfo(0, 'NO' as 'NAME')).toThrow(TypeError);
  });

  test('Kernel.getWorkGroupInfo() knows the local size that the source asks for', () => {
    const sized = prg.kernel('sized');
    expect(sized.getWorkGroupInfo('COMPILE_WORK_GROUP_SIZE')).toEqual([4, 2, 1]);
    expect(sized.getWorkGroupInfo(0x11b1, 'sizes', device)).toEqual([4, 2, 1]);
    expect(sized.workGroupInfo(device).compileWorkGroupSize).toEqual([4, 2, 1]);
    expect(() => sized.workGroupInfo({} as never)).toThrow('takes a device of the program');
  });

  test('Kernel.attributes are those of the source', () => {
    if (lacks(device, 'attributes of kernels in its answers', isThorough(device))) return;
    expect(prg.kernel('sized').attributes.replaceAll(' ', '')).toContain('reqd_work_group_size(4,2,1)');
    expect(prg.kernel('add').getInfo('NUM_ARGS')).toBe(5);
  });

  test('Kernel.clone() computes on its own', () => {
    const sized = prg.kernel('sized');
    if (lacks(device, 'clCloneKernel (OpenCL 2.1)', device.platform.atLeast(2, 1))) {
      expect(() => sized.clone()).toThrow(/OpenCL 2\.1/);
      return;
    }
    const clone = sized.clone();
    expect(clone.signature).toBe(sized.signature);
    clone(queue, [8, 2], [4, 2], a);
    clone.close();
    expect(() => clone(queue, [8, 2], [4, 2], a)).toThrow(cl.ClosedError);
    const result = new Int32Array(8);
    cl.enqueueCopy(queue, result, a);
    expect([...result]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('Kernel.getSubGroupInfo() counts sub-groups, or says that there are none', () => {
    const add = prg.kernel('add');
    expect(() => add.getSubGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE')).toThrow('takes the local size');
    const has = device.platform.atLeast(2, 1) && device.maxNumSubGroups > 0;
    if (lacks(device, 'sub-groups', has)) {
      expect(() => add.getSubGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE', 64)).toThrow(/CL_INVALID|needs cl_khr_subgroups/);
      return;
    }
    const size = add.getSubGroupInfo('MAX_SUB_GROUP_SIZE_FOR_NDRANGE', [64]);
    expect(add.getSubGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE', [64])).toBe(Math.ceil(64 / size));
    const one = add.getSubGroupInfo('LOCAL_SIZE_FOR_SUB_GROUP_COUNT', 1);
    expect(one.slice(1)).toEqual([1, 1]);
    expect(add.getSubGroupInfo('SUB_GROUP_COUNT_FOR_NDRANGE', one)).toBe(1);
    expect(add.getSubGroupInfo('MAX_NUM_SUB_GROUPS')).toEqual(expect.any(Number));
    expect(add.getSubGroupInfo(0x11b9, undefined, device, 'size')).toBe(add.getSubGroupInfo('MAX_NUM_SUB_GROUPS'));
  });

  test('Kernel.suggestedLocalSize() gives a size that a launch takes', () => {
    const sized = prg.kernel('sized');
    const has = device.hasExtension('cl_khr_suggested_local_work_size');
    if (lacks(device, 'cl_khr_suggested_local_work_size', has)) {
      expect(() => sized.suggestedLocalSize(queue, [8, 2], a)).toThrow('needs cl_khr_suggested_local_work_size');
      return;
    }
    expect(sized.suggestedLocalSize(queue, [8, 2], a)).toEqual([4, 2]);
    using other = new cl.Program(ctx, '__kernel void f(__global int *a) { a[get_global_id(0)] = 2; }').build();
    const local = other.kernel('f').suggestedLocalSize(queue, 96, a);
    expect(local).toHaveLength(1);
    other.kernel('f')(queue, 96, local, a).wait();
    expect(() => sized.suggestedLocalSize(queue, 0, a)).toThrow(RangeError);
    expect(() => sized.suggestedLocalSize(queue, [8, 2])).toThrow('takes 1 argument');
  });

  test('A kernel call over nothing is refused, or a marker where that is asked for', () => {
    const sized = prg.kernel('sized');
    expect(() => sized(queue, [0, 2], null, a)).toThrow(RangeError);
    const event = sized(queue, [0, 2], null, a, { allowEmpty: true });
    event.wait();
    expect(event.status).toBe(cl.CommandExecutionStatus.COMPLETE);
    sized(queue, [4, 2], [4, 2], a, { allowEmpty: true, waitFor: [event] }).wait();
  });
});
