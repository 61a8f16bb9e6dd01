import { expect } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { isThorough, lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { withOwnCache } from '../../helpers/own-cache.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
__kernel void plain(__global const float *restrict a, __constant int *n, float x) { }
__attribute__((reqd_work_group_size(4, 2, 1))) __kernel void sized(__global int *a) { a[get_global_id(0)] = 1; }
__attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8, 1, 1)))
__kernel void hinted(__global float4 *a) { a[get_global_id(0)] = 1; }
__kernel void constructor(__global int *a) { *a = 1; }
`;
const OF_ONE_OBJECT = ['REFERENCE_COUNT', 'CONTEXT', 'PROGRAM', 'DEVICES', 'BINARIES', 'BINARY_SIZES'];
const OF_ARGUMENTS = ['ADDRESS_QUALIFIER', 'ACCESS_QUALIFIER', 'TYPE_NAME', 'TYPE_QUALIFIER', 'NAME'] as const;

withOwnCache();

needs.opencl().test.each(openclRows)('%s: a build from the cache tells what the first one told', (_, device) => {
  using context = new cl.Context(device);
  using first = new cl.Program(context, SOURCE).build();
  const told = answersOf(first, device);
  expect(first.fromCache).toBe(false);
  using second = new cl.Program(context, SOURCE).build();
  expect(second.fromCache).toBe(true);
  expect(answersOf(second, device)).toEqual(told);
  using third = new cl.Program(context, SOURCE).build('', { cache: false });
  expect(answersOf(third, device)).toEqual(told);
});

needs.opencl().test('a source whose attributes come by an option is kept with them', () => {
  const [, device] = openclRows[0] as (typeof openclRows)[number];
  if (lacks(device, 'attributes of kernels in its answers', isThorough(device))) return;
  using context = new cl.Context(device);
  const source = 'SIZE __kernel void f(__global int *a) { *a = 1; }';
  const option = '-DSIZE=__attribute__((reqd_work_group_size(4,2,1)))';
  const told = [1, 2].map(() => {
    using program = new cl.Program(context, source).build(option);
    return [program.fromCache, program.kernel('f').attributes];
  });
  expect(told).toEqual([
    [false, told[1]?.[1]],
    [true, told[0]?.[1]],
  ]);
});

/** All that a driver tells of a program and its kernels, except what is another for each object. */
function answersOf(program: cl.Program, device: cl.Device): Record<string, unknown> {
  const answers: Record<string, unknown> = { numericSource: ask(() => program.getInfo(0x1164, 'string')) };
  const note = (names: readonly string[], of: string, answer: (name: never) => unknown) => {
    for (const name of names.filter((one) => !OF_ONE_OBJECT.includes(one))) {
      answers[`${of} ${name}`] = ask(() => answer(name as never));
    }
  };
  note(Object.keys(cl.ProgramInfo), 'program', (name) => program.getInfo(name));
  note(['STATUS', 'OPTIONS'], 'build', (name) => program.getBuildInfo(name, device));
  for (const kernel of program.kernelNames.map((name) => program.kernel(name))) {
    const queries = Object.keys(cl.KernelInfo).filter((name) => name !== 'ATTRIBUTES' || isThorough(device));
    note(queries, kernel.name, (name) => kernel.getInfo(name));
    note(['COMPILE_WORK_GROUP_SIZE', 'LOCAL_MEM_SIZE'], kernel.name, (name) => kernel.getWorkGroupInfo(name, device));
    note(OF_ARGUMENTS, kernel.name, (name) => kernel.parameters.map((_, i) => kernel.getArgInfo(i, name)));
    if (isThorough(device)) answers[`${kernel.name} numeric`] = ask(() => kernel.getInfo(0x1195, 'string'));
    answers[`${kernel.name} parameters`] = kernel.parameters;
  }
  return answers;
}

/** An answer, or why there is none: that must be the same, too. */
function ask(answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    return String(error);
  }
}
